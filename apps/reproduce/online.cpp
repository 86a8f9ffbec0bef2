#include "apps/reproduce/online.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include "wavewright/core/error.h"
#include "wavewright/job/generators.h"
#include "wavewright/sched/policies/fifo.h"
#include "wavewright/sim/experiment/sweep.h"
#include "wavewright/sim/simulate.h"

namespace wavewright::app {

namespace {

// `order`: index in the arrivals of each simulated job; empty = the same order.
Completion complete(const Workload& arrivals, const Workload& simulated, const std::vector<JobIndex>& order,
                    SlotPool pool) {
  const auto fifo = make_fifo();
  const SimulationResult result = simulate(simulated, *fifo, {.pool = pool});
  Completion completion{.makespan = static_cast<double>(to_ms(result.makespan))};
  for (std::size_t i = 0; i < result.jobs.size(); ++i) {
    const Job& job = arrivals.jobs[order.empty() ? i : order[i]];
    completion.total += static_cast<double>(to_ms(result.jobs[i].finish));
    completion.flow += static_cast<double>(to_ms(result.jobs[i].finish - job.submit));
  }
  return completion;
}

}  // namespace

Workload read_stream(const Json& stream, Count jobs, std::uint64_t seed) {
  auto settings = stream.value("settings", std::map<std::string, std::string>());
  settings["jobs"] = std::to_string(jobs);
  return generate(generator(stream.at("generator").get<std::string>()), seed, settings);
}

SlotPool read_pool(const Json& pool) {
  return {pool.at("map_slots"), pool.at("reduce_slots")};
}

std::uint64_t read_replications(const Json& inputs) {
  const Count count = inputs.at("replications");
  if (count >= 1 && static_cast<std::uint64_t>(count) <= most_replications)
    return static_cast<std::uint64_t>(count);
  throw InputError({"reproduce"}, fmt::format("{} replications", count),
                   fmt::format("give 1 to {}", most_replications));
}

std::uint64_t read_replications(const Json& inputs, Count size) {
  const std::uint64_t replications = read_replications(inputs);
  if (!inputs.contains("times")) return replications;
  const Count times = inputs.at("times").value(std::to_string(size), Count{1});
  if (times < 1 || static_cast<std::uint64_t>(times) > most_replications) {
    throw InputError({"reproduce"}, fmt::format("{} times as many replications", times),
                     fmt::format("give 1 to {}", most_replications));
  }
  return std::min(replications * static_cast<std::uint64_t>(times), most_replications);
}

std::vector<std::vector<double>> replicate(const ExperimentRun& run, std::uint64_t replications,
                                           const MeasureSeed& measure) {
  std::vector<std::vector<double>> rows(replications);
  tbb::parallel_for(std::uint64_t{0}, replications, [&](std::uint64_t i) {
    if (!run.stop.now()) rows[i] = measure(run.seed + i);
  });
  return rows;
}

std::vector<std::vector<double>> replicate(const ExperimentRun& run, std::uint64_t replications,
                                           const std::string& noun, const MeasureSeed& measure) {
  std::mutex guard;
  std::uint64_t done = 0;
  return replicate(run, replications, [&](std::uint64_t seed) {
    std::vector<double> row = measure(seed);
    if (run.stop.now()) return row;
    const std::lock_guard lock(guard);
    run.progress(fmt::format("{} of {} {} done", ++done, replications, noun));
    return row;
  });
}

Measurements measured_once(const Json& inputs, const ExperimentRun& run, Measure measure) {
  static std::mutex guard;
  static std::map<std::pair<Measure, std::string>, Measurements> kept;
  const auto key = std::pair(measure, fmt::format("{}\n{}", run.seed, inputs.dump()));
  {
    const std::lock_guard lock(guard);
    if (const auto found = kept.find(key); found != kept.end()) return found->second;
  }
  Measurements measured = measure(inputs, run);
  if (!run.stop.now()) {
    const std::lock_guard lock(guard);
    kept.emplace(key, measured);
  }
  return measured;
}

Completion complete_unordered(const Workload& arrivals, SlotPool pool) {
  return complete(arrivals, arrivals, {}, pool);
}

Completion complete_ordered(const Workload& arrivals, SlotPool pool, const std::string& when,
                            const std::string& objective) {
  DispatchQueue queue(make_reorder_policy(when),
                      {.pool = pool, .objective = parse_objective(objective, queue_objectives)});
  const QueueRun run = run_queue(arrivals, queue);
  return complete(arrivals, run.dispatched, run.order, pool);
}

double improvement(double unordered, double ordered) {
  return 100 * (unordered - ordered) / ordered;
}

Measured mean_of(const std::vector<double>& values, Scale scale) {
  return {mean_interval(values).mean, values, confidence_interval(values, scale), scale};
}

void sum_up_nested(const std::string& key, const std::vector<std::vector<double>>& by_size, Scale scale,
                   Measurements& measured) {
  std::vector<double> least, most, mean;
  for (std::size_t replication = 0; replication < by_size.front().size(); ++replication) {
    const std::vector<double> sizes = column(by_size, replication);
    least.push_back(*std::min_element(sizes.begin(), sizes.end()));
    most.push_back(*std::max_element(sizes.begin(), sizes.end()));
    mean.push_back(mean_interval(sizes).mean);
  }
  measured[key + ".least"] = mean_of(least, scale);
  measured[key + ".most"] = mean_of(most, scale);
  measured[key + ".mean"] = mean_of(mean, scale);
  measured[key + ".most-in-one-run"] = {*std::max_element(most.begin(), most.end())};
}

std::vector<double> joined(const std::vector<double>& a, const std::vector<double>& b,
                           const std::function<double(double, double)>& join) {
  std::vector<double> result;
  result.reserve(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result.push_back(join(a[i], b[i]));
  return result;
}

std::vector<double> column(const std::vector<std::vector<double>>& rows, std::size_t i) {
  std::vector<double> values;
  values.reserve(rows.size());
  for (const std::vector<double>& row : rows) values.push_back(row.at(i));
  return values;
}

}  // namespace wavewright::app
