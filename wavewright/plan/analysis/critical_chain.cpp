#include "wavewright/plan/analysis/critical_chain.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "wavewright/job/precedence.h"

namespace wavewright {

namespace {

// Tasks by the slot that they free: kind, pool of the job, end.
class Ends {
 public:
  Ends(const Plan& plan, const Workload& batch, const SimulationResult& result)
      : trace_(result.trace), pools_(batch.jobs.size(), 0) {
    std::unordered_map<std::string, std::uint32_t> pool_of;
    for (std::uint32_t pool = 0; pool < plan.pools.size(); ++pool) {
      for (const std::string& id : plan.pools[pool].jobs) pool_of.emplace(id, pool);
    }
    for (std::size_t job = 0; job < batch.jobs.size(); ++job) {
      const auto found = pool_of.find(batch.jobs[job].id);
      if (found != pool_of.end()) pools_[job] = found->second;
    }
    order_.resize(trace_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = i;
    std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      return std::tuple(key(a), trace_[a].slot, trace_[a].start, a) <
             std::tuple(key(b), trace_[b].slot, trace_[b].start, b);
    });
  }

  // A task that is not `used` and ended in the same pool when `task` started: on its slot, else the lowest.
  [[nodiscard]] std::optional<std::size_t> before(std::size_t task, const std::vector<bool>& used) const {
    const Key wanted{trace_[task].kind, pools_[trace_[task].job], trace_[task].start};
    auto at = std::lower_bound(order_.begin(), order_.end(), wanted,
                               [&](std::size_t a, const Key& b) { return key(a) < b; });
    std::optional<std::size_t> found;
    for (; at != order_.end() && key(*at) == wanted; ++at) {
      if (used[*at] || *at == task) continue;
      if (trace_[*at].slot == trace_[task].slot) return *at;
      if (!found) found = *at;
    }
    return found;
  }

 private:
  using Key = std::tuple<Kind, std::uint32_t, Time>;
  [[nodiscard]] Key key(std::size_t task) const {
    return {trace_[task].kind, pools_[trace_[task].job], trace_[task].end};
  }

  const std::vector<TaskRecord>& trace_;
  std::vector<std::uint32_t> pools_;  // by job
  std::vector<std::size_t> order_;
};

// The task of a kind that ends last, by job. Ties go to the longest, which is first in the trace.
std::vector<std::optional<std::size_t>> last_tasks(const SimulationResult& result, Kind kind) {
  std::vector<std::optional<std::size_t>> last(result.jobs.size());
  for (std::size_t i = 0; i < result.trace.size(); ++i) {
    const TaskRecord& task = result.trace[i];
    std::optional<std::size_t>& best = last[task.job];
    if (task.kind == kind && (!best || task.end > result.trace[*best].end)) best = i;
  }
  return last;
}

class Walk {
 public:
  Walk(const Plan& plan, const Workload& batch, const SimulationResult& result)
      : batch_(batch),
        result_(result),
        ends_(plan, batch, result),
        last_map_(last_tasks(result, Kind::map)),
        last_reduce_(last_tasks(result, Kind::reduce)),
        before_(batch.jobs.size()),
        used_(result.trace.size(), false) {
    const Precedence edges(batch);
    for (JobIndex job = 0; job < batch.jobs.size(); ++job) {
      for (const JobIndex next : edges.successors(job)) before_[next].push_back(job);
    }
  }

  CriticalChain run() {
    std::optional<std::size_t> at = last();
    ChainLink::For next = ChainLink::For::end;
    while (at) {
      used_[*at] = true;
      const TaskRecord& task = result_.trace[*at];
      const bool has_maps = last_map_[task.job].has_value();
      const Time maps_done = result_.jobs[task.job].maps_done;
      const bool for_maps = task.kind == Kind::reduce && has_maps && task.start <= maps_done;
      chain_.links.push_back({*at, next, for_maps ? std::max(task.start, maps_done) : task.start});
      chain_.submitted = batch_.jobs[task.job].submit;
      std::tie(at, next) = before(*at, for_maps, has_maps);
    }
    std::reverse(chain_.links.begin(), chain_.links.end());
    return std::move(chain_);
  }

 private:
  using Step = std::pair<std::optional<std::size_t>, ChainLink::For>;

  [[nodiscard]] std::optional<std::size_t> last() const {
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < result_.trace.size(); ++i) {
      if (!last || result_.trace[i].end > result_.trace[*last].end) last = i;
    }
    return last;
  }

  Step before(std::size_t at, bool for_maps, bool has_maps) {
    const TaskRecord& task = result_.trace[at];
    if (for_maps) return unused(last_map_[task.job], ChainLink::For::maps);
    const bool waits_for_maps = task.kind == Kind::reduce && has_maps;
    if (!waits_for_maps && task.start <= released(task.job)) {
      const Step step = before_job(task.job);
      if (step.first || chain_.submitted == task.start) return step;
    }
    if (const auto found = ends_.before(at, used_)) return {found, ChainLink::For::slot};
    chain_.complete = false;
    return {std::nullopt, ChainLink::For::end};
  }
  // When the job was submitted and its predecessors were done.
  [[nodiscard]] Time released(JobIndex job) const {
    Time at = batch_.jobs[job].submit;
    for (const JobIndex other : before_[job]) at = std::max(at, result_.jobs[other].finish);
    return at;
  }
  // The last task of the predecessor that the job waited for. Predecessors without tasks are followed
  // further; none if the last of them waited only for its submission.
  Step before_job(JobIndex job) {
    const Time at = released(job);
    std::vector<JobIndex> left = {job};
    std::vector<bool> seen(batch_.jobs.size(), false);
    while (!left.empty()) {
      const JobIndex next = left.back();
      left.pop_back();
      if (batch_.jobs[next].submit == at) {
        chain_.submitted = at;
        return {std::nullopt, ChainLink::For::end};
      }
      for (const JobIndex other : before_[next]) {
        if (result_.jobs[other].finish != at || seen[other]) continue;
        seen[other] = true;
        const std::optional<std::size_t> last = last_reduce_[other] ? last_reduce_[other] : last_map_[other];
        if (last && !used_[*last]) return {last, ChainLink::For::job};
        if (!last) left.push_back(other);
      }
    }
    return {std::nullopt, ChainLink::For::end};
  }
  [[nodiscard]] Step unused(std::optional<std::size_t> task, ChainLink::For why) const {
    if (task && used_[*task]) task.reset();
    return {task, why};
  }

  const Workload& batch_;
  const SimulationResult& result_;
  Ends ends_;
  std::vector<std::optional<std::size_t>> last_map_, last_reduce_;
  std::vector<std::vector<JobIndex>> before_;  // by job: its predecessors
  std::vector<bool> used_;  // a task of length 0 ends when it starts: no task is taken twice
  CriticalChain chain_;
};

}  // namespace

CriticalChain critical_chain(const Plan& plan, const Workload& batch, const SimulationResult& result) {
  return Walk(plan, batch, result).run();
}

}  // namespace wavewright
