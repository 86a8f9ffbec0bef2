// Chooses the device that the container was given.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "device.h"

namespace adaptive {

enum class Granted { no, yes, unknown };

// By CUDA_VISIBLE_DEVICES (empty, `-1`, `NoDevFiles`: none), else NVIDIA_VISIBLE_DEVICES, which YARN and
// container runtimes set (empty, `void`, `none`: none). Neither is set: unknown. `variable` gives the text of
// an environment variable, or null.
[[nodiscard]] Granted granted_gpu(const std::function<const char*(const char*)>& variable);

struct DeviceChoice {
  std::string wanted = "auto";  // auto, cpu, gpu, emulated
  int threads = 1;
  int lose_after = -1;  // a drill: the device is lost after so many calls; -1 = it is not
};

// `auto`: the GPU if one was granted, or may have been, and CUDA finds it; else the processor. A GPU that is
// lost is replaced by the processor, and `told` called with the reason. Throws std::invalid_argument for
// another word, std::runtime_error where `gpu` is wanted and there is none.
[[nodiscard]] std::unique_ptr<Device> choose_device(const DeviceChoice& choice, Granted granted,
                                                    std::function<void(const std::string&)> told);

}  // namespace adaptive
