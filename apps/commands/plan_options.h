// The options of `wavewright plan`, shared by the files that implement it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/engine/engine_options.h"
#include "apps/pool_options.h"
#include "apps/spread_options.h"
#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"
#include "wavewright/job/job.h"

namespace wavewright::app {

inline constexpr std::uint64_t most_evaluations = 1'000'000'000'000;
inline constexpr Count most_searches = 1'000'000;

struct PlanOptions {
  std::string workload, method, objective = "makespan", time_limit, out;
  std::string task_order = "longest-first";
  std::string within;  // --within: a share; empty = 0
  std::uint64_t evaluations = 0;
  Count searches = 1;
  EngineFlags engine;
  PoolOptions pool;

  std::string plan;                  // --plan: a file, instead of planning
  std::string curve;                 // --curve
  std::string ratio;                 // --ratio M:R
  std::string deadline, by, begins;  // --deadline, or a clock time and that of the batch's start
  SpreadOptions spread;
  Count samples = 1000;
  std::vector<std::string> compare;
  std::vector<std::string> against;  // --against
  std::string robust;                // --robust: expected or p95
  std::string fair, user_weights;    // --fair, --user-weights
  bool frontier = false;             // --frontier, for the objective energy
  std::string budget, report;        // --budget likewise; --report, for energy and cost
  std::vector<std::string> states;   // --states: lists of classes
  bool ids = false;                  // --ids: jobs by id in texts
  bool objective_given = false, samples_given = false, task_order_given = false;

  [[nodiscard]] bool has_deadline() const { return !deadline.empty() || !by.empty(); }
  [[nodiscard]] bool for_users() const { return !fair.empty() || !user_weights.empty(); }
  // Half of the limit if a search follows, which gets the other half.
  [[nodiscard]] std::optional<Duration> time_for_methods(std::optional<Duration> limit) const {
    return limit && (for_users() || !robust.empty()) ? std::optional(*limit / 2) : limit;
  }
  // User weights imply total completion time.
  [[nodiscard]] std::string objective_meant() const {
    return !objective_given && !user_weights.empty() ? "total-completion" : objective;
  }
};

// `options` must outlive the command.
void declare_plan_options(CLI::App& command, PlanOptions& options);

// `2:1`: map slots to reduce slots. Throws UsageError.
[[nodiscard]] SlotPool parse_ratio(const std::string& text);

struct WantedEnd {
  Duration deadline;           // from the batch's time 0
  std::optional<Time> begins;  // the instant of time 0; none if nothing tells it
};

// From --deadline or --by, of which one is given. The batch begins at --begins, else when its first job was
// submitted according to the file, else (with --by) now. --by is the first such clock time after that. Throws
// UsageError if it is not after the beginning.
[[nodiscard]] WantedEnd wanted_end(const PlanOptions& options, const Workload& batch, Time now);

}  // namespace wavewright::app
