// Counter-offers: what would have a refused job accepted. Whoever refuses it answers the questions, each of
// them a variant of how things stand; the searches here decide which are asked.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/sched/decisions.h"
#include "wavewright/sched/view.h"

namespace wavewright {

// The fewest further slots with which a job is in time: of one kind, or of both in proportion to its tasks.
// `own`: as many as it has tasks, which mostly do, if any do. `all`: as many as there are tasks in all, with
// those of other jobs, which may take slots before it. O(log tasks) questions.
[[nodiscard]] std::optional<SlotPool> fewest_further_slots(
    SlotPool own, SlotPool all, const std::function<bool(SlotPool further)>& in_time);

// The least number from `low` to `high` that does; 0 if none does. `is_monotone`: if one does, so do all
// above it, and few are tried.
template <class Does>
[[nodiscard]] std::size_t least_number(std::size_t low, std::size_t high, bool is_monotone,
                                       const Does& does) {
  if (!is_monotone) {
    for (; low <= high; ++low)
      if (does(low)) return low;
    return 0;
  }
  if (low > high || !does(high)) return 0;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (does(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return high;
}

// The first job that would have to give way alone; if none would do, the first so many of them, without those
// that need not. O(jobs) questions.
template <class Job, class InTimeWithout, class FewestFromTheFirst>
[[nodiscard]] std::vector<Job> fewest_to_give_way(const std::vector<Job>& jobs,
                                                  const InTimeWithout& in_time_without,
                                                  const FewestFromTheFirst& fewest_from_the_first) {
  for (const Job& each : jobs) {
    if (in_time_without(std::vector<Job>(1, each))) return std::vector<Job>(1, each);
  }
  const std::size_t count = fewest_from_the_first();
  std::vector<Job> several(jobs.begin(), jobs.begin() + static_cast<std::ptrdiff_t>(count));
  for (std::size_t i = 0; i < several.size();) {
    std::vector<Job> fewer = several;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (in_time_without(fewer)) {
      several = std::move(fewer);
    } else {
      ++i;
    }
  }
  return several;
}

// ---- of policies in a simulation

// `by_deadline`: accepted jobs, that due last first. `nobody_late`: none of them is late whatever is asked.
// Then it helps or does nothing if one more gives way. O(jobs) questions.
[[nodiscard]] std::vector<JobIndex> jobs_to_give_way(
    const std::vector<JobIndex>& by_deadline, bool nobody_late,
    const std::function<bool(const std::vector<JobIndex>& gone)>& in_time_without);

// By deadline, those without one first; of equal ones, those that came last.
[[nodiscard]] std::vector<JobIndex> last_due_first(std::vector<JobIndex> jobs, const View& view);

// `3 more map slots`
[[nodiscard]] std::string further_slots_text(SlotPool slots);

// The end of a sentence: `; a deadline_ms of 50 (50ms) would be accepted, or its own without 'A'.`
[[nodiscard]] std::string counter_offer_text(const CounterOffer& offer, const View& view);

// The rejected jobs that a policy makes counter-offers for: those that it was asked about, of many the first.
class JobsToOffer {
 public:
  void ask(std::span<const JobIndex> jobs) { asked_.insert(jobs.begin(), jobs.end()); }
  // True if an offer is to be made for the job, which is rejected. Once for each job.
  [[nodiscard]] bool take(JobIndex job) {
    if (made_ == most || asked_.erase(job) == 0) return false;
    ++made_;
    return true;
  }

 private:
  static constexpr int most = 25;
  std::set<JobIndex> asked_;
  int made_ = 0;
};

}  // namespace wavewright
