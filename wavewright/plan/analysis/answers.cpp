#include "wavewright/plan/analysis/answers.h"

#include <algorithm>

#include "wavewright/job/sampled.h"

namespace wavewright {

namespace {

constexpr std::size_t most_traced = 5'000'000;  // tasks
constexpr double usual_stretch = 0.1;

Risk risk_of(const Plan& plan, const PlanningProblem& problem, const PlanQuestions& questions,
             const std::function<void(Count, Count)>& progress, const Stop& stop) {
  const double spread = questions.lengths.spread, job_spread = questions.lengths.job_spread;
  const SampledBatch nominal(problem.batch, spread, questions.seed, job_spread);
  const auto draw = [&](std::uint64_t index) {
    if (!questions.lengths.distributions) return nominal.draw(index);
    Workload drawn =
        SampledBatch(shared(questions.redraw(index)), spread, questions.seed, job_spread).draw(index);
    drawn.expected = problem.batch;
    return drawn;
  };
  const double widest = std::max(spread, job_spread);
  RiskOptions how;
  how.samples = questions.samples;
  how.deadline = questions.deadline;
  how.longer = widest > 0 ? widest : usual_stretch;
  return assess_risk(plan, problem.cluster, draw, how, progress, stop);
}

}  // namespace

std::string in_words(const LengthsDrawn& lengths) {
  std::string text = lengths.distributions ? "the file's distributions" : "";
  const std::string spread = in_words(LengthSpread{lengths.spread, lengths.job_spread});
  if (!spread.empty()) text += (text.empty() ? "" : ", ") + spread;
  return text;
}

PlanAnswers answer_plan(const Plan& plan, const PlanningProblem& problem, const PlanQuestions& questions,
                        const std::function<void(Count, Count)>& progress, const Stop& stop) {
  PlanAnswers answers;
  if (problem.batch->tasks() <= most_traced) answers.limits = bottlenecks_of(plan, problem);
  answers.deadline = questions.deadline;
  answers.begins = questions.begins;
  answers.impossible = questions.deadline && plan.order_free_bound > *questions.deadline;
  answers.lengths = questions.lengths;
  if (questions.lengths.vary()) answers.risk = risk_of(plan, problem, questions, progress, stop);
  return answers;
}

}  // namespace wavewright
