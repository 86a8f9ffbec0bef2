#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/plan/bounds/completion_bound.h"
#include "wavewright/plan/bounds/time_window/window_bound.h"
#include "wavewright/plan/evaluate.h"
#include "wavewright/plan/methods/late_acceptance.h"
#include "wavewright/plan/schedule/any_schedule.h"
#include "wavewright/plan/users/rule_search.h"
#include "wavewright/plan/users/users.h"

namespace wavewright {

namespace {

constexpr std::uint64_t usual_placements = 150'000'000;  // tasks, if there is no other limit
constexpr std::uint64_t least_evaluations = 500, most_evaluations = 50'000;
constexpr std::size_t few = 20;       // jobs: half of the evaluations are for priority rules
constexpr double search_share = 0.3;  // of the time left; the rest is for the bound
// The cost of exceeding the fair time by 100 %, in multiples of the objective.
constexpr double unfair_cost = 1'000;
constexpr double rounding = 1e-9;

class Cost {
 public:
  Cost(const PlanningProblem& problem, const UserSettings& settings,
       const std::map<std::string, Duration>& alone)
      : objective_(problem.objective), schedule_(*problem.batch, problem.cluster) {
    std::map<std::string, std::size_t> numbers;
    for (const auto& [user, time] : alone) {
      numbers.emplace(user, numbers.size());
      limits_.push_back(settings.fair ? (1 + *settings.fair) * static_cast<double>(to_ms(time)) : -1);
    }
    for (const Job& job : problem.batch->jobs) {
      users_.push_back(numbers.at(job.user));
      submits_.push_back(to_ms(job.submit));
      weights_.push_back(settings.weight_of(job.user));
    }
    times_.resize(limits_.size());
  }

  // The objective, with a penalty for each user above the limit.
  [[nodiscard]] double of(const TwoOrders& orders) {
    (void)schedule_.value(orders.maps, orders.reduces);
    return of(schedule_.ends());
  }
  // `ends`: by job, ms.
  [[nodiscard]] double of(std::span<const std::int64_t> ends) {
    std::fill(times_.begin(), times_.end(), 0.0);
    double weighted = 0, total = 0, last = 0;
    for (std::size_t job = 0; job < users_.size(); ++job) {
      const auto end = static_cast<double>(ends[job]);
      const double since = end - static_cast<double>(submits_[job]);
      last = std::max(last, end);
      total += since;
      weighted += weights_[job] * since;
      double& time = times_[users_[job]];
      time = objective_ == Objective::makespan ? std::max(time, end) : time + since;
    }
    const double cost = objective_ == Objective::makespan ? last + 1e-6 * total : weighted;
    double above = 0;
    for (std::size_t user = 0; user < limits_.size(); ++user) {
      if (limits_[user] > 0) above += std::max(0.0, times_[user] / limits_[user] - 1);
    }
    return cost * (1 + unfair_cost * above);
  }
  [[nodiscard]] std::uint64_t tasks() const { return schedule_.tasks(); }

 private:
  const Objective objective_;
  AnySchedule schedule_;
  std::vector<double> limits_, times_;  // by user, ms; limit below 0: none
  std::vector<std::size_t> users_;      // by job
  std::vector<std::int64_t> submits_;
  std::vector<double> weights_;
};

// Starts: Smith's rule (least work / weight first), and for each user that order with the user's jobs first.
std::vector<TwoOrders> orders_by_user(const PlanningProblem& problem, const UserSettings& settings) {
  const Workload& batch = *problem.batch;
  std::vector<TwoOrders> starts;
  const std::vector<TwoOrders> usual = usual_orders(batch, problem.cluster.pool);
  std::vector<double> rank;
  for (const Job& job : batch.jobs) {
    double maps = 0, reduces = 0;
    for (const Duration map : job.maps) maps += static_cast<double>(to_ms(map));
    for (std::size_t i = 0; i < job.reduces.size(); ++i)
      reduces += static_cast<double>(to_ms(job.least_reduce(i)));
    rank.push_back((maps / static_cast<double>(std::max<Count>(1, problem.cluster.pool.map_slots)) +
                    reduces / static_cast<double>(std::max<Count>(1, problem.cluster.pool.reduce_slots))) /
                   settings.weight_of(job.user));
  }
  std::vector<JobIndex> order = usual.front().maps;
  std::stable_sort(order.begin(), order.end(), [&](JobIndex a, JobIndex b) { return rank[a] < rank[b]; });
  starts.push_back({order, order});
  std::vector<std::string> users;
  users.reserve(batch.jobs.size());
  for (const Job& job : batch.jobs) users.push_back(job.user);
  std::sort(users.begin(), users.end());
  users.erase(std::unique(users.begin(), users.end()), users.end());
  constexpr std::size_t most_users = 32;
  for (std::size_t first = 0; first < std::min(users.size(), most_users); ++first) {
    std::vector<JobIndex> blocks = order;
    std::stable_partition(blocks.begin(), blocks.end(),
                          [&](JobIndex job) { return batch.jobs[job].user == users[first]; });
    starts.push_back({blocks, blocks});
  }
  return starts;
}

// Multiplications of the time-window bound: about as much time as the search.
double bounding(const PlanningProblem& problem) {
  constexpr double least = 1e8, usual = 1e9, a_placement = 30;
  if (problem.evaluations == 0) return usual;
  const double placements =
      static_cast<double>(problem.batch->tasks()) * static_cast<double>(problem.evaluations);
  return std::clamp(a_placement * placements, least, usual);
}

double bound_of_weighted(const UserAnswer& answer, const PlanningProblem& problem,
                         const UserSettings& settings, const Stop& stop) {
  const Workload& batch = *problem.batch;
  std::vector<double> weights;
  weights.reserve(batch.jobs.size());
  for (const Job& job : batch.jobs) weights.push_back(settings.weight_of(job.user));
  const double bound = weighted_completion_bound(batch, problem.cluster.pool, weights);
  if (stop.now()) return bound;
  return weighted_window_bound(batch, problem.cluster.pool, weights, bound, answer.weighted_ms,
                               answer.plan.makespan, bounding(problem), stop);
}

std::uint64_t evaluations(const PlanningProblem& problem, std::uint64_t tasks) {
  if (problem.evaluations > 0) return problem.evaluations;
  return std::clamp(usual_placements / std::max<std::uint64_t>(1, tasks), least_evaluations,
                    most_evaluations);
}

// The best plan of a search over two orders and, for few jobs, one over priority rules that starts from it.
Plan search(const PlanningProblem& problem, const std::vector<TwoOrders>& starts, Cost& cost,
            const Stop& stop) {
  const Workload& batch = *problem.batch;
  const bool with_rules = batch.jobs.size() <= few && PrioritySchedule::models(batch, problem.cluster.pool);
  const std::uint64_t all = evaluations(problem, cost.tasks()), of_orders = with_rules ? all / 2 : all;
  Random random(problem.seed, "plan/users");
  const OrderSearchResult orders = late_acceptance(
      starts, [&](const TwoOrders& tried) { return cost.of(tried); }, of_orders, random,
      with_rules ? stop.share(0.5) : stop);
  Plan plan = plan_of_orders(problem, "users", orders.best);
  plan.evaluated = static_cast<Count>(orders.evaluations);
  plan.partial = orders.stopped;
  if (!with_rules) return plan;
  PrioritySchedule schedule(batch, problem.cluster.slowstart);
  const RuleSearchResult rules = search_rules(
      priority_rule_of_orders(batch, problem.cluster.pool, orders.best.maps, orders.best.reduces), schedule,
      [&](std::span<const std::int64_t> ends) { return cost.of(ends); }, all - of_orders, random, stop);
  plan.evaluated += static_cast<Count>(rules.evaluations);
  plan.partial = plan.partial || rules.stopped;
  if (rules.cost < orders.cost) {
    set_priority_rule(plan, rules.best, batch);
    value_plan(plan, problem);
  }
  return plan;
}

void check(const PlanningProblem& problem, const UserSettings& settings) {
  if (!settings.weights.empty() && problem.objective != Objective::total_completion)
    throw UsageError("weights of users count in total completion time only",
                     "add --objective total-completion");
  std::set<std::string> named;
  for (const Job& job : problem.batch->jobs) named.insert(job.user);
  for (const auto& [user, weight] : settings.weights) {
    if (named.contains(user)) continue;
    named.erase(std::string());
    const std::vector<std::string> users(named.begin(), named.end());
    throw UsageError("no job of a user '" + user + "'",
                     users.empty() ? "the workload names no users" : suggestion(user, users));
  }
}

}  // namespace

UserAnswer make_user_plan(const PlanningProblem& problem, const UserSettings& settings,
                          const std::vector<Plan>& plans, const Stop& stop) {
  const auto began = Stop::Clock::now();
  check(problem, settings);
  const bool weighted = !settings.weights.empty();
  const std::map<std::string, Duration> alone = times_alone(problem, stop);
  Cost cost(problem, settings, alone);
  std::vector<TwoOrders> starts = orders_by_user(problem, settings);
  for (const Plan& plan : plans) {
    if (const auto orders = orders_of(plan, *problem.batch)) starts.push_back(*orders);
  }

  UserAnswer answer;
  answer.plan = search(problem, starts, cost, weighted ? stop.share(search_share) : stop);
  answer.users = times_by_user(answer.plan, problem, settings, alone);
  answer.weighted_ms = weighted_completion(answer.plan, problem, settings);
  if (weighted) {
    answer.weighted_bound_ms = bound_of_weighted(answer, problem, settings, stop);
    answer.plan.partial = !answer.weighted_is_optimal() && (answer.plan.partial || stop.now());
  }
  if (settings.fair) {
    for (std::size_t i = 0; i < answer.users.size(); ++i) {
      const double slowdown = answer.users[i].slowdown();
      if (slowdown > 1 + *settings.fair + rounding &&
          (!answer.violated || slowdown > answer.users[*answer.violated].slowdown()))
        answer.violated = i;
    }
    if (answer.violated) answer.impossible = fair_is_impossible(problem, *settings.fair, alone);
  }
  answer.plan.seconds = std::chrono::duration<double>(Stop::Clock::now() - began).count();
  return answer;
}

}  // namespace wavewright
