// `wavewright slots NAME --deadline 8min`: the fewest slots that meet the deadline.
#include "wavewright/predict/slots.h"
#include "apps/choices.h"
#include "apps/open_store.h"
#include "apps/settings/fill_options.h"

#include <charconv>
#include <cmath>
#include <iostream>

#include <fmt/format.h>

#include "apps/commands/job_predictor.h"
#include "apps/commands/job_runs.h"
#include "apps/commands/job_size.h"
#include "apps/commands/predict_view.h"
#include "apps/commands/profile_lengths.h"
#include "apps/context.h"
#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/live/outlook/outlook_document.h"
#include "wavewright/predict/predicted_slots.h"
#include "wavewright/report/documents/left_out_document.h"

namespace wavewright::app {

namespace {

constexpr const char* by_simulation = "simulated";

struct Options {
  std::string name;
  std::string deadline;
  std::string reduce_slots;
  std::string model = by_simulation;
  std::string confidence;
  bool curve = false;
  JobSizeFlags size;
  RunChoiceFlags choice;
};

// The question, with the runs that answer it.
struct Asked {
  std::string name;  // as stored
  Duration deadline{};
  double confidence = 0.5;
  std::optional<TimeModel> model;  // absent = simulated runs
  RunSize size;
  RunChoice choice;
};

struct Answer {
  SlotChoice best;
  std::optional<LagrangeSlots> lagrange;  // if reduce slots are not given; of a closed form
  std::optional<double> map_slots_real;   // (3.16), if they are; of a closed form
  std::vector<SlotChoice> curve;          // if requested
  Prediction predicted;                   // for the best choice
  TrackRecord record;
};

std::string duration_text(double milliseconds) {
  return format_duration(ms(std::llround(milliseconds)));
}

// The printed formulas hold in the simple model; if it has no solution, neither have they.
template <class Formula>
auto if_possible(Formula formula) -> std::optional<decltype(formula())> {
  try {
    return formula();
  } catch (const Infeasible&) {
    return std::nullopt;
  }
}

// By a closed form. All but the prediction.
Answer answer(const ScaledProfile& scaled, Duration deadline, TimeModel model, const Options& options) {
  const JobStatistics& job = scaled.job;
  Answer found;
  if (!options.reduce_slots.empty()) {
    const Count given = parse_count(options.reduce_slots, "--reduce-slots", job.reduces > 0 ? 1 : 0);
    found.best = slots_beside(job, deadline, given, model);
    found.map_slots_real = if_possible([&] { return map_slots_beside(job, deadline, given); });
  } else {
    found.best = fewest_slots(job, deadline, model);
    found.lagrange = if_possible([&] { return lagrange_slots(job, deadline); });
  }
  if (options.curve) found.curve = allocation_curve(job, deadline, model);
  return found;
}

// By predictions: simulated runs, or a formula with the lengths that tasks have on each pair of slots.
Answer answer(const PreparedPrediction& prediction, const Asked& asked, const Options& options) {
  SlotDeadline wanted = {.deadline = asked.deadline, .confidence = asked.confidence, .model = asked.model};
  if (!options.reduce_slots.empty()) {
    wanted.reduce_slots =
        parse_count(options.reduce_slots, "--reduce-slots", prediction.reduces() > 0 ? 1 : 0);
  }
  PredictedSlots search(prediction, wanted);
  Answer found;
  found.best = search.fewest();
  if (options.curve) found.curve = search.curve();
  found.predicted = prediction.at(found.best.slots);
  if (!asked.model) return found;
  const JobStatistics& job = found.predicted.job;  // with the lengths on those slots
  if (wanted.reduce_slots) {
    found.map_slots_real =
        if_possible([&] { return map_slots_beside(job, asked.deadline, *wanted.reduce_slots); });
    return found;
  }
  found.lagrange = if_possible([&] { return lagrange_slots(job, asked.deadline); });
  if (!found.lagrange) return found;
  for (SlotChoice* each : {&found.lagrange->ceiled, &found.lagrange->corner}) {
    each->completion_ms = prediction.formula_at(each->slots, TimeModel::simple);
  }
  return found;
}

// Repeats a refusal with the stored runs that were as fast, if there are any: it needs an explanation.
[[noreturn]] void refuse(const Infeasible& refused, const Asked& asked,
                         const std::vector<RunPhases>& stored) {
  const RunPhases* fastest = nullptr;
  Count met = 0;
  Count succeeded = 0;
  for (const RunPhases& run : stored) {
    const std::optional<Duration> measured = run.measured();
    if (run.state != RunState::succeeded || !measured) continue;
    ++succeeded;
    met += *measured <= asked.deadline ? 1 : 0;
    if (fastest == nullptr || *measured < *fastest->measured()) fastest = &run;
  }
  if (met == 0) throw refused;
  const auto size = scale_runs(asked.choice.runs, asked.size);
  const bool same_size = size.maps == fastest->maps && size.reduces == fastest->reduces;
  throw Infeasible(
      fmt::format("{}. Yet {} of {} stored runs took no longer, the fastest {}: {} maps and {} reduces on {} "
                  "map and {} reduce slots ({})",
                  refused.problem(), met, succeeded, format_duration(*fastest->measured()), fastest->maps,
                  fastest->reduces, fastest->slots.map_slots, fastest->slots.reduce_slots, fastest->id),
      asked.model ? "leave --model out: this formula is not of simulated runs"
      : same_size ? "give less --confidence"
                  : "give less --confidence, or its size with --maps, --reduces or --input-bytes");
}

Json to_json(const SlotChoice& choice) {
  return {{"map_slots", choice.slots.map_slots},
          {"reduce_slots", choice.slots.reduce_slots},
          {"total", choice.total()},
          {"completion_ms", std::llround(choice.completion_ms)}};
}

Json to_json(const Asked& asked, const Answer& found, bool with_curve) {
  const Prediction& predicted = found.predicted;
  Json json = {{"name", asked.name},
               {"deadline_ms", to_ms(asked.deadline)},
               {"model", asked.model ? to_string(*asked.model) : by_simulation},
               {"confidence", asked.model ? Json(nullptr) : Json(asked.confidence)},
               {"maps", predicted.job.maps},
               {"reduces", predicted.job.reduces},
               {"runs", predicted.runs},
               {"shared_used", asked.choice.shared_used},
               {"left_out_counts", left_out_counts_document(asked.choice.counts())},
               {"left_out", left_out_document(asked.choice)},
               {"scaling", to_string(predicted.scaling)},
               {"best", to_json(found.best)}};
  json["best"]["p50_ms"] = std::llround(predicted.percentiles.p50_ms);
  json["best"]["p95_ms"] = std::llround(predicted.percentiles.p95_ms);
  json["record"] = document_of(found.record);
  if (found.map_slots_real) json["map_slots_real"] = *found.map_slots_real;
  if (found.lagrange) {
    json["lagrange"] = {
        {"model", to_string(TimeModel::simple)},        {"map_slots", found.lagrange->map_slots},
        {"reduce_slots", found.lagrange->reduce_slots}, {"capped", found.lagrange->capped},
        {"ceiled", to_json(found.lagrange->ceiled)},    {"corner", to_json(found.lagrange->corner)}};
  }
  if (with_curve) {
    Json& curve = json["curve"] = Json::array();
    for (const SlotChoice& choice : found.curve) curve.push_back(to_json(choice));
  }
  return json;
}

std::vector<Cell> row_of(const std::string& what, const SlotChoice& choice, const std::string& note) {
  return {what,
          count_cell(choice.slots.map_slots),
          count_cell(choice.slots.reduce_slots),
          count_cell(choice.total()),
          duration_text(choice.completion_ms),
          note};
}

std::string percentile_text(double confidence) {
  return fmt::format("p{:g}", 100 * confidence);
}

void show(const Asked& asked, const Answer& found, bool left_out) {
  const Prediction& predicted = found.predicted;
  const std::string by = asked.model ? to_string(*asked.model) + " model"
                                     : fmt::format("in {:g} % of runs", 100 * asked.confidence);
  std::cout << fmt::format("{} within {} ({}): {} maps and {} reduces\n{}\n\n", shown_name(asked.name),
                           format_duration(asked.deadline), by, predicted.job.maps, predicted.job.reduces,
                           used_text(asked.choice, !left_out));
  Table table{{{"slots", "", false, false},
               {"map", "map", true, false},
               {"reduce", "reduce", true, false},
               {"total", "total", true, false},
               {"time", asked.model ? "time" : percentile_text(asked.confidence), true, false},
               {"note", "", false, true}},
              {}};
  const bool given = !found.lagrange && found.map_slots_real;
  table.rows.push_back(row_of(given ? "fewest maps" : "fewest", found.best,
                              found.lagrange || found.map_slots_real ? "exact" : ""));
  if (found.map_slots_real) {
    table.rows.back().back() = Cell(fmt::format("exact; equation 3.16 gives {:.2f}", *found.map_slots_real));
  }
  if (found.lagrange) {
    const LagrangeSlots& lagrange = *found.lagrange;
    table.rows.push_back(row_of("Lagrange", lagrange.ceiled,
                                fmt::format("{:.2f} + {:.2f} rounded up (simple model{})", lagrange.map_slots,
                                            lagrange.reduce_slots, lagrange.capped ? ", capped" : "")));
    table.rows.push_back(row_of("its corner", lagrange.corner, "the best of rounding each up or down"));
  }
  for (const SlotChoice& choice : found.curve) table.rows.push_back(row_of("minimal", choice, ""));
  write_table(std::cout, table);
  std::cout << fmt::format("\npredicted on {} + {} slots: p50 {}, p95 {}{}\n", found.best.slots.map_slots,
                           found.best.slots.reduce_slots, duration_text(predicted.percentiles.p50_ms),
                           duration_text(predicted.percentiles.p95_ms),
                           predicted.contention ? ", lengths scaled to that many at once" : "");
  tell_record(found.record);
  if (left_out) list_left_out(asked.choice);
}

// Percent, from 5 to 99: of 300 simulated runs more would rest on the last one or two.
double parse_confidence(const std::string& text) {
  std::string number = text;
  if (!number.empty() && number.back() == '%') number.pop_back();
  while (!number.empty() && number.back() == ' ') number.pop_back();
  double percent = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), percent);
  if (error != std::errc{} || end != number.data() + number.size() || !(percent >= 5 && percent <= 99)) {
    throw UsageError(fmt::format("--confidence '{}' is not a usable share of runs", text),
                     "give percent from 5 to 99, like 95");
  }
  return percent / 100;
}

std::optional<TimeModel> parse_model(const Options& options) {
  if (options.model == by_simulation) return std::nullopt;
  const TimeModel model = parse_time_model(options.model);
  if (options.confidence.empty()) return model;
  throw UsageError("--confidence has no effect with --model " + options.model,
                   "leave one of them out: a formula gives one time, without percentiles");
}

Answer find_slots(const Predictor& predictor, const Asked& asked, const Options& options) {
  const PreparedPrediction prediction(predictor.name(), asked.choice.runs, asked.size,
                                      predictor.options().prediction);
  Answer found;
  if (asked.model && !prediction.contention()) {
    const ScaledProfile scaled =
        scaled_profile(predictor.name(), asked.choice.runs, asked.size, predictor.options().prediction.seed);
    found = answer(scaled, asked.deadline, *asked.model, options);
    found.predicted = prediction.at(found.best.slots);
  } else {
    found = answer(prediction, asked, options);
  }
  return found;
}

int run_slots(const Options& options, const Context& context) {
  Asked asked;
  asked.deadline = parse_duration(options.deadline);
  asked.model = parse_model(options);
  if (!options.confidence.empty()) asked.confidence = parse_confidence(options.confidence);
  asked.size = options.size.size();
  if (!options.reduce_slots.empty()) (void)parse_count(options.reduce_slots, "--reduce-slots", 0);
  const Store store = open_store(context);
  JobRuns stored = find_job_runs(store, options.name);
  asked.name = stored.name;
  const PredictionOptions how{.seed = context.seed};
  const Predictor predictor =
      job_predictor(store, shown_name(asked.name), std::move(stored.runs), options.choice.with(how));
  asked.choice = predictor.choose({.size = asked.size});
  Answer found;
  try {
    found = find_slots(predictor, asked, options);
  } catch (const Infeasible& refused) {
    refuse(refused, asked, predictor.runs());
  }
  found.record = record_of(store, predictor);
  tell_of_few_runs(found.predicted, how.replications, context);
  if (context.json) {
    context.print(to_json(asked, found, options.curve));
  } else {
    show(asked, found, options.choice.left_out);
  }
  return 0;
}

}  // namespace

void add_slots(CLI::App& root, Context& context) {
  CLI::App* command = root.add_subcommand("slots", "Find the fewest slots with which a job meets a deadline");
  command->footer("Example: wavewright slots nightly-etl --deadline 8min --confidence 95");
  const auto options = std::make_shared<Options>();
  command->add_option("name", options->name, "job name, in any case")->required()->type_name("NAME");
  command->add_option("--deadline", options->deadline, "time from submission to finish, like 8min")
      ->required()
      ->type_name("TIME");
  command->add_option("--reduce-slots", options->reduce_slots, "given: look for map slots only")
      ->type_name("R");
  from_setting(command
                   ->add_option("--confidence", options->confidence,
                                "share of runs that are to be done in time: 50 % unless told, the median run")
                   ->type_name("PERCENT"),
               "confidence");
  auto* model = command->add_option("--model", options->model,
                                    "how time is told: by simulated runs, or by a formula: low, bounds (low "
                                    "and up averaged), up, wave or simple");
  offer(model->type_name("MODEL"), {by_simulation, "low", "bounds", "up", "wave", "simple"});
  without_setting(model, "confidence");
  command->add_flag("--curve", options->curve, "every pair of which neither number can be lowered");
  options->size.declare(*command);
  options->choice.declare(*command);
  command->callback(
      [options, &context] { context.run = [options, &context] { return run_slots(*options, context); }; });
}

}  // namespace wavewright::app
