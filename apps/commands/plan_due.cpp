#include "apps/commands/plan_due.h"

#include <algorithm>
#include <iostream>

#include <fmt/format.h>

#include "apps/commands/cost.h"
#include "apps/commands/plan_commands.h"
#include "apps/commands/plan_energy.h"
#include "apps/commands/profile_lengths.h"
#include "apps/progress.h"
#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/spec.h"
#include "wavewright/job/job_labels.h"
#include "wavewright/plan/tardiness/tardiness_plan.h"
#include "wavewright/report/documents/tardiness_document.h"
#include "wavewright/report/text.h"

namespace wavewright::app {

namespace {

void refuse_flags(const PlanOptions& options) {
  const std::string where = "with --objective " + options.objective;
  const auto refuse = [&](bool given, const char* flag) {
    if (given) throw UsageError(fmt::format("{} has no meaning {}", flag, where), "leave it out");
  };
  const bool energy = options.objective == to_string(Objective::energy);
  if (energy && !options.method.empty() && options.method != "exact")
    throw UsageError(fmt::format("--method {} is not for --objective energy", shortened(options.method)),
                     "leave it out, or take exact: the exact search goes on until it is done");
  refuse(!options.method.empty() && !energy, "--method");
  refuse(options.frontier && !energy, "--frontier");
  refuse(!options.budget.empty() && !energy, "--budget");
  refuse(!options.states.empty() && !energy, "--states");
  refuse(!options.report.empty() && !energy && options.objective != to_string(Objective::cost), "--report");
  refuse(!options.within.empty(), "--within");
  refuse(options.searches > 1, "--searches");
  refuse(options.engine.on_yarn(), "--engine yarn");
  refuse(!options.plan.empty(), "--plan");
  refuse(!options.curve.empty(), "--curve");
  refuse(!options.compare.empty(), "--compare");
  refuse(!options.against.empty(), "--against");
  refuse(!options.robust.empty(), "--robust");
  refuse(options.for_users(), "--fair or --user-weights");
  refuse(options.has_deadline(), "--deadline or --by");
  refuse(!options.ratio.empty(), "--ratio");
  refuse(options.samples_given, "--samples");
}

void check_due(const Workload& batch, const std::string& source) {
  if (std::none_of(batch.jobs.begin(), batch.jobs.end(),
                   [](const Job& job) { return job.deadline.has_value(); }))
    throw InputError({source}, "no job has a deadline", "give jobs a deadline_ms");
}

std::string tardiness_text(double ms_of_weight, bool weighted) {
  const std::string time = format_duration(ms(std::llround(ms_of_weight)));
  return weighted ? time + " (weighted)" : time;
}

void print(const TardinessPlan& plan, const Workload& batch, bool ids) {
  const JobLabels labels(batch.jobs, ids);
  const bool weighted = is_weighted(batch);
  Table table{{{"job", "job", false, true},
               {"deadline_ms", "deadline", true, false},
               {"finish_ms", "finish", true, false},
               {"tardiness_ms", "late by", true, false}},
              {}};
  constexpr std::size_t shown_at_most = 25;
  std::size_t tardy = 0, due = 0;
  for (const JobIndex job : plan.order) {
    const std::optional<Time>& deadline = batch.jobs[job].deadline;
    const std::int64_t late = deadline ? plan.ends[job] - to_ms(*deadline) : 0;
    due += deadline ? 1 : 0;
    tardy += late > 0 ? 1 : 0;
    if (table.rows.size() == shown_at_most) continue;
    table.rows.push_back(
        {labels[job],
         deadline ? Cell(format_duration(*deadline - Time{}), to_ms(*deadline)) : Cell("-", nullptr),
         Cell(format_duration(ms(plan.ends[job])), plan.ends[job]),
         late > 0 ? Cell(format_duration(ms(late)), late) : Cell("-", 0)});
  }
  write_table(std::cout, table);
  if (plan.order.size() > shown_at_most)
    std::cout << fmt::format("… {} more; --json shows them\n", plan.order.size() - shown_at_most);
  std::cout << fmt::format("\n{} of {} jobs with a deadline are tardy; total tardiness {} by {}\n", tardy,
                           due, tardiness_text(plan.value, weighted), plan.method);
  std::cout << (plan.proved_optimal
                    ? "No schedule has less.\n"
                    : fmt::format("No schedule has less than {}.{}\n", tardiness_text(plan.bound, weighted),
                                  plan.best_single_order ? " No single order has less." : ""));
}

int tardiness(const Context& context, const PlanOptions& options) {
  const TaskOrder task_order = parse_task_order(options.task_order);
  const std::optional<Duration> limit = time_limit_of(options);
  const Workload listed = read_batch(context, options);
  check_due(listed, options.workload);
  const Workload batch = in_task_order(listed, task_order);
  const TardinessProblem problem{&batch, options.pool.resolve(), context.seed, options.evaluations};
  const auto began = Stop::Clock::now();
  const TardinessPlan plan = plan_tardiness(problem, Stop(limit, &context.interrupted));
  const double seconds = std::chrono::duration<double>(Stop::Clock::now() - began).count();
  Json document = tardiness_document(plan, batch, problem, task_order, seconds);
  if (!options.out.empty())
    write_file(options.out, [&](std::ostream& out) { out << document.dump(2) << '\n'; });
  const std::map<std::string, TrackRecord> records = records_of(context, batch);
  if (context.json) {
    add_records(document, records);
    context.print(document);
  } else {
    print(plan, batch, options.ids);
    show_records(records);
    if (!options.out.empty()) context.note("written to " + options.out);
  }
  if (plan.partial && !plan.proved_optimal) context.note("stopped before it was done: the best so far");
  return static_cast<int>(context.interrupted ? ExitStatus::interrupted : ExitStatus::done);
}

}  // namespace

bool is_due_objective(const std::string& objective) {
  return objective == "tardiness" || objective == to_string(Objective::total_tardiness) ||
         objective == to_string(Objective::cost) || objective == to_string(Objective::energy);
}

int plan_due(const Context& context, const PlanOptions& options) {
  refuse_flags(options);
  if (options.objective != to_string(Objective::cost)) {
    if (options.spread.given())
      throw UsageError("--spread has no meaning with --objective " + options.objective, "leave it out");
    if (options.objective == to_string(Objective::energy)) return plan_for_energy(context, options);
    return tardiness(context, options);
  }
  if (options.evaluations > 0 || !options.time_limit.empty())
    throw UsageError("--evaluations and --time-limit have no meaning with --objective cost",
                     "leave them out");
  CostOptions cost;
  cost.workload = options.workload;
  cost.late = "0";
  cost.out = options.out;
  cost.report = options.report;
  cost.pool = options.pool;
  cost.spread = options.spread;
  return cost_command(context, cost);
}

}  // namespace wavewright::app
