// Why machines were rented and why they left, read off a run: what happened at that instant.
//
// A policy rents at events. A machine requested at the instant at which a job arrived was rented for that
// job; likewise where the reduces of a job became ready, or another machine was lost. Else the policy acted
// at a time of its own: the end of an epoch, a price that came back.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/job/job.h"
#include "wavewright/sim/result.h"

namespace wavewright {

struct LeaseReason {
  enum class Rented : std::uint8_t { job_arrived, machine_lost, reduces_ready, own_time };
  enum class Left : std::uint8_t { revoked, never_joined, given_back, end_of_run };

  Rented rented = Rented::own_time;
  std::optional<JobIndex> job;  // that arrived, or whose reduces became ready
  Left left = Left::end_of_run;
  std::optional<Money> price;    // revoked, or never joined: the spot price of that instant
  Count tasks = 0;               // attempts that ran there
  std::optional<Duration> idle;  // from the end of the last attempt, or from joining, until it left
};

// By lease. `result` must have its trace and come from this workload on this cluster. O(tasks + jobs +
// leases, times the logarithm of leases).
[[nodiscard]] std::vector<LeaseReason> lease_reasons(const Workload& workload, const Cluster& cluster,
                                                     const SimulationResult& result);

// `job 'etl' arrived`; `idle for 3min, given back`. `job`: its label, where the reason has one.
[[nodiscard]] std::string why_rented(const LeaseReason& reason, const std::string& job);
[[nodiscard]] std::string why_left(const LeaseReason& reason);

}  // namespace wavewright
