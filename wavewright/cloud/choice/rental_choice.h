// The cheapest way to rent machines such that at most a share of the jobs is tardy, by simulation.
//
// Every option runs on the same seeds. Cost is that of the rented machines; nodes that are there anyhow cost
// the same under each. An option meets the limit if its mean share of tardy jobs is at most that. The
// frontier is of the options such that none is both cheaper and less tardy, in the mean.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "wavewright/cloud/bound/cost_bound.h"
#include "wavewright/cloud/choice/rental_options.h"
#include "wavewright/core/stop.h"
#include "wavewright/job/job.h"
#include "wavewright/sim/experiment/sweep.h"

namespace wavewright {

struct RentalQuestion {
  std::function<Workload(std::uint64_t seed)> workload;  // may be called by several threads
  Cluster cluster;
  std::vector<RentalOption> options;
  double late_at_most = 0.05;  // share of the jobs with a deadline
  std::vector<std::uint64_t> seeds;
  const PolicyRegistry* registry = nullptr;
  unsigned threads = 1;
};

// An option over its runs.
struct RentalFigures {
  RentalOption option;
  std::size_t runs = 0;
  MeanInterval cost_usd;
  MeanInterval tardy;                                 // share of the jobs with a deadline
  MeanInterval tardy_jobs;                            // their number
  MeanInterval tardiness_ms;                          // total of a run, over the jobs that are done
  double leases = 0, revoked = 0, machine_hours = 0;  // of a run
  Count most_machines = 0;                            // rented at once, in any run
  Duration longest_span{};                            // first submission to last machine's end, in any run
  bool meets = false;                                 // the limit
  bool frontier = false;
};

struct RentalChoice {
  std::vector<RentalFigures> options;  // by cost, then share of tardy jobs
  std::optional<std::size_t> best;     // the cheapest that meets the limit, and of these the least tardy
  std::optional<std::size_t> least_tardy;
  // Means over the seeds, USD (cloud/bound/cost_bound.h): for all jobs in time, if they can be; for the jobs
  // that the best option has in time.
  std::optional<double> bound_all_in_time, bound_as_best;
  bool partial = false;  // stopped before all runs were made
};

// `progress` gets the number of runs that are done. Throws what a simulation throws. Time: the simulations,
// shared by the threads, and two bounds a seed.
[[nodiscard]] RentalChoice choose_rental(const RentalQuestion& question,
                                         const std::function<void(std::size_t)>& progress, const Stop& stop);

// One option on the seeds of the question; fewer runs if `stop` says so. Throws what a simulation throws.
[[nodiscard]] RentalFigures simulate_option(const RentalQuestion& question, const RentalOption& option,
                                            const Stop& stop);

// Does a seed change what is simulated: drawn lengths, faults, places of blocks?
[[nodiscard]] bool draws(const Workload& one, const Workload& other, const Cluster& cluster);

}  // namespace wavewright
