#include "wavewright/streaming/unit_run.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/temporary_folder.h"

namespace wavewright {
namespace {

TEST(EndedRuns, AreRemovedAndOthersStay) {
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  const fs::path& state = folder.path();
  for (const char* name : {"sweep-1.ended", "import-2.ended", "sweep-1", "sweep-3"}) {
    fs::create_directory(state / name);
    std::ofstream(state / name / "results-1.jsonl") << "\n";
  }
  UnitRun::remove_ended(state);
  std::vector<std::string> left;
  for (const auto& entry : fs::directory_iterator(state)) left.push_back(entry.path().filename().string());
  EXPECT_THAT(left, testing::UnorderedElementsAre("sweep-1", "sweep-3"));
  UnitRun::remove_ended(state / "nowhere");
}

TEST(Progress, IsAShare) {
  EXPECT_EQ(parse_progress(R"({"app":{"id":"application_1_1","progress":62.5}})"), 0.625);
  EXPECT_EQ(parse_progress(R"({"app":{"id":"application_1_1"}})"), std::nullopt);
  EXPECT_EQ(parse_progress("<html>"), std::nullopt);
}

TEST(Containers, AreLimitedByMemoryAndCores) {
  EXPECT_EQ(parse_containers(R"({"clusterMetrics":{"totalMB":4096,"totalVirtualCores":16}})", 256), 16);
  EXPECT_EQ(parse_containers(R"({"clusterMetrics":{"totalMB":4096,"totalVirtualCores":16}})", 1024), 4);
  EXPECT_EQ(parse_containers("{}", 1024), 0);
}

TEST(TaskError, IsTheLastInTheClientsOutput) {
  EXPECT_EQ(task_error("INFO mapreduce.Job: Task Id : attempt_1, Status : FAILED\n"
                       "Error: java.lang.RuntimeException: subprocess failed with code 139\n"
                       "\tat org.apache.hadoop.streaming.PipeMapRed\n"),
            "java.lang.RuntimeException: subprocess failed with code 139");
  EXPECT_EQ(task_error("INFO mapreduce.Job: done\n"), "");
}

}  // namespace
}  // namespace wavewright
