// The contract of reorder policies: they decide when waiting jobs are ordered and dispatched [ORDER §4.2].
//
// A policy has no clock and does not know how jobs run. The caller, a simulation or a daemon, reports
// events in order of time and asks when the next round is due. An implementer promises:
// - a round is due only while jobs wait;
// - a round that is due stays due until it is dispatched, however late;
// - equal calls give equal answers.
// To add a policy, write its class and list it in reorder_policy.cpp.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/core/parameters.h"
#include "wavewright/core/time.h"

namespace wavewright {

struct Waiting {
  std::size_t jobs = 0;
  Time since{};  // arrival of the first of them, if any
};

class ReorderPolicy {
 public:
  virtual ~ReorderPolicy() = default;
  [[nodiscard]] virtual std::string name() const = 0;  // as in `--when`, with its parameters
  // A job has arrived; `waiting` includes it.
  virtual void on_arrival(Time now, const Waiting& waiting) = 0;
  // A round was dispatched; `left` still wait. `work` is T_A, the two-stage makespan of its jobs in that
  // order.
  virtual void on_dispatch(Time now, Duration work, const Waiting& left) = 0;
  // The instant of the next round, perhaps in the past; empty if it depends on future arrivals.
  [[nodiscard]] virtual std::optional<Time> next_decision() const = 0;
};

// One line of `--help`.
struct ReorderPolicyEntry {
  std::string name;
  std::string description;
  std::vector<Parameter> parameters{};
  std::function<std::unique_ptr<ReorderPolicy>(Parameters& parameters, Time begin)> make{};

  [[nodiscard]] std::string usage() const { return usage_of(name, parameters); }
};

[[nodiscard]] const std::vector<ReorderPolicyEntry>& reorder_policies();

// Parses `pnj(5)`, `tp-fti(60s)`, `tp-ati(10s)`. Intervals count from `begin`, when the cluster starts.
// Throws UsageError with the nearest name, or for an invalid parameter.
[[nodiscard]] std::unique_ptr<ReorderPolicy> make_reorder_policy(std::string_view text, Time begin = Time{});

}  // namespace wavewright
