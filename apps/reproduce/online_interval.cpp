// The kind `online-interval`.
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

}  // namespace

Measurements measure_online_interval(const Json& inputs, std::uint64_t seed) {
  Measurements measured;
  const std::uint64_t replications = read_replications(inputs);
  const std::vector<Count> intervals = intervals_of(inputs.at("interval_s"));
  for (const auto& [name, pool_json] : inputs.at("pools").items()) {
    const SlotPool pool = read_pool(pool_json);
    Count adaptive_wins = 0;
    for (const Json& size : inputs.at("sizes")) {
      std::map<std::string, double> means;
      for (const char* policy : {"tp-fti", "tp-ati"}) {
        const auto found = replicate(seed, replications, [&](std::uint64_t each) {
          const Workload arrivals = read_stream(inputs.at("stream"), size, each);
          const Best best = best_interval(arrivals, pool, policy, inputs.at("interval_s"));
          std::vector<double> numbers = {best.interval_s, best.improvement, best.of_flow};
          numbers.insert(numbers.end(), best.of_every.begin(), best.of_every.end());
          return numbers;
        });
        const std::string key = fmt::format("{}.{}.{}.", name, size.get<Count>(), policy);
        measured[key + "interval"] = mean_of(column(found, 0));
        measured[key + "improvement"] = mean_of(column(found, 1));
        measured[key + "flow"] = mean_of(column(found, 2));
        for (std::size_t i = 0; i < intervals.size(); ++i)
          measured[fmt::format("{}at.{}", key, intervals[i])] = mean_of(column(found, 3 + i));
        means[policy] = measured[key + "improvement"].value.get<double>();
      }
      if (means["tp-ati"] > means["tp-fti"]) ++adaptive_wins;
    }
    measured[name + ".adaptive-wins"] = {adaptive_wins};
  }
  return measured;
}

}  // namespace wavewright::app
