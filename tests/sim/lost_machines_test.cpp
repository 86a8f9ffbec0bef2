// Rented machines that are lost: the market's notice, and what their finished maps are worth.
#include <gmock/gmock.h>

#include "tests/sim/one_machine_a_job.h"
#include "tests/sim/small_jobs.h"
#include "wavewright/core/error.h"

namespace wavewright {
namespace {

using LostMachines = RentsOneMachineAJob;
INSTANTIATE_TEST_SUITE_P(BothEngines, LostMachines,
                         ::testing::Values(&simulate_cluster, &simulate_cluster_reference),
                         [](const auto& each) { return each.index == 0 ? "Fast" : "Reference"; });

// The price passes the bid at 12 s, for 3 s.
constexpr const char* peak = "spot = [[0, 1.8], [12000, 7.2], [15000, 1.8]]\n";

// A's machine joins at 10 s. Its first map ends at 14 s, within the notice; its second one starts nowhere
// before B's machine joins at 25 s.
TEST_P(LostMachines, GoOnUntilTheNoticeIsOverAndStartNothing) {
  const std::vector<Job> jobs = {job_of("A", {4'000, 1'000}, {}), job_of("B", {2'000}, {}, 15'000)};
  const Outcome run = LostMachines::run(cloud(std::string("notice_ms = 8000\n") + peak), jobs, from_usd(3.6));
  const Lease& lease = run.result.leases.at(0);
  EXPECT_EQ(lease.noticed, at_ms(12'000));
  EXPECT_EQ(lease.left, at_ms(20'000));  // though the price is low again since 15 s
  EXPECT_EQ(lease.ended_by, LeaseEnd::market);
  EXPECT_EQ(lease.cost.micro_usd, 2 * 500 + 3 * 2'000 + 5 * 500);  // the market price to the end
  EXPECT_EQ(run.result.jobs[0].lost_attempts, 0U);
  EXPECT_EQ(run.result.jobs[0].finish, at_ms(26'000));
  ASSERT_GE(run.told.size(), 3U);
  EXPECT_EQ(run.told[1].what, Event::What::node_notice);
  EXPECT_EQ(run.told[1].at, at_ms(12'000));
  EXPECT_EQ(run.told[1].duration, ms(8'000));
  EXPECT_EQ(run.told[1].lease, 0U);
  EXPECT_EQ(run.told[2].what, Event::What::node_down);
  // Without the notice the first map is lost at 12 s.
  EXPECT_EQ(LostMachines::run(cloud(peak), jobs, from_usd(3.6)).result.jobs[0].lost_attempts, 1U);
}

TEST_P(LostMachines, ThatAreGivenBackDuringTheNoticeLeaveAtOnce) {
  const Outcome run =
      LostMachines::run(cloud(std::string("notice_ms = 8000\n") + peak),
                        {job_of("A", {4'000}, {}), job_of("B", {1}, {}, 16'000)}, from_usd(3.6));
  EXPECT_EQ(run.result.leases.at(0).noticed, at_ms(12'000));
  EXPECT_EQ(run.result.leases[0].left, at_ms(14'001));
  EXPECT_EQ(run.result.leases[0].ended_by, LeaseEnd::policy);
}

// A's map ends at 11 s on the machine that is lost at 12 s. Its reduce waits until 30 s for B's, which has
// the slot. C's machine joins then.
TEST_P(LostMachines, TakeTheirFinishedMapsWithThemUnlessOutputIsKept) {
  const std::vector<Job> jobs = {job_of("B", {}, {30'000}), job_of("A", {1'000}, {1'000}),
                                 job_of("C", {1'000}, {}, 20'000)};
  const std::string pause = "spot = [[0, 1.8], [12000, 7.2], [13000, 1.8]]\n";
  const Outcome rerun = LostMachines::run(cloud(pause), jobs, from_usd(3.6));
  EXPECT_EQ(rerun.result.jobs[1].finish, at_ms(32'000));
  EXPECT_EQ(rerun.result.starts, 5U);
  const Outcome kept =
      LostMachines::run(cloud(pause + "[faults]\nlost_map_output = \"kept\"\n"), jobs, from_usd(3.6));
  EXPECT_EQ(kept.result.jobs[1].finish, at_ms(31'000));
  EXPECT_EQ(kept.result.starts, 4U);
}

std::string refusal_of(const std::string& row) {
  try {
    (void)parse_cluster(row, "cloud.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(NoticesInTheClusterFile, NeedAMarketThatTakesMachines) {
  using testing::HasSubstr;
  const std::string row = "[[nodes]]\nmap_slots = 1\nnotice_ms = 5\n";
  EXPECT_THAT(refusal_of(row), HasSubstr("nodes[1]: notice_ms for machines that no market takes away"));
  EXPECT_THAT(refusal_of(row + "rent = true\n"), HasSubstr("no market takes away"));
  EXPECT_EQ(refusal_of(row + "rent = true\nspot = [[0, 0.1]]\n"), "accepted");
  EXPECT_THAT(refusal_of("[[nodes]]\nmap_slots = 1\n[faults]\nlost_map_output = \"lost\"\n"),
              HasSubstr("lost_map_output"));
  const Cluster cluster =
      cloud("notice_ms = 120000\nspot = [[0, 1.8]]\n[faults]\nlost_map_output = \"kept\"\n");
  EXPECT_EQ(cluster.nodes[1].notice, ms(120'000));
  const Cluster again = parse_cluster(to_toml(cluster), "again.toml");
  EXPECT_EQ(again.nodes[1].notice, ms(120'000));
  EXPECT_TRUE(again.faults.keeps_map_output);
}

}  // namespace
}  // namespace wavewright
