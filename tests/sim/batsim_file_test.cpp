// Batsim's table of jobs, from a simulation small enough to follow by hand.
#include "wavewright/sim/output/batsim_file.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>

#include "tests/property.h"
#include "tests/sim/worlds.h"
#include "tests/temporary_folder.h"
#include "wavewright/sched/policies/fifo.h"
#include "wavewright/sim/simulate.h"

namespace wavewright {
namespace {

std::vector<std::string> rows(const SimulationResult& result, const Workload& workload, SlotPool pool) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "jobs.csv";
  write_batsim_jobs(path, result, workload, pool, "night");
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> cells(const std::string& row) {
  std::vector<std::string> all;
  std::istringstream in(row);
  for (std::string cell; std::getline(in, cell, ',');) all.push_back(cell);
  return all;
}

TEST(BatsimJobs, TellsEveryColumnOfASmallRun) {
  Workload workload;
  workload.jobs.resize(3);
  workload.jobs[0].id = "a";
  workload.jobs[0].name = "sort";
  workload.jobs[0].maps = {ms(1000), ms(2000), ms(1500)};
  workload.jobs[0].reduces = {ms(500)};
  workload.jobs[1].id = "b,c";
  workload.jobs[1].submit = at_ms(250);
  workload.jobs[1].maps = {ms(1000)};
  workload.jobs[2].id = "none";
  workload.jobs[2].submit = at_ms(3);
  const SlotPool pool{2, 4};
  const auto policy = make_fifo();
  SimulationResult result = simulate(workload, *policy, {pool, 1.0, true});
  const std::vector<std::string> told = rows(result, workload, pool);
  ASSERT_EQ(told.size(), 4U);
  EXPECT_EQ(
      told[0],
      "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,success,"
      "final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch,"
      "allocated_resources,consumed_energy,metadata");
  // Maps on slots 0 and 1 until 2.5 s; then the first reduce slot, resource 2.
  EXPECT_EQ(
      told[1],
      "a,night,sort,0.000,3,-1,1,COMPLETED_SUCCESSFULLY,0.000,3.000,3.000,0.000,3.000,1.000000,0-2,,\"\"");
  EXPECT_EQ(told[2],
            "\"b,c\",night,\"b,c\",0.250,1,-1,1,COMPLETED_SUCCESSFULLY,2.000,1.000,3.000,1.750,2.750,2."
            "750000,1,,\"\"");
  EXPECT_EQ(told[3],
            "none,night,none,0.003,0,-1,1,COMPLETED_SUCCESSFULLY,0.003,0.000,0.003,0.000,0.000,,,,\"\"")
      << "no stretch without execution, no resources without tasks";
  workload.jobs[1].reduces = {ms(1), ms(1)};
  EXPECT_EQ(cells(rows(result, workload, pool)[3])[4], "0");
  EXPECT_THAT(rows(result, workload, pool)[2], testing::StartsWith("\"b,c\",night,\"b,c\",0.250,2,-1,"))
      << "it asks for as many as the larger of its stages has tasks";
  result.jobs[1].rejected = true;
  EXPECT_EQ(rows(result, workload, pool)[2], "\"b,c\",night,\"b,c\",0.250,2,-1,0,REJECTED,,,,,,,,,\"\"");
}

TEST(BatsimJobs, EveryRowHasItsColumnsAndItsTimesAddUp) {
  holds_always([] {
    const Workload workload = worlds::some_workload();
    SimulationOptions options = worlds::some_options();
    options.trace = true;
    const auto policy = make_fifo();
    const SimulationResult result = simulate(workload, *policy, options);
    const std::vector<std::string> told = rows(result, workload, options.pool);
    RC_ASSERT(told.size() == workload.jobs.size() + 1);
    for (std::size_t i = 1; i < told.size(); ++i) {
      const std::vector<std::string> row = cells(told[i]);
      RC_ASSERT(row.size() == 17U);
      const auto value = [&](std::size_t column) { return std::llround(std::stod(row[column]) * 1000); };
      RC_ASSERT(value(8) + value(9) == value(10));
      RC_ASSERT(value(3) + value(11) == value(8));
      RC_ASSERT(value(3) + value(12) == value(10));
      RC_ASSERT(value(10) == to_ms(result.jobs[i - 1].finish));
    }
  });
}

}  // namespace
}  // namespace wavewright
