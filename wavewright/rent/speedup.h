// Speed-up curves: how much faster m machines work on a job than one does [RENT §II].
//
// A job with `work` w, in seconds on one machine, takes w / S(m) seconds on m machines. Four forms of S:
//   alpha     k · m · α^(m−1), the paper's. m / S(m) is monotone: it only rises for α < 1, only falls for α >
//   1 amdahl    k / ((1 − f) + f / m), f the parallel share power     k · m^e table     measured points, with
//   straight lines between them
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/core/quantity.h"

namespace wavewright {

enum class SpeedupForm : std::uint8_t { alpha, amdahl, power, table };

[[nodiscard]] std::string to_string(SpeedupForm form);

struct SpeedupPoint {
  Count machines = 1;
  double speedup = 1;

  friend bool operator==(const SpeedupPoint&, const SpeedupPoint&) = default;
};

struct SpeedupCurve {
  SpeedupForm form = SpeedupForm::alpha;
  double k = 1;                      // not of a table
  double parameter = 1;              // α, f or e; not of a table
  std::vector<SpeedupPoint> points;  // of a table: by machines, ascending, none twice

  // S(m), m ≥ 1. Below the first point of a table: a straight line through 0. Beyond the last: as the last,
  // as nothing was measured there. O(1), of a table O(log points).
  [[nodiscard]] double at(Count machines) const;
};

// The paper's form. Without noise this is what a fit returns.
[[nodiscard]] SpeedupCurve alpha_curve(double alpha, double k = 1);

// Reads `alpha(0.9)`, `amdahl(0.95)`, `power(0.8)`, `linear`, `table(1=1, 2=1.9, 4=3.2)`. Throws UsageError
// for other text, for values that are not positive and finite, for f above 1, and for a number of machines
// that is given twice.
[[nodiscard]] SpeedupCurve parse_speedup(std::string_view text);

// The inverse, without k: `alpha(0.9)`.
[[nodiscard]] std::string to_text(const SpeedupCurve& curve);

// S(1) … S(M) of one cluster, and the best number of machines below each limit.
class Speeds {
 public:
  // Throws UsageError for fewer than one machine, for more than `most_machines`, and for a curve that
  // overflows there. A speed so small that it is 0 is allowed: no policy chooses it. O(machines).
  Speeds(const SpeedupCurve& curve, Count machines);

  static constexpr Count most_machines = 100'000;

  [[nodiscard]] Count machines() const { return static_cast<Count>(speeds_.size()); }
  [[nodiscard]] double at(Count machines) const { return speeds_[static_cast<std::size_t>(machines - 1)]; }
  // The number from 1 to `limit` with the largest S, the smallest such. More machines slow the job down.
  [[nodiscard]] Count fastest(Count limit) const { return fastest_[static_cast<std::size_t>(limit - 1)]; }
  // The number from 1 to `limit` with the least machine time m / S(m), the smallest such.
  [[nodiscard]] Count cheapest(Count limit) const { return cheapest_[static_cast<std::size_t>(limit - 1)]; }

 private:
  std::vector<double> speeds_;
  std::vector<Count> fastest_, cheapest_;
};

}  // namespace wavewright
