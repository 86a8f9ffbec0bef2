// `wavewright predict`: how long a job will take, or how good such predictions were.
#include "wavewright/predict/predict.h"

#include <algorithm>
#include <cmath>
#include <iostream>

#include <fmt/format.h>

#include "apps/commands/evaluate_predictions.h"
#include "apps/commands/job_runs.h"
#include "apps/commands/job_size.h"
#include "apps/context.h"
#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/profile/groups.h"

namespace wavewright::app {

namespace {

struct Options {
  std::string name;
  std::string map_slots;
  std::string reduce_slots;
  std::string replications = "300";
  JobSizeFlags size;
  bool evaluate = false;
  bool no_contention = false;
  bool all_runs = false;
  bool like = false;
  std::string hold_out = "run";
  std::string out;
  ListOptions list;
};

PredictionOptions prediction_options(const Options& options, const Context& context) {
  return {context.seed, parse_count(options.replications, "--replications", 1), !options.no_contention};
}

std::string duration_text(double milliseconds) {
  return format_duration(ms(std::llround(milliseconds)));
}

Json to_json(const std::string& name, const Prediction& prediction, const RunSize& size) {
  const auto whole = [](double value) { return std::llround(value); };
  return {{"name", name},
          {"runs", prediction.runs},
          {"maps", prediction.job.maps},
          {"reduces", prediction.job.reduces},
          {"map_slots", prediction.slots.map_slots},
          {"reduce_slots", prediction.slots.reduce_slots},
          {"input_bytes", size.input ? Json(size.input->count) : Json(nullptr)},
          {"scaling", to_string(prediction.scaling)},
          {"contention", prediction.contention},
          {"input_used", size.input ? Json(!prediction.input_unused) : Json(nullptr)},
          {"low_ms", whole(prediction.bounds.low_ms)},
          {"avg_ms", whole(prediction.bounds.avg_ms())},
          {"up_ms", whole(prediction.bounds.up_ms)},
          {"wave_ms", whole(prediction.wave_ms)},
          {"simple_ms", whole(prediction.simple_ms)},
          {"p5_ms", whole(prediction.percentiles.p5_ms)},
          {"p50_ms", whole(prediction.percentiles.p50_ms)},
          {"p95_ms", whole(prediction.percentiles.p95_ms)},
          {"mean_ms", whole(prediction.percentiles.mean_ms)},
          {"overhead_ms", whole(prediction.job.overhead_ms)},
          {"stages",
           {{"startup_ms", whole(prediction.percentiles.stages.startup_ms)},
            {"map_ms", whole(prediction.percentiles.stages.map_ms)},
            {"reduce_ms", whole(prediction.percentiles.stages.reduce_ms)},
            {"commit_ms", whole(prediction.percentiles.stages.commit_ms)}}},
          {"run_deviation", prediction.calibration.deviation},
          {"calibration_runs", prediction.calibration.runs},
          {"replications", prediction.percentiles.replications}};
}

std::string scaling_text(ScalingMethod method) {
  switch (method) {
    case ScalingMethod::none:
      return "lengths as the runs had them";
    case ScalingMethod::same_size:
      return "of that size already";
    case ScalingMethod::fitted:
      return "shuffle and reduce by the line fitted through the runs' sizes";
    case ScalingMethod::proportional:
      break;
  }
  return "shuffle and reduce in proportion to the data, for the runs are all of one size";
}

void show(const std::string& name, const Prediction& prediction, const RunSize& size) {
  std::cout << fmt::format("{}: {} maps and {} reduces on {} map and {} reduce slots", name,
                           prediction.job.maps, prediction.job.reduces, prediction.slots.map_slots,
                           prediction.slots.reduce_slots);
  if (size.input) std::cout << ", " << format_bytes(*size.input) << " input";
  std::cout << fmt::format("\nfrom {} successful runs; {}\n\n", prediction.runs,
                           scaling_text(prediction.scaling));
  Table table{
      {{"method", "method", false, false}, {"time", "time", true, false}, {"meaning", "", false, true}}, {}};
  const auto row = [&](const char* method, double time, const std::string& meaning) {
    table.rows.push_back({std::string(method), duration_text(time), meaning});
  };
  row("low", prediction.bounds.low_ms, "no assignment of such tasks is faster (bounds)");
  row("average", prediction.bounds.avg_ms(), "the middle of low and up");
  row("up", prediction.bounds.up_ms, "no greedy assignment of such tasks is slower");
  row("waves", prediction.wave_ms, "whole waves of middling tasks");
  const Percentiles& simulated = prediction.percentiles;
  row("p5", simulated.p5_ms, "nine runs of ten are between p5 and p95:");
  row("p50", simulated.p50_ms, fmt::format("the middle of {} simulated runs", simulated.replications));
  row("p95", simulated.p95_ms,
      prediction.calibration.runs > 1
          ? fmt::format("widened by what {} runs strayed from such predictions", prediction.calibration.runs)
          : "widened by what runs usually stray, for this job has too few");
  write_table(std::cout, table);
  std::cout << fmt::format(
      "\nsubmission to finish; simulated: start-up {}, maps {}, then reduces {}, commit {}\n",
      duration_text(simulated.stages.startup_ms), duration_text(simulated.stages.map_ms),
      duration_text(simulated.stages.reduce_ms), duration_text(simulated.stages.commit_ms));
}

// Runs of the newest successful one's configuration, of any size: scaling takes care of that.
std::vector<RunPhases> runs_like_newest(const std::vector<RunPhases>& runs, const Context& context) {
  const auto newest = std::find_if(runs.begin(), runs.end(),
                                   [](const RunPhases& run) { return run.state == RunState::succeeded; });
  if (newest == runs.end()) return runs;
  std::vector<RunPhases> alike = comparable_runs(runs, *newest);
  if (alike.size() < runs.size()) {
    context.note(
        fmt::format("note: from the {} of {} runs that are configured like the newest; --all-runs takes all",
                    alike.size(), runs.size()));
  }
  return alike;
}

int run_one(const Store& store, const Options& options, const Context& context) {
  if (options.name.empty()) {
    throw UsageError("no job named", "give a NAME ('wavewright profile' lists them), or --evaluate");
  }
  if (options.map_slots.empty()) throw UsageError("no --map-slots given", "say on how many the job will run");
  SlotPool slots{parse_count(options.map_slots, "--map-slots", 1), 0};
  if (!options.reduce_slots.empty())
    slots.reduce_slots = parse_count(options.reduce_slots, "--reduce-slots", 0);
  const RunSize size = options.size.size();
  const PredictionOptions how = prediction_options(options, context);
  JobRuns found = find_job_runs(store, options.name, options.like);
  const std::string& name = found.name;
  std::vector<RunPhases> runs = std::move(found.runs);
  if (!options.all_runs) runs = runs_like_newest(runs, context);
  const Prediction prediction = predict(name, runs, slots, size, how);
  if (prediction.input_unused) {
    context.note(
        fmt::format("note: the runs of '{}' tell no input data, so --input-bytes has no effect; give "
                    "--maps and --reduces",
                    name));
  }
  if (context.json) {
    context.print(to_json(name, prediction, size));
  } else {
    show(name, prediction, size);
  }
  return 0;
}

int run_predict(const Options& options, const Context& context) {
  if (options.list.wants_help()) {
    ListOptions::write_fields(evaluation_fields());
    return 0;
  }
  const Store store = Store::open(context.store_url(), Store::Access::existing);
  if (!options.evaluate) {
    if (!options.out.empty()) throw UsageError("--out draws evaluations", "add --evaluate");
    return run_one(store, options, context);
  }
  const EvaluationRequest request = {options.name,
                                     prediction_options(options, context),
                                     {parse_hold_out(options.hold_out), !options.all_runs},
                                     options.out};
  return show_evaluation(store, request, options.list, context);
}

}  // namespace

void add_predict(CLI::App& root, Context& context) {
  CLI::App* command =
      root.add_subcommand("predict", "Predict a job's completion time from its finished runs");
  command->footer(
      "Example: wavewright predict nightly-etl --map-slots 40 --reduce-slots 20\n"
      "         wavewright predict --evaluate --out errors.html");
  const auto options = std::make_shared<Options>();
  command->add_option("name", options->name, "job name, in any case")->type_name("NAME");
  command->add_option("--map-slots", options->map_slots, "map slots that it will have")->type_name("M");
  command->add_option("--reduce-slots", options->reduce_slots, "reduce slots that it will have")
      ->type_name("R");
  options->size.declare(*command);
  command->add_option("--replications", options->replications, "simulated runs for p50 and p95")
      ->type_name("N");
  command->add_flag("--no-contention", options->no_contention,
                    "take map lengths not to depend on how many maps run at once, as the papers do");
  command->add_flag("--evaluate", options->evaluate,
                    "predict every stored run (of NAME) from the others of its name, and show the errors");
  command
      ->add_option("--hold-out", options->hold_out,
                   "with --evaluate: 'run', or 'size' to predict each size from the others only")
      ->capture_default_str()
      ->type_name("WHAT");
  command->add_flag("--like", options->like, "take all names that differ only in dates, numbers and ids");
  command->add_flag("--all-runs", options->all_runs, "use runs of every configuration");
  command->add_option("--out", options->out, "with --evaluate: draw predicted against measured")
      ->type_name("FILE.html|FILE.svg");
  options->list.declare(*command);
  command->callback(
      [options, &context] { context.run = [options, &context] { return run_predict(*options, context); }; });
}

}  // namespace wavewright::app
