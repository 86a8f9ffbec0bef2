// `wavewright predict`: predicts a job's time, or evaluates such predictions.
#include "wavewright/predict/predict.h"
#include "apps/choices.h"
#include "apps/open_store.h"

#include <algorithm>

#include <fmt/format.h>

#include "apps/commands/evaluate_predictions.h"
#include "apps/commands/job_runs.h"
#include "apps/commands/job_size.h"
#include "apps/commands/predict_view.h"
#include "apps/context.h"
#include "apps/settings/fill_options.h"
#include "wavewright/core/error.h"
#include "wavewright/profile/groups.h"
#include "wavewright/report/documents/prediction_document.h"

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
  std::string hold_out;  // empty = run
  std::string out;
  ListOptions list;
};

PredictionOptions prediction_options(const Options& options, const Context& context) {
  const Count replications = parse_count(options.replications, "--replications", 1);
  if (replications < least_replications) {
    throw UsageError(fmt::format("--replications {} are too few for p5 and p95", replications),
                     fmt::format("give {} and more", least_replications));
  }
  return {context.seed, replications, !options.no_contention};
}

// Runs with the configuration of the newest successful one, of any size: scaling handles sizes.
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

// The given slots; a job with reduces needs reduce slots.
SlotPool slots_of(const Options& options, const std::vector<RunPhases>& runs, const RunSize& size) {
  SlotPool slots{parse_count(options.map_slots, "--map-slots", 1), 0};
  if (!options.reduce_slots.empty()) {
    slots.reduce_slots = parse_count(options.reduce_slots, "--reduce-slots", 0);
    return slots;
  }
  const Count reduces = size.reduces ? *size.reduces : scale_runs(runs, size).reduces;
  if (reduces > 0) {
    throw UsageError("no --reduce-slots given",
                     fmt::format("say on how many the job's {} reduces will run", reduces));
  }
  return slots;
}

void tell(const std::string& name, const Prediction& prediction, Count asked, const Context& context) {
  if (prediction.input_unused) {
    context.note(
        fmt::format("note: the runs of '{}' tell no input data, so --input-bytes has no effect; give --maps "
                    "and --reduces",
                    name));
  }
  tell_of_few_runs(prediction, asked, context);
}

int run_one(const Store& store, const Options& options, const Context& context) {
  if (options.name.empty()) {
    throw UsageError("no job named", "give a NAME ('wavewright profile' lists them), or --evaluate");
  }
  if (options.map_slots.empty()) throw UsageError("no --map-slots given", "say on how many the job will run");
  const RunSize size = options.size.size();
  const PredictionOptions how = prediction_options(options, context);
  JobRuns found = find_job_runs(store, options.name, options.like);
  std::vector<RunPhases> runs = std::move(found.runs);
  if (!options.all_runs) runs = runs_like_newest(runs, context);
  const std::string name = shown_name(found.name);
  const Prediction prediction = predict(name, runs, slots_of(options, runs, size), size, how);
  if (context.json) {
    context.print(prediction_document(found.name, prediction, size));
  } else if (options.list.one_table()) {
    show_methods(prediction, options.list);
  } else {
    show_prediction(name, prediction, size);
  }
  tell(name, prediction, how.replications, context);
  return 0;
}

// A flag without effect is a misunderstanding, so it is refused.
void refuse_without_effect(const Options& options) {
  const auto refuse = [](bool given, const char* flag, const char* why, const char* remedy) {
    if (given) throw UsageError(fmt::format("{} {}", flag, why), remedy);
  };
  if (!options.evaluate) {
    refuse(!options.out.empty(), "--out", "draws evaluations", "add --evaluate");
    refuse(!options.hold_out.empty(), "--hold-out", "is of evaluations", "add --evaluate");
    return;
  }
  const auto own = [&](const std::string& value, const char* flag) {
    refuse(!value.empty(), flag, "has no effect with --evaluate",
           "leave it out: each run is predicted at the size and on the slots that it had");
  };
  own(options.map_slots, "--map-slots");
  own(options.reduce_slots, "--reduce-slots");
  own(options.size.input_bytes, "--input-bytes");
  own(options.size.maps, "--maps");
  own(options.size.reduces, "--reduces");
  refuse(options.like && options.name.empty(), "--like", "has no effect without a NAME",
         "give one, or leave it out");
}

int run_predict(const Options& options, const Context& context) {
  if (options.list.wants_help()) {
    ListOptions::write_fields(options.evaluate ? evaluation_fields() : method_columns());
    return 0;
  }
  refuse_without_effect(options);
  const Store store = open_store(context);
  if (!options.evaluate) return run_one(store, options, context);
  const HoldOut hold_out = options.hold_out.empty() ? HoldOut::run : parse_hold_out(options.hold_out);
  const EvaluationRequest request = {options.name,
                                     options.like,
                                     prediction_options(options, context),
                                     {hold_out, !options.all_runs},
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
  from_setting(
      command->add_option("--map-slots", options->map_slots, "map slots that it will have")->type_name("M"),
      "map_slots");
  from_setting(command->add_option("--reduce-slots", options->reduce_slots, "reduce slots that it will have")
                   ->type_name("R"),
               "reduce_slots");
  options->size.declare(*command);
  command
      ->add_option("--replications", options->replications,
                   "simulated runs for p5, p50 and p95: 300 unless told, at least 20")
      ->type_name("N");
  command->add_flag("--no-contention", options->no_contention,
                    "take map lengths not to depend on how many maps run at once, as the papers do");
  without_pool_settings(command->add_flag(
      "--evaluate", options->evaluate,
      "predict every stored run (of NAME) from the others of its name, and show the errors"));
  auto* hold_out =
      command
          ->add_option(
              "--hold-out", options->hold_out,
              "with --evaluate: 'run' (the default), or 'size' to predict each size from the others only")
          ->type_name("WHAT");
  offer(hold_out, {"run", "size"});
  command->add_flag("--like", options->like, "take all names that differ only in dates, numbers and ids");
  command->add_flag("--all-runs", options->all_runs, "use runs of every configuration");
  command->add_option("--out", options->out, "with --evaluate: draw predicted against measured")
      ->type_name("FILE.html|FILE.svg");
  options->list.declare(*command);
  command->callback(
      [options, &context] { context.run = [options, &context] { return run_predict(*options, context); }; });
}

}  // namespace wavewright::app
