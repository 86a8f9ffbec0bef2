#include "wavewright/report/documents/comparison_document.h"

#include <nlohmann/json.hpp>

namespace wavewright {

namespace {

Json json_of(const PlannedJob& job) {
  return {{"place", job.place},
          {"pool", job.pool},
          {"start_ms", to_ms(job.start)},
          {"finish_ms", to_ms(job.finish)},
          {"waited_ms", to_ms(job.waited)},
          {"reduces_waited_ms", to_ms(job.reduces_waited)}};
}

}  // namespace

Json comparison_document(const PlanComparison& found, const Workload& batch,
                         const std::array<std::string, 2>& names) {
  Json jobs = Json::array();
  for (const JobChange& change : found.jobs) {
    jobs.push_back({{"id", batch.jobs[change.job].id},
                    {"change_ms", to_ms(change.change())},
                    {"text", in_words(change)},
                    {"a", json_of(change.a)},
                    {"b", json_of(change.b)}});
  }
  const auto plan = [&](std::size_t which, Duration makespan, Duration total) {
    return Json{
        {"plan", names[which]}, {"makespan_ms", to_ms(makespan)}, {"total_completion_ms", to_ms(total)}};
  };
  return {{"a", plan(0, found.makespan_a, found.total_a)},
          {"b", plan(1, found.makespan_b, found.total_b)},
          {"earlier", found.earlier},
          {"later", found.later},
          {"jobs", std::move(jobs)}};
}

}  // namespace wavewright
