// When waiting jobs are ordered and dispatched: the policy module [ORDER §4.2].
//
// A policy has no clock and knows nothing of how jobs run: whoever drives it, a simulation or a daemon, tells
// it what happens and when, in order of time, and asks when the next round is due. An implementer promises:
//  - a round is due only while jobs wait;
//  - a round that is due stays due until it is dispatched, however late that is;
//  - equal calls give equal answers.
// To add one, write its class and list it in reorder_policy.cpp.
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
  Time since{};  // when the first of them arrived, where there is one
};

class ReorderPolicy {
 public:
  virtual ~ReorderPolicy() = default;
  [[nodiscard]] virtual std::string name() const = 0;  // as in `--when`, with its parameters
  // A job has arrived; it is among the waiting.
  virtual void on_arrival(Time now, const Waiting& waiting) = 0;
  // A round was dispatched: `work` is T_A, the two-stage makespan of its jobs in the order dispatched;
  // `left` still wait.
  virtual void on_dispatch(Time now, Duration work, const Waiting& left) = 0;
  // When the next round is due, perhaps in the past; none where that depends on arrivals to come.
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

// Of `pnj(5)`, `tp-fti(60s)`, `tp-ati(10s)`; intervals count from `begin`, when the cluster starts. Throws
// UsageError with the nearest name, or on a parameter that makes no sense.
[[nodiscard]] std::unique_ptr<ReorderPolicy> make_reorder_policy(std::string_view text, Time begin = Time{});

}  // namespace wavewright
