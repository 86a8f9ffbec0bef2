#include "apps/commands/simulate_view.h"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/commands/profile_lengths.h"
#include "apps/counts_text.h"
#include "apps/spread_options.h"
#include "apps/table.h"
#include "wavewright/cloud/bound/cost_bound.h"
#include "wavewright/cluster/power.h"
#include "wavewright/core/money.h"
#include "wavewright/core/time.h"
#include "wavewright/job/job_labels.h"
#include "wavewright/report/documents/simulation_document.h"
#include "wavewright/report/text.h"
#include "wavewright/sched/promises_deadlines.h"
#include "wavewright/sim/metrics/explain.h"
#include "wavewright/sim/metrics/run_counts.h"

namespace wavewright::app {

namespace {

// Bounds of the cost, if the run rented machines and was not stopped.
std::optional<CostBounds> bounds_of(const Workload& workload, const Cluster& cluster,
                                    const SimulationResult& result) {
  if (result.leases.empty() || result.stopped) return std::nullopt;
  return cost_bounds(workload, cluster, result);
}

void print_locality(const SimulationResult& result) {
  std::uint64_t node = 0, rack = 0, off_rack = 0;
  for (const JobOutcome& job : result.jobs) {
    node += job.node_local;
    rack += job.rack_local;
    off_rack += job.off_rack;
  }
  if (node + rack + off_rack == 0) return;  // undefined, as no map was done
  const auto part = [all = node + rack + off_rack](std::uint64_t count) {
    return 100.0 * static_cast<double>(count) / static_cast<double>(all);
  };
  std::cout << fmt::format(
      "maps on a node with their block {:.1f} %, in its rack {:.1f} %, elsewhere {:.1f} %\n", part(node),
      part(rack), part(off_rack));
}

void print_map_response(const MapLocality& maps) {
  if (!maps.response_ms()) return;
  constexpr double ms_per_s = 1000;
  std::string text = fmt::format("mean response of a map {:.1f} s", *maps.response_ms() / ms_per_s);
  if (maps.local > 0 && maps.elsewhere > 0) {
    text += fmt::format(", {:.1f} s on a node with its block, {:.1f} s elsewhere",
                        *maps.local_response_ms() / ms_per_s, *maps.elsewhere_response_ms() / ms_per_s);
  }
  std::cout << text << '\n';
}

void print_use(const UsageTotals& use, const Cluster& cluster) {
  std::string text;
  if (knows_power(cluster)) text = "energy " + report::energy_text(use.energy_j);
  if (knows_prices(cluster)) text += (text.empty() ? "cost " : ", cost ") + report::money_text(use.cost_usd);
  if (!text.empty()) std::cout << text << '\n';
}

// Idle and work, and each class where there are some.
void print_energy(const RunEnergy& run) {
  const auto text = [](const EnergyParts& of) {
    const auto part = [](MicroJoules energy) { return report::energy_text(to_joules(energy)); };
    std::string line = fmt::format("{} idle, {} work", part(of.idle), part(of.work));
    if (of.off > 0) line += fmt::format(", {} off", part(of.off));
    if (of.wake > 0) line += fmt::format(", {} wake-ups", part(of.wake));
    return line;
  };
  std::cout << "of the energy " << text(run.all) << '\n';
  for (std::size_t i = 0; run.classes.size() > 1 && i < run.classes.size(); ++i)
    std::cout << fmt::format("  class {}: {}\n", harmless(run.class_names[i]), text(run.classes[i]));
  if (run.carbon_g) std::cout << fmt::format("carbon dioxide {} g\n", report::decimal_text(*run.carbon_g));
}

void print_bounds(const CostBounds& bounds) {
  std::cout << fmt::format("whoever schedules pays at least {} for the jobs that were in time here",
                           report::money_text(to_usd(bounds.as_the_run)));
  if (bounds.all_in_time) {
    std::cout << fmt::format(", {} for all in time\n", report::money_text(to_usd(*bounds.all_in_time)));
  } else {
    std::cout << "; not all can be in time\n";
  }
}

// `admits`: the policy may reject jobs.
void print_promises(const Workload& workload, const SimulationResult& result, const Cluster& cluster,
                    const JobSlotTimes* times, bool admits) {
  if (const Tardiness late = tardiness_of(workload, result); late.jobs > 0) {
    std::cout << fmt::format("{} of {} jobs with a deadline are tardy", late.tardy, late.jobs);
    if (late.without > 0) std::cout << fmt::format(", {} of them not done", late.without);
    std::cout << fmt::format("; total tardiness {}", format_duration(late.total));
    if (late.mean_ms()) std::cout << fmt::format(", mean {:.1f} s", *late.mean_ms() / 1000);
    std::cout << '\n';
  }
  if (admits || counts_of(result).rejected > 0) {
    const SlotPool slots = cluster.total_slots();
    const AdmissionTotals admission =
        admission_of(workload, result, slots.map_slots + slots.reduce_slots, times);
    std::cout << fmt::format("{} of {} jobs were accepted, and {} of these were in time", admission.accepted,
                             admission.jobs, admission.successful);
    if (admission.utilisation)
      std::cout << fmt::format("; they used {} of the slots' time",
                               report::percent_text(*admission.utilisation));
    std::cout << '\n';
  }
  if (result.leases.empty()) return;
  const LeaseTotals rented = totals_of(result);
  constexpr double ms_per_hour = 3'600'000;
  std::cout << fmt::format("{} machines rented, {} revoked; {:.1f} machine hours, {} paid for them\n",
                           rented.leases, rented.revoked,
                           static_cast<double>(to_ms(rented.machine_time)) / ms_per_hour,
                           report::money_text(to_usd(rented.cost)));
  if (const std::optional<CostBounds> bounds = bounds_of(workload, cluster, result)) print_bounds(*bounds);
}

}  // namespace

void print_simulation_json(const Context& context, const Workload& workload, const SimulationResult& result,
                           const Policy& policy, const Cluster& cluster, const SimulationTotals& totals,
                           const LengthSpread& spread, const SimulationOutputs& outputs) {
  Json document = simulation_document(workload, result, policy.name(), cluster, totals.use, totals.slots);
  if (totals.maps) add_map_locality(document, *totals.maps);
  if (totals.energy != nullptr) add_run_energy(document, *totals.energy, cluster);
  add_spread(document, spread);
  if (const std::optional<CostBounds> bounds = bounds_of(workload, cluster, result))
    add_cost_bounds(document, *bounds);
  add_records(document, records_of(context, workload));
  if (const std::vector<JobIndex> jobs = outputs.jobs_to_explain(workload); !jobs.empty()) {
    const Explainer explainer(result, workload, cluster);
    for (const JobIndex job : jobs) document["why"].push_back(why_document(workload, result, explainer, job));
  }
  context.print(document);
}

void print_simulated_jobs(const Workload& workload, const SimulationResult& result,
                          const JobListing& listing) {
  const JobLabels labels(workload.jobs, listing.ids);
  const bool all = listing.all;
  constexpr std::size_t shown_at_most = 25;
  const bool deadlines = std::any_of(workload.jobs.begin(), workload.jobs.end(),
                                     [](const Job& job) { return job.deadline.has_value(); });
  Table table{{{"job", "job", false, true},
               {"submit_ms", "submitted", true, false},
               {"start_ms", "started", true, false},
               {"maps_done_ms", "maps done", true, false},
               {"finish_ms", "finished", true, false}},
              {}};
  if (deadlines) table.columns.push_back({"deadline_met", "deadline", false, false});
  const auto instant = [](Time time) { return Cell(format_duration(time - Time{}), to_ms(time)); };
  for (std::size_t i = 0; i < workload.jobs.size() && (all || i < shown_at_most); ++i) {
    const Job& job = workload.jobs[i];
    const JobOutcome& outcome = result.jobs[i];
    const Cell never("-", Json(nullptr));
    table.rows.push_back(
        {labels[i], instant(outcome.submit), outcome.has_started() ? instant(outcome.start) : never,
         outcome.has_maps_done() ? instant(outcome.maps_done) : never,
         outcome.rejected     ? Cell("rejected", Json(nullptr))
         : outcome.unfinished ? Cell("not yet", Json(nullptr))
         : outcome.failed     ? Cell("failed " + instant(outcome.finish).text, to_ms(outcome.finish))
                              : instant(outcome.finish)});
    if (deadlines)
      table.rows.back().emplace_back(!job.deadline ? "-" : meets_deadline(job, outcome) ? "met" : "missed");
  }
  write_table(std::cout, table);
  if (table.rows.size() < workload.jobs.size()) {
    std::cout << "… " << workload.jobs.size() - table.rows.size()
              << " more; --all-jobs or --json shows them\n";
  }
  constexpr std::size_t reasons_at_most = 5;
  std::size_t told = 0;
  for (const auto& [job, reason] : result.rejections) {
    if (!all && told++ == reasons_at_most) {
      std::cout << fmt::format("… {} more were rejected; --all-jobs or --json tells why\n",
                               result.rejections.size() - reasons_at_most);
      break;
    }
    std::cout << fmt::format("{} was rejected: {} ({})\n", harmless(labels[job]), harmless(reason.text),
                             harmless(reason.code));
  }
}

void print_simulation_summary(const Workload& workload, const SimulationResult& result, const Policy& policy,
                              const Cluster& cluster, const SimulationTotals& totals) {
  const RunCounts counts = counts_of(result);
  const SlotPool slots = cluster.total_slots();
  const bool containers = cluster.mode.kind == ClusterMode::Kind::containers;
  const std::string room =
      containers ? fmt::format("{} MiB for containers", cluster.total_memory().count >> 20)
                 : fmt::format("{} map and {} reduce slots", slots.map_slots, slots.reduce_slots);
  const std::string in_use =
      containers
          ? fmt::format("memory in use {:.1f} %", 100 * result.memory_utilisation(cluster.total_memory()))
          : fmt::format("slots in use {:.1f} % (map) and {:.1f} % (reduce)",
                        100 * result.map_utilisation(slots), 100 * result.reduce_utilisation(slots));
  std::cout << fmt::format(
      "\n{} jobs under {} on {}{}\nmakespan {}, total completion {}{}, {}\n", workload.jobs.size(),
      policy.name(), room,
      result.nodes.empty() ? std::string() : fmt::format(" of {} nodes", result.nodes.size()),
      format_duration(result.makespan), format_duration(result.total_completion), of_jobs_done(counts),
      in_use);
  std::cout << counts_text(counts);
  if (knows_places(cluster)) print_locality(result);
  if (totals.maps) print_map_response(*totals.maps);
  const bool admits = dynamic_cast<const PromisesDeadlines*>(policy.allocator.get()) != nullptr;
  print_promises(workload, result, cluster, totals.slots, admits);
  if (totals.use) print_use(*totals.use, cluster);
  if (totals.energy != nullptr) print_energy(*totals.energy);
  if (!result.stopped) return;
  std::cout << fmt::format("PARTIAL: stopped at {} of simulated time\n",
                           format_duration(*result.stopped - Time{}));
}

}  // namespace wavewright::app
