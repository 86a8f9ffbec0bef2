// The meters of this machine by name.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "wavewright/energy/meters/meter.h"

namespace wavewright {

struct MeterPlaces {
  std::string powercap;  // folder of RAPL's zones
  std::string nvml;      // library, as the system's loader takes it
  std::string ipmitool;  // program
  std::string proc;      // folder of the processors' times
  std::string node;      // this one's name in files of wall-plug meters and in cluster files
  Time since{};          // rows of such files before this instant are old
};
[[nodiscard]] MeterPlaces usual_places();

// `rapl`, `nvml`, `ipmi`, `csv=FILE` or `declared=CLUSTER.toml[:CLASS]`. Throws UsageError for another name,
// and what the meter throws.
[[nodiscard]] std::unique_ptr<Meter> open_meter(const std::string& name, const MeterPlaces& places);

// RAPL and NVML where they are, else IPMI. `absent`: why each of the others is not there. Throws
// ExternalError, with these reasons, where the machine has no meter.
[[nodiscard]] std::vector<std::unique_ptr<Meter>> find_meters(const MeterPlaces& places,
                                                              std::vector<std::string>& absent);

}  // namespace wavewright
