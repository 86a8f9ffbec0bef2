#include "wavewright/report/documents/rental_document.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "wavewright/core/or_null.h"
#include "wavewright/report/documents/interval.h"

namespace wavewright {

Json rental_figures_json(const RentalFigures& figures) {
  const RentalOption& option = figures.option;
  return {{"policy", option.policy},
          {"machines", option.machines.empty() ? Json(nullptr) : Json(option.machines)},
          {"bid_usd_per_hour", option.bid ? Json(to_usd(*option.bid)) : Json(nullptr)},
          {"class", option.node_class.empty() ? Json(nullptr) : Json(option.node_class)},
          {"spec", option.spec},
          {"runs", figures.runs},
          {"cost_usd", interval_json(figures.cost_usd)},
          {"tardy_share", interval_json(figures.tardy)},
          {"tardy_jobs", interval_json(figures.tardy_jobs)},
          {"tardiness_ms", interval_json(figures.tardiness_ms)},
          {"leases", figures.leases},
          {"revoked", figures.revoked},
          {"machine_hours", figures.machine_hours},
          {"most_machines", figures.most_machines},
          {"longest_span_ms", to_ms(figures.longest_span)},
          {"meets", figures.meets},
          {"frontier", figures.frontier}};
}

Json rental_document(const RentalChoice& choice, const RentalQuestion& question,
                     const std::vector<std::string>& left_out, const Workload& workload,
                     const std::vector<ImpossibleDeadline>& impossible) {
  Json options = Json::array(), hopeless = Json::array();
  for (const RentalFigures& each : choice.options) options.push_back(rental_figures_json(each));
  for (const ImpossibleDeadline& each : impossible) {
    const Job& job = workload.jobs[each.job];
    hopeless.push_back(
        {{"job", job.id}, {"deadline_ms", to_ms(*job.deadline)}, {"earliest_ms", to_ms(each.earliest)}});
  }
  return {{"jobs", workload.jobs.size()},
          {"jobs_with_deadline", std::count_if(workload.jobs.begin(), workload.jobs.end(),
                                               [](const Job& job) { return job.deadline.has_value(); })},
          {"late_at_most", question.late_at_most},
          {"seeds", question.seeds},
          {"best", choice.best ? rental_figures_json(choice.options[*choice.best]) : Json(nullptr)},
          {"bound",
           {{"all_in_time_usd", or_null(choice.bound_all_in_time)},
            {"as_best_usd", or_null(choice.bound_as_best)}}},
          {"options", std::move(options)},
          {"impossible_deadlines", std::move(hopeless)},
          {"left_out", left_out},
          {"partial", choice.partial}};
}

}  // namespace wavewright
