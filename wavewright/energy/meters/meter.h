// The meter contract: a meter measures the energy or the power of a machine, or of parts of it.
//
// An implementer promises:
//  - opening throws ExternalError with a remedy where the machine has no such meter or may not be read;
//  - `sources` never changes. Parts that one meter measures do not overlap, so that their energies add up;
//  - `read` returns new samples in order of time. A source that cannot be read now is left out: a dropped
//    sample. It throws where data are malformed or the meter is gone. A further call then gives what could
//    be read nevertheless.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wavewright/cluster/power.h"
#include "wavewright/core/time.h"

namespace wavewright {

enum class MeterUnit : std::uint8_t {
  energy,  // a counter of µJ
  power,   // mW at the instant
};

struct MeterSource {
  std::string name;  // `rapl/package-0`, `nvml/0`, `ipmi/node`, `plug/node`, `declared/CLASS`
  MeterUnit unit = MeterUnit::energy;
  MicroJoules wraps_at = 0;  // the largest value of a counter that then begins anew; 0 = none is known

  friend bool operator==(const MeterSource&, const MeterSource&) = default;
};

struct MeterSample {
  std::size_t source = 0;  // index in Meter::sources
  Time at{};               // ms since 1970
  std::int64_t value = 0;  // by MeterSource::unit

  friend bool operator==(const MeterSample&, const MeterSample&) = default;
};

class Meter {
 public:
  Meter() = default;
  virtual ~Meter() = default;
  Meter(const Meter&) = delete;
  Meter& operator=(const Meter&) = delete;
  Meter(Meter&&) = delete;
  Meter& operator=(Meter&&) = delete;

  [[nodiscard]] virtual const std::vector<MeterSource>& sources() const = 0;
  // Its samples come when they come, as in a file that another program writes; else each source has one a
  // reading.
  [[nodiscard]] virtual bool at_own_times() const { return false; }
  // `now`: the instant of samples that have none of their own.
  [[nodiscard]] virtual std::vector<MeterSample> read(Time now) = 0;
};

}  // namespace wavewright
