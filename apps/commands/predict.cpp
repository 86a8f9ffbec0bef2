// `wavewright predict`: how long a job will take, or how good such predictions were.
#include "wavewright/predict/predict.h"

#include <cmath>
#include <iostream>

#include <fmt/format.h>

#include "apps/commands/job_size.h"
#include "apps/context.h"
#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/predict/evaluate.h"
#include "wavewright/store/phases.h"
#include "wavewright/store/sharing.h"

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
          {"low_ms", whole(prediction.bounds.low_ms)},
          {"avg_ms", whole(prediction.bounds.avg_ms())},
          {"up_ms", whole(prediction.bounds.up_ms)},
          {"wave_ms", whole(prediction.wave_ms)},
          {"simple_ms", whole(prediction.simple_ms)},
          {"p50_ms", whole(prediction.percentiles.p50_ms)},
          {"p95_ms", whole(prediction.percentiles.p95_ms)},
          {"mean_ms", whole(prediction.percentiles.mean_ms)},
          {"overhead_ms", whole(prediction.job.overhead_ms)},
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
  row("p50", prediction.percentiles.p50_ms,
      fmt::format("half of {} simulated runs were done by then", prediction.percentiles.replications));
  row("p95", prediction.percentiles.p95_ms, "95 % of them");
  write_table(std::cout, table);
  std::cout << fmt::format("\nsubmission to finish; {} of it with no task at work\n",
                           duration_text(prediction.job.overhead_ms));
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
  const std::string name = store.known_name(options.name);
  const Prediction prediction = predict(name, load_phases(store, name), slots, size, how);
  if (context.json) {
    context.print(to_json(name, prediction, size));
  } else {
    show(name, prediction, size);
  }
  return 0;
}

const std::vector<Column>& evaluation_columns() {
  static const std::vector<Column> all = {{"id", "job", false, false},
                                          {"name", "name", false, true},
                                          {"runs", "from", true, false},
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
                                          {"p50_ms", "p50", true, false},
                                          {"p95_ms", "p95", true, false},
                                          {"error_avg", "avg err", true, false},
                                          {"error_p50", "p50 err", true, false}};
  return all;
}

Cell time_cell(double milliseconds) {
  return {duration_text(milliseconds), std::llround(milliseconds)};
}
Cell share_cell(double share) {
  return {fmt::format("{:+.1f} %", 100 * share), share};
}

std::vector<Cell> row_of(const RunPrediction& run, bool shared) {
  const Prediction& predicted = run.predicted;
  return {run.id,
          run.name,
          count_cell(predicted.runs),
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
          time_cell(predicted.percentiles.p50_ms),
          time_cell(predicted.percentiles.p95_ms),
          share_cell(run.error(predicted.bounds.avg_ms())),
          share_cell(run.error(predicted.percentiles.p50_ms))};
}

Evaluation evaluate_store(const Store& store, const Options& options, const Context& context) {
  const PredictionOptions how = prediction_options(options, context);
  std::map<std::string, std::vector<RunPhases>> by_name;
  if (options.name.empty()) {
    by_name = load_all_phases(store);
  } else {
    const std::string name = store.known_name(options.name);
    by_name[name] = load_phases(store, name);
  }
  const std::set<std::string> shared = shared_runs(store.headers({}));
  Evaluation all;
  for (const auto& [name, runs] : by_name) {
    Evaluation job = evaluate(name, runs, shared, how);
    std::move(job.alone.begin(), job.alone.end(), std::back_inserter(all.alone));
    std::move(job.shared.begin(), job.shared.end(), std::back_inserter(all.shared));
    all.not_predicted += job.not_predicted;
  }
  return all;
}

Json to_json(const MeanAbsoluteError& mean) {
  return {{"runs", mean.runs},
          {"low", mean.low},
          {"avg", mean.avg},
          {"up", mean.up},
          {"wave", mean.wave},
          {"p50", mean.p50},
          {"within_bounds", mean.within_bounds},
          {"at_most_p95", mean.at_most_p95}};
}

Table table_of(const Evaluation& all) {
  Table table{evaluation_columns(), {}};
  for (const RunPrediction& run : all.alone) table.rows.push_back(row_of(run, false));
  for (const RunPrediction& run : all.shared) table.rows.push_back(row_of(run, true));
  return table;
}

void tell(const char* which, const MeanAbsoluteError& mean) {
  if (mean.runs == 0) return;
  std::cout << fmt::format(
      "{:<24} {:>4} runs: low {:.1f} %, average {:.1f} %, up {:.1f} %, waves {:.1f} %, p50 {:.1f} %;\n"
      "{:<24} {:.0f} % of them within low and up, {:.0f} % at most p95\n",
      which, mean.runs, 100 * mean.low, 100 * mean.avg, 100 * mean.up, 100 * mean.wave, 100 * mean.p50, "",
      100 * mean.within_bounds, 100 * mean.at_most_p95);
}

int run_evaluation(const Store& store, const Options& options, const Context& context) {
  const Evaluation all = evaluate_store(store, options, context);
  const MeanAbsoluteError alone = mean_absolute_error(all.alone);
  const MeanAbsoluteError shared = mean_absolute_error(all.shared);
  const Table table = table_of(all);
  if (context.json) {
    Json runs = Json::array();
    for (const auto& row : table.rows) {
      Json& entry = runs.emplace_back(Json::object());
      for (std::size_t i = 0; i < row.size(); ++i) entry[table.columns[i].name] = row[i].value;
    }
    context.print({{"runs", std::move(runs)},
                   {"not_predicted", all.not_predicted},
                   {"mean_absolute_error", to_json(alone)},
                   {"mean_absolute_error_shared", to_json(shared)}});
    return 0;
  }
  options.list.write(
      table, {"id", "name", "measured_ms", "low_ms", "avg_ms", "up_ms", "p50_ms", "p95_ms", "error_p50"});
  if (options.list.for_people()) {
    std::cout << "\nmean absolute error, each run predicted from the others of its name that had the cluster "
                 "alone\n";
    tell("had the cluster alone:", alone);
    tell("shared it (last rows):", shared);
    if (all.not_predicted > 0)
      context.note(std::to_string(all.not_predicted) + " runs have no others of their name");
  }
  return 0;
}

int run_predict(const Options& options, const Context& context) {
  if (options.list.wants_help()) {
    ListOptions::write_fields(evaluation_columns());
    return 0;
  }
  const Store store = Store::open(context.store_url(), Store::Access::existing);
  return options.evaluate ? run_evaluation(store, options, context) : run_one(store, options, context);
}

}  // namespace

void add_predict(CLI::App& root, Context& context) {
  CLI::App* command =
      root.add_subcommand("predict", "Predict a job's completion time from its finished runs");
  command->footer("Example: wavewright predict nightly-etl --map-slots 40 --reduce-slots 20");
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
  options->list.declare(*command);
  command->callback(
      [options, &context] { context.run = [options, &context] { return run_predict(*options, context); }; });
}

}  // namespace wavewright::app
