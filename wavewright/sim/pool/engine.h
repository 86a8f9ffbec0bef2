// The fast engine of a flat pool: one loop over instants, with queues of busy slots and orders of ready jobs.
// `Ready` is RankList if only ranks matter, else OrderTree; `Tick` and `Word` are as narrow as possible.
#pragma once

#include <chrono>
#include <vector>

#include "wavewright/sim/pool/state.h"

namespace wavewright::sim {

template <class Tick, class Word, class Ready>
class Engine final : private PoolState<Word, Ready> {
 public:
  Engine(const TaskTable::Layout& layout, Allocator& policy, const SimulationOptions& options)
      : State(layout, policy, options),
        durations_(layout.template durations<Tick>()),
        events_(policy.subscribes()),
        // A free slot may take the next task at once, before the instant's other ends are applied, if only
        // the best job's rank decides and no end makes a job arrive.
        direct_(!Ready::limited && !layout.zero_length && !layout.releases.dependent() && !listens() &&
                !policy.needs().has(Feature::occupancy)),
        later_(durations_.reduces_later.empty() ? durations_.reduces_first : durations_.reduces_later) {}

  SimulationResult run() {
    const auto began = std::chrono::steady_clock::now();
    result_.jobs.resize(jobs_.size());
    if (options_.trace) result_.trace.reserve(durations_.maps.size() + durations_.reduces_first.size());
    for (JobIndex job = 0; job < jobs_.size(); ++job) prepare(job);
    if (!direct_) {
      maps_.task_on.resize(maps_.job_on.size());
      reduces_.task_on.resize(reduces_.job_on.size());
    }
    policy_.begin(*this, ledger_.allocator());
    ledger_.decided();
    if (direct_) {
      loop<true>();
    } else {
      loop<false>();
    }
    finish();
    result_.engine_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return std::move(result_);
  }

 private:
  using State = PoolState<Word, Ready>;
  using State::arrivals_;
  using State::finished_;
  using State::jobs_;
  using State::layout_;
  using State::ledger_;
  using State::maps_;
  using State::never;
  using State::now;
  using State::now_;
  using State::options_;
  using State::policy_;
  using State::reduces_;
  using State::result_;
  using typename State::JobState;
  using typename State::Stage;

  [[nodiscard]] bool listens() const {
    return (events_.bits & ~EventSet::of(Event::What::arrived).bits) != 0;
  }

  void prepare(JobIndex job) {
    const auto& row = layout_.jobs[job];
    const std::uint32_t ready_after = maps_before_reduces(row.maps, options_.slowstart);
    maps_.jobs[job] = {row.first_map, row.first_map, row.first_map + row.maps};
    maps_.progress[job] = {row.maps, row.maps - ready_after};
    reduces_.jobs[job] = {row.first_reduce, row.first_reduce, row.first_reduce + row.reduces};
    reduces_.progress[job] = {row.reduces, 0};
    JobOutcome& outcome = result_.jobs[job];
    outcome.submit = outcome.start = outcome.maps_done = outcome.finish = row.submit;
  }

  template <bool direct>
  void loop() {
    while (!stopped() && advance()) {
      apply_arrivals();
      apply_ends<Kind::map, direct>();
      if (direct) give_out<Kind::map, direct>();  // ends of reduces do not change who gets these
      apply_ends<Kind::reduce, direct>();
      if (!direct) {
        apply_arrivals();  // jobs whose last predecessor has just ended
        give_out<Kind::map, direct>();
      }
      give_out<Kind::reduce, direct>();
      if (direct) run_ahead();
    }
  }

  // True, and the instant is recorded, if the caller has stopped the run.
  bool stopped() {
    if (options_.stop == nullptr || !options_.stop->load(std::memory_order_relaxed)) return false;
    if (!result_.stopped) result_.stopped = now();
    return true;
  }
  // Moves the clock to the next instant at which something happens.
  bool advance() {
    now_ = std::min({arrivals_.next(), maps_.queue.first_instant(), reduces_.queue.first_instant()});
    return now_ <= layout_.horizon;
  }

  void apply_arrivals() {
    while (arrivals_.next() == now_) {
      const JobIndex job = arrivals_.pop();
      if (layout_.releases.dependent()) {
        JobOutcome& outcome = result_.jobs[job];
        outcome.start = outcome.maps_done = outcome.finish = now();
      }
      ++result_.events;
      ledger_.arrived(job);
      tell({.what = Event::What::arrived, .job = job});
    }
  }

  template <Kind kind, bool direct>
  void apply_ends() {
    while (this->template stage<kind>().queue.first_instant() == now_) end_one<kind, direct>();
  }

  // Between arrivals, while no map end affects reduces, each stage runs alone to the other's next instant.
  void run_ahead() {
    while (!stopped()) {
      const std::uint64_t before =
          std::min({arrivals_.next(), reduces_.queue.first_instant(), layout_.horizon + 1});
      while ((now_ = maps_.queue.first_instant()) < before) {
        if (end_one<Kind::map, true>()) {  // the rest of this instant, and then its reduces
          apply_ends<Kind::map, true>();
          give_out<Kind::reduce, true>();
          break;
        }
      }
      const std::uint64_t limit =
          std::min({arrivals_.next(), maps_.queue.first_instant(), layout_.horizon + 1});
      if (reduces_.queue.first_instant() >= limit) return;
      while ((now_ = reduces_.queue.first_instant()) < limit) end_one<Kind::reduce, true>();
    }
  }

  // Ends the task of the first slot. True if more than the slot is affected.
  template <Kind kind, bool direct>
  bool end_one() {
    Stage& stage = this->template stage<kind>();
    Ready& ready = this->template ready<kind>();
    const std::uint32_t slot = stage.queue.first_slot();
    const JobIndex job = stage.job_on[slot];
    ++result_.events;
    ready.ended(job);
    if (!direct) free(stage, slot);
    StageProgress& tasks = stage.progress[job];
    const bool notable = --tasks.left == tasks.notify || tasks.left == 0;
    if (notable) {
      if constexpr (kind == Kind::map) {
        map_ended(job);
      } else {
        if (tasks.left == 0) job_finished(job);
      }
    }
    if (!direct) {
      tell_task(Event::What::ended, kind, slot);
    } else if (stage.idle.empty() && ready.any()) {
      start<kind, direct>(slot);
    } else {
      free(stage, slot);
    }
    return notable;
  }

  static void free(Stage& stage, std::uint32_t slot) {
    stage.queue.clear(slot);
    stage.idle.insert(slot);
  }

  template <Kind kind, bool direct>
  void give_out() {
    Stage& stage = this->template stage<kind>();
    const Ready& ready = this->template ready<kind>();
    while (!stage.idle.empty() && ready.any()) {
      const std::uint32_t slot = stage.idle.lowest();
      stage.idle.erase(slot);
      start<kind, direct>(slot);
    }
  }

  template <Kind kind, bool direct>
  void start(std::uint32_t slot) {
    Stage& stage = this->template stage<kind>();
    Ready& ready = this->template ready<kind>();
    const JobIndex job = ready.best();
    StageJob& tasks = stage.jobs[job];
    const std::uint64_t task = tasks.next++;
    if (task == tasks.first) job_started(job);
    stage.job_on[slot] = job;
    std::uint64_t end = never;
    if constexpr (kind == Kind::map) {
      end = now_ + durations_.maps[task];
    } else if (jobs_[job].maps_done_at != never) {
      end = now_ + (jobs_[job].maps_done_at == now_ ? durations_.reduces_first[task] : later_[task]);
    }
    if (kind == Kind::reduce && end == never) {
      park(job, slot, task);
    } else {
      stage.queue.set(slot, end);
      stage.busy += end - now_;
    }
    if (options_.trace) record(kind, job, slot, task, end);
    if (!direct) stage.task_on[slot] = {static_cast<TaskIndex>(task - tasks.first), now_};
    ready.started(job);
    if (tasks.next == tasks.end) ready.remove(job);
    if (!direct) tell_task(Event::What::started, kind, slot);
  }

  void job_started(JobIndex job) {
    if (jobs_[job].started) return;
    jobs_[job].started = true;
    result_.jobs[job].start = now();
  }

  // A reduce that started before its job's last map ended holds the slot until then.
  void park(JobIndex job, std::uint32_t slot, std::uint64_t task) {
    reduces_.queue.clear(slot);
    parked_task_.resize(reduces_.job_on.size());
    parked_since_.resize(reduces_.job_on.size());
    parked_record_.resize(reduces_.job_on.size());
    parked_task_[slot] = task;
    parked_since_[slot] = now_;
    parked_record_[slot] = result_.trace.size();
    jobs_[job].waiting.push_back(slot);
  }

  void admitted(JobIndex job) override {
    const StageProgress& tasks = maps_.progress[job];
    jobs_[job].admitted = true;
    if (tasks.left != 0) this->template ready<Kind::map>().add(job);
    if (tasks.notify == layout_.jobs[job].maps) make_reduces_ready(job);  // they wait for no map
    if (tasks.left == 0) maps_done(job);
  }
  void map_ended(JobIndex job) {
    StageProgress& tasks = maps_.progress[job];
    if (tasks.left == tasks.notify) {
      tasks.notify = ~std::uint32_t{0};
      make_reduces_ready(job);
    }
    if (tasks.left == 0) maps_done(job);
  }

  void maps_done(JobIndex job) {
    JobState& state = jobs_[job];
    if (state.maps_done_at != never) return;
    state.maps_done_at = now_;
    result_.jobs[job].maps_done = now();
    for (const std::uint32_t slot : state.waiting) {
      const std::uint64_t end = now_ + durations_.reduces_first[parked_task_[slot]];
      reduces_.queue.set(slot, end);
      reduces_.busy += end - parked_since_[slot];
      if (options_.trace) result_.trace[parked_record_[slot]].end = at_ms(static_cast<std::int64_t>(end));
    }
    state.waiting.clear();
    if (reduces_.progress[job].left == 0) job_finished(job);
  }

  void make_reduces_ready(JobIndex job) {
    if (layout_.jobs[job].reduces == 0) return;
    jobs_[job].reduces_ready = true;
    this->template ready<Kind::reduce>().add(job);
    tell({.what = Event::What::ready, .kind = Kind::reduce, .job = job});
  }

  void job_finished(JobIndex job) {
    result_.jobs[job].finish = now();
    ++finished_;
    arrivals_.finished(job, now_);
    if (options_.jobs_over != nullptr) options_.jobs_over->store(finished_, std::memory_order_relaxed);
    tell({.what = Event::What::finished, .kind = Kind::reduce, .job = job});
  }

  void record(Kind kind, JobIndex job, std::uint32_t slot, std::uint64_t task, std::uint64_t end) {
    const auto& row = layout_.jobs[job];
    const std::uint64_t first = kind == Kind::map ? row.first_map : row.first_reduce;
    result_.trace.push_back({job, kind, static_cast<std::uint32_t>(task - first), slot, now(),
                             at_ms(end == never ? to_ms(now()) : static_cast<std::int64_t>(end))});
  }

  // Computes the totals. Throws Infeasible or InternalError for a job that is left (throw_stuck).
  void finish() {
    if (result_.stopped) {
      break_off();
    } else if (finished_ != jobs_.size()) {
      for (JobIndex job = 0; job < jobs_.size(); ++job) refuse_stuck(job);
    }
    result_.sum_up();
    result_.map_busy = ms(static_cast<std::int64_t>(maps_.busy));
    result_.reduce_busy = ms(static_cast<std::int64_t>(reduces_.busy));
  }
  // Closes outcomes and records at the instant of the stop.
  void break_off() {
    const Time at = *result_.stopped;
    for (JobIndex job = 0; job < jobs_.size(); ++job) {
      const JobState& state = jobs_[job];
      JobOutcome& outcome = result_.jobs[job];
      if (state.rejected || (maps_.progress[job].left == 0 && reduces_.progress[job].left == 0)) continue;
      outcome.unfinished = true;
      if (outcome.submit > at || !arrivals_.free(job)) continue;
      outcome.finish = at;
      if (!state.started) outcome.start = at;
      if (state.maps_done_at == never) outcome.maps_done = at;
    }
    for (TaskRecord& record : result_.trace) {
      if (record.end <= at && record.end > record.start) continue;
      record.end = at;
      record.outcome = AttemptOutcome::running;
    }
  }
  void refuse_stuck(JobIndex job) const {
    const JobState& state = jobs_[job];
    const std::uint32_t maps_left = maps_.progress[job].left;
    if (state.rejected || (maps_left == 0 && reduces_.progress[job].left == 0 && state.admitted)) return;
    if (!arrivals_.free(job)) return;  // a predecessor is stuck
    throw_stuck(std::string(this->facts(job).id), policy_.name(), state.admitted, maps_left != 0);
  }

  void tell(Event event) {
    if (!events_.has(event.what)) return;
    event.at = now();
    policy_.on(event, *this, ledger_.allocator());
    ledger_.decided();
  }
  void tell_task(Event::What what, Kind kind, std::uint32_t slot) {
    if (!events_.has(what)) return;
    const Stage& of = this->stage(kind);
    const StageTask& on = of.task_on[slot];
    tell({.what = what,
          .kind = kind,
          .job = of.job_on[slot],
          .task = on.task,
          .slot = slot,
          .duration = ms(what == Event::What::ended ? static_cast<std::int64_t>(now_ - on.since) : 0)});
  }

  const TaskTable::Layout::Durations<Tick>& durations_;
  const EventSet events_;
  const bool direct_;
  const std::vector<Tick>& later_;
  std::vector<std::uint64_t> parked_task_, parked_since_;  // by reduce slot, if slow-start is below 1
  std::vector<std::size_t> parked_record_;
};

}  // namespace wavewright::sim
