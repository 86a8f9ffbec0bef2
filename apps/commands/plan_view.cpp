// Shows a plan and the methods that were compared.
#include <iostream>
#include <unordered_map>

#include <fmt/format.h>

#include "apps/commands/plan_commands.h"
#include "apps/table.h"
#include "wavewright/core/apart.h"
#include "wavewright/job/job_labels.h"
#include "wavewright/report/text.h"

namespace wavewright::app {

namespace {

std::string gap_text(const Plan& plan) {
  return plan.proved_optimal ? "optimal" : report::percent_above_text(plan.gap());
}

std::string listing(const std::vector<std::string>& jobs) {
  constexpr std::size_t shown_at_most = 30, width = 96;
  std::string text;
  std::size_t column = width;
  for (std::size_t i = 0; i < jobs.size() && i < shown_at_most; ++i) {
    // A name may have blanks in it.
    const std::string job = harmless(jobs[i]) + (i + 1 < jobs.size() ? "," : "");
    if (column + job.size() + 2 > width) {
      text += "\n   ";
      column = 3;
    }
    text += " " + job;
    column += job.size() + 1;
  }
  if (jobs.size() > shown_at_most)
    text += fmt::format("\n    … {} more; --json or --out lists them", jobs.size() - shown_at_most);
  return text;
}

// The labels of jobs that a plan names by id.
class PlanLabels {
 public:
  PlanLabels(const Workload& batch, bool ids) {
    const JobLabels labels(batch.jobs, ids);
    for (JobIndex job = 0; job < batch.jobs.size(); ++job) labels_[batch.jobs[job].id] = labels[job];
  }
  [[nodiscard]] std::string of(const std::string& id) const {
    const auto found = labels_.find(id);
    return found == labels_.end() ? id : found->second;
  }
  [[nodiscard]] std::vector<std::string> of(const std::vector<std::string>& ids) const {
    std::vector<std::string> labels;
    labels.reserve(ids.size());
    for (const std::string& id : ids) labels.push_back(of(id));
    return labels;
  }

 private:
  std::unordered_map<std::string, std::string> labels_;
};

// Number of turns; without turns, one per job.
std::size_t turns_of(const std::vector<PlanTurn>& turns, const std::vector<std::string>& order) {
  return turns.empty() ? order.size() : turns.size();
}

std::vector<std::string> caps_of(const Plan& plan, const PlanLabels& labels) {
  std::vector<std::string> texts;
  for (const PlanCap& cap : plan.caps) {
    std::string text = labels.of(cap.id);
    if (cap.maps) text += fmt::format(" {} maps", *cap.maps);
    if (cap.reduces) text += fmt::format("{} {} reduces", cap.maps ? "," : "", *cap.reduces);
    texts.push_back(text);
  }
  return texts;
}

// Each bound with the plans for which it holds.
void print_bounds(const Plan& plan, const char* objective, const std::string& bound,
                  const std::string& order_free_bound) {
  const std::string how_good = plan.proved_optimal
                                   ? "this one is optimal"
                                   : "this one is at most " + gap_text(plan) + " above the best";
  if (plan.lower_bound == plan.order_free_bound) {
    std::cout << fmt::format("no {} is below {}, in whatever order a job's tasks start: {}\n", objective,
                             bound, how_good);
    return;
  }
  std::cout << fmt::format(
      "no {} is below {} if each job's tasks start in the plan's order: {}\n"
      "no {} is below {} in any order of a job's tasks\n",
      objective, bound, how_good, objective, order_free_bound);
}

}  // namespace

void print_methods(const std::vector<Plan>& plans, const Plan& best) {
  Table table{{{"method", "method", false, false},
               {"makespan_ms", "makespan", true, false},
               {"total_completion_ms", "total completion", true, false},
               {"gap", "above bound", true, false},
               {"pools", "pools", true, false},
               {"seconds", "time", true, false}},
              {}};
  // Both columns together, so that the table has one precision.
  std::vector<Duration> values;
  values.reserve(2 * plans.size());
  for (const Plan& plan : plans) values.push_back(plan.makespan);
  for (const Plan& plan : plans) values.push_back(plan.total_completion);
  const std::vector<std::string> texts = format_apart(values);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const Plan& plan = plans[i];
    table.rows.push_back({(plan.method == best.method ? "* " : "  ") + plan.method, texts[i],
                          texts[plans.size() + i], gap_text(plan), std::to_string(plan.pools.size()),
                          fmt::format("{:.2f}s", plan.seconds)});
  }
  write_table(std::cout, table);
}

void print_plan(const Plan& plan, const Workload& batch, bool ids) {
  const PlanLabels labels(batch, ids);
  const bool of_makespan = plan.objective == Objective::makespan;
  const auto value =
      format_apart({plan.makespan, plan.total_completion, plan.lower_bound, plan.order_free_bound});
  std::cout << fmt::format("\n{}: makespan {}, total completion {}\n",
                           plan.method.empty() ? "plan" : harmless(plan.method), value[0], value[1]);
  print_bounds(plan, of_makespan ? "makespan" : "total completion", value[2], value[3]);
  if (plan.best_single_order && !plan.proved_optimal)
    std::cout << "no single order of the jobs for maps and reduces is better with this order of tasks\n";
  std::cout << fmt::format("  a job's tasks start {}\n", plan.task_order == TaskOrder::longest_first
                                                             ? "longest first"
                                                             : "as listed in the workload file");
  for (const PlanPool& pool : plan.pools) {
    std::cout << fmt::format("  {} map + {} reduce slots, {}first served first:{}\n", pool.slots.map_slots,
                             pool.slots.reduce_slots, plan.reduce_order.empty() ? "" : "maps of the ",
                             listing(labels.of(pool.jobs)));
  }
  if (!plan.reduce_order.empty())
    std::cout << fmt::format("  reduces in an order of their own:{}\n",
                             listing(labels.of(plan.reduce_order)));
  if (!plan.map_turns.empty() || !plan.reduce_turns.empty()) {
    std::cout << fmt::format(
        "  jobs give way and come again: maps in {} turns, reduces in {} (--out writes them)\n",
        turns_of(plan.map_turns, plan.order), turns_of(plan.reduce_turns, plan.order));
  }
  if (!plan.caps.empty())
    std::cout << fmt::format("  at most so many tasks at once:{}\n", listing(caps_of(plan, labels)));
}

}  // namespace wavewright::app
