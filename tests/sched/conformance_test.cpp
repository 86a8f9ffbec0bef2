#include "tests/sched/conformance.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "examples/own-policy/own_policy.cpp"
#include "tests/temporary_folder.h"
#include "wavewright/core/error.h"
#include "wavewright/sched/plan_file.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {
namespace {

// Queues are described, so that those of equal claim keep their order whichever job comes first.
const std::vector<Queue> queues = {
    {.name = "a",
     .weight = 2,
     .minimum = {2, 1},
     .capacity = 60,
     .maximum = 80,
     .minimum_user_limit = 30,
     .user_limit_factor = 2,
     .maximum_masters = 40},
    {.name = "a.x", .weight = 1, .capacity = 50, .minimum_user_limit = 50, .maximum_masters = 60},
    {.name = "a.y", .weight = 3, .capacity = 50, .user_limit_factor = 3},
    {.name = "b", .weight = 1, .capacity = 40, .user_limit_factor = 9, .maximum_masters = 30},
    {.name = "ann", .weight = 1},
    {.name = "bob", .weight = 2, .minimum = {1, 0}},
};

// Nine jobs of two users in three queues, on two nodes.
FakeSetup setup(Count container) {
  FakeSetup setup;
  setup.nodes = {{.map_slots = 5, .reduce_slots = 2}, {.map_slots = 3, .reduce_slots = 2}};
  if (container > 0) setup.nodes = {{.map_slots = 9}, {.map_slots = 6}};  // masters do not fill it
  setup.container = container;
  for (int i = 0; i < 9; ++i) {
    const char* const names[] = {"a.x", "b", "a.y"};
    setup.jobs.push_back({.id = fmt::format("J{}", i),
                          .maps = (i * 5) % 7 + (i == 4 ? 0 : 1),
                          .reduces = i % 3,
                          .queue = names[i % 3],
                          .user = i % 2 == 0 ? "ann" : "bob",
                          .map = ms(500 * (i + 1)),
                          .reduce = ms(3000),
                          .blocks = {{static_cast<NodeIndex>(i % 2)}, {0}, {1}}});
  }
  return setup;
}

// A plan of the jobs with two pools, caps and, where it shall, jobs that take turns. A pool counts slots, or
// MiB.
std::string plan_file(bool turns, Count unit = 1) {
  Plan plan;
  plan.pools = {{{5 * unit, 3 * unit}, {}}, {{3 * unit, 1 * unit}, {}}};
  for (const FakeJob& job : setup(0).jobs) {
    plan.order.insert(plan.order.begin(), job.id);
    plan.pools[plan.order.size() % 2].jobs.push_back(job.id);
    if (!turns) continue;
    plan.map_turns.push_back({job.id, (job.maps + 1) / 2});
    if (job.reduces > 0) plan.reduce_turns.insert(plan.reduce_turns.begin(), {job.id, job.reduces});
  }
  if (turns) {
    for (const FakeJob& job : setup(0).jobs) {
      if (job.maps > 1) plan.map_turns.push_back({job.id, job.maps / 2});
    }
  }
  plan.caps = {{"J1", 2, 1}, {"J2", std::nullopt, 1}};
  static const TemporaryFolder folder;
  const auto file = folder.path() / fmt::format("{}-{}.plan.json", turns, unit);
  std::ofstream(file) << plan_to_json(plan).dump();
  return file.string();
}

struct Case {
  std::string policy;
  bool containers = false;
};

// How each name of the registry is tried.
std::map<std::string, std::vector<Case>> cases() {
  return {
      {"fifo", {{"fifo"}, {"fifo", true}}},
      {"plan",
       {{"plan(" + plan_file(false) + ")"},
        {"plan(" + plan_file(true) + ")"},
        {"plan(" + plan_file(false, 3 * 1024) + ")", true}}},
      {"fair",
       {{"fair"},
        {"fair(within=fifo)"},
        {"fair(pools=users)"},
        {"fair(preempt=2s, preempt_share=5s)"},
        {"fair", true},
        {"fair(masters=30, within=fifo)", true},
        {"fair(masters=any, pools=users)", true}}},
      {"capacity", {{"capacity"}, {"capacity", true}}},
      {"delay",
       {{"fifo+delay(3s)"},
        {"fair(preempt=2s)+delay(node=2s, rack=1s)"},
        {"fair+delay(2s, skip=1s)"},
        {"capacity+delay", true}}},
      {"one-non-local",
       {{"fifo+one-non-local"}, {"fair+one-non-local(local=rack)"}, {"capacity+one-non-local", true}}},
      {"expected-wait",
       {{"fifo+expected-wait"}, {"fair(preempt=2s)+expected-wait(margin=1)"}, {"capacity+expected-wait"}}},
      {"matchmaking",
       {{"fifo+matchmaking"},
        {"fair(preempt=2s)+matchmaking"},
        {"capacity+matchmaking(reading=printed)"},
        {"capacity+matchmaking", true}}},
  };
}

class EveryPolicy : public testing::TestWithParam<std::string> {
 protected:
  static void each(const std::function<void(const MakePolicy&, const FakeSetup&)>& check) {
    const auto all = cases();
    const auto found = all.find(GetParam());
    ASSERT_TRUE(found != all.end()) << "say in cases() how the new policy is tried";
    for (const Case& of : found->second) {
      SCOPED_TRACE(of.policy + (of.containers ? " on containers" : " on slots"));
      check([&] { return make_policy(of.policy, {queues, of.containers}); }, setup(of.containers ? 1024 : 0));
    }
  }
};

TEST_P(EveryPolicy, DecidesOnEveryJobOnce) {
  each(decides_on_every_job_once);
}
TEST_P(EveryPolicy, DecidesAlikeWhereTheSameHappens) {
  each(same_events_same_decisions);
}
TEST_P(EveryPolicy, GoesOnAfterARestart) {
  each(goes_on_after_a_restart);
}

std::vector<std::string> registered() {
  std::vector<std::string> names;
  for (const PolicyEntry& entry : standard_policies().entries()) names.push_back(entry.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Registry, EveryPolicy, testing::ValuesIn(registered()), [](const auto& of) {
  std::string name = of.param;  // which may have no hyphens
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(Conformance, HoldsForThePolicyOfTheExample) {
  PolicyRegistry registry;
  wavewright_register(registry);
  const MakePolicy make = [&] { return make_policy("least-work-left(aging=2)", {}, registry); };
  conforms(make, setup(0));
  conforms(make, setup(1024));
}

// ---- timers

// Sets one timer again and again; no other token comes back.
template <class Part>
class Ticking : public Part {
 public:
  Ticking(Token token, Duration period) : token_(token), period_(period) {}
  [[nodiscard]] std::string name() const override { return "ticking"; }
  [[nodiscard]] EventSet subscribes() const override { return Event::What::arrived | Event::What::timer; }
  void on(const Event& event, const View& view, Decisions& decisions) override {
    if (event.what == Event::What::timer) {
      EXPECT_EQ(event.token, token_);
    }
    decide(event, decisions);
    decisions.set_timer(view.now() + period_, token_);
  }

 protected:
  virtual void decide(const Event&, Decisions&) {}

 private:
  Token token_;
  Duration period_;
};

class TickingAllocator final : public Ticking<Allocator> {
 public:
  using Ticking::Ticking;
  [[nodiscard]] Features needs() const override { return Features::of(Feature::timers); }
  void begin(const View&, Decisions&) override {}

 protected:
  void decide(const Event& event, Decisions& decisions) override {
    if (event.what == Event::What::arrived) decisions.admit(event.job, root_group);
  }
};

class TickingPlacer final : public Ticking<Placer> {
 public:
  using Ticking::Ticking;
  [[nodiscard]] Features needs() const override { return Feature::timers | Feature::placement; }
  [[nodiscard]] std::optional<TaskChoice> place(const Offer&, Candidates&, const View&, Decisions&) override {
    return std::nullopt;
  }
};

TEST(TimersOfAPolicy, GoToThePartThatSetThem) {
  // One a second and one every four; each arrival moves what is set, it adds none.
  const FakeSetup jobs = setup(0);
  for (const Token placers : {Token{1}, Token{2}}) {
    FakeCluster cluster(jobs, {std::make_unique<TickingAllocator>(1, ms(1000)),
                               std::make_unique<TickingPlacer>(placers, ms(4000))});
    for (const FakeJob& job : jobs.jobs) cluster.arrive(job.id);
    cluster.advance(ms(100'000));
    EXPECT_EQ(cluster.told(Part::allocator, Event::What::timer), 100U);
    EXPECT_EQ(cluster.told(Part::placer, Event::What::timer), 25U);
  }
}

TEST(TimersOfAPolicy, StayLinearInTimeWhereBothPartsSetThem) {
  // Every five seconds the allocator looks whether a queue starves. Delay sets a timer for each job that
  // waits, and hears it when the wait is over.
  const FakeSetup jobs = setup(0);
  FakeCluster cluster(jobs, make_policy("fair(preempt=60s)+delay(3s)", {queues, false}));
  for (const FakeJob& job : jobs.jobs) cluster.arrive(job.id);
  for (int second = 0; second < 1000; ++second) {
    (void)cluster.give(Kind::map, static_cast<NodeIndex>(second % 2));
    cluster.advance(ms(1000));
  }
  EXPECT_EQ(cluster.told(Part::allocator, Event::What::timer), 200U);
  EXPECT_LE(cluster.told(Part::placer, Event::What::timer), jobs.jobs.size());
  EXPECT_LE(cluster.count("timer "), 201U + jobs.jobs.size());
}

// ---- policies that break their promises are found out

class Careless final : public Allocator {
 public:
  explicit Careless(std::function<void(const Event&, Decisions&)> decide) : decide_(std::move(decide)) {}
  [[nodiscard]] std::string name() const override { return "careless"; }
  [[nodiscard]] Features needs() const override { return {}; }
  [[nodiscard]] EventSet subscribes() const override { return EventSet::of(Event::What::arrived); }
  void begin(const View&, Decisions&) override {}
  void on(const Event& event, const View&, Decisions& decisions) override { decide_(event, decisions); }

 private:
  std::function<void(const Event&, Decisions&)> decide_;
};

TEST(Conformance, StopsWhatWasNotAnnounced) {
  const auto complaint = [](std::function<void(const Event&, Decisions&)> decide) -> std::string {
    FakeCluster cluster(setup(0), {std::make_unique<Careless>(std::move(decide)), nullptr});
    try {
      cluster.arrive("J0");
    } catch (const InternalError& defect) {
      return defect.what();
    }
    return "";
  };
  using testing::HasSubstr;
  EXPECT_EQ(complaint([](const Event& e, Decisions& d) { d.admit(e.job, root_group); }), "");
  EXPECT_THAT(complaint([](const Event& e, Decisions& d) { d.rank(e.job, Kind::map, 1); }),
              HasSubstr("rank"));
  EXPECT_THAT(complaint([](const Event& e, Decisions& d) { d.cap(e.job, Kind::map, any_class, 1); }),
              HasSubstr("caps"));
  EXPECT_THAT(complaint([](const Event& e, Decisions& d) { d.set_timer(e.at + ms(1), 0); }),
              HasSubstr("timers"));
  EXPECT_THAT(complaint([](const Event&, Decisions& d) { (void)d.rent({}); }), HasSubstr("leases"));
  EXPECT_THAT(complaint([](const Event&, Decisions& d) { d.admit(3, root_group); }),
              HasSubstr("has not arrived"));
  EXPECT_THAT(complaint([](const Event& e, Decisions& d) {
                d.admit(e.job, root_group);
                d.reject(e.job, {});
              }),
              HasSubstr("twice"));
}

}  // namespace
}  // namespace wavewright
