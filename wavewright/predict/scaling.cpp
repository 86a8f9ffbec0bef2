#include "wavewright/predict/scaling.h"

#include <algorithm>
#include <cmath>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

constexpr std::int64_t least_input = std::int64_t{1} << 20;
constexpr double same = 0.05;

using Durations = std::vector<Duration> RunPhases::*;

double mean_of(const std::vector<Duration>& durations) {
  double sum = 0;
  for (const Duration duration : durations) sum += static_cast<double>(duration.count());
  return sum / static_cast<double>(durations.size());
}

bool near(double a, double b) {
  return std::abs(a - b) <= same * std::max(std::abs(a), std::abs(b));
}

// Input bytes per reduce; absent if unknown or too little to matter.
std::optional<double> bytes_per_reduce(const std::optional<Bytes>& input, Count reduces) {
  if (!input || input->count < least_input || reduces <= 0) return std::nullopt;
  return static_cast<double>(input->count) / static_cast<double>(reduces);
}

std::vector<RunPhases> successful(std::span<const RunPhases> runs) {
  std::vector<RunPhases> kept;
  std::copy_if(runs.begin(), runs.end(), std::back_inserter(kept),
               [](const RunPhases& run) { return run.state == RunState::succeeded; });
  return kept;
}

// The middle one, so that it is a number that a run had; 0 if no run has any.
template <class Value>
Count usual(const std::vector<RunPhases>& runs, Value value) {
  std::vector<Count> counts;
  counts.reserve(runs.size());
  for (const RunPhases& run : runs) counts.push_back(value(run));
  if (counts.empty()) return 0;
  const auto middle = counts.begin() + (std::ssize(counts) - 1) / 2;
  std::nth_element(counts.begin(), middle, counts.end());
  return *middle;
}

// From the bytes that a map of these runs reads; if unknown, the middle number of maps of the runs.
Count maps_for(const std::vector<RunPhases>& runs, const std::optional<Bytes>& input) {
  double bytes = 0;
  double maps = 0;
  for (const RunPhases& run : runs) {
    if (!run.map_input || run.map_input->count < least_input) continue;
    bytes += static_cast<double>(run.map_input->count);
    maps += static_cast<double>(run.maps);
  }
  if (!input || bytes <= 0 || maps <= 0) {
    return usual(runs, [](const RunPhases& run) { return run.maps; });
  }
  return std::max<Count>(1, std::llround(static_cast<double>(input->count) * maps / bytes));
}

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::pair<double, double> range_of(const std::vector<Point>& points) {
  const auto [least, most] = std::minmax_element(points.begin(), points.end(),
                                                 [](const Point& a, const Point& b) { return a.x < b.x; });
  return {least->x, most->x};
}

void scale(std::vector<Duration>& durations, double factor) {
  for (Duration& duration : durations) {
    duration = ms(std::llround(static_cast<double>(duration.count()) * factor));
  }
}

std::optional<double> bytes_per_map(const RunPhases& run) {
  if (!run.map_input || run.map_input->count < least_input || run.maps <= 0) return std::nullopt;
  return static_cast<double>(run.map_input->count) / static_cast<double>(run.maps);
}

// Scales one phase of all runs to x = `wanted`, where `x_of` gives x of a run; true if a line was fitted. If
// all runs have one size, scales in proportion or not at all.
template <class X>
bool scale_phase(std::vector<RunPhases>& runs, Durations phase, double wanted, X x_of, bool proportional) {
  std::vector<Point> points;
  for (const RunPhases& run : runs) {
    const auto x = x_of(run);
    if (x && !(run.*phase).empty()) points.push_back({*x, mean_of(run.*phase)});
  }
  if (points.empty()) return false;
  const auto [least, most] = range_of(points);
  const bool fitted = !near(least, most);
  if (!fitted && !proportional) return false;
  const Line line = fitted ? fit_line(points) : Line{0, 1};
  for (RunPhases& run : runs) {
    const auto x = x_of(run);
    if (x && line.at(*x) > 0) scale(run.*phase, line.at(wanted) / line.at(*x));
  }
  return fitted;
}

// Tasks that ran at once.
double neighbours(Count slots, Count tasks) {
  return static_cast<double>(std::min(slots, tasks));
}

struct Crowd {
  Durations phase;
  Count SlotPool::* slots;
  Count RunPhases::* tasks;
};

// Scales a phase of all runs to so many tasks on so many slots; true if this changed anything.
bool scale_for_contention(std::vector<RunPhases>& runs, const Crowd& crowd, Count slots, Count tasks) {
  const auto beside = [&](const RunPhases& run) {
    return neighbours(run.slots.*crowd.slots, run.*crowd.tasks);
  };
  std::vector<Point> points;
  for (const RunPhases& run : runs) {
    if (!(run.*crowd.phase).empty()) points.push_back({beside(run), mean_of(run.*crowd.phase)});
  }
  if (points.size() < 2) return false;
  const auto [least, most] = range_of(points);
  if (near(least, most)) return false;
  const Line line = robust_line(points);
  if (line.slope <= 0) return false;
  const double asked = std::clamp(neighbours(slots, tasks), least / 2, most * 2);
  const double seen = std::clamp(asked, least, most);
  const double wanted = line.at(seen) + line.slope * (asked - seen) / 2;
  for (RunPhases& run : runs) scale(run.*crowd.phase, wanted / line.at(beside(run)));
  return true;
}

bool scale_for_contention(ScaledRuns& scaled, const RunSize& wanted) {
  bool any = false;
  if (wanted.map_slots) {
    const Crowd maps = {&RunPhases::map, &SlotPool::map_slots, &RunPhases::maps};
    any = scale_for_contention(scaled.runs, maps, *wanted.map_slots, scaled.maps);
  }
  if (!wanted.reduce_slots) return any;
  for (const Durations phase : {&RunPhases::shuffle, &RunPhases::reduce}) {
    const Crowd reduces = {phase, &SlotPool::reduce_slots, &RunPhases::reduces};
    any = scale_for_contention(scaled.runs, reduces, *wanted.reduce_slots, scaled.reduces) || any;
  }
  return any;
}

void check(const RunSize& wanted) {
  if (wanted.input && wanted.input->count <= 0) throw UsageError("no input bytes", "give a size like 2GiB");
  if (wanted.maps.value_or(1) < 0 || wanted.reduces.value_or(1) < 0) {
    throw UsageError("a negative number of tasks", "count them from 0");
  }
}

}  // namespace

std::string to_string(ScalingMethod method) {
  switch (method) {
    case ScalingMethod::none:
      return "none";
    case ScalingMethod::same_size:
      return "same-size";
    case ScalingMethod::fitted:
      return "fitted";
    case ScalingMethod::proportional:
      break;
  }
  return "proportional";
}

Line fit_line(std::span<const Point> points) {
  double x = 0, y = 0, xx = 0, xy = 0;
  for (const Point& point : points) {
    x += point.x;
    y += point.y;
    xx += point.x * point.x;
    xy += point.x * point.y;
  }
  const auto n = static_cast<double>(points.size());
  const double across = xx - x * x / n;
  const double slope = across > 0 ? (xy - x * y / n) / across : 0;
  if (slope <= 0) return {y / n, 0};
  const double intercept = (y - slope * x) / n;
  if (intercept < 0) return {0, xy / xx};
  return {intercept, slope};
}

Line robust_line(std::span<const Point> points) {
  constexpr std::size_t most = 128;
  const std::size_t kept = std::min(points.size(), most);
  const auto nth = [&](std::size_t i) { return points[i * points.size() / kept]; };
  std::vector<double> slopes;
  for (std::size_t i = 0; i < kept; ++i) {
    for (std::size_t k = i + 1; k < kept; ++k) {
      if (nth(i).x != nth(k).x) slopes.push_back((nth(k).y - nth(i).y) / (nth(k).x - nth(i).x));
    }
  }
  const double slope = std::max(0.0, median_of(std::move(slopes)));
  std::vector<double> left, ratios;
  for (std::size_t i = 0; i < kept; ++i) {
    left.push_back(nth(i).y - slope * nth(i).x);
    if (nth(i).x > 0) ratios.push_back(nth(i).y / nth(i).x);
  }
  const double intercept = median_of(std::move(left));
  if (intercept < 0) return {0, median_of(std::move(ratios))};
  return {intercept, slope};
}

ScaledRuns scale_runs(std::span<const RunPhases> runs, const RunSize& wanted) {
  check(wanted);
  ScaledRuns scaled;
  scaled.runs = successful(runs);
  scaled.maps = wanted.maps.value_or(maps_for(scaled.runs, wanted.input));
  scaled.reduces =
      wanted.reduces.value_or(usual(scaled.runs, [](const RunPhases& run) { return run.reduces; }));
  scaled.contention = scale_for_contention(scaled, wanted);
  if (!wanted.input || wanted.input->count < least_input || scaled.runs.empty()) return scaled;
  const auto target = bytes_per_reduce(wanted.input, scaled.reduces);
  bool told = true;
  bool equal = true;
  for (const RunPhases& run : scaled.runs) {
    told = told && run.map_input && run.map_input->count >= least_input;
    const auto bytes = bytes_per_reduce(run.map_input, run.reduces);
    // Of a job without reduces only the number of maps can be scaled.
    equal = equal && (target && bytes ? near(*bytes, *target) : !target && !bytes);
  }
  if (!told) return scaled;
  if (scaled.maps > 0 &&
      scale_phase(scaled.runs, &RunPhases::map,
                  static_cast<double>(wanted.input->count) / static_cast<double>(scaled.maps), bytes_per_map,
                  false)) {
    scaled.method = ScalingMethod::fitted;
  }
  if (scaled.method != ScalingMethod::fitted) {
    scaled.method = equal ? ScalingMethod::same_size : ScalingMethod::proportional;
  }
  if (equal || !target) return scaled;
  const auto per_reduce = [](const RunPhases& run) { return bytes_per_reduce(run.map_input, run.reduces); };
  for (const Durations phase : {&RunPhases::first_shuffle, &RunPhases::shuffle, &RunPhases::reduce}) {
    if (scale_phase(scaled.runs, phase, *target, per_reduce, true)) scaled.method = ScalingMethod::fitted;
  }
  return scaled;
}

}  // namespace wavewright
