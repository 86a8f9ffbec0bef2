#include "wavewright/report/documents/queue_document.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace wavewright {

namespace {

Json improvement_json(double unordered, double ordered) {
  const auto ratio = improvement(unordered, ordered);
  return ratio ? Json(*ratio) : Json(nullptr);
}

Json totals_json(const QueueTotals& totals) {
  return {{"makespan_ms", std::llround(totals.makespan)},
          {"total_completion_ms", std::llround(totals.total_completion)},
          {"value", totals.value}};
}

}  // namespace

Json queue_document(const QueueOutcome& outcome) {
  const QueueTotals ordered = ordered_totals(outcome), unordered = unordered_totals(outcome);
  const OrderingEngine& engine = outcome.engine;
  Json rounds = Json::array();
  for (const Round& round : outcome.run.rounds) {
    rounds.push_back({{"at_ms", to_ms(round.at)},
                      {"jobs", round.jobs.size()},
                      {"searched", round.searched},
                      {"evaluated", round.evaluated},
                      {"work_ms", to_ms(round.work)}});
  }
  Json jobs = Json::array();
  const auto outcomes = outcomes_of(outcome);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const JobOutcome& job = *outcomes[i];
    const auto time = [&](Time at) { return job.rejected ? Json(nullptr) : Json(to_ms(at)); };
    jobs.push_back({{"id", outcome.workload->jobs[i].id},
                    {"submit_ms", to_ms(outcome.workload->jobs[i].submit)},
                    {"dispatched_ms", to_ms(outcome.run.rounds[outcome.run.round_of[i]].at)},
                    {"round", outcome.run.round_of[i] + 1},
                    {"start_ms", time(job.start)},
                    {"finish_ms", time(job.finish)},
                    {"rejected", job.rejected},
                    {"failed", job.failed}});
  }
  Json document = {{"when", outcome.when},
                   {"engine", engine_name(engine)},
                   {"objective", to_string(engine.objective)},
                   {"policy", outcome.policy},
                   {"map_slots", engine.pool.map_slots},
                   {"reduce_slots", engine.pool.reduce_slots},
                   {"reorderings", outcome.run.rounds.size()}};
  document.update(totals_json(ordered));
  document["unordered"] = totals_json(unordered);
  document["improvement"] = {
      {"makespan", improvement_json(unordered.makespan, ordered.makespan)},
      {"total_completion", improvement_json(unordered.total_completion, ordered.total_completion)},
      {"value", improvement_json(unordered.value, ordered.value)}};
  document["rounds"] = std::move(rounds);
  document["jobs"] = std::move(jobs);
  return document;
}

}  // namespace wavewright
