#include "wavewright/sim/nodes/obvious_world.h"

#include <algorithm>
#include <cmath>

#include "wavewright/core/error.h"
#include "wavewright/sim/parts/estimate.h"

namespace wavewright::sim {

Count ObviousWorld::JobState::count(Kind kind, TaskState state) const {
  return std::count_if(tasks(kind).begin(), tasks(kind).end(),
                       [&](const TaskInfo& task) { return task.state == state; });
}

ObviousWorld::ObviousWorld(const Workload& workload, Policy& policy, const NodeModel& model)
    : workload_(workload),
      policy_(*policy.allocator),
      placer_(policy.placer.get()),
      model_(model),
      jobs_(workload.jobs.size()),
      flows_(model.network.links()),
      order_(workload.jobs.size()) {
  result_.nodes = model.topology.names;
  for (const Job& each : workload.jobs)
    result_.jobs.push_back({each.submit, each.submit, each.submit, each.submit});
}

bool ObviousWorld::beats(NodeIndex node, Time at) const {
  if (period() == Duration{}) return true;
  const std::int64_t phase = static_cast<std::int64_t>(node) * to_ms(period()) / model_.topology.size();
  return to_ms(at) >= phase && (to_ms(at) - phase) % to_ms(period()) == 0;
}

std::optional<Time> ObviousWorld::there_from(JobIndex index) const {
  Time free = job(index).submit;
  for (const std::string& id : job(index).after) {
    for (JobIndex other = 0; other < jobs_.size(); ++other) {
      if (job(other).id != id) continue;
      if (!jobs_[other].finished) return std::nullopt;
      free = std::max(free, result_.jobs[other].finish);
    }
  }
  return free + model_.setup();
}

void ObviousWorld::arrivals() {
  for (bool more = true; more;) {
    more = false;
    for (JobIndex index = 0; index < jobs_.size() && !more; ++index) {
      const JobState& state = jobs_[index];
      const std::optional<Time> from = there_from(index);
      if (state.arrived || state.rejected || !from || *from > now_) continue;
      more = true;
      arrive(index);
    }
  }
}

void ObviousWorld::arrive(JobIndex index) {
  JobState& state = jobs_[index];
  state.arrived = true;
  state.tasks(Kind::map).resize(job(index).maps.size());
  state.tasks(Kind::reduce).resize(job(index).reduces.size());
  state.blocks = model_.blocks_of(job(index));
  result_.jobs[index].start = result_.jobs[index].maps_done = result_.jobs[index].finish = now_;
  ++result_.events;
  tell(Event::What::arrived, index, Kind::map, 0);
}

void ObviousWorld::tell(Event::What what, JobIndex index, Kind kind, NodeIndex node) {
  const Event event{what, now_, index, kind, node, 0};
  if (policy_.subscribes().has(what)) policy_.on(event, *this, *this);
  if (placer_ && placer_->subscribes().has(what)) placer_->on(event, *this, *this);
}

void ObviousWorld::timers() {
  while (!timers_.empty() && timers_.begin()->first == now_) {
    const Token token = timers_.begin()->second;
    timers_.erase(timers_.begin());
    const Event event{Event::What::timer, now_, 0, Kind::map, 0, token};
    if (policy_.subscribes().has(Event::What::timer)) policy_.on(event, *this, *this);
    if (placer_ && placer_->subscribes().has(Event::What::timer)) placer_->on(event, *this, *this);
  }
}

void ObviousWorld::come_and_go() {
  for (; changed_ < model_.changes.size(); ++changed_) {
    const NodeModel::Change& change = model_.changes[changed_];
    if (at_ms(static_cast<std::int64_t>(change.at)) != now_) break;
    if (change.up) {
      if (--away_[change.node] == 0) tell(Event::What::node_up, 0, Kind::map, change.node);
    } else if (away_[change.node]++ == 0) {
      lose_attempts(change.node);
      lose_outputs(change.node);
      tell(Event::What::node_down, 0, Kind::map, change.node);
    }
  }
}

// The maps done there run again where a reduce still needs them.
void ObviousWorld::lose_outputs(NodeIndex node) {
  for (JobIndex index = 0; index < jobs_.size(); ++index) {
    JobState& state = jobs_[index];
    if (!state.admitted || state.settled() || state.tasks(Kind::reduce).empty()) continue;
    const bool needed = !state.maps_done || state.count(Kind::reduce, TaskState::pending) > 0;
    for (TaskInfo& map : state.tasks(Kind::map)) {
      if (!needed || map.state != TaskState::done || map.ran_on != node) continue;
      map.state = TaskState::pending;
      state.maps_done.reset();
      tell(Event::What::lost, index, Kind::map, node);
    }
  }
}

std::optional<TaskChoice> ObviousWorld::closest(JobIndex index, NodeIndex node, Kind kind,
                                                Locality at_most) const {
  const JobState& state = jobs_[index];
  const auto lies = [&](std::uint32_t task) {
    return kind == Kind::map ? locality(index, task, node) : Locality::node;
  };
  if (state.count(kind, TaskState::pending) == 0) {
    for (const std::uint32_t task : state.marked(kind)) {
      if (!runs_on(node, index, kind, task) && lies(task) <= at_most)
        return TaskChoice{index, task, lies(task)};
    }
    return std::nullopt;
  }
  for (const Locality wanted : {Locality::node, Locality::rack, Locality::off_rack}) {
    if (wanted > at_most) break;
    for (std::uint32_t task = 0; task < state.tasks(kind).size(); ++task) {
      if (state.tasks(kind)[task].state == TaskState::pending && lies(task) == wanted)
        return TaskChoice{index, task, wanted};
    }
  }
  return std::nullopt;
}

void ObviousWorld::drop(JobIndex index) {
  if (jobs_[index].settled()) return;
  jobs_[index].rejected = result_.jobs[index].rejected = true;
  drop_successors(index);
}

void ObviousWorld::drop_successors(JobIndex index) {
  for (JobIndex next = 0; next < jobs_.size(); ++next) {
    const auto& after = job(next).after;
    if (std::find(after.begin(), after.end(), job(index).id) != after.end()) drop(next);
  }
}

bool ObviousWorld::ready_for_reduces(JobIndex index) const {
  const JobState& state = jobs_[index];
  if (state.reduces_ready || state.tasks(Kind::reduce).empty()) return false;
  const double maps = static_cast<double>(job(index).maps.size());
  const double threshold = std::ceil(model_.cluster.mode.slowstart * maps - 1e-9);
  return static_cast<double>(state.count(Kind::map, TaskState::done)) >= threshold;
}

Locality ObviousWorld::locality(JobIndex index, std::size_t map, NodeIndex node) const {
  const auto& blocks = jobs_[index].blocks;
  if (blocks.empty()) return Locality::node;
  Locality found = Locality::off_rack;
  for (const NodeIndex holder : blocks.of(map)) {
    if (holder == node) return Locality::node;
    if (model_.topology.rack[holder] == model_.topology.rack[node]) found = Locality::rack;
  }
  return found;
}

ObviousFlows::Id ObviousWorld::read_block(JobIndex index, std::uint32_t map, NodeIndex node, Time at) {
  if (!model_.network.reads() || locality(index, map, node) == Locality::node) return 0;
  const NodeIndex from = model_.network.nearest(jobs_[index].blocks.of(map), node);
  return flows_.start(model_.network.route(from, node), model_.network.block_of(job(index)), to_ms(at),
                      to_ms(now_));
}

std::uint64_t ObviousWorld::fetchable(JobIndex index, std::uint32_t reduce) const {
  const auto done = static_cast<std::uint32_t>(jobs_[index].count(Kind::map, TaskState::done));
  return model_.network.fetchable(job(index), reduce, done);
}

Factor ObviousWorld::speed_factor(JobIndex index, NodeIndex node) const {
  return model_.factors_of(job(index))[model_.topology.group[node]];
}

Duration ObviousWorld::map_work(JobIndex index, std::uint32_t task, NodeIndex node, Locality where) const {
  const auto nominal = static_cast<std::uint64_t>(to_ms(job(index).maps[task]));
  return ms(static_cast<std::int64_t>(scaled(scaled(nominal, speed_factor(index, node)),
                                             model_.locality_factor[static_cast<std::size_t>(where)])));
}

Duration ObviousWorld::reduce_work(JobIndex index, std::uint32_t task, NodeIndex node) const {
  const auto nominal = static_cast<std::uint64_t>(to_ms(job(index).reduces[task]));
  return ms(static_cast<std::int64_t>(scaled(nominal, speed_factor(index, node))));
}

void ObviousWorld::count_failure(JobIndex index, NodeIndex node) {
  const Faults& faults = model_.cluster.faults;
  JobState& state = jobs_[index];
  ++result_.jobs[index].failed_attempts;
  const bool often = faults.blacklist_after > 0 && ++state.failures_on[node] >= faults.blacklist_after;
  if (often && state.barred.size() < model_.most_barred) state.barred.insert(node);
}

void ObviousWorld::count_place(JobIndex index, Locality where) {
  if (jobs_[index].blocks.empty()) return;
  JobOutcome& outcome = result_.jobs[index];
  ++(where == Locality::node   ? outcome.node_local
     : where == Locality::rack ? outcome.rack_local
                               : outcome.off_rack);
}

Estimate ObviousWorld::estimate(JobIndex index, Kind kind, ClassId node_class) const {
  return model_.on_class(estimate_of(job(index), kind), node_class, model_.factors_of(job(index)));
}

void ObviousWorld::admit(JobIndex index, GroupId group) {
  jobs_[index].admitted = true;
  order_.admit(index, group, sequence_++);
  admitted(index);
}

void ObviousWorld::reserve(JobIndex, Kind, ClassId, Count, Time, Time) {
  throw Defect("reservations were not declared");
}

void ObviousWorld::reclaim(JobIndex, Kind, Count, Duration) {
  throw Defect("preemption was not declared");
}

}  // namespace wavewright::sim
