#include "wavewright/sim/reference/reference_attempts.h"

#include <algorithm>
#include <utility>

#include "wavewright/sim/metrics/slot_time.h"
#include "wavewright/sim/model/speculation.h"

namespace wavewright::sim {

ReferenceAttempts::ReferenceAttempts(const Workload& workload, Policy& policy, const NodeModel& model)
    : ReferenceWorld(workload, policy, model),
      launches_(model.cluster.launches.processors, model.launch_pools()) {}

std::vector<ReferenceAttempt*> ReferenceAttempts::running(JobIndex index, Kind kind) {
  std::vector<ReferenceAttempt*> found = running();
  std::erase_if(found,
                [&](const ReferenceAttempt* each) { return each->job != index || each->kind != kind; });
  return found;
}

void ReferenceAttempts::tell(Event::What what, const ReferenceAttempt& attempt, AttemptOutcome outcome) {
  tell({.what = what,
        .kind = attempt.kind,
        .outcome = outcome,
        .job = attempt.job,
        .task = attempt.task,
        .attempt = attempt.attempt,
        .node = attempt.node,
        .slot = attempt.slot,
        .duration = what == Event::What::started ? Duration{} : now_ - attempt.since});
}

ReferenceAttempt* ReferenceAttempts::twin_of(const ReferenceAttempt& attempt) {
  for (ReferenceAttempt* const other : running(attempt.job, attempt.kind)) {
    if (other != &attempt && other->task == attempt.task) return other;
  }
  return nullptr;
}

void ReferenceAttempts::pass(Duration time) {
  launches_.pass(to_ms(time));
  flows_.pass(to_ms(time));
}

std::optional<Time> ReferenceAttempts::next_of_these() const {
  std::optional<Time> next;
  for (const std::int64_t at : {launches_.next(to_ms(now_)), flows_.next(to_ms(now_))}) {
    if (at >= 0 && (!next || at_ms(at) < *next)) next = at_ms(at);
  }
  return next;
}

void ReferenceAttempts::begin(ReferenceAttempt& attempt, Time at) {
  ++result_.starts;
  attempt.record = result_.trace.size();
  result_.trace.push_back({attempt.job, attempt.kind, attempt.task, attempt.slot, now_, now_, attempt.node,
                           attempt.where, attempt.attempt, AttemptOutcome::done});
  if (!model_.shares_launches(attempt.kind)) {
    attempt.launched = at;
    return launched(attempt);
  }
  attempt.waits = attempt.shares = true;
  share_processors(attempt, at, model_.launch_work(attempt.kind));
}

void ReferenceAttempts::share_processors(ReferenceAttempt& attempt, Time at, std::uint64_t work) {
  sharing_[launches_.enter(model_.launch_pool(attempt.node), to_ms(at), work, to_ms(now_))] = &attempt;
}

void ReferenceAttempts::submitted() {
  if (model_.submit_work() > 0) launches_.enter(0, to_ms(now_), model_.submit_work(), to_ms(now_));
}

void ReferenceAttempts::launches() {
  launches_.run(to_ms(now_), [this](ReferenceLaunches::Id id) {
    const auto found = sharing_.find(id);
    if (found == sharing_.end()) return;  // a client
    ReferenceAttempt& attempt = *found->second;
    sharing_.erase(found);
    attempt.waits = attempt.shares = false;
    if (std::exchange(attempt.works, false)) return ends_at(attempt, now_);
    attempt.launched = now_;
    launched(attempt);
  });
}

void ReferenceAttempts::cancel(ReferenceAttempt& attempt) {
  if (attempt.flow != 0) flows_.cancel(std::exchange(attempt.flow, 0));
  const auto shared = std::find_if(sharing_.begin(), sharing_.end(),
                                   [&](const auto& each) { return each.second == &attempt; });
  if (shared == sharing_.end()) return;
  launches_.cancel(shared->first);
  sharing_.erase(shared);
}

void ReferenceAttempts::launched(ReferenceAttempt& attempt) {
  const Job& job = this->job(attempt.job);
  const std::optional<Time> maps_done = jobs_[attempt.job].maps_done;
  if (attempt.kind == Kind::map) {
    run(attempt, attempt.launched, map_work(attempt.job, attempt.task, attempt.node, attempt.where));
    attempt.flow = read_block(attempt.job, attempt.task, attempt.node, attempt.launched);
  } else if (model_.network.shuffles(job)) {
    fetch(attempt);
  } else if (maps_done) {
    const Duration shuffle =
        attempt.since <= *maps_done ? job.first_shuffle(attempt.task) : job.later_shuffle(attempt.task);
    run(attempt, attempt.launched, reduce_work(attempt.job, attempt.task, attempt.node), shuffle);
  } else {
    attempt.waits = true;
  }
}

void ReferenceAttempts::run(ReferenceAttempt& attempt, Time from, Duration own, Duration shuffle) {
  const NodeModel::DrawnOutcome outcome = model_.outcome(
      static_cast<std::uint64_t>(to_ms(shuffle + own)), hash_of(job(attempt.job).id),
      job(attempt.job).task_failure, attempt.kind, attempt.task, attempt.attempt, attempt.node);
  attempt.fails = outcome.fails;
  attempt.from = static_cast<std::uint64_t>(to_ms(from));
  attempt.full = attempt.from + outcome.full;
  const Duration work = ms(static_cast<std::int64_t>(outcome.work));
  if (work <= shuffle || !model_.shares_work(job(attempt.job))) return ends_at(attempt, from + work);
  attempt.waits = attempt.shares = attempt.works = true;
  share_processors(attempt, from + shuffle, static_cast<std::uint64_t>(to_ms(work - shuffle)));
}

void ReferenceAttempts::ends_at(ReferenceAttempt& attempt, Time end) {
  attempt.waits = false;
  attempt.end = end;
  result_.trace[attempt.record].end = attempt.end;
  if (attempt.fails) result_.trace[attempt.record].outcome = AttemptOutcome::failed;
  end_is_known(attempt);
}

void ReferenceAttempts::transfers() {
  flows_.run(to_ms(now_), [this](ReferenceFlows::Id id) {
    ++result_.transfers;
    for (ReferenceAttempt* const each : running()) {
      if (each->flow == id) return transferred(*each);
    }
  });
}

void ReferenceAttempts::transferred(ReferenceAttempt& attempt) {
  attempt.flow = 0;
  if (attempt.kind == Kind::reduce) {
    attempt.fetched = attempt.asked;
    fetch(attempt);
  } else if (!attempt.waits && now_ > attempt.end && !attempt.fails) {
    attempt.end = result_.trace[attempt.record].end = now_;
    end_is_known(attempt);
  }
}

void ReferenceAttempts::fetch(ReferenceAttempt& attempt) {
  const Time from = std::max(now_, attempt.launched);
  attempt.waits = true;
  attempt.asked = fetchable(attempt.job, attempt.task);
  const Route route = model_.network.shuffle_route(attempt.node);
  if (attempt.fetched < attempt.asked && route.size > 0) {
    attempt.flow = flows_.start(route, attempt.asked - attempt.fetched, to_ms(from), to_ms(now_));
  } else if (jobs_[attempt.job].maps_done) {
    run(attempt, from, reduce_work(attempt.job, attempt.task, attempt.node), model_.network.overhead());
  }
}

void ReferenceAttempts::fetch_more(JobIndex index) {
  if (!model_.network.shuffles(job(index))) return;
  for (ReferenceAttempt* const each : running(index, Kind::reduce)) {
    if (each->waits && !each->shares && each->flow == 0) fetch(*each);
  }
}

void ReferenceAttempts::run_reduces(JobIndex index) {
  if (model_.network.shuffles(job(index))) return fetch_more(index);
  for (ReferenceAttempt* const each : running(index, Kind::reduce)) {
    if (!each->waits || each->shares) continue;
    run(*each, std::max(now_, each->launched), reduce_work(index, each->task, each->node),
        job(index).first_shuffle(each->task));
  }
}

void ReferenceAttempts::heartbeat(NodeIndex node) {
  if (model_.period() != 0 && beats_.insert({now_, node}).second) ++result_.heartbeats;
}

void ReferenceAttempts::count_stop(ReferenceAttempt& attempt, AttemptOutcome outcome) {
  ++result_.events;
  result_.jobs[attempt.job].count_stop(outcome);
  result_.trace[attempt.record].end = now_;
  result_.trace[attempt.record].outcome = outcome;
  cancel(attempt);
}

void ReferenceAttempts::sum_up_slot_time() {
  SlotTime time;
  for (const TaskRecord& task : result_.trace) {
    if (task.kind == Kind::master) continue;
    (task.kind == Kind::map ? result_.map_busy : result_.reduce_busy) += task.end - time.adds_from(task);
  }
}

void ReferenceAttempts::mark_slow_tasks(Kind kind) {
  std::size_t seconds = 0, numbers = 0;
  for (const ReferenceAttempt* const each : running()) seconds += each->kind == kind && each->second ? 1 : 0;
  for (const JobState& state : jobs_) seconds += state.settled() ? 0 : state.marked(kind).size();
  for (NodeIndex node = 0; node < model_.topology.size(); ++node)
    numbers += static_cast<std::size_t>(model_.slots(node, kind));
  const auto since = [this](Time time) { return static_cast<std::uint64_t>(to_ms(now_ - time)); };
  for (JobIndex index = 0; index < jobs_.size(); ++index) {
    JobState& state = jobs_[index];
    const std::vector<ReferenceAttempt*> attempts = running(index, kind);
    if (state.settled() || attempts.empty() || state.count(kind, TaskState::pending) > 0) continue;
    if (kind == Kind::reduce && !state.maps_done) continue;
    std::vector<Progress> progress;
    for (const ReferenceAttempt* const each : attempts) {
      const bool old = now_ - each->since >= model_.cluster.mode.speculation_after;
      progress.push_back({done_part(since(Time{}), each->from, each->full), since(each->since),
                          old && twin_of(*each) == nullptr && !state.tasks(kind)[each->task].doubled});
    }
    const std::size_t most = NodeModel::most_seconds(numbers, seconds);
    const auto finished = static_cast<std::size_t>(state.count(kind, TaskState::done));
    std::vector<std::uint64_t> took;
    for (const TaskInfo& task : state.tasks(kind)) {
      if (task.state == TaskState::done) took.push_back(static_cast<std::uint64_t>(to_ms(task.took)));
    }
    for (const std::size_t i : choose_to_double(model_.cluster.mode.rule, progress, finished, most, took)) {
      state.tasks(kind)[attempts[i]->task].doubled = true;
      state.marked(kind).push_back(attempts[i]->task);
      ++seconds;
    }
  }
}

}  // namespace wavewright::sim
