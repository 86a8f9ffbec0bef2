#include "wavewright/report/documents/simulation_document.h"

#include <nlohmann/json.hpp>

namespace wavewright {

namespace {

Json job_json(const Job& job, const JobOutcome& outcome, bool places) {
  const bool ran = !outcome.rejected;
  const auto time = [&](Time at) { return ran && !outcome.unfinished ? Json(to_ms(at)) : Json(nullptr); };
  // Where no places are known these stay unknown, not zero.
  const auto maps = [&](std::uint32_t count) { return places && ran ? Json(count) : Json(nullptr); };
  return {{"id", job.id},
          {"submit_ms", to_ms(outcome.submit)},
          {"start_ms", time(outcome.start)},
          {"maps_done_ms", time(outcome.maps_done)},
          {"finish_ms", time(outcome.finish)},
          {"deadline_met", job.deadline ? Json(meets_deadline(job, outcome)) : Json(nullptr)},
          {"rejected", outcome.rejected},
          {"failed", outcome.failed},
          {"unfinished", outcome.unfinished},
          {"failed_attempts", outcome.failed_attempts},
          {"lost_attempts", outcome.lost_attempts},
          {"local", maps(outcome.node_local)},
          {"rack_local", maps(outcome.rack_local)},
          {"off_rack", maps(outcome.off_rack)}};
}

}  // namespace

bool knows_places(const Cluster& cluster) {
  return cluster.reads.kind != Reads::Kind::anywhere;
}

bool meets_deadline(const Job& job, const JobOutcome& outcome) {
  return !outcome.rejected && !outcome.failed && !outcome.unfinished && outcome.finish <= *job.deadline;
}

Json simulation_document(const Workload& workload, const SimulationResult& result, const std::string& policy,
                         const Cluster& cluster) {
  const SlotPool pool = cluster.total_slots();
  Json jobs = Json::array();
  for (std::size_t i = 0; i < workload.jobs.size(); ++i)
    jobs.push_back(job_json(workload.jobs[i], result.jobs[i], knows_places(cluster)));
  return {{"policy", policy},
          {"map_slots", pool.map_slots},
          {"reduce_slots", pool.reduce_slots},
          {"slowstart", cluster.mode.slowstart},
          {"nodes", result.nodes.empty() ? Json(nullptr) : Json(result.nodes.size())},
          {"partial", result.stopped.has_value()},
          {"makespan_ms", to_ms(result.makespan)},
          {"total_completion_ms", to_ms(result.total_completion)},
          {"jobs", std::move(jobs)},
          {"events", result.events},
          {"utilisation",
           {{"map", result.map_utilisation(pool)},
            {"reduce", result.reduce_utilisation(pool)},
            {"memory", result.memory_utilisation(cluster.total_memory())}}},
          {"engine_seconds", result.engine_seconds}};
}

Json explanation_document(const std::string& job, const Explanation& explanation) {
  Json parts = Json::array();
  for (const TimePart& part : explanation.parts)
    parts.push_back({{"what", to_string(part.what)}, {"time_ms", to_ms(part.time)}});
  return {{"job", job},
          {"map", explanation.map ? Json(*explanation.map) : Json(nullptr)},
          {"reduce", explanation.reduce ? Json(*explanation.reduce) : Json(nullptr)},
          {"parts", std::move(parts)}};
}

}  // namespace wavewright
