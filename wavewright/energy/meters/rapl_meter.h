// RAPL: counters of the processors' energy, as Linux shows them below /sys/class/powercap.
//
// Each zone is a folder: `intel-rapl:0` a package, `intel-rapl:0:1` a part of it. Its file `energy_uj` counts
// up to `max_energy_range_uj` and then begins at 0. Processors of AMD have the same files.
#pragma once

#include <filesystem>
#include <memory>

#include "wavewright/energy/meters/meter.h"

namespace wavewright {

inline constexpr const char* powercap_folder = "/sys/class/powercap";

// Takes the packages, and their `dram`, which no package includes. Passes over what is counted already:
// `core` and `uncore` of a package, `psys`, and the same packages by way of `intel-rapl-mmio`. Throws
// ExternalError where there is no package, or one cannot be read.
[[nodiscard]] std::unique_ptr<Meter> open_rapl(const std::filesystem::path& folder = powercap_folder);

}  // namespace wavewright
