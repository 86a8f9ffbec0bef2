#include "wavewright/energy/meters/nvml_meter.h"

#include <dlfcn.h>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

// As in NVIDIA's header, whose names and numbers do not change.
using NvmlStatus = int;
constexpr NvmlStatus nvml_success = 0;
using NvmlDevice = void*;

class NvmlLibrary {
 public:
  explicit NvmlLibrary(const std::string& file) : file_(file) {
    // Never closed: the driver's threads may outlive the meter.
    loaded_ = ::dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (loaded_ == nullptr) {
      throw ExternalError({file}, "NVML cannot be loaded: there is no driver of NVIDIA here",
                          "install it where the machine has a GPU");
    }
    take(init, "nvmlInit_v2");
    take(shutdown, "nvmlShutdown");
    take(count, "nvmlDeviceGetCount_v2");
    take(handle, "nvmlDeviceGetHandleByIndex_v2");
    take(power, "nvmlDeviceGetPowerUsage");
    take(words, "nvmlErrorString");
    energy = reinterpret_cast<decltype(energy)>(::dlsym(loaded_, "nvmlDeviceGetTotalEnergyConsumption"));
  }

  void check(NvmlStatus status, const std::string& what) const {
    if (status == nvml_success) return;
    throw ExternalError({file_}, fmt::format("{}: {}", what, words(status)),
                        "see what nvidia-smi says, and the rights of /dev/nvidia*");
  }

  NvmlStatus (*init)() = nullptr;
  NvmlStatus (*shutdown)() = nullptr;
  NvmlStatus (*count)(unsigned*) = nullptr;
  NvmlStatus (*handle)(unsigned, NvmlDevice*) = nullptr;
  NvmlStatus (*power)(NvmlDevice, unsigned*) = nullptr;             // mW
  NvmlStatus (*energy)(NvmlDevice, unsigned long long*) = nullptr;  // mJ; null in old libraries
  const char* (*words)(NvmlStatus) = nullptr;

 private:
  template <class Function>
  void take(Function& function, const char* name) {
    function = reinterpret_cast<Function>(::dlsym(loaded_, name));
    if (function == nullptr)
      throw ExternalError({file_}, fmt::format("NVML has no {}", name), "install a newer driver");
  }

  std::string file_;
  void* loaded_ = nullptr;
};

class NvmlMeter : public Meter {
 public:
  explicit NvmlMeter(const std::string& file) : library_(file) {
    library_.check(library_.init(), "NVML does not start");
    try {
      find_devices(file);
    } catch (...) {
      library_.shutdown();
      throw;
    }
  }
  ~NvmlMeter() override { library_.shutdown(); }
  NvmlMeter(const NvmlMeter&) = delete;
  NvmlMeter& operator=(const NvmlMeter&) = delete;
  NvmlMeter(NvmlMeter&&) = delete;
  NvmlMeter& operator=(NvmlMeter&&) = delete;

  [[nodiscard]] const std::vector<MeterSource>& sources() const override { return sources_; }

  [[nodiscard]] std::vector<MeterSample> read(Time now) override {
    std::vector<MeterSample> samples;
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      std::int64_t value = 0;
      if (ask(i, sources_[i].unit, value) == nvml_success) samples.push_back({i, now, value});
    }
    return samples;
  }

 private:
  void find_devices(const std::string& file) {
    unsigned count = 0;
    library_.check(library_.count(&count), "NVML does not list the GPUs");
    if (count == 0) throw ExternalError({file}, "NVML shows no GPU", "measure without nvml here");
    for (unsigned i = 0; i < count; ++i) {
      devices_.push_back(nullptr);
      library_.check(library_.handle(i, &devices_.back()), fmt::format("GPU {}", i));
      std::int64_t value = 0;
      const bool counts = ask(i, MeterUnit::energy, value) == nvml_success;
      if (!counts) library_.check(ask(i, MeterUnit::power, value), fmt::format("GPU {} tells no power", i));
      sources_.push_back({fmt::format("nvml/{}", i), counts ? MeterUnit::energy : MeterUnit::power, 0});
    }
  }

  // Into µJ or mW.
  NvmlStatus ask(std::size_t device, MeterUnit unit, std::int64_t& value) const {
    if (unit == MeterUnit::power) {
      unsigned milliwatts = 0;
      const NvmlStatus status = library_.power(devices_[device], &milliwatts);
      value = milliwatts;
      return status;
    }
    constexpr NvmlStatus not_supported = 3;
    if (library_.energy == nullptr) return not_supported;
    unsigned long long millijoules = 0;
    const NvmlStatus status = library_.energy(devices_[device], &millijoules);
    value = static_cast<std::int64_t>(millijoules * 1000);
    return status;
  }

  NvmlLibrary library_;
  std::vector<NvmlDevice> devices_;
  std::vector<MeterSource> sources_;
};

}  // namespace

std::unique_ptr<Meter> open_nvml(const std::string& library) {
  return std::make_unique<NvmlMeter>(library);
}

}  // namespace wavewright
