// The fast engine against the obvious one, job by job and task by task, on thousands of random worlds.
#include <numeric>

#include "tests/property.h"
#include "tests/sim/worlds.h"
#include "wavewright/sched/fifo.h"
#include "wavewright/sched/plan_policy.h"
#include "wavewright/sched/ranked_order.h"

namespace wavewright {
namespace {

using worlds::some_options;
using worlds::some_workload;

void expect_equal(const Workload& workload, Allocator& policy, Allocator& same_policy,
                  const SimulationOptions& options) {
  const SimulationResult fast = simulate(workload, policy, options);
  const SimulationResult reference = simulate_reference(workload, same_policy, options);
  RC_ASSERT(fast.jobs == reference.jobs);
  RC_ASSERT(fast.trace == reference.trace);
  RC_ASSERT(fast.makespan == reference.makespan);
  RC_ASSERT(fast.total_completion == reference.total_completion);
  RC_ASSERT(fast.events == reference.events);
  RC_ASSERT(fast.map_busy == reference.map_busy);
  RC_ASSERT(fast.reduce_busy == reference.reduce_busy);
}

template <class Property>
void check_many(Property property) {
  holds_always(property, 10'000);
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
    expect_equal(workload, *a, *b, some_options());
  });
}

TEST(EnginesAgree, WithoutZeroLengthTasks) {  // where the fast engine refills a slot at once
  check_many([] {
    const Workload workload = some_workload({.zero_lengths = false, .shuffles = true});
    const auto a = make_fifo(), b = make_fifo();
    expect_equal(workload, *a, *b, some_options());
  });
}

TEST(EnginesAgree, UnderAnyOrder) {
  check_many([] {
    const Workload workload = some_workload({.zero_lengths = *rc::gen::arbitrary<bool>(), .shuffles = true});
    std::vector<JobIndex> order(workload.jobs.size());
    std::iota(order.begin(), order.end(), 0U);
    for (std::size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[*rc::gen::inRange<std::size_t>(0, i)]);
    const auto a = make_ranked_order(order), b = make_ranked_order(order);
    expect_equal(workload, *a, *b, some_options());
  });
}

TEST(EnginesAgree, UnderPlansWithPoolsAndTwoOrders) {
  check_many([] {
    const Workload workload = some_workload();
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
    expect_equal(workload, *a, *b, options);
  });
}

// A policy that listens to everything and changes its mind: nested groups, caps, ranks at every end.
class Restless final : public Allocator {
 public:
  [[nodiscard]] std::string name() const override { return "restless"; }
  [[nodiscard]] Features needs() const override {
    return Features::of(Feature::rank_per_kind) | Features::of(Feature::groups) | Features::of(Feature::caps);
  }
  [[nodiscard]] EventSet subscribes() const override {
    return EventSet::of(Event::What::arrived) | EventSet::of(Event::What::ready) |
           EventSet::of(Event::What::started) | EventSet::of(Event::What::ended);
  }
  void begin(const View&, Decisions& decisions) override {
    decisions.group(1, root_group, {}, {3, 2});
    decisions.group(2, 1, {}, {1, unlimited});
    decisions.group(3, 1, {}, {unlimited, 1});
  }
  void on(const Event& event, const View& view, Decisions& decisions) override {
    const auto state = static_cast<Key>(view.held(event.job, Kind::map, 0) * 7 + view.used(1).map_slots * 3 +
                                        view.pending(event.job, Kind::reduce));
    switch (event.what) {
      case Event::What::arrived:
        decisions.cap(event.job, Kind::map, 0, 1 + event.job % 3);
        decisions.admit(event.job, event.job % 4);
        break;
      case Event::What::started:
        decisions.rank(event.job, event.kind, state % 5);
        break;
      case Event::What::ended:
        decisions.rank_group(2 + event.job % 2, Kind::map, state % 3);
        decisions.cap(event.job, Kind::reduce, 0, 1 + state % 4);
        break;
      default:
        decisions.rank(event.job, Kind::reduce, -state);
        break;
    }
  }
};

TEST(EnginesAgree, UnderARestlessPolicyWithNestedGroupsAndCaps) {
  check_many([] {
    Restless a, b;
    expect_equal(some_workload(), a, b, some_options());
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
    expect_equal(workload, *a, *b,
                 {{std::min<Count>(options.pool.map_slots, 80), 3}, options.slowstart, true});
  });
}

}  // namespace
}  // namespace wavewright
