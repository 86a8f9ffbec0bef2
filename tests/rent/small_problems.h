// Small problems, at random and by hand, and their costs by other means than the library's.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "wavewright/rent/problem.h"

namespace wavewright {

// Speeds of 1, 2, … machines.
inline SpeedupCurve table_curve(const std::vector<double>& speeds) {
  SpeedupCurve curve;
  curve.form = SpeedupForm::table;
  for (const double speed : speeds)
    curve.points.push_back({static_cast<Count>(curve.points.size()) + 1, speed});
  return curve;
}

inline RentProblem problem_of(const std::vector<double>& works, const std::vector<double>& speeds,
                              double rent, double delay) {
  std::vector<RentJob> jobs;
  for (const double work : works) jobs.push_back({"J" + std::to_string(jobs.size() + 1), work, 0});
  return rent_problem(std::move(jobs), {rent, delay, 0},
                      Speeds(table_curve(speeds), static_cast<Count>(speeds.size())));
}

struct RandomProblem {
  std::vector<double> works, speeds;
  double rent = 1, delay = 1;

  [[nodiscard]] RentProblem problem() const { return problem_of(works, speeds, rent, delay); }
};

// Speeds between 0.1 and 4 a machine at random; with `rising`, S does not fall.
inline RandomProblem random_problem(std::size_t most_jobs, std::size_t most_machines, bool rising = false) {
  RandomProblem random;
  const auto jobs = *rc::gen::inRange<std::size_t>(1, most_jobs + 1);
  const auto machines = *rc::gen::inRange<std::size_t>(1, most_machines + 1);
  for (std::size_t i = 0; i < jobs; ++i)
    random.works.push_back(static_cast<double>(*rc::gen::inRange(1, 41)) / 4);
  for (std::size_t m = 1; m <= machines; ++m)
    random.speeds.push_back(static_cast<double>(*rc::gen::inRange(1, 41)) * static_cast<double>(m) / 10);
  if (rising) std::ranges::sort(random.speeds);
  random.rent = static_cast<double>(*rc::gen::inRange(0, 21)) / 10;
  random.delay = static_cast<double>(*rc::gen::inRange(0, 21)) / 10;
  std::ranges::sort(random.works);
  return random;
}

// The least cost of the works in this order, over every cut into groups and, if `free`, every number of
// machines up to ⌊M/g⌋. Recursive, with the clock, as the text has it.
inline double cheapest_cut(const RandomProblem& p, const std::vector<double>& works, std::size_t first,
                           double now, bool free) {
  if (first == works.size()) return 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t g = 1; first + g <= works.size() && g <= p.speeds.size(); ++g) {
    const std::size_t most = p.speeds.size() / g;
    const auto end_of_best = p.speeds.begin() + static_cast<std::ptrdiff_t>(most);
    const std::size_t best =
        static_cast<std::size_t>(std::max_element(p.speeds.begin(), end_of_best) - p.speeds.begin()) + 1;
    for (std::size_t m = free ? 1 : best; m <= (free ? most : best); ++m) {
      double cost = 0;
      double end = now;
      for (std::size_t i = first; i < first + g; ++i) {
        const double length = works[i] / p.speeds[m - 1];
        cost += p.rent * length * static_cast<double>(m) + p.delay * (now + length);
        end = std::max(end, now + length);
      }
      least = std::min(least, cost + cheapest_cut(p, works, first + g, end, free));
    }
  }
  return least;
}

// The least cost over all orders of the jobs and all cuts.
inline double cheapest_groups(const RandomProblem& p, bool free) {
  std::vector<double> works = p.works;
  std::ranges::sort(works);
  double least = std::numeric_limits<double>::infinity();
  do {
    least = std::min(least, cheapest_cut(p, works, 0, 0, free));
  } while (std::ranges::next_permutation(works).found);
  return least;
}

// The least cost of any schedule in which a job keeps its machines until it ends: each order of the jobs,
// each number of machines of each, every job as early as there is room after those before it.
inline double cheapest_non_preemptive(const RandomProblem& p) {
  const std::size_t jobs = p.works.size();
  const std::size_t all = p.speeds.size();
  std::vector<std::size_t> order(jobs);
  std::iota(order.begin(), order.end(), std::size_t{0});
  double least = std::numeric_limits<double>::infinity();
  do {
    std::vector<std::size_t> machines(jobs, 1);
    for (bool more = true; more;) {
      std::vector<double> free_at(all, 0);  // of each machine
      double cost = 0;
      for (const std::size_t job : order) {
        const std::size_t m = machines[job];
        std::ranges::sort(free_at);
        const double start = free_at[m - 1];
        const double length = p.works[job] / p.speeds[m - 1];
        std::fill_n(free_at.begin(), m, start + length);
        cost += p.rent * length * static_cast<double>(m) + p.delay * (start + length);
      }
      least = std::min(least, cost);
      std::size_t i = 0;
      while (i < jobs && machines[i] == all) machines[i++] = 1;
      more = i < jobs;
      if (more) ++machines[i];
    }
  } while (std::ranges::next_permutation(order).found);
  return least;
}

}  // namespace wavewright
