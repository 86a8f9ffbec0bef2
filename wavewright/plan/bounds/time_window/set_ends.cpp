#include "wavewright/plan/bounds/time_window/set_ends.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "wavewright/plan/bounds/lower_bound.h"

namespace wavewright {

namespace {

double work_of(const std::vector<AlikeTasks>& tasks) {
  double work = 0;
  for (const AlikeTasks& alike : tasks) work += alike.length * alike.count;
  return work;
}

}  // namespace

SetEnds::SetEnds(const Workload& batch, SlotPool pool, const std::vector<WindowJob>& jobs, const Stop& stop)
    : jobs_(jobs), map_slots_(static_cast<double>(std::max<Count>(1, pool.map_slots))) {
  const Set sets = Set{1} << jobs.size();
  for (auto* const table : {&maps_alone_, &reduces_alone_, &all_, &map_work_, &maps_ends_, &ends_})
    table->assign(sets, 0);
  first_ = jobs.empty() ? 0 : jobs.front().submit;
  for (const WindowJob& job : jobs) first_ = std::min(first_, job.submit);
  const auto bound = [&](const Workload& some) {
    return static_cast<double>(to_ms(makespan_bounds(some, pool).best()));
  };
  for (Set set = 1; set < sets && !stop.now(); ++set) {
    Workload all, maps, reduces;
    for (std::size_t job = 0; job < jobs.size(); ++job) {
      if ((set >> job & 1) == 0) continue;
      all.jobs.push_back(batch.jobs[job]);
      maps.jobs.push_back(batch.jobs[job]);
      maps.jobs.back().reduces.clear();
      reduces.jobs.push_back(batch.jobs[job]);
      reduces.jobs.back().maps.clear();
      reduces.jobs.back().submit = at_ms(0);
      map_work_[set] += work_of(jobs[job].maps);
    }
    all_[set] = bound(all);
    maps_alone_[set] = bound(maps);
    reduces_alone_[set] = bound(reduces);
  }
}

// Adds map work that other jobs must have done by then. A later end means more such work, so it iterates.
double SetEnds::maps_end(Set set, const std::vector<Windows>& windows) const {
  constexpr int rounds = 3;
  double end = maps_alone_[set];
  for (int round = 0; round < rounds; ++round) {
    double work = map_work_[set];
    for (std::size_t job = 0; job < jobs_.size(); ++job) {
      if ((set >> job & 1) != 0) continue;
      for (const AlikeTasks& alike : jobs_[job].maps) {
        const double by_then = alike.length - (windows[job].maps_to - end);
        if (by_then > 0) work += alike.count * std::min(alike.length, by_then);
      }
    }
    const double with_others = first_ + work / map_slots_;
    if (with_others <= end) break;
    end = with_others;
  }
  return end;
}

void SetEnds::find(const std::vector<Windows>& windows) {
  std::vector<std::size_t> latest_first(jobs_.size());
  std::iota(latest_first.begin(), latest_first.end(), std::size_t{0});
  std::sort(latest_first.begin(), latest_first.end(),
            [&](std::size_t a, std::size_t b) { return windows[a].maps_from > windows[b].maps_from; });
  for (Set set = 1; set < maps_ends_.size(); ++set) {
    double maps = maps_end(set, windows), all = all_[set];
    Set late = 0;
    for (const std::size_t job : latest_first) {
      const Set own = Set{1} << job;
      if ((set & own) == 0) continue;
      late |= own;
      all = std::max(all, windows[job].maps_from + reduces_alone_[late]);
      const Set others = set & ~own;
      maps = std::max({maps, windows[job].maps_from, maps_ends_[others]});
      all = std::max({all, windows[job].from, ends_[others]});
    }
    maps_ends_[set] = maps;
    ends_[set] = all;
  }
}

// If all jobs of a set but one must end before the set can, that one ends no sooner than the set.
bool SetEnds::narrow_last(std::vector<Windows>& windows, bool& changed) const {
  const auto narrow = [&](Set set, double end, double Windows::* from, double Windows::* to) {
    double last = -1, last_but_one = -1;
    std::size_t which = 0;
    for (std::size_t job = 0; job < jobs_.size(); ++job) {
      if ((set >> job & 1) == 0) continue;
      const double own = windows[job].*to;
      if (own > last) {
        last_but_one = std::exchange(last, own);
        which = job;
      } else {
        last_but_one = std::max(last_but_one, own);
      }
    }
    if (end > last + rounding) return false;
    if (end > last_but_one + rounding && windows[which].*from < end - rounding) {
      windows[which].*from = end;
      changed = true;
    }
    return true;
  };
  for (Set set = 1; set < maps_ends_.size(); ++set) {
    if (!narrow(set, maps_ends_[set], &Windows::maps_from, &Windows::maps_to) ||
        !narrow(set, ends_[set], &Windows::from, &Windows::to))
      return false;
  }
  return true;
}

bool SetEnds::narrow(std::vector<Windows>& windows) {
  constexpr int rounds = 2;
  bool changed = true;
  for (int round = 0; round < rounds && changed; ++round) {
    find(windows);
    changed = false;
    if (!narrow_last(windows, changed) || !agree(jobs_, windows)) return false;
  }
  return true;
}

std::vector<SetCut> SetEnds::cuts(Cells cells) const {
  std::vector<SetCut> cuts;
  for (const bool maps : {true, false}) {
    const std::vector<double>& ends = maps ? maps_ends_ : ends_;
    for (Set set = 1; set < ends.size(); ++set) {
      if ((set & (set - 1)) == 0) continue;  // windows already contain the end of a single job
      double subsets = 0;
      for (std::size_t job = 0; job < jobs_.size(); ++job) {
        if ((set >> job & 1) != 0) subsets = std::max(subsets, ends[set & ~(Set{1} << job)]);
      }
      // The cut of the last such cell implies those of all cells before.
      const double last =
          std::min(std::ceil((ends[set] - rounding) / cells.width) - 1, static_cast<double>(cells.count));
      if (last >= 0 && last * cells.width >= subsets)
        cuts.push_back({set, static_cast<std::size_t>(last), maps});
    }
  }
  return cuts;
}

}  // namespace wavewright
