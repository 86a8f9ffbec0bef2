// Every deadline policy keeps the promises of the contract (wavewright/sched/policy.h).
#include "tests/sched/conformance.h"

#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "wavewright/cloud/deadline/policies.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {
namespace {

// Nine jobs with deadlines (one has none) on two nodes, and twenty machines of two slots and one to rent.
FakeSetup setup(Count container) {
  FakeSetup setup;
  setup.nodes = {{.map_slots = 5, .reduce_slots = 2}, {.map_slots = 3, .reduce_slots = 2}};
  if (container > 0) setup.nodes = {{.map_slots = 9}, {.map_slots = 6}};
  setup.container = container;
  FakeClass rented{.machine = {.map_slots = 2, .reduce_slots = 1}};
  rented.offer.machines = 20;
  rented.offer.boot = ms(5000);
  rented.offer.on_demand_per_hour = from_usd(1);
  rented.offer.spot = from_usd(0.4);
  if (container == 0) setup.classes = {rented};
  setup.jobs = jobs_with_deadlines();
  return setup;
}

struct Case {
  std::string policy;
  bool containers = false;
  bool restarts = true;
};

std::map<std::string, std::vector<Case>> cases() {
  const std::string rented = "machines=on-demand, idle=2s";
  return {
      {"edf",
       {{"edf"},
        {"edf", true},
        {"edf(admission=deadline, slots=90%)"},
        {"edf(" + rented + ")", false, false},
        {"edf(machines=hybrid, idle=0, most=3)", false, false}}},
      {"least-slack",
       {{"least-slack"}, {"least-slack", true}, {"least-slack(" + rented + ")", false, false}}},
      {"epedf",
       {{"epedf(10s)"}, {"epedf(epoch=7s, slots=up)", true}, {"epedf(" + rented + ")", false, false}}},
      {"evedf",
       {{"evedf", false, false},
        {"evedf(utilisation=30%, load=0)", true, false},
        {"evedf(utilisation=0, load=0, " + rented + ")", false, false}}},
      {"ndasa", {{"ndasa"}, {"ndasa", true}, {"ndasa(" + rented + ")", false, false}}},
      {"autoscaler",
       {{"autoscaler"},
        {"autoscaler", true},
        {"autoscaler(period=2s, cooldown=3s, " + rented + ")", false, false}}},
      {"fixed-size",
       {{"fixed-size"}, {"fixed-size(3)", true}, {"fixed-size(4, " + rented + ")", false, false}}},
      {"deadline-cost",
       {{"deadline-cost"},
        {"deadline-cost", true},
        {"deadline-cost(late=50, spare=0, " + rented + ")", false, false},
        {"deadline-cost(late=0.2, spare=2, machines=hybrid)", false, false}}},
      {"mdasa", {{"mdasa"}, {"mdasa(ahead=0.5)", true}, {"mdasa(ahead=0.5, " + rented + ")", false, false}}},
  };
}

PolicyRegistry registry() {
  return PolicyRegistry(deadline_policies());
}

class EveryDeadlinePolicy : public testing::TestWithParam<std::string> {
 protected:
  static void each(const std::function<void(const Case&, const MakePolicy&, const FakeSetup&)>& check) {
    const auto all = cases();
    const auto found = all.find(GetParam());
    ASSERT_TRUE(found != all.end()) << "say in cases() how the new policy is tried";
    for (const Case& of : found->second) {
      SCOPED_TRACE(of.policy + (of.containers ? " on containers" : " on slots"));
      const PolicyRegistry policies = registry();
      const auto make = [&] { return make_policy(of.policy, {{}, of.containers}, policies); };
      check(of, make, setup(of.containers ? 1024 : 0));
    }
  }
};

TEST_P(EveryDeadlinePolicy, DecidesOnEveryJobOnce) {
  each([](const Case&, const MakePolicy& make, const FakeSetup& setup) {
    decides_on_every_job_once(make, setup);
  });
}
TEST_P(EveryDeadlinePolicy, DecidesAlikeWhereTheSameHappens) {
  each([](const Case&, const MakePolicy& make, const FakeSetup& setup) {
    same_events_same_decisions(make, setup);
  });
}
// Leases are not told after a restart, so this is for policies that rent nothing; evedf waits anew.
TEST_P(EveryDeadlinePolicy, GoesOnAfterARestart) {
  each([](const Case& of, const MakePolicy& make, const FakeSetup& setup) {
    if (of.restarts) goes_on_after_a_restart(make, setup);
  });
}

std::vector<std::string> registered() {
  std::vector<std::string> names;
  for (const PolicyEntry& entry : deadline_policies()) names.push_back(entry.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Registry, EveryDeadlinePolicy, testing::ValuesIn(registered()), [](const auto& of) {
  std::string name = of.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace wavewright
