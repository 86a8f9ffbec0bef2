#include "apps/commands/plan_refusals.h"

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright::app {

void refuse_unused(bool given, const char* flag, const char* where) {
  if (given) throw UsageError(fmt::format("{} has no meaning {}", flag, where), "leave it out");
}

void refuse_searches(const PlanOptions& options) {
  const bool on_yarn = options.engine.on_yarn();
  if (options.searches == 1 && !on_yarn) return;
  const char* const flag = on_yarn ? "--engine yarn" : "--searches";
  const auto refuse = [&](bool given, const char* where) { refuse_unused(given, flag, where); };
  refuse(!options.plan.empty(), "with --plan");
  refuse(!options.compare.empty(), "with --compare");
  refuse(!options.curve.empty(), "with --curve");
  refuse(!options.robust.empty(), "with --robust");
  refuse(options.for_users(), "with --fair or --user-weights");
  if (on_yarn && !options.time_limit.empty())
    throw UsageError("with --engine yarn, --time-limit would give other plans on other nodes",
                     "limit the searches with --evaluations");
}

void refuse_ignored(const PlanOptions& options) {
  const auto refuse_against = [&](bool refused, const char* where) {
    refuse_unused(refused && !options.against.empty(), "--against", where);
  };
  refuse_against(!options.compare.empty(), "with --compare");
  refuse_against(!options.curve.empty(), "with --curve");
  refuse_against(!options.robust.empty(), "with --robust");
  refuse_against(options.for_users(), "with --fair or --user-weights");
  const auto refuse_search = [&](const char* where) {
    refuse_unused(options.evaluations > 0, "--evaluations", where);
    refuse_unused(!options.time_limit.empty(), "--time-limit", where);
  };
  if (!options.plan.empty()) {
    refuse_unused(options.task_order_given, "--task-order", "with --plan");
    refuse_unused(!options.fair.empty(), "--fair", "with --plan");
    refuse_unused(!options.user_weights.empty(), "--user-weights", "with --plan");
    refuse_unused(!options.method.empty(), "--method", "with --plan");
    if (options.robust.empty()) refuse_search("with --plan");  // --robust continues from that plan
  }
  if (!options.compare.empty()) {
    refuse_unused(options.objective_given, "--objective", "with --compare");
    refuse_unused(!options.method.empty(), "--method", "with --compare");
    refuse_unused(options.task_order_given, "--task-order", "with --compare");
    refuse_search("with --compare");
  }
  if (!options.has_deadline())
    refuse_unused(!options.begins.empty(), "--begins", "without --by or --deadline");
  // With a deadline, the file may give lengths as distributions.
  if (!options.spread.given() && !options.has_deadline())
    refuse_unused(options.samples_given, "--samples", "without --spread, --job-spread or --deadline");
}

void refuse_within(const PlanOptions& options) {
  if (options.within.empty()) return;
  constexpr double most = 1;
  if (parse_share(options.within, "--within") > most)
    throw UsageError(fmt::format("--within {} is more than 100 %", options.within), "give one like 1%");
  const auto refuse = [](bool given, const char* where) { refuse_unused(given, "--within", where); };
  refuse(!options.method.empty() && options.method != "best", "with another method than best");
  refuse(!options.plan.empty(), "with --plan");
  refuse(!options.compare.empty(), "with --compare");
  refuse(!options.curve.empty(), "with --curve");
  refuse(!options.robust.empty(), "with --robust");
  refuse(options.for_users(), "with --fair or --user-weights");
}

void refuse_energy_flags(const PlanOptions& options) {
  refuse_unused(options.frontier, "--frontier", "without --objective energy");
  refuse_unused(!options.budget.empty(), "--budget", "without --objective energy");
  refuse_unused(!options.states.empty(), "--states", "without --objective energy");
  refuse_unused(!options.report.empty(), "--report", "without --objective energy or cost");
}

}  // namespace wavewright::app
