#include "wavewright/sim/simulate.h"

#include <bit>
#include <cmath>
#include <ostream>

#include "wavewright/core/error.h"
#include "wavewright/sched/ledger/order_tree.h"
#include "wavewright/sched/ledger/rank_list.h"
#include "wavewright/sim/pool/engine.h"
#include "wavewright/sim/pool/stage.h"
#include "wavewright/sim/pool/task_layout.h"

namespace wavewright {

namespace sim {

std::uint32_t maps_before_reduces(std::uint32_t maps, double slowstart) {
  // The tolerance keeps 0.05 × 20 at 1: the product in binary is a hair above it.
  return static_cast<std::uint32_t>(std::ceil(slowstart * maps - 1e-9));
}

void throw_stuck(const std::string& job, const std::string& policy, bool admitted, bool maps) {
  if (!admitted)
    throw InternalError("policy '" + policy + "' neither admitted nor rejected job '" + job + "'");
  const std::string kind = maps ? "map" : "reduce";
  throw Infeasible(
      "job '" + job + "' can never be placed: it has " + kind + " tasks and may use no " + kind + " slot",
      "give it at least one " + kind + " slot");
}

}  // namespace sim

namespace {

constexpr Count most_slots = Count{1} << 31;

template <class Tick, class Word>
SimulationResult run_as(const TaskTable::Layout& layout, Allocator& policy,
                        const SimulationOptions& options) {
  const Features needed = policy.needs();
  if (needed.has(Feature::groups) || needed.has(Feature::caps) || needed.has(Feature::shares)) {
    return sim::Engine<Tick, Word, OrderTree>(layout, policy, options).run();
  }
  return sim::Engine<Tick, Word, RankList>(layout, policy, options).run();
}

void check_options(const Allocator& policy, const SimulationOptions& options) {
  require_features(policy.needs(), simulated_features(), policy.name(), "the simulator");
  for (const Count slots : {options.pool.map_slots, options.pool.reduce_slots}) {
    if (slots < 0 || slots > most_slots) {
      throw UsageError("a pool of " + std::to_string(slots) + " slots cannot be simulated",
                       "give 0 to 2147483648 slots");
    }
  }
  if (!(options.slowstart >= 0 && options.slowstart <= 1)) {
    throw UsageError("slow-start is a share of the maps", "give a number from 0 to 1");
  }
}

}  // namespace

Features simulated_features() {
  return Features::of(Feature::rank) | Features::of(Feature::rank_per_kind) | Features::of(Feature::groups) |
         Features::of(Feature::shares) | Features::of(Feature::caps) | Features::of(Feature::occupancy);
}

SimulationResult simulate(const TaskTable& tasks, Allocator& policy, const SimulationOptions& options) {
  check_options(policy, options);
  const TaskTable::Layout& layout = tasks.layout();
  const auto slots = static_cast<std::uint32_t>(std::max(options.pool.map_slots, options.pool.reduce_slots));
  const auto instant_bits = static_cast<unsigned>(std::bit_width(layout.horizon));
  const bool fits = instant_bits + sim::SlotQueue<std::uint64_t>::slot_bits(slots) <= 63;
  if (layout.narrow && fits) return run_as<std::uint32_t, std::uint64_t>(layout, policy, options);
  __extension__ using Wide = unsigned __int128;
  if (layout.narrow) return run_as<std::uint32_t, Wide>(layout, policy, options);
  return run_as<std::uint64_t, Wide>(layout, policy, options);
}

SimulationResult simulate(const Workload& workload, Allocator& policy, const SimulationOptions& options) {
  return simulate(TaskTable(workload), policy, options);
}

Reason behind(std::string_view predecessor) {
  return {"PredecessorRejected",
          "job '" + std::string(predecessor) + "', which it waits for, was rejected or failed"};
}

std::ostream& operator<<(std::ostream& out, const TaskRecord& record) {
  return out << name_of(record.kind) << ' ' << record.task << '.' << record.attempt << " of job "
             << record.job << " on slot " << record.slot << ", " << to_ms(record.start) << " to "
             << to_ms(record.end) << ", " << name_of(record.outcome);
}

void SimulationResult::sum_up() {
  Time latest{};
  total_completion = {};
  for (const JobOutcome& job : jobs) {
    if (job.rejected || job.unfinished) continue;
    latest = std::max(latest, job.finish);
    if (!job.failed) total_completion += job.finish - job.submit;
  }
  makespan = std::max(latest, stopped.value_or(latest)) - Time{};
}

double SimulationResult::memory_utilisation(Bytes memory) const {
  const double offered = static_cast<double>(memory.count >> 20) * static_cast<double>(to_ms(makespan));
  return offered > 0 ? memory_busy / offered : 0;
}

double SimulationResult::map_utilisation(SlotPool pool) const {
  const double offered = static_cast<double>(pool.map_slots) * static_cast<double>(to_ms(makespan));
  return offered > 0 ? static_cast<double>(to_ms(map_busy)) / offered : 0;
}

double SimulationResult::reduce_utilisation(SlotPool pool) const {
  const double offered = static_cast<double>(pool.reduce_slots) * static_cast<double>(to_ms(makespan));
  return offered > 0 ? static_cast<double>(to_ms(reduce_busy)) / offered : 0;
}

}  // namespace wavewright
