// `wavewright predict`: predicts a job's time, or evaluates such predictions.
#include "wavewright/predict/predict.h"
#include "apps/choices.h"
#include "apps/open_store.h"

#include <algorithm>

#include <fmt/format.h>

#include "apps/commands/evaluate_predictions.h"
#include "apps/commands/job_predictor.h"
#include "apps/commands/job_runs.h"
#include "apps/commands/job_size.h"
#include "apps/commands/predict_view.h"
#include "apps/commands/profile_lengths.h"
#include "apps/context.h"
#include "apps/settings/fill_options.h"
#include "wavewright/core/error.h"
#include "wavewright/live/outlook/outlook_document.h"
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
  bool like = false;
  std::string run;
  RunChoiceFlags choice;
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

void tell(const std::string& name, const Prediction& prediction, bool by_flag, Count asked,
          const Context& context) {
  if (prediction.input_unused && by_flag) {
    context.note(
        fmt::format("note: the runs of '{}' tell no input data, so --input-bytes has no effect; give --maps "
                    "and --reduces",
                    name));
  }
  tell_of_few_runs(prediction, asked, context);
}

// A predictor, what it is asked, and on which slots.
struct Asked {
  Predictor predictor;
  RunQuestion question;
  SlotPool slots;
  RunChoice choice;
};

// As `--evaluate` asks for that run: its size, configuration and slots, from the others.
Asked ask_for_run(const Predictor& predictor, const std::string& id) {
  const std::vector<RunPhases>& runs = predictor.runs();
  const auto run =
      std::find_if(runs.begin(), runs.end(), [&](const RunPhases& each) { return each.id == id; });
  if (run == runs.end()) {
    throw UsageError(fmt::format("'{}' has no run '{}'", predictor.name(), id),
                     "'wavewright jobs --name NAME' lists them");
  }
  Asked asked = {
      predictor.without(static_cast<std::size_t>(run - runs.begin())), question_of(*run), run->slots, {}};
  asked.choice = asked.predictor.choose(asked.question);
  return asked;
}

Asked ask(const Predictor& predictor, const Options& options) {
  if (!options.run.empty()) return ask_for_run(predictor, options.run);
  Asked asked = {predictor, {.size = options.size.size()}, {}, {}};
  asked.choice = predictor.choose(asked.question);
  asked.slots = slots_of(options, asked.choice.runs, asked.question.size);
  return asked;
}

int run_one(const Store& store, const Options& options, const Context& context) {
  if (options.name.empty()) {
    throw UsageError("no job named", "give a NAME ('wavewright profile' lists them), or --evaluate");
  }
  if (options.map_slots.empty() && options.run.empty())
    throw UsageError("no --map-slots given", "say on how many the job will run");
  (void)options.size.size();  // told before the store is read
  const PredictionOptions how = prediction_options(options, context);
  JobRuns found = find_job_runs(store, options.name, options.like);
  const std::string name = shown_name(found.name);
  const Asked asked =
      ask(job_predictor(store, name, std::move(found.runs), options.choice.with(how)), options);
  const RunSize& size = asked.question.size;
  const Prediction prediction = asked.predictor.predict_from(asked.choice, asked.slots, size);
  const TrackRecord record = record_of(store, asked.predictor);
  if (context.json) {
    Json document = prediction_document(found.name, prediction, size, asked.choice);
    document["record"] = document_of(record);
    context.print(document);
  } else if (options.list.one_table()) {
    show_methods(prediction, options.list);
  } else {
    show_prediction(name, prediction, size, used_text(asked.choice, !options.choice.left_out));
    tell_record(record);
    if (options.choice.left_out) list_left_out(asked.choice);
  }
  tell(name, prediction, !options.size.input_bytes.empty(), how.replications, context);
  return 0;
}

// A flag without effect is a misunderstanding, so it is refused.
void refuse_without_effect(const Options& options) {
  const auto refuse = [](bool given, const char* flag, const char* why, const char* remedy) {
    if (given) throw UsageError(fmt::format("{} {}", flag, why), remedy);
  };
  const char* of_run = "the run's own slots and size are taken";
  refuse(!options.run.empty() && !(options.map_slots + options.reduce_slots).empty(), "--run",
         "goes without slots", of_run);
  refuse(!options.run.empty() && options.size.given(), "--run", "goes without a size", of_run);
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
  own(options.run, "--run");
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
                                     options.choice.with(prediction_options(options, context)),
                                     hold_out,
                                     options.choice.left_out,
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
  command
      ->add_option(
          "--run", options->run,
          "predict that stored run from the others, as --evaluate does: its slots, size, configuration")
      ->type_name("ID");
  options->choice.declare(*command);
  command->add_option("--out", options->out, "with --evaluate: draw predicted against measured")
      ->type_name("FILE.html|FILE.svg");
  options->list.declare(*command);
  command->callback(
      [options, &context] { context.run = [options, &context] { return run_predict(*options, context); }; });
}

}  // namespace wavewright::app
