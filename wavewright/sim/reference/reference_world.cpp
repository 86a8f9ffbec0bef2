#include "wavewright/sim/reference/reference_world.h"

#include <algorithm>
#include <cmath>

#include "wavewright/core/error.h"
#include "wavewright/sim/model/estimate.h"

namespace wavewright::sim {

Count ReferenceWorld::JobState::count(Kind kind, TaskState state) const {
  return std::count_if(tasks(kind).begin(), tasks(kind).end(),
                       [&](const TaskInfo& task) { return task.state == state; });
}

ReferenceWorld::ReferenceWorld(const Workload& workload, Policy& policy, const NodeModel& model)
    : workload_(workload),
      policy_(*policy.allocator),
      placer_(policy.placer.get()),
      model_(model),
      jobs_(workload.jobs.size()),
      flows_(model.network.links()),
      precedence_(workload),
      ledger_(policy_, placer_,
              {.jobs = workload.jobs.size(),
               .classes = model.topology.classes.size(),
               .containers = model.containers},
              *this),
      leases_(model) {
  for (NodeIndex node = 0; node < model.topology.size(); ++node) {
    if (model.cluster.nodes[model.topology.group[node]].rent) away_[node] = 1;
  }
  result_.nodes = model.topology.names;
  for (const Job& each : workload.jobs) {
    JobOutcome& outcome = result_.jobs.emplace_back();
    outcome.submit = outcome.start = outcome.maps_done = outcome.finish = each.submit;
  }
}

bool ReferenceWorld::beats(NodeIndex node, Time at) const {
  if (period() == Duration{}) return true;
  const std::int64_t phase = static_cast<std::int64_t>(node) * to_ms(period()) / model_.topology.size();
  return to_ms(at) >= phase && (to_ms(at) - phase) % to_ms(period()) == 0;
}

std::optional<Time> ReferenceWorld::there_from(JobIndex index) const {
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

void ReferenceWorld::arrivals() {
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

void ReferenceWorld::arrive(JobIndex index) {
  JobState& state = jobs_[index];
  state.arrived = true;
  state.tasks(Kind::map).resize(job(index).maps.size());
  state.tasks(Kind::reduce).resize(job(index).reduces.size());
  state.blocks = model_.blocks_of(job(index));
  result_.jobs[index].start = result_.jobs[index].maps_done = result_.jobs[index].finish = now_;
  ++result_.events;
  submitted();
  ledger_.arrived(index);
  tell({.what = Event::What::arrived, .job = index});
}

void ReferenceWorld::tell(Event event) {
  event.at = now_;
  if (policy_.subscribes().has(event.what)) policy_.on(event, *this, ledger_.allocator());
  if (placer_ && placer_->subscribes().has(event.what)) placer_->on(event, *this, ledger_.placer());
  ledger_.decided();
}

std::optional<Time> ReferenceWorld::next_decided() {
  std::optional<Time> next;
  for (const std::optional<Time> at :
       {ledger_.timers().next(), ledger_.preemptions().next(), ledger_.reservations().next(now_)}) {
    if (at && (!next || *at < *next)) next = at;
  }
  if (leases_.next() != ~std::uint64_t{0}) {
    const Time at = at_ms(static_cast<std::int64_t>(leases_.next()));
    if (!next || at < *next) next = at;
  }
  return next;
}

void ReferenceWorld::timers() {
  while (const auto timer = ledger_.timers().pop(now_)) {
    const Event event{.what = Event::What::timer, .at = now_, .token = timer->token};
    if (timer->part == Part::allocator) {
      if (policy_.subscribes().has(Event::What::timer)) policy_.on(event, *this, ledger_.allocator());
    } else if (placer_->subscribes().has(Event::What::timer)) {
      placer_->on(event, *this, ledger_.placer());
    }
    ledger_.decided();
  }
  ledger_.reservations().expire(now_);
}

void ReferenceWorld::apply_file_changes() {
  for (; changed_ < model_.changes.size(); ++changed_) {
    const NodeModel::Change& change = model_.changes[changed_];
    if (at_ms(static_cast<std::int64_t>(change.at)) != now_) break;
    change.up ? join(change.node, Event::no_lease) : leave(change.node, Event::no_lease);
  }
}

void ReferenceWorld::apply_node_changes() {
  apply_file_changes();
  while (const auto change = leases_.pop(static_cast<std::uint64_t>(to_ms(now_)))) {
    if (change->what == LeaseBook::What::joins) join(change->node, change->lease);
    if (change->what == LeaseBook::What::noticed) notice(*change);
    if (change->what == LeaseBook::What::leaves) leave(change->node, change->lease);
    if (change->what == LeaseBook::What::never_joins)
      tell({.what = Event::What::node_down, .node = change->node, .lease = change->lease});
  }
}

void ReferenceWorld::notice(const LeaseBook::Change& change) {
  noticed_.insert(change.node);
  node_closes(change.node);
  tell({.what = Event::What::node_notice,
        .node = change.node,
        .duration = change.left,
        .lease = change.lease});
}

void ReferenceWorld::leave(NodeIndex node, LeaseId lease) {
  if (lease != Event::no_lease) noticed_.erase(node);
  if (away_[node]++ > 0) return;
  lose_attempts(node);
  lose_outputs(node);
  tell({.what = Event::What::node_down, .node = node, .lease = lease});
}

void ReferenceWorld::join(NodeIndex node, LeaseId lease) {
  if (--away_[node] == 0) tell({.what = Event::What::node_up, .node = node, .lease = lease});
}

void ReferenceWorld::bill() {
  result_.leases = leases_.billed(static_cast<std::uint64_t>(to_ms(result_.makespan)));
}

// Finished maps on the node run again if a reduce still needs them.
void ReferenceWorld::lose_outputs(NodeIndex node) {
  if (model_.cluster.faults.keeps_map_output) return;
  for (JobIndex index = 0; index < jobs_.size(); ++index) {
    JobState& state = jobs_[index];
    if (!state.admitted || state.settled() || state.tasks(Kind::reduce).empty()) continue;
    const bool needed = !state.maps_done || state.count(Kind::reduce, TaskState::pending) > 0;
    for (std::uint32_t task = 0; task < state.tasks(Kind::map).size(); ++task) {
      const TaskInfo& map = state.tasks(Kind::map)[task];
      if (!needed || map.state != TaskState::done || map.ran_on != node) continue;
      run_again(index, Kind::map, task, AttemptOutcome::lost);
      state.maps_done.reset();
      tell({.what = Event::What::lost,
            .outcome = AttemptOutcome::lost,
            .job = index,
            .task = task,
            .attempt = map.attempts - 1,
            .node = node,
            .slot = map.ran_in});
    }
  }
}

void ReferenceWorld::run_again(JobIndex index, Kind kind, std::uint32_t task, AttemptOutcome after) {
  JobState& state = jobs_[index];
  state.tasks(kind)[task].state = TaskState::pending;
  if (!model_.containers || kind != Kind::map) return;
  state.tasks(kind)[task].asked_again = now_;
  if (after != AttemptOutcome::killed) state.failed_maps.push_back(task);
}

std::optional<TaskChoice> ReferenceWorld::closest(JobIndex index, NodeIndex node, Kind kind,
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
  if (kind == Kind::map && !state.failed_maps.empty()) {
    const std::uint32_t task = state.failed_maps.front();
    return lies(task) <= at_most ? std::optional(TaskChoice{index, task, lies(task)}) : std::nullopt;
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

void ReferenceWorld::drop(JobIndex index, const Reason& reason) {
  if (jobs_[index].settled()) return;
  jobs_[index].rejected = result_.jobs[index].rejected = true;
  result_.rejections.emplace(index, reason);
  ledger_.over(index);
  drop_successors(index);
}

void ReferenceWorld::drop_successors(JobIndex index) {
  for (JobIndex next = 0; next < jobs_.size(); ++next) {
    const auto& after = job(next).after;
    if (std::find(after.begin(), after.end(), job(index).id) != after.end())
      drop(next, behind(job(index).id));
  }
}

bool ReferenceWorld::ready_for_reduces(JobIndex index) const {
  const JobState& state = jobs_[index];
  if (state.reduces_ready || state.tasks(Kind::reduce).empty()) return false;
  const double maps = static_cast<double>(job(index).maps.size());
  const double threshold = std::ceil(model_.cluster.mode.slowstart * maps - 1e-9);
  return static_cast<double>(state.count(Kind::map, TaskState::done)) >= threshold;
}

Locality ReferenceWorld::locality(JobIndex index, std::size_t map, NodeIndex node) const {
  const auto& blocks = jobs_[index].blocks;
  if (blocks.empty()) return Locality::node;
  Locality found = Locality::off_rack;
  for (const NodeIndex holder : blocks.of(map)) {
    if (holder == node) return Locality::node;
    if (model_.topology.rack[holder] == model_.topology.rack[node]) found = Locality::rack;
  }
  return found;
}

ReferenceFlows::Id ReferenceWorld::read_block(JobIndex index, std::uint32_t map, NodeIndex node, Time at) {
  if (!model_.network.reads() || locality(index, map, node) == Locality::node) return 0;
  const NodeIndex from = model_.network.nearest(jobs_[index].blocks.of(map), node);
  return flows_.start(model_.network.route(from, node), model_.network.block_of(job(index)), to_ms(at),
                      to_ms(now_));
}

std::uint64_t ReferenceWorld::fetchable(JobIndex index, std::uint32_t reduce) const {
  const auto done = static_cast<std::uint32_t>(jobs_[index].count(Kind::map, TaskState::done));
  return model_.network.fetchable(job(index), reduce, done);
}

Factor ReferenceWorld::speed_factor(JobIndex index, NodeIndex node) const {
  return model_.factors_of(job(index))[model_.topology.group[node]];
}

Duration ReferenceWorld::map_work(JobIndex index, std::uint32_t task, NodeIndex node, Locality where) const {
  const auto nominal = static_cast<std::uint64_t>(to_ms(job(index).maps[task]));
  return ms(static_cast<std::int64_t>(scaled(scaled(nominal, speed_factor(index, node)),
                                             model_.locality_factor[static_cast<std::size_t>(where)])));
}

Duration ReferenceWorld::reduce_work(JobIndex index, std::uint32_t task, NodeIndex node) const {
  const auto nominal = static_cast<std::uint64_t>(to_ms(job(index).reduces[task]));
  return ms(static_cast<std::int64_t>(scaled(nominal, speed_factor(index, node))));
}

void ReferenceWorld::count_failure(JobIndex index, NodeIndex node) {
  const Faults& faults = model_.cluster.faults;
  JobState& state = jobs_[index];
  ++result_.jobs[index].failed_attempts;
  const bool often = faults.blacklist_after > 0 && ++state.failures_on[node] >= faults.blacklist_after;
  if (often && state.blacklisted.size() < model_.most_blacklisted) state.blacklisted.insert(node);
}

void ReferenceWorld::count_place(JobIndex index, Locality where) {
  if (jobs_[index].blocks.empty()) return;
  JobOutcome& outcome = result_.jobs[index];
  ++(where == Locality::node   ? outcome.node_local
     : where == Locality::rack ? outcome.rack_local
                               : outcome.off_rack);
}

Estimate ReferenceWorld::estimate(JobIndex index, Kind kind, ClassId node_class) const {
  return model_.on_class(estimate_of(known_job(workload_, index), kind), kind, node_class,
                         model_.factors_of(job(index)));
}

Duration ReferenceWorld::quantile(JobIndex index, Kind kind, ClassId node_class, double q) const {
  return model_.quantile_on(known_job(workload_, index), kind, node_class, model_.factors_of(job(index)), q);
}

Count ReferenceWorld::block_places(JobIndex index) const {
  const JobState& state = jobs_[index];
  if (state.blocks.empty()) return 0;
  std::set<NodeIndex> nodes;
  std::set<std::size_t> racks;
  for (std::uint32_t map = 0; map < state.tasks(Kind::map).size(); ++map) {
    const auto& failed = state.failed_maps;
    if (state.tasks(Kind::map)[map].state != TaskState::pending) continue;
    if (std::find(failed.begin(), failed.end(), map) != failed.end()) continue;
    for (const NodeIndex node : state.blocks.of(map)) {
      nodes.insert(node);
      racks.insert(model_.topology.rack[node]);
    }
  }
  return static_cast<Count>(nodes.size() + racks.size());
}

SlotIndex ReferenceWorld::slots(Kind kind) const {
  Count sum = 0;
  for (NodeIndex node = 0; node < model_.topology.size(); ++node) sum += model_.slots(node, kind);
  return static_cast<SlotIndex>(sum);
}

Count ReferenceWorld::lacking(const Reservation& reservation) const {
  Count held = reservation.node_class == any_class
                   ? holds(reservation.job, reservation.kind)
                   : holds_on(reservation.job, reservation.kind, reservation.node_class);
  for (const Reservation& other : ledger_.reservations().all()) {
    const bool of_class = reservation.node_class == any_class && other.node_class != any_class;
    if (!of_class || other.job != reservation.job || other.kind != reservation.kind) continue;
    if (other.from <= now_ && now_ < other.to)
      held -= std::min(other.count, holds_on(other.job, other.kind, other.node_class));
  }
  return std::max<Count>(0, reservation.count - held) * size_of(reservation.job, reservation.kind);
}

bool ReferenceWorld::refused(JobIndex index, Kind kind, NodeIndex node) const {
  if (jobs_[index].blacklisted.contains(node)) return true;
  const ClassId here = node_class(node);
  const Count cap = ledger_.class_caps().of(index, kind, here);
  if (cap < unlimited && holds_on(index, kind, here) >= cap) return true;
  if (ledger_.reservations().empty()) return false;
  // Free slots of each class after other jobs' reservations of it; the rest serves reservations of any class.
  Count rest = 0, anywhere = 0;
  for (ClassId each = 0; each < classes(); ++each) {
    Count left = free_on(kind, each) - (each == here ? size_of(index, kind) : 0);
    for (const Reservation& other : ledger_.reservations().all()) {
      const bool counts = other.job != index && other.from <= now_ && now_ < other.to &&
                          (model_.containers || other.kind == kind);
      if (counts && other.node_class == each) left -= lacking(other);
      if (counts && other.node_class == any_class && each == 0) anywhere += lacking(other);
    }
    if (each == here && left < 0) return true;
    rest += std::max<Count>(0, left);
  }
  return rest < anywhere;
}

}  // namespace wavewright::sim
