#include "wavewright/sim/nodes/local_jobs.h"

#include "wavewright/sim/nodes/job_lifecycle.h"

namespace wavewright::sim {

void LocalJobs::add(JobIndex job) {
  if (listed_[job] != 0) return;
  listed_[job] = 1;
  const NodeJob& state = w_.jobs[job];
  for (std::uint32_t task = 0; task < state.maps.count; ++task) {
    for (const NodeIndex node : state.local->holders(task)) {
      std::vector<JobIndex>& jobs = on_node_[node];
      if (jobs.empty() || jobs.back() != job) jobs.push_back(job);  // added job by job: no twice
    }
  }
}

bool LocalJobs::may_start(JobIndex job, NodeIndex node) {
  return w_.maps.ready.eligible(job) && !allocation_.refused(job, Kind::map, node) &&
         JobLifecycle::something_to_start(w_.jobs[job], Kind::map);
}

std::optional<TaskChoice> LocalJobs::first(NodeIndex node) {
  std::vector<JobIndex>& jobs = on_node_[node];
  std::optional<TaskChoice> best;
  for (std::size_t at = 0; at < jobs.size();) {
    const JobIndex job = jobs[at];
    const NodeJob& state = w_.jobs[job];
    bool forget = over(state);
    const bool first_so_far =
        !forget && may_start(job, node) && (!best || w_.maps.ready.before(job, best->job));
    if (first_so_far) {
      const auto local = allocation_.closest(job, node, Kind::map, Locality::node);
      if (local) best = local;
      forget = !local && !state.attempts;  // without attempts no map runs twice
    }
    if (forget) {
      jobs[at] = jobs.back();
      jobs.pop_back();
    } else {
      ++at;
    }
  }
  return best;
}

}  // namespace wavewright::sim
