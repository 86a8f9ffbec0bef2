#include "apps/commands/simulate_outputs.h"

#include <algorithm>
#include <iostream>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "apps/made_at.h"
#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/nearest.h"
#include "wavewright/core/records.h"
#include "wavewright/report/documents/simulation_document.h"
#include "wavewright/report/simulation_report.h"
#include "wavewright/sim/metrics/explain.h"
#include "wavewright/sim/output/batsim_file.h"
#include "wavewright/sim/output/trace_file.h"
#include "wavewright/sim/output/usage_file.h"

namespace wavewright::app {

namespace {

JobIndex index_of(const Workload& workload, const std::string& id) {
  std::vector<std::string> ids;
  for (JobIndex job = 0; job < workload.jobs.size(); ++job) {
    if (workload.jobs[job].id == id) return job;
    ids.push_back(workload.jobs[job].id);
  }
  throw UsageError("the workload has no job '" + id + "'", suggestion(id, ids));
}

}  // namespace

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
  command.add_option("--why", why_, "where this job's time went")->type_name("JOB");
}

void SimulationOutputs::check(const std::vector<std::string>& inputs) const {
  const std::vector<std::string> outputs = {trace_, nodes_, intervals_, batsim_jobs_, report_};
  for (auto each = outputs.begin(); each != outputs.end(); ++each) {
    refuse_overwriting(*each, inputs);
    if (!each->empty() && std::find(each + 1, outputs.end(), *each) != outputs.end())
      throw UsageError("two outputs go to '" + *each + "'", "name a file for each");
  }
  for (const std::string& each : {trace_, nodes_, intervals_}) {
    if (!each.empty()) check_records_name(each);
  }
  if (!report_.empty()) (void)made_at();
  if (parse_duration(interval_) <= Duration{}) throw UsageError("--interval of no time", "give one like 60s");
}

void SimulationOutputs::check(const Workload& workload) const {
  if (!why_.empty()) (void)index_of(workload, why_);
}

bool SimulationOutputs::needs_trace() const {
  return !(trace_ + nodes_ + intervals_ + batsim_jobs_ + report_ + why_).empty();
}

bool SimulationOutputs::keeps_tasks() const {
  return !(batsim_jobs_ + report_ + why_).empty();
}

namespace {

class All final : public TaskSink {
 public:
  void begin(const std::vector<std::string>& nodes) override {
    for (TaskSink* const each : sinks) each->begin(nodes);
  }
  void add(const TaskRecord& record) override {
    for (TaskSink* const each : sinks) each->add(record);
  }
  std::vector<TaskSink*> sinks;
};

}  // namespace

StreamedUsage SimulationOutputs::stream_tasks(const Workload& workload, const Cluster& cluster,
                                              const std::function<void(TaskSink*)>& simulate) const {
  StreamedUsage usage;
  All all;
  if (!nodes_.empty()) all.sinks.push_back(&usage.nodes.emplace(cluster));
  if (!intervals_.empty()) all.sinks.push_back(&usage.intervals.emplace(cluster, parse_duration(interval_)));
  if (!trace_.empty() && !keeps_tasks()) {
    write_trace(trace_, workload, [&](TaskSink& rows) {
      all.sinks.push_back(&rows);
      simulate(&all);
    });
  } else {
    simulate(all.sinks.empty() ? nullptr : &all);
  }
  return usage;
}

void SimulationOutputs::write(const SimulationResult& result, StreamedUsage usage, const Workload& workload,
                              const Cluster& cluster, const std::string& name,
                              const std::string& policy) const {
  // Before any file is written: there may be too many intervals, or the job to explain may have failed.
  std::vector<IntervalUsage> intervals;
  if (usage.intervals) intervals = usage.intervals->finish(result);
  std::string page_of_run;
  if (!report_.empty()) page_of_run = page(result, workload, cluster, name, policy);
  if (!trace_.empty() && keeps_tasks()) write_trace(trace_, result, workload);
  if (!batsim_jobs_.empty()) write_batsim_jobs(batsim_jobs_, result, workload, cluster.total_slots(), name);
  if (usage.nodes) write_node_usage(nodes_, usage.nodes->finish(result), result, cluster);
  if (!intervals_.empty()) write_interval_usage(intervals_, intervals, cluster);
  if (!report_.empty()) write_file(report_, [&](std::ostream& out) { out << page_of_run; });
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
  const auto ran = [&](JobIndex job) { return !result.jobs[job].unfinished && !result.jobs[job].rejected; };
  if (!why_.empty() && ran(index_of(workload, why_))) {
    const JobIndex job = index_of(workload, why_);
    report.why = {job, explain(result, workload, cluster, job)};
  }
  std::ostringstream out;
  write_simulation_report(out, report);
  return std::move(out).str();
}

Json SimulationOutputs::why_document(const SimulationResult& result, const Workload& workload,
                                     const Cluster& cluster) const {
  const JobIndex job = index_of(workload, why_);
  if (result.jobs[job].rejected) return rejection_document(workload, result, job);
  return explanation_document(why_, explain(result, workload, cluster, job));
}

void SimulationOutputs::print_why(const SimulationResult& result, const Workload& workload,
                                  const Cluster& cluster) const {
  const JobIndex job = index_of(workload, why_);
  if (result.jobs[job].rejected) {
    const Reason& reason = result.rejections.at(job);
    std::cout << fmt::format("\njob {} was rejected: {} ({})\n", harmless(why_), harmless(reason.text),
                             harmless(reason.code));
  }
  for (const Remark& remark : result.remarks) {
    if (remark.job != job) continue;
    std::cout << fmt::format("{}: {} ({})\n", format_duration(remark.at - Time{}),
                             harmless(remark.reason.text), harmless(remark.reason.code));
  }
  if (result.jobs[job].rejected) return;
  const Explanation found = explain(result, workload, cluster, job);
  const Duration all = result.jobs[job].finish - result.jobs[job].submit;
  std::cout << fmt::format("\nwhere the {} of job {} went", format_duration(all), harmless(why_));
  if (found.map) std::cout << fmt::format("; map {} ended last", *found.map);
  if (found.reduce) std::cout << fmt::format(", reduce {} decided the end", *found.reduce);
  std::cout << "\n\n";
  Table table{
      {{"time_ms", "time", true, false}, {"percent", "%", true, false}, {"what", "for", false, false}}, {}};
  for (const TimePart& part : found.parts) {
    const double percent = 100 * static_cast<double>(to_ms(part.time)) /
                           static_cast<double>(std::max<std::int64_t>(1, to_ms(all)));
    table.rows.push_back({Cell(format_duration(part.time), to_ms(part.time)),
                          Cell(fmt::format("{:.1f}", percent), percent), to_string(part.what)});
  }
  write_table(std::cout, table);
}

}  // namespace wavewright::app
