#include "apps/commands/plan_robust.h"

#include <array>
#include <cmath>
#include <iostream>

#include "apps/choices.h"
#include "apps/commands/profile_lengths.h"
#include "apps/table.h"
#include "wavewright/core/apart.h"
#include "wavewright/core/error.h"
#include "wavewright/plan/robust/robust_plan.h"
#include "wavewright/report/documents/robust_document.h"
#include "wavewright/report/text.h"
#include "wavewright/sched/plan_file.h"

namespace wavewright::app {

namespace {

constexpr Count least_samples = 20;

Duration of_ms(double value) {
  return ms(std::llround(value));
}

// The values of two plans in a row, with enough digits to tell them apart.
std::array<std::string, 2> cells(const IntervalEstimate& a, const IntervalEstimate& b) {
  const auto text = format_apart(
      {of_ms(a.value), of_ms(a.low), of_ms(a.high), of_ms(b.value), of_ms(b.low), of_ms(b.high)});
  const auto cell = [&](std::size_t at) {
    const bool varies = text[at + 1] != text[at + 2];
    return varies ? fmt::format("{} ({}–{})", text[at], text[at + 1], text[at + 2]) : text[at];
  };
  return {cell(0), cell(3)};
}

void print_answer(const RobustAnswer& answer, const RobustSettings& settings) {
  Table table{{{"plan", "plan", false, false},
               {"nominal_ms", "as written", true, false},
               {"expected", "expected", true, false},
               {"p95", "p95", true, false}},
              {}};
  const SampleSummary &nominal = answer.nominal.draws, &robust = answer.robust.draws;
  const auto written = format_apart({answer.nominal.plan.value(), answer.robust.plan.value()});
  const auto expected = cells(nominal.mean, robust.mean), late = cells(nominal.p95, robust.p95);
  table.rows = {{"nominal: " + answer.nominal.plan.method, written[0], expected[0], late[0]},
                {std::string("robust"), written[1], expected[1], late[1]}};
  std::cout << '\n';
  write_table(std::cout, table);
  const auto medians = format_apart({of_ms(nominal.p50.value), of_ms(robust.p50.value)});
  const bool intervals = (expected[0] + expected[1] + late[0] + late[1]).find('(') != std::string::npos;
  std::cout << fmt::format("medians {} and {}; {}on {} fresh draws of all lengths\n", medians[0], medians[1],
                           intervals ? "95 % intervals, " : "", answer.tried_on);
  const std::string measure = settings.measure == RobustMeasure::expected ? "expected value" : "p95";
  const IntervalEstimate& change = answer.change;
  const std::string low = report::percent_change_text(change.low),
                    high = report::percent_change_text(change.high);
  const std::string interval = low == high ? "" : fmt::format(" ({} to {})", low, high);
  if (change.high < 0) {
    std::cout << fmt::format("the robust plan's {} is lower: {}{}\n", measure,
                             report::percent_change_text(change.value), interval);
  } else if (change.low == 0 && change.high == 0) {
    std::cout << "the nominal plan is as good as any that was found\n";
  } else {
    std::cout << fmt::format("the draws do not show that the robust plan's {} is lower: {}{}\n", measure,
                             report::percent_change_text(change.value), interval);
  }
  std::cout << fmt::format("no plan has an expected value below {}, even one that knew the lengths\n",
                           format_duration(of_ms(std::floor(answer.bound_ms))));
}

RobustSettings settings_of(const PlanOptions& options) {
  const LengthSpread spread = options.spread.spread();
  return {parse_robust_measure(options.robust), spread.tasks, spread.jobs,
          static_cast<std::size_t>(options.samples)};
}

}  // namespace

void declare_robust(CLI::App& command, PlanOptions& options) {
  auto* robust =
      command
          .add_option(
              "--robust", options.robust,
              "with --spread: the plan with the least expected objective, or the least 95th percentile, "
              "over lengths that vary so: expected or p95")
          ->type_name("MEASURE");
  offer(robust, {"expected", "p95"});
}

void check_robust(const PlanOptions& options) {
  if (options.robust.empty()) return;
  const RobustSettings settings = settings_of(options);
  if (settings.spread == 0 && settings.job_spread == 0)
    throw UsageError("--robust without a spread", "say how much lengths vary, like --spread 10%");
  if (options.samples < least_samples)
    throw UsageError(fmt::format("{} samples are too few for --robust", options.samples),
                     fmt::format("ask for {} or more", least_samples));
  refuse_answers(options, "--robust");
}

void refuse_answers(const PlanOptions& options, const char* flag) {
  if (options.has_deadline())
    throw UsageError(
        fmt::format("{} has no meaning with {}", options.by.empty() ? "--deadline" : "--by", flag),
        "write the plan with --out, and ask for --plan FILE --deadline");
  if (!options.curve.empty() || !options.compare.empty())
    throw UsageError(
        fmt::format("{} has no meaning with {}", flag, options.curve.empty() ? "--compare" : "--curve"),
        "leave it out");
}

void give_plan(const Context& context, const PlanOptions& options, const Plan& plan, const Workload& batch,
               const char* name, Json besides) {
  if (plan.partial) context.note("stopped before the search was over: the best so far");
  Json document = plan_to_json(plan);
  document[name] = std::move(besides);
  if (!options.out.empty()) write_plan_document(options.out, document);
  const std::map<std::string, TrackRecord> records = records_of(context, batch);
  if (context.json) {
    add_records(document, records);
    context.print(document);
  } else {
    show_records(records);
  }
  if (!options.out.empty()) context.note("written to " + options.out);
}

int robust_plan(const Context& context, const PlanOptions& options, const PlanningProblem& problem,
                const std::vector<Plan>& plans) {
  const RobustSettings settings = settings_of(options);
  const RobustAnswer answer = after_methods(context, options, "planning: robust", [&](const Stop& stop) {
    return make_robust_plan(problem, settings, plans, stop);
  });
  if (!context.json) {
    print_plan(answer.robust.plan, *problem.batch, options.ids);
    print_answer(answer, settings);
  }
  give_plan(context, options, answer.robust.plan, *problem.batch, "robust",
            robust_document(answer, settings));
  return static_cast<int>(context.interrupted ? ExitStatus::interrupted : ExitStatus::done);
}

}  // namespace wavewright::app
