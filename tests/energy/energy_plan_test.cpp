// The file of a plan for little energy, and the policy that executes it.
#include "wavewright/energy/plan/energy_plan.h"

#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/sched/conformance.h"
#include "tests/sim/small_jobs.h"
#include "tests/temporary_folder.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"
#include "wavewright/energy/plan/energy_plan_policy.h"
#include "wavewright/energy/plan/evaluate_energy.h"
#include "wavewright/energy/policies.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {
namespace {

EnergyPlan plan_of(const std::string& text) {
  return energy_plan_from_json(text, "night.plan.json");
}

TEST(EnergyPlanFile, ReadsBackWhatItWrites) {
  EnergyPlan plan;
  plan.order = {"A", "B"};
  plan.task_order = TaskOrder::longest_first;
  plan.starts = {{"B", {{"cpu", at_ms(0)}, {"gpu", at_ms(7)}}, {{"cpu", at_ms(9)}}},
                 {"A", {}, {{"gpu", at_ms(0)}}}};
  plan.machines = {{"cpu", 3, ms(1'500)}};
  EXPECT_EQ(plan_of(energy_plan_to_json(plan).dump()), plan);
  EnergyPlan other;
  other.policy = "efh(threshold=5s)";
  EXPECT_EQ(plan_of(energy_plan_to_json(other).dump()), other);
}

TEST(EnergyPlanFile, SaysWhatIsWrongWithABadOne) {
  const auto complaint = [](const std::string& fields) -> std::string {
    try {
      (void)plan_of(fields.empty() || fields[0] == '{' ? fields : R"({"objective":"energy",)" + fields + "}");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  using testing::HasSubstr;
  EXPECT_THAT(complaint(""), HasSubstr("is not JSON"));
  EXPECT_THAT(complaint("{\"objective\":\"makespan\",\"order\":[]}"), HasSubstr("no plan for energy"));
  EXPECT_THAT(complaint(R"("method":"x")"), HasSubstr("has no 'order'"));
  EXPECT_THAT(complaint(R"("order":["A","A"])"), HasSubstr("'A' twice"));
  EXPECT_THAT(complaint(R"("order":[1])"), HasSubstr("no text"));
  EXPECT_THAT(complaint(R"("order":["A"],"strats":[])"), HasSubstr("did you mean 'starts'"));
  EXPECT_THAT(complaint(R"("order":["A"],"starts":[{"id":"B"}])"), HasSubstr("job 'B'"));
  EXPECT_THAT(complaint(R"("order":["A"],"starts":[{"id":"A"},{"id":"A"}])"), HasSubstr("twice"));
  EXPECT_THAT(complaint(R"("order":["A"],"starts":[{"id":"A","maps":{"cpu":-1}}])"), HasSubstr("'cpu'"));
  EXPECT_THAT(complaint(R"("order":["A"],"starts":[{"id":"A","maps":{"cpu":1e99}}])"), HasSubstr("'cpu'"));
  EXPECT_THAT(complaint(R"("order":["A"],"starts":[{"id":"A","maps":[]}])"), HasSubstr("no object"));
  EXPECT_THAT(complaint(R"("order":["A"],"machines":[{"class":"cpu"}])"), HasSubstr("'most'"));
  EXPECT_THAT(complaint(R"("order":["A"],"machines":[{"class":"cpu","most":18446744073709551615}])"),
              HasSubstr("'most'"));
  EXPECT_THAT(complaint(R"("order":["A"],"machines":{})"), HasSubstr("no list"));
  EXPECT_THAT(complaint(R"("order":["A"],"machines":[{"class":"cpu","most":1},{"class":"cpu","most":2}])"),
              HasSubstr("has machines of class 'cpu' twice"));
  EXPECT_EQ(complaint(R"("order":["A"],"x_note":1,"starts":[],"machines":[])"), "");
}

// A cluster on which `rented` machines of class "rent" are for rent, in two rows, beside one of class "own".
Cluster for_rent(int rented) {
  return parse_cluster(fmt::format(R"(
[[nodes]]
class = "own"
map_slots = 1
[[nodes]]
class = "rent"
count = {}
map_slots = 1
rent = true
[[nodes]]
class = "rent"
count = 1
map_slots = 1
rent = true
)",
                                   rented - 1),
                       "test");
}

TEST(EnergyPlanFile, FitsTheJobsAndTheMachinesOrSaysWhichDoNot) {
  const Workload workload{{job_of("A", {10}, {}), job_of("B", {10}, {})}};
  const auto complaint = [&](const EnergyPlan& plan) -> std::string {
    try {
      check_energy_plan(plan, workload, for_rent(3), "night.plan.json");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  using testing::AllOf;
  using testing::HasSubstr;
  EnergyPlan plan;
  plan.order = {"B", "A"};
  EXPECT_EQ(complaint(plan), "");
  plan.machines = {{"rent", 3, ms(0)}};
  EXPECT_EQ(complaint(plan), "") << "both rows count";
  plan.machines = {{"rent", 4, ms(0)}};
  EXPECT_THAT(complaint(plan), AllOf(HasSubstr("night.plan.json"),
                                     HasSubstr("4 machines of class 'rent' on, and 3 are for rent")));
  plan.machines = {{"rents", 1, ms(0)}};
  EXPECT_THAT(complaint(plan), AllOf(HasSubstr("night.plan.json"), HasSubstr("node class 'rents'"),
                                     HasSubstr("did you mean 'rent'")));
  plan.machines.clear();
  plan.starts = {{"A", {{"gpus", at_ms(0)}}, {}}};
  EXPECT_THAT(complaint(plan), AllOf(HasSubstr("night.plan.json"), HasSubstr("node class 'gpus'")));
  plan.starts.clear();
  plan.order = {"B"};
  EXPECT_THAT(complaint(plan), HasSubstr("'A'"));
  plan.order = {"B", "A", "C"};
  EXPECT_THAT(complaint(plan), HasSubstr("'C'"));
  plan.policy = "efh";
  EXPECT_EQ(complaint(plan), "") << "a policy's schedule is one of any jobs";
}

TEST(EvaluateEnergy, WithAllMachinesOnNoneIsForRentAndAllElseIsAsBefore) {
  Cluster cluster = for_rent(3);
  const Cluster on = all_machines_on(cluster);
  EXPECT_NE(to_toml(on), to_toml(cluster));
  for (NodeGroup& group : cluster.nodes) group.rent = false;
  EXPECT_EQ(to_toml(on), to_toml(cluster));
}

Cluster two_classes() {
  return parse_cluster(R"(
[[nodes]]
class = "cpu"
map_slots = 2
reduce_slots = 1
[[nodes]]
class = "gpu"
map_slots = 1
)",
                       "test");
}

SimulationResult run(const Workload& workload, const Cluster& cluster, EnergyPlan plan) {
  Policy policy{make_energy_plan_policy(std::move(plan)), nullptr};
  return simulate_on(workload, policy, {.cluster = cluster, .trace = true});
}

TEST(EnergyPlanPolicy, StartsTasksWhereAndWhileThePlanAllows) {
  const Workload workload{{job_of("A", {10, 10, 10, 10, 10}, {5}), job_of("B", {10, 10}, {}, 1)}};
  EnergyPlan plan;
  plan.order = {"B", "A"};
  plan.starts = {{"A", {{"cpu", at_ms(10)}}, {}}, {"B", {{"gpu", at_ms(0)}}, {}}};
  // A starts three maps at 0. At 10 the class cpu closes for it, and B takes its slots.
  const SimulationResult result = run(workload, two_classes(), plan);
  EXPECT_EQ(to_ms(result.jobs[1].finish), 20);
  EXPECT_EQ(to_ms(result.jobs[0].maps_done), 30);
  EXPECT_EQ(to_ms(result.jobs[0].finish), 35);
  for (const TaskRecord& task : result.trace) {
    if (task.kind != Kind::map) continue;
    const bool cpu = task.node == 0;
    EXPECT_TRUE(cpu || task.job == 0);
    EXPECT_TRUE(!cpu || task.job == 1 || task.start < at_ms(10));
  }
}

TEST(EnergyPlanPolicy, ClosesAtOnceForAJobThatArrivesLate) {
  const Workload workload{{job_of("A", {10, 10}, {}, 10)}};
  EnergyPlan plan;
  plan.order = {"A"};
  plan.starts = {{"A", {{"cpu", at_ms(10)}}, {}}};
  EXPECT_EQ(to_ms(run(workload, two_classes(), plan).jobs[0].finish), 30);
  plan.starts = {{"A", {{"cpu", at_ms(11)}}, {}}};
  EXPECT_EQ(to_ms(run(workload, two_classes(), plan).jobs[0].finish), 20);
}

// A node that stays, and machines for rent that boot for 5 ms.
Cluster beside_a_node(const std::string& its_slots, const std::string& rented, const std::string& mode = "") {
  return parse_cluster(mode + "[[nodes]]\nclass = \"here\"\n" + its_slots + "\n[[nodes]]\n" + rented +
                           "\nrent = true\nboot_ms = 5\n",
                       "test");
}

// Machines of two slots boot for 5 ms; idle ones stay for 10 ms.
TEST(EnergyPlanPolicy, SwitchesMachinesOnForTasksThatWaitAndOffWhenTheyAreIdle) {
  const Cluster cluster = beside_a_node("reduce_slots = 1", "class = \"cpu\"\ncount = 5\nmap_slots = 2");
  const Workload workload{
      {job_of("A", {10, 10, 10}, {}), job_of("B", {10}, {}, 20), job_of("C", {10}, {}, 60)}};
  EnergyPlan plan;
  plan.order = {"A", "B", "C"};
  plan.machines = {{"cpu", 2, ms(10)}};
  const SimulationResult result = run(workload, cluster, plan);
  // Two for A from 5 on. B comes at 20 while both still stay, C after they left.
  ASSERT_EQ(result.leases.size(), 3U);
  EXPECT_EQ(result.leases[0].joined, at_ms(5));
  EXPECT_EQ(result.leases[1].joined, at_ms(5));
  EXPECT_EQ(to_ms(result.jobs[0].finish), 15);
  EXPECT_EQ(to_ms(result.jobs[1].finish), 30);
  EXPECT_EQ(result.leases[1].left, at_ms(26)) << "idle from 15 on, told at 25";
  EXPECT_EQ(result.leases[0].left, at_ms(41)) << "idle from 30 on";
  EXPECT_EQ(result.leases[2].joined, at_ms(65));
  EXPECT_EQ(to_ms(result.jobs[2].finish), 75);
  plan.machines = {{"cpu", 1, ms(0)}};
  const SimulationResult one = run(workload, cluster, plan);
  EXPECT_EQ(to_ms(one.jobs[0].finish), 25) << "no more than one machine";
}

// The only map runs on the machine for rent, and the reduce for long on the node that stays.
TEST(EnergyPlanPolicy, SwitchesAMachineOffOnceReducesThatStartedEarlyHaveItsOutput) {
  for (const std::string slowstart : {"0.0", "1.0"}) {
    const Cluster cluster = beside_a_node("reduce_slots = 1", "class = \"cpu\"\nmap_slots = 1",
                                          "[mode]\nslowstart = " + slowstart + "\n");
    EnergyPlan plan;
    plan.order = {"A"};
    plan.machines = {{"cpu", 1, ms(1)}};
    const SimulationResult result = run(Workload{{job_of("A", {100}, {1'000})}}, cluster, plan);
    ASSERT_EQ(result.leases.size(), 1U);
    EXPECT_EQ(result.leases[0].left, at_ms(107)) << slowstart;
    EXPECT_EQ(to_ms(result.jobs[0].finish), 1'105) << slowstart << ": the map does not run again";
  }
}

TEST(EnergyPlanPolicy, SwitchesAMachineOffWhoseTasksSharedASlot) {
  const Cluster cluster = beside_a_node("map_slots = 1", "class = \"gpu\"\nmap_slots = 1");
  Workload workload{{job_of("A", {10, 10}, {}), job_of("B", {1'000}, {})}};
  workload.jobs[0].classes["gpu"].parallelism = 2;
  EnergyPlan plan;
  plan.order = {"A", "B"};
  plan.starts = {{"A", {{"here", at_ms(0)}}, {}}, {"B", {{"gpu", at_ms(0)}}, {}}};
  plan.machines = {{"gpu", 1, ms(1)}};
  const SimulationResult result = run(workload, cluster, plan);
  ASSERT_EQ(result.leases.size(), 1U);
  EXPECT_EQ(to_ms(result.jobs[0].finish), 15) << "both at once";
  EXPECT_EQ(result.leases[0].left, at_ms(17));
}

TEST(EnergyPlanPolicy, SwitchesAMachineOnForReducesOnlyOnceTheyMayStart) {
  const Cluster cluster = beside_a_node("map_slots = 1", "class = \"late\"\nreduce_slots = 1");
  EnergyPlan plan;
  plan.order = {"A"};
  plan.machines = {{"late", 1, ms(1'000)}};
  const SimulationResult result = run(Workload{{job_of("A", {100}, {10})}}, cluster, plan);
  ASSERT_EQ(result.leases.size(), 1U);
  EXPECT_EQ(result.leases[0].requested, at_ms(100));
  EXPECT_EQ(to_ms(result.jobs[0].finish), 115);
}

TEST(EnergyPlanPolicy, RefusesClassesAndJobsThatAreNotThere) {
  const Workload workload{{job_of("A", {10}, {})}};
  EnergyPlan plan;
  plan.order = {"A"};
  plan.starts = {{"A", {{"gpus", at_ms(0)}}, {}}};
  EXPECT_THROW(run(workload, two_classes(), plan), InputError);
  plan.starts = {};
  plan.machines = {{"gpu", 1, ms(1)}};
  EXPECT_THROW(run(workload, two_classes(), plan), UsageError) << "it is not for rent";
  plan.machines = {};
  plan.order = {"B"};
  EXPECT_THROW(run(workload, two_classes(), plan), InputError);
}

// Such a plan has no order to execute.
TEST(EnergyPlanPolicy, IsThePolicyWhoseScheduleThePlanIs) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "night.plan.json").string();
  std::string name;
  const auto complaint = [&](const EnergyPlan& plan) -> std::string {
    std::ofstream(file) << energy_plan_to_json(plan).dump();
    try {
      name = make_policy("energy-plan(" + file + ")", {}, PolicyRegistry(energy_policies())).name();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EnergyPlan plan;
  plan.policy = "efh(threshold=5s)";
  EXPECT_EQ(complaint(plan), "");
  EXPECT_EQ(name, "efh");
  plan.policy = "fifo";
  EXPECT_EQ(complaint(plan), "");
  EXPECT_EQ(name, "fifo");
  plan.policy = "efhh";
  EXPECT_THAT(complaint(plan), testing::AllOf(testing::HasSubstr(file), testing::HasSubstr("efhh")));
  plan.policy = "energy-plan(" + file + ")";
  EXPECT_THAT(complaint(plan), testing::HasSubstr(file + ": its policy is a plan again"));
  plan = {};
  plan.order = {"A"};
  EXPECT_EQ(complaint(plan), "");
  EXPECT_EQ(name, "energy-plan");
}

FakeSetup fake_setup() {
  FakeSetup setup;
  setup.classes = {{.name = "cpu"}, {.name = "gpu", .percent = 50}};
  setup.nodes = {{.map_slots = 5, .reduce_slots = 2},
                 {.map_slots = 3, .reduce_slots = 2},
                 {.map_slots = 1, .node_class = 1}};
  setup.jobs = jobs_with_deadlines();
  return setup;
}

Policy fake_policy() {
  EnergyPlan plan;
  for (const FakeJob& job : fake_setup().jobs) {
    plan.order.insert(plan.order.begin(), job.id);
    plan.starts.push_back(
        {job.id, {{"gpu", at_ms(static_cast<std::int64_t>(plan.order.size() % 4) * 9'000)}}, {}});
  }
  return {make_energy_plan_policy(plan), nullptr};
}

TEST(EnergyPlanPolicy, KeepsThePromisesOfTheContract) {
  decides_on_every_job_once(fake_policy, fake_setup());
  same_events_same_decisions(fake_policy, fake_setup());
  goes_on_after_a_restart(fake_policy, fake_setup());
}

}  // namespace
}  // namespace wavewright
