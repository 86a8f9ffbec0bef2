#include "wavewright/sim/nodes/job_lifecycle.h"

#include "wavewright/sim/model/estimate.h"
#include "wavewright/sim/pool/stage.h"

namespace wavewright::sim {

void JobLifecycle::rejected(JobIndex index, const Reason& reason) {
  std::vector<std::pair<JobIndex, Reason>> left = {{index, reason}};
  while (!left.empty()) {
    const auto [job, why] = std::move(left.back());
    left.pop_back();
    if (w_.jobs[job].settled) continue;
    w_.jobs[job].rejected = w_.result.jobs[job].rejected = true;
    w_.result.rejections.emplace(job, why);
    settled(job);
    reject_successors(job, left);
  }
}

void JobLifecycle::reject_successors(JobIndex index, std::vector<std::pair<JobIndex, Reason>>& left) const {
  const auto successors = arrivals_.successors(index);
  for (auto next = successors.rbegin(); next != successors.rend(); ++next)
    left.emplace_back(*next, behind(w_.workload.jobs[index].id));
}

void JobLifecycle::arrive(JobIndex index) {
  NodeJob& state = w_.jobs[index];
  const Job& job = w_.workload.jobs[index];
  const auto maps = static_cast<std::uint32_t>(job.maps.size());
  const auto reduces = static_cast<std::uint32_t>(job.reduces.size());
  state.job = &job;
  state.map_work = job.maps.data();
  state.reduce_work = job.reduces.data();
  state.arrived = true;
  state.maps = {.count = maps, .left = maps, .pending = maps};
  state.reduces = {.count = reduces, .left = reduces, .pending = reduces};
  state.ready_after = maps_before_reduces(maps, w_.model.cluster.mode.slowstart);
  state.map = estimate_of(known_job(w_.workload, index), Kind::map);
  state.reduce = estimate_of(known_job(w_.workload, index), Kind::reduce);
  if (w_.model.draws_fates) state.hash = hash_of(job.id);
  if (w_.model.retries) {
    state.attempts = attempts_.take();
    if (!state.attempts) state.attempts = std::make_unique<Attempts>();
    state.attempts->renew(job);
  }
  if (!job.classes.empty()) state.own_factors = w_.model.factors_of(job);
  state.factor = (job.classes.empty() ? w_.model.group_factor : state.own_factors).data();
  if (w_.model.places && maps > 0) {
    state.local = places_.take();
    if (state.local) {
      state.local->renew(w_.model.blocks_of(job, state.local->retire()));
    } else {
      state.local = std::make_unique<LocalTasks>(w_.model.blocks_of(job), w_.model.topology);
    }
  }
  JobOutcome& outcome = w_.result.jobs[index];
  outcome.start = outcome.maps_done = outcome.finish = w_.now();
  ++w_.result.events;
  runner_.submitted();
  w_.ledger.arrived(index);
  w_.tell({.what = Event::What::arrived, .job = index});
}

void JobLifecycle::fail(JobIndex index) {
  NodeJob& state = w_.jobs[index];
  w_.result.jobs[index].failed = true;
  w_.result.jobs[index].finish = w_.now();
  state.maps.left = state.maps.pending = state.reduces.left = state.reduces.pending = 0;
  for (const Kind kind : {Kind::map, Kind::reduce}) {
    w_.table_of(kind).marked -= state.attempts->of(kind).marked.size();
    state.attempts->of(kind).marked.clear();
    resources_.has_less_work(index, kind);
  }
  settled(index);
  stop_all(index, false);
  w_.tell(
      {.what = Event::What::finished, .kind = Kind::reduce, .outcome = AttemptOutcome::failed, .job = index});
  std::vector<std::pair<JobIndex, Reason>> behind_it;
  reject_successors(index, behind_it);
  for (; !behind_it.empty(); behind_it.pop_back()) rejected(behind_it.back().first, behind_it.back().second);
}

void JobLifecycle::attempt_failed(SlotTable& table, std::uint32_t slot, const Running& attempt,
                                  NodeIndex node) {
  const Kind kind = table.kind;
  Attempts& attempts = *w_.jobs[attempt.job].attempts;
  if (attempt.twin != Running::alone) leave(table, attempt);
  ++w_.result.jobs[attempt.job].failed_attempts;
  const Count most_here = w_.model.cluster.faults.blacklist_after;
  if (most_here > 0 && ++attempts.failures_on[node] >= most_here &&
      attempts.blacklisted.size() < w_.model.most_blacklisted) {
    attempts.blacklisted.insert(node);
    w_.jobs[attempt.job].blacklists = true;
  }
  if (attempts.of(kind).fails(attempt.task) >= w_.model.cluster.faults.max_attempts) {
    fail(attempt.job);
  } else if (attempt.twin == Running::alone) {
    give_back(attempt.job, kind, attempt.task, AttemptOutcome::failed);
  }
  w_.tell(Event::What::lost, table, slot, AttemptOutcome::failed);
}

void JobLifecycle::leave(SlotTable& table, const Running& attempt) {
  table.on[attempt.twin].twin = Running::alone;
  Attempts* const attempts = w_.jobs[attempt.job].attempts.get();  // null if the job has failed
  if (attempts != nullptr) attempts->of(table.kind).tasks[attempt.task].slot = attempt.twin;
  speculation_.left_alone(table, attempt.job);
}

void JobLifecycle::give_back(JobIndex index, Kind kind, std::uint32_t task, AttemptOutcome after) {
  NodeJob& state = w_.jobs[index];
  unmark(index, kind, task);
  ++state.tasks(kind).pending;
  const bool requested = w_.model.containers && kind == Kind::map;
  if (requested) state.attempts->asked_again[task] = w_.now_ms;
  if (requested && after != AttemptOutcome::killed) {
    state.attempts->failed_maps.push_back(task);
    state.failed_maps = true;
  } else {
    return_task(state, kind, task);
  }
  resources_.returned(index, kind, task);
  resources_.has_work(index, kind);
}

void JobLifecycle::return_task(NodeJob& state, Kind kind, std::uint32_t task) {
  if (kind == Kind::map && state.local) {
    state.local->give_back(task);
  } else {
    state.attempts->of(kind).returned.push(task);
  }
}

void JobLifecycle::forget_failed_maps(JobIndex index) {
  NodeJob& state = w_.jobs[index];
  if (!state.failed_maps) return;
  state.failed_maps = false;
  for (const std::uint32_t task : std::exchange(state.attempts->failed_maps, {}))
    return_task(state, Kind::map, task);
}

void JobLifecycle::unmark(JobIndex index, Kind kind, std::uint32_t task) {
  NodeJob& state = w_.jobs[index];
  if (w_.table_of(kind).marked == 0) return;
  Attempts::OfKind& attempts = state.attempts->of(kind);
  if (!attempts.was_doubled(task) || std::erase(attempts.marked, task) == 0) return;
  --w_.table_of(kind).marked;
  resources_.has_less_work(index, kind);
}

void JobLifecycle::stop_all(JobIndex index, bool again) {
  for (SlotTable* const table : {&w_.maps, &w_.reduces}) {
    for (std::uint32_t slot = 0; slot < table->slots(); ++slot) {
      if (!table->idle.contains(slot) && table->on[slot].job == index && !table->on[slot].over)
        stop(*table, slot, AttemptOutcome::killed, again);
    }
  }
}

void JobLifecycle::stop_slot(SlotTable& table, std::uint32_t slot) {
  const std::uint32_t end = table.end_of_places(slot);
  for (std::uint32_t place = table.shares() ? table.first_place(slot) : slot; place < end; ++place) {
    if (!table.idle.contains(place) && !table.on[place].over)
      stop(table, place, AttemptOutcome::killed, true);
  }
}

void JobLifecycle::stop(SlotTable& table, std::uint32_t slot, AttemptOutcome outcome, bool again) {
  const Running attempt = table.on[slot];
  const bool twin = attempt.twin != Running::alone;
  if (twin) leave(table, attempt);
  table.seconds -= attempt.second ? 1U : 0U;
  ++w_.result.events;
  ++w_.stops;
  w_.result.jobs[attempt.job].count_stop(outcome);
  table.use(attempt.until, w_.now_ms);
  runner_.close_record(table, slot, w_.now_ms, outcome);
  if (table.kind == Kind::reduce) std::erase(w_.jobs[attempt.job].waiting, slot);
  runner_.cancel(table, slot);
  resources_.vacate(table, slot);
  if (again && !twin) give_back(attempt.job, table.kind, attempt.task, outcome);
  w_.tell(Event::What::lost, table, slot, outcome);
}

}  // namespace wavewright::sim
