#include "wavewright/profile/groups.h"

#include <gmock/gmock.h>

#include "tests/profile/history.h"

namespace wavewright {
namespace {

constexpr std::int64_t mib = 1 << 20;

RunPhases run_of(std::int64_t hour, Count maps, std::int64_t megabytes, Count reduces = 2) {
  RunPhases run;
  run.id = "job_1_" + std::to_string(hour);
  run.state = RunState::succeeded;
  run.submit = at_ms(hour * 3'600'000);
  run.maps = maps;
  run.reduces = reduces;
  run.settings = {{"mapreduce.task.io.sort.mb", "100"}, {"mapreduce.job.running.map.limit", "4"}};
  if (megabytes > 0) run.map_input = Bytes{megabytes * mib};
  return run;
}

TEST(Groups, RunsOfOneConfigurationAndSizeAreOneGroup) {
  std::vector runs = {run_of(4, 8, 512), run_of(3, 8, 520), run_of(2, 8, 480), run_of(1, 32, 2'048)};
  runs[1].settings["mapreduce.job.running.map.limit"] = "16";  // says how wide it ran, not what it did
  const std::vector<RunGroup> groups = group_runs(runs);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].runs, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(groups[0].succeeded, 3);
  EXPECT_EQ(groups[0].text(), "2 reduces, 480.0 MiB–520.0 MiB");
  EXPECT_TRUE(groups[0].settings.empty()) << "what is equal in all distinguishes nothing";
}

TEST(Groups, ASettingReducesOrSplitsTellRunsApart) {
  std::vector runs = {run_of(5, 8, 512), run_of(4, 8, 512), run_of(3, 8, 512, 5), run_of(2, 32, 512),
                      run_of(1, 8, 512)};
  runs[1].settings["mapreduce.task.io.sort.mb"] = "400";
  for (RunPhases& run : runs) run.hadoop = "3.x";
  runs[4].hadoop = "1.x";
  const std::vector<RunGroup> groups = group_runs(runs);
  ASSERT_EQ(groups.size(), 5U);
  EXPECT_EQ(groups[1].settings.at("mapreduce.task.io.sort.mb"), "400");
  EXPECT_THAT(groups[1].text(), testing::HasSubstr("task.io.sort.mb=400"));
}

TEST(Groups, RunsWithoutDataAreSizedByTheirMaps) {
  EXPECT_EQ(size_class(run_of(1, 8, 0)), size_class(run_of(2, 9, 0)));
  EXPECT_NE(size_class(run_of(1, 8, 0)), size_class(run_of(2, 16, 0)));
  EXPECT_NE(size_class(run_of(1, 8, 0)), size_class(run_of(1, 8, 512)));
  EXPECT_FALSE(split_class(run_of(1, 8, 0)));
}

TEST(Groups, TheNewestWellFilledGroupIsShownFirst) {
  std::vector<RunPhases> runs = {run_of(20, 64, 4'096)};
  for (int i = 10; i > 4; --i) runs.push_back(run_of(i, 8, 512));
  const std::vector<RunGroup> groups = group_runs(runs);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(default_group(groups), 1U) << "one run says little";
  EXPECT_EQ(groups[0].number, 1);
  runs.resize(3);
  EXPECT_EQ(default_group(group_runs(runs)), 1U) << "none is well filled: the fullest";
}

TEST(Groups, FiveSuccessfulRunsFillAGroup) {
  std::vector<RunPhases> runs;
  for (int i = 20; i > 15; --i) runs.push_back(run_of(i, 64, 4'096));  // the newest: five
  for (int i = 10; i > 4; --i) runs.push_back(run_of(i, 8, 512));      // six older ones
  EXPECT_EQ(default_group(group_runs(runs)), 0U);
  runs[4].state = RunState::failed;
  EXPECT_EQ(default_group(group_runs(runs)), 1U) << "four are too few";
}

TEST(Groups, OneMebibyteOfInputIsASize) {
  EXPECT_EQ(size_class(run_of(1, 8, 1)), 20) << "2^20 bytes";
  EXPECT_EQ(split_class(run_of(1, 8, 1)), 17) << "an eighth of it for a map";
}

TEST(Groups, TheNewestRunOfAGroupIsTheLatestInAnyOrder) {
  const std::vector runs = {run_of(2, 8, 512), run_of(7, 8, 512), run_of(4, 8, 512)};
  EXPECT_EQ(group_runs(runs).at(0).newest, at_ms(7 * 3'600'000));
}

TEST(Groups, ComparableRunsAreOfTheConfigurationButOfAnySize) {
  std::vector runs = {run_of(5, 8, 512), run_of(4, 32, 2'048), run_of(3, 8, 512)};
  runs[2].settings["mapreduce.task.io.sort.mb"] = "400";
  EXPECT_EQ(comparable_runs(runs, run_of(6, 8, 512), 2).size(), 2U);
  EXPECT_EQ(comparable_runs(runs, run_of(6, 8, 512)).size(), 3U) << "two do not show how runs vary";
  EXPECT_EQ(comparable_runs(runs, runs[2], 2).size(), 3U) << "too few of its own";
  runs[1].maps = 8;  // each map reads four times as much
  EXPECT_EQ(comparable_runs(runs, run_of(6, 8, 512), 1).size(), 1U);
  runs[1].maps = 32;
  RunPhases untold = run_of(6, 8, 512);
  untold.settings = {};
  EXPECT_EQ(comparable_runs(runs, untold, 2).size(), 3U) << "what it was is not known";
}

TEST(Groups, ASettingThatNotEveryRunTellsDiffers) {
  std::vector runs = {run_of(3, 8, 512), run_of(2, 8, 512)};
  runs[0].settings["mapreduce.task.timeout"] = "600000";
  EXPECT_EQ(differing_settings(runs), std::vector<std::string>{"mapreduce.task.timeout"});
  EXPECT_EQ(group_runs(runs).size(), 2U);
}

TEST(Groups, RunsOfAnotherHadoopAreNotCompared) {
  std::vector runs = {run_of(5, 8, 512), run_of(4, 8, 512), run_of(3, 8, 512)};
  for (RunPhases& run : runs) run.hadoop = "3.x";
  runs[2].hadoop = "1.x";
  EXPECT_EQ(comparable_runs(runs, runs[0], 2).size(), 2U);
}

// Over REST no version is told.
TEST(Groups, RunsThatTellNoHadoopFitTheOnlyOneThatOthersTell) {
  std::vector runs = {run_of(5, 8, 512), run_of(4, 8, 512), run_of(3, 8, 512)};
  runs[0].hadoop = "";
  runs[1].hadoop = runs[2].hadoop = "3.x";
  EXPECT_EQ(comparable_runs(runs, runs[0], 2).size(), 3U);
  EXPECT_EQ(comparable_runs(runs, runs[1], 2).size(), 3U);
  EXPECT_EQ(group_runs(runs).size(), 1U);
  EXPECT_EQ(group_runs(runs)[0].hadoop, "3.x");
  runs[2].hadoop = "1.x";
  EXPECT_EQ(group_runs(runs).size(), 3U) << "it may be of either";
  JobRun told;
  told.hadoop = "JobHistory server REST";
  EXPECT_EQ(phases_of(told).hadoop, "");
  told.hadoop = "3.x jhist";
  EXPECT_EQ(phases_of(told).hadoop, "3.x");
}

TEST(Groups, SettingsThatRunsShareCountForEachOfThem) {
  RunPhases run;
  run.settings = {{"sort.mb", "100"}, {"only.here", "1"}};
  std::vector<RunPhases> runs(3, run);
  EXPECT_TRUE(runs[0].settings.shares(runs[2].settings));
  EXPECT_TRUE(differing_settings(runs).empty());
  runs[1].settings["sort.mb"] = "200";  // of this run only
  EXPECT_EQ(runs[0].settings.find("sort.mb")->second, "100");
  EXPECT_EQ(differing_settings(runs), std::vector<std::string>{"sort.mb"});
  RunPhases other;
  other.settings = {{"sort.mb", "100"}};
  runs = {run, run, other};  // one lacks a setting that two have
  EXPECT_EQ(differing_settings(runs), std::vector<std::string>{"only.here"});
}

}  // namespace
}  // namespace wavewright
