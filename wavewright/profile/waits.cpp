#include "wavewright/profile/waits.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <queue>

#include "wavewright/history/sanity_checks.h"

namespace wavewright {

namespace {

struct Stay {
  Time start;
  Time finish;
  friend auto operator<=>(const Stay&, const Stay&) = default;
};

std::vector<Stay> stays_of(const JobRun& run, TaskKind kind) {
  std::vector<Stay> stays;
  const SanityChecks checks(run);
  for (const TaskRun& task : run.tasks) {
    const Attempt* const best = task.kind == kind ? winner(task) : nullptr;
    if (best != nullptr && checks.possible(*best)) stays.push_back({*best->start, *best->finish});
  }
  std::sort(stays.begin(), stays.end());
  return stays;
}

using Instants = std::priority_queue<Time, std::vector<Time>, std::greater<>>;

// Calls `first(start)` or `next(start, when its slot became free)` for each stay in order of start.
template <class First, class Next>
void over_slots(const std::vector<Stay>& stays, First first, Next next) {
  Instants free;  // end of the last stay in each slot
  for (const Stay& stay : stays) {
    if (free.empty() || free.top() > stay.start) {
      first(stay.start);
    } else {
      next(stay.start, free.top());
      free.pop();
    }
    free.push(stay.finish);
  }
}

Time last_end(const std::vector<Stay>& stays) {
  Time last = stays.front().finish;
  for (const Stay& stay : stays) last = std::max(last, stay.finish);
  return last;
}

// The earliest time at which the job may request its first reduce.
std::optional<Time> reduces_ready(const std::vector<Stay>& maps, double slowstart) {
  if (maps.empty()) return std::nullopt;
  std::vector<Time> ends;
  ends.reserve(maps.size());
  for (const Stay& map : maps) ends.push_back(map.finish);
  const Count needed = std::max<Count>(1, slowstart_maps(slowstart, static_cast<Count>(maps.size())));
  const auto nth = ends.begin() + (needed - 1);
  std::nth_element(ends.begin(), nth, ends.end());
  return *nth;
}

void add_stages(const JobRun& run, const std::vector<Stay>& maps, const std::vector<Stay>& reduces,
                RunPhases& phases) {
  if (!run.submit || !run.finish || (maps.empty() && reduces.empty())) return;
  const Time begin = maps.empty() ? reduces.front().start : maps.front().start;
  const Time maps_done = maps.empty() ? begin : last_end(maps);
  const Time reduced = reduces.empty() ? maps_done : std::max(maps_done, last_end(reduces));
  if (begin < *run.submit || *run.finish < reduced) return;
  phases.startup = begin - *run.submit;
  phases.map_stage = maps_done - begin;
  phases.reduce_stage = reduced - maps_done;
  phases.commit = *run.finish - reduced;
}

}  // namespace

double slowstart_of(const std::map<std::string, std::string>& settings) {
  constexpr double hadoops_own = 0.05;
  const auto told = settings.find("mapreduce.job.reduce.slowstart.completedmaps");
  if (told == settings.end()) return hadoops_own;
  char* end = nullptr;
  const double share = std::strtod(told->second.c_str(), &end);
  return end != told->second.c_str() && share >= 0 && share <= 1 ? share : hadoops_own;
}

Count slowstart_maps(double share, Count maps) {
  return std::clamp<Count>(static_cast<Count>(std::ceil(share * static_cast<double>(maps) - 1e-9)), 0, maps);
}

void add_waits(const JobRun& run, RunPhases& phases) {
  const std::vector<Stay> maps = stays_of(run, TaskKind::map);
  const std::vector<Stay> reduces = stays_of(run, TaskKind::reduce);
  add_stages(run, maps, reduces, phases);
  over_slots(
      maps, [&](Time start) { phases.map_ramp.push_back(start - maps.front().start); },
      [&](Time start, Time free) { phases.map_wait.push_back(start - free); });
  const std::optional<Time> ready = reduces_ready(maps, slowstart_of(run.settings));
  if (!ready) return;
  const auto wait = [&](Time start, Time able) {
    phases.reduce_wait.push_back(std::max(start - able, ms(0)));
  };
  over_slots(
      reduces, [&](Time start) { wait(start, *ready); },
      [&](Time start, Time free) { wait(start, std::max(free, *ready)); });
}

}  // namespace wavewright
