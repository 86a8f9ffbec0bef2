// The kinds `orders` and `pools`.
#include <numeric>

#include "apps/reproduce/batch_input.h"
#include "wavewright/core/error.h"
#include "wavewright/plan/evaluate.h"

namespace wavewright::app {

namespace {

constexpr std::size_t most_jobs_to_permute = 9;

struct Extremes {
  Duration best = longest_duration;
  Duration worst{};
  Count count = 0;
};

Extremes all_orders(const TaskTable& tasks, std::size_t jobs, SlotPool pool) {
  if (jobs > most_jobs_to_permute) {
    throw InputError({"reproduce"}, fmt::format("all orders of {} jobs are too many", jobs),
                     "give at most 9 jobs");
  }
  std::vector<JobIndex> order(jobs);
  std::iota(order.begin(), order.end(), JobIndex{0});
  Extremes extremes;
  do {
    const Duration makespan = evaluate(tasks, order, {pool}).makespan;
    extremes.best = std::min(extremes.best, makespan);
    extremes.worst = std::max(extremes.worst, makespan);
    ++extremes.count;
  } while (std::next_permutation(order.begin(), order.end()));
  return extremes;
}

SlotPool both(Count slots) {
  return {slots, slots};
}

void measure_given_pools(const BatchInput& batch, const Json& pools, Measurements& measured) {
  Duration makespan{};
  int number = 0;
  for (const Json& each : pools) {
    Workload part;
    for (const JobIndex job : batch.indices(each.at("jobs"))) part.jobs.push_back(batch.workload.jobs[job]);
    std::vector<JobIndex> order(part.jobs.size());
    std::iota(order.begin(), order.end(), JobIndex{0});
    const Duration value = evaluate(TaskTable(part), order, {both(each.at("slots"))}).makespan;
    measured[fmt::format("pool.{}", ++number)] = {batch.in_units(value)};
    makespan = std::max(makespan, value);
  }
  measured["pools"] = {batch.in_units(makespan)};
}

// Both parts of every split, with all sizes and all orders.
void measure_all_splits(const BatchInput& batch, Measurements& measured) {
  const std::size_t jobs = batch.workload.jobs.size();
  const Count slots = std::min(batch.pool.map_slots, batch.pool.reduce_slots);
  // Best makespan of each subset of jobs alone on i + 1 slots of each kind.
  std::vector<std::vector<Duration>> alone(std::size_t{1} << jobs);
  Count evaluated = 0;
  for (std::size_t subset = 1; subset + 1 < alone.size(); ++subset) {
    Workload part;
    for (std::size_t job = 0; job < jobs; ++job) {
      if ((subset >> job & 1U) != 0) part.jobs.push_back(batch.workload.jobs[job]);
    }
    const TaskTable tasks(part);
    for (Count size = 1; size < slots; ++size) {
      const Extremes extremes = all_orders(tasks, part.jobs.size(), both(size));
      alone[subset].push_back(extremes.best);
      evaluated += extremes.count;
    }
  }
  Duration best = longest_duration;
  for (std::size_t subset = 1; subset + 1 < alone.size(); ++subset) {
    const auto& first = alone[subset];
    const auto& second = alone[alone.size() - 1 - subset];
    for (std::size_t i = 0; i < first.size(); ++i) {  // i + 1 slots here, slots − i − 1 there
      best = std::min(best, std::max(first[i], second[first.size() - 1 - i]));
    }
  }
  measured["all-splits.best"] = {batch.in_units(best)};
  measured["all-splits.evaluated"] = {evaluated};
}

}  // namespace

Measurements measure_orders(const Json& inputs, std::uint64_t seed) {
  const BatchInput batch = read_batch(inputs);
  Measurements measured;
  measure_given_orders(batch, inputs, seed, measured);
  const Extremes all = all_orders(TaskTable(batch.workload), batch.workload.jobs.size(), batch.pool);
  measured["all.best"] = {batch.in_units(all.best)};
  measured["all.worst"] = {batch.in_units(all.worst)};
  measured["all.count"] = {all.count};
  return measured;
}

Measurements measure_pools(const Json& inputs, std::uint64_t seed) {
  const BatchInput batch = read_batch(inputs);
  Measurements measured;
  measure_given_orders(batch, inputs, seed, measured);
  measure_given_pools(batch, inputs.at("pools"), measured);
  measure_all_splits(batch, measured);
  return measured;
}

}  // namespace wavewright::app
