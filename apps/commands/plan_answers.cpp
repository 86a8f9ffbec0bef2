#include "apps/commands/plan_answers.h"

#include <cmath>
#include <filesystem>
#include <iostream>

#include <fmt/format.h>

#include "apps/commands/job_reader.h"
#include "apps/progress.h"
#include "apps/table.h"
#include "wavewright/core/apart.h"
#include "wavewright/core/error.h"
#include "wavewright/core/when.h"
#include "wavewright/job/workload_file.h"

namespace wavewright::app {

namespace {

constexpr std::size_t jobs_told = 3;

bool same_lengths(const Workload& a, const Workload& b) {
  for (std::size_t i = 0; i < a.jobs.size(); ++i) {
    const Job &x = a.jobs[i], &y = b.jobs[i];
    if (x.maps != y.maps || x.reduces != y.reduces || x.first_shuffles != y.first_shuffles ||
        x.shuffles != y.shuffles)
      return false;
  }
  return true;
}

// Does another seed draw other lengths? Some lengths of the file are then distributions.
bool draws_anew(const JobReader& reader, const PlanOptions& options, const Workload& batch,
                std::uint64_t seed) {
  // Only a file can be read twice.
  if (options.workload == "-" || !std::filesystem::is_regular_file(options.workload)) return false;
  return !same_lengths(batch, reader.read_again(options.workload, seed + 1));
}

PlanQuestions questions_of(const Context& context, const PlanOptions& options,
                           const std::optional<WantedEnd>& end, const Workload& batch) {
  const JobReader reader(context);
  PlanQuestions questions;
  if (end) {
    questions.deadline = end->deadline;
    questions.begins = end->begins;
  }
  const LengthSpread spread = options.spread.spread();
  questions.lengths.spread = spread.tasks;
  questions.lengths.job_spread = spread.jobs;
  questions.samples = options.samples;
  questions.seed = context.seed;
  if (questions.deadline || options.spread.given())
    questions.lengths.distributions = draws_anew(reader, options, batch, context.seed);
  // The plan was made for the lengths of the first seed; these are equally likely.
  questions.redraw = [reader, path = options.workload, seed = context.seed](std::uint64_t index) {
    return reader.read_again(path, seed + 1 + index);
  };
  return questions;
}

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

void print_deadline(const PlanAnswers& answers, const Plan& plan) {
  const Duration deadline = *answers.deadline;
  std::string the_deadline = "The deadline of " + format_duration(deadline);
  if (answers.begins) {
    the_deadline =
        fmt::format("Done by {}: the deadline of {}", format_clock(*answers.begins + plan.makespan),
                    format_clock(*answers.begins + deadline));
  }
  if (plan.makespan <= deadline) {
    std::cout << fmt::format("{} is met with {} to spare.\n", the_deadline,
                             format_duration(deadline - plan.makespan));
    return;
  }
  std::cout << fmt::format("{} is missed by {}; {}.\n", the_deadline,
                           format_duration(plan.makespan - deadline),
                           answers.impossible ? "no plan on these slots meets it, the bound says"
                                              : "that no plan on these slots meets it is not proven");
}

std::string ends_of(const Risk& risk) {
  if (risk.least == risk.most) return "it ends at " + format_duration(risk.p50) + " every time";
  const auto quantiles = format_apart({risk.p50, risk.p95});
  return fmt::format("p50 {}, p95 {}", quantiles[0], quantiles[1]);
}

void print_risk(const PlanAnswers& answers, const JobLabels& labels) {
  const Risk& risk = *answers.risk;
  if (risk.samples == 0) return;
  std::cout << fmt::format("With task lengths drawn {} times ({}): {}.\n", risk.samples,
                           in_words(answers.lengths), ends_of(risk));
  if (risk.meets && risk.least < risk.most) {
    std::cout << fmt::format("The deadline is met with a probability of {} (95 % interval {} to {}).\n",
                             percent(risk.meets->share), percent(risk.meets->low), percent(risk.meets->high));
  }
  std::size_t told = 0;
  for (const JobRisk& job : risk.jobs) {
    if (told == jobs_told || std::llround(job.moves_ms) <= 0) break;
    const std::string move = fmt::format(
        "{} longer, it moves the end by {} on average (in the deciding chain in {} of draws)",
        percent(risk.longer), format_duration(ms(std::llround(job.moves_ms))), percent(job.critical));
    std::cout << (told == 0 ? "Largest risk: " : "  then ") << harmless(labels[job.job]) << ": " << move
              << ".\n";
    ++told;
  }
}

}  // namespace

PlanAnswers answer_plan(const Context& context, const PlanOptions& options,
                        const std::optional<WantedEnd>& end, const Plan& plan,
                        const PlanningProblem& problem) {
  const PlanQuestions questions = questions_of(context, options, end, *problem.batch);
  Progress progress(context);
  const PlanAnswers answers = answer_plan(
      plan, problem, questions,
      [&](Count done, Count of) { progress.show(fmt::format("{} of {} simulated", done, of)); },
      Stop(std::nullopt, &context.interrupted));
  if (answers.risk && answers.risk->partial)
    context.note("stopped before all lengths were drawn: the risk so far");
  if ((questions.deadline || options.spread.given()) && !questions.lengths.vary())
    context.note("how sure that is, --spread 10% tells: the file's task lengths leave nothing open");
  return answers;
}

void print_answers(const PlanAnswers& answers, const Plan& plan, const Workload& batch, bool ids) {
  const JobLabels labels(batch.jobs, ids);
  if (answers.limits) {
    const std::string text = in_words(*answers.limits, batch, labels);
    if (!text.empty()) std::cout << harmless(text) << '\n';
  }
  if (answers.deadline) print_deadline(answers, plan);
  if (answers.risk) print_risk(answers, labels);
}

}  // namespace wavewright::app
