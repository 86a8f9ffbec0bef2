#include "wavewright/profile/findings.h"

#include <cmath>

#include <fmt/format.h>

#include "tests/profile/history.h"
#include "wavewright/core/random.h"
#include "wavewright/profile/by_slots.h"
#include "wavewright/profile/robust.h"

namespace wavewright {
namespace {

std::vector<RunPhases> even_job(int count) {
  std::vector<RunPhases> runs;
  for (int i = 0; i < count; ++i) {
    RunPhases run;
    run.id = fmt::format("job_1_{:04}", i);
    run.state = RunState::succeeded;
    run.submit = at_ms(i * 86'400'000LL);
    run.maps = 4;
    run.slots = {2, 1};
    run.map = {ms(10'000 + i), ms(10'100), ms(9'900), ms(10'000)};
    run.map_attempts.succeeded = 4;
    runs.push_back(run);
  }
  return runs;
}

std::optional<ProfileFinding> found(const std::vector<ProfileFinding>& findings, const std::string& code) {
  for (const ProfileFinding& finding : findings) {
    if (finding.code == code) return finding;
  }
  return std::nullopt;
}

TEST(Findings, AnEvenJobHasNone) {
  EXPECT_TRUE(run_findings(even_job(12), {}).empty());
}

TEST(Findings, SeverityIsTheThresholdPassed) {
  const Thresholds thresholds = {2, 4, 8, 16};
  EXPECT_EQ(severity_of(1.9, thresholds), Severity::none);
  EXPECT_EQ(severity_of(2, thresholds), Severity::low);
  EXPECT_EQ(severity_of(9, thresholds), Severity::severe);
  EXPECT_EQ(severity_of(99, thresholds), Severity::critical);
}

TEST(Findings, NamesTheRunThatIsUnlikeTheOthers) {
  std::vector<RunPhases> runs = even_job(12);
  runs[4].map.assign(4, ms(31'000));
  const ProfileFinding finding = found(run_findings(runs, {}), "OutlierRun").value();
  EXPECT_NE(finding.text.find("job_1_0004"), std::string::npos) << finding.text;
  EXPECT_NEAR(finding.value, 3.1, 0.05);
  EXPECT_EQ(finding.severity, Severity::severe);
  EXPECT_EQ(finding.threshold, 2);
}

TEST(Findings, ARunThatIsFarTooFastIsUnlikeTheOthersToo) {
  std::vector<RunPhases> runs = even_job(12);
  runs[4].map.assign(4, ms(2'500));
  const ProfileFinding finding = found(run_findings(runs, {}), "OutlierRun").value();
  EXPECT_NEAR(finding.value, 4, 0.05) << "a quarter of the usual";
  EXPECT_EQ(finding.severity, Severity::critical);
}

TEST(Findings, OfSeveralChangesTheLastIsTold) {
  std::vector<Change> changes(2);
  changes[0].factor = 4;
  changes[1].factor = 1.3;
  const ProfileFinding finding = found(run_findings(even_job(12), changes), "Changed").value();
  EXPECT_DOUBLE_EQ(finding.value, 1.3);
  EXPECT_EQ(finding.severity, Severity::moderate);
}

TEST(Findings, SkewFailuresDoubtsAndFewRunsAreTold) {
  std::vector<RunPhases> runs = even_job(4);
  for (RunPhases& run : runs) run.map[2] = ms(50'000);
  runs[3].state = RunState::failed;
  runs[1].quality_warnings["attempt outside its job's time"] = 2;
  const std::vector<ProfileFinding> findings = run_findings(runs, {});
  EXPECT_NEAR(found(findings, "Skew").value().value, 5, 0.1);
  EXPECT_EQ(found(findings, "Skew").value().severity, Severity::moderate);
  EXPECT_DOUBLE_EQ(found(findings, "FailedRuns").value().value, 0.25);
  EXPECT_DOUBLE_EQ(found(findings, "Doubts").value().value, 2.0 / 16);
  EXPECT_EQ(found(findings, "FewRuns").value().severity, Severity::moderate);
  for (std::size_t i = 1; i < findings.size(); ++i) EXPECT_GE(findings[i - 1].severity, findings[i].severity);
}

// Ten maps a run on five nodes; `slow` takes 1.8 times as long, task 7 of the last run ten times.
std::vector<JobRun> runs_on_nodes(const std::string& slow, bool by_data) {
  std::vector<JobRun> runs;
  Random random(1, "nodes");
  for (int r = 0; r < 4; ++r) {
    JobRun run;
    run.id = fmt::format("job_1_{:04}", r);
    run.state = RunState::succeeded;
    run.submit = at_ms(0);
    run.finish = at_ms(1'000'000);
    for (int i = 0; i < 10; ++i) {
      const std::string node = fmt::format("node{}", i % 5);
      double length = 20'000 * random.lognormal(0, 0.05) * (node == slow ? 1.8 : 1);
      if (!by_data && r == 3 && i == 7) length *= 10;
      const double share = random.lognormal(0, 0.7);
      if (by_data) length *= share;
      TaskRun made = map_task(10, 10 + std::llround(length));
      made.id = fmt::format("task_1_{:04}_m_{:06}", r, i);
      made.attempts[0].id = made.successful_attempt = fmt::format("attempt_1_{:04}_m_{:06}_0", r, i);
      made.attempts[0].node = node;
      made.input = Bytes{std::llround(64e6 * share)};
      run.tasks.push_back(made);
    }
    runs.push_back(run);
  }
  return runs;
}

TEST(Findings, NamesASlowNodeAndTheWorstTask) {
  const std::vector<ProfileFinding> findings = task_findings(runs_on_nodes("node3", false));
  const ProfileFinding node = found(findings, "SlowNode").value();
  EXPECT_NE(node.text.find("node3"), std::string::npos) << node.text;
  EXPECT_NEAR(node.value, 1.8, 0.15);
  EXPECT_EQ(node.severity, Severity::moderate);
  const ProfileFinding task = found(findings, "Straggler").value();
  EXPECT_NE(task.text.find("attempt_1_0003_m_000007_0"), std::string::npos) << task.text;
  EXPECT_FALSE(found(task_findings(runs_on_nodes("none", false)), "SlowNode"));
}

TEST(Findings, TellsDataFromMachine) {
  EXPECT_TRUE(found(task_findings(runs_on_nodes("none", true)), "DataSkew"));
  EXPECT_FALSE(found(task_findings(runs_on_nodes("none", true)), "MachineSkew"));
  EXPECT_TRUE(found(task_findings(runs_on_nodes("none", false)), "MachineSkew"));
}

// One run of maps on two nodes, the second at 0.55 of the first's speed.
JobRun run_on_two_nodes(int maps_each) {
  JobRun run;
  run.id = "job_1_0001";
  run.state = RunState::succeeded;
  run.submit = at_ms(0);
  run.finish = at_ms(1'000'000);
  for (int i = 0; i < 2 * maps_each; ++i) {
    run.tasks.push_back(map_task(10, (i % 2 == 0 ? 20'000 : 36'000) + 10 * i));
    run.tasks.back().attempts[0].node = i % 2 == 0 ? "node1" : "node2";
  }
  return run;
}

TEST(Findings, ANodeIsCalledSlowOnlyWhereChanceWouldNotMakeOneOfAllSo) {
  // Rank sums: six against six p = 0.0051, seven against seven 0.0022; twice that is to be below 0.01.
  EXPECT_FALSE(found(task_findings(std::vector{run_on_two_nodes(6)}), "SlowNode"));
  EXPECT_TRUE(found(task_findings(std::vector{run_on_two_nodes(7)}), "SlowNode"));
}

TEST(Findings, RunsWithinMinutesMakeNoHabit) {
  std::vector<RunPhases> runs = even_job(4);
  for (std::size_t i = 0; i < runs.size(); ++i)
    runs[i].submit = at_ms(static_cast<std::int64_t>(i) * 600'000);
  const Time last = *runs.back().submit;
  const Freshness fresh = freshness_of(runs, last + ms(20 * 3'600'000LL));
  EXPECT_EQ(fresh.interval, ms(600'000));
  EXPECT_FALSE(fresh.finding) << "120 intervals, but not a day";
  EXPECT_TRUE(freshness_of(runs, last + ms(4 * 86'400'000LL)).finding) << "four days";
}

TEST(Findings, ADailyJobNotSeenForWeeksIsStale) {
  const std::vector<RunPhases> runs = even_job(10);
  const Time last = *runs.back().submit;
  EXPECT_FALSE(freshness_of(runs, last + ms(2 * 86'400'000LL)).finding);
  const Freshness stale = freshness_of(runs, last + ms(40 * 86'400'000LL));
  ASSERT_TRUE(stale.finding);
  EXPECT_EQ(stale.finding->severity, Severity::critical);
  EXPECT_EQ(stale.finding->text, "last run 40d ago, usually every 1d");
  EXPECT_EQ(stale.interval, ms(86'400'000));
  EXPECT_FALSE(freshness_of(std::span(runs).first(2), last + ms(400 * 86'400'000LL)).finding)
      << "two runs tell no habit";
}

TEST(Robust, StatisticsAreThoseOfTheTextbook) {
  EXPECT_DOUBLE_EQ(median({3, 1, 2, 10}), 2.5);
  EXPECT_DOUBLE_EQ(gini({1, 1, 1, 1}), 0);
  EXPECT_DOUBLE_EQ(gini({0, 0, 0, 4}), 0.75);
  EXPECT_NEAR(robust_z(std::vector<double>{1, 2, 3, 4, 100}, 0)[4], 0.6745 * 97, 1e-9);
  EXPECT_DOUBLE_EQ(rank_correlation(std::vector<double>{1, 2, 3}, std::vector<double>{10, 100, 1'000}), 1);
  const std::vector<double> low = {1, 2, 3, 4, 5}, high = {6, 7, 8, 9, 10};
  EXPECT_NEAR(rank_sum_p(low, high), 0.0122, 0.0005);
  EXPECT_GT(rank_sum_p(low, low), 0.9);
}

TEST(Robust, TiesNarrowWhatRanksMayVary) {
  // Ranks of a: 4 · 2.5 = 10 of an expected 18; variance 16/12 · (9 − 120/56); z = 7.5/√9.1429.
  const std::vector<double> ones = {1, 1, 1, 1}, twos = {2, 2, 2, 2};
  EXPECT_NEAR(rank_sum_p(ones, twos), 0.0131238, 1e-6);
}

TEST(BySlots, AveragesAreTrueMeans) {
  std::vector<RunPhases> runs = even_job(2);
  runs[0].map = {ms(1'000), ms(1'000), ms(10'000)};
  runs[1].map = {ms(1'000)};
  RunPhases wider = even_job(1)[0];
  wider.slots = {8, 1};
  runs.push_back(wider);
  const std::vector<SlotsRow> rows = by_slots(runs);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].runs, 2);
  EXPECT_DOUBLE_EQ(rows[0].map.avg_ms, 3'250) << "not the middle of 1 s and 10 s";
  EXPECT_DOUBLE_EQ(rows[0].map.max_ms, 10'000);
  EXPECT_EQ(rows[1].slots.map_slots, 8);
}

}  // namespace
}  // namespace wavewright
