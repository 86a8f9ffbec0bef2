#include "wavewright/sched/policy_spec.h"

#include "wavewright/core/error.h"
#include "wavewright/sched/placers/delay.h"
#include "wavewright/sched/placers/expected_wait.h"
#include "wavewright/sched/placers/matchmaking.h"
#include "wavewright/sched/placers/one_non_local.h"
#include "wavewright/sched/policies/capacity.h"
#include "wavewright/sched/policies/fair.h"
#include "wavewright/sched/policies/fifo.h"
#include "wavewright/sched/policies/plan_policy.h"
#include "wavewright/sched/promises_deadlines.h"

namespace wavewright {

namespace {

// A factory may come from a shared object. Its exceptions are reported with the policy's name.
template <class Factory>
auto made_by(const Factory& factory, const std::string& owner, Parameters& parameters,
             const PolicyContext& context) {
  decltype(factory(parameters, context)) made;
  try {
    made = factory(parameters, context);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw UsageError(owner + " cannot be made: " + error.what());
  } catch (...) {
    throw UsageError(owner + " cannot be made: its factory threw what is no std::exception");
  }
  return made;
}

[[noreturn]] void refuse_nothing(const std::string& owner) {
  throw UsageError(owner + " cannot be made: its factory returned nothing");
}

// Throws if the allocator promises deadlines, and tasks of the cluster share processors or the network, also
// for reads: then no estimate is an upper bound.
void check_promises(const Allocator& allocator, const Cluster& cluster) {
  const auto* const promising = dynamic_cast<const PromisesDeadlines*>(&allocator);
  if (promising == nullptr || !promising->promises_deadlines()) return;
  const std::string fault = "policy '" + allocator.name() + "': nothing can be promised, as ";
  if (cluster.launches.processors > 0)
    throw UsageError(
        fault + "launches and tasks of this cluster share processors",
        "leave out processors in [launches], and give the longest launch as launch_ms in [mode]");
  if (cluster.reads.kind == Reads::Kind::network)
    throw UsageError(fault + "maps of this cluster read their blocks over the network, which they share",
                     "give kind = \"slowdown\" in [reads], and the factors rack and off_rack");
  if (cluster.network.shuffle)
    throw UsageError(fault + "shuffles of this cluster share the network",
                     "leave out shuffle in [network], and give the jobs' shuffle_ms");
}

}  // namespace

const PolicyRegistry& standard_policies() {
  static const PolicyRegistry registry({fifo_entry(), plan_entry(), fair_entry(), capacity_entry(),
                                        delay_entry(), one_non_local_entry(), matchmaking_entry(),
                                        expected_wait_entry()});
  return registry;
}

Policy make_policy(std::string_view text, const PolicyContext& context, const PolicyRegistry& registry) {
  const std::vector<std::string> parts = split_outside(text, '+');
  if (parts.size() > 2) {
    throw UsageError("'" + shortened(text) + "' is not a policy",
                     "write ALLOCATOR or ALLOCATOR+PLACER, like fair+delay(3s)");
  }
  const Spec first = parse_spec(parts.front());
  const PolicyEntry& allocator = registry.allocator(first.name);
  const std::string owner = "policy '" + first.name + "'";
  Parameters parameters(first, owner, allocator.parameters);
  PolicyContext facts = context;
  facts.placer = parts.size() == 2;
  Policy policy;
  if (allocator.both) {
    policy = made_by(allocator.both, owner, parameters, facts);
  } else {
    policy.allocator = made_by(allocator.allocator, owner, parameters, facts);
  }
  if (!policy.allocator) refuse_nothing(owner);
  if (allocator.own_placer) policy.placer = made_by(allocator.own_placer, owner, parameters, facts);
  parameters.finish();
  if (parts.size() == 2) {
    const Spec second = parse_spec(parts.back());
    const PolicyEntry& placer = registry.placer(second.name);
    const std::string placer_owner = "policy '" + second.name + "'";
    Parameters placer_parameters(second, placer_owner, placer.parameters);
    facts.allocator = first.name;
    policy.placer = made_by(placer.placer, placer_owner, placer_parameters, facts);
    if (!policy.placer) refuse_nothing(placer_owner);
    placer_parameters.finish();
  }
  return policy;
}

Policy make_policy_on(std::string_view text, const Cluster& cluster, const PolicyRegistry& registry) {
  const bool places = cluster.reads.kind != Reads::Kind::anywhere;
  Policy policy =
      make_policy(text,
                  {.queues = cluster.queues,
                   .containers = cluster.mode.kind == ClusterMode::Kind::containers,
                   .places = places,
                   .heartbeats = cluster.mode.heartbeat > Duration{},
                   .delays = assignment_delays(cluster),
                   .room = container_room(cluster),
                   .off_rack = cluster.reads.kind == Reads::Kind::network ? PolicyContext{}.off_rack
                                                                          : cluster.reads.off_rack},
                  registry);
  check_promises(*policy.allocator, cluster);
  if (policy.placer && cluster.reads.kind == Reads::Kind::anywhere) {
    throw UsageError(
        "placer '" + policy.placer->name() + "' needs blocks with places, which this cluster has not",
        "describe them in its file (--cluster): [reads] kind = \"slowdown\" or \"network\"");
  }
  return policy;
}

}  // namespace wavewright
