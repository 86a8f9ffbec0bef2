#include "apps/commands/simulate_outputs.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "apps/commands/simulate_why.h"
#include "apps/made_at.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/records.h"
#include "wavewright/report/documents/simulation_document.h"
#include "wavewright/report/simulation_report.h"
#include "wavewright/sim/metrics/task_sinks.h"
#include "wavewright/sim/output/batsim_file.h"
#include "wavewright/sim/output/trace_file.h"
#include "wavewright/sim/output/usage_file.h"

namespace wavewright::app {

void SimulationOutputs::declare(CLI::App& command) {
  command.add_option("--trace", trace_, "write every task to FILE.csv or FILE.jsonl")->type_name("FILE");
  command.add_option("--nodes", nodes_, "write what each node did to FILE.csv or FILE.jsonl")
      ->type_name("FILE");
  command
      .add_option("--intervals", intervals_,
                  "write use, queue and energy over time to FILE.csv or FILE.jsonl")
      ->type_name("FILE");
  command
      .add_option("--batsim-jobs", batsim_jobs_,
                  "write every job to FILE as Batsim's _jobs.csv (docs/formats/workload-file.md)")
      ->type_name("FILE");
  command.add_option("--report", report_, "draw the run on one HTML page (docs/use/report.md)")
      ->type_name("FILE.html");
  command.add_option("--interval", interval_, "length of an interval (default 60s)")->type_name("TIME");
  command
      .add_option(
          "--why", why_,
          "where the time of jobs of this id (or name) went, or why they failed or were rejected, and "
          "what would have had them accepted (rtmr, of the first 25 that are rejected: takes longer); * "
          "stands for any text (in quotes: --why 'etl-*'); may be repeated")
      ->type_name("JOB")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void SimulationOutputs::check(const std::vector<std::string>& inputs) const {
  for (const std::string& each : {trace_, nodes_, intervals_}) {
    if (!each.empty()) check_records_name(each);
  }
  if (!report_.empty()) (void)made_at();
  if (parse_duration(interval_) <= Duration{}) throw UsageError("--interval of no time", "give one like 60s");
  check_outputs({trace_, nodes_, intervals_, batsim_jobs_, report_}, inputs);
}

void SimulationOutputs::check(const Workload& workload) const {
  (void)jobs_to_explain(workload);
}

std::vector<JobIndex> SimulationOutputs::jobs_to_explain(const Workload& workload) const {
  return jobs_named(workload, why_);
}

bool SimulationOutputs::needs_trace() const {
  return keeps_tasks() || !(trace_ + nodes_ + intervals_).empty();
}

bool SimulationOutputs::keeps_tasks() const {
  return !(batsim_jobs_ + report_).empty() || !why_.empty();
}

StreamedUsage SimulationOutputs::stream_tasks(const Workload& workload, const Cluster& cluster,
                                              const std::function<void(TaskSink*)>& simulate) const {
  StreamedUsage usage;
  TaskSinks sinks;
  if (!nodes_.empty() || knows_power(cluster) || knows_prices(cluster))
    sinks.all.push_back(&usage.nodes.emplace(cluster, &workload));
  if (knows_places(cluster)) sinks.all.push_back(&usage.maps.emplace());
  if (has_deadlines(workload)) sinks.all.push_back(&usage.slots.emplace());
  if (!intervals_.empty())
    sinks.all.push_back(&usage.intervals.emplace(cluster, parse_duration(interval_), &workload));
  if (!trace_.empty() && !keeps_tasks()) {
    write_trace(trace_, workload, [&](TaskSink& rows) {
      sinks.all.push_back(&rows);
      simulate(&sinks);
    });
  } else {
    simulate(sinks.or_none());
  }
  return usage;
}

std::optional<UsageTotals> SimulationOutputs::write(const SimulationResult& result, StreamedUsage& usage,
                                                    const Workload& workload, const Cluster& cluster,
                                                    const std::string& name,
                                                    const std::string& policy) const {
  // Before any file is written: there may be too many intervals.
  std::vector<IntervalUsage> intervals;
  if (usage.intervals) intervals = usage.intervals->finish(result);
  std::string page_of_run;
  if (!report_.empty()) page_of_run = page(result, workload, cluster, name, policy);
  if (!trace_.empty() && keeps_tasks()) write_trace(trace_, result, workload);
  if (!batsim_jobs_.empty()) write_batsim_jobs(batsim_jobs_, result, workload, cluster.total_slots(), name);
  std::optional<std::vector<NodeUsage>> nodes;
  if (usage.nodes) nodes = usage.nodes->finish(result);
  if (!nodes_.empty()) write_node_usage(nodes_, *nodes, result, cluster);
  if (!intervals_.empty()) write_interval_usage(intervals_, intervals, cluster);
  if (!report_.empty()) write_file(report_, [&](std::ostream& out) { out << page_of_run; });
  return nodes ? std::optional(totals_of(*nodes)) : std::nullopt;
}

std::string SimulationOutputs::page(const SimulationResult& result, const Workload& workload,
                                    const Cluster& cluster, const std::string& name,
                                    const std::string& policy) const {
  SimulationReport report;
  report.title = name == "-" ? "Simulation" : name;
  report.generated = made_at();
  report.policy = policy;
  report.workload = &workload;
  report.cluster = &cluster;
  report.result = &result;
  report.why = jobs_to_explain(workload);
  std::ostringstream out;
  write_simulation_report(out, report);
  return std::move(out).str();
}

}  // namespace wavewright::app
