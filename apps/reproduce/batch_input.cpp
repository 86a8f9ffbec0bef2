#include "apps/reproduce/batch_input.h"

#include <cmath>

#include "wavewright/core/error.h"
#include "wavewright/plan/evaluate.h"

namespace wavewright::app {

std::vector<JobIndex> BatchInput::indices(const Json& ids) const {
  std::vector<JobIndex> order;
  for (const Json& each : ids) {
    const auto id = each.get<std::string>();
    const auto found = std::find_if(workload.jobs.begin(), workload.jobs.end(),
                                    [&](const Job& job) { return job.id == id; });
    if (found == workload.jobs.end()) throw InputError({"reproduce"}, "unknown job '" + id + "' in an order");
    order.push_back(static_cast<JobIndex>(found - workload.jobs.begin()));
  }
  return order;
}

std::string BatchInput::names(std::span<const std::string> ids) const {
  return fmt::format("{}", fmt::join(ids, " "));
}

BatchInput read_batch(const Json& inputs) {
  BatchInput batch;
  batch.unit_ms = inputs.at("unit_ms");
  batch.pool = {inputs.at("pool").at("map_slots"), inputs.at("pool").at("reduce_slots")};
  const auto tasks = [&](const Json& job, const char* count, const char* duration) {
    const double length = batch.unit_ms * job.at(duration).get<double>();
    return std::vector<Duration>(job.at(count).get<std::size_t>(), ms(std::llround(length)));
  };
  for (const Json& each : inputs.at("jobs")) {
    Job job;
    job.id = each.at("id");
    job.maps = tasks(each, "maps", "map");
    job.reduces = tasks(each, "reduces", "reduce");
    batch.workload.jobs.push_back(std::move(job));
  }
  check(batch.workload, "reproduce");
  return batch;
}

void measure_given_orders(const BatchInput& batch, const Json& inputs, std::uint64_t seed,
                          Measurements& measured) {
  const TaskTable tasks(batch.workload);
  const Json orders = inputs.value("orders", Json::object());
  for (const auto& [name, ids] : orders.items()) {
    const PlanValue value = evaluate(tasks, batch.indices(ids), {batch.pool});
    measured["order." + name] = {batch.in_units(value.makespan)};
  }
  const Json names = inputs.value("planners", Json::array());
  for (const Json& each : names) {
    const auto name = each.get<std::string>();
    const PlanningProblem problem{.batch = shared(batch.workload), .cluster = {batch.pool}, .seed = seed};
    const Plan plan = plan_by(name, problem, Stop());
    measured["planner." + name] = {batch.in_units(plan.makespan)};
    measured["planner." + name + ".order"] = {batch.names(plan.order)};
  }
}

}  // namespace wavewright::app
