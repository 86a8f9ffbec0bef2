#include "choose_device.h"

#include <stdexcept>
#include <string_view>

#include "cpu_device.h"
#include "cuda_device.h"
#include "emulated_device.h"
#include "fallback_device.h"

namespace adaptive {

namespace {

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  for (const std::string_view each : words)
    if (text == each) return true;
  return false;
}

// Null for the processor.
std::unique_ptr<Device> wanted_device(const DeviceChoice& choice, Granted granted) {
  if (choice.wanted == "cpu") return nullptr;
  if (choice.wanted == "emulated") return make_emulated_device();
  if (choice.wanted != "gpu" && choice.wanted != "auto")
    throw std::invalid_argument("--device is '" + choice.wanted + "': one of auto, cpu, gpu, emulated");
  const bool may = choice.wanted == "gpu" || granted != Granted::no;
  std::unique_ptr<Device> gpu = may ? make_cuda_device() : nullptr;
  if (!gpu && choice.wanted == "gpu")
    throw std::runtime_error("no GPU: none is here, or this was built without nvcc");
  return gpu;
}

}  // namespace

#ifndef ADAPTIVE_CUDA
std::unique_ptr<Device> make_cuda_device() {
  return nullptr;
}
#endif

Granted granted_gpu(const std::function<const char*(const char*)>& variable) {
  if (const char* const cuda = variable("CUDA_VISIBLE_DEVICES"))
    return is_one_of(cuda, {"", "-1", "NoDevFiles"}) ? Granted::no : Granted::yes;
  if (const char* const nvidia = variable("NVIDIA_VISIBLE_DEVICES"))
    return is_one_of(nvidia, {"", "void", "none"}) ? Granted::no : Granted::yes;
  return Granted::unknown;
}

std::unique_ptr<Device> choose_device(const DeviceChoice& choice, Granted granted,
                                      std::function<void(const std::string&)> told) {
  std::unique_ptr<Device> device = wanted_device(choice, granted);
  std::unique_ptr<Device> cpu = make_cpu_device(choice.threads);
  if (choice.lose_after >= 0)
    device =
        make_failing_device(device ? std::move(device) : make_cpu_device(choice.threads), choice.lose_after);
  if (!device) return cpu;
  return make_fallback_device(std::move(device), std::move(cpu), std::move(told));
}

}  // namespace adaptive
