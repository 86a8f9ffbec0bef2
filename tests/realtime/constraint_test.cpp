#include "wavewright/realtime/constraint.h"

#include "tests/realtime/worlds.h"

namespace wavewright {
namespace {

using namespace realtime_worlds;  // NOLINT(google-build-using-namespace)

TEST(Constraint, HoldsTheMapSlotsOfItsFormula) {
  Workload workload;
  // Reduces must start at 50: ⌈6 · 10 / 50⌉ = 2 slots, though four are free.
  workload.jobs = {a_job("A", 0, 70, {6, ms(10)}, {ms(20)})};
  const SimulationResult result = run(workload, "constraint", nodes(1, 4, 2));
  EXPECT_EQ(result.jobs[0].maps_done, at_ms(30));
  EXPECT_EQ(result.jobs[0].finish, at_ms(50));
}

TEST(Constraint, RejectsWhereSlotsLack) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 30, {4, ms(10)}, {ms(10)}),   // needs two map slots
                   a_job("B", 1, 31, {4, ms(10)}, {ms(10)}),   // would need two more
                   a_job("C", 2, 100, {ms(10)}, {3, ms(10)}),  // more reduces than slots
                   a_job("D", 2, 11, {ms(10)}, {ms(10)})};     // no time for its map
  workload.jobs.push_back(a_job("E", 3, 50, {ms(10)}));
  workload.jobs.back().deadline.reset();
  const SimulationResult result = run(workload, "constraint", nodes(1, 3, 2));
  std::vector<std::string> reasons;
  for (std::size_t i = 0; i < workload.jobs.size(); ++i)
    reasons.push_back(result.jobs[i].rejected ? result.rejections.at(static_cast<JobIndex>(i)).code : "");
  EXPECT_EQ(reasons,
            (std::vector<std::string>{"", "NoMapSlots", "NoReduceSlots", "DeadlineTooTight", "NoDeadline"}));
}

// The paper's own example of a job that is accepted and late [UNL §5.1]: B takes the reduce slots that A
// needs until A's deadline.
TEST(Constraint, AnInstantIsNotAnInterval) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 100, {ms(70)}, {2, ms(20)}),   // reduces from 80 to 100
                   a_job("B", 0, 119, {ms(10)}, {2, ms(40)})};  // from 79: A's are not there yet
  workload.jobs[1].maps = {ms(60)};
  const SimulationResult instant = run(workload, "constraint", nodes(1, 4, 2));
  EXPECT_FALSE(instant.jobs[1].rejected);
  EXPECT_EQ(instant.jobs[0].finish, at_ms(120));
  const SimulationResult interval = run(workload, "constraint(check=interval)", nodes(1, 4, 2));
  EXPECT_TRUE(interval.jobs[1].rejected);
  EXPECT_EQ(interval.jobs[0].finish, at_ms(100));
}

// Five maps on ⌈5 · 10 / 25⌉ = 2 slots take three waves, 30: late.
TEST(Constraint, MapsGoInWaves) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 35, {5, ms(10)}, {ms(10)})};
  EXPECT_EQ(run(workload, "constraint", nodes(1, 4, 2)).jobs[0].finish, at_ms(40));
  EXPECT_EQ(run(workload, "constraint(check=interval)", nodes(1, 4, 2)).jobs[0].finish, at_ms(35));
}

TEST(Constraint, KeepsItsWordByInterval) {
  int accepted = 0, rejected = 0, late = 0;
  holds_always(
      [&] {
        const World world = some_world();
        for (const std::string policy : {"constraint(check=interval)", "constraint"}) {
          const SimulationResult result = run_both(world.workload, policy, world.cluster);
          for (std::size_t i = 0; i < result.jobs.size(); ++i) {
            const JobOutcome& job = result.jobs[i];
            if (policy != "constraint") ++(job.rejected ? rejected : accepted);
            if (job.rejected || job.finish <= *world.workload.jobs[i].deadline) continue;
            RC_ASSERT(policy == "constraint");
            ++late;
          }
        }
      },
      1'000);
  EXPECT_GT(accepted, sized(500));
  EXPECT_GT(rejected, sized(500));
  EXPECT_GT(late, 20) << "as printed, accepted jobs can be late";
}

}  // namespace
}  // namespace wavewright
