// One stage of a batch under a priority rule (plan/schedule/priority_rule.h): least slack first, under
// caps.
//
// It can keep a schedule and continue from it. The next schedule is then computed only from the first instant
// where it may differ, because most moves of a search change only its end. States at some instants are kept.
// A state can be reused if no changed job was ready by then, or if all jobs served by then had less slack
// than the changed jobs, so that these were not and would not be served.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "wavewright/plan/schedule/priority_rule.h"
#include "wavewright/plan/schedule/stage_slots.h"

namespace wavewright {

// The input of a stage, by job; ms.
struct StageJobs {
  const PriorityRule::Stage& ranks;
  const std::vector<std::int64_t>& ready;       // when its tasks may start
  const std::vector<std::int64_t>& held_until;  // a task that starts no later waits in its slot until then
  // The schedule is given up once it is sure that a job's end plus its tail is after `latest`.
  std::int64_t latest = no_time;
  const std::vector<std::int64_t>* tails = nullptr;  // by job; null = all 0
};

template <class Slots>  // WaveSlots or SlotTree
class SlackStage {
 public:
  using Counted = std::pair<std::int64_t, std::uint32_t>;  // an end, ms, and its number of tasks

  // With `counts` it also lists the ends of tasks, but keeps no schedules.
  SlackStage(StageTasks tasks, bool counts);

  // Schedules all jobs on `slots`. `ends`: the end of each job's last task; without tasks, its ready time.
  // O(waves · log slots + turns · log jobs) for the part that is not reused. A task with no neighbour of
  // equal length is a wave; each task of a capped job is a turn. False: given up; `ends` is not complete
  // then.
  [[nodiscard]] bool schedule(const StageJobs& jobs, Count slots, std::vector<std::int64_t>& ends);
  // Schedules some jobs on `slots`; ends of the others do not change.
  [[nodiscard]] bool schedule_some(const StageJobs& jobs, std::span<const JobIndex> some, Count slots,
                                   std::vector<std::int64_t>& ends);
  // Keeps the last schedule of all jobs, made from `jobs`; later schedules continue from it.
  void keep(const StageJobs& jobs, const std::vector<std::int64_t>& ends);

  [[nodiscard]] const StageTasks& tasks() const { return tasks_; }
  [[nodiscard]] std::vector<Counted>& counted(JobIndex job) { return counted_[job]; }

 private:
  using Keyed = std::pair<std::int64_t, JobIndex>;
  static constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();

  struct Cursor {
    std::uint32_t run = 0;
    std::uint32_t left = 0;     // tasks of the run
    std::uint32_t tasks = 0;    // tasks of the job left
    std::uint32_t running = 0;  // if the job is capped
  };
  struct State {
    Slots slots;
    std::vector<Cursor> cursors = {};
    std::vector<Keyed> heap = {};     // jobs that may take a slot, least slack first
    std::vector<Keyed> blocked = {};  // jobs at their cap, by the next end of a task
    std::vector<std::vector<std::int64_t>> own =
        {};  // by job, if capped: heap of its tasks' ends; else empty
    std::vector<std::int64_t> ends = {};
    std::int64_t clock = 0;
    std::int64_t most_slack = lowest;  // largest slack served so far
    double idle = 0;                   // ms, summed over slots that took a task later than they could
    bool given_up = false;
    std::size_t next = 0;  // in by_ready_: the first job that is not ready yet
  };
  struct States {
    std::vector<State> at;  // the first `count` are valid
    std::size_t count = 0;
    void add(const State& state);
  };
  struct Kept {
    bool is = false;
    Count slots = 0;
    PriorityRule::Stage ranks;
    std::vector<std::int64_t> ready, held_until, ends;
    States states;
  };

  void begin(std::span<const JobIndex> some, std::uint32_t slots);
  void find_changed(const StageJobs& jobs);
  [[nodiscard]] bool serves(const State& state, const StageJobs& jobs) const;
  void go_on_from(const State& state, const StageJobs& jobs);
  // The caller has set the number of slots in use. False: given up.
  bool run(const StageJobs& jobs, bool all);
  void push(const StageJobs& jobs, JobIndex job);
  void unblock(const StageJobs& jobs);
  template <bool capped>
  void take_turn(const StageJobs& jobs, JobIndex job, std::int64_t next_ready);
  [[nodiscard]] const Slots& fresh(std::uint32_t slots);
  [[nodiscard]] std::int64_t slack(const PriorityRule::Stage& ranks, JobIndex job,
                                   const Cursor& cursor) const {
    return ranks.slack(job, cursor.tasks, left_[cursor.run]);
  }
  [[nodiscard]] std::int64_t first_slack(const PriorityRule::Stage& ranks, JobIndex job) const {
    return ranks.slack(job, counts_of_[job], left_[tasks_.runs_from[job]]);
  }

  StageTasks tasks_;
  std::vector<std::int64_t> left_;        // longest_left()
  std::vector<std::uint32_t> counts_of_;  // tasks by job
  std::vector<JobIndex> with_tasks_, without_tasks_;
  std::int64_t work_ = 0;                               // ms
  double least_work_ = 0;                               // ms, with the shorter of both lengths
  double slot_time_ = 0;                                // until the latest end allowed, of all slots in use
  std::vector<std::pair<std::uint32_t, Slots>> fresh_;  // cache of free slots, by their number
  bool counts_;
  std::vector<std::vector<Counted>> counted_;  // by job
  State state_;                                // of the current schedule
  Count slots_ = 0;                            // of the current schedule
  std::vector<JobIndex> by_ready_;
  std::vector<JobIndex> changed_;
  Kept kept_;
  States on_the_way_;  // of the last schedule, after the first `serving_` kept states
  std::size_t serving_ = 0;
};

extern template class SlackStage<WaveSlots>;
extern template class SlackStage<SlotTree>;

}  // namespace wavewright
