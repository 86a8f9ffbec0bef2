// Worst cases of the policies: the paper's theorems as printed, which do not hold, and in forms that do [RENT
// §III].
//
// With d = S(M) and s = S(⌊M/n⌋), n ≤ M jobs, and as many machines as the formulas (5) to (8) say:
//   Theorem 1   time of the wrong one of dominance and sharing / time of the right one
//     printed   max(2n/(n+1), s/d)
//     mended    max(d/s, (n+1)/2 · s/d)
//   Theorem 2   the same of the utility cost
//     printed   a · max(2n/(n+1), s/d) + b · s/d
//     mended    max(d/s, P), with P = (M/d) / (⌊M/n⌋/s), the ratio of the rents. This is the maximum of the
//     bound of the
//               times and of both ratios of rents: P ≥ n · s/d is at least the other half of 1, and 1/P ≤ d/s
//   Theorem 3   cost of one size / cost of the optimum
//     printed   (a + b) · max over n of S(M/n)/S(M)
//     mended    ρ = M · max over m of S(m)/m / S(M), where S does not peak before M
//
// The printed 2 and 3 cannot be ratios: a and b divided by 1000 change no plan, but divide these bounds, too.
//
// Why the mended ones hold. 1: in tₛ/t_d = (d/s) · Σw / Σ(n−i+1)wᵢ the last factor is at most 1, and for
// ascending works at least 2/(n+1). 2: a ratio of sums lies between the ratios of their parts. 3: M machines
// do at most M · max S(m)/m work a second, and w costs at least a · w / max S(m)/m. Dominance in ascending
// order does S(M), the best order for one server, at a rent of a · w · M / S(M). One size may choose
// dominance.
#pragma once

#include "wavewright/rent/problem.h"

namespace wavewright {

// The worse of two values over the better. 1 if both are 0.
[[nodiscard]] double ratio_of(double one, double other);

// All need n ≤ M.
[[nodiscard]] double printed_time_bound(const Speeds& speeds, std::size_t jobs);
[[nodiscard]] double mended_time_bound(const Speeds& speeds, std::size_t jobs);
[[nodiscard]] double printed_cost_bound(const Speeds& speeds, std::size_t jobs, const RentPrices& prices);
[[nodiscard]] double mended_cost_bound(const Speeds& speeds, std::size_t jobs);

[[nodiscard]] double printed_one_size_bound(const Speeds& speeds, const RentPrices& prices);
// O(M). Holds against every schedule in which jobs keep their machines, and against preemptive ones.
[[nodiscard]] double mended_one_size_bound(const Speeds& speeds);

}  // namespace wavewright
