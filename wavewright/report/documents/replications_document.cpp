#include "wavewright/report/documents/replications_document.h"

#include <nlohmann/json.hpp>

#include "wavewright/report/documents/counts.h"
#include "wavewright/report/documents/interval.h"

namespace wavewright {

Json replications_document(const Workload& workload, const Replications& replications,
                           const ReplicateOptions& options) {
  Json jobs = Json::array();
  for (std::size_t i = 0; i < replications.jobs.size(); ++i) {
    const JobSpread& job = replications.jobs[i];
    const bool any = job.done > 0;
    jobs.push_back({{"id", workload.jobs[i].id},
                    {"completion_ms", any ? interval_json(job.completion_ms) : Json(nullptr)},
                    {"p95_completion_ms", any ? Json(to_ms(job.p95_completion)) : Json(nullptr)},
                    {"done", job.done},
                    {"late", job.late}});
  }
  Json document = {
      {"policy", options.policy},
      {"replications", replications.count},
      {"partial", replications.count < options.count},
      {"first_seed", options.first_seed},
      {"makespan_ms", interval_json(replications.makespan_ms)},
      {"makespan_p5_ms", to_ms(replications.p5_makespan)},
      {"makespan_p50_ms", to_ms(replications.p50_makespan)},
      {"makespan_p95_ms", to_ms(replications.p95_makespan)},
      {"mean_completion_ms",
       replications.mean_completion_ms ? interval_json(*replications.mean_completion_ms) : Json(nullptr)},
      {"jobs", std::move(jobs)}};
  if (replications.energy_j) document["energy_j"] = *replications.energy_j;
  if (replications.cost_usd) document["cost_usd"] = *replications.cost_usd;
  add_counts(document, replications.counts);
  return document;
}

}  // namespace wavewright
