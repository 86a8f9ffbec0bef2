// The kind `online-interval`.
#include "apps/reproduce/online.h"

namespace wavewright::app {

namespace {

struct Best {
  double interval_s = 0;
  double improvement = -1e300;  // of total completion time, percent
  double of_flow = 0;           // of total flow time, at that interval
};

Best best_interval(const Workload& arrivals, SlotPool pool, const std::string& policy, const Json& sweep) {
  const Completion before = complete_unordered(arrivals, pool);
  Best best;
  for (Count interval = sweep.at("from"); interval <= sweep.at("to").get<Count>();
       interval += std::max<Count>(1, sweep.at("step"))) {
    const Completion after =
        complete_ordered(arrivals, pool, fmt::format("{}({}s)", policy, interval), "total-completion");
    const double found = improvement(before.total, after.total);
    if (found > best.improvement)
      best = {static_cast<double>(interval), found, improvement(before.flow, after.flow)};
  }
  return best;
}

}  // namespace

Measurements measure_online_interval(const Json& inputs, std::uint64_t seed) {
  Measurements measured;
  const std::uint64_t replications = read_replications(inputs);
  for (const auto& [name, pool_json] : inputs.at("pools").items()) {
    const SlotPool pool = read_pool(pool_json);
    Count adaptive_wins = 0;
    for (const Json& size : inputs.at("sizes")) {
      std::map<std::string, double> means;
      for (const char* policy : {"tp-fti", "tp-ati"}) {
        const auto found = replicate(seed, replications, [&](std::uint64_t each) {
          const Workload arrivals = read_stream(inputs.at("stream"), size, each);
          const Best best = best_interval(arrivals, pool, policy, inputs.at("interval_s"));
          return std::vector<double>{best.interval_s, best.improvement, best.of_flow};
        });
        const std::string key = fmt::format("{}.{}.{}.", name, size.get<Count>(), policy);
        measured[key + "interval"] = mean_of(column(found, 0));
        measured[key + "improvement"] = mean_of(column(found, 1));
        measured[key + "flow"] = mean_of(column(found, 2));
        means[policy] = measured[key + "improvement"].value.get<double>();
      }
      if (means["tp-ati"] > means["tp-fti"]) ++adaptive_wins;
    }
    measured[name + ".adaptive-wins"] = {adaptive_wins};
  }
  return measured;
}

}  // namespace wavewright::app
