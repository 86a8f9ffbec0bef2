// `wavewright slots NAME --deadline 8min`: the fewest slots that meet the deadline.
#include "wavewright/predict/slots.h"
#include "apps/choices.h"
#include "apps/open_store.h"

#include <cmath>
#include <iostream>

#include <fmt/format.h>

#include "apps/commands/job_runs.h"
#include "apps/commands/job_size.h"
#include "apps/commands/predict_view.h"
#include "apps/context.h"
#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/predict/predict.h"
#include "wavewright/store/phases.h"

namespace wavewright::app {

namespace {

struct Options {
  std::string name;
  std::string deadline;
  std::string reduce_slots;
  std::string model = "bounds";
  bool curve = false;
  JobSizeFlags size;
};

struct Answer {
  SlotChoice best;
  std::optional<LagrangeSlots> lagrange;  // if reduce slots are not given
  std::optional<double> map_slots_real;   // (3.16), if they are
  std::vector<SlotChoice> curve;          // if requested
  Prediction predicted;                   // for the best choice
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

// All but the prediction.
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

Json to_json(const SlotChoice& choice) {
  return {{"map_slots", choice.slots.map_slots},
          {"reduce_slots", choice.slots.reduce_slots},
          {"total", choice.total()},
          {"completion_ms", std::llround(choice.completion_ms)}};
}

Json to_json(const std::string& name, const ScaledProfile& scaled, Duration deadline, TimeModel model,
             const Answer& found, bool with_curve) {
  Json json = {{"name", name},
               {"deadline_ms", to_ms(deadline)},
               {"model", to_string(model)},
               {"maps", scaled.job.maps},
               {"reduces", scaled.job.reduces},
               {"runs", scaled.profile.runs},
               {"scaling", to_string(scaled.scaling)},
               {"best", to_json(found.best)}};
  json["best"]["p50_ms"] = std::llround(found.predicted.percentiles.p50_ms);
  json["best"]["p95_ms"] = std::llround(found.predicted.percentiles.p95_ms);
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

void show(const std::string& name, const ScaledProfile& scaled, Duration deadline, TimeModel model,
          const Answer& found) {
  std::cout << fmt::format("{} within {}: {} maps, {} reduces, from {} successful runs ({} model)\n\n", name,
                           format_duration(deadline), scaled.job.maps, scaled.job.reduces,
                           scaled.profile.runs, to_string(model));
  Table table{{{"slots", "", false, false},
               {"map", "map", true, false},
               {"reduce", "reduce", true, false},
               {"total", "total", true, false},
               {"time", "time", true, false},
               {"note", "", false, true}},
              {}};
  const bool given = !found.lagrange && found.map_slots_real;
  table.rows.push_back(row_of(given ? "fewest maps" : "fewest", found.best, "exact"));
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
                           found.best.slots.reduce_slots, duration_text(found.predicted.percentiles.p50_ms),
                           duration_text(found.predicted.percentiles.p95_ms),
                           found.predicted.contention ? ", map lengths scaled to that many at once" : "");
}

int run_slots(const Options& options, const Context& context) {
  const Duration deadline = parse_duration(options.deadline);
  const TimeModel model = parse_time_model(options.model);
  const RunSize size = options.size.size();
  if (!options.reduce_slots.empty()) (void)parse_count(options.reduce_slots, "--reduce-slots", 0);
  const Store store = open_store(context);
  const std::string name = stored_name(store, options.name);
  const std::vector<RunPhases> runs = load_phases(store, name);
  const ScaledProfile scaled = scaled_profile(shown_name(name), runs, size, context.seed);
  Answer found = answer(scaled, deadline, model, options);
  const PredictionOptions how{.seed = context.seed};
  found.predicted = predict(shown_name(name), runs, found.best.slots, size, how);
  tell_of_few_runs(found.predicted, how.replications, context);
  if (context.json) {
    context.print(to_json(name, scaled, deadline, model, found, options.curve));
  } else {
    show(shown_name(name), scaled, deadline, model, found);
  }
  return 0;
}

}  // namespace

void add_slots(CLI::App& root, Context& context) {
  CLI::App* command = root.add_subcommand("slots", "Find the fewest slots with which a job meets a deadline");
  command->footer("Example: wavewright slots nightly-etl --deadline 8min --curve");
  const auto options = std::make_shared<Options>();
  command->add_option("name", options->name, "job name, in any case")->required()->type_name("NAME");
  command->add_option("--deadline", options->deadline, "time from submission to finish, like 8min")
      ->required()
      ->type_name("TIME");
  command->add_option("--reduce-slots", options->reduce_slots, "given: look for map slots only")
      ->type_name("R");
  auto* model = command->add_option("--model", options->model, "bounds (their average), wave or simple");
  offer(model->type_name("MODEL"), {"bounds", "wave", "simple"});
  command->add_flag("--curve", options->curve, "every pair of which neither number can be lowered");
  options->size.declare(*command);
  command->callback(
      [options, &context] { context.run = [options, &context] { return run_slots(*options, context); }; });
}

}  // namespace wavewright::app
