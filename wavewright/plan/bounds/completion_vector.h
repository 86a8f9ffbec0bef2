// A lower bound on the sum of completion times by position: the k-th end is no earlier than position k of
// each of several lists, so their maximum is a bound at every position.
//
// Model: that of lower_bound.h. `Number` is an integer. Work is already divided by the stage's slots.
#pragma once

#include <algorithm>
#include <queue>
#include <utility>
#include <vector>

namespace wavewright {

// A job at a stage that is a single machine as fast as all its slots.
template <class Number>
struct FluidPart {
  Number ready{};  // its work starts no earlier
  Number work{};
  Number least{};  // the least time of this job's stage alone; at least `work`
};

// Ends, ascending, with shortest remaining work first. Even among schedules with preemption, it has ended the
// most jobs at each instant [Schrage 1968]: position k is a lower bound on every k-th end. O(n log n).
template <class Number>
[[nodiscard]] std::vector<Number> shortest_remaining_ends(std::vector<FluidPart<Number>> jobs) {
  std::sort(jobs.begin(), jobs.end(), [](const auto& a, const auto& b) { return a.ready < b.ready; });
  std::priority_queue<Number, std::vector<Number>, std::greater<>> left;
  std::vector<Number> ends;
  ends.reserve(jobs.size());
  Number clock{};
  for (std::size_t next = 0; next < jobs.size() || !left.empty();) {
    if (left.empty()) clock = std::max(clock, jobs[next].ready);
    for (; next < jobs.size() && jobs[next].ready <= clock; ++next) left.push(jobs[next].work);
    const Number work = left.top();
    left.pop();
    if (next < jobs.size() && clock + work > jobs[next].ready) {
      left.push(work - (jobs[next].ready - clock));
      clock = jobs[next].ready;
    } else {
      clock += work;
      ends.push_back(clock);
    }
  }
  return ends;
}

// Lower bounds on the ends by position, ascending. `map_ends`: position i is a lower bound on the i-th end of
// a map stage. `reduces`: each job is ready no later than its maps can end.
// - chain: each job alone; the k-th smallest ready + least.
// - reduce stage: shortest remaining work first.
// - both: of the k jobs that end first, at least k − i + 1 have map ends at position i or later. All their
//   reduce work lies between that instant and the k-th end. It takes at least the k − i + 1 smallest works,
//   and at least the (k − i + 1)-th smallest least time. At most 256 positions i are tried.
// O(n log n + n · min(n, 256)).
template <class Number>
[[nodiscard]] std::vector<Number> least_ends(const std::vector<Number>& map_ends,
                                             const std::vector<FluidPart<Number>>& reduces) {
  const std::size_t jobs = reduces.size();
  std::vector<Number> ends = shortest_remaining_ends(reduces), chains, least, work;
  for (const auto& part : reduces) {
    chains.push_back(part.ready + part.least);
    least.push_back(part.least);
    work.push_back(part.work);
  }
  std::sort(chains.begin(), chains.end());
  std::sort(least.begin(), least.end());
  std::sort(work.begin(), work.end());
  Number sum{};
  for (std::size_t place = 0; place < jobs; ++place) {
    sum += work[place];
    least[place] = std::max(least[place], sum);  // for the reduces of place + 1 jobs
  }
  const std::size_t step = jobs / 256 + 1;
  for (std::size_t place = 0; place < jobs; ++place) {
    Number& end = ends[place];
    end = std::max(end, chains[place]);
    for (std::size_t from = place % step; from <= place; from += step)
      end = std::max(end, map_ends[from] + least[place - from]);
  }
  return ends;
}

}  // namespace wavewright
