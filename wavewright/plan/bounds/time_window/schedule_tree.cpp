#include "wavewright/plan/bounds/time_window/schedule_tree.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace wavewright {

namespace {

constexpr std::size_t looks_between_stops = 256;
constexpr double nearly = 1 - 1e-12;  // sums that differ by less count as equal

std::int64_t whole(double in_ms) {
  return std::llround(in_ms);
}

}  // namespace

ScheduleTree::ScheduleTree(const std::vector<WindowJob>& jobs, SlotPool pool) : jobs_(jobs) {
  const auto fill = [&](Stage& stage, std::vector<AlikeTasks> WindowJob::* tasks, Count slots) {
    int all = 0;
    for (std::size_t job = 0; job < jobs.size(); ++job) {
      std::vector<AlikeTasks> longest_first = jobs[job].*tasks;
      std::sort(longest_first.begin(), longest_first.end(),
                [](const AlikeTasks& a, const AlikeTasks& b) { return a.length > b.length; });
      for (const AlikeTasks& alike : longest_first) {
        stage.groups.push_back({job, whole(alike.length), static_cast<int>(alike.count)});
        all += stage.groups.back().count;
      }
    }
    stage.slots = static_cast<std::size_t>(std::clamp<Count>(slots, 1, std::max(all, 1)));
    return static_cast<std::size_t>(all) <= most_tasks;
  };
  few_tasks_ = fill(maps_, &WindowJob::maps, pool.map_slots);
  few_tasks_ = fill(reduces_, &WindowJob::reduces, pool.reduce_slots) && few_tasks_;
  for (const WindowJob& job : jobs) submits_.push_back(whole(job.submit));
}

std::optional<double> ScheduleTree::least(std::span<const Windows> windows, double aim, std::size_t most,
                                          const Stop& stop) {
  looked_ = 0;
  stop_ = &stop;
  if (!few_tasks_) return std::nullopt;
  windows_ = windows;
  aim_ = aim;
  most_ = most;
  maps_.seen.clear();
  seen_map_ends_.clear();
  look(true, start(maps_, submits_));
  if (looked_ > most_) return std::nullopt;
  return aim_;
}

ScheduleTree::Partial ScheduleTree::start(const Stage& stage, const std::vector<Instant>& ready) {
  Partial partial;
  for (const Group& group : stage.groups) partial.left.push_back(group.count);
  partial.free.assign(stage.slots, 0);
  partial.ends = ready;
  return partial;
}

bool ScheduleTree::is_new(Stage& stage, const Partial& partial) {
  std::vector<Instant> key(partial.left.begin(), partial.left.end());
  key.insert(key.end(), partial.free.begin(), partial.free.end());
  key.insert(key.end(), partial.ends.begin(), partial.ends.end());
  return stage.seen.insert(std::move(key)).second;
}

// Each job's earliest end in the stage without the others, and its work left.
void ScheduleTree::measure(bool maps, const Partial& partial) {
  const Stage& stage = maps ? maps_ : reduces_;
  const std::vector<Instant>& ready = maps ? submits_ : map_ends_;
  const Instant now = partial.free.front();
  alone_.assign(jobs_.size(), 0);
  work_.assign(jobs_.size(), 0);
  for (std::size_t job = 0; job < jobs_.size(); ++job) alone_[job] = static_cast<double>(partial.ends[job]);
  for (std::size_t i = 0; i < stage.groups.size(); ++i) {
    if (partial.left[i] == 0) continue;
    const Group& group = stage.groups[i];
    const Instant end = std::max(now, ready[group.job]) + group.length;
    alone_[group.job] = std::max(alone_[group.job], static_cast<double>(end));
    work_[group.job] += static_cast<double>(partial.left[i] * group.length);
  }
  working_.clear();
  for (std::size_t job = 0; job < jobs_.size(); ++job) {
    if (work_[job] > 0) working_.push_back(job);
  }
}

// True if the sum may stay below the aim: first with each job alone, then with the jobs left on one machine
// as fast as all slots.
bool ScheduleTree::can_gain(bool maps, const Partial& partial) {
  double sum = 0;
  for (std::size_t job = 0; job < jobs_.size(); ++job) {
    const Windows& own = windows_[job];
    double& end = alone_[job];
    if (end > (maps ? own.maps_to : own.to) + rounding) return false;
    end = maps ? std::max(own.from, std::max(own.maps_from, end) + jobs_[job].tail) : std::max(own.from, end);
    sum += jobs_[job].weight * end;
  }
  if (sum >= aim_ * nearly) return false;
  std::sort(working_.begin(), working_.end(), [&](std::size_t a, std::size_t b) {
    return jobs_[a].weight * work_[b] > jobs_[b].weight * work_[a];
  });
  double together = static_cast<double>(partial.free.front());
  for (const std::size_t job : working_) {
    together += work_[job] / static_cast<double>(partial.free.size());
    sum += jobs_[job].weight * (together + (maps ? jobs_[job].tail : 0) - alone_[job]);
  }
  return sum < aim_ * nearly;
}

// True if the work that must end by each instant fits on the slots before it.
bool ScheduleTree::fits(bool maps, const Partial& partial) {
  const auto latest = [&](std::size_t job) { return maps ? windows_[job].maps_to : windows_[job].to; };
  std::sort(working_.begin(), working_.end(),
            [&](std::size_t a, std::size_t b) { return latest(a) < latest(b); });
  double work = 0;
  for (const std::size_t job : working_) {
    work += work_[job];
    double there = 0;
    for (const Instant free : partial.free) there += std::max(0.0, latest(job) - static_cast<double>(free));
    if (work > there + rounding) return false;
  }
  return true;
}

void ScheduleTree::look(bool maps, const Partial& partial) {
  Stage& stage = maps ? maps_ : reduces_;
  if (looked_ % looks_between_stops == looks_between_stops - 1 && stop_->now()) looked_ = most_;
  if (++looked_ > most_) return;
  measure(maps, partial);
  if (!can_gain(maps, partial) || !fits(maps, partial) || !is_new(stage, partial)) return;
  if (std::all_of(partial.left.begin(), partial.left.end(), [](int left) { return left == 0; }))
    return end(maps, partial);
  const std::vector<Instant>& ready = maps ? submits_ : map_ends_;
  const auto start_of = [&](const Group& group) { return std::max(partial.free.front(), ready[group.job]); };
  Instant first_end = std::numeric_limits<Instant>::max();
  for (std::size_t i = 0; i < stage.groups.size(); ++i) {
    if (partial.left[i] > 0)
      first_end = std::min(first_end, start_of(stage.groups[i]) + stage.groups[i].length);
  }
  for (std::size_t i = 0; i < stage.groups.size() && looked_ <= most_; ++i) {
    const Group& group = stage.groups[i];
    if (partial.left[i] == 0 || start_of(group) >= first_end) continue;
    Partial next = partial;
    const Instant end = start_of(group) + group.length;
    --next.left[i];
    next.ends[group.job] = std::max(next.ends[group.job], end);
    next.free.erase(next.free.begin());
    next.free.insert(std::upper_bound(next.free.begin(), next.free.end(), end), end);
    look(maps, next);
  }
}

void ScheduleTree::end(bool maps, const Partial& partial) {
  if (maps) {
    const auto no_later = [&](const std::vector<Instant>& seen) {
      return std::equal(seen.begin(), seen.end(), partial.ends.begin(), std::less_equal<>());
    };
    if (std::any_of(seen_map_ends_.begin(), seen_map_ends_.end(), no_later)) return;
    map_ends_ = partial.ends;
    seen_map_ends_.push_back(map_ends_);
    reduces_.seen.clear();
    return look(false, start(reduces_, map_ends_));
  }
  double sum = 0;
  for (std::size_t job = 0; job < jobs_.size(); ++job)
    sum += jobs_[job].weight * static_cast<double>(partial.ends[job]);
  aim_ = std::min(aim_, sum);
}

}  // namespace wavewright
