#include "apps/engine/plan_units.h"

#include <memory>
#include <sstream>

#include <fmt/format.h>

#include "apps/engine/units.h"
#include "wavewright/core/error.h"
#include "wavewright/job/task_order.h"
#include "wavewright/job/workload_file.h"
#include "wavewright/plan/all_methods.h"
#include "wavewright/sched/plan_file.h"

namespace wavewright::app {

namespace {

constexpr const char* batch_file = "batch.jsonl";

// The plan with those of its facts that a reader of a plan file need not trust.
Plan plan_of(const std::string& text, const std::string& unit) {
  Plan plan = plan_from_json(text, "unit " + unit);
  const Json told = Json::parse(text);
  plan.proved_optimal = told.at("proved_optimal").get<bool>();
  plan.evaluated = told.at("evaluated").get<Count>();
  plan.seconds = told.at("seconds").get<double>();
  plan.seed = told.at("seed").get<std::uint64_t>();
  plan.best_single_order = told.value("best_single_order", false);
  plan.partial = told.value("partial", false);
  return plan;
}

Json job_of(const PlanSearch& search) {
  return {{"kind", "plan"},
          {"map_slots", search.cluster.pool.map_slots},
          {"reduce_slots", search.cluster.pool.reduce_slots},
          {"slowstart", search.cluster.slowstart},
          {"objective", to_string(search.objective)},
          {"method", search.method},
          {"within", search.within},
          {"evaluations", search.evaluations},
          {"task_order", to_string(search.task_order)},
          {"choose_order", search.choose_order}};
}

PlanSearch search_of(const Json& job, const std::filesystem::path& inputs) {
  PlanSearch search;
  search.listed = shared(read_workload(inputs / batch_file));
  search.cluster.pool = {job.at("map_slots").get<Count>(), job.at("reduce_slots").get<Count>()};
  search.cluster.slowstart = job.at("slowstart").get<double>();
  search.objective = parse_objective(job.at("objective").get<std::string>());
  search.method = job.at("method").get<std::string>();
  search.within = job.at("within").get<double>();
  search.evaluations = job.at("evaluations").get<std::uint64_t>();
  search.task_order = parse_task_order(job.at("task_order").get<std::string>());
  search.choose_order = job.at("choose_order").get<bool>();
  return search;
}

std::string unit_of(std::uint64_t seed) {
  return fmt::format("seed-{}", seed);
}

}  // namespace

std::vector<Plan> plans_on_yarn(const Context& context, const EngineFlags& flags, const PlanSearch& search,
                                std::uint64_t seed, Count searches) {
  if (!search.method.empty()) {
    const std::string why = planner(search.method)->refuses(problem_of(search, seed));
    if (!why.empty()) throw UsageError(fmt::format("{}: {}", search.method, why), "choose another method");
  }
  std::ostringstream batch;
  write_workload(batch, *search.listed);
  const Json job = job_of(search);
  std::vector<Unit> units;
  for (Count i = 0; i < searches; ++i) {
    const std::uint64_t own = seed + static_cast<std::uint64_t>(i);
    units.push_back({unit_of(own), Json(own).dump()});
  }
  const auto began = Stop::Clock::now();
  YarnEngine engine(context, flags, flags.ca_file, "plan",
                    key_of({}, {batch.str(), job.dump(), fmt::format("{} {}", seed, searches)}));
  try {
    engine.start(job, [&](TarWriter& tar) { tar.add(batch_file, batch.str()); });
    engine.run().complete(units, [](const std::string&) {});
  } catch (const Interrupted&) {
    engine.tell_interrupted();
    throw;
  }
  std::vector<Plan> plans;
  plans.reserve(units.size());
  for (const Unit& unit : units) plans.push_back(plan_of(engine.run().results().text(unit.id), unit.id));
  engine.run().finish();
  share_bounds(plans);
  const double seconds = std::chrono::duration<double>(Stop::Clock::now() - began).count();
  for (Plan& plan : plans) plan.seconds = seconds;
  return plans;
}

UnitWork plan_work(const Json& job, const std::filesystem::path& inputs) {
  const auto search = std::make_shared<const PlanSearch>(search_of(job, inputs));
  return [search](const Unit& unit) {
    const auto seed = Json::parse(unit.work).get<std::uint64_t>();
    const std::vector<Plan> plans = searched_plans(*search, problem_of(*search, seed), {});
    Plan best = best_plan(plans, search->within);
    best.seconds = 0;  // the time of one attempt: another has another
    return plan_to_json(best).dump(-1, ' ', false, Json::error_handler_t::strict);
  };
}

}  // namespace wavewright::app
