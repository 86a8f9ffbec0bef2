// Searches all schedules for one with all jobs in time. Each job has equal maps and equal reduces. For few
// tasks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "wavewright/core/quantity.h"

namespace wavewright::realtime_worlds {

// The tasks that a job has left. Ends are of its tasks that run or are over, and known.
struct TwoStages {
  Count maps = 0;
  std::int64_t map = 0;
  std::int64_t release = 0;  // no map starts before
  std::int64_t maps_end = 0;
  Count reduces = 0;
  std::int64_t reduce = 0;
  std::int64_t reduces_end = 0;
  std::int64_t deadline = 0;
};

struct StageStart {
  std::size_t job = 0;
  bool is_map = true;
  std::int64_t at = 0;
};

// Tasks are placed in the order of their starts, each on the slot that is available first: of equal slots
// that one will do. All orders are tried, and states that were seen are not tried again.
class ExactFeasibility {
 public:
  ExactFeasibility(std::vector<std::int64_t> map_slots, std::vector<std::int64_t> reduce_slots,
                   std::vector<TwoStages> jobs)
      : map_slots_(std::move(map_slots)), reduce_slots_(std::move(reduce_slots)), jobs_(std::move(jobs)) {
    std::sort(map_slots_.begin(), map_slots_.end());
    std::sort(reduce_slots_.begin(), reduce_slots_.end());
  }

  // The starts of a schedule in which all are in time; none if there is none.
  [[nodiscard]] std::optional<std::vector<StageStart>> schedule() {
    for (const TwoStages& job : jobs_) {
      if (std::max(job.maps_end, job.reduces_end) > job.deadline) return std::nullopt;
    }
    if (maps(map_slots_)) return starts_;
    return std::nullopt;
  }

 private:
  using Slots = std::vector<std::int64_t>;

  static Slots with(const Slots& slots, std::int64_t end) {
    Slots next(slots.begin() + 1, slots.end());
    next.insert(std::upper_bound(next.begin(), next.end(), end), end);
    return next;
  }

  bool maps(const Slots& slots) {
    std::vector<std::pair<Count, std::int64_t>> left;
    bool any = false;
    for (const TwoStages& job : jobs_) {
      left.emplace_back(job.maps, job.maps_end);
      any = any || job.maps > 0;
      const std::int64_t first = slots.empty() ? 0 : std::max(slots.front(), job.release);
      const std::int64_t end = std::max(job.maps_end, job.maps > 0 ? first + job.map : 0);
      if (end + (job.reduces > 0 ? job.reduce : 0) > job.deadline && job.maps + job.reduces > 0) return false;
    }
    if (!any) {
      seen_reduces_.clear();
      return reduces(reduce_slots_);
    }
    if (slots.empty() || !seen_maps_.insert({slots, left}).second) return false;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      TwoStages& job = jobs_[i];
      if (job.maps == 0) continue;
      const TwoStages before = job;
      const std::int64_t start = std::max(slots.front(), job.release);
      --job.maps;
      job.maps_end = std::max(job.maps_end, start + job.map);
      starts_.push_back({i, true, start});
      const bool found = maps(with(slots, start + job.map));
      job = before;
      if (found) return true;
      starts_.pop_back();
    }
    return false;
  }

  bool reduces(const Slots& slots) {
    std::vector<Count> left;
    bool any = false;
    for (const TwoStages& job : jobs_) {
      left.push_back(job.reduces);
      if (job.reduces == 0) continue;
      any = true;
      if (slots.empty() || std::max(slots.front(), job.maps_end) + job.reduce > job.deadline) return false;
    }
    if (!any) return true;
    if (!seen_reduces_.insert({slots, left}).second) return false;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      TwoStages& job = jobs_[i];
      if (job.reduces == 0) continue;
      const std::int64_t start = std::max(slots.front(), job.maps_end);
      --job.reduces;
      starts_.push_back({i, false, start});
      const bool found = reduces(with(slots, start + job.reduce));
      ++job.reduces;
      if (found) return true;
      starts_.pop_back();
    }
    return false;
  }

  Slots map_slots_, reduce_slots_;
  std::vector<TwoStages> jobs_;
  std::vector<StageStart> starts_;
  std::set<std::pair<Slots, std::vector<std::pair<Count, std::int64_t>>>> seen_maps_;
  std::set<std::pair<Slots, std::vector<Count>>> seen_reduces_;
};

}  // namespace wavewright::realtime_worlds
