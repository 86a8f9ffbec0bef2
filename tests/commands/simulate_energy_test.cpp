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

TEST_F(SimulateEnergy, RefusesEnergyDataForAClassOrLabelThatIsNotThere) {
  job(R"({"gpus":{"speed":2,"energy_factor":1.4}})");
  for (const char* const command :
       {"simulate job.jsonl --cluster two.toml", "simulate job.jsonl --cluster two.toml --replications 2",
        "simulate job.jsonl --cluster two.toml --policy 'efh(adaptive=no)'",
        "plan job.jsonl --cluster two.toml --objective energy"}) {
    EXPECT_THAT(refusal(command, 2),
                AllOf(HasSubstr("job 'md' has energy_factor for class 'gpus', and the cluster has no node of "
                                "that class"),
                      HasSubstr("its classes are cpu, gpu; name one of them")));
  }
  EXPECT_EQ(run("simulate job.jsonl --map-slots 1 --reduce-slots 1").status, 0) << "it has no classes";
  job(R"({"gpus":{"power_w":30}})");
  EXPECT_THAT(refusal("simulate job.jsonl --cluster two.toml", 2), HasSubstr("job 'md' has power_w for"));
  job(R"({"gpus":{"speed":2}})");
  EXPECT_EQ(run("simulate job.jsonl --cluster two.toml").status, 0);
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
  EXPECT_THAT(named["reason"].get<std::string>(), HasSubstr("job 'B' can never be placed"));
  ASSERT_EQ(named["remarks"].size(), 1U);
  EXPECT_EQ(named["remarks"][0]["job"], "B");
  EXPECT_EQ(named["remarks"][0]["code"], "MoreThanAllContainers");
  EXPECT_EQ(named["remarks"][0]["text"], "It asks for 5 containers at once, and 3 could run it.");
  EXPECT_EQ(named["jobs"][0]["finish_ms"], 10'000);
  EXPECT_EQ(named["jobs"][1]["unfinished"], true);

  const json reached = answer(command + "'efh(threshold=30s, oversize=wait)'", 0);
  EXPECT_EQ(reached["jobs"][1]["start_ms"], 30'000);
  EXPECT_EQ(reached["remarks"][0]["job"], "B") << "named, too";
}

// Two maps, and one container with the label that they ask for.
TEST_F(SimulateEnergy, TheContainersOfALabelMayBeTooFewForAJob) {
  job(R"({"gpu":{"speed":2,"energy_factor":1.4}})");
  const std::string command = "simulate job.jsonl --cluster two.toml --policy ";
  const json clamped = answer(command + "'efh(adaptive=no, threshold=never)'", 0);
  EXPECT_EQ(clamped["jobs"][0]["finish_ms"], 1'000) << "one after the other, in 500 ms each";
  const json named = answer(command + "'efh(adaptive=no, threshold=never, oversize=wait)'", 1);
  EXPECT_THAT(named["reason"].get<std::string>(), HasSubstr("job 'md' can never be placed"));
  EXPECT_EQ(named["remarks"][0]["text"], "It asks for 2 containers at once, and 1 could run it.");
}

}  // namespace
}  // namespace wavewright
