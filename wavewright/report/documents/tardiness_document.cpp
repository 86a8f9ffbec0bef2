#include "wavewright/report/documents/tardiness_document.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "wavewright/job/objective.h"

namespace wavewright {

bool is_weighted(const Workload& batch) {
  return std::any_of(batch.jobs.begin(), batch.jobs.end(),
                     [](const Job& job) { return delay_weight(job) != 1; });
}

Json tardiness_document(const TardinessPlan& plan, const Workload& batch, const TardinessProblem& problem,
                        TaskOrder task_order, double seconds) {
  Json order = Json::array(), jobs = Json::array();
  std::int64_t total = 0;
  std::size_t tardy = 0, due = 0;
  for (const JobIndex job : plan.order) {
    const Job& of = batch.jobs[job];
    order.push_back(of.id);
    const std::int64_t late =
        of.deadline ? std::max<std::int64_t>(0, plan.ends[job] - to_ms(*of.deadline)) : 0;
    total += late;
    tardy += late > 0 ? 1 : 0;
    due += of.deadline ? 1 : 0;
    jobs.push_back({{"id", of.id},
                    {"deadline_ms", of.deadline ? Json(to_ms(*of.deadline)) : Json(nullptr)},
                    {"finish_ms", plan.ends[job]},
                    {"tardiness_ms", late}});
  }
  const SlotPool& pool = problem.cluster.pool;
  const double gap = plan.proved_optimal ? 0 : plan.bound > 0 ? (plan.value - plan.bound) / plan.bound : -1;
  Json document = {
      {"objective", to_string(Objective::total_tardiness)},
      {"method", plan.method},
      {"order", order},
      {"pools",
       Json::array({{{"map_slots", pool.map_slots}, {"reduce_slots", pool.reduce_slots}, {"jobs", order}}})},
      {"task_order", to_string(task_order)},
      {"makespan_ms", to_ms(plan.makespan)},
      {"total_completion_ms", to_ms(plan.total_completion)},
      {"total_tardiness_ms", total},
      {"weighted", is_weighted(batch)},
      {"value", plan.value},
      {"lower_bound", plan.bound},
      {"gap", gap < 0 ? Json(nullptr) : Json(gap)},
      {"proved_optimal", plan.proved_optimal},
      {"best_single_order", plan.best_single_order},
      {"tardy_jobs", tardy},
      {"jobs_with_deadline", due},
      {"jobs", std::move(jobs)},
      {"evaluated", plan.evaluated},
      {"seconds", seconds},
      {"seed", problem.seed}};
  if (plan.partial && !plan.proved_optimal) document["partial"] = true;
  return document;
}

}  // namespace wavewright
