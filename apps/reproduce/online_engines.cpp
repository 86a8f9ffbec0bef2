// The kind `online-engines`.
#include <time.h>

#include <numeric>

#include <tbb/parallel_for.h>

#include "apps/reproduce/online.h"
#include "wavewright/dispatch/search.h"

namespace wavewright::app {

namespace {

// Of this thread: other replications and other programs do not count.
double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

using Numbers = std::map<std::string, double>;

void compare_engines(const std::vector<WaitingJob>& jobs, SlotPool pool, const std::string& name,
                     const std::string& objective, Numbers& found) {
  std::map<OrderingMode, double> value;
  for (const OrderingMode mode : {OrderingMode::alg, OrderingMode::sim}) {
    const OrderingEngine engine{.pool = pool,
                                .objective = parse_objective(objective, queue_objectives),
                                .mode = mode,
                                .search_up_to = most_searched};
    const double began = processor_seconds();
    const EngineOrder ordered = order_by_engine(engine, jobs, Time{});
    const double seconds = processor_seconds() - began;
    value[mode] = value_of_order(engine, jobs, Time{}, ordered.order);
    const std::string key = name + "." + to_string(mode);
    found[key] = value[mode] / 1000;
    found[key + ".ms"] = 1000 * seconds;
    found[key + ".evaluated"] = static_cast<double>(ordered.evaluated);
  }
  found[name + ".alg-above-sim"] = 100 * (value[OrderingMode::alg] / value[OrderingMode::sim] - 1);
}

}  // namespace

Measurements measure_online_engines(const Json& inputs, const ExperimentRun& run) {
  Measurements measured;
  const SlotPool pool = read_pool(inputs.at("pool"));
  for (const Json& size : inputs.at("sizes")) {
    const std::uint64_t replications = read_replications(inputs, size);
    std::vector<Numbers> found(replications);
    tbb::parallel_for(std::uint64_t{0}, replications, [&](std::uint64_t i) {
      if (run.stop.now()) return;
      std::vector<WaitingJob> jobs;
      for (Job& job : read_stream(inputs.at("stream"), size, run.seed + i).jobs) {
        job.submit = Time{};
        jobs.push_back(waiting_job(job));
      }
      compare_engines(jobs, pool, "makespan", "makespan", found[i]);
      compare_engines(jobs, pool, "total", "total-completion", found[i]);
    });
    if (run.stop.now()) return measured;
    run.progress(fmt::format("{} jobs done", size.get<Count>()));
    for (const auto& [key, first] : found.front()) {
      std::vector<double> values;
      values.reserve(found.size());
      for (const Numbers& each : found) values.push_back(each.at(key));
      // None can be negative: ALG is above the best order, or is it.
      Measured mean = mean_of(values, Scale::logarithmic);
      if (key.ends_with(".ms")) mean.interval.reset();  // depends on the machine, not on the method
      measured[fmt::format("{}.{}", size.get<Count>(), key)] = std::move(mean);
    }
  }
  return measured;
}

}  // namespace wavewright::app
