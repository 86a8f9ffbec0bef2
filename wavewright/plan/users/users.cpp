#include "wavewright/plan/users/users.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/job/precedence.h"
#include "wavewright/plan/bounds/lower_bound.h"
#include "wavewright/plan/evaluate.h"
#include "wavewright/plan/methods/late_acceptance.h"
#include "wavewright/plan/schedule/any_schedule.h"

namespace wavewright {

namespace {

constexpr std::uint64_t usual_alone = 2'000, most_alone = 20'000;  // evaluations for each user

using Users = std::set<std::string>;

// The jobs of these users and all their predecessors, in the order of the batch.
Workload with_predecessors(const Workload& batch, const Users& users) {
  const Precedence edges(batch);
  const std::vector<std::uint32_t> order = edges.in_order(batch.jobs.size());
  std::vector<bool> taken(batch.jobs.size(), false);
  for (std::size_t at = order.size(); at-- > 0;) {
    const std::span<const JobIndex> behind = edges.successors(order[at]);
    taken[order[at]] = users.contains(batch.jobs[order[at]].user) ||
                       std::any_of(behind.begin(), behind.end(), [&](JobIndex job) { return taken[job]; });
  }
  Workload part;
  for (JobIndex job = 0; job < batch.jobs.size(); ++job) {
    if (taken[job]) part.jobs.push_back(batch.jobs[job]);
  }
  return part;
}

// The jobs of these users alone, as if all others were done.
Workload jobs_of(const Workload& batch, const Users& users) {
  std::set<std::string_view> others;
  for (const Job& job : batch.jobs) {
    if (!users.contains(job.user)) others.insert(job.id);
  }
  Workload part;
  for (const Job& job : batch.jobs) {
    if (!users.contains(job.user)) continue;
    part.jobs.push_back(job);
    std::erase_if(part.jobs.back().after, [&](const std::string& id) { return others.contains(id); });
  }
  return part;
}

}  // namespace

double UserTime::slowdown() const {
  return alone == Duration{} ? 1 : static_cast<double>(to_ms(shared)) / static_cast<double>(to_ms(alone));
}

std::vector<UserTime> times_by_user(const Plan& plan, const PlanningProblem& problem,
                                    const UserSettings& settings,
                                    const std::map<std::string, Duration>& alone) {
  const SimulationResult result = simulate_arranged(plan, *problem.batch, problem.cluster);
  std::map<std::string, UserTime> times;
  for (std::size_t i = 0; i < problem.batch->jobs.size(); ++i) {
    const std::string& user = problem.batch->jobs[i].user;
    UserTime& time = times[user];
    ++time.jobs;
    const JobOutcome& job = result.jobs[i];
    if (problem.objective == Objective::makespan) {
      time.shared = std::max(time.shared, job.finish - Time{});
    } else {
      time.shared += job.finish - job.submit;
    }
  }
  std::vector<UserTime> list;
  for (auto& [user, time] : times) {
    time.user = user;
    time.weight = settings.weight_of(user);
    // Alone, the user could run the user's part of this schedule.
    time.alone = std::min(alone.at(user), time.shared);
    list.push_back(time);
  }
  return list;
}

std::map<std::string, Duration> times_alone(const PlanningProblem& problem, const Stop& stop) {
  std::map<std::string, Duration> alone;
  Users users;
  for (const Job& job : problem.batch->jobs) users.insert(job.user);
  for (const std::string& user : users) {
    PlanningProblem own{shared(with_predecessors(*problem.batch, {user})), problem.cluster, problem.objective,
                        problem.seed};
    own.evaluations = problem.evaluations == 0 ? usual_alone : std::min(problem.evaluations, most_alone);
    const Plan plan = plan_by("best", own, stop);
    const Workload& part = *own.batch;
    alone[user] = plan.value();
    if (problem.objective == Objective::makespan) continue;
    const SimulationResult result = simulate_arranged(plan, part, own.cluster);
    for (std::size_t i = 0; i < part.jobs.size(); ++i) {
      if (part.jobs[i].user != user) alone[user] -= result.jobs[i].finish - result.jobs[i].submit;
    }
  }
  return alone;
}

double weighted_completion(const Plan& plan, const PlanningProblem& problem, const UserSettings& settings) {
  const SimulationResult result = simulate_arranged(plan, *problem.batch, problem.cluster);
  double sum = 0;
  for (std::size_t i = 0; i < problem.batch->jobs.size(); ++i)
    sum += settings.weight_of(problem.batch->jobs[i].user) *
           static_cast<double>(to_ms(result.jobs[i].finish - result.jobs[i].submit));
  return sum;
}

std::string fair_is_impossible(const PlanningProblem& problem, double fair,
                               const std::map<std::string, Duration>& alone) {
  std::vector<std::pair<double, std::string>> limits;  // ms, tightest first
  limits.reserve(alone.size());
  for (const auto& [user, time] : alone)
    limits.emplace_back((1 + fair) * static_cast<double>(to_ms(time)), user);
  std::sort(limits.begin(), limits.end());
  Users together;
  double sum = 0;
  std::string names;
  for (const auto& [limit, user] : limits) {
    together.insert(user);
    sum += limit;
    names += (names.empty() ? "'" : ", '") + user + "'";
    const bool makespan = problem.objective == Objective::makespan;
    const double most = makespan ? limit : sum;
    const Duration least = lower_bound(
        makespan ? with_predecessors(*problem.batch, together) : jobs_of(*problem.batch, together),
        problem.cluster.pool, problem.objective);
    if (static_cast<double>(to_ms(least)) <= most) continue;
    return fmt::format("the jobs of {} together take {} at least, {} would be fair", names,
                       format_duration(least),
                       format_duration(ms(static_cast<std::int64_t>(std::floor(most)))));
  }
  return {};
}

}  // namespace wavewright
