// `wavewright plan WORKLOAD --compare A B`: differences between two plans for each job.
#include <iostream>

#include <fmt/format.h>

#include "apps/commands/plan_commands.h"
#include "apps/commands/profile_lengths.h"
#include "apps/table.h"
#include "wavewright/core/apart.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/job/job_labels.h"
#include "wavewright/plan/analysis/compare.h"
#include "wavewright/report/documents/comparison_document.h"
#include "wavewright/sched/plan_check.h"
#include "wavewright/sched/plan_file.h"

namespace wavewright::app {

namespace {

constexpr std::size_t jobs_shown = 30;

SlotPool pool_for(const Plan& plan, const PlanOptions& options) {
  const std::optional<SlotPool> own = pool_of(plan);
  if (own && !options.pool.map_slots() && !options.pool.reduce_slots() && options.pool.file().empty())
    return *own;
  return options.pool.resolve().pool;
}

std::string change_text(Duration change) {
  if (change == Duration{}) return "0";
  return (change > Duration{} ? "+" : "−") + format_duration(std::chrono::abs(change));
}

void print(const PlanComparison& found, const Workload& batch, const PlanOptions& options) {
  const auto makespan = format_apart({found.makespan_a, found.makespan_b});
  const auto total = format_apart({found.total_a, found.total_b});
  std::cout << fmt::format("A: {}: makespan {}, total completion {}\n", options.compare[0], makespan[0],
                           total[0]);
  std::cout << fmt::format("B: {}: makespan {} ({}), total completion {} ({})\n", options.compare[1],
                           makespan[1], change_text(found.makespan_b - found.makespan_a), total[1],
                           change_text(found.total_b - found.total_a));
  const auto same = static_cast<Count>(found.jobs.size()) - found.earlier - found.later;
  std::cout << fmt::format("in B {} jobs end earlier, {} later, {} at the same time\n\n", found.earlier,
                           found.later, same);
  // Nothing is cut: users ask for the reasons.
  Table table{{{"id", "job", false, false},
               {"a_finish_ms", "ends in A", true, false},
               {"b_finish_ms", "ends in B", true, false},
               {"change_ms", "change", true, false},
               {"text", "why", false, false}},
              {}};
  const JobLabels labels(batch.jobs, options.ids);
  const std::size_t shown = std::min(found.jobs.size(), jobs_shown);
  std::vector<Duration> ends;
  for (std::size_t i = 0; i < shown; ++i) {
    ends.push_back(found.jobs[i].a.finish - Time{});
    ends.push_back(found.jobs[i].b.finish - Time{});
  }
  const std::vector<std::string> texts = format_apart(ends);
  for (std::size_t i = 0; i < shown; ++i) {
    const JobChange& change = found.jobs[i];
    table.rows.push_back(
        {labels[change.job], texts[2 * i], texts[2 * i + 1], change_text(change.change()), in_words(change)});
  }
  write_table(std::cout, table);
  if (found.jobs.size() > jobs_shown)
    std::cout << fmt::format("… {} more; --json lists them\n", found.jobs.size() - jobs_shown);
}

}  // namespace

int plan_comparison(const Context& context, const PlanOptions& options) {
  const Plan a = read_plan(options.compare[0]), b = read_plan(options.compare[1]);
  const SlotPool pool_a = pool_for(a, options), pool_b = pool_for(b, options);
  const Workload batch = read_batch(context, options);
  check_plan(a, batch, pool_a, options.compare[0]);
  check_plan(b, batch, pool_b, options.compare[1]);
  const double slowstart = options.pool.slowstart();
  const PlanComparison found = compare_plans(batch, {a, {pool_a, slowstart}}, {b, {pool_b, slowstart}});
  Json document = comparison_document(found, batch, {options.compare[0], options.compare[1]});
  if (!options.out.empty())
    write_file(options.out, [&](std::ostream& out) { out << document.dump(2) << '\n'; });
  const std::map<std::string, TrackRecord> records = records_of(context, batch);
  if (context.json) {
    add_records(document, records);
    context.print(document);
  } else {
    print(found, batch, options);
    show_records(records);
  }
  return 0;
}

}  // namespace wavewright::app
