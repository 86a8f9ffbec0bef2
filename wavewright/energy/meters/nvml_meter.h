// NVML: energy and power of NVIDIA's GPUs. The library is loaded at run time, and nothing of it is needed to
// build.
//
// A GPU from Volta on counts its energy since the driver was loaded. An older one tells its present power.
#pragma once

#include <memory>
#include <string>

#include "wavewright/energy/meters/meter.h"

namespace wavewright {

inline constexpr const char* nvml_library = "libnvidia-ml.so.1";

// One source a GPU, in NVML's order. Throws ExternalError where the library or a GPU is missing, or one tells
// neither energy nor power.
[[nodiscard]] std::unique_ptr<Meter> open_nvml(const std::string& library = nvml_library);

}  // namespace wavewright
