// The kind `online-improvement`.
#include <algorithm>

#include "apps/reproduce/online.h"

namespace wavewright::app {

namespace {

// Over the sizes: the smallest and the largest mean, and the mean of all values.
void sum_up(const std::string& key, const std::vector<std::vector<double>>& by_size, Measurements& measured) {
  double least = 1e300, most = -1e300;
  std::vector<double> by_replication(by_size.empty() ? 0 : by_size.front().size(), 0.0);
  for (const std::vector<double>& values : by_size) {
    const double mean = mean_of(values).value.get<double>();
    least = std::min(least, mean);
    most = std::max(most, mean);
    for (std::size_t i = 0; i < values.size(); ++i)
      by_replication[i] += values[i] / static_cast<double>(by_size.size());
  }
  measured[key + ".least"] = {least};
  measured[key + ".most"] = {most};
  measured[key + ".mean"] = mean_of(by_replication);
  double single = -1e300;
  for (const std::vector<double>& values : by_size)
    single = std::max(single, *std::max_element(values.begin(), values.end()));
  measured[key + ".most-in-one-run"] = {single};
}

}  // namespace

Measurements measure_online_improvement(const Json& inputs, std::uint64_t seed) {
  const std::vector<std::string> measures = {"makespan", "total", "flow"};
  Measurements measured;
  const std::uint64_t replications = read_replications(inputs);
  const auto when = inputs.at("when").get<std::string>();
  for (const auto& [name, stream] : inputs.at("streams").items()) {
    const SlotPool pool = read_pool(stream.at("pool"));
    std::map<std::string, std::vector<std::vector<double>>> all;
    for (const Json& size : stream.at("sizes")) {
      const auto found = replicate(seed, replications, [&, &stream_input = stream](std::uint64_t each) {
        const Workload arrivals = read_stream(stream_input, size, each);
        const Completion before = complete_unordered(arrivals, pool);
        const Completion shortest = complete_ordered(arrivals, pool, when, "makespan");
        const Completion after = complete_ordered(arrivals, pool, when, "total-completion");
        return std::vector<double>{improvement(before.makespan, shortest.makespan),
                                   improvement(before.total, after.total),
                                   improvement(before.flow, after.flow)};
      });
      for (std::size_t i = 0; i < measures.size(); ++i) {
        const std::vector<double> values = column(found, i);
        measured[fmt::format("{}.{}.{}", name, measures[i], size.get<Count>())] = mean_of(values);
        all[measures[i]].push_back(values);
      }
    }
    for (const auto& [measure, by_size] : all) sum_up(name + "." + measure, by_size, measured);
  }
  return measured;
}

}  // namespace wavewright::app
