#include "wavewright/rent/problem.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

void check_price(double price, const char* name) {
  if (std::isfinite(price) && price >= 0) return;
  throw UsageError(fmt::format("the {} is {}", name, price), "give a number that is not negative");
}

void check_job(const RentJob& job) {
  if (!std::isfinite(job.work) || job.work <= 0) {
    throw UsageError(fmt::format("job '{}' has a work of {} seconds", job.id, job.work),
                     "give its time on one machine, above 0");
  }
  if (!std::isfinite(job.arrival) || job.arrival < 0) {
    throw UsageError(fmt::format("job '{}' arrives at {} seconds", job.id, job.arrival),
                     "give a time that is not negative");
  }
}

}  // namespace

RentProblem rent_problem(std::vector<RentJob> jobs, const RentPrices& prices, Speeds speeds) {
  if (jobs.empty()) throw UsageError("there are no jobs", "give at least one");
  if (jobs.size() > most_rent_jobs) {
    throw UsageError(fmt::format("there are {} jobs", jobs.size()),
                     fmt::format("give at most {}", most_rent_jobs));
  }
  for (const RentJob& job : jobs) check_job(job);
  check_price(prices.rent, "price of a machine");
  check_price(prices.delay, "price of delay");
  check_price(prices.benefit, "benefit");
  std::ranges::stable_sort(jobs, {}, &RentJob::work);
  return {std::move(jobs), prices, std::move(speeds)};
}

RentGroup equal_group(std::size_t first, std::size_t size, Count machines) {
  RentGroup group;
  for (std::size_t i = 0; i < size; ++i) group.jobs.push_back(first + i);
  group.machines.assign(size, machines);
  return group;
}

RentPlan price_groups(const RentProblem& problem, std::vector<RentGroup> groups) {
  RentPlan plan;
  plan.groups = std::move(groups);
  std::vector<bool> seen(problem.jobs.size(), false);
  double work = 0;
  double start = 0;
  for (std::size_t g = 0; g < plan.groups.size(); ++g) {
    const RentGroup& group = plan.groups[g];
    Count used = 0;
    double end = start;
    for (std::size_t i = 0; i < group.jobs.size(); ++i) {
      const std::size_t job = group.jobs[i];
      const Count machines = group.machines.at(i);
      if (machines < 1 || seen.at(job))
        throw InternalError("a job of a rent plan is placed twice or nowhere");
      seen[job] = true;
      used += machines;
      const double speed = problem.speeds.at(machines);
      const double length = problem.jobs[job].work / speed;
      plan.jobs.push_back({job, g, machines, start, start + length});
      plan.machine_time += length * static_cast<double>(machines);
      plan.total_time += start + length;
      work += problem.jobs[job].work;
      end = std::max(end, start + length);
    }
    if (used > problem.speeds.machines()) throw InternalError("a group of a rent plan has too many machines");
    start = end;
  }
  if (plan.jobs.size() != problem.jobs.size()) throw InternalError("a job of a rent plan is missing");
  plan.makespan = start;
  plan.rent = problem.prices.rent * plan.machine_time;
  plan.cost = plan.rent + problem.prices.delay * plan.total_time;
  plan.utility = problem.prices.benefit * work - plan.cost;
  return plan;
}

}  // namespace wavewright
