#include "wavewright/report/documents/simulation_document.h"

#include <nlohmann/json.hpp>

#include "wavewright/core/error.h"
#include "wavewright/core/or_null.h"
#include "wavewright/report/documents/counts.h"
#include "wavewright/sim/metrics/run_counts.h"

namespace wavewright {

namespace {

Json reason_json(const Reason& reason, const Workload& workload) {
  Json document = {{"code", reason.code}, {"text", reason.text}};
  if (!reason.offer) return document;
  const CounterOffer& offer = *reason.offer;
  Json give_way = Json::array();
  for (const JobIndex job : offer.give_way) give_way.push_back(workload.jobs[job].id);
  document["earliest_deadline_ms"] = or_null(offer.earliest_deadline);
  document["lacks"] =
      offer.lacks ? Json{{"map_slots", offer.lacks->map_slots}, {"reduce_slots", offer.lacks->reduce_slots}}
                  : Json(nullptr);
  document["give_way"] = std::move(give_way);
  document["placed_anew"] = offer.placed_anew;
  return document;
}

// The policy's remarks about all jobs, or only about one.
Json remarks_json(const Workload& workload, const SimulationResult& result, std::optional<JobIndex> only) {
  Json remarks = Json::array();
  for (const Remark& remark : result.remarks) {
    if (only && remark.job != *only) continue;
    remarks.push_back({{"at_ms", to_ms(remark.at)},
                       {"job", workload.jobs[remark.job].id},
                       {"code", remark.reason.code},
                       {"text", remark.reason.text}});
  }
  return remarks;
}

Json lease_json(const Lease& lease, const SimulationResult& result) {
  const auto time = [](const std::optional<Time>& at) { return at ? Json(to_ms(*at)) : Json(nullptr); };
  return {{"node", result.nodes.at(lease.node)},
          {"bid_usd_per_hour", lease.bid ? Json(to_usd(*lease.bid)) : Json(nullptr)},
          {"requested_ms", to_ms(lease.requested)},
          {"joined_ms", time(lease.joined)},
          {"noticed_ms", time(lease.noticed)},
          {"left_ms", time(lease.left)},
          {"billed_from_ms", time(lease.billed_from)},
          {"ended_by", name_of(lease.ended_by)},
          {"revoked", lease.revoked()},
          {"cost_usd", to_usd(lease.cost)}};
}

Json tardiness_json(const Tardiness& of) {
  const std::optional<double> mean = of.mean_ms();
  return {{"jobs_with_deadline", of.jobs},
          {"tardy_jobs", of.tardy},
          {"not_done", of.without},
          {"total_ms", to_ms(of.total)},
          {"mean_ms", mean ? Json(*mean) : Json(nullptr)}};
}

Json admission_json(const AdmissionTotals& of) {
  const auto number = [](const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); };
  return {{"jobs", of.jobs},
          {"accepted", of.accepted},
          {"rejected", of.jobs - of.accepted},
          {"successful", of.successful},
          {"accept_ratio", number(of.accept_ratio())},
          {"success_ratio", number(of.success_ratio())},
          {"utilisation", number(of.utilisation)},
          {"utilisation_of_all", number(of.utilisation_of_all)}};
}

Json lease_totals_json(const LeaseTotals& of) {
  constexpr double ms_per_hour = 3'600'000;
  return {{"leases", of.leases},
          {"never_joined", of.never_joined},
          {"revoked", of.revoked},
          {"machine_hours", static_cast<double>(to_ms(of.machine_time)) / ms_per_hour},
          {"cost_usd", to_usd(of.cost)}};
}

Json job_json(const Job& job, const JobOutcome& outcome, bool places) {
  const bool ran = !outcome.rejected;
  const auto time = [](bool happened, Time at) { return happened ? Json(to_ms(at)) : Json(nullptr); };
  // Without known places these are unknown, not zero.
  const auto maps = [&](std::uint32_t count) { return places && ran ? Json(count) : Json(nullptr); };
  return {{"id", job.id},
          {"submit_ms", to_ms(outcome.submit)},
          {"start_ms", time(outcome.has_started(), outcome.start)},
          {"maps_done_ms", time(outcome.has_maps_done(), outcome.maps_done)},
          {"finish_ms", time(outcome.has_finished(), outcome.finish)},
          {"deadline_met", job.deadline ? Json(meets_deadline(job, outcome)) : Json(nullptr)},
          {"rejected", outcome.rejected},
          {"failed", outcome.failed},
          {"unfinished", outcome.unfinished},
          {"failed_attempts", outcome.failed_attempts},
          {"lost_attempts", outcome.lost_attempts},
          {"killed_attempts", outcome.killed_attempts},
          {"local", maps(outcome.node_local)},
          {"rack_local", maps(outcome.rack_local)},
          {"off_rack", maps(outcome.off_rack)}};
}

}  // namespace

bool knows_places(const Cluster& cluster) {
  return cluster.reads.kind != Reads::Kind::anywhere;
}

bool meets_deadline(const Job& job, const JobOutcome& outcome) {
  return is_done(outcome) && outcome.finish <= *job.deadline;
}

Json simulation_document(const Workload& workload, const SimulationResult& result, const std::string& policy,
                         const Cluster& cluster, const std::optional<UsageTotals>& use,
                         const JobSlotTimes* slot_times) {
  const SlotPool pool = cluster.total_slots();
  Json jobs = Json::array();
  for (std::size_t i = 0; i < workload.jobs.size(); ++i)
    jobs.push_back(job_json(workload.jobs[i], result.jobs[i], knows_places(cluster)));
  for (const auto& [job, reason] : result.rejections)
    jobs[job]["rejected_because"] = reason_json(reason, workload);
  Json document = {{"policy", policy},
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
  const std::optional<double> mean = mean_completion_ms(result);
  document["mean_completion_ms"] = mean ? Json(*mean) : Json(nullptr);
  add_counts(document, counts_of(result));
  if (use && knows_power(cluster)) document["energy_j"] = use->energy_j;
  if (use && knows_prices(cluster)) document["cost_usd"] = use->cost_usd;
  if (result.stuck) {  // as of every command whose answer is no (docs/formats/contract.md)
    document["answer"] = "no";
    document["reason"] = Infeasible(result.stuck->what, result.stuck->remedy).what();
  }
  if (!result.remarks.empty()) document["remarks"] = remarks_json(workload, result, std::nullopt);
  const Tardiness late = tardiness_of(workload, result);
  if (late.jobs > 0) document["tardiness"] = tardiness_json(late);
  if (late.jobs > 0 || counts_of(result).rejected > 0)
    document["admission"] =
        admission_json(admission_of(workload, result, pool.map_slots + pool.reduce_slots, slot_times));
  if (!result.leases.empty()) {
    document["rented"] = lease_totals_json(totals_of(result));
    Json leases = Json::array();
    for (const Lease& lease : result.leases) leases.push_back(lease_json(lease, result));
    document["leases"] = std::move(leases);
  }
  return document;
}

namespace {

Json energy_json(const EnergyParts& of) {
  return {{"total_uj", of.total()},
          {"idle_uj", of.idle},
          {"work_uj", of.work},
          {"off_uj", of.off},
          {"wake_uj", of.wake}};
}

}  // namespace

void add_run_energy(Json& document, const RunEnergy& energy, const Cluster& cluster) {
  Json all = energy_json(energy.all);
  for (std::size_t i = 0; i < energy.classes.size(); ++i) {
    Json one = energy_json(energy.classes[i]);
    one["class"] = energy.class_names[i];
    Count nodes = 0;
    for (const NodeGroup& group : cluster.nodes)
      nodes += group.node_class == energy.class_names[i] ? group.count : 0;
    one["nodes"] = nodes;
    all["classes"].push_back(std::move(one));
  }
  if (energy.carbon_g) all["carbon_g"] = *energy.carbon_g;
  document["energy"] = std::move(all);
  for (std::size_t i = 0; i < document["jobs"].size() && i < energy.jobs.size(); ++i)
    document["jobs"][i]["energy_uj"] = energy.jobs[i];
}

void add_map_locality(Json& document, const MapLocality& maps) {
  document["map_locality"] = {{"maps", maps.maps()},
                              {"local", maps.local},
                              {"rate", or_null(maps.rate())},
                              {"mean_response_ms", or_null(maps.response_ms())},
                              {"mean_local_response_ms", or_null(maps.local_response_ms())},
                              {"mean_elsewhere_response_ms", or_null(maps.elsewhere_response_ms())}};
}

void add_cost_bounds(Json& document, const CostBounds& bounds) {
  const std::optional<Money>& all = bounds.all_in_time;
  document["cost_bound"] = {{"all_in_time_usd", all ? Json(to_usd(*all)) : Json(nullptr)},
                            {"as_this_run_usd", to_usd(bounds.as_the_run)}};
}

namespace {

Json failure_json(const JobFailure& failure, const SimulationResult& result) {
  Json attempts = Json::array();
  for (const TaskRecord& each : failure.attempts) {
    attempts.push_back({{"attempt", each.attempt},
                        {"node", result.nodes.empty() ? Json(nullptr) : Json(result.nodes.at(each.node))},
                        {"start_ms", to_ms(each.start)},
                        {"end_ms", to_ms(each.end)}});
  }
  return {{"kind", name_of(failure.kind)},
          {"task", failure.task},
          {"at_ms", to_ms(failure.known)},
          {"attempts", std::move(attempts)}};
}

Json parts_json(const std::vector<TimePart>& all) {
  Json parts = Json::array();
  for (const TimePart& part : all)
    parts.push_back({{"what", to_string(part.what)}, {"time_ms", to_ms(part.time)}});
  return parts;
}

}  // namespace

Json why_document(const Workload& workload, const SimulationResult& result, const Explainer& explainer,
                  JobIndex job) {
  const JobOutcome& outcome = result.jobs.at(job);
  const Explanation found = is_done(outcome) ? explainer.explain(job) : Explanation{};
  Json document = {{"job", workload.jobs[job].id},
                   {"state", state_of(outcome)},
                   {"map", found.map ? Json(*found.map) : Json(nullptr)},
                   {"reduce", found.reduce ? Json(*found.reduce) : Json(nullptr)},
                   {"parts", parts_json(found.parts)},
                   {"remarks", remarks_json(workload, result, job)}};
  if (outcome.rejected) document["rejected_because"] = reason_json(result.rejections.at(job), workload);
  if (outcome.failed) document["failed_because"] = failure_json(explainer.failure(job), result);
  return document;
}

}  // namespace wavewright
