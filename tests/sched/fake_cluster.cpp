#include "tests/sched/fake_cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace wavewright {

namespace {

std::size_t at(Kind kind) {
  return static_cast<std::size_t>(kind);
}

Ledger<OrderTree>::Cluster cluster_of(const FakeSetup& setup) {
  return {setup.jobs.size(), setup.classes.size(), setup.container > 0};
}

}  // namespace

FakeCluster::FakeCluster(FakeSetup setup, Policy policy)
    : setup_(std::move(setup)),
      jobs_(setup_.jobs.size()),
      policy_(std::move(policy)),
      ledger_(*policy_.allocator, policy_.placer.get(), cluster_of(setup_), *this),
      allocator_(ledger_.allocator(), decided_, [this](JobIndex job) { return setup_.jobs[job].id; }),
      placer_(ledger_.placer(), decided_, [this](JobIndex job) { return setup_.jobs[job].id; }) {
  for (const FakeNode& node : setup_.nodes) join(node, Event::no_lease);
  for (JobIndex job = 0; job < jobs_.size(); ++job) {
    const Count tasks[] = {containers() ? 1 : 0, setup_.jobs[job].maps, setup_.jobs[job].reduces};
    for (const Kind kind : all_kinds) {
      state(job).tasks[at(kind)].resize(static_cast<std::size_t>(tasks[at(kind)]), TaskState::waiting);
      state(job).attempts[at(kind)].resize(static_cast<std::size_t>(tasks[at(kind)]), 0);
    }
  }
  policy_.allocator->begin(*this, allocator_);
  ledger_.decided();
}

FakeCluster::FakeCluster(const FakeCluster& before, Policy policy)
    : setup_(before.setup_),
      now_(before.now_),
      jobs_(before.jobs_),
      nodes_(before.nodes_),
      places_(before.places_),
      attempts_(before.attempts_),
      rented_(before.rented_),
      arrivals_(before.arrivals_),
      policy_(std::move(policy)),
      ledger_(*policy_.allocator, policy_.placer.get(), cluster_of(setup_), *this),
      allocator_(ledger_.allocator(), decided_, [this](JobIndex job) { return setup_.jobs[job].id; }),
      placer_(ledger_.placer(), decided_, [this](JobIndex job) { return setup_.jobs[job].id; }) {
  policy_.allocator->begin(*this, allocator_);
  ledger_.decided();
  recover();
}

void FakeCluster::recover() {
  std::vector<JobIndex> left;
  for (JobIndex job = 0; job < jobs_.size(); ++job) {
    if (state(job).arrived && !state(job).over) left.push_back(job);
  }
  std::ranges::sort(left, {}, [this](JobIndex job) { return state(job).arrival; });
  telling_ = true;  // what is ready is told last
  for (const JobIndex job : left) {
    state(job).admitted = false;
    state(job).caps.fill(unlimited);
  }
  for (const JobIndex job : left) {
    ledger_.arrived(job);
    deliver({.what = Event::What::arrived, .at = state(job).arrived_at, .job = job}, Part::allocator);
  }
  for (const Attempt& each : attempts_) hold(each, true);
  for (const JobIndex job : left) {
    refresh(job);
    if (state(job).told_ready) {
      deliver({.what = Event::What::ready, .kind = Kind::reduce, .at = state(job).ready_at, .job = job},
              Part::allocator);
    }
  }
  for (const Attempt& each : attempts_)
    deliver(event_of(each, Event::What::started, AttemptOutcome::done, each.since), Part::allocator);
  telling_ = false;
  settle();
}

JobIndex FakeCluster::index(const std::string& id) const {
  for (JobIndex job = 0; job < jobs_.size(); ++job) {
    if (setup_.jobs[job].id == id) return job;
  }
  throw std::logic_error("the test names job " + id + ", which is none");
}

// ---- what happens

void FakeCluster::arrive(const std::string& id) {
  const JobIndex job = index(id);
  state(job).arrived = true;
  state(job).arrived_at = now_;
  state(job).arrival = arrivals_++;
  ledger_.arrived(job);
  tell({.what = Event::What::arrived, .at = now_, .job = job});
}

void FakeCluster::start(const std::string& id, Kind kind) {
  for (NodeIndex node = 0; node < nodes_.size(); ++node) {
    if (has_room(kind, node)) return start(id, kind, node);
  }
  throw std::logic_error("no node has room for " + id);
}

void FakeCluster::start(const std::string& id, Kind kind, NodeIndex node) {
  const std::vector<TaskState>& tasks = state(index(id)).tasks[at(kind)];
  const auto task = std::find(tasks.begin(), tasks.end(), TaskState::waiting);
  if (task == tasks.end()) throw std::logic_error(id + " has no such task left");
  start(index(id), kind, static_cast<TaskIndex>(task - tasks.begin()), node);
}

void FakeCluster::start(JobIndex job, Kind kind, TaskIndex task, NodeIndex node) {
  const std::optional<SlotIndex> place = free_place(kind, node);
  if (!place) throw std::logic_error(fmt::format("node {} has no room", node));
  JobState& of = state(job);
  of.tasks[at(kind)][task] = TaskState::running;
  const Attempt attempt{job, kind, task, of.attempts[at(kind)][task]++, node, *place, now_};
  attempts_.push_back(attempt);
  places(kind)[*place].busy = true;
  hold(attempt, true);
  refresh(job);
  tell(event_of(attempt, Event::What::started, AttemptOutcome::done, now_));
  if (kind == Kind::master) finish_if_done(job);
}

std::optional<std::size_t> FakeCluster::attempt_of(JobIndex job, Kind kind, bool last) const {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < attempts_.size(); ++i) {
    if (attempts_[i].job == job && attempts_[i].kind == kind && (last || !found)) found = i;
  }
  return found;
}

void FakeCluster::end(const std::string& id, Kind kind) {
  end(attempt_of(index(id), kind, false).value());
}
void FakeCluster::lose(const std::string& id, Kind kind, AttemptOutcome outcome) {
  lose(attempt_of(index(id), kind, true).value(), outcome);
}
void FakeCluster::end(std::size_t attempt) {
  if (attempts_.at(attempt).kind != Kind::master) over(attempt, AttemptOutcome::done);
}
void FakeCluster::lose(std::size_t attempt, AttemptOutcome outcome) {
  over(attempt, outcome);
}

void FakeCluster::over(std::size_t position, AttemptOutcome outcome) {
  const Attempt attempt = attempts_.at(position);
  const bool done = outcome == AttemptOutcome::done;
  attempts_.erase(attempts_.begin() + static_cast<std::ptrdiff_t>(position));
  places(attempt.kind)[attempt.slot].busy = false;
  state(attempt.job).tasks[at(attempt.kind)][attempt.task] = done ? TaskState::done : TaskState::waiting;
  hold(attempt, false);
  refresh(attempt.job);
  tell(event_of(attempt, done ? Event::What::ended : Event::What::lost, outcome, now_));
  if (done) finish_if_done(attempt.job);
}

void FakeCluster::finish_if_done(JobIndex job) {
  JobState& of = state(job);
  const auto is_done = [&](Kind kind) {
    return in_state(job, kind, TaskState::done) == static_cast<Count>(of.tasks[at(kind)].size());
  };
  if (of.over || !is_done(Kind::map) || !is_done(Kind::reduce)) return;
  if (!is_done(Kind::master)) {  // which finishes it, or is itself lost
    if (const auto master = attempt_of(job, Kind::master, false)) over(*master, AttemptOutcome::done);
    return;
  }
  of.over = true;
  ledger_.over(job);
  tell({.what = Event::What::finished, .kind = Kind::reduce, .at = now_, .job = job});
}

void FakeCluster::hold(const Attempt& attempt, bool takes) {
  OrderTree& order = ledger_.order(attempt.kind);
  takes ? order.started(attempt.job, unit()) : order.ended(attempt.job, unit());
  if (!ledger_.picks_nodes()) return;
  takes ? ledger_.hold(attempt.job, attempt.kind, node_class(attempt.node))
        : ledger_.release(attempt.job, attempt.kind, node_class(attempt.node));
}

void FakeCluster::join(const FakeNode& what, LeaseId lease) {
  const auto node = static_cast<NodeIndex>(nodes_.size());
  nodes_.push_back({what, lease, true});
  for (Count i = 0; i < what.map_slots; ++i) places(Kind::map).push_back({node, false});
  if (containers()) return;
  for (Count i = 0; i < what.reduce_slots; ++i) places(Kind::reduce).push_back({node, false});
}

void FakeCluster::leave(NodeIndex node) {
  nodes_[node].up = false;
  for (std::size_t i = attempts_.size(); i-- > 0;) {
    if (attempts_[i].node == node) lose(i);
  }
  tell({.what = Event::What::node_down, .at = now_, .node = node, .lease = nodes_[node].lease});
}

// ---- the clock

std::optional<Time> FakeCluster::next_due() {
  std::optional<Time> next;
  const auto offer = [&](std::optional<Time> due) {
    if (due && (!next || *due < *next)) next = due;
  };
  offer(ledger_.timers().next());
  offer(ledger_.preemptions().next());
  for (const Rented& each : rented_) {
    if (!each.node && !each.over) offer(each.joins);
  }
  return next;
}

void FakeCluster::advance(Duration by) {
  const Time until = now_ + by;
  for (std::optional<Time> due = next_due(); due && *due <= until; due = next_due()) {
    now_ = std::max(now_, *due);
    fire();
  }
  now_ = until;
  ledger_.reservations().expire(now_);
}

void FakeCluster::fire() {
  for (LeaseId lease = 0; lease < rented_.size(); ++lease) {
    Rented& each = rented_[lease];
    if (each.node || each.over || each.joins > now_) continue;
    each.node = static_cast<NodeIndex>(nodes_.size());
    FakeNode machine = setup_.classes[each.node_class].machine;
    machine.node_class = each.node_class;
    join(machine, lease);
    tell({.what = Event::What::node_up, .at = now_, .node = *each.node, .lease = lease});
  }
  while (const std::optional<Timers::Timer> timer = ledger_.timers().pop(now_)) {
    deliver({.what = Event::What::timer, .at = now_, .token = timer->token}, timer->part);
    settle();
  }
  while (const std::optional<Preemption> due = ledger_.preemptions().pop(now_)) {
    if (setup_.preempts) preempt(*due);
  }
}

void FakeCluster::preempt(const Preemption& due) {
  for (Count i = 0; i < due.count; ++i) {
    std::optional<std::size_t> last;
    for (std::size_t at = 0; at < attempts_.size(); ++at) {
      const Attempt& each = attempts_[at];
      const bool there = due.node_class == any_class || due.node_class == node_class(each.node);
      if (each.job == due.job && each.kind == due.kind && there) last = at;
    }
    if (last) lose(*last, AttemptOutcome::killed);
  }
}

// ---- the policy is told and decides

void FakeCluster::deliver(const Event& event, Part part) {
  if (part == Part::placer ? !policy_.placer || !policy_.placer->subscribes().has(event.what)
                           : !policy_.allocator->subscribes().has(event.what))
    return;
  ++told_[{part, event.what}];
  part == Part::placer ? policy_.placer->on(event, *this, placer_)
                       : policy_.allocator->on(event, *this, allocator_);
  ledger_.decided();
}

void FakeCluster::tell(Event event) {
  untold_.push_back(event);
  if (telling_) return;
  telling_ = true;
  while (!untold_.empty()) {
    const Event next = untold_.front();
    untold_.pop_front();
    deliver(next, Part::allocator);
    deliver(next, Part::placer);
    settle();
  }
  telling_ = false;
}

Event FakeCluster::event_of(const Attempt& attempt, Event::What what, AttemptOutcome outcome, Time at) {
  return {.what = what,
          .kind = attempt.kind,
          .outcome = outcome,
          .at = at,
          .job = attempt.job,
          .task = attempt.task,
          .attempt = attempt.number,
          .node = attempt.node,
          .slot = attempt.slot,
          .duration = at - attempt.since};
}

// Carries out the consequences of decisions: machines leave, reduces become ready.
void FakeCluster::settle() {
  while (!leaving_.empty()) {
    const NodeIndex node = leaving_.back();
    leaving_.pop_back();
    leave(node);
  }
  for (JobIndex job = 0; job < jobs_.size(); ++job) {
    JobState& of = state(job);
    if (!of.admitted || of.over) continue;
    refresh(job);
    if (of.told_ready || !wants(job, Kind::reduce)) continue;
    of.told_ready = true;
    of.ready_at = now_;
    tell({.what = Event::What::ready, .kind = Kind::reduce, .at = now_, .job = job});
  }
}

void FakeCluster::refresh(JobIndex job) {
  if (!state(job).admitted) return;
  const auto list = [&](Kind kind, bool listed) {
    listed ? ledger_.order(kind).add(job) : ledger_.order(kind).remove(job);
  };
  if (containers()) return list(Kind::map, has_pending_request(job));
  list(Kind::map, wants(job, Kind::map));
  list(Kind::reduce, wants(job, Kind::reduce));
}

void FakeCluster::admitted(JobIndex job) {
  state(job).admitted = true;
}
void FakeCluster::rejected(JobIndex job, const Reason&) {
  state(job).over = true;
  ledger_.over(job);
}
void FakeCluster::capped(JobIndex job, Kind kind, Count count) {
  state(job).caps[at(kind)] = count;
}
LeaseId FakeCluster::rent(const LeaseRequest& request) {
  const LeaseOffer offer = lease_offer(request.node_class);
  if (request.machines < 1 || request.machines > offer.machines)
    throw std::logic_error("the policy rents what is not offered");
  const auto first = static_cast<LeaseId>(rented_.size());
  for (Count i = 0; i < request.machines; ++i) rented_.push_back({request.node_class, now_ + offer.boot});
  return first;
}
void FakeCluster::give_back(LeaseId lease) {
  Rented& each = rented_.at(lease);
  each.over = true;
  if (each.node) leaving_.push_back(*each.node);
}

}  // namespace wavewright
