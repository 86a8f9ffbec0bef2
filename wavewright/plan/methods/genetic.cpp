#include "wavewright/plan/methods/genetic.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/ranges.h>

namespace wavewright {

namespace {

struct Individual {
  std::vector<JobIndex> order;
  PlanValue value;
};

class Population {
 public:
  Population(AnySchedule& evaluator, Objective objective, GeneticSizes sizes, Random& random)
      : evaluator_(evaluator), objective_(objective), sizes_(sizes), random_(random) {}

  void begin(const std::vector<JobIndex>& start, const Stop& stop) {
    std::vector<JobIndex> order(evaluator_.jobs());
    std::iota(order.begin(), order.end(), 0U);
    if (!start.empty()) add(start);
    while (all_.size() < sizes_.population && (all_.empty() || !stop.now())) {
      random_.shuffle(std::span<JobIndex>(order));
      add(order);
    }
  }
  void next_generation(const Stop& stop) {
    const Individual best = this->best();
    const std::vector<Individual> parents = std::exchange(all_, {best});
    add_up(parents);
    while (all_.size() < sizes_.population && !stop.now()) add(child(parents[chosen()], parents[chosen()]));
  }
  [[nodiscard]] const Individual& best() const {
    return *std::min_element(all_.begin(), all_.end(), [&](const Individual& a, const Individual& b) {
      return a.value.of(objective_) < b.value.of(objective_);
    });
  }
  [[nodiscard]] std::uint64_t evaluations() const { return evaluations_; }
  // True if the last generation was not completed.
  [[nodiscard]] bool cut_short() const { return all_.size() < sizes_.population; }

 private:
  void add(std::vector<JobIndex> order) {
    const PlanValue value = evaluator_.value(order);
    ++evaluations_;
    all_.push_back({std::move(order), value});
  }
  // Roulette wheel: each individual's part is its fitness, 1 / value.
  void add_up(const std::vector<Individual>& parents) {
    wheel_.clear();
    double sum = 0;
    for (const Individual& parent : parents) {
      sum += 1 / std::max(1.0, static_cast<double>(to_ms(parent.value.of(objective_))));
      wheel_.push_back(sum);
    }
  }
  std::size_t chosen() {
    const double at = random_.unit() * wheel_.back();
    const auto found = std::upper_bound(wheel_.begin(), wheel_.end(), at);
    return std::min(static_cast<std::size_t>(found - wheel_.begin()), wheel_.size() - 1);
  }
  // The first jobs of `one` up to a random point, then the rest in the order of `other`.
  std::vector<JobIndex> child(const Individual& one, const Individual& other) {
    const std::size_t jobs = one.order.size(), point = random_.below(jobs + 1);
    std::vector<JobIndex> order(one.order.begin(), one.order.begin() + static_cast<std::ptrdiff_t>(point));
    std::vector<bool> taken(jobs, false);
    for (const JobIndex job : order) taken[job] = true;
    std::copy_if(other.order.begin(), other.order.end(), std::back_inserter(order),
                 [&](JobIndex job) { return !taken[job]; });
    if (random_.unit() < sizes_.mutation) std::swap(order[random_.below(jobs)], order[random_.below(jobs)]);
    return order;
  }

  AnySchedule& evaluator_;
  const Objective objective_;
  const GeneticSizes sizes_;
  Random& random_;
  std::vector<Individual> all_;
  std::vector<double> wheel_;
  std::uint64_t evaluations_ = 0;
};

// Sizes that somebody asked for.
struct GeneticChoice {
  std::optional<Count> population;
  std::optional<Count> generations;
  std::optional<double> mutation;
};

class Genetic final : public Planner {
 public:
  explicit Genetic(GeneticChoice choice = {}) : choice_(choice) {}

  [[nodiscard]] std::string name() const override {
    std::vector<std::string> given;
    if (choice_.population) given.push_back(fmt::format("population={}", *choice_.population));
    if (choice_.generations) given.push_back(fmt::format("generations={}", *choice_.generations));
    if (choice_.mutation) given.push_back(fmt::format("mutation={}", *choice_.mutation));
    return given.empty() ? "genetic" : fmt::format("genetic({})", fmt::join(given, ","));
  }
  [[nodiscard]] std::string description() const override {
    return "genetic search over orders, from random ones [CLOUD Alg. 4]";
  }
  [[nodiscard]] std::vector<Parameter> parameters() const override {
    return {{"population", "N", "orders of a generation (default: two a job, 20 to 100)"},
            {"generations", "N", "how many (default: 100, fewer for large batches)"},
            {"mutation", "SHARE", "of the children in which two jobs are swapped (default 20%)"}};
  }
  [[nodiscard]] std::unique_ptr<Planner> with(Parameters& given) const override {
    GeneticChoice choice;
    if (given.given("population")) choice.population = given.whole("population", {}, {2, 100'000});
    if (given.given("generations")) choice.generations = given.whole("generations", {}, {1, 1'000'000});
    if (given.given("mutation")) choice.mutation = given.share("mutation");
    return std::make_unique<Genetic>(choice);
  }
  [[nodiscard]] Plan plan(const PlanningProblem& problem, const Stop& stop) const override {
    const auto began = Stop::Clock::now();
    AnySchedule evaluator(*problem.batch, problem.cluster);
    Random random(problem.seed, "plan/genetic");
    const GeneticResult found =
        genetic_search(evaluator, problem.objective, sizes(problem), {}, random, stop);
    Plan plan = plan_of_order(problem, name(), found.order);
    value_plan(plan, problem);
    plan.evaluated = static_cast<Count>(found.evaluations);
    plan.partial = found.stopped;
    plan.seconds = std::chrono::duration<double>(Stop::Clock::now() - began).count();
    return plan;
  }

 private:
  // Two individuals a job, 20 to 100. 100 generations, or fewer if the evaluations do not suffice.
  [[nodiscard]] GeneticSizes sizes(const PlanningProblem& problem) const {
    constexpr std::uint64_t usual_placements = 50'000'000;
    const std::uint64_t tasks = 1 + problem.batch->tasks();
    GeneticSizes sizes;
    sizes.population = static_cast<std::size_t>(
        choice_.population.value_or(std::clamp<Count>(2 * std::ssize(problem.batch->jobs), 20, 100)));
    const std::uint64_t evaluations =
        problem.evaluations > 0 ? problem.evaluations : usual_placements / tasks;
    if (problem.evaluations > 0 && !choice_.population)
      sizes.population = std::min(sizes.population, evaluations);
    sizes.generations = std::clamp<std::uint64_t>(evaluations / sizes.population, 1, 100);
    if (choice_.generations) sizes.generations = static_cast<std::uint64_t>(*choice_.generations);
    sizes.mutation = choice_.mutation.value_or(sizes.mutation);
    return sizes;
  }

  GeneticChoice choice_;
};

}  // namespace

GeneticResult genetic_search(AnySchedule& evaluator, Objective objective, GeneticSizes sizes,
                             const std::vector<JobIndex>& start, Random& random, const Stop& stop) {
  GeneticResult result;
  if (evaluator.jobs() < 2) {
    result.order.assign(evaluator.jobs(), 0);
    result.value = evaluator.value(result.order);
    result.evaluations = 1;
    return result;
  }
  Population population(evaluator, objective, sizes, random);
  population.begin(start, stop);
  for (std::uint64_t generation = 1; generation < sizes.generations && !population.cut_short(); ++generation)
    population.next_generation(stop);
  result.stopped = population.cut_short();
  result.order = population.best().order;
  result.value = population.best().value;
  result.evaluations = population.evaluations();
  return result;
}

std::unique_ptr<Planner> make_genetic() {
  return std::make_unique<Genetic>();
}

}  // namespace wavewright
