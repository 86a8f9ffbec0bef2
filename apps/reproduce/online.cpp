#include "apps/reproduce/online.h"

#include <future>

#include "wavewright/core/error.h"
#include "wavewright/job/generators.h"
#include "wavewright/sched/fifo.h"
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
  if (count >= 1 && count <= 100) return static_cast<std::uint64_t>(count);
  throw InputError({"reproduce"}, fmt::format("{} replications", count), "give 1 to 100");
}

std::vector<std::vector<double>> replicate(
    std::uint64_t first_seed, std::uint64_t replications,
    const std::function<std::vector<double>(std::uint64_t seed)>& measure) {
  std::vector<std::future<std::vector<double>>> running;
  running.reserve(replications);
  for (std::uint64_t i = 0; i < replications; ++i)
    running.push_back(std::async(std::launch::async, measure, first_seed + i));
  std::vector<std::vector<double>> rows;
  rows.reserve(running.size());
  for (auto& each : running) rows.push_back(each.get());
  return rows;
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

Measured mean_of(const std::vector<double>& values) {
  const MeanInterval mean = mean_interval(values);
  if (values.size() < 2 || mean.half == 0) return {mean.mean};
  return {mean.mean, std::pair(mean.mean - mean.half, mean.mean + mean.half)};
}

std::vector<double> column(const std::vector<std::vector<double>>& rows, std::size_t i) {
  std::vector<double> values;
  values.reserve(rows.size());
  for (const std::vector<double>& row : rows) values.push_back(row.at(i));
  return values;
}

}  // namespace wavewright::app
