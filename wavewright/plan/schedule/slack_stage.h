// One stage of a batch under a priority rule (plan/schedule/priority_rule.h): least slack first, under
// caps.
//
// It can keep a schedule and continue from it. The next schedule is then computed only from the first
// instant where it may differ, since most moves of a search change only its end. States at some instants
// are kept. A state can be reused if no changed job was ready by then, or if no changed job had been or
// would have been served, because all jobs served had less slack.
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
  const std::vector<std::int64_t>& ready;       // its tasks may start
  const std::vector<std::int64_t>& held_until;  // a task that starts no later is held until then
};

template <class Slots>  // WaveSlots or SlotTree
class SlackStage {
 public:
  using Counted =
      std::pair<std::int64_t, std::uint32_t>;  // an end, ms, and the number of tasks with that end

  // With `counts` it also lists the ends of tasks, and keeps no schedules.
  SlackStage(StageTasks tasks, bool counts);

  // Schedules all jobs on `slots`. `ends`: of each job's last task, or the instant when the job is ready if
  // it has none. O(waves · log slots + turns · log jobs), where a task of a length of its own is a wave and
  // each task of a capped job a turn; only the part that is not reused.
  void schedule(const StageJobs& jobs, Count slots, std::vector<std::int64_t>& ends);
  // Schedules some of the jobs on slots of their own; ends of the others do not change.
  void schedule_some(const StageJobs& jobs, std::span<const JobIndex> some, Count slots,
                     std::vector<std::int64_t>& ends);
  // Keeps the last schedule of all jobs, which was made from `jobs`; later schedules continue from it.
  void keep(const StageJobs& jobs, const std::vector<std::int64_t>& ends);

  [[nodiscard]] const StageTasks& tasks() const { return tasks_; }
  [[nodiscard]] std::vector<Counted>& counted(JobIndex job) { return counted_[job]; }

 private:
  using Keyed = std::pair<std::int64_t, JobIndex>;
  static constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();

  struct Cursor {
    std::uint32_t run = 0;
    std::uint32_t left = 0;     // of the run
    std::uint32_t tasks = 0;    // left of the job
    std::uint32_t running = 0;  // where it is capped
  };
  struct State {
    Slots slots;
    std::vector<Cursor> cursors = {};
    std::vector<Keyed> heap = {};     // jobs that may take a slot, the least slack first
    std::vector<Keyed> blocked = {};  // capped ones that may not, by when a task of theirs ends
    std::vector<std::vector<std::int64_t>> own =
        {};  // by job: when those of a capped one end, the first first
    std::vector<std::int64_t> ends = {};
    std::int64_t clock = 0;
    std::int64_t most_slack = lowest;  // of those who were served
    std::size_t next = 0;              // of the jobs by when they are ready: which is not there yet
  };
  struct States {
    std::vector<State> at;  // the first `count` of them
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
  void run(const StageJobs& jobs, bool all);
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
  std::vector<std::int64_t> left_;                      // longest_left()
  std::vector<std::uint32_t> counts_of_;                // tasks by job
  std::vector<JobIndex> with_tasks_, without_tasks_;    // jobs
  std::int64_t work_ = 0;                               // ms
  std::vector<std::pair<std::uint32_t, Slots>> fresh_;  // of some numbers, all free
  bool counts_;
  std::vector<std::vector<Counted>> counted_;  // by job
  State state_;                                // of the schedule at work
  Count slots_ = 0;                            // of it
  std::vector<JobIndex> by_ready_;
  std::vector<JobIndex> changed_;
  Kept kept_;
  States on_the_way_;  // of the last schedule, behind the first `serving_` kept ones
  std::size_t serving_ = 0;
};

extern template class SlackStage<WaveSlots>;
extern template class SlackStage<SlotTree>;

}  // namespace wavewright
