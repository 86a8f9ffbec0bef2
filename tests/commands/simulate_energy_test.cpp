// Energy through `wavewright simulate`: data of jobs that cannot be, and what becomes of jobs of EFH that ask
// for more containers than there are.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/commands/run.h"

namespace wavewright {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class SimulateEnergy : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    write("two.toml",
          "[classes.cpu]\npower_idle_w = 100\npower_map_w = 10\n"
          "[classes.gpu]\nlabel = \"gpu\"\npower_idle_w = 40\npower_map_w = 60\n"
          "[[nodes]]\nclass = \"cpu\"\nmap_slots = 2\n"
          "[[nodes]]\nclass = \"gpu\"\nmap_slots = 1\n");
  }
  // Writes one job with these `classes`.
  void job(const std::string& classes) const {
    write("job.jsonl", R"({"id":"md","map_ms":[1000,1000],"classes":)" + classes + "}");
  }
  // The one line that the command refuses with, of that status.
  [[nodiscard]] std::string refusal(const std::string& arguments, int status) const {
    const CommandResult ran = run(arguments);
    EXPECT_EQ(ran.status, status) << arguments << ran.err;
    EXPECT_EQ(lines_of(ran.err), 1U) << arguments << ran.err;
    EXPECT_EQ(ran.out, "") << arguments;
    return ran.err;
  }
  [[nodiscard]] json answer(const std::string& arguments, int status) const {
    const CommandResult ran = run("-q --json " + arguments);
    EXPECT_EQ(ran.status, status) << arguments << ran.err;
    return json::parse(ran.out);
  }
};

TEST_F(SimulateEnergy, SaysWhichPlanHoldsAPolicyOrAClassThatIsNotThere) {
  job("{}");
  const auto complaint = [&](const std::string& plan) {
    write("night.plan.json", R"({"objective":"energy",)" + plan + "}");
    return refusal("simulate job.jsonl --cluster two.toml --plan night.plan.json", 3);
  };
  EXPECT_THAT(complaint(R"("order":[],"policy":"foo")"),
              AllOf(HasSubstr("night.plan.json"), HasSubstr("'foo'")));
  EXPECT_THAT(complaint(R"j("order":[],"policy":"efh(threshold=x)")j"),
              AllOf(HasSubstr("night.plan.json"), HasSubstr("'x' is not a duration")));
  EXPECT_THAT(complaint(R"("order":["md"],"machines":[{"class":"cpu","most":1}])"),
              AllOf(HasSubstr("night.plan.json"), HasSubstr("and 0 are for rent")));
  EXPECT_THAT(complaint(R"("order":["md"],"starts":[{"id":"md","maps":{"gpus":0}}])"),
              AllOf(HasSubstr("night.plan.json"), HasSubstr("did you mean 'gpu'")));
}

TEST_F(SimulateEnergy, RefusesEnergyDataForAClassOrLabelThatIsNotThere) {
  job(R"({"gpus":{"speed":2,"energy_factor":1.4}})");
  for (const char* const command :
       {"simulate job.jsonl --cluster two.toml", "simulate job.jsonl --cluster two.toml --replications 2",
        "simulate job.jsonl --cluster two.toml --policy 'efh(adaptive=no)'",
        "plan job.jsonl --cluster two.toml --objective energy"}) {
    EXPECT_THAT(refusal(command, 3),
                AllOf(HasSubstr("job 'md' has energy_factor for class 'gpus', and the cluster has no node of "
                                "that class"),
                      HasSubstr("its classes are cpu, gpu; name one of them")));
  }
  EXPECT_EQ(run("simulate job.jsonl --map-slots 1 --reduce-slots 1").status, 0) << "it has no classes";
  job(R"({"gpus":{"power_w":30}})");
  EXPECT_THAT(refusal("simulate job.jsonl --cluster two.toml", 3), HasSubstr("job 'md' has power_w for"));
  job(R"({"gpus":{"speed":2}})");
  EXPECT_EQ(run("simulate job.jsonl --cluster two.toml").status, 0);
}

TEST_F(SimulateEnergy, SaysWhatPoliciesOfEnergyDoNotSeeInTheClusterFile) {
  write("one.jsonl", R"({"id":"A","map_ms":[1000]})");
  const std::string unlike = "class 'default' has [[nodes]] rows of unlike power or speed";
  const std::string second = "efh starts no second attempts of slow tasks";
  const auto notes = [&](const std::string& policy, int busy, const std::string& mode) {
    write("rows.toml",
          mode + "[[nodes]]\nmap_slots = 1\npower_idle_w = 1\npower_busy_w = 200\n" +
              "[[nodes]]\nmap_slots = 1\npower_idle_w = 1\npower_busy_w = " + std::to_string(busy) + "\n");
    const auto ran = run("simulate one.jsonl --cluster rows.toml --policy " + policy);
    EXPECT_EQ(ran.status, 0) << ran.err;
    return ran.err;
  };
  for (const std::string policy : {"efh", "ideal"}) {
    EXPECT_THAT(notes(policy, 15, ""), HasSubstr(unlike)) << policy;
    EXPECT_THAT(notes(policy, 200, ""), Not(HasSubstr(unlike))) << policy;
  }
  EXPECT_THAT(notes("fifo", 15, "[mode]\nspeculation = true\n"), Not(HasSubstr("class 'default'")));
  EXPECT_THAT(notes("efh", 15, "[mode]\nspeculation = true\n"), HasSubstr(second));
  EXPECT_THAT(notes("efh", 15, ""), Not(HasSubstr(second)));
  EXPECT_THAT(run("plan one.jsonl --cluster rows.toml --objective energy").err, HasSubstr(unlike));
}

TEST_F(SimulateEnergy, SaysWhatOfAJobCountsForNothing) {
  const std::string nowhere =
      "job 'md' has an entry for class 'gpus', and no node is of that class: it counts for nothing (the "
      "classes are cpu, gpu)\n";
  const auto everywhere = {"simulate job.jsonl --cluster two.toml",
                           "simulate job.jsonl --cluster two.toml --replications 2",
                           "plan job.jsonl --cluster two.toml --objective energy"};
  job(R"({"gpus":{"speed":2}})");
  for (const char* const command : everywhere) {
    const CommandResult ran = run(command);
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(nowhere)) << command;
  }
  const auto counts = testing::Not(HasSubstr("counts"));
  EXPECT_THAT(run("simulate job.jsonl --map-slots 1 --reduce-slots 1").err, counts) << "it has no classes";
  job(R"({"gpu":{"speed":2,"energy_factor":1.4}})");
  EXPECT_THAT(run("simulate job.jsonl --cluster two.toml").err, counts);
  // As `energy fit --curve` prints it.
  write("two.toml",
        "[classes.cpu]\npower_idle_w = 100\npower_map_w = 10\n"
        "[classes.gpu]\nlabel = \"gpu\"\npower_idle_w = 40\npower_curve_w = [48]\n"
        "[[nodes]]\nclass = \"cpu\"\nmap_slots = 2\n"
        "[[nodes]]\nclass = \"gpu\"\nmap_slots = 1\n");
  for (const char* const command : everywhere) {
    EXPECT_THAT(run(command).err, HasSubstr("job 'md' has power_w or energy_factor for class 'gpu', whose "
                                            "power_curve_w counts instead\n"))
        << command;
  }
  // 8 W for half as long, and not 1.4 times less than 10 W: 4 J for a second of the map.
  const json told = answer("plan job.jsonl --cluster two.toml --objective energy", 0);
  EXPECT_EQ(told["map_energy"][0]["classes"][0]["class"], "gpu");
  EXPECT_EQ(told["map_energy"][0]["classes"][0]["map_j"], 4.0);
  EXPECT_EQ(told["map_energy"][0]["classes"][0]["efficiency"], 2.5);
}

TEST_F(SimulateEnergy, RefusesNegativePowersAndFactorsOfJobs) {
  job(R"({"gpu":{"power_w":-30}})");
  EXPECT_THAT(refusal("simulate job.jsonl --cluster two.toml", 3),
              AllOf(HasSubstr("job.jsonl:1: job 'md'"), HasSubstr("class 'gpu' has a power of -30 W"),
                    HasSubstr("give power_w from 0")));
  job(R"({"gpu":{"energy_factor":-1.4}})");
  EXPECT_THAT(refusal("plan job.jsonl --cluster two.toml --objective energy", 3),
              AllOf(HasSubstr("job.jsonl:1: job 'md'"), HasSubstr("energy factor of 0 or less"),
                    HasSubstr("give positive numbers")));
}

// B asks for five containers, and three are there.
TEST_F(SimulateEnergy, OfAThresholdNeverReachedTheJobIsClampedOrNamed) {
  write("large.jsonl", R"({"id":"A","map_ms":[10000]})"
                       "\n"
                       R"({"id":"B","map_ms":[10000,10000,10000,10000,10000]})");
  const std::string command = "simulate large.jsonl --cluster two.toml --policy ";
  const json clamped = answer(command + "'efh(threshold=never)'", 0);
  EXPECT_EQ(clamped["job_counts"]["done"], 2);
  EXPECT_FALSE(clamped.contains("remarks"));

  const json named = answer(command + "'efh(threshold=never, oversize=wait)'", 1);
  EXPECT_EQ(named["answer"], "no");
  const std::string why =
      "job 'B' can never be placed: policy 'efh' lets it wait, as it asks for 5 containers at once, and the "
      "cluster has 3; lower the threshold (threshold=60s), clamp what it asks for (oversize=clamp), or add "
      "nodes";
  EXPECT_EQ(named["reason"], why);
  ASSERT_EQ(named["remarks"].size(), 1U);
  EXPECT_EQ(named["remarks"][0]["job"], "B");
  EXPECT_EQ(named["remarks"][0]["code"], "MoreThanAllContainers");
  EXPECT_EQ(named["remarks"][0]["text"], "It asks for 5 containers at once, and the cluster has 3.");
  EXPECT_EQ(named["jobs"][0]["finish_ms"], 10'000);
  EXPECT_EQ(named["jobs"][1]["unfinished"], true);

  const json reached = answer(command + "'efh(threshold=30s, oversize=wait)'", 0);
  EXPECT_EQ(reached["jobs"][1]["start_ms"], 30'000);
  EXPECT_EQ(reached["remarks"][0]["job"], "B") << "named, too";

  // With heartbeats and places the nodes report for ever.
  write("beats.toml",
        "[mode]\nkind = \"slots\"\nheartbeat_ms = 3000\n"
        "[reads]\nkind = \"slowdown\"\nrack = 1.2\noff_rack = 1.6\n" +
            read("two.toml"));
  EXPECT_EQ(answer("simulate large.jsonl --cluster beats.toml --policy 'efh(threshold=never, oversize=wait)'",
                   1)["reason"],
            why);
}

// Two maps, and one container with the label that they ask for.
TEST_F(SimulateEnergy, TheContainersOfALabelMayBeTooFewForAJob) {
  job(R"({"gpu":{"speed":2,"energy_factor":1.4}})");
  const std::string command = "simulate job.jsonl --cluster two.toml --policy ";
  const json clamped = answer(command + "'efh(adaptive=no, threshold=never)'", 0);
  EXPECT_EQ(clamped["jobs"][0]["finish_ms"], 1'000) << "one after the other, in 500 ms each";
  const json named = answer(command + "'efh(adaptive=no, threshold=never, oversize=wait)'", 1);
  EXPECT_THAT(named["reason"].get<std::string>(),
              AllOf(HasSubstr("job 'md' can never be placed"), HasSubstr("class 'gpu' (label 'gpu') has 1")));
  EXPECT_EQ(named["remarks"][0]["text"],
            "It asks for 2 containers at once, and class 'gpu' (label 'gpu') has 1.");

  // None at all: no threshold helps.
  write("two.toml",
        "[classes.gpu]\nlabel = \"gpu\"\n[[nodes]]\nclass = \"cpu\"\nmap_slots = 2\n"
        "[[nodes]]\nclass = \"gpu\"\nreduce_slots = 1\n");
  const json none = answer(command + "'efh(adaptive=no)'", 1);
  EXPECT_EQ(none["reason"],
            "job 'md' can never be placed: policy 'efh' lets it wait, as it asks for 2 containers at once, "
            "and class 'gpu' (label 'gpu') has none; add nodes there with map slots, or let it run on other "
            "classes, too (adaptive=yes)");
  ASSERT_EQ(none["remarks"].size(), 1U);
  EXPECT_EQ(none["remarks"][0]["code"], "NoContainers");
  EXPECT_EQ(answer(command + "efh", 0)["jobs"][0]["finish_ms"], 1'000) << "both on the processors";
}

// A machine for rent boots for 5 s, runs the map from 5 to 10 s, and goes off again. The reduce ends at 20 s.
TEST_F(SimulateEnergy, OfAMachineThatIsSwitchedOnAndOffFollowsByHand) {
  write("job.jsonl", R"({"id":"A","map_ms":[5000],"reduce_ms":[10000]})");
  write("lease.toml",
        "[grid]\nco2_g_per_kwh = [[0, 360], [10000, 720], [15000, 0]]\n"
        "[classes.here]\npower_idle_w = 10\n"
        "[classes.asleep]\npower_idle_w = 100\npower_map_w = 50\npower_off_w = 4\nwake_j = 500\n"
        "[[nodes]]\nclass = \"here\"\nreduce_slots = 1\n"
        "[[nodes]]\nclass = \"asleep\"\nmap_slots = 1\nrent = true\nboot_ms = 5000\n");
  write("on.json",
        R"({"objective":"energy","order":["A"],"machines":[{"class":"asleep","most":1,"keep_ms":0}]})");
  const std::string command = "simulate job.jsonl --cluster lease.toml --plan on.json";
  const json told = answer(command, 0);
  EXPECT_EQ(told["makespan_ms"], 20'000);
  ASSERT_EQ(told["leases"].size(), 1U);
  EXPECT_EQ(told["leases"][0]["requested_ms"], 0);
  EXPECT_EQ(told["leases"][0]["joined_ms"], 5'000);
  const auto left = told["leases"][0]["left_ms"].get<std::int64_t>();
  EXPECT_GE(left, 10'000);
  EXPECT_LE(left, 10'010) << "idle machines are given back within some ms";

  const json &here = told["energy"]["classes"][0], &asleep = told["energy"]["classes"][1];
  EXPECT_EQ(here["total_uj"], 10'000 * 20'000);
  EXPECT_EQ(here["idle_uj"], here["total_uj"]);
  const std::int64_t on = left - 5'000;
  EXPECT_EQ(asleep["idle_uj"], 100'000 * on);
  EXPECT_EQ(asleep["off_uj"], 4'000 * (20'000 - on)) << "also while it boots";
  EXPECT_EQ(asleep["wake_uj"], 500'000'000);
  EXPECT_EQ(asleep["work_uj"], 50'000 * 5'000);
  EXPECT_EQ(told["jobs"][0]["energy_uj"], 50'000 * 5'000);

  // 360 g for a kWh are 0.1 mg for a joule. Until 10 s: idle here; off, wake-up, idle and work there. Twice
  // the intensity holds until 15 s, and none from there on.
  const double idle_s = static_cast<double>(left - 10'000) / 1000;
  const double first = 10 * 10 + 4 * 5 + 500 + 100 * 5 + 50 * 5;
  const double second = 10 * 5 + 100 * idle_s + 4 * (5 - idle_s);
  EXPECT_NEAR(told["energy"]["carbon_g"].get<double>(), (first + 2 * second) / 1e4, 1e-9);
  const std::string text = run("-q " + command).out;
  EXPECT_THAT(text, AllOf(HasSubstr(" wake-ups\n"), HasSubstr("\ncarbon dioxide ")));
}

TEST_F(SimulateEnergy, OfAClassWithoutPowersIsSaidToBeMissing) {
  job(R"({"cpu":{"speed":1}})");
  const std::string cpu = "[classes.cpu]\npower_idle_w = 100\n[[nodes]]\nclass = \"cpu\"\nmap_slots = 1\n",
                    gpu = "[[nodes]]\nclass = \"gpu\"\nmap_slots = 1\n";
  const auto told = [&] { return run("simulate job.jsonl --cluster partly.toml --json"); };
  write("partly.toml", cpu + gpu);
  EXPECT_EQ(told().status, 0);
  EXPECT_EQ(told().err, "class gpu has no powers and counts as 0 W: give power_idle_w in [classes.gpu]\n");
  EXPECT_THAT(refusal("plan job.jsonl --cluster partly.toml --objective energy", 2),
              AllOf(HasSubstr("the cluster file gives powers, but none for class 'gpu'"),
                    HasSubstr("give power_idle_w in [classes.gpu]")));
  write("partly.toml", "[classes.gpu]\npower_idle_w = 0\n" + cpu + gpu);
  EXPECT_EQ(told().err, "") << "nothing is what it draws";
  write("partly.toml", "[[nodes]]\nclass = \"cpu\"\nmap_slots = 1\n" + gpu);
  EXPECT_EQ(told().err, "") << "no energy is asked for";
}

// EFH has neither a bid nor machines to rent.
TEST_F(SimulateEnergy, OfNodesThatAreAllForRentEfhTellsOfPlansThatSwitchThemOn) {
  job(R"({"cpu":{"speed":1}})");
  write("rent.toml",
        "[classes.cpu]\npower_idle_w = 100\n[[nodes]]\nclass = \"cpu\"\nmap_slots = 1\nrent = true\n");
  EXPECT_THAT(answer("simulate job.jsonl --cluster rent.toml --policy efh", 1)["reason"].get<std::string>(),
              AllOf(HasSubstr("no machine is there, and policy 'efh' rents none"),
                    HasSubstr("take a plan that switches machines on (plan --objective energy)")));
}

// ---- plans that do not fit

TEST_F(SimulateEnergy, RefusesAPlanThatDoesNotFitTheBatchOrTheMachines) {
  job(R"({"asleep":{"speed":1}})");
  write("rent.toml",
        "[classes.asleep]\npower_idle_w = 100\n"
        "[[nodes]]\nclass = \"asleep\"\ncount = 2\nmap_slots = 1\nrent = true\n");
  const auto refused = [&](const std::string& fields) {
    write("p.json", R"({"objective":"energy",)" + fields + "}");
    return refusal("simulate job.jsonl --cluster rent.toml --plan p.json", 3);
  };
  const auto machines = [](const std::string& entries) {
    return R"("order":["md"],"machines":[)" + entries + "]";
  };
  EXPECT_THAT(refused(R"("order":["md","gone"])"),
              HasSubstr("p.json: the plan's order names job 'gone', which the workload has not"));
  EXPECT_THAT(refused(R"("order":[])"), HasSubstr("the plan's order does not name job 'md'"));
  EXPECT_THAT(refused(machines(R"({"class":"asleep","most":3})")),
              HasSubstr("the plan has 3 machines of class 'asleep' on, and 2 are for rent"));
  EXPECT_THAT(refused(machines(R"({"class":"asleep","most":1},{"class":"asleep","most":1})")),
              HasSubstr("the plan has machines of class 'asleep' twice"));
  write("p.json", R"({"objective":"energy",)" + machines(R"({"class":"asleep","most":2})") + "}");
  EXPECT_EQ(run("simulate job.jsonl --cluster rent.toml --plan p.json").status, 0);
}

// ---- factors

TEST_F(SimulateEnergy, RefusesFactorsThatContradictThemselves) {
  job(R"({"cpu":{"energy_factor":2}})");
  EXPECT_THAT(refusal("simulate job.jsonl --cluster two.toml", 3),
              HasSubstr("job 'md' has an energy_factor of 2 for class 'cpu', the first one of the cluster"));
  job(R"({"cpu":{"energy_factor":1,"power_w":30}})");
  EXPECT_EQ(run("simulate job.jsonl --cluster two.toml").status, 0) << "factors count from there";
  job(R"({"gpu":{"energy_factor":1,"power_w":30}})");
  EXPECT_THAT(refusal("simulate job.jsonl --cluster two.toml", 3),
              HasSubstr("job 'md' has power_w and energy_factor for class 'gpu'"));
  job(R"({"gpu":{"energy_factor":1e7}})");
  EXPECT_THAT(
      refusal("simulate job.jsonl --cluster two.toml", 3),
      AllOf(HasSubstr("job.jsonl:1: job 'md'"), HasSubstr("give energy_factor from 0.000001 to 1000000")));
}

}  // namespace
}  // namespace wavewright
