// Position bound: a lower bound on total completion time in a permutation flow shop of two machines, by
// Lagrangian relaxation to an assignment of jobs to positions [after Akkan and Karabati 2004; Della Croce,
// Ghirardi and Tadei 2002].
//
// Let a_p and b_p be the lengths of the job at position p of n on the two machines, and L_p the time from its
// end on the first to its end on the second. Then L_p ≥ b_p and L_p ≥ L_{p−1} − a_p + b_p, and Σ ends = Σ (n
// − p + 1) a_p + Σ L_p. Take multipliers u_p ≥ 0 for the second constraint, u_p ≤ 1 + u_{p+1}; the first gets
// the rest. Then L drops out except for L_k. After k jobs are placed, no order of the others has less than
//
//     u_{k+1} L_k + the least Σ_{p>k} (n − p + 1 − u_p) a_p + (1 + u_{p+1}) b_p,
//
// an assignment problem. u = 0 gives the bound of the first machine, the largest u that of the second.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace wavewright {

struct FlowJob {
  std::int64_t map = 0;
  std::int64_t reduce = 0;
};

class PositionBound {
 public:
  static constexpr std::int64_t unit = 64;  // multipliers are whole 64ths, so that bounds are exact
  static constexpr std::size_t most_jobs = 32;

  // For up to `most_jobs` jobs.
  explicit PositionBound(std::span<const FlowJob> jobs);

  // Improves the multipliers for the jobs of the set `left`, which take the last positions; `lag` = L_k.
  // Makes at most `rounds` subgradient steps towards `target` and keeps the best. O(rounds · n³).
  void improve(std::uint32_t left, std::int64_t lag, std::int64_t target, int rounds);

  // The cost of the best assignment of the jobs of the set, in 1/`unit`. O(n³).
  [[nodiscard]] std::int64_t assigned(std::uint32_t left);
  // The bound from that cost: Σ ends of those jobs, measured from the last map end before them; rounded up.
  [[nodiscard]] std::int64_t of(std::int64_t assigned, std::uint32_t left, std::int64_t lag) const;

  // The order of the last assignment.
  [[nodiscard]] std::span<const std::uint32_t> order() const { return order_; }
  [[nodiscard]] const std::vector<std::int64_t>& multipliers() const { return multipliers_; }
  void use(const std::vector<std::int64_t>& multipliers) { multipliers_ = multipliers; }

 private:
  void clamp(std::vector<double>& multipliers, std::size_t first);

  std::vector<FlowJob> jobs_;
  std::vector<std::int64_t> multipliers_;  // by position from 0, with a 0 at the end
  std::vector<std::uint32_t> order_;
  std::vector<std::int64_t> cost_;  // scratch of assigned()
};

}  // namespace wavewright
