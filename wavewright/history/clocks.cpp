#include "wavewright/history/clocks.h"

#include <algorithm>
#include <map>

#include "wavewright/history/sanity_checks.h"

namespace wavewright {

namespace {

constexpr Duration ahead_at_most = ms(1'000);    // how far a node's attempt may end after its task
constexpr Duration behind_at_most = ms(10'000);  // reports may be several heartbeats late

// Task's end by the master's clock − winning attempt's end by the node's clock.
using Differences = std::map<std::string, std::vector<Duration>>;

Duration median(std::vector<Duration> values) {
  if (values.empty()) return {};
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Differences differences_of(const JobRun& run) {
  Differences by_node;
  for (const TaskRun& task : run.tasks) {
    const Attempt* const best = winner(task);
    if (best != nullptr && best->finish && task.finish && !best->node.empty()) {
      by_node[best->node].push_back(*task.finish - *best->finish);
    }
  }
  return by_node;
}

bool off(Duration difference) {
  return difference < -ahead_at_most || difference > behind_at_most;
}

bool agree(const std::vector<Duration>& differences, Duration middle) {
  return differences.size() >= least_witnesses &&
         std::all_of(differences.begin(), differences.end(), [&](Duration difference) {
           return std::chrono::abs(difference - middle) <= clock_slack;
         });
}

Duration usual_delay(const Differences& by_node) {
  std::vector<Duration> usual;
  for (const auto& [node, differences] : by_node) {
    if (!off(median(differences))) usual.insert(usual.end(), differences.begin(), differences.end());
  }
  return median(std::move(usual));
}

template <class Run, class Each>
void over_attempts_on(Run& run, const std::string& node, Each each) {
  for (auto& task : run.tasks) {
    for (auto& attempt : task.attempts) {
      if (attempt.node == node) each(attempt);
    }
  }
}

bool fits(const JobRun& run, const ClockOffset& clock) {
  bool all = true;
  over_attempts_on(run, clock.node, [&](const Attempt& attempt) {
    all = all && !(attempt.start && run.submit && *attempt.start + clock.shift + clock_slack < *run.submit);
    all = all && !(attempt.state == AttemptState::succeeded && attempt.finish && run.finish &&
                   *attempt.finish + clock.shift > *run.finish + clock_slack);
  });
  return all;
}

}  // namespace

std::vector<ClockOffset> clocks_off(const JobRun& run) {
  const Differences by_node = differences_of(run);
  const Duration delay = usual_delay(by_node);
  std::vector<ClockOffset> found;
  for (const auto& [node, differences] : by_node) {
    const Duration middle = median(differences);
    if (!off(middle) || !agree(differences, middle)) continue;
    ClockOffset clock{node, middle - delay, 0};
    over_attempts_on(run, node, [&](const Attempt&) { ++clock.attempts; });
    if (fits(run, clock)) found.push_back(std::move(clock));
  }
  return found;
}

void shift_clock(JobRun& run, const ClockOffset& clock) {
  over_attempts_on(run, clock.node, [&](Attempt& attempt) {
    for (std::optional<Time>* instant : {&attempt.start, &attempt.finish, &attempt.shuffle_finish,
                                         &attempt.sort_finish, &attempt.map_finish}) {
      if (*instant) **instant += clock.shift;
    }
  });
}

}  // namespace wavewright
