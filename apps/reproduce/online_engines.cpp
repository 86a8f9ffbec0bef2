// The kind `online-engines`.
#include <chrono>
#include <numeric>

#include "apps/reproduce/online.h"
#include "wavewright/dispatch/search.h"

namespace wavewright::app {

namespace {

// All measurements for one number of jobs, one value per replication.
using Samples = std::map<std::string, std::vector<double>>;

void compare_engines(const std::vector<WaitingJob>& jobs, SlotPool pool, const std::string& name,
                     const std::string& objective, Samples& samples) {
  std::map<OrderingMode, double> value;
  for (const OrderingMode mode : {OrderingMode::alg, OrderingMode::sim}) {
    const OrderingEngine engine{.pool = pool,
                                .objective = parse_objective(objective, queue_objectives),
                                .mode = mode,
                                .search_up_to = most_searched};
    const auto began = std::chrono::steady_clock::now();
    const EngineOrder ordered = order_by_engine(engine, jobs, Time{});
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    value[mode] = value_of_order(engine, jobs, Time{}, ordered.order);
    const std::string key = name + "." + to_string(mode);
    samples[key].push_back(value[mode] / 1000);
    samples[key + ".ms"].push_back(1000 * seconds);
    samples[key + ".evaluated"].push_back(static_cast<double>(ordered.evaluated));
  }
  samples[name + ".alg-above-sim"].push_back(100 * (value[OrderingMode::alg] / value[OrderingMode::sim] - 1));
}

}  // namespace

Measurements measure_online_engines(const Json& inputs, std::uint64_t seed) {
  Measurements measured;
  const SlotPool pool = read_pool(inputs.at("pool"));
  const std::uint64_t replications = read_replications(inputs);
  for (const Json& size : inputs.at("sizes")) {
    Samples samples;
    for (std::uint64_t i = 0; i < replications; ++i) {
      std::vector<WaitingJob> jobs;
      for (Job& job : read_stream(inputs.at("stream"), size, seed + i).jobs) {
        job.submit = Time{};
        jobs.push_back(waiting_job(job));
      }
      compare_engines(jobs, pool, "makespan", "makespan", samples);
      compare_engines(jobs, pool, "total", "total-completion", samples);
    }
    for (const auto& [key, values] : samples) {
      Measured mean = mean_of(values);
      if (key.ends_with(".ms")) mean.interval.reset();  // depends on the machine, not on the method
      measured[fmt::format("{}.{}", size.get<Count>(), key)] = std::move(mean);
    }
  }
  return measured;
}

}  // namespace wavewright::app
