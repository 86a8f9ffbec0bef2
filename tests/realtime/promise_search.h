// Looks for a world in which a promise is broken: by changes that bring an accepted job nearer to its
// deadline.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/realtime/worlds.h"
#include "wavewright/core/random.h"

namespace wavewright::realtime_worlds {

// By how much the accepted job that comes nearest to its deadline is before it.
inline std::int64_t least_slack(const World& world, const std::string& policy) {
  const SimulationResult result = run(world.workload, policy, world.cluster);
  std::int64_t least = 1'000'000;
  for (std::size_t i = 0; i < result.jobs.size(); ++i) {
    const Job& job = world.workload.jobs[i];
    if (!result.jobs[i].rejected && job.deadline)
      least = std::min(least, to_ms(*job.deadline - result.jobs[i].finish));
  }
  return least;
}

inline void change_something(World& world, Random& random) {
  Job& job = world.workload.jobs[random.below(world.workload.jobs.size())];
  std::vector<Duration>& tasks = random.below(2) == 0 ? job.maps : job.reduces;
  switch (random.below(9)) {
    case 8: {
      std::vector<Duration>& shuffles = random.below(2) == 0 ? job.first_shuffles : job.shuffles;
      shuffles.assign(job.reduces.size(), ms(random.integer(0, 20)));
      break;
    }
    case 0:
    case 6:
    case 7:
      if (job.deadline) job.deadline = std::max(job.submit, *job.deadline - ms(random.integer(1, 20)));
      break;
    case 1:
      job.submit = at_ms(std::max<std::int64_t>(0, to_ms(job.submit) + random.integer(-5, 5)));
      if (job.deadline) job.deadline = std::max(job.submit, *job.deadline);
      break;
    case 2:
      if (tasks.size() < 9) tasks.push_back(ms(random.integer(1, 30)));
      break;
    case 3:
      if (!tasks.empty()) tasks.pop_back();
      break;
    case 4:
      if (!tasks.empty()) tasks[random.below(tasks.size())] = ms(random.integer(1, 30));
      break;
    default:
      if (!tasks.empty())
        std::fill(tasks.begin(), tasks.end(), tasks.front());  // the bound is each one's length
  }
  for (std::vector<Duration>* const shuffles : {&job.first_shuffles, &job.shuffles}) {
    if (!shuffles->empty()) shuffles->resize(job.reduces.size());
  }
}

struct Nearest {
  World world;
  std::int64_t slack = 0;  // below 0: a promise is broken
};

// Ends with the first world that breaks one.
inline Nearest climb(World world, const std::string& policy, Random& random, int steps = 120) {
  Nearest nearest{std::move(world), 0};
  nearest.slack = least_slack(nearest.world, policy);
  for (int step = 0; step < steps && nearest.slack >= 0; ++step) {
    World other = nearest.world;
    change_something(other, random);
    std::stable_sort(other.workload.jobs.begin(), other.workload.jobs.end(),
                     [](const Job& a, const Job& b) { return a.submit < b.submit; });
    const std::int64_t slack = least_slack(other, policy);
    if (slack <= nearest.slack) nearest = {std::move(other), slack};
  }
  return nearest;
}

}  // namespace wavewright::realtime_worlds
