#include "wavewright/sched/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wavewright/core/error.h"
#include "wavewright/sched/policies/fifo.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {
namespace {

using testing::HasSubstr;

PolicyEntry entry_named(const std::string& name) {
  PolicyEntry entry = fifo_entry();
  entry.name = name;
  return entry;
}

template <class Run>
std::string complaint(Run run) {
  try {
    run();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "none";
}

std::string complaint_of(const std::string& text, bool containers = false) {
  return complaint([&] { (void)make_policy(text, {{}, containers}); });
}

TEST(PolicyRegistry, TakesANameOnce) {
  PolicyRegistry registry = standard_policies();
  EXPECT_EQ(complaint([&] { registry.add(entry_named("fair")); }),
            "there is a policy 'fair' already; give it another name");
  EXPECT_EQ(complaint([&] { registry.add(entry_named("delay")); }),
            "there is a policy 'delay' already; give it another name")
      << "a placer has it";
  EXPECT_EQ(registry.entries().size(), standard_policies().entries().size());
  registry.add(entry_named("mine"));
  EXPECT_EQ(make_policy("mine", {}, registry).name(), "fifo");
  EXPECT_EQ(standard_policies().entries().size() + 1, registry.entries().size());
}

TEST(PolicyRegistry, RefusesEntriesThatCannotBeUsed) {
  PolicyRegistry registry;
  for (const char* name : {"", "a b", "a(b)", "a+b", "a,b", "a=b", "1st", "-a", "naïve"})
    EXPECT_THAT(complaint([&] { registry.add(entry_named(name)); }), HasSubstr("is no name for a policy"));
  EXPECT_THAT(complaint([&] { registry.add({.name = "a", .description = "nothing"}); }),
              HasSubstr("policy 'a' has no factory"));
  PolicyEntry both = entry_named("a");
  both.placer = [](Parameters&, const PolicyContext&) { return nullptr; };
  EXPECT_THAT(complaint([&] { registry.add(both); }), HasSubstr("policy 'a' has two factories"));
  EXPECT_TRUE(registry.entries().empty());
}

TEST(PolicyRegistry, SuggestsTheNearestNameOfTheSort) {
  EXPECT_EQ(complaint_of("fifi"), "unknown policy 'fifi'; did you mean 'fifo'?");
  EXPECT_EQ(complaint_of("fifo+dely"), "unknown placer 'dely'; did you mean 'delay'?");
  EXPECT_EQ(complaint_of("dely"), "unknown policy 'dely'; one of: fifo plan fair capacity");
  EXPECT_EQ(complaint_of("delay(3s)"),
            "'delay' places tasks, it does not order jobs; write ALLOCATOR+PLACER, like fair+delay(3s)");
  EXPECT_EQ(complaint_of("fifo+fair"),
            "'fair' orders jobs, it does not place tasks; write ALLOCATOR+PLACER, like fair+delay(3s)");
  PolicyRegistry registry = standard_policies();
  registry.add(entry_named("mine"));
  EXPECT_EQ(complaint([&] { (void)make_policy("mime", {}, registry); }),
            "unknown policy 'mime'; did you mean 'mine'?");
}

TEST(PolicyRegistry, SaysHowEachPolicyIsWritten) {
  std::string usages;
  for (const PolicyEntry& entry : standard_policies().entries()) usages += entry.usage() + " ";
  EXPECT_EQ(
      usages,
      "fifo plan(FILE) fair(within=fair|fifo, pools=queues|users, preempt=TIME, preempt_share=TIME, "
      "kill_after=TIME, "
      "masters=PERCENT|any, reservable_nodes=SHARE) "
      "capacity(node_locality_delay=N|off, rack_locality_additional_delay=N, preempt=TIME, "
      "max_wait_before_kill=TIME, total_preemption_per_round=SHARE, max_ignored_over_capacity=SHARE, "
      "natural_termination_factor=SHARE) +delay(NODE, rack=TIME, skip=TIME) +one-non-local(local=node|rack) "
      "+matchmaking(reading=corrected|printed) +expected-wait(margin=20, non-local=FACTOR) ");
}

TEST(PolicyRegistry, GivesEachPolicyItsOwnParameters) {
  EXPECT_EQ(make_policy("fair(within=fifo, pools=users)+delay(3s, rack=5s)").name(), "fair+delay");
  EXPECT_EQ(make_policy("fifo + delay").name(), "fifo+delay");
  EXPECT_TRUE(make_policy("fair(preempt=60s)").needs().has(Feature::preemption));
  EXPECT_TRUE(make_policy("fair(preempt_share=60s)").needs().has(Feature::preemption));
  EXPECT_FALSE(make_policy("fair").needs().has(Feature::preemption));
  EXPECT_EQ(complaint_of("fifo(3)"), "policy 'fifo' takes no arguments; write fifo");
  EXPECT_EQ(
      complaint_of("capacity(a=3)"),
      "policy 'capacity' has no parameter 'a'; one of: node_locality_delay rack_locality_additional_delay "
      "preempt max_wait_before_kill total_preemption_per_round max_ignored_over_capacity "
      "natural_termination_factor");
  EXPECT_EQ(complaint_of("plan"), "policy 'plan' needs the file; write plan(FILE)");
  EXPECT_EQ(complaint_of("fair(witin=fifo)"),
            "policy 'fair' has no parameter 'witin'; did you mean 'within'?");
  EXPECT_EQ(complaint_of("fair(within=fofo)"), "policy 'fair': unknown within 'fofo'; did you mean 'fifo'?");
  EXPECT_EQ(complaint_of("fair(within=fifo, within=fair)"),
            "policy 'fair' is given within twice; write it once");
  EXPECT_THAT(complaint_of("fifo+delay(3s, node=4s)"), HasSubstr("is given node twice"));
  EXPECT_THAT(complaint_of("fifo+delay(soon)"), HasSubstr("'soon' is not a duration"));
  EXPECT_THAT(complaint_of("fair+delay+delay"), HasSubstr("'fair+delay+delay' is not a policy"));
}

TEST(PolicyRegistry, TakesThePartOfMastersInPercent) {
  for (const char* good : {"fair(masters=50)", "fair(masters=0.5)", "fair(masters=100)", "fair(masters=any)"})
    EXPECT_EQ(complaint_of(good, true), "none") << good;
  for (const char* bad : {"fair(masters=0)", "fair(masters=101)", "fair(masters=-5)", "fair(masters=half)",
                          "fair(masters=)", "fair(masters=nan)", "fair(masters=5%)"})
    EXPECT_THAT(complaint_of(bad, true), HasSubstr("policy 'fair': masters is")) << bad;
}

// A factory that is somebody else's may do anything.
TEST(PolicyRegistry, NamesThePolicyThatCannotBeMade) {
  const auto made_by = [](auto factory) {
    PolicyRegistry registry;
    registry.add({.name = "mine", .description = "", .parameters = {{"x", "X", ""}}, .allocator = factory});
    return complaint([&] { (void)make_policy("mine(x=1)", {}, registry); });
  };
  using Made = std::unique_ptr<Allocator>;
  EXPECT_EQ(made_by([](Parameters&, const PolicyContext&) -> Made { throw std::runtime_error("no luck"); }),
            "policy 'mine' cannot be made: no luck");
  EXPECT_THAT(made_by([](Parameters&, const PolicyContext&) -> Made { throw 5; }),
              HasSubstr("policy 'mine' cannot be made"));
  EXPECT_THAT(made_by([](Parameters&, const PolicyContext&) -> Made { throw UsageError("x is odd"); }),
              HasSubstr("x is odd"));
  EXPECT_THAT(made_by([](Parameters&, const PolicyContext&) -> Made { return nullptr; }),
              HasSubstr("returned nothing"));
  EXPECT_EQ(made_by([](Parameters&, const PolicyContext&) { return make_fifo(); }),
            "policy 'mine' has no use for x here; leave it away");
}

}  // namespace
}  // namespace wavewright
