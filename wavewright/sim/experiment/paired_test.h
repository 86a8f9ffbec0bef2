// Statistics of repeated runs, and whether two policies differ in a metric [UNL §6.3.3.4].
//
//     half the 95 % interval of a mean   t(97.5 %, n − 1) · s / √n      s: sample deviation, from n − 1
//     standard error                     s / √n; UNL's table 6.15 has σ / √n, σ from n
//     paired t-test of a and b           t = mean(a − b) / (s(a − b) / √n), n − 1 degrees of freedom,
//     two-sided
//
// Pairing by seed takes out what the runs of a pair share. The test takes differences to be about normal.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace wavewright {

struct SampleStatistics {
  std::size_t runs = 0;
  double mean = 0;
  double deviation = 0;         // s; 0 for one run
  std::optional<double> half;   // of the 95 % interval; none for one run
  std::optional<double> error;  // s / √n; likewise
  double population_error = 0;  // σ / √n
};
// `values` must not be empty. O(runs).
[[nodiscard]] SampleStatistics statistics_of(std::span<const double> values);

struct PairedTest {
  SampleStatistics difference;  // a − b
  // None for one pair. Where all differences are equal, but for the rounding of the values: none if they are
  // 0, else t is infinite and p is 0.
  std::optional<double> t;
  std::optional<double> p;
};
// As many values of a as of b, pair by pair; at least one.
[[nodiscard]] PairedTest paired_t_test(std::span<const double> a, std::span<const double> b);

}  // namespace wavewright
