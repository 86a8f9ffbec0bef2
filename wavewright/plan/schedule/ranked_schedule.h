// What a ranking (plan/schedule/ranking.h) is worth, without the simulator: least slack first on map slots
// and then on reduce slots, pool by pool, under caps. Tests hold it to the simulator's answer for the plan of
// the ranking, to the millisecond.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "wavewright/job/precedence.h"
#include "wavewright/plan/schedule/ranking.h"
#include "wavewright/plan/schedule/stage_slots.h"
#include "wavewright/plan/value.h"

namespace wavewright {

class RankedSchedule {
 public:
  // Whether it agrees with the simulator on such a batch: no `after`, and are_two_stages(); with any
  // slow-start.
  [[nodiscard]] static bool models(const Workload& batch, SlotPool pool) {
    return !has_precedence(batch) && are_two_stages(batch, pool);
  }

  // Of a batch that it models, which it does not keep. O(tasks).
  RankedSchedule(const Workload& batch, double slowstart);

  // By job, ms: when its reduces may start, and when its last map ends.
  struct MapTimes {
    std::vector<std::int64_t> ready, ends;
  };

  // O(waves · log slots + turns · log jobs), where each task of a length of its own is a wave, and one of a
  // capped job a turn.
  [[nodiscard]] Value value(const Ranking& ranking);
  // The same, where the times of its maps are known.
  [[nodiscard]] Value value_of_reduces(const Ranking& ranking, const MapTimes& times);

  // Of the last value.
  [[nodiscard]] const MapTimes& map_times() const { return times_; }
  [[nodiscard]] std::span<const std::int64_t> ends() const { return ends_; }  // of jobs, ms

  [[nodiscard]] std::size_t jobs() const { return submits_.size(); }
  [[nodiscard]] const StageTasks& maps() const { return maps_; }
  [[nodiscard]] const StageTasks& reduces() const { return reduces_; }

 private:
  using Keyed = std::pair<std::int64_t, JobIndex>;
  struct Stage {  // one that is being given out
    const StageTasks& tasks;
    const std::vector<std::int64_t>& left;  // longest_left()
    const Ranking::Stage& ranks;
    const std::vector<std::int64_t>& ready;
    const std::vector<std::int64_t>& maps_end;  // where a task that starts no later is held until
    std::vector<std::int64_t>& ends;
    bool counts = false;  // the ends of tasks, for slow-start
  };
  struct Cursor {
    std::uint32_t run = 0;
    std::uint32_t left = 0;     // of the run
    std::uint32_t running = 0;  // where it is capped
  };

  void schedule(const Stage& stage, const Ranking& ranking, Kind kind);
  template <class Slots>
  void give_out(const Stage& stage, Slots& slots, std::span<JobIndex> jobs);
  template <bool capped, class Slots>
  void take_turn(const Stage& stage, Slots& slots, JobIndex job, std::int64_t next_ready);
  [[nodiscard]] SlotTree& tree_of(std::uint32_t slots);
  void push(const Stage& stage, JobIndex job);
  void unblock(const Stage& stage);
  void find_ready();

  StageTasks maps_, reduces_;
  std::vector<std::int64_t> maps_left_, reduces_left_;
  std::vector<std::int64_t> submits_;
  std::vector<std::uint32_t> before_reduces_;  // by job: maps that must have ended; empty = all
  MapTimes times_;
  std::vector<std::int64_t> ends_;
  // While a stage is given out.
  WaveSlots waves_;
  std::vector<SlotTree> trees_;  // of some sizes
  std::vector<JobIndex> served_;
  std::vector<Cursor> cursors_;
  std::vector<Keyed> heap_;                     // jobs that may take a slot, the least slack first
  std::vector<Keyed> blocked_;                  // capped ones that may not, by when a task of theirs ends
  std::vector<std::vector<std::int64_t>> own_;  // by job: when those of a capped one end, the first first
  std::vector<std::vector<std::pair<std::int64_t, std::uint32_t>>> counted_;  // by job: ends and how many
  std::int64_t clock_ = 0;
};

}  // namespace wavewright
