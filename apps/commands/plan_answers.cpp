#include "apps/commands/plan_answers.h"

#include <cmath>
#include <filesystem>
#include <iostream>

#include <fmt/format.h>

#include "apps/progress.h"
#include "apps/table.h"
#include "wavewright/core/apart.h"
#include "wavewright/core/error.h"
#include "wavewright/core/when.h"
#include "wavewright/job/workload_file.h"
#include "wavewright/plan/sampled.h"

namespace wavewright::app {

namespace {

constexpr std::size_t most_traced = 5'000'000;  // tasks
constexpr std::size_t jobs_told = 3;
constexpr double usual_stretch = 0.1;

bool same_lengths(const Workload& a, const Workload& b) {
  for (std::size_t i = 0; i < a.jobs.size(); ++i) {
    const Job &x = a.jobs[i], &y = b.jobs[i];
    if (x.maps != y.maps || x.reduces != y.reduces || x.first_shuffles != y.first_shuffles ||
        x.shuffles != y.shuffles)
      return false;
  }
  return true;
}

// Whether another seed draws other lengths: the file gives some as distributions.
bool draws_anew(const PlanOptions& options, const Workload& batch, std::uint64_t seed) {
  // What is no file cannot be read twice.
  if (options.workload == "-" || !std::filesystem::is_regular_file(options.workload)) return false;
  return !same_lengths(batch, read_workload(options.workload, {seed + 1, {}}));
}

Risk risk_of(const Context& context, const PlanOptions& options, const PlanAnswers& answers, const Plan& plan,
             const PlanningProblem& problem) {
  Progress progress(context);
  const Stop stop(std::nullopt, &context.interrupted);
  const SampledBatch nominal(problem.batch, answers.lengths.spread, context.seed, answers.lengths.job_spread);
  const auto draw = [&](std::uint64_t index) {
    if (!answers.lengths.distributions) return nominal.draw(index);
    // The plan was made for the first seed's lengths; these are as likely.
    Workload other = read_workload(options.workload, {context.seed + 1 + index, {}});
    return SampledBatch(shared(std::move(other)), answers.lengths.spread, context.seed,
                        answers.lengths.job_spread)
        .draw(index);
  };
  const double widest = std::max(answers.lengths.spread, answers.lengths.job_spread);
  RiskOptions how;
  how.samples = options.samples;
  how.deadline = answers.deadline;
  how.longer = widest > 0 ? widest : usual_stretch;
  return assess_risk(
      plan, problem.cluster, draw, how,
      [&](Count done, Count of) { progress.show(fmt::format("{} of {} simulated", done, of)); }, stop);
}

Json to_json(const Risk& risk, const PlanAnswers& answers, const Workload& batch) {
  Json jobs = Json::array();
  for (const JobRisk& job : risk.jobs) {
    jobs.push_back({{"id", batch.jobs[job.job].id},
                    {"critical", job.critical},
                    {"moves_ms", std::llround(job.moves_ms)}});
  }
  Json json = {{"samples", risk.samples},
               {"spread", answers.lengths.spread},
               {"job_spread", answers.lengths.job_spread},
               {"distributions", answers.lengths.distributions},
               {"mean_ms", to_ms(risk.mean)},
               {"p5_ms", to_ms(risk.p5)},
               {"p50_ms", to_ms(risk.p50)},
               {"p95_ms", to_ms(risk.p95)}};
  if (risk.samples > 0) {
    json["histogram"] = {{"above_ms", to_ms(risk.makespans.above)},
                         {"step_ms", to_ms(risk.makespans.step)},
                         {"counts", risk.makespans.counts}};
  }
  if (risk.meets) {
    json["meets"] = {
        {"probability", risk.meets->share}, {"low", risk.meets->low}, {"high", risk.meets->high}};
  }
  json["longer"] = risk.longer;
  json["jobs"] = std::move(jobs);
  json["partial"] = risk.partial;
  return json;
}

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

void print_deadline(const PlanAnswers& answers, const Plan& plan) {
  const Duration deadline = *answers.deadline;
  if (plan.makespan <= deadline) {
    std::cout << fmt::format("The deadline of {} is met with {} to spare.\n", format_duration(deadline),
                             format_duration(deadline - plan.makespan));
    return;
  }
  std::cout << fmt::format("The deadline of {} is missed by {}; {}.\n", format_duration(deadline),
                           format_duration(plan.makespan - deadline),
                           answers.impossible ? "no plan on these slots meets it, the bound says"
                                              : "that no plan on these slots meets it is not proven");
}

void print_risk(const PlanAnswers& answers, const Workload& batch) {
  const Risk& risk = *answers.risk;
  if (risk.samples == 0) return;
  const auto quantiles = format_apart({risk.p50, risk.p95});
  std::cout << fmt::format("With task lengths drawn {} times ({}): p50 {}, p95 {}.\n", risk.samples,
                           in_words(answers.lengths), quantiles[0], quantiles[1]);
  if (risk.meets) {
    std::cout << fmt::format("The deadline is met with a probability of {} (95 % interval {} to {}).\n",
                             percent(risk.meets->share), percent(risk.meets->low), percent(risk.meets->high));
  }
  std::size_t told = 0;
  for (const JobRisk& job : risk.jobs) {
    if (told == jobs_told || std::llround(job.moves_ms) <= 0) break;
    const std::string move = fmt::format(
        "{} longer, it moves the end by {} on average (in the deciding chain in {} of draws)",
        percent(risk.longer), format_duration(ms(std::llround(job.moves_ms))), percent(job.critical));
    std::cout << (told == 0 ? "Largest risk: " : "  then ") << harmless(batch.jobs[job.job].id) << ": "
              << move << ".\n";
    ++told;
  }
}

}  // namespace

std::string in_words(const LengthsDrawn& lengths) {
  std::string text = lengths.distributions ? "the file's distributions" : "";
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (lengths.spread > 0) add("a spread of " + percent(lengths.spread) + " a task");
  if (lengths.job_spread > 0)
    add((lengths.spread > 0 ? "of " : "a spread of ") + percent(lengths.job_spread) + " a job");
  return text;
}

PlanAnswers answer_plan(const Context& context, const PlanOptions& options, const Plan& plan,
                        const PlanningProblem& problem) {
  PlanAnswers answers;
  if (problem.batch->tasks() <= most_traced) answers.limits = bottlenecks_of(plan, problem);
  if (options.has_deadline()) {
    answers.deadline = deadline_of(options, now_instant());
    answers.impossible = plan.lower_bound > *answers.deadline;
  }
  answers.lengths.spread = parse_share(options.spread, "--spread");
  answers.lengths.job_spread = parse_share(options.job_spread, "--job-spread");
  if (!answers.deadline && !options.has_spread()) return answers;
  answers.lengths.distributions = draws_anew(options, *problem.batch, context.seed);
  if (answers.lengths.distributions || answers.lengths.spread > 0 || answers.lengths.job_spread > 0) {
    answers.risk = risk_of(context, options, answers, plan, problem);
    if (answers.risk->partial) context.note("stopped before all lengths were drawn: the risk so far");
  } else {
    context.note("how sure that is, --spread 10% tells: the file's task lengths leave nothing open");
  }
  return answers;
}

Json to_json(const Bottlenecks& limits, const Workload& batch) {
  Json spans = Json::array();
  for (const Bottleneck& span : limits.spans) {
    Json entry = {{"by", name_of(span.by)},
                  {"from_ms", to_ms(span.from)},
                  {"to_ms", to_ms(span.to)},
                  {"job", batch.jobs[span.job].id}};
    if (span.by != Bottleneck::By::submission) {
      entry["kind"] = name_of(span.kind);
      entry["task"] = span.task;
      entry["tasks"] = span.tasks;
    }
    if (span.by == Bottleneck::By::map_slots || span.by == Bottleneck::By::reduce_slots)
      entry["use"] = span.use;
    if (span.by == Bottleneck::By::job) entry["waiting"] = batch.jobs[span.waiting].id;
    spans.push_back(std::move(entry));
  }
  return {{"text", in_words(limits, batch)},
          {"map_use", limits.map_use},
          {"reduce_use", limits.reduce_use},
          {"spans", std::move(spans)}};
}

void add_answers(Json& document, const PlanAnswers& answers, const Plan& plan, const Workload& batch) {
  if (answers.limits) document["limits"] = to_json(*answers.limits, batch);
  if (answers.deadline) {
    document["deadline"] = {{"deadline_ms", to_ms(*answers.deadline)},
                            {"met", plan.makespan <= *answers.deadline},
                            {"spare_ms", to_ms(*answers.deadline - plan.makespan)},
                            {"impossible", answers.impossible}};
  }
  if (answers.risk) document["risk"] = to_json(*answers.risk, answers, batch);
}

void print_answers(const PlanAnswers& answers, const Plan& plan, const Workload& batch) {
  if (answers.limits) {
    const std::string text = in_words(*answers.limits, batch);
    if (!text.empty()) std::cout << harmless(text) << '\n';
  }
  if (answers.deadline) print_deadline(answers, plan);
  if (answers.risk) print_risk(answers, batch);
}

}  // namespace wavewright::app
