// The kind `online-interval`.
#include <algorithm>

#include "apps/reproduce/online.h"

namespace wavewright::app {

namespace {

struct Best {
  double interval_s = 0;
  double improvement = -1e300;   // of total completion time, percent
  double of_flow = 0;            // of total flow time, at the same interval
  std::vector<double> of_every;  // of total completion time, at each interval of the sweep
};

std::vector<Count> intervals_of(const Json& sweep) {
  std::vector<Count> intervals;
  for (Count interval = sweep.at("from"); interval <= sweep.at("to").get<Count>();
       interval += std::max<Count>(1, sweep.at("step")))
    intervals.push_back(interval);
  return intervals;
}

Best best_interval(const Workload& arrivals, SlotPool pool, const std::string& policy, const Json& sweep) {
  const Completion before = complete_unordered(arrivals, pool);
  Best best;
  for (const Count interval : intervals_of(sweep)) {
    const Completion after =
        complete_ordered(arrivals, pool, fmt::format("{}({}s)", policy, interval), "total-completion");
    const double found = improvement(before.total, after.total);
    best.of_every.push_back(found);
    if (found <= best.improvement) continue;
    best.interval_s = static_cast<double>(interval);
    best.improvement = found;
    best.of_flow = improvement(before.flow, after.flow);
  }
  return best;
}

// The best interval of each replication. One at an end of the sweep may not be the best at all.
Measured best_of_sweep(const std::vector<double>& best, const std::vector<Count>& intervals) {
  Measured result = mean_of(best, Scale::logarithmic);
  const auto at = [&](Count end) { return std::count(best.begin(), best.end(), static_cast<double>(end)); };
  std::vector<std::string> ends;
  if (const auto first = at(intervals.front()); first > 0)
    ends.push_back(fmt::format("its first, {} s, in {}", intervals.front(), first));
  if (const auto last = at(intervals.back()); last > 0)
    ends.push_back(fmt::format("its last, {} s, in {}", intervals.back(), last));
  if (!ends.empty())
    result.note = fmt::format("at an end of the sweep: {} of {} runs", fmt::join(ends, " and "), best.size());
  return result;
}

// How many of `all`: its interval ends at 0 and at `all`.
Measured number_of(const std::vector<double>& counts, std::size_t all) {
  Measured result = mean_of(counts);
  if (result.interval) {
    result.interval->low = std::max(result.interval->low, 0.0);
    result.interval->high = std::min(result.interval->high, static_cast<double>(all));
  }
  return result;
}

}  // namespace

Measurements measure_online_interval(const Json& inputs, const ExperimentRun& run) {
  Measurements measured;
  const std::uint64_t replications = read_replications(inputs);
  const std::vector<Count> intervals = intervals_of(inputs.at("interval_s"));
  for (const auto& [name, pool_json] : inputs.at("pools").items()) {
    const SlotPool pool = read_pool(pool_json);
    std::vector<double> adaptive_wins(replications, 0.0);
    for (const Json& size : inputs.at("sizes")) {
      std::map<std::string, std::vector<double>> improvements;
      for (const char* policy : {"tp-fti", "tp-ati"}) {
        const auto found = replicate(run, read_replications(inputs, size), [&](std::uint64_t each) {
          const Workload arrivals = read_stream(inputs.at("stream"), size, each);
          const Best best = best_interval(arrivals, pool, policy, inputs.at("interval_s"));
          std::vector<double> numbers = {best.interval_s, best.improvement, best.of_flow};
          numbers.insert(numbers.end(), best.of_every.begin(), best.of_every.end());
          return numbers;
        });
        if (run.stop.now()) return measured;
        const std::string key = fmt::format("{}.{}.{}.", name, size.get<Count>(), policy);
        run.progress(fmt::format("{}, {} jobs, {} done", name, size.get<Count>(), policy));
        measured[key + "interval"] = best_of_sweep(column(found, 0), intervals);
        measured[key + "improvement"] = mean_of(column(found, 1));
        measured[key + "flow"] = mean_of(column(found, 2));
        for (std::size_t i = 0; i < intervals.size(); ++i)
          measured[fmt::format("{}at.{}", key, intervals[i])] = mean_of(column(found, 3 + i));
        improvements[policy] = column(found, 1);
      }
      for (std::size_t i = 0; i < replications; ++i)
        if (improvements["tp-ati"][i] > improvements["tp-fti"][i]) ++adaptive_wins[i];
    }
    measured[name + ".adaptive-wins"] = number_of(adaptive_wins, inputs.at("sizes").size());
  }
  return measured;
}

}  // namespace wavewright::app
