#include "wavewright/sim/metrics/explain.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "wavewright/core/error.h"
#include "wavewright/sim/metrics/waiting.h"
#include "wavewright/sim/model/node_model.h"

namespace wavewright {

namespace {

using What = TimePart::What;

// The attempts of one job, by start.
using Attempts = std::span<const TaskRecord* const>;

// The successful attempt of the kind that ended last; among equals the one that started last.
const TaskRecord* last_of(Attempts attempts, Kind kind) {
  const TaskRecord* last = nullptr;
  for (const TaskRecord* const task : attempts) {
    if (task->kind != kind || task->outcome != AttemptOutcome::done) continue;
    if (last == nullptr || task->end > last->end || (task->end == last->end && task->start >= last->start))
      last = task;
  }
  return last;
}

Time first_start(Attempts attempts, const TaskRecord& of) {
  Time first = of.start;
  for (const TaskRecord* const task : attempts) {
    if (task->kind == of.kind && task->task == of.task) first = std::min(first, task->start);
  }
  return first;
}

// The job's last application master that had a container by `time`; null with slots.
const TaskRecord* master_at(Attempts attempts, Time time) {
  const TaskRecord* found = nullptr;
  for (const TaskRecord* const task : attempts) {
    if (task->kind == Kind::master && task->start <= time) found = task;
  }
  return found;
}

// When the task was ready to work. On shared processors: its end less its work, as other work delays it.
Time launched(Attempts attempts, const Cluster& cluster, const TaskRecord& task, Duration work) {
  if (cluster.launches.processors > 0) return std::max(task.start, task.end - work);
  const TaskRecord* const master = master_at(attempts, task.start);
  if (master == nullptr) return task.start + cluster.mode.launch;
  const Time up = master->start + cluster.mode.launch + cluster.masters.start;
  const std::int64_t beats = (task.start - up) / cluster.masters.heartbeat + 1;
  return up + beats * cluster.masters.heartbeat + cluster.mode.launch;
}

class Chain {
 public:
  Chain(Time from, Time end) : at_(from), end_(end) {}

  // Assigns the time up to `until` to `what`, at most to the job's end: maps that ran again after a reduce
  // had fetched from them may end later.
  void add(What what, Time until) {
    until = std::min(until, end_);
    if (until > at_) parts_.push_back({what, until - at_});
    at_ = std::max(at_, until);
  }
  [[nodiscard]] std::vector<TimePart> parts() && { return std::move(parts_); }

 private:
  Time at_;
  Time end_;
  std::vector<TimePart> parts_;
};

}  // namespace

std::string to_string(TimePart::What what) {
  switch (what) {
    case What::predecessors:
      return "waiting for the jobs before it";
    case What::setup:
      return "its initialisation and setup";
    case What::master:
      return "waiting for its application master's container";
    case What::master_start:
      return "its application master's start";
    case What::first_slot:
      return "waiting for its first slot";
    case What::map_waves:
      return "earlier maps, until the map that ended last could start";
    case What::retries:
      return "attempts of it that failed or were lost";
    case What::launch:
      return "launching (with containers: fetched by its master, then launched)";
    case What::processors:
      return "launching, and work of others on its processors";
    case What::map_work:
      return "the map that ended last";
    case What::distance:
      return "its block was elsewhere";
    case What::straggling:
      return "the attempt was slow";
    case What::report:
      return "until a heartbeat told of the end";
    case What::reduce_slot:
      return "waiting for a slot of the reduce that ended last";
    case What::shuffle:
      return "its shuffle";
    case What::reduce_work:
      return "the reduce that ended last";
    case What::commit:
      return "its commit";
  }
  return "";
}

struct Explainer::Facts {
  Facts(const SimulationResult& run, const Workload& jobs, const Cluster& on)
      : result(run),
        workload(jobs),
        cluster(on),
        model(jobs, on, 1, false),
        release(release_times(run, jobs)),
        tasks(jobs.jobs.size()) {
    for (const TaskRecord& task : run.trace) tasks[task.job].push_back(&task);
  }

  const SimulationResult& result;
  const Workload& workload;
  const Cluster& cluster;
  sim::NodeModel model;
  std::vector<Time> release;                          // by job
  std::vector<std::vector<const TaskRecord*>> tasks;  // by job, by start
};

Explainer::Explainer(const SimulationResult& result, const Workload& workload, const Cluster& cluster)
    : facts_(std::make_unique<Facts>(result, workload, cluster)) {}

Explainer::~Explainer() = default;

Explanation Explainer::explain(JobIndex index) const {
  const SimulationResult& result = facts_->result;
  const Cluster& cluster = facts_->cluster;
  const sim::NodeModel& model = facts_->model;
  const JobOutcome& outcome = result.jobs.at(index);
  const Job& job = facts_->workload.jobs.at(index);
  const Attempts attempts = facts_->tasks[index];
  if (outcome.rejected || outcome.failed || outcome.unfinished) {
    throw UsageError("job '" + job.id +
                         (outcome.unfinished ? "' is not finished"
                          : outcome.failed   ? "' failed"
                                             : "' was rejected"),
                     "ask for one that ended well");
  }
  const std::vector<sim::Factor> factors = model.factors_of(job);
  const auto scaled = [](Duration time, sim::Factor factor) {
    return ms(static_cast<std::int64_t>(sim::scaled(static_cast<std::uint64_t>(to_ms(time)), factor)));
  };
  const auto speed = [&](const TaskRecord& task) {
    return factors[result.nodes.empty() ? 0 : model.topology.group[task.node]];
  };
  Explanation explanation;
  Chain chain(outcome.submit, outcome.finish);
  const Time free = facts_->release[index];
  chain.add(What::predecessors, free);
  chain.add(What::setup, free + model.setup());
  if (const TaskRecord* const master = master_at(attempts, outcome.finish)) {
    chain.add(What::master, master->start);
    chain.add(What::master_start, master->start + cluster.mode.launch + cluster.masters.start);
  }
  const Duration commit = model.commit();
  const What launch = model.shares_work(job) ? What::processors : What::launch;
  chain.add(What::first_slot, outcome.start);
  const TaskRecord* const map = last_of(attempts, Kind::map);
  if (map != nullptr) {
    explanation.map = map->task;
    const Duration near = scaled(job.maps[map->task], speed(*map));
    const Duration far = scaled(near, model.locality_factor[static_cast<std::size_t>(map->locality)]);
    const Time from = launched(attempts, cluster, *map, far);
    chain.add(What::map_waves, first_start(attempts, *map));
    chain.add(What::retries, map->start);
    chain.add(launch, from);
    chain.add(What::map_work, from + near);
    // With reads over the network a map ends when its block has arrived.
    const bool waited = model.network.reads() && map->locality != Locality::node;
    chain.add(What::distance, waited ? map->end : from + far);
    chain.add(What::straggling, map->end);
    chain.add(What::report, outcome.maps_done);
  }
  if (const TaskRecord* const reduce = last_of(attempts, Kind::reduce)) {
    explanation.reduce = reduce->task;
    const bool first_wave = reduce->start <= outcome.maps_done;
    const Duration shuffle = first_wave ? job.first_shuffle(reduce->task) : job.later_shuffle(reduce->task);
    const Duration work = scaled(job.reduces[reduce->task], speed(*reduce));
    const Time launch_over = launched(attempts, cluster, *reduce, shuffle + work);
    Time from = std::max(launch_over, first_wave ? outcome.maps_done : Time{});
    Time shuffled = from + shuffle;
    if (model.network.shuffles(job)) {  // it fetched until it began to work
      from = std::min(from, reduce->end - work);
      shuffled = reduce->end - work;
    }
    chain.add(What::reduce_slot, first_start(attempts, *reduce));
    chain.add(What::retries, reduce->start);
    chain.add(launch, from);
    chain.add(What::shuffle, shuffled);
    chain.add(What::reduce_work, shuffled + work);
    chain.add(What::straggling, reduce->end);
  }
  chain.add(What::report, outcome.finish - commit);
  chain.add(What::commit, outcome.finish);
  explanation.parts = std::move(chain).parts();
  return explanation;
}

JobFailure Explainer::failure(JobIndex index) const {
  const JobOutcome& outcome = facts_->result.jobs.at(index);
  if (!outcome.failed)
    throw UsageError("job '" + facts_->workload.jobs.at(index).id + "' did not fail", "ask for one that did");
  std::map<std::pair<Kind, std::uint32_t>, std::vector<TaskRecord>> failures;
  for (const TaskRecord* const task : facts_->tasks[index]) {
    if (task->outcome == AttemptOutcome::failed) failures[{task->kind, task->task}].push_back(*task);
  }
  // The task that failed most often ended the job; among equals the one that did so first.
  const auto worse = [](const auto& a, const auto& b) {
    if (a.second.size() != b.second.size()) return a.second.size() < b.second.size();
    return a.second.back().end > b.second.back().end;
  };
  const auto worst = std::max_element(failures.begin(), failures.end(), worse);
  if (worst == failures.end()) throw InternalError("a job failed without a failed attempt in the trace");
  return {worst->first.first, worst->first.second, outcome.finish, worst->second};
}

Explanation explain(const SimulationResult& result, const Workload& workload, const Cluster& cluster,
                    JobIndex index) {
  return Explainer(result, workload, cluster).explain(index);
}

}  // namespace wavewright
