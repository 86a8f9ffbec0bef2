#include "wavewright/sim/simulate_cluster.h"

#include <algorithm>

#include <fmt/format.h>

#include "wavewright/cluster/presence.h"
#include "wavewright/core/error.h"
#include "wavewright/sim/containers/engine.h"
#include "wavewright/sim/listed_tasks.h"
#include "wavewright/sim/model/node_model.h"
#include "wavewright/sim/nodes/engine.h"
#include "wavewright/sim/reference/engines.h"
#include "wavewright/sim/simulate.h"

namespace wavewright {

namespace {

constexpr Count most_slots = Count{1} << 31;
constexpr Count most_places = Count{1} << 24;  // if tasks share slots; needs some GiB

void check_slots(const sim::NodeModel& model) {
  for (const Kind kind : {Kind::master, Kind::map, Kind::reduce}) {
    Count slots = 0, places = 0;
    bool shared = false;
    for (NodeIndex node = 0; node < model.topology.size(); ++node) {
      const Count here = std::min(most_slots, model.slots(node, kind));
      const Count each = model.places_of_slot(node, kind);
      slots += here;
      places += here * each;
      shared = shared || each > 1;
      if (slots >= most_slots)
        throw UsageError("the cluster has more than 2147483648 slots of a kind", "describe fewer");
      if (shared && places >= most_places) {
        throw InputError({},
                         fmt::format("so many slots that up to {} tasks share have more than {} places for "
                                     "tasks",
                                     each, most_places),
                         "give the jobs' classes a smaller parallelism");
      }
    }
  }
}

// Bound, ms, of what application masters (with slots: setup and commit) add if all runs one after the other.
double masters(const Workload& workload, const sim::NodeModel& model) {
  const Masters& masters = model.cluster.masters;
  if (!model.containers)
    return static_cast<double>(workload.jobs.size()) *
           static_cast<double>(to_ms(masters.start + masters.finish));
  const auto own = static_cast<double>(to_ms(masters.start + masters.finish + masters.stop)) +
                   static_cast<double>(model.launch() + 2 * model.period() + model.launch_work(Kind::master));
  double sum = 0;
  for (const Job& job : workload.jobs) {
    sum += own + static_cast<double>(job.maps.size() + job.reduces.size() + 1) * 2 *
                     static_cast<double>(to_ms(masters.heartbeat));
  }
  constexpr double retried = 64;
  return retried * sum;
}

// Throws InputError unless instants fit 64 bits of milliseconds, even if all work runs one after the other on
// the slowest node, each task with a launch and a heartbeat. Does not count a policy that waits for years.
void check_end(const Workload& workload, const sim::NodeModel& model) {
  double slowest = 1;
  for (const sim::Factor factor : model.group_factor)
    slowest = std::max(slowest, static_cast<double>(factor) / static_cast<double>(sim::unit_factor));
  double last = 0, work = 0, tasks = 0, bytes = 0;
  for (const Job& job : workload.jobs) {
    last = std::max(last, static_cast<double>(to_ms(job.submit)));
    double own = slowest;
    for (const auto& [name, on] : job.classes) own = std::max(own, 1 / on.speed.value_or(1));
    for (const Duration map : job.maps) work += static_cast<double>(to_ms(map)) * own;
    for (std::size_t i = 0; i < job.reduces.size(); ++i) {
      const Duration shuffle =
          std::max({job.first_shuffle(i), job.later_shuffle(i), model.network.overhead()});
      work += static_cast<double>(to_ms(job.reduces[i])) * own + static_cast<double>(to_ms(shuffle));
    }
    tasks += static_cast<double>(job.maps.size() + job.reduces.size());
    bytes += model.network.volume(job);
  }
  // All transfers one after the other over the slowest link; rounding rates down leaves at least half of it.
  if (model.network.used())
    work +=
        2 * bytes /
        static_cast<double>(*std::min_element(model.network.links().begin(), model.network.links().end()));
  const double afar = static_cast<double>(model.locality_factor[2]) / static_cast<double>(sim::unit_factor);
  // Nothing but luck limits the number of failed or lost attempts; 64 times the work is taken as enough.
  const double again = model.retries || model.draws_fates ? 64 * static_cast<double>(model.straggler_factor) /
                                                                static_cast<double>(sim::unit_factor)
                                                          : 1;
  const double away = model.changes.empty() ? 0 : static_cast<double>(model.changes.back().at);
  const double end =
      away + last + again * work * afar +
      again * tasks *
          static_cast<double>(model.launch() + model.period() + model.launch_work(Kind::map) + 2) +
      masters(workload, model);
  constexpr double most = 1e18;
  if (end > most) {
    throw InputError({}, "the workload's total work does not fit 64 bits of milliseconds",
                     "check the durations");
  }
}

}  // namespace

Features container_features() {
  return (Feature::rank | Feature::groups) | Feature::shares | Feature::caps | Feature::reservations |
         Feature::preemption | Feature::timers | Feature::placement | Feature::occupancy |
         Feature::node_classes | Feature::leases;
}

Features cluster_features() {
  return container_features() | Feature::rank_per_kind;
}

bool needs_nodes(const Cluster& cluster) {
  const ClusterMode& mode = cluster.mode;
  bool beyond = mode.kind == ClusterMode::Kind::containers || mode.speculation ||
                mode.heartbeat != Duration{} || mode.launch != Duration{} ||
                cluster.reads.kind != Reads::Kind::anywhere || cluster.network.shuffle;
  beyond = beyond || cluster.masters.start != Duration{} || cluster.masters.finish != Duration{};
  const Faults& faults = cluster.faults;
  beyond = beyond || faults.task_failure > 0 || faults.straggler > 0 || !cluster.outages.empty();
  beyond = beyond || (cluster.launches.processors > 0 && cluster.launches.work > Duration{});
  for (const NodeGroup& group : cluster.nodes) {
    beyond = beyond || group.rent;
    beyond =
        beyond || group.speed != 1 || group.task_failure > 0 || stays_of(group) != std::vector<Stay>{Stay{}};
  }
  return beyond;
}

namespace {

void check_features(const Policy& policy, const Cluster& cluster) {
  const Features needed = policy.needs();
  const bool containers = cluster.mode.kind == ClusterMode::Kind::containers;
  require_features(needed, containers ? container_features() : cluster_features(), policy.name(),
                   containers ? "the simulator with containers" : "the simulator");
}

// Throws InputError unless an end and its slot number fit one word of the slot queue.
void check_spread(const sim::NodeModel& model) {
  Count slots = 0;
  for (const Kind kind : {Kind::master, Kind::map, Kind::reduce}) {
    Count of_kind = 0;
    for (NodeIndex node = 0; node < model.topology.size(); ++node)
      of_kind += model.slots(node, kind) * Count{model.places_of_slot(node, kind)};
    slots = std::max(slots, of_kind);
  }
  constexpr unsigned most_bits = 63;
  using Queue = sim::RollingSlotQueue;
  if (Queue::instant_bits(model.spread) + Queue::slot_bits(static_cast<std::uint32_t>(slots)) <= most_bits)
    return;
  throw InputError({},
                   fmt::format("a task may last {} days, too long for a cluster of {} slots",
                               model.spread / 86'400'000, slots),
                   "check the durations, and the slots of the nodes");
}

template <class Engine>
SimulationResult run(const Workload& workload, Policy& policy, const ClusterOptions& options,
                     const sim::NodeModel& model) {
  check_end(workload, model);
  check_spread(model);
  return Engine(workload, policy, model, options).run_all();
}

}  // namespace

SimulationResult simulate_cluster(const Workload& workload, Policy& policy, const ClusterOptions& options) {
  check_features(policy, options.cluster);
  const sim::NodeModel model(workload, options.cluster, options.seed,
                             policy.needs().has(Feature::preemption));
  check_slots(model);
  return model.containers ? run<sim::ContainerEngine>(workload, policy, options, model)
                          : run<sim::NodeEngine>(workload, policy, options, model);
}

SimulationResult simulate_cluster_reference(const Workload& workload, Policy& policy,
                                            const ClusterOptions& options) {
  check_features(policy, options.cluster);
  const sim::NodeModel model(workload, options.cluster, options.seed, true);
  SimulationResult result = model.containers ? sim::containers_reference(workload, policy, model)
                                             : sim::nodes_reference(workload, policy, model);
  if (!options.trace) result.trace.clear();
  return result;
}

namespace {

// True if the flat pool's engines give the same result.
bool is_flat(const Workload& workload, const Policy& policy, const Cluster& cluster) {
  const Features needed = policy.needs();
  const bool failing = std::any_of(workload.jobs.begin(), workload.jobs.end(),
                                   [](const Job& job) { return job.task_failure > 0; });
  // Some job has its own speed on a class, or its tasks share slots there.
  const bool classed = std::any_of(workload.jobs.begin(), workload.jobs.end(), [&](const Job& job) {
    return std::any_of(cluster.nodes.begin(), cluster.nodes.end(),
                       [&](const NodeGroup& group) { return job.classes.contains(group.node_class); });
  });
  const bool sharing =
      cluster.launches.processors > 0 && std::any_of(workload.jobs.begin(), workload.jobs.end(),
                                                     [](const Job& job) { return job.processor_bound; });
  return !failing && !classed && !sharing && !policy.placer && !needs_nodes(cluster) &&
         !needed.has(Feature::timers) && !needed.has(Feature::preemption) && !needed.has(Feature::leases) &&
         !needed.has(Feature::reservations) && !needed.has(Feature::node_classes);
}

// Forwards to a policy that the caller owns.
class Borrowed final : public Allocator {
 public:
  explicit Borrowed(Allocator& policy) : policy_(policy) {}
  [[nodiscard]] std::string name() const override { return policy_.name(); }
  [[nodiscard]] Features needs() const override { return policy_.needs(); }
  [[nodiscard]] EventSet subscribes() const override { return policy_.subscribes(); }
  void begin(const View& view, Decisions& decisions) override { policy_.begin(view, decisions); }
  void on(const Event& event, const View& view, Decisions& decisions) override {
    policy_.on(event, view, decisions);
  }

 private:
  Allocator& policy_;
};

SimulationOptions flat_options(const ClusterOptions& options) {
  return {options.cluster.total_slots(), options.cluster.mode.slowstart,
          options.trace || options.sink != nullptr, options.stop, options.jobs_over};
}

}  // namespace

SimulationResult simulate_reference(const Workload& workload, Allocator& policy,
                                    const SimulationOptions& options) {
  require_features(policy.needs(), simulated_features(), policy.name(), "the simulator");
  Cluster cluster = flat_cluster(options.pool);
  cluster.mode.slowstart = options.slowstart;
  Policy borrowed{std::make_unique<Borrowed>(policy), nullptr};
  Workload plain = workload;  // a flat pool has neither failures nor node classes
  for (Job& job : plain.jobs) {
    job.task_failure = 0;
    job.classes.clear();
    job.processor_bound = false;
  }
  SimulationResult result =
      simulate_cluster_reference(plain, borrowed, {.cluster = cluster, .trace = options.trace});
  result.nodes.clear();  // a flat pool has no nodes, and counts no starts
  result.starts = 0;
  return result;
}

SimulationResult simulate_on(const Workload& workload, Policy& policy, const ClusterOptions& options) {
  const auto run = [&](const Workload& arranged, TaskSink* sink) {
    ClusterOptions how = options;
    how.sink = sink;
    if (!is_flat(arranged, policy, options.cluster)) return simulate_cluster(arranged, policy, how);
    SimulationResult result = simulate(arranged, *policy.allocator, flat_options(how));
    if (sink == nullptr) return result;
    sink->begin(result.nodes);
    for (const TaskRecord& record : result.trace) sink->add(record);
    if (!options.trace) result.trace.clear();
    return result;
  };
  return simulate_in_task_order(workload, policy.allocator->task_order(), options.sink, run);
}

SimulationResult simulate_on_reference(const Workload& workload, Policy& policy,
                                       const ClusterOptions& options) {
  const auto run = [&](const Workload& arranged, TaskSink*) {
    if (!is_flat(arranged, policy, options.cluster))
      return simulate_cluster_reference(arranged, policy, options);
    return simulate_reference(arranged, *policy.allocator, flat_options(options));
  };
  return simulate_in_task_order(workload, policy.allocator->task_order(), nullptr, run);
}

}  // namespace wavewright
