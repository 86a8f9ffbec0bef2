// `wavewright rent fit RUNS.csv`: the speed-up of a job from its runs on several numbers of machines.
#include <iostream>

#include <fmt/format.h>

#include "apps/commands/rent_commands.h"
#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/rent/speedup_fit.h"

namespace wavewright::app {

namespace {

Json to_json(const FittedForm& form) {
  Json json = {{"form", to_string(form.curve.form)},
               {"curve", to_text(form.curve)},
               {"r_squared", form.r_squared},
               {"worst", form.worst},
               {"aicc", form.aicc ? Json(*form.aicc) : Json(nullptr)}};
  if (form.curve.form != SpeedupForm::table) json["k"] = form.curve.k;
  if (!form.why_not.empty()) json["why_not"] = form.why_not;
  return json;
}

// Up to the most machines that were measured: beyond, each form says something else.
Count most_measured(const SpeedupFit& fit) {
  return fit.forms.back().curve.points.back().machines;
}

Json to_json(const SpeedupFit& fit) {
  const Speeds speeds(fit.best().curve, most_measured(fit));
  Json json = {{"runs", fit.runs},
               {"machine_counts", fit.counts},
               {"reference_s", fit.reference},
               {"extrapolated_reference", fit.extrapolated_reference},
               {"chosen", to_string(fit.best().curve.form)},
               {"fastest_machines", speeds.fastest(speeds.machines())},
               {"cheapest_machines", speeds.cheapest(speeds.machines())}};
  for (const FittedForm& form : fit.forms) json["forms"].push_back(to_json(form));
  return json;
}

void show(const SpeedupFit& fit) {
  std::cout << fmt::format("{} runs on {} numbers of machines; one machine takes {:.4g} s{}\n\n", fit.runs,
                           fit.counts, fit.reference,
                           fit.extrapolated_reference ? " (as if linear: none was run)" : "");
  Table table{{{"form", "", false, false},
               {"curve", "curve", false, true},
               {"k", "k", true, false},
               {"r_squared", "R²", true, false},
               {"worst", "worst", true, false},
               {"aicc", "AICc", true, false},
               {"note", "", false, true}},
              {}};
  for (const FittedForm& form : fit.forms) {
    const bool is_table = form.curve.form == SpeedupForm::table;
    table.rows.push_back({to_string(form.curve.form), to_text(form.curve),
                          is_table ? std::string("") : fmt::format("{:.4g}", form.curve.k),
                          fmt::format("{:.4f}", form.r_squared), fmt::format("{:.1f} %", 100 * form.worst),
                          form.aicc ? fmt::format("{:.1f}", *form.aicc) : std::string("-"),
                          &form == &fit.best() ? std::string("chosen") : form.why_not});
  }
  write_table(std::cout, table);
  const Speeds speeds(fit.best().curve, most_measured(fit));
  std::cout << fmt::format("\nup to {} machines, {} are the fastest and {} the cheapest\n", speeds.machines(),
                           speeds.fastest(speeds.machines()), speeds.cheapest(speeds.machines()));
}

int run_fit(const std::string& file, const Context& context) {
  const std::vector<MeasuredRun> runs = read_runs(file);
  const SpeedupFit fit = fit_speedup(runs);
  if (context.json) {
    context.print(to_json(fit));
  } else {
    show(fit);
  }
  return 0;
}

}  // namespace

void add_rent_fit(CLI::App& rent, Context& context) {
  CLI::App* command =
      rent.add_subcommand("fit", "Fit a speed-up curve to runs on several numbers of machines");
  command->footer("Example: wavewright rent fit examples/rent/runs.csv");
  const auto file = std::make_shared<std::string>();
  command->add_option("file", *file, "CSV with the columns machines,seconds, a line a run")
      ->required()
      ->type_name("RUNS");
  command->callback([file, &context] { context.run = [file, &context] { return run_fit(*file, context); }; });
}

}  // namespace wavewright::app
