// `wavewright report`: a self-contained HTML page of a plan, of the schedule that it is compared with, and of
// the histories behind it (docs/use/report.md).
#include <cmath>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "apps/choices.h"
#include "apps/commands/job_reader.h"
#include "apps/commands/plan_against.h"
#include "apps/commands/plan_commands.h"
#include "apps/commands/profile_lengths.h"
#include "apps/context.h"
#include "apps/made_at.h"
#include "apps/open_store.h"
#include "apps/pool_options.h"
#include "apps/settings/fill_options.h"
#include "wavewright/core/apart.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/job/workload_file.h"
#include "wavewright/plan/bounds/lower_bound.h"
#include "wavewright/plan/evaluate.h"
#include "wavewright/plan/planner.h"
#include "wavewright/predict/evaluate.h"
#include "wavewright/profile/profile.h"
#include "wavewright/report/charts/plan_curve.h"
#include "wavewright/report/plan_answers.h"
#include "wavewright/report/report.h"
#include "wavewright/sched/plan_file.h"
#include "wavewright/store/phases.h"
#include "wavewright/store/sharing.h"
#include "wavewright/store/store.h"

namespace wavewright::app {

namespace {

constexpr std::size_t planned = 1;           // place of the plan among the schedules
constexpr std::size_t runs_of_a_name = 200;  // shown: the newest ones; each is predicted from the others

constexpr const char* usual_against = "submission,fair,capacity,measured";

struct ReportFlags {
  std::string workload, plan, out, title, curve, deadline;
  std::string method = "johnson";
  std::vector<std::string> against;
  PoolOptions pool;
};

ReportSchedule run_plan(const Plan& plan, const PlanningProblem& problem) {
  return {schedule_label(plan.method), simulate_plan(plan, *problem.batch, problem.cluster, true)};
}

std::optional<Store> existing_store(const Context& context) {
  try {
    return open_store(context);
  } catch (const ExternalError& error) {
    if (context.store_by_flag) throw;
    context.note(std::string("no profiles and predictions in the report: ") + error.what());
    return std::nullopt;
  }
}

Duration rounded(double milliseconds) {
  return ms(std::llround(milliseconds));
}

ReportPrediction row_of(const RunPrediction& run, bool shared) {
  ReportPrediction row;
  row.shared = shared;
  row.job_id = run.id;
  row.name = run.name;
  row.measured = rounded(run.measured_ms);
  row.low = rounded(run.predicted.bounds.low_ms);
  row.average = rounded(run.predicted.bounds.avg_ms());
  row.up = rounded(run.predicted.bounds.up_ms);
  row.p50 = rounded(run.predicted.percentiles.p50_ms);
  row.p95 = rounded(run.predicted.percentiles.p95_ms);
  return row;
}

// Names of the batch's jobs and of their profiles, as the store has them.
std::set<std::string> wanted_names(const Workload& batch, const Store& store) {
  std::set<std::string> wanted, profiles;
  for (const Job& job : batch.jobs) {
    wanted.insert(job.name);
    if (!job.profile.empty()) profiles.insert(job.profile);
  }
  for (const std::string& profile : profiles) {
    try {
      wanted.insert(store.known_name(profile));
    } catch (const UsageError&) {  // the store has no such job
    }
  }
  return wanted;
}

// Adds profiles of these names in the store, how far off estimates of them have been, and predictions of each
// run from the others.
void add_history(ReportData& data, const Workload& batch, const Context& context) {
  const std::optional<Store> store = existing_store(context);
  if (!store) return;
  const std::set<std::string> wanted = wanted_names(batch, *store);
  const auto shared = std::make_shared<const std::set<std::string>>(shared_runs(*store));
  LeftOutCounts never;
  for (const RunName& known : store->names()) {
    if (known.name.empty() || !wanted.contains(known.name)) continue;
    std::vector<RunPhases> runs = load_phases(*store, known.name);
    PredictorOptions options;
    options.prediction.seed = context.seed;
    const Predictor predictor(known.name, runs, shared, options);
    if (runs.size() > runs_of_a_name) runs.resize(runs_of_a_name);
    data.profiles.push_back(build_profile(known.name, runs, context.seed));
    data.records.emplace(known.name, record_of(*store, predictor));
    const RunChoice choice = predictor.choose();
    never += choice.never_used();
    for (PhaseFit& fitted : fit_phases(choice.runs)) {
      // The number of maps is no length, and a line without data means nothing.
      if (fitted.line && fitted.phase != "maps") data.fits.push_back({known.name, std::move(fitted)});
    }
    const Evaluation evaluation = evaluate(predictor, {.runs_at_most = runs_of_a_name, .stop = {}});
    for (const RunPrediction& run : evaluation.alone) data.predictions.push_back(row_of(run, false));
    for (const RunPrediction& run : evaluation.shared) data.predictions.push_back(row_of(run, true));
  }
  data.predictions_leave_out = never.text();
}

// Adds the plan file's risk if it belongs to the schedule shown.
void add_answers(ReportData& data, const Context& context, const ReportFlags& flags, const Plan& plan,
                 const Workload& batch) {
  ReportAnswers answers = read_answers(flags.plan, batch);
  if (!data.deadline) data.deadline = answers.deadline;
  if (!answers.risk) return;
  const Duration shown = data.schedules.at(planned).result.makespan;
  if (shown != plan.makespan) {
    const auto times = format_apart({plan.makespan, shown});
    context.note(fmt::format("the risk in {} is left out: the plan takes {} there and {} here", flags.plan,
                             times[0], times[1]));
    return;
  }
  data.risk = std::move(answers.risk);
  if (data.risk->meets && data.deadline != answers.deadline) {
    context.note(fmt::format("the probability in {} is left out: it is of another deadline", flags.plan));
    data.risk->meets.reset();
  }
}

// `records`: of the profiles that jobs name.
ReportData collect(const Context& context, const ReportFlags& flags,
                   std::map<std::string, TrackRecord>& records) {
  const std::vector<std::string> names =
      flags.against.empty() ? against_names({usual_against}) : against_names(flags.against);
  const Workload batch = JobReader(context).read(flags.workload);
  std::optional<Plan> plan;
  if (!flags.plan.empty()) plan = read_plan(flags.plan);

  const SlotCluster cluster = flags.pool.resolve(plan ? pool_of(*plan) : std::nullopt);
  const PlanningProblem problem{shared(batch), cluster, Objective::makespan, context.seed};
  const Stop stop(std::nullopt, &context.interrupted);
  if (plan) {
    check_plan_of_file(context, *plan, batch, problem.cluster.pool, flags.plan);
  } else {
    plan = plan_by(flags.method, problem, stop);
  }

  ReportData data;
  data.title = flags.title.empty() ? std::filesystem::path(flags.workload).stem().string() : flags.title;
  data.generated = made_at();
  data.pool = problem.cluster.pool;
  for (const Job& job : batch.jobs)
    data.jobs.push_back({job.id, job.name, job.user, job.queue, job.deadline});
  data.schedules =
      schedules_against(context, names, !flags.against.empty(), problem, flags.pool.cluster(), stop);
  if (data.schedules.empty()) throw UsageError("--against names no schedule", "give one, like fair");
  data.schedules.insert(data.schedules.begin() + planned, run_plan(*plan, problem));
  data.makespan_bound = makespan_bounds(batch, problem.cluster.pool).best();
  data.limits = report_limits(
      bottlenecks_of(*plan, batch, problem.cluster.pool, data.schedules.at(planned).result), batch);
  if (!flags.curve.empty()) data.curve = read_curve(flags.curve, batch);
  if (!flags.deadline.empty()) data.deadline = parse_duration(flags.deadline);
  if (!flags.plan.empty()) add_answers(data, context, flags, *plan, batch);
  add_history(data, batch, context);
  records = records_of(context, batch);
  return data;
}

Json json_of(const ReportData& data, const std::string& path) {
  Json schedules = Json::array();
  for (const ReportSchedule& schedule : data.schedules) {
    schedules.push_back({{"schedule", schedule.label},
                         {"makespan_ms", to_ms(schedule.result.makespan)},
                         {"total_completion_ms", to_ms(schedule.result.total_completion)}});
  }
  return {{"report", path},
          {"jobs", data.jobs.size()},
          {"schedules", schedules},
          {"lower_bound_ms", to_ms(data.makespan_bound)},
          {"profiles", data.profiles.size()},
          {"predictions", data.predictions.size()}};
}

int run(const Context& context, const ReportFlags& flags) {
  check_outputs({flags.out}, {flags.workload, flags.plan, flags.curve, flags.pool.file()});
  std::map<std::string, TrackRecord> records;
  const ReportData data = collect(context, flags, records);
  write_file(flags.out, [&](std::ostream& out) { write_report(out, data); });
  if (context.json) {
    Json document = json_of(data, flags.out);
    add_records(document, records);
    context.print(document);
  } else {
    std::string others;
    for (std::size_t i = 0; i < data.schedules.size(); ++i) {
      if (i == planned) continue;
      others += fmt::format("{}{} in {}", others.empty() ? "" : ", ", data.schedules[i].label,
                            format_duration(data.schedules[i].result.makespan));
    }
    std::cout << fmt::format("{}: {} jobs, {} in {} against {}; {} profiles, {} predictions\n", flags.out,
                             data.jobs.size(), data.schedules[planned].label,
                             format_duration(data.schedules[planned].result.makespan), others,
                             data.profiles.size(), data.predictions.size());
    show_records(records);
  }
  return 0;
}

}  // namespace

void add_report(CLI::App& root, Context& context) {
  CLI::App& command = *root.add_subcommand("report", "Draw a plan and its histories as one HTML page");
  const auto flags = std::make_shared<ReportFlags>();
  command.add_option("--workload", flags->workload, "the batch, as JSON Lines")
      ->required()
      ->type_name("FILE");
  command.add_option("--out", flags->out, "where the page goes")->required()->type_name("FILE.html");
  auto* plan = command.add_option("--plan", flags->plan, "a plan that 'wavewright plan --out' wrote")
                   ->type_name("FILE");
  without_pool_settings(plan);
  std::vector<std::string> methods;
  methods.reserve(planners().size());
  for (const auto& each : planners()) methods.push_back(each->name());
  auto* method = command.add_option("--method", flags->method, "without --plan: the method that plans")
                     ->excludes(plan)
                     ->capture_default_str()
                     ->type_name("NAME");
  offer(method, methods);
  declare_against(
      command, flags->against,
      "what the plan is shown beside: methods, policies on the same slots, and measured, the runs "
      "of these jobs in the store; the changes are against the first (default: "
      "submission,fair,capacity, and measured if the store has all of them)");
  command
      .add_option("--curve", flags->curve, "makespan over slots that 'wavewright plan --curve … --out' wrote")
      ->type_name("FILE");
  command
      .add_option("--deadline", flags->deadline,
                  "when all must be done, from the batch's beginning (default: the plan's)")
      ->type_name("TIME");
  flags->pool.declare(command);  // default: the slots of the plan
  command.add_option("--title", flags->title, "default: the name of the workload file")->type_name("TEXT");
  command.footer("Example: wavewright report --workload night.jsonl --plan night.plan.json --out night.html");
  command.callback([&context, flags] { context.run = [&context, flags] { return run(context, *flags); }; });
}

}  // namespace wavewright::app
