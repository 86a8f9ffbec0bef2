// The fast engine against the reference, job by job and task by task, on thousands of random worlds.
#include <numeric>

#include "tests/property.h"
#include "tests/sim/cluster_worlds.h"
#include "tests/sim/lively.h"
#include "tests/sim/restless.h"
#include "tests/sim/same_result.h"
#include "wavewright/sched/policies/fifo.h"
#include "wavewright/sched/policies/plan_policy.h"
#include "wavewright/sched/policies/ranked_order.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {
namespace {

using worlds::some_options;
using worlds::some_workload;

void agree(const Workload& workload, Allocator& policy, Allocator& same_policy,
           const SimulationOptions& options) {
  expect_equal(simulate(workload, policy, options), simulate_reference(workload, same_policy, options));
}

template <class Property>
void check_many(Property property) {
  holds_always(property, 10'000, 1'000);
}

std::vector<std::string> some_ids(const Workload& workload) {
  std::vector<std::string> ids;
  for (const Job& job : workload.jobs) ids.push_back(job.id);
  for (std::size_t i = ids.size(); i > 1; --i)
    std::swap(ids[i - 1], ids[*rc::gen::inRange<std::size_t>(0, i)]);
  return ids;
}

TEST(EnginesAgree, UnderFifo) {
  check_many([] {
    const Workload workload = some_workload();
    const auto a = make_fifo(), b = make_fifo();
    agree(workload, *a, *b, some_options());
  });
}

TEST(EnginesAgree, WithoutZeroLengthTasks) {  // where the fast engine refills a slot at once
  check_many([] {
    const Workload workload = some_workload({.zero_lengths = false, .shuffles = true});
    const auto a = make_fifo(), b = make_fifo();
    agree(workload, *a, *b, some_options());
  });
}

TEST(EnginesAgree, OnWorkflows) {
  check_many([] {
    const Workload workload =
        worlds::some_workflow({.zero_lengths = *rc::gen::arbitrary<bool>(), .shuffles = true});
    const auto a = make_fifo(), b = make_fifo();
    agree(workload, *a, *b, some_options());
  });
}

// Rejects some of the jobs.
class Choosy final : public Allocator {
 public:
  [[nodiscard]] std::string name() const override { return "choosy"; }
  [[nodiscard]] Features needs() const override { return Features::of(Feature::rank); }
  [[nodiscard]] EventSet subscribes() const override { return EventSet::of(Event::What::arrived); }
  void begin(const View&, Decisions&) override {}
  void on(const Event& event, const View&, Decisions& decisions) override {
    if (event.job % 4 == 2) {
      decisions.reject(event.job, {"No", "every fourth job is refused"});
    } else {
      decisions.admit(event.job, root_group);
    }
  }
};

TEST(EnginesAgree, OnWorkflowsOfWhichSomeJobsAreRejected) {
  check_many([] {
    const Workload workload = worlds::some_workflow();
    Choosy a, b;
    agree(workload, a, b, some_options());
  });
}

TEST(EnginesAgree, OnAllThatAPolicyIsToldAndSees) {
  check_many([] {
    Lively a(Lively::On::pool), b(Lively::On::pool);
    const Workload workload = *rc::gen::arbitrary<bool>() ? some_workload() : worlds::some_workflow();
    agree(workload, a, b, some_options());
  });
}

TEST(EnginesAgree, UnderAnyOrder) {
  check_many([] {
    Workload workload = some_workload({.zero_lengths = *rc::gen::arbitrary<bool>(), .shuffles = true});
    if (*rc::gen::arbitrary<bool>()) worlds::depend(workload);
    std::vector<JobIndex> order(workload.jobs.size());
    std::iota(order.begin(), order.end(), 0U);
    for (std::size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[*rc::gen::inRange<std::size_t>(0, i)]);
    const auto a = make_ranked_order(order), b = make_ranked_order(order);
    agree(workload, *a, *b, some_options());
  });
}

TEST(EnginesAgree, UnderPlansWithPoolsAndTwoOrders) {
  check_many([] {
    const Workload workload = *rc::gen::arbitrary<bool>() ? some_workload() : worlds::some_workflow();
    SimulationOptions options = some_options();
    options.pool = {*rc::gen::inRange(2, 6), *rc::gen::inRange(2, 6)};
    Plan plan;
    plan.order = some_ids(workload);
    if (*rc::gen::arbitrary<bool>()) plan.map_order = some_ids(workload);
    if (*rc::gen::arbitrary<bool>()) plan.reduce_order = some_ids(workload);
    // Limits that together exceed the pool are allowed to groups, and make the slots contested.
    plan.pools = {{{1, *rc::gen::inRange(1, 3)}, {}}, {{*rc::gen::inRange(1, 5), 1}, {}}};
    for (const std::string& id : plan.order)
      plan.pools[*rc::gen::inRange<std::size_t>(0, 2)].jobs.push_back(id);
    const auto a = make_plan_policy(plan), b = make_plan_policy(plan);
    agree(workload, *a, *b, options);
  });
}

TEST(EnginesAgree, UnderARestlessPolicyWithNestedGroupsAndCaps) {
  check_many([] {
    Restless a, b;
    agree(*rc::gen::arbitrary<bool>() ? some_workload() : worlds::some_workflow(), a, b, some_options());
  });
}

TEST(EnginesAgree, UnderFairAndCapacity) {
  check_many([] {
    const Workload workload = worlds::some_dependent_workload();
    const PolicyContext context{worlds::some_queues()};
    const std::string spec = *rc::gen::element<std::string>("fair", "fair(within=fifo)", "capacity");
    const Policy a = make_policy(spec, context), b = make_policy(spec, context);
    agree(workload, *a.allocator, *b.allocator, some_options());
  });
}

TEST(EnginesAgree, WhereDurationsOrInstantsNeedMoreThan32Or64Bits) {
  check_many([] {
    Workload workload = some_workload();
    const std::int64_t factor = *rc::gen::element(std::int64_t{1} << 31, std::int64_t{1} << 37);
    for (Job& job : workload.jobs) {
      for (auto* durations : {&job.maps, &job.reduces, &job.first_shuffles, &job.shuffles}) {
        for (Duration& duration : *durations) duration *= factor;
      }
    }
    const auto a = make_fifo(), b = make_fifo();
    SimulationOptions options = some_options();
    options.pool.map_slots = *rc::gen::element(1, 3, 70'000);
    agree(workload, *a, *b, {{std::min<Count>(options.pool.map_slots, 80), 3}, options.slowstart, true});
  });
}

}  // namespace
}  // namespace wavewright
