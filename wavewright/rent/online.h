// Jobs that arrive over time, which the paper leaves as future work.
//
// Delay counts from a job's arrival: its utility cost is p + b · (t − arrival).
#pragma once

#include <string>

#include "wavewright/rent/policies.h"

namespace wavewright {

struct OnlinePlan {
  RentPlan plan;             // groups in the order of their starts; its own sums count from time 0
  double cost = 0;           // Σp + b · Σ(t − arrival)
  double average_delay = 0;  // of t − arrival
};

// When no job runs and some wait, the policy plans those that wait, and the first group of its plan starts.
// It knows no arrival beforehand. A group, once started, keeps its machines until its slowest job has ended.
// O(groups · the policy's).
[[nodiscard]] OnlinePlan rent_online(const RentProblem& problem, const RentPolicy& policy);

// The clairvoyant of groups: it knows all arrivals and may wait for them. The optimum over all sequences of
// groups with equal machines that run one after the other, by branch and bound. Throws UsageError above
// `most_clairvoyant_jobs`.
[[nodiscard]] OnlinePlan clairvoyant_groups(const RentProblem& problem);

inline constexpr std::size_t most_clairvoyant_jobs = 8;

// No schedule of any kind costs less: each job alone on the whole cluster, at its arrival, with the machines
// that are best for it. A lower bound for any number of jobs. O(N + M).
[[nodiscard]] double alone_bound(const RentProblem& problem);

}  // namespace wavewright
