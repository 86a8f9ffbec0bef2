// The kind `online-improvement`.
#include <algorithm>

#include "apps/reproduce/online.h"

namespace wavewright::app {

namespace {

void sum_up(const std::string& key, const std::vector<std::vector<double>>& by_size, Measurements& measured) {
  if (!by_size.empty()) sum_up_nested(key, by_size, Scale::linear, measured);
}

}  // namespace

Measurements measure_online_improvement(const Json& inputs, const ExperimentRun& run) {
  const std::vector<std::string> measures = {"makespan", "total", "flow"};
  Measurements measured;
  const std::uint64_t replications = read_replications(inputs);
  const auto when = inputs.at("when").get<std::string>();
  for (const auto& [name, stream] : inputs.at("streams").items()) {
    const SlotPool pool = read_pool(stream.at("pool"));
    std::map<std::string, std::vector<std::vector<double>>> all;
    for (const Json& size : stream.at("sizes")) {
      const auto found = replicate(run, replications, [&, &stream_input = stream](std::uint64_t each) {
        const Workload arrivals = read_stream(stream_input, size, each);
        const Completion before = complete_unordered(arrivals, pool);
        const Completion shortest = complete_ordered(arrivals, pool, when, "makespan");
        const Completion after = complete_ordered(arrivals, pool, when, "total-completion");
        return std::vector<double>{improvement(before.makespan, shortest.makespan),
                                   improvement(before.total, after.total),
                                   improvement(before.flow, after.flow)};
      });
      if (run.stop.now()) return measured;
      run.progress(fmt::format("{}, {} jobs done", name, size.get<Count>()));
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
