#include "wavewright/plan/bounds/time_window/timetable.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wavewright {

namespace {

constexpr double most_waves = 16;  // of tasks of one length; more are not simulated
constexpr double never = std::numeric_limits<double>::infinity();

// The earliest end of tasks of one length that may start from `from` on. free_at(cell): free slots; all are
// free after the last cell. Each task starts as soon as it can. `never` if they cannot end by `until`.
template <typename FreeAt>
double earliest_end(const AlikeTasks& tasks, double from, double until, double slots, Cells cells,
                    FreeAt free_at) {
  struct Group {
    double end, count;
  };
  std::vector<Group> running;
  double at = from, left = tasks.count, end = from;
  while (left > 0) {
    std::erase_if(running, [&](const Group& group) { return group.end <= at + rounding; });
    const double ends = at + tasks.length;
    if (ends > until + rounding) return never;
    double free = slots, blocked = never;  // end of the first cell without a free slot
    for (const Group& group : running) free -= group.count;
    for (std::size_t cell = cells.cell_at(at); cell < cells.count; ++cell) {
      if (cells.begin_of(cell + 1) <= at + rounding) continue;
      const double begin = std::max(at, cells.begin_of(cell));
      if (begin >= ends - rounding) break;
      double there = free_at(cell);
      for (const Group& group : running) {
        if (group.end > begin + rounding) there -= group.count;
      }
      if (there < 1) blocked = std::min(blocked, cells.begin_of(cell + 1));
      free = std::min(free, there);
    }
    if (free >= 1) {
      const double count = std::min(left, std::floor(free + rounding));
      running.push_back({ends, count});
      left -= count;
      end = ends;
      continue;
    }
    double next = blocked;
    for (const Group& group : running) next = std::min(next, group.end);
    if (next == never) return never;
    at = next;
  }
  return end;
}

}  // namespace

Timetable::Timetable(const std::vector<WindowJob>& jobs, SlotPool pool, Cells cells)
    : jobs_(jobs),
      map_slots_(static_cast<double>(std::max<Count>(1, pool.map_slots))),
      reduce_slots_(static_cast<double>(std::max<Count>(1, pool.reduce_slots))),
      cells_(cells),
      own_(jobs.size()) {}

// Counts the slots busy throughout each cell: tasks that can neither end before its end nor start after its
// begin. False if they exceed the slots.
bool Timetable::count(const std::vector<AlikeTasks>& tasks, double slots, Span span, std::size_t job) {
  std::vector<double>& own = own_[job];
  own.assign(cells_.count, 0);
  for (const AlikeTasks& alike : tasks) {
    const double waves = std::ceil(alike.count / slots);
    if (span.to - span.from >= (waves + 1) * alike.length) continue;
    for (std::size_t cell = cells_.cell_at(span.from); cell < cells_.count; ++cell) {
      const double begin = cells_.begin_of(cell), end = cells_.begin_of(cell + 1);
      if (begin >= span.to) break;
      const double before = std::ceil((end - span.from) / alike.length - rounding) - 1;
      const double after = std::ceil((span.to - begin) / alike.length - rounding) - 1;
      own[cell] += std::max(0.0, alike.count - slots * (std::max(0.0, before) + std::max(0.0, after)));
    }
  }
  for (std::size_t cell = 0; cell < cells_.count; ++cell) {
    busy_[cell] += own[cell];
    if (busy_[cell] > slots + rounding) return false;
  }
  return true;
}

double Timetable::end_from(const AlikeTasks& tasks, Span span, std::size_t job, double slots) {
  return earliest_end(tasks, span.from, span.to, slots, cells_,
                      [&](std::size_t cell) { return slots - (busy_[cell] - own_[job][cell]); });
}

// The same backwards in time: the latest possible start of the first task.
double Timetable::start_until(const AlikeTasks& tasks, Span span, std::size_t job, double slots) {
  // Time runs backwards from the end of the cells; spans beyond it are not handled.
  const double end = cells_.begin_of(cells_.count);
  if (span.to > end) return never;
  const double turned = end - span.to;
  const double found = earliest_end(tasks, turned, end - span.from, slots, cells_, [&](std::size_t cell) {
    const std::size_t back = cells_.count - 1 - cell;
    return slots - (busy_[back] - own_[job][back]);
  });
  return found == never ? -never : end - found;
}

bool Timetable::narrow_stage(std::vector<Windows>& windows, bool maps, bool& changed) {
  const double slots = maps ? map_slots_ : reduce_slots_;
  busy_.assign(cells_.count, 0);
  const auto span = [&](std::size_t job) {
    const Windows& own = windows[job];
    return maps ? Span{jobs_[job].submit, own.maps_to} : Span{own.maps_from, own.to};
  };
  for (std::size_t job = 0; job < jobs_.size(); ++job) {
    if (!count(maps ? jobs_[job].maps : jobs_[job].reduces, slots, span(job), job)) return false;
  }
  for (std::size_t job = 0; job < jobs_.size(); ++job) {
    Windows& own = windows[job];
    for (const AlikeTasks& alike : maps ? jobs_[job].maps : jobs_[job].reduces) {
      if (alike.count > most_waves * slots) continue;
      double& from = maps ? own.maps_from : own.from;
      const double end = end_from(alike, span(job), job, slots);
      if (end == never) return false;
      if (end > from + rounding) from = end, changed = true;
      if (maps) continue;
      const double start = start_until(alike, span(job), job, slots);
      if (start == -never) return false;
      if (start < own.maps_to - rounding) own.maps_to = start, changed = true;
    }
  }
  return agree(jobs_, windows);
}

bool Timetable::narrow(std::vector<Windows>& windows) {
  constexpr int rounds = 4;
  bool changed = true;
  for (int round = 0; round < rounds && changed; ++round) {
    changed = false;
    if (!narrow_stage(windows, true, changed) || !narrow_stage(windows, false, changed)) return false;
  }
  return true;
}

}  // namespace wavewright
