// Dominance and shared scheduling, and the three rules that choose between them [RENT §III-A, B, Alg. 1 to
// 3].
//
// Dominance gives all machines to one job after another, the smallest first. Sharing gives ⌊M/n⌋ machines to
// each of n jobs at once. Our readings of what the paper leaves open:
//   - A job gets fewer machines if more would slow it down (Speeds::fastest).
//   - n > M: sharing runs M jobs, one machine each, then the next M, the smallest first.
//   - M mod n machines stay idle. The last group, of r jobs, has ⌊M/r⌋ machines each.
//   - Ties that remain go to dominance.
// Equations (7) and (8) put S(1) for the price a; a is used.
//
// All O(n).
#pragma once

#include "wavewright/rent/problem.h"

namespace wavewright {

[[nodiscard]] RentPlan dominance(const RentProblem& problem);
[[nodiscard]] RentPlan shared(const RentProblem& problem);

// The one with the lower average time; if these are equal, with the lower rent.
[[nodiscard]] RentPlan time_first(const RentProblem& problem);

// The one with the lower rent; if these are equal, with the lower average time [RENT Alg. 2].
[[nodiscard]] RentPlan price_first(const RentProblem& problem);

// The text of §III-A, which differs from Alg. 2: each job has the number of machines m with the least m /
// S(m), and ⌊M/m⌋ jobs run at once. For α < 1 this is one machine.
[[nodiscard]] RentPlan cheapest_first(const RentProblem& problem);

// The one with the lower utility cost.
[[nodiscard]] RentPlan policy_shifting(const RentProblem& problem);

}  // namespace wavewright
