#include "wavewright/rent/online.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

// Prices groups that start when the one before has ended and all their jobs are there.
OnlinePlan price_online(const RentProblem& problem, std::vector<RentGroup> groups) {
  OnlinePlan online{price_groups(problem, std::move(groups)), 0, 0};
  double now = 0;
  double delay = 0;
  RentPlan& plan = online.plan;
  for (std::size_t i = 0; i < plan.jobs.size();) {
    const std::size_t group = plan.jobs[i].group;
    for (const std::size_t job : plan.groups[group].jobs) now = std::max(now, problem.jobs[job].arrival);
    double end = now;
    for (; i < plan.jobs.size() && plan.jobs[i].group == group; ++i) {
      RentedJob& job = plan.jobs[i];
      job.finish = now + (job.finish - job.start);
      job.start = now;
      end = std::max(end, job.finish);
      delay += job.finish - problem.jobs[job.job].arrival;
    }
    now = end;
  }
  online.cost = plan.rent + problem.prices.delay * delay;
  online.average_delay = delay / static_cast<double>(plan.jobs.size());
  // The plan's own sums are those of the same starts, from time 0.
  plan.total_time = 0;
  plan.makespan = 0;
  double work = 0;
  for (const RentedJob& job : plan.jobs) {
    plan.total_time += job.finish;
    plan.makespan = std::max(plan.makespan, job.finish);
    work += problem.jobs[job.job].work;
  }
  plan.cost = plan.rent + problem.prices.delay * plan.total_time;
  plan.utility = problem.prices.benefit * work - online.cost;
  return online;
}

class Clairvoyant {
 public:
  explicit Clairvoyant(const RentProblem& problem) : problem_(problem) {
    const auto jobs = static_cast<std::uint32_t>(problem.jobs.size());
    bound_.assign(std::size_t{1} << jobs, 0);
    for (std::uint32_t set = 1; set < bound_.size(); ++set) {
      const auto job = static_cast<std::size_t>(std::countr_zero(set));
      bound_[set] = bound_[set & (set - 1)] + least_alone(problem.jobs[job].work);
    }
  }

  OnlinePlan run() {
    search(static_cast<std::uint32_t>(bound_.size() - 1), 0, 0);
    return price_online(problem_, best_);
  }

 private:
  [[nodiscard]] double least_alone(double work) const {
    double least = std::numeric_limits<double>::infinity();
    const Count most = problem_.speeds.fastest(problem_.speeds.machines());
    for (Count m = 1; m <= most; ++m) {
      const double rate = problem_.prices.rent * static_cast<double>(m) + problem_.prices.delay;
      least = std::min(least, work * rate / problem_.speeds.at(m));
    }
    return least;
  }

  // What the jobs cost at least that wait since their arrivals, from `now` on.
  [[nodiscard]] double at_least(std::uint32_t left, double now) const {
    double waited = 0;
    for (std::uint32_t set = left; set != 0; set &= set - 1) {
      waited += std::max(0.0, now - problem_.jobs[static_cast<std::size_t>(std::countr_zero(set))].arrival);
    }
    return bound_[left] + problem_.prices.delay * waited;
  }

  void search(std::uint32_t left, double now, double cost) {
    if (left == 0) {
      least_ = cost;
      best_ = groups_;
      return;
    }
    for (std::uint32_t set = left; set != 0; set = (set - 1) & left) {
      if (std::popcount(set) <= problem_.speeds.machines()) start(set, left & ~set, now, cost);
    }
  }

  void start(std::uint32_t set, std::uint32_t after, double now, double cost) {
    RentGroup group;
    for (std::uint32_t rest = set; rest != 0; rest &= rest - 1) {
      group.jobs.push_back(static_cast<std::size_t>(std::countr_zero(rest)));
      now = std::max(now, problem_.jobs[group.jobs.back()].arrival);
    }
    const Count most = problem_.speeds.fastest(problem_.speeds.machines() / std::popcount(set));
    for (Count m = 1; m <= most; ++m) {
      double own = 0;
      for (const std::size_t job : group.jobs) {
        const double length = problem_.jobs[job].work / problem_.speeds.at(m);
        own += problem_.prices.rent * length * static_cast<double>(m) +
               problem_.prices.delay * (now + length - problem_.jobs[job].arrival);
      }
      const double end = now + problem_.jobs[group.jobs.back()].work / problem_.speeds.at(m);
      if (cost + own + at_least(after, end) >= least_) continue;
      group.machines.assign(group.jobs.size(), m);
      groups_.push_back(group);
      search(after, end, cost + own);
      groups_.pop_back();
    }
  }

  const RentProblem& problem_;
  std::vector<double> bound_;  // of sets of jobs, each alone
  double least_ = std::numeric_limits<double>::infinity();
  std::vector<RentGroup> groups_, best_;
};

}  // namespace

OnlinePlan rent_online(const RentProblem& problem, const RentPolicy& policy) {
  std::vector<bool> done(problem.jobs.size(), false);
  std::vector<RentGroup> started;
  double now = 0;
  for (std::size_t left = problem.jobs.size(); left > 0;) {
    double next = std::numeric_limits<double>::infinity();
    RentProblem waiting{{}, problem.prices, problem.speeds};
    std::vector<std::size_t> index;
    for (std::size_t job = 0; job < problem.jobs.size(); ++job) {
      if (done[job]) continue;
      next = std::min(next, problem.jobs[job].arrival);
      if (problem.jobs[job].arrival > now) continue;
      waiting.jobs.push_back(problem.jobs[job]);
      index.push_back(job);
    }
    if (index.empty()) {
      now = next;
      continue;
    }
    RentGroup group = policy.plan(waiting).groups.front();
    double longest = 0;
    for (std::size_t i = 0; i < group.jobs.size(); ++i) {
      group.jobs[i] = index[group.jobs[i]];
      done[group.jobs[i]] = true;
      longest = std::max(longest, problem.jobs[group.jobs[i]].work / problem.speeds.at(group.machines[i]));
    }
    left -= group.jobs.size();
    now += longest;
    started.push_back(std::move(group));
  }
  return price_online(problem, std::move(started));
}

OnlinePlan clairvoyant_groups(const RentProblem& problem) {
  if (problem.jobs.size() > most_clairvoyant_jobs) {
    throw UsageError(fmt::format("the clairvoyant of groups cannot do {} jobs", problem.jobs.size()),
                     fmt::format("give at most {}", most_clairvoyant_jobs));
  }
  return Clairvoyant(problem).run();
}

double alone_bound(const RentProblem& problem) {
  double least = std::numeric_limits<double>::infinity();
  for (Count m = 1; m <= problem.speeds.fastest(problem.speeds.machines()); ++m) {
    const double rate = problem.prices.rent * static_cast<double>(m) + problem.prices.delay;
    least = std::min(least, rate / problem.speeds.at(m));
  }
  double work = 0;
  for (const RentJob& job : problem.jobs) work += job.work;
  return least * work;
}

}  // namespace wavewright
