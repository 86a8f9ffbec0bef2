#include "wavewright/report/documents/plan_document.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "wavewright/sched/plan_file.h"

namespace wavewright {

namespace {

Json json_of(const Bottlenecks& limits, const Workload& batch) {
  Json spans = Json::array();
  for (const Bottleneck& span : limits.spans) {
    Json entry = {{"by", name_of(span.by)},
                  {"from_ms", to_ms(span.from)},
                  {"to_ms", to_ms(span.to)},
                  {"job", batch.jobs[span.job].id}};
    if (span.by != Bottleneck::By::submission) {
      entry["kind"] = name_of(span.kind);
      entry["task"] = span.task;
      entry["tasks"] = span.tasks;
    }
    if (span.by == Bottleneck::By::map_slots || span.by == Bottleneck::By::reduce_slots)
      entry["use"] = span.use;
    if (span.by == Bottleneck::By::job) entry["waiting"] = batch.jobs[span.waiting].id;
    spans.push_back(std::move(entry));
  }
  return {{"text", in_words(limits, batch)},
          {"map_use", limits.map_use},
          {"reduce_use", limits.reduce_use},
          {"spans", std::move(spans)}};
}

Json json_of(const Risk& risk, const LengthsDrawn& lengths, const Workload& batch) {
  Json jobs = Json::array();
  for (const JobRisk& job : risk.jobs) {
    jobs.push_back({{"id", batch.jobs[job.job].id},
                    {"critical", job.critical},
                    {"moves_ms", std::llround(job.moves_ms)}});
  }
  Json json = {{"samples", risk.samples},          {"spread", lengths.spread},
               {"job_spread", lengths.job_spread}, {"distributions", lengths.distributions},
               {"mean_ms", to_ms(risk.mean)},      {"p5_ms", to_ms(risk.p5)},
               {"p50_ms", to_ms(risk.p50)},        {"p95_ms", to_ms(risk.p95)}};
  if (risk.samples > 0) {
    json["histogram"] = {{"above_ms", to_ms(risk.makespans.above)},
                         {"step_ms", to_ms(risk.makespans.step)},
                         {"counts", risk.makespans.counts}};
  }
  if (risk.meets) {
    json["meets"] = {
        {"probability", risk.meets->share}, {"low", risk.meets->low}, {"high", risk.meets->high}};
  }
  json["longer"] = risk.longer;
  json["jobs"] = std::move(jobs);
  json["partial"] = risk.partial;
  return json;
}

}  // namespace

Json plan_document(const Plan& plan, const PlanAnswers& answers, const Workload& batch) {
  Json document = plan_to_json(plan);
  if (answers.limits) document["limits"] = json_of(*answers.limits, batch);
  if (answers.deadline) {
    document["deadline"] = {{"deadline_ms", to_ms(*answers.deadline)},
                            {"met", plan.makespan <= *answers.deadline},
                            {"spare_ms", to_ms(*answers.deadline - plan.makespan)},
                            {"impossible", answers.impossible}};
  }
  if (answers.risk) document["risk"] = json_of(*answers.risk, answers.lengths, batch);
  return document;
}

void add_compared(Json& document, const std::vector<Plan>& plans) {
  if (plans.size() < 2) return;
  Json compared = Json::array();
  for (const Plan& plan : plans) {
    compared.push_back({{"method", plan.method},
                        {"makespan_ms", to_ms(plan.makespan)},
                        {"total_completion_ms", to_ms(plan.total_completion)},
                        {"gap", plan.gap()},
                        {"seconds", plan.seconds}});
  }
  document["compared"] = std::move(compared);
}

}  // namespace wavewright
