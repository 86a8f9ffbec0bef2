#include "apps/commands/evaluate_predictions.h"

#include <cmath>
#include <iostream>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "apps/commands/job_predictor.h"
#include "apps/commands/job_runs.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/profile/groups.h"
#include "wavewright/report/charts/evaluation_chart.h"
#include "wavewright/report/documents/evaluation_document.h"
#include "wavewright/store/phases.h"
#include "wavewright/store/sharing.h"

namespace wavewright::app {

namespace {

using Predictors = std::vector<Predictor>;  // one a job

std::string duration_text(double milliseconds) {
  return format_duration(ms(std::llround(milliseconds)));
}

const std::vector<Column>& evaluation_columns() {
  static const std::vector<Column> all = {{"id", "job", false, false, true},
                                          {"name", "name", false, true},
                                          {"runs", "from", true, false},
                                          {"left_out", "left out", true, false},
                                          {"maps", "maps", true, false},
                                          {"reduces", "reduces", true, false},
                                          {"map_slots", "map slots", true, false},
                                          {"reduce_slots", "reduce slots", true, false},
                                          {"scaling", "scaling", false, false},
                                          {"shared", "shared", false, false},
                                          {"measured_ms", "measured", true, false},
                                          {"low_ms", "low", true, false},
                                          {"avg_ms", "average", true, false},
                                          {"up_ms", "up", true, false},
                                          {"wave_ms", "waves", true, false},
                                          {"p5_ms", "p5", true, false},
                                          {"p50_ms", "p50", true, false},
                                          {"p95_ms", "p95", true, false},
                                          {"error_avg", "avg err", true, false},
                                          {"error_p50", "p50 err", true, false},
                                          {"within_interval", "in 90 %", false, false},
                                          {"startup_ms", "start-up", true, false},
                                          {"map_stage_ms", "map stage", true, false},
                                          {"reduce_stage_ms", "reduce stage", true, false},
                                          {"commit_ms", "commit", true, false}};
  return all;
}

Cell time_cell(double milliseconds) {
  return {duration_text(milliseconds), std::llround(milliseconds)};
}
// A measured stage; `-` if the run's stages are unknown.
Cell stage_cell(const RunPrediction& run, double RunStages::* stage) {
  if (!run.measured_stages) return {"-", Json(nullptr)};
  return time_cell(*run.measured_stages.*stage);
}
Cell share_cell(double share) {
  return {fmt::format("{:+.1f} %", 100 * share), share};
}

std::vector<Cell> row_of(const RunPrediction& run, bool shared) {
  const Prediction& predicted = run.predicted;
  return {run.id,
          Cell(shown_name(run.name), run.name),
          count_cell(predicted.runs),
          count_cell(predicted.left_out.total()),
          count_cell(predicted.job.maps),
          count_cell(predicted.job.reduces),
          count_cell(predicted.slots.map_slots),
          count_cell(predicted.slots.reduce_slots),
          to_string(predicted.scaling),
          Cell(shared ? "yes" : "no", shared),
          time_cell(run.measured_ms),
          time_cell(predicted.bounds.low_ms),
          time_cell(predicted.bounds.avg_ms()),
          time_cell(predicted.bounds.up_ms),
          time_cell(predicted.wave_ms),
          time_cell(predicted.percentiles.p5_ms),
          time_cell(predicted.percentiles.p50_ms),
          time_cell(predicted.percentiles.p95_ms),
          share_cell(run.error(predicted.bounds.avg_ms())),
          share_cell(run.error(predicted.percentiles.p50_ms)),
          Cell(run.within_interval() ? "yes" : "no", run.within_interval()),
          stage_cell(run, &RunStages::startup_ms),
          stage_cell(run, &RunStages::map_ms),
          stage_cell(run, &RunStages::reduce_ms),
          stage_cell(run, &RunStages::commit_ms)};
}

Predictors load(const Store& store, const EvaluationRequest& request) {
  if (!request.name.empty()) {
    JobRuns found = find_job_runs(store, request.name, request.like);
    return {job_predictor(store, found.name, std::move(found.runs), request.options)};
  }
  Predictors predictors;
  const auto shared = std::make_shared<const std::set<std::string>>(shared_runs(store));
  for (auto& [name, runs] : load_all_phases(store)) {
    predictors.emplace_back(name, std::move(runs), shared, request.options);
  }
  return predictors;
}

Evaluation evaluate_all(const Predictors& predictors, const EvaluationOptions& how) {
  Evaluation all;
  for (const Predictor& predictor : predictors) all.add(evaluate(predictor, how));
  return all;
}

// Mean errors of predictions from runs of every configuration. Nothing if those were used anyway, if every
// job has one configuration only, or if it was stopped.
std::optional<MeanAbsoluteError> of_every_configuration(const Predictors& predictors,
                                                        const EvaluationRequest& request,
                                                        const EvaluationOptions& how) {
  if (request.options.every_configuration) return std::nullopt;
  PredictorOptions options = request.options;
  options.every_configuration = true;
  Predictors pooled;
  bool differ = false;
  for (const Predictor& predictor : predictors) {
    for (const RunPhases& run : predictor.runs()) {
      differ = differ || comparable_runs(predictor.runs(), run).size() < predictor.runs().size();
    }
    pooled.push_back(predictor.with(options));
  }
  if (!differ) return std::nullopt;
  const Evaluation all = evaluate_all(pooled, how);
  if (all.not_reached > 0) return std::nullopt;
  return mean_absolute_error(all.alone);
}

// Runs that no other run of their job is predicted from, whatever its configuration.
LeftOutCounts never_used(const Predictors& predictors, bool name_them) {
  RunChoice never;
  for (const Predictor& predictor : predictors) {
    const RunChoice choice = predictor.choose();
    for (const LeftOutRun& run : choice.left_out) {
      if (is_never_used(run.why)) never.left_out.push_back(run);
    }
  }
  if (name_them && !never.left_out.empty()) list_left_out(never);
  return never.counts();
}

Table table_of(const Evaluation& all) {
  Table table{evaluation_columns(), {}};
  for (const RunPrediction& run : all.alone) table.rows.push_back(row_of(run, false));
  for (const RunPrediction& run : all.shared) table.rows.push_back(row_of(run, true));
  return table;
}

void show_errors(const ErrorsByJob& jobs, const MeanAbsoluteError& alone, const MeanAbsoluteError& shared) {
  Table table{{{"name", "job", false, true}}, {}};
  for (const char* title : {"runs", "low", "average", "up", "waves", "p50", "bias", "in bounds", "in 90 %"}) {
    const bool first_to_go = title == std::string("average") || title == std::string("waves");
    table.columns.push_back({title, title, true, false, first_to_go});
  }
  const auto percent = [](double share) { return Cell(fmt::format("{:.1f} %", 100 * share)); };
  const auto row = [&](const std::string& name, const MeanAbsoluteError& mean) {
    if (mean.runs == 0) return;
    table.rows.push_back({name, count_cell(mean.runs), percent(mean.low), percent(mean.avg), percent(mean.up),
                          percent(mean.wave), percent(mean.p50),
                          Cell(fmt::format("{:+.1f} %", 100 * mean.bias)),
                          Cell(fmt::format("{:.0f} %", 100 * mean.within_bounds)),
                          Cell(fmt::format("{:.0f} %", 100 * mean.within_interval))});
  };
  for (const auto& [name, mean] : jobs) row(shown_name(name), mean);
  row("all, cluster alone", alone);
  row("all, cluster shared", shared);
  write_table(std::cout, table);
}

void tell_stages(const MeanAbsoluteError& mean) {
  if (mean.staged_runs == 0) return;
  std::cout << fmt::format(
      "\nerror of p50 by stage, over the whole run: start-up {:.1f} %, maps {:.1f} %, reduces {:.1f} %, "
      "commit "
      "{:.1f} %\n",
      100 * mean.startup, 100 * mean.map_stage, 100 * mean.reduce_stage, 100 * mean.commit);
}

std::vector<EvaluatedRun> drawn(const std::vector<RunPrediction>& runs) {
  std::vector<EvaluatedRun> dots;
  for (const RunPrediction& run : runs) {
    const Prediction& predicted = run.predicted;
    dots.push_back({run.name, run.id, run.measured_ms, predicted.bounds.low_ms, predicted.bounds.avg_ms(),
                    predicted.bounds.up_ms, predicted.wave_ms, predicted.percentiles.p50_ms,
                    predicted.percentiles.p5_ms, predicted.percentiles.p95_ms});
  }
  return dots;
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

void draw(const Evaluation& all, const std::string& path) {
  const std::vector<EvaluatedRun> dots = drawn(all.alone);
  const std::string page = ends_with(path, ".svg") ? evaluation_svg(dots) : evaluation_page(dots);
  write_file(path, [&](std::ostream& out) { out << page; });
}

void show_summary(const Evaluation& all, const std::optional<MeanAbsoluteError>& every,
                  const Predictors& predictors, const EvaluationRequest& request) {
  const MeanAbsoluteError alone = mean_absolute_error(all.alone);
  std::cout << "\nmean absolute error, each run predicted from "
            << (request.hold_out == HoldOut::size ? "runs of other sizes" : "the others") << " of its name\n";
  show_errors(errors_by_job(all.alone), alone, mean_absolute_error(all.shared));
  tell_stages(alone);
  if (every) {
    std::cout << fmt::format("from runs of every configuration p50 would be {:.1f} % off\n",
                             100 * every->p50);
  }
  const LeftOutCounts never = never_used(predictors, request.left_out);
  if (never.total() == 0) return;
  std::cout << fmt::format("no run is predicted from those left out: {}{}\n", never.text(),
                           request.left_out ? "" : " (--left-out names them)");
}

std::string interrupted_text(const Evaluation& all) {
  const std::size_t done = all.alone.size() + all.shared.size() + static_cast<std::size_t>(all.not_predicted);
  if (all.not_reached == 0) return "interrupted: the mean errors of every configuration are missing";
  return fmt::format("interrupted: {} of {} runs are evaluated", done,
                     done + static_cast<std::size_t>(all.not_reached));
}

}  // namespace

HoldOut parse_hold_out(const std::string& text) {
  if (text == "run") return HoldOut::run;
  if (text == "size") return HoldOut::size;
  throw UsageError("--hold-out '" + text + "' is not known", "'run' or 'size'");
}

const std::vector<Column>& evaluation_fields() {
  return evaluation_columns();
}

int show_evaluation(const Store& store, const EvaluationRequest& request, const ListOptions& list,
                    const Context& context) {
  if (!request.out.empty() && !ends_with(request.out, ".svg") && !ends_with(request.out, ".html")) {
    throw UsageError("--out '" + request.out + "' is neither .html nor .svg", "name it so");
  }
  context.ends_itself = true;
  const Predictors predictors = load(store, request);
  const EvaluationOptions how = {.hold_out = request.hold_out,
                                 .stop = Stop(std::nullopt, &context.interrupted)};
  const Evaluation all = evaluate_all(predictors, how);
  const std::optional<MeanAbsoluteError> every = of_every_configuration(predictors, request, how);
  const int status = static_cast<int>(context.interrupted ? ExitStatus::interrupted : ExitStatus::done);
  const Table table = table_of(all);
  if (!request.out.empty() && !(context.interrupted && all.alone.empty())) draw(all, request.out);
  if (context.interrupted) context.note(interrupted_text(all));
  if (context.json) {
    context.print(evaluation_document(all, every, context.interrupted));
    return status;
  }
  list.write(table,
             {"name", "id", "measured_ms", "low_ms", "up_ms", "p5_ms", "p50_ms", "p95_ms", "error_p50"});
  if (list.for_people()) show_summary(all, every, predictors, request);
  if (list.for_people() && all.not_predicted > 0)
    context.note(std::to_string(all.not_predicted) +
                 " runs have no others of their name (or of another size)");
  return status;
}

}  // namespace wavewright::app
