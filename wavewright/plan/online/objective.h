// What the online system orders jobs for: any function of when each of them is done, smaller is better, with
// a rule that orders many jobs for it [ORDER §4.3: "user's job ordering algorithms"].
//
// To add one that has a name on the command line, append an entry to `queue_objectives()`; a program of one's
// own makes a QueueObjective and hands it to the engine.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wavewright/plan/online/rules.h"
#include "wavewright/sched/plan.h"

namespace wavewright {

struct Finished {
  const WaitingJob* job = nullptr;
  Time at{};  // by the clock that arrivals and deadlines are told in
};

struct QueueObjective {
  std::string name;         // as in `--objective`
  std::string description;  // one line
  std::string unit;         // of the value: `ms`; empty where it has none
  std::function<double(std::span<const Finished>)> value;
  OrderingRule rule = nullptr;  // none = order of arrival
  // The planners' objective that ranks orders as `value` does, where there is one: they search it faster.
  std::optional<Objective> planners = std::nullopt;
};

[[nodiscard]] const std::vector<QueueObjective>& queue_objectives();

// Throws UsageError with the nearest name.
[[nodiscard]] const QueueObjective& queue_objective(const std::string& name);

}  // namespace wavewright
