// The least Σ weight · end of all schedules within windows, by enumeration. It closes nodes of the
// time-window bound whose windows are so narrow that a few thousand schedules are left.
//
// The next task starts on the slot that is free first. Some best schedule is active: no task can start
// earlier unless another one starts later. So a task that starts after another one could have ended there is
// no choice [Giffler and Thompson 1960]. Partial schedules with equal tasks left, slots and ends are equal.
// A partial schedule is given up if a job must end after its window, if the tasks left do not fit before
// their windows end, or if the sum reaches the aim: with each job alone, or the work left on one machine as
// fast as all slots, largest weight / work first [Smith 1956].
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/stop.h"
#include "wavewright/plan/bounds/time_window/window_job.h"

namespace wavewright {

class ScheduleTree {
 public:
  static constexpr std::size_t most_tasks = 64;  // of a stage; with more it enumerates nothing

  // `jobs` must outlive it.
  ScheduleTree(const std::vector<WindowJob>& jobs, SlotPool pool);

  // The least sum of the schedules with ends in these windows, or `aim` if it is no less. Empty if that takes
  // more than `most` partial schedules, or `stop` ends it. O(most · jobs · lengths).
  [[nodiscard]] std::optional<double> least(std::span<const Windows> windows, double aim, std::size_t most,
                                            const Stop& stop);
  // Partial schedules of the last call.
  [[nodiscard]] std::size_t looked() const { return looked_; }

 private:
  using Instant = std::int64_t;  // ms
  struct Group {                 // tasks of one job and length
    std::size_t job = 0;
    Instant length = 0;
    int count = 0;
  };
  struct Stage {
    std::vector<Group> groups;  // by job, longest first
    std::size_t slots = 1;
    std::set<std::vector<Instant>> seen;
  };
  struct Partial {
    std::vector<int> left;      // by group
    std::vector<Instant> free;  // of slots, ascending
    std::vector<Instant> ends;  // by job: of its tasks so far
  };

  [[nodiscard]] static Partial start(const Stage& stage, const std::vector<Instant>& ready);
  void look(bool maps, const Partial& partial);
  void end(bool maps, const Partial& partial);
  void measure(bool maps, const Partial& partial);  // can_gain() and fits() use what it finds
  [[nodiscard]] bool can_gain(bool maps, const Partial& partial);
  [[nodiscard]] bool fits(bool maps, const Partial& partial);
  [[nodiscard]] static bool is_new(Stage& stage, const Partial& partial);

  const std::vector<WindowJob>& jobs_;
  Stage maps_, reduces_;
  const Stop* stop_ = nullptr;
  std::span<const Windows> windows_;
  std::vector<Instant> submits_, map_ends_;
  std::vector<std::vector<Instant>> seen_map_ends_;
  double aim_ = 0;
  std::size_t most_ = 0, looked_ = 0;
  bool few_tasks_ = true;
  // What measure() found, by job: the earliest end alone, ms; the work left, ms; jobs with work left.
  std::vector<double> alone_, work_;
  std::vector<std::size_t> working_;
};

}  // namespace wavewright
