// Caps of single node classes that change all the time: the fast engine leaves out jobs that are at their
// caps, the reference engine looks at all of them each time.
#include <memory>
#include <string>

#include "tests/property.h"
#include "tests/sim/cluster_worlds.h"
#include "tests/sim/same_result.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {
namespace {

// Caps the jobs by class at random, from what it was told. A job's caps are lifted for good some time after
// it arrived, so that none is stuck.
class FickleCaps final : public Allocator {
 public:
  explicit FickleCaps(std::uint64_t seed) : digest_(seed * 2 + 1) {}

  [[nodiscard]] std::string name() const override { return "fickle-caps"; }
  [[nodiscard]] Features needs() const override {
    return (Feature::groups | Feature::shares) | Feature::rank | Feature::caps | Feature::node_classes |
           Feature::timers;
  }
  [[nodiscard]] EventSet subscribes() const override {
    using enum Event::What;
    return arrived | started | ended | lost | timer;
  }
  // Group 1 is a fair one, 2 is limited, 3 is in it and compared job by job.
  void begin(const View&, Decisions& decisions) override {
    decisions.group(1, root_group, {}, {});
    decisions.group(2, root_group, {}, {.map_slots = 3, .reduce_slots = 2});
    decisions.group(3, 2, {}, {});
    decisions.order(1, Ordering::fair);
    decisions.order(2, Ordering::by_best);
  }
  void on(const Event& event, const View& view, Decisions& decisions) override {
    mix(static_cast<std::uint64_t>(event.what) * 31 + event.job);
    if (event.what == Event::What::timer) return lift(static_cast<JobIndex>(event.token), view, decisions);
    if (event.what == Event::What::arrived) {
      decisions.admit(event.job, static_cast<GroupId>(event.job % 4));
      decisions.set_timer(event.at + ms(static_cast<std::int64_t>(digest_ % 40)), event.job);
      if (lifted_.size() <= event.job) lifted_.resize(event.job + std::size_t{1});
    }
    if (lifted_[event.job]) return;
    const Kind kind = digest_ % 3 == 0 ? Kind::reduce : Kind::map;
    decisions.rank(event.job, Kind::map, static_cast<Key>(digest_ % 5));
    decisions.rank(event.job, Kind::reduce, static_cast<Key>(digest_ % 5));
    const auto on_class = static_cast<ClassId>(digest_ / 64 % view.classes());
    const Count held = view.held(event.job, kind, on_class);
    decisions.cap(event.job, kind, on_class, std::max<Count>(0, held - 1) + static_cast<Count>(digest_ % 4));
    if (event.what != Event::What::arrived) return;
    for (ClassId each = 0; each < view.classes(); ++each)
      decisions.cap(event.job, Kind::map, each, static_cast<Count>((digest_ >> each % 32) % 3));
  }

 private:
  void lift(JobIndex job, const View& view, Decisions& decisions) {
    lifted_[job] = true;
    for (ClassId each = 0; each < view.classes(); ++each) {
      decisions.cap(job, Kind::map, each, each % 2 == 0 ? unlimited : 1'000);
      decisions.cap(job, Kind::reduce, each, unlimited);
    }
  }
  void mix(std::uint64_t value) { digest_ = (digest_ ^ value) * 0x100000001b3 ^ (digest_ >> 29); }

  std::uint64_t digest_;
  std::vector<bool> lifted_;  // by job
};

// With the placer of this policy.
Policy fickle(std::uint64_t seed, const std::string& spec, const Cluster& cluster) {
  Policy policy{std::make_unique<FickleCaps>(seed), nullptr};
  const bool places = cluster.reads.kind != Reads::Kind::anywhere && cluster.mode.heartbeat > Duration{};
  if (!spec.empty()) policy.placer = make_policy(spec, {.places = places}).placer;
  return policy;
}

TEST(ClassCaps, LeaveOutJobsAtTheirCapsAsTheReferenceDoes) {
  holds_always(
      [] {
        const Workload workload = worlds::some_dependent_workload();
        const ClusterOptions options{
            *rc::gen::arbitrary<bool>() ? worlds::some_cluster() : worlds::some_faulty_cluster(),
            *rc::gen::inRange<std::uint64_t>(0, 50), true};
        const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000);
        const auto spec = *rc::gen::element<std::string>("", "", "fifo+delay(7ms, rack=4ms)",
                                                         "fifo+matchmaking", "fifo+one-non-local");
        Policy a = fickle(seed, spec, options.cluster), b = fickle(seed, spec, options.cluster);
        const auto fast = worlds::unless_stuck([&] { return simulate_cluster(workload, a, options); });
        expect_equal(fast, simulate_cluster_reference(workload, b, options));
      },
      4'000);
}

// Bits of a word stand for the classes: some stand for two here.
TEST(ClassCaps, OnMoreClassesThanAWordHasBits) {
  holds_always(
      [] {
        const Workload workload = worlds::some_dependent_workload();
        Cluster cluster;
        for (int i = 0; i < 70; ++i) {
          NodeGroup group;
          group.node_class = "class" + std::to_string(i);
          group.slots = {i % 64 < 3 ? 1 : 0, i % 64 < 3 ? 1 : 0};
          cluster.nodes.push_back(group);
        }
        cluster.mode.launch = ms(1);
        cluster.mode.heartbeat = ms(*rc::gen::element(0, 3));
        const ClusterOptions options{cluster, 1, true};
        const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000);
        Policy a = fickle(seed, "", cluster), b = fickle(seed, "", cluster);
        const auto fast = worlds::unless_stuck([&] { return simulate_cluster(workload, a, options); });
        expect_equal(fast, simulate_cluster_reference(workload, b, options));
      },
      300);
}

// Every class is closed to the job for good: the run ends at once, though nodes go on to report.
TEST(ClassCaps, AJobThatMayStartNowhereIsNamed) {
  class Closed final : public Allocator {
   public:
    [[nodiscard]] std::string name() const override { return "closed"; }
    [[nodiscard]] Features needs() const override { return Feature::caps | Feature::node_classes; }
    [[nodiscard]] EventSet subscribes() const override { return EventSet::of(Event::What::arrived); }
    void begin(const View&, Decisions&) override {}
    void on(const Event& event, const View&, Decisions& decisions) override {
      decisions.admit(event.job, root_group);
      if (event.job == 1) decisions.cap(event.job, Kind::map, 0, 0);
    }
  };
  for (const int heartbeat : {0, 10}) {
    Cluster cluster;
    cluster.nodes.resize(1);
    cluster.nodes[0].slots = {2, 1};
    cluster.mode.launch = ms(1);
    cluster.mode.heartbeat = ms(heartbeat);
    Workload workload;
    workload.jobs.resize(2);
    workload.jobs[0].id = "A";
    workload.jobs[0].maps = {ms(5)};
    workload.jobs[1].id = "B";
    workload.jobs[1].maps = {ms(5)};
    Policy policy{std::make_unique<Closed>(), nullptr};
    const SimulationResult result =
        simulate_cluster(workload, policy, {.cluster = cluster, .trace = true, .keep_stuck = true});
    ASSERT_TRUE(result.stuck.has_value());
    EXPECT_NE(result.stuck->what.find("'B'"), std::string::npos) << result.stuck->what;
    ASSERT_TRUE(result.stopped.has_value());
    EXPECT_LE(to_ms(*result.stopped), 30);
    EXPECT_EQ(result.trace.size(), 1U);
  }
}

}  // namespace
}  // namespace wavewright
