// Energy by job and class against simulated runs, node rankings against the policy's, and IDEAL's least work.
#include "wavewright/energy/job_energy.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <gmock/gmock.h>

#include "tests/energy/all_policies.h"
#include "tests/property.h"
#include "tests/sim/cluster_worlds.h"
#include "tests/sim/small_jobs.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/cluster/power.h"
#include "wavewright/core/error.h"
#include "wavewright/energy/plan/evaluate_energy.h"
#include "wavewright/energy/policies.h"
#include "wavewright/energy/ranking.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {
namespace {

// One row a class. Lengths are multiples of 8 ms, powers of 8 W, speeds and factors powers of 2. So powers
// are whole milliwatts, and lengths whole milliseconds.
Cluster some_exact_cluster() {
  Cluster cluster;
  const int classes = *rc::gen::inRange(1, 4);
  for (int i = 0; i < classes; ++i) {
    NodeGroup group;
    group.node_class = fmt::format("c{}", i);
    group.count = *rc::gen::inRange(1, 4);
    group.slots = {*rc::gen::inRange(1, 4), 1};
    group.speed = *rc::gen::element(1.0, 2.0, 4.0);
    group.power_idle_w = *rc::gen::inRange(0, 60);
    NodeClass& of = cluster.classes[group.node_class];
    of.map_w = 8.0 * *rc::gen::inRange(1, 12);
    of.reduce_w = 0.0;
    cluster.nodes.push_back(group);
  }
  cluster.classes[cluster.nodes.back().node_class].label = "gpu";
  return cluster;
}

Workload some_exact_workload(const Cluster& cluster) {
  Workload workload;
  const int jobs = *rc::gen::inRange(1, 7);
  for (int i = 0; i < jobs; ++i) {
    Job job;
    job.id = fmt::format("J{}", i);
    job.submit = at_ms(*rc::gen::inRange(0, 400));
    const int maps = *rc::gen::inRange(1, 9);
    for (int map = 0; map < maps; ++map) job.maps.push_back(ms(8 * *rc::gen::inRange(1, 20)));
    if (*rc::gen::arbitrary<bool>()) job.reduces = {ms(5)};
    for (const NodeGroup& group : cluster.nodes) {
      if (*rc::gen::arbitrary<bool>()) continue;
      ClassSpeed& own = job.classes[group.node_class];
      own.speed = *rc::gen::element(1.0, 2.0, 4.0, 8.0);
      const int told = *rc::gen::inRange(0, 3);
      if (told == 0) own.energy_factor = *rc::gen::element(0.5, 1.0, 2.0, 4.0);
      if (told == 1) own.power_w = 8.0 * *rc::gen::inRange(1, 12);
    }
    workload.jobs.push_back(std::move(job));
  }
  return workload;
}

// Joules of all maps, if each runs on the class where it takes least.
double least_work(const Workload& workload, const Cluster& cluster) {
  double sum = 0;
  for (const JobEnergy& job : job_energies(workload, cluster, 1, 0)) {
    double least = job.classes.front().map_j.value();
    for (const MapsOnClass& on : job.classes) least = std::min(least, on.map_j.value());
    sum += least * static_cast<double>(workload.jobs[job.job].maps.size());
  }
  return sum;
}

// Without idle energy, as the paper counts it for IDEAL [UNL §6.3.3.3].
TEST(IdealPolicy, TakesTheLeastWorkOfAllPolicies) {
  int below = 0;
  holds_always(
      [&] {
        const Cluster cluster = some_exact_cluster();
        const Workload workload = some_exact_workload(cluster);
        const auto work_by = [&](const char* spec) {
          Policy policy = make_policy_on(spec, cluster, all_policies());
          return evaluate_energy(workload, cluster, policy, 1).value().energy.work;
        };
        const MicroJoules ideal = work_by("ideal");
        const double least = least_work(workload, cluster);
        RC_ASSERT(std::abs(to_joules(ideal) - least) <= 1e-9 * (1 + least));
        for (const char* const spec :
             {"fifo", "fair", "efh", "efh(adaptive=no)", "efh(threshold=never)", "efh(threshold=0s)"}) {
          const MicroJoules other = work_by(spec);
          RC_ASSERT(ideal <= other);
          below += ideal < other ? 1 : 0;
        }
      },
      200);
  EXPECT_GT(below, rare(100)) << "or all policies would do the same";
}

// E_map of each class, as the simulator counts the same maps on that class alone.
TEST(JobEnergy, IsWhatTheMapsTakeOnAClass) {
  holds_always([] {
    const Cluster cluster = some_exact_cluster();
    Workload workload = some_exact_workload(cluster);
    workload.jobs.resize(1);
    const JobEnergy job = job_energies(workload, cluster, 1, 0).front();
    RC_ASSERT(job.classes.size() == cluster.nodes.size());
    for (const MapsOnClass& on : job.classes) {
      Cluster alone = cluster;
      for (NodeGroup& group : alone.nodes) {
        if (group.node_class != on.node_class) group.slots.map_slots = 0;
      }
      Policy policy = make_policy_on("fifo", alone, all_policies());
      const double work = to_joules(evaluate_energy(workload, alone, policy, 1).value().energy.work);
      const double expected = on.map_j.value() * static_cast<double>(workload.jobs[0].maps.size());
      RC_ASSERT(std::abs(work - expected) <= 1e-9 * (1 + expected));
    }
  });
}

// Notes at each arrival how EFH ranks the nodes with blocks.
class NotesRanks final : public Allocator {
 public:
  using Ranks = std::map<JobIndex, std::vector<NodeIndex>>;
  explicit NotesRanks(Ranks& ranks) : ranks_(ranks) {}

  [[nodiscard]] std::string name() const override { return "notes-ranks"; }
  [[nodiscard]] Features needs() const override { return Feature::caps | Feature::node_classes; }
  [[nodiscard]] EventSet subscribes() const override { return EventSet::of(Event::What::arrived); }
  void begin(const View& view, Decisions&) override { containers_.begin(view); }
  void on(const Event& event, const View& view, Decisions& decisions) override {
    const Ranking ranking(view, event.job, std::vector<bool>(view.classes(), true));
    constexpr Count all = 1'000'000;
    std::vector<NodeIndex>& nodes = ranks_[event.job];
    for (const Grant& each : ranking.optset_of_data(containers_, all)) nodes.push_back(each.node);
    decisions.admit(event.job, root_group);
  }

 private:
  Ranks& ranks_;
  FreeContainers containers_;
};

TEST(JobEnergy, RanksNodesAsEfhDoes) {
  int long_ones = 0;
  holds_always([&] {
    Cluster cluster = some_exact_cluster();
    cluster.reads = {Reads::Kind::slowdown, 2, 2};
    const Workload workload = some_exact_workload(cluster);
    NotesRanks::Ranks ranks;
    Policy policy{std::make_unique<NotesRanks>(ranks), nullptr};
    const SimulationResult result = simulate_cluster(workload, policy, {.cluster = cluster, .seed = 7});
    const std::vector<JobEnergy> jobs = job_energies(workload, cluster, 7, 1'000);
    RC_ASSERT(jobs.size() == ranks.size());
    for (const JobEnergy& job : jobs) {
      std::vector<std::string> names, expected;
      for (const NodeFitness& node : job.nodes) names.push_back(node.node);
      for (const NodeIndex node : ranks.at(job.job)) expected.push_back(result.nodes.at(node));
      RC_ASSERT(names == expected);
      long_ones += names.size() > 2 ? 1 : 0;
    }
  });
  EXPECT_GT(long_ones, rare(30));
}

TEST(JobEnergy, KeepsTheBestNodesAndLeavesOutWhatCannotBeTold) {
  const Cluster cluster = parse_cluster(R"(
[classes.plain]
power_idle_w = 5
power_map_w = 10
[classes.curved]
power_idle_w = 5
power_curve_w = [20, 22]
[classes.at-once]
power_idle_w = 5
power_map_w = 8
drawn_by = "node"
[[nodes]]
class = "plain"
count = 3
map_slots = 1
[[nodes]]
class = "curved"
map_slots = 2
reduce_slots = 1
[[nodes]]
class = "at-once"
map_slots = 2
[reads]
kind = "slowdown"
rack = 2
)",
                                        "test");
  Workload workload{{job_of("A", {1'000, 3'000}, {}), job_of("B", {}, {1'000})}};
  workload.jobs[0].splits = {{"node1", "node2"}, {"node2"}};
  const std::vector<JobEnergy> jobs = job_energies(workload, cluster, 1, 1);
  ASSERT_EQ(jobs.size(), 1U) << "B has no maps";
  ASSERT_EQ(jobs[0].classes.size(), 3U);
  for (const MapsOnClass& on : jobs[0].classes) {
    EXPECT_EQ(on.mean_map_ms, 2'000);
    if (on.node_class == "curved") {
      EXPECT_NEAR(on.map_j.value(), 5.667 * 2, 1e-9) << "17 W for three slots, in whole milliwatts";
      continue;
    }
    EXPECT_EQ(on.map_j, on.node_class == "plain" ? std::optional(20.0) : std::nullopt);
  }
  ASSERT_EQ(jobs[0].nodes.size(), 1U);
  EXPECT_EQ(jobs[0].nodes[0].node, "node2");
  EXPECT_EQ(jobs[0].nodes[0].blocks, 2);
  EXPECT_EQ(jobs[0].nodes[0].overlap, 1);
}

// ---- measured curves

// Idle 50 W, and with three tasks 74 W: a map adds 8 W for its 2 s. On the first class it adds 10 W for 4 s.
Cluster with_curve(int map_slots, const std::string& curve = "[62, 70, 74]") {
  return parse_cluster(fmt::format("[classes.first]\npower_idle_w = 100\npower_map_w = 10\n"
                                   "[classes.second]\npower_idle_w = 50\npower_curve_w = {}\n"
                                   "[[nodes]]\nclass = \"first\"\nmap_slots = 3\n"
                                   "[[nodes]]\nclass = \"second\"\nspeed = 2\nmap_slots = {}\n",
                                   curve, map_slots),
                       "test");
}

TEST(JobEnergy, OfACurveIsTheMeanStepFromIdleToAFullNode) {
  Workload workload{{job_of("A", std::vector<int>(6, 4'000), {})}};
  const auto second = [&](const Cluster& cluster) {
    const std::vector<MapsOnClass> classes = job_energies(workload, cluster, 1, 0).front().classes;
    const auto found = std::find_if(classes.begin(), classes.end(),
                                    [](const MapsOnClass& on) { return on.node_class == "second"; });
    return std::pair(found->map_j.value(), found->efficiency.value());
  };
  EXPECT_EQ(second(with_curve(3)), std::pair(16.0, 2.5));
  EXPECT_EQ(second(with_curve(2)), std::pair(20.0, 2.0)) << "two slots are busy at most: 70 W";
  EXPECT_EQ(second(with_curve(6)), std::pair(8.0, 5.0)) << "more tasks than it has entries draw the last";
  EXPECT_EQ(second(with_curve(3, "[62, 170, 74]")), std::pair(16.0, 2.5)) << "it need not rise";
  // Data of the job do not count beside it, neither for the ranking nor for the energy.
  workload.jobs[0].classes["second"] = {2, 1, 0.5};
  EXPECT_EQ(second(with_curve(3)), std::pair(16.0, 2.5));
  workload.jobs[0].classes["second"] = {2, 1, std::nullopt, 300};
  EXPECT_EQ(second(with_curve(3)), std::pair(16.0, 2.5));
}

TEST(JobEnergy, OfACurveIsWhatTheMapsOfAFullNodeTake) {
  const Workload workload{{job_of("A", std::vector<int>(6, 4'000), {})}};
  const Cluster cluster = with_curve(3);
  Policy policy = make_policy_on("ideal", cluster, all_policies());
  const EnergyValue value = evaluate_energy(workload, cluster, policy, 1).value();
  EXPECT_EQ(to_ms(value.makespan), 4'000) << "three maps on the second class, and three again";
  EXPECT_EQ(value.energy.work, 6 * 16'000'000);
}

// The curve that the powers of the class's maps make up, if maps and reduces draw alike.
void give_curve(Cluster& cluster, const NodeGroup& group) {
  NodeClass& of = cluster.classes[group.node_class];
  for (Count tasks = 1; tasks <= group.slots.map_slots + group.slots.reduce_slots; ++tasks)
    of.curve_w.push_back(group.power_idle_w + static_cast<double>(tasks) * of.map_w.value());
  of.map_w.reset();
  of.reduce_w.reset();
}

TEST(JobEnergy, ByACurveRanksAsByEqualPowersOfMaps) {
  int ranked = 0, far = 0;
  holds_always([&] {
    const Cluster linear = [] {
      Cluster cluster = some_exact_cluster();
      cluster.reads = {Reads::Kind::slowdown, 2, 2};
      return cluster;
    }();
    Workload workload = some_exact_workload(linear);
    Cluster curved = linear;
    bool any = false;
    for (const NodeGroup& group : linear.nodes) {
      if (*rc::gen::inRange(0, 3) == 0) continue;
      any = true;
      give_curve(curved, group);
      for (Job& job : workload.jobs) {
        const auto own = job.classes.find(group.node_class);
        if (own != job.classes.end())
          own->second = {.speed = own->second.speed};  // which would count there alone
      }
    }
    const std::vector<JobEnergy> expected = job_energies(workload, linear, 7, 100);
    const std::vector<JobEnergy> found = job_energies(workload, curved, 7, 100);
    RC_ASSERT(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (std::size_t c = 0; c < found[i].classes.size(); ++c) {
        const MapsOnClass &one = found[i].classes[c], &other = expected[i].classes[c];
        RC_ASSERT(one.node_class == other.node_class);
        RC_ASSERT(one.map_j == other.map_j);
        RC_ASSERT(one.efficiency == other.efficiency);
        ranked += any && one.efficiency != std::optional(1.0) ? 1 : 0;
      }
      RC_ASSERT(found[i].nodes.size() == expected[i].nodes.size());
      for (std::size_t n = 0; n < found[i].nodes.size(); ++n) {
        RC_ASSERT(found[i].nodes[n].node == expected[i].nodes[n].node);
        RC_ASSERT(found[i].nodes[n].fitness == expected[i].nodes[n].fitness);
      }
    }
    for (const char* const spec : {"efh", "efh(adaptive=no)", "efh(threshold=never)", "ideal"}) {
      Policy one = make_policy_on(spec, linear, all_policies());
      Policy other = make_policy_on(spec, curved, all_policies());
      const SimulationResult by_powers = simulate_cluster(workload, one, {linear, 7, true});
      const SimulationResult by_curve = simulate_cluster(workload, other, {curved, 7, true});
      RC_ASSERT(by_curve.trace == by_powers.trace);
      far += by_curve.nodes.size() > 1 ? 1 : 0;
    }
  });
  EXPECT_GT(ranked, rare(40)) << "or nothing would be told apart";
  EXPECT_GT(far, rare(100));
}

// ---- powers of 0 W

// `first` adds 10 W a map.
Cluster with_second(const std::string& powers) {
  return parse_cluster(
      "[classes.first]\npower_idle_w = 5\npower_map_w = 10\n[classes.second]\npower_idle_w = 5\n" + powers +
          "[[nodes]]\nclass = \"first\"\nmap_slots = 2\n[[nodes]]\nclass = \"second\"\nmap_slots = 1\n",
      "test");
}

TEST(JobEnergy, OfNoWattsIsTheLeastWhereThatIsDeclared) {
  Workload workload{{job_of("A", {1'000, 1'000}, {})}};
  const auto classes = [&](const std::string& powers) {
    return job_energies(workload, with_second(powers), 1, 0).front().classes;
  };
  const auto ends = [&](const std::string& powers) {
    const Cluster cluster = with_second(powers);
    Policy policy = make_policy_on("ideal", cluster, all_policies());
    return to_ms(evaluate_energy(workload, cluster, policy, 1).value().makespan);
  };
  for (const char* const powers : {"power_map_w = 0\n", "power_busy_w = 5\n"}) {
    const std::vector<MapsOnClass> declared = classes(powers);
    ASSERT_EQ(declared.size(), 2U);
    EXPECT_EQ(declared[0].node_class, "second");
    EXPECT_EQ(declared[0].map_j, std::optional(0.0));
    EXPECT_EQ(declared[0].efficiency, std::nullopt) << "above all numbers";
    EXPECT_EQ(declared[1].map_j, std::optional(10.0));
    EXPECT_EQ(declared[1].efficiency, std::optional(1.0));
    EXPECT_EQ(ends(powers), 2'000) << "both maps of IDEAL on the one slot of the second class";
  }
  // Nothing tells what a map draws there, as where jobs tell it. This one does not.
  const std::vector<MapsOnClass> unknown = classes("");
  EXPECT_EQ(unknown[1].node_class, "second");
  EXPECT_EQ(unknown[1].map_j, std::nullopt);
  EXPECT_EQ(unknown[1].efficiency, std::optional(1.0));
  EXPECT_EQ(ends(""), 1'000) << "on any of three slots";
  workload.jobs[0].classes["second"].power_w = 0;
  EXPECT_EQ(classes("")[0].node_class, "second");
  EXPECT_EQ(ends(""), 2'000);
  // On the first class none draw any: all others are infinitely worse, and in their order.
  workload.jobs[0].classes["second"].power_w.reset();
  workload.jobs[0].classes["first"].power_w = 0;
  const std::vector<MapsOnClass> first = classes("power_map_w = 10\n");
  EXPECT_EQ(first[0].node_class, "first");
  EXPECT_EQ(first[0].efficiency, std::optional(1.0));
  EXPECT_NEAR(first[1].efficiency.value(), 0, 1e-6);
}

TEST(JobEnergy, OfNoWattsGivesNodesAFitnessAboveAllNumbers) {
  Cluster cluster = with_second("power_map_w = 0\n");
  cluster.reads = {Reads::Kind::slowdown, 2, 2};
  Workload workload{{job_of("A", {1'000, 1'000, 1'000}, {})}};
  workload.jobs[0].splits = {{"node1"}, {"node2"}, {"node1"}};
  const std::vector<NodeFitness> nodes = job_energies(workload, cluster, 1, 10).front().nodes;
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[0].node, "node2");
  EXPECT_EQ(nodes[0].fitness, std::nullopt);
  EXPECT_EQ(nodes[1].node, "node1");
  EXPECT_DOUBLE_EQ(nodes[1].fitness.value(), 2.0 / 3);
}

// ---- energy data for classes that are not there

TEST(EnergyClasses, ThatNoNodeHasAreRefusedByJob) {
  Cluster cluster = flat_cluster({2, 1});
  Workload workload{{job_of("A", {1'000}, {}), job_of("B", {1'000}, {})}};
  workload.jobs[1].classes["gpus"].energy_factor = 1.4;
  const auto complaint = [&]() -> std::string {
    try {
      check_energy_classes(workload, cluster);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(complaint(), "accepted") << "a flat pool knows no classes";
  cluster.nodes.push_back(cluster.nodes.front());
  cluster.nodes.back().node_class = "gpu";
  EXPECT_EQ(complaint(),
            "job 'B' has energy_factor for class 'gpus', and the cluster has no node of that class; "
            "its classes are default, gpu; name one of them, or leave that class out of the job");
  workload.jobs[1].classes["gpus"] = {.speed = 2};
  EXPECT_EQ(complaint(), "accepted") << "a speed on a class that is elsewhere does no harm";
  workload.jobs[1].classes["gpu"].power_w = 30;
  EXPECT_EQ(complaint(), "accepted");
  workload.jobs[0].classes["gpu "].power_w = 30;
  EXPECT_THAT(complaint(), testing::StartsWith("job 'A' has power_w for class 'gpu '"));
}

TEST(EnergyClasses, OfJobsThatCountForNothingAreNamed) {
  Cluster cluster = flat_cluster({2, 1});
  Workload workload{{job_of("A", {1'000}, {}), job_of("B", {1'000}, {}), job_of("C", {1'000}, {})}};
  const auto told = [&] { return unused_class_entries(workload, cluster); };
  using testing::ElementsAre;
  workload.jobs[0].classes["gpus"] = {.speed = 2};
  EXPECT_THAT(told(), ElementsAre()) << "a flat pool knows no classes";
  cluster.nodes.push_back(cluster.nodes.front());
  cluster.nodes.back().node_class = "gpu";
  EXPECT_THAT(told(), ElementsAre("job 'A' has an entry for class 'gpus', and no node is of that class: it "
                                  "counts for nothing (the classes are default, gpu)"));
  workload.jobs[1].classes["gpu"] = {.speed = 2, .energy_factor = 1.5};
  workload.jobs[2].classes["gpu"] = {.speed = 3};
  EXPECT_EQ(told().size(), 1U) << "it counts";
  cluster.classes["gpu"].curve_w = {20, 30};
  const char* const of_b =
      "job 'B' has power_w or energy_factor for class 'gpu', whose power_curve_w counts instead";
  EXPECT_THAT(told(), ElementsAre(of_b, testing::_)) << "the speed of C counts";
  workload.jobs[2].classes["gpus"] = {.speed = 2};
  EXPECT_THAT(told(), ElementsAre(of_b, testing::StartsWith("job 'A' and 1 other have an entry for class")));
  workload.jobs[1].classes["gpus"] = {.parallelism = 2};
  EXPECT_THAT(told()[1], testing::StartsWith("job 'A' and 2 others have an entry for class 'gpus'"));
}

TEST(EnergyClasses, OfWhichOnlyJobsTellThePower) {
  const std::string rows = "[[nodes]]\nclass = \"gpu\"\nmap_slots = 1\n";
  EXPECT_FALSE(knows_power(parse_cluster(rows, "test")));
  EXPECT_TRUE(knows_power(parse_cluster("[classes.gpu]\npower_idle_w = 0\n" + rows, "test")));
}

TEST(EnergyClasses, WithoutPowersAreNamed) {
  const auto without = [](const std::string& rows) {
    return classes_without_power(parse_cluster(rows, "test"));
  };
  const auto row = [](const std::string& name, const std::string& keys = "") {
    return "[[nodes]]\nclass = \"" + name + "\"\nmap_slots = 1\n" + keys;
  };
  using testing::ElementsAre;
  EXPECT_THAT(without(row("a") + row("b")), ElementsAre()) << "no energy is asked for";
  EXPECT_THAT(without(row("a") + row("b", "power_busy_w = 5\n") + row("c")), ElementsAre("a", "c"));
  EXPECT_THAT(without(row("a", "power_idle_w = 5\npower_busy_w = 5\n") + row("a")), ElementsAre())
      << "some of its nodes have";
  const std::string powered = row("a", "power_idle_w = 5\npower_busy_w = 5\n") + row("b");
  EXPECT_THAT(without("[classes.b]\nlabel = \"gpu\"\n" + powered), ElementsAre("b"));
  EXPECT_THAT(without("[classes.b]\npower_idle_w = 0\n" + powered), ElementsAre()) << "0 W are told";
}

}  // namespace
}  // namespace wavewright
