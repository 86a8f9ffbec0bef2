#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/plan/bounds/completion_bound.h"
#include "wavewright/plan/methods/late_acceptance.h"
#include "wavewright/plan/schedule/any_schedule.h"
#include "wavewright/plan/users/users.h"

namespace wavewright {

namespace {

constexpr std::uint64_t usual_placements = 150'000'000;  // tasks, if there is no other limit
constexpr std::uint64_t least_evaluations = 500, most_evaluations = 50'000;
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
    const Value value = schedule_.value(orders.maps, orders.reduces);
    std::fill(times_.begin(), times_.end(), 0.0);
    double weighted = 0;
    for (std::size_t job = 0; job < users_.size(); ++job) {
      const auto end = static_cast<double>(schedule_.ends()[job]);
      const double since = end - static_cast<double>(submits_[job]);
      weighted += weights_[job] * since;
      double& time = times_[users_[job]];
      time = objective_ == Objective::makespan ? std::max(time, end) : time + since;
    }
    const double cost = objective_ == Objective::makespan
                            ? static_cast<double>(to_ms(value.makespan)) +
                                  1e-6 * static_cast<double>(to_ms(value.total_completion))
                            : weighted;
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
  const std::map<std::string, Duration> alone = times_alone(problem, stop);
  Cost cost(problem, settings, alone);
  std::vector<TwoOrders> starts = orders_by_user(problem, settings);
  for (const Plan& plan : plans) {
    if (const auto orders = orders_of(plan, *problem.batch)) starts.push_back(*orders);
  }
  const std::uint64_t evaluations =
      problem.evaluations > 0 ? problem.evaluations
                              : std::clamp(usual_placements / std::max<std::uint64_t>(1, cost.tasks()),
                                           least_evaluations, most_evaluations);
  Random random(problem.seed, "plan/users");
  const LateAcceptanceResult found = late_acceptance(
      starts, [&](const TwoOrders& orders) { return cost.of(orders); }, evaluations, random, stop);

  UserAnswer answer;
  answer.plan = plan_of_orders(problem, "users", found.best);
  answer.plan.evaluated = static_cast<Count>(found.evaluations);
  answer.plan.partial = found.stopped;
  answer.users = times_by_user(answer.plan, problem, settings, alone);
  answer.weighted_ms = weighted_completion(answer.plan, problem, settings);
  if (!settings.weights.empty()) {
    std::vector<double> weights;
    weights.reserve(problem.batch->jobs.size());
    for (const Job& job : problem.batch->jobs) weights.push_back(settings.weight_of(job.user));
    answer.weighted_bound_ms = weighted_completion_bound(*problem.batch, problem.cluster.pool, weights);
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
