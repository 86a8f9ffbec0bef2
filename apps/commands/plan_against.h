// --against: the schedules of the same batch that a plan is shown beside.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "apps/context.h"
#include "wavewright/plan/planner.h"
#include "wavewright/report/report.h"

namespace wavewright::app {

// Declares the option; `help` says what for.
CLI::Option* declare_against(CLI::App& command, std::vector<std::string>& names, const std::string& help);

// The names in `fair,capacity` and of repeated options: commas within parentheses do not part. Throws
// UsageError for a name that is neither a method of plans, nor a policy, nor `measured`; wrong parameters are
// found by schedules_against.
[[nodiscard]] std::vector<std::string> against_names(const std::vector<std::string>& given);

// A simulated schedule of each name with its trace: the method's plan, or the policy on the same slots (with
// the queues of the cluster file, if there is one), with the problem's batch. `measured` is the schedule of
// the stored runs of the batch's jobs; where a run is missing, a `must` is Infeasible, otherwise it is left
// out with a note. Throws as plan_by, make_policy and simulate do.
[[nodiscard]] std::vector<ReportSchedule> schedules_against(const Context& context,
                                                            const std::vector<std::string>& names, bool must,
                                                            const PlanningProblem& problem,
                                                            const std::optional<Cluster>& file,
                                                            const Stop& stop);

// `submission order`, `Fair`: for the middle of a sentence.
[[nodiscard]] std::string schedule_label(const std::string& name);

// The plan and these schedules as a table.
void print_against(const Plan& plan, const std::vector<ReportSchedule>& others);

// The same for --json: [{"schedule", "makespan_ms", "total_completion_ms"}].
[[nodiscard]] Json against_json(const std::vector<std::string>& names,
                                const std::vector<ReportSchedule>& others);

}  // namespace wavewright::app
