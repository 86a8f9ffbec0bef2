#include "wavewright/sim/metrics/lease_reasons.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "wavewright/cluster/presence.h"
#include "wavewright/cluster/topology.h"

namespace wavewright {

namespace {

// Jobs by an instant of theirs; of several the first of the file.
using JobsAt = std::unordered_map<std::int64_t, JobIndex>;

JobsAt arrivals(const SimulationResult& result) {
  JobsAt jobs;
  for (JobIndex job = 0; job < result.jobs.size(); ++job) jobs.emplace(to_ms(result.jobs[job].submit), job);
  return jobs;
}

// The instants at which as many maps of a job had ended as its reduces wait for.
JobsAt ready_reduces(const Workload& workload, const Cluster& cluster, const SimulationResult& result) {
  std::vector<std::vector<std::int64_t>> ends(workload.jobs.size());
  for (const TaskRecord& task : result.trace) {
    if (task.kind == Kind::map && task.outcome == AttemptOutcome::done)
      ends[task.job].push_back(to_ms(task.end));
  }
  JobsAt jobs;
  for (JobIndex job = 0; job < ends.size(); ++job) {
    const auto maps = static_cast<double>(workload.jobs[job].maps.size());
    if (workload.jobs[job].reduces.empty() || ends[job].empty()) continue;
    const auto needed =
        std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(cluster.mode.slowstart * maps)));
    if (needed > ends[job].size()) continue;
    const auto at = ends[job].begin() + static_cast<std::ptrdiff_t>(needed - 1);
    std::nth_element(ends[job].begin(), at, ends[job].end());
    jobs.emplace(*at, job);
  }
  return jobs;
}

// Attempts on each lease's machine while it was there, and the end of the last.
struct Work {
  Count tasks = 0;
  Time last{};
};
std::vector<Work> work_of(const SimulationResult& result) {
  std::unordered_map<NodeIndex, std::vector<LeaseId>> of_node;  // by time: a node has one lease at once
  for (LeaseId lease = 0; lease < result.leases.size(); ++lease) {
    if (result.leases[lease].joined) of_node[result.leases[lease].node].push_back(lease);
  }
  for (auto& [node, leases] : of_node) {
    std::sort(leases.begin(), leases.end(),
              [&](LeaseId a, LeaseId b) { return *result.leases[a].joined < *result.leases[b].joined; });
  }
  std::vector<Work> work(result.leases.size());
  for (const TaskRecord& task : result.trace) {
    const auto leases = of_node.find(task.node);
    if (leases == of_node.end()) continue;
    const auto behind =
        std::upper_bound(leases->second.begin(), leases->second.end(), task.start,
                         [&](Time start, LeaseId lease) { return start < *result.leases[lease].joined; });
    if (behind == leases->second.begin()) continue;
    Work& of = work[*std::prev(behind)];
    ++of.tasks;
    of.last = std::max(of.last, task.end);
  }
  return work;
}

LeaseReason::Left how_it_left(const Lease& lease) {
  using enum LeaseReason::Left;
  if (!lease.joined) return never_joined;
  if (lease.revoked()) return revoked;
  return lease.left ? given_back : end_of_run;
}

}  // namespace

std::vector<LeaseReason> lease_reasons(const Workload& workload, const Cluster& cluster,
                                       const SimulationResult& result) {
  const JobsAt arrived = arrivals(result), ready = ready_reduces(workload, cluster, result);
  const Topology topology = expand(cluster);
  const std::vector<Work> work = work_of(result);
  std::set<Time> losses;
  for (const Lease& lease : result.leases) {
    if (!lease.revoked()) continue;
    for (const std::optional<Time>& at : {lease.noticed, lease.left}) {
      if (at) losses.insert(*at);
    }
  }
  std::vector<LeaseReason> reasons;
  for (LeaseId id = 0; id < result.leases.size(); ++id) {
    const Lease& lease = result.leases[id];
    LeaseReason& reason = reasons.emplace_back();
    const auto job = arrived.find(to_ms(lease.requested)), reduces = ready.find(to_ms(lease.requested));
    if (job != arrived.end()) {
      reason.rented = LeaseReason::Rented::job_arrived;
      reason.job = job->second;
    } else if (losses.contains(lease.requested)) {
      reason.rented = LeaseReason::Rented::machine_lost;
    } else if (reduces != ready.end()) {
      reason.rented = LeaseReason::Rented::reduces_ready;
      reason.job = reduces->second;
    }
    reason.left = how_it_left(lease);
    if (const std::optional<Time> at = lease.noticed ? lease.noticed : lease.left; at && lease.revoked()) {
      const NodeGroup& group = cluster.nodes[topology.group[lease.node]];
      reason.price = hourly_price(group, true, *at);
    }
    reason.tasks = work[id].tasks;
    if (!lease.joined) continue;
    const Time from = std::max(work[id].last, *lease.joined);
    reason.idle = std::max(Duration{}, lease.left.value_or(Time{} + result.makespan) - from);
  }
  return reasons;
}

std::string why_rented(const LeaseReason& reason, const std::string& job) {
  switch (reason.rented) {
    case LeaseReason::Rented::job_arrived:
      return job + " arrived";
    case LeaseReason::Rented::machine_lost:
      return "another machine was lost";
    case LeaseReason::Rented::reduces_ready:
      return "reduces of " + job + " could start";
    case LeaseReason::Rented::own_time:
      break;
  }
  return "at a time of the policy's own";
}

std::string why_left(const LeaseReason& reason) {
  const std::string price =
      reason.price ? fmt::format(": the spot price was {} USD", to_usd(*reason.price)) : "";
  switch (reason.left) {
    case LeaseReason::Left::revoked:
      return "taken away" + price;
    case LeaseReason::Left::never_joined:
      return "outbid while it booted" + price;
    case LeaseReason::Left::given_back:
      return "given back" + (*reason.idle > ms(1) ? ", idle for " + format_duration(*reason.idle) : "");
    case LeaseReason::Left::end_of_run:
      break;
  }
  return "the run ended";
}

}  // namespace wavewright
