#include "wavewright/plan/methods/branch_and_bound.h"

#include <algorithm>
#include <limits>

#include "wavewright/plan/methods/prefix_bound.h"
#include "wavewright/plan/schedule/list_schedule.h"
#include "wavewright/plan/schedule/stage_slots.h"

namespace wavewright {

namespace {

constexpr std::uint64_t stop_every_prefixes = 512;

class Tree {
 public:
  Tree(const PlanningProblem& problem, Duration target, std::uint64_t most_prefixes, const Stop& stop)
      : problem_(problem),
        stop_(stop),
        schedule_(*problem.batch, problem.cluster.pool),
        bound_(*problem.batch, problem.cluster.pool, problem.objective),
        target_(to_ms(target)),
        most_prefixes_(most_prefixes) {
    const auto& jobs = problem.batch->jobs;
    for (const Job& job : jobs) {
      auto& runs = maps_.emplace_back();
      for (const Duration map : job.maps) {
        if (runs.empty() || runs.back().first != to_ms(map)) runs.emplace_back(to_ms(map), 0);
        ++runs.back().second;
      }
      submits_.push_back(to_ms(job.submit));
      auto& reduces = reduces_.emplace_back();
      for (std::size_t i = 0; i < job.reduces.size(); ++i) {
        const std::int64_t first = to_ms(job.reduces[i] + job.first_shuffle(i));
        const std::int64_t later = to_ms(job.reduces[i] + job.later_shuffle(i));
        if (reduces.empty() || reduces.back().first != first || reduces.back().later != later)
          reduces.push_back({first, later, 0});
        ++reduces.back().count;
      }
    }
    for (JobIndex job = 0; job < jobs.size(); ++job) {
      auto& same = like_before_.emplace_back(0);
      for (JobIndex other = 0; other < job; ++other) {
        const bool alike = jobs[other].maps == jobs[job].maps && jobs[other].reduces == jobs[job].reduces &&
                           jobs[other].first_shuffles == jobs[job].first_shuffles &&
                           jobs[other].shuffles == jobs[job].shuffles &&
                           jobs[other].submit == jobs[job].submit;
        if (alike) same |= std::uint32_t{1} << other;
      }
    }
    free_.resize(jobs.size() + 1);
    free_[0].reset(static_cast<std::uint32_t>(bound_.map_slots()));
    reduce_free_.resize(jobs.size() + 2);
    reduce_free_[0].reset(static_cast<std::uint32_t>(bound_.reduce_slots()));
    prefixes_at_.resize(jobs.size() + 1);
  }

  BranchAndBoundResult run(const std::vector<JobIndex>& start) {
    consider(start, schedule_.value(start));
    const std::size_t jobs = maps_.size();
    const std::uint32_t all = jobs == 0 ? 0 : ~std::uint32_t{0} >> (32 - jobs);
    extend(all, all, 0, {});
    found_.complete = !over_;
    return found_;
  }

 private:
  // The settled jobs at a depth: the first of the fixed ones (methods/prefix_bound.h).
  struct Settled {
    std::size_t count = 0;
    std::uint32_t jobs = 0;
    std::int64_t sum = 0, last = 0;  // Σ and maximum of their ends
  };

  void consider(const std::vector<JobIndex>& order, PlanValue value) {
    ++found_.evaluations;
    const std::int64_t cost = to_ms(value.of(problem_.objective));
    if (cost >= least_) return;
    least_ = cost;
    found_.order = order;
  }

  // Tries the order so far with the jobs of `left` in every order behind it. `loose`: the jobs that are not
  // fixed. free_[fixed]: the map slots after the maps of the fixed jobs.
  void extend(std::uint32_t left, std::uint32_t loose, std::size_t fixed, Settled settled) {
    if (left == 0)
      return consider(order_, loose == 0
                                  ? schedule_.value_of_reduces(order_, {map_ends_.data(), maps_.size()})
                                  : schedule_.value(order_));
    if (over_ || least_ <= target_) return;
    if (++prefixes_ > most_prefixes_) {
      over_ = true;
      return;
    }
    if (prefixes_ % stop_every_prefixes == 0 && stop_.now()) {
      over_ = found_.stopped = true;
      return;
    }
    Prefix& prefix = prefixes_at_[order_.size()];
    prefix.others = loose & ~bound_.without_maps();
    prefix.map_ends = map_ends_;
    for (JobIndex job = 0; job < maps_.size(); ++job) {
      if (!is_in(loose, job)) continue;
      scratch_ = free_[fixed];
      prefix.map_ends[job] = place_maps(job, scratch_);
    }
    settle(settled, fixed, loose, prefix.map_ends);
    prefix.settled = settled.jobs;
    prefix.settled_sum = settled.sum;
    prefix.settled_last = settled.last;
    waves(free_[fixed], bound_.map_slots(), prefix.map_slots);
    waves(reduce_free_[order_.size() + 1], bound_.reduce_slots(), prefix.reduce_slots);
    if (bound_.of(prefix, least_) >= least_) return;
    for (const JobIndex job : bound_.promising()) {
      if (!is_in(left, job) || (left & like_before_[job]) != 0) continue;
      const std::uint32_t rest = left & ~(std::uint32_t{1} << job);
      order_.push_back(job);
      if (left == loose && nothing_before(job, rest, free_[fixed])) {
        free_[fixed + 1] = free_[fixed];
        map_ends_[job] = place_maps(job, free_[fixed + 1]);
        extend(rest, rest, fixed + 1, settled);
      } else {
        extend(rest, loose, fixed, settled);
      }
      order_.pop_back();
    }
  }

  // True if no job of the rest can start a map before this one's.
  [[nodiscard]] bool nothing_before(JobIndex job, std::uint32_t rest, const WaveSlots& free) const {
    if (maps_[job].empty() || submits_[job] <= free.first()) return true;
    for (JobIndex other = 0; other < maps_.size(); ++other) {
      if (is_in(rest, other) && !maps_[other].empty() && submits_[other] < submits_[job]) return false;
    }
    return true;
  }

  // The instants when the slots become free, ascending.
  void waves(const WaveSlots& free, std::int64_t slots, std::vector<SlotWave>& found) {
    constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max();
    scratch_ = free;
    found.clear();
    for (std::int64_t left = slots; left > 0; left -= found.back().slots) {
      const std::int64_t at = scratch_.first();
      found.push_back({at, scratch_.give(static_cast<std::uint32_t>(left), far)});
    }
  }

  // Settles as many more fixed jobs as possible, from the reduce slots of the depth before. Stores the slots
  // after them for this depth.
  void settle(Settled& settled, std::size_t fixed, std::uint32_t loose, const JobTimes& map_ends) {
    WaveSlots& slots = reduce_free_[order_.size() + 1];
    slots = reduce_free_[order_.size()];
    std::int64_t behind = std::numeric_limits<std::int64_t>::max();  // the first map end of later jobs
    for (JobIndex job = 0; job < maps_.size(); ++job) {
      if (is_in(loose, job) && !reduces_[job].empty()) behind = std::min(behind, map_ends[job]);
    }
    latest_.assign(fixed + 1, 0);
    for (std::size_t at = settled.count; at < fixed; ++at)
      latest_[at + 1] = std::max(latest_[at], map_ends[order_[at]]);
    std::size_t end = fixed;
    for (; end > settled.count && latest_[end] > behind; --end) {
      const JobIndex job = order_[end - 1];
      if (!reduces_[job].empty()) behind = std::min(behind, map_ends[job]);
    }
    if (end > settled.count) place_reduces(settled, end, slots);
  }

  // List schedule of the reduces of the jobs before position `end` that are not settled yet.
  void place_reduces(Settled& settled, std::size_t end, WaveSlots& slots) {
    constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
    cursors_.assign(end, {});
    for (std::int64_t clock = 0;;) {
      clock = std::max(clock, slots.first());
      std::int64_t next = never;  // when the next of these jobs is ready
      std::size_t at = settled.count;
      for (; at < end; ++at) {
        const JobIndex job = order_[at];
        if (cursors_[at].run == reduces_[job].size()) continue;
        if (map_ends_[job] <= clock) break;
        next = std::min(next, map_ends_[job]);
      }
      if (at == end && next == never) break;
      if (at == end) {
        clock = next;
        continue;
      }
      const JobIndex job = order_[at];
      Cursor& cursor = cursors_[at];
      const Run& run = reduces_[job][cursor.run];
      const std::int64_t ends = clock + (clock == map_ends_[job] ? run.first : run.later);
      cursor.last = std::max(cursor.last, ends);
      cursor.given += slots.give(run.count - cursor.given, ends);
      if (cursor.given == run.count) {
        ++cursor.run;
        cursor.given = 0;
      }
    }
    for (; settled.count < end; ++settled.count) {
      const JobIndex job = order_[settled.count];
      const std::int64_t last = std::max(map_ends_[job], cursors_[settled.count].last);
      settled.jobs |= std::uint32_t{1} << job;
      settled.sum += last;
      settled.last = std::max(settled.last, last);
    }
  }

  // Places each map on the slot that is free first. Returns the end of the last one.
  std::int64_t place_maps(JobIndex job, WaveSlots& free) const {
    std::int64_t last = submits_[job];
    for (const auto& [length, count] : maps_[job]) {
      for (std::uint32_t left = count; left > 0;) {
        const std::int64_t end = std::max(free.first(), submits_[job]) + length;
        last = std::max(last, end);
        left -= free.give(left, end);
      }
    }
    return last;
  }

  const PlanningProblem& problem_;
  const Stop& stop_;
  ListSchedule schedule_;
  PrefixBound bound_;
  const std::int64_t target_;
  const std::uint64_t most_prefixes_;
  std::vector<std::vector<std::pair<std::int64_t, std::uint32_t>>> maps_;  // by job: lengths in runs
  std::vector<std::int64_t> submits_;
  std::vector<std::uint32_t> like_before_;  // by job: set of identical jobs earlier in the batch
  std::vector<WaveSlots> free_;             // map slots, after each fixed prefix
  WaveSlots scratch_;
  struct Run {
    std::int64_t first = 0, later = 0;  // length in the first wave, and in a later one
    std::uint32_t count = 0;
  };
  struct Cursor {
    std::size_t run = 0;
    std::uint32_t given = 0;  // tasks of the run placed
    std::int64_t last = 0;    // end so far
  };
  std::vector<std::vector<Run>> reduces_;  // by job
  std::vector<WaveSlots> reduce_free_;     // reduce slots after the settled jobs, by depth + 1
  std::vector<std::int64_t> latest_;
  std::vector<Cursor> cursors_;
  std::vector<Prefix> prefixes_at_;  // by depth
  JobTimes map_ends_{};
  std::vector<JobIndex> order_;
  BranchAndBoundResult found_;
  std::int64_t least_ = std::numeric_limits<std::int64_t>::max();
  std::uint64_t prefixes_ = 0;
  bool over_ = false;
};

}  // namespace

BranchAndBoundResult best_single_order(const PlanningProblem& problem, const std::vector<JobIndex>& start,
                                       Duration target, std::uint64_t most_prefixes, const Stop& stop) {
  return Tree(problem, target, most_prefixes, stop).run(start);
}

}  // namespace wavewright
