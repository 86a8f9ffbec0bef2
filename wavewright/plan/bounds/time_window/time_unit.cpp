#include "wavewright/plan/bounds/time_window/time_unit.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "wavewright/plan/bounds/counting_bound.h"

namespace wavewright {

namespace {

// The latest end of a stage of these tasks after its begin.
double longest_stage(const std::vector<CountedTask>& tasks, Count slots) {
  double work = 0, longest = 0;
  for (const CountedTask& task : tasks) {
    work += static_cast<double>(task.length);
    longest = std::max(longest, static_cast<double>(task.length));
  }
  return work / static_cast<double>(std::max<Count>(1, slots)) + longest;
}

}  // namespace

std::int64_t time_unit(const Workload& batch) {
  std::int64_t unit = 0;
  for (const Job& job : batch.jobs) {
    unit = std::gcd(unit, to_ms(job.submit));
    for (const CountedTask& map : counted_maps(job)) unit = std::gcd(unit, map.length);
    for (const CountedTask& reduce : counted_reduces(job)) unit = std::gcd(unit, reduce.length);
  }
  return unit;
}

double weight_unit(std::span<const double> weights) {
  constexpr double same = 1e-14, largest = 1e9;
  for (const double parts : {1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6}) {
    std::int64_t unit = 0;
    const bool whole = std::all_of(weights.begin(), weights.end(), [&](double weight) {
      if (!(weight > 0) || weight > largest) return false;
      const double scaled = weight * parts, rounded = std::round(scaled);
      unit = std::gcd(unit, std::llround(rounded));
      return std::abs(scaled - rounded) <= same * rounded;
    });
    if (whole) return static_cast<double>(unit) / parts;
  }
  return 0;
}

double latest_end(const Workload& batch, SlotPool pool) {
  double submit = 0;
  std::vector<CountedTask> maps, reduces;
  for (const Job& job : batch.jobs) {
    submit = std::max(submit, static_cast<double>(to_ms(job.submit)));
    for (const CountedTask& map : counted_maps(job)) maps.push_back(map);
    for (const CountedTask& reduce : counted_reduces(job)) reduces.push_back(reduce);
  }
  return submit + longest_stage(maps, pool.map_slots) + longest_stage(reduces, pool.reduce_slots);
}

}  // namespace wavewright
