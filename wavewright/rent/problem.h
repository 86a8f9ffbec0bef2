// Renting machines for a batch of jobs: rent, delay and utility [RENT §II].
//
// A job of work w on m machines, which starts at t0:
//   ends at      t = t0 + w / S(m)
//   pays         p = a · w · m / S(m)
//   is worth     U = B · w − p − b · t
// (The paper's (4) and its α form have a k too many; these are (1) to (3).) The utility cost p + b·t is what
// policies minimise: B · w is the same for all of them.
//
// Real numbers, as the coefficients are rates; nothing here is a bill. Work and times are in seconds; a is
// money per machine and second, b and B are money per second.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/rent/speedup.h"

namespace wavewright {

struct RentJob {
  std::string id;
  double work = 0;     // seconds on one machine, above 0
  double arrival = 0;  // seconds; a batch ignores it

  friend bool operator==(const RentJob&, const RentJob&) = default;
};

struct RentPrices {
  double rent = 0;     // a
  double delay = 0;    // b
  double benefit = 0;  // B
};

struct RentProblem {
  std::vector<RentJob> jobs;  // ascending by work
  RentPrices prices;
  Speeds speeds;
};

// Sorts the jobs by work, equal ones as given. Throws UsageError for no jobs, more than `most_rent_jobs`,
// work that is not positive and finite, an arrival or a price that is negative or not finite. O(n log n).
[[nodiscard]] RentProblem rent_problem(std::vector<RentJob> jobs, const RentPrices& prices, Speeds speeds);

inline constexpr std::size_t most_rent_jobs = 100'000;

// Jobs that start together. The next group starts when the slowest of this one has ended.
struct RentGroup {
  std::vector<std::size_t> jobs;  // indices into RentProblem::jobs
  std::vector<Count> machines;    // of each
};

// The group of jobs `first` to `first + size − 1`, each on so many machines.
[[nodiscard]] RentGroup equal_group(std::size_t first, std::size_t size, Count machines);

struct RentedJob {
  std::size_t job = 0;
  std::size_t group = 0;
  Count machines = 0;
  double start = 0;
  double finish = 0;
};

struct RentPlan {
  std::vector<RentGroup> groups;
  std::vector<RentedJob> jobs;  // group by group
  double rent = 0;              // Σp
  double total_time = 0;        // Σt
  double machine_time = 0;      // Σ w·m / S(m)
  double cost = 0;              // Σp + b · Σt
  double utility = 0;           // B · Σw − cost
  double makespan = 0;

  [[nodiscard]] double average_time() const { return total_time / static_cast<double>(jobs.size()); }
};

// Places and prices the groups, one after the other from time 0. Throws InternalError if a job is missing or
// twice, or if a group needs more machines than there are. O(n).
[[nodiscard]] RentPlan price_groups(const RentProblem& problem, std::vector<RentGroup> groups);

}  // namespace wavewright
