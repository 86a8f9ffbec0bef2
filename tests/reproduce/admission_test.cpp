// The kind `admission`, and UNL's tables of real-time schedulers on few runs.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "tests/job/run_command.h"
#include "tests/temporary_folder.h"

namespace wavewright {
namespace {

using nlohmann::json;
using testing::HasSubstr;
namespace fs = std::filesystem;

// A small entry: twenty jobs on four nodes.
class AdmissionEntry : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_ / "reproduce"); }
  static json inputs() {
    return json::parse(R"inputs({
      "cluster": {"heartbeat_s": 3, "launch_s": 1, "maps_per_heartbeat": 0, "reduces_per_heartbeat": 1,
        "nodes": [{"count": 3, "map_slots": 4, "reduce_slots": 2}, {"count": 1, "map_slots": 2,
          "reduce_slots": 2}]},
      "generator": "unl-deadlines-1",
      "workload": {"jobs": "20", "map": "const(10000)", "reduce": "const(20000)", "deadlines": "0.5"},
      "spread": {"tasks": 0.5, "jobs": 0.2}, "earlier_runs": 3,
      "policies": {
        "fifo": {"policy": "fifo"},
        "true": {"policy": "rtmr(feedback=tasks)"},
        "bare": {"policy": "rtmr(feedback=tasks)", "padded": false},
        "known": {"policy": "rtmr(feedback=tasks)", "known": "profile"},
        "mean": {"policy": "rtmr(feedback=tasks, estimate=mean)", "known": "profile"},
        "c_max": {"policy": "rtmr(feedback=tasks)", "known": "longest"},
        "c_max-mean": {"policy": "rtmr(feedback=tasks, estimate=mean)", "known": "longest"}},
      "replications": 6})inputs");
  }
  // `field` of the row of each key; null where it has none.
  json measured(const json& inputs, const std::vector<std::string>& keys, const char* field = "ours") {
    json made = {{"id", "mine"},        {"title", "t"},     {"paper", "UNL"},    {"source", "s"},
                 {"kind", "admission"}, {"inputs", inputs}, {"explanation", "e"}};
    for (const std::string& key : keys)
      made["rows"].push_back({{"key", key}, {"label", key}, {"paper", nullptr}, {"unit", ""}});
    std::ofstream(folder_ / "reproduce" / "mine.json") << made.dump();
    ::setenv("WAVEWRIGHT_DATA", folder_.c_str(), 1);
    const CommandResult result = run_command("reproduce --json mine 2>&1");
    ::unsetenv("WAVEWRIGHT_DATA");
    if (result.status != 0) return result.out;
    const json rows = json::parse(result.out)["entries"][0]["rows"];
    json values = json::object();
    for (const json& row : rows) values[row["key"].get<std::string>()] = row.value(field, json());
    return values;
  }
  TemporaryFolder own_;
  fs::path folder_ = own_.path();
};

TEST_F(AdmissionEntry, MoreIsAcceptedTheLessLongTasksAreTakenToBe) {
  const json ours =
      measured(inputs(), {"true.accept", "true.late", "true.success", "true.in-time", "c_max.accept",
                          "c_max.late", "c_max-mean.accept", "known.accept", "mean.accept", "bare.accept",
                          "fifo.accept", "fifo.in-time", "fifo.late"});
  EXPECT_EQ(ours["fifo.accept"], 100) << "all";
  EXPECT_EQ(ours["true.late"], 0) << "promised with true lengths";
  EXPECT_EQ(ours["true.success"], 100);
  EXPECT_EQ(ours["true.in-time"], ours["true.accept"]);
  EXPECT_EQ(ours["c_max.late"], 0);
  EXPECT_LT(ours["c_max.accept"], ours["known.accept"]) << "the longest of all jobs, and of the job";
  EXPECT_EQ(ours["c_max.accept"], ours["c_max-mean.accept"]) << "nothing else is known";
  EXPECT_LT(ours["known.accept"], ours["mean.accept"]);
  EXPECT_NE(ours["true.accept"], ours["bare.accept"]) << "waits are counted";
  EXPECT_GT(ours["fifo.late"], 0);
  EXPECT_NEAR(ours["fifo.in-time"].get<double>(), 100 - ours["fifo.late"].get<double>(), 1e-9);
}

TEST_F(AdmissionEntry, ComparesPairs) {
  const json ours =
      measured(inputs(), {"true.accept", "c_max.accept", "true.accept-above.c_max",
                          "true.accept-above-twice.c_max", "true.use", "c_max.use", "true.use-above.c_max",
                          "true.in-time", "mean.in-time", "mean.in-time-above.true"});
  const auto value = [&](const char* key) { return ours[key].get<double>(); };
  EXPECT_NEAR(value("true.accept-above.c_max"), value("true.accept") - value("c_max.accept"), 1e-9);
  EXPECT_NEAR(value("true.accept-above-twice.c_max"), value("true.accept") - 2 * value("c_max.accept"), 1e-9);
  EXPECT_NEAR(value("true.use-above.c_max"), value("true.use") - value("c_max.use"), 1e-9);
  EXPECT_NEAR(value("mean.in-time-above.true"), value("mean.in-time") - value("true.in-time"), 1e-9);
}

// Where all jobs are in time, all slot time is that of successful jobs.
TEST_F(AdmissionEntry, UtilisationIsOfTheJobsInTime) {
  json easy = inputs();
  easy["workload"]["deadlines"] = "100";
  const json ours = measured(easy, {"fifo.use", "fifo.all-use", "fifo.late", "true.accept"});
  EXPECT_EQ(ours["fifo.late"], 0);
  EXPECT_EQ(ours["true.accept"], 100);
  EXPECT_GT(ours["fifo.use"], 1);
  EXPECT_NEAR(ours["fifo.use"].get<double>(), ours["fifo.all-use"].get<double>(), 1e-9);
  const json tight = measured(inputs(), {"fifo.use", "fifo.all-use"});
  EXPECT_LT(tight["fifo.use"], tight["fifo.all-use"]);
}

// With two workloads the interval of 95 % would reach far beyond both ends.
TEST_F(AdmissionEntry, IntervalsOfSharesEndAt0AndAt100) {
  json few = inputs();
  few["replications"] = 2;
  int cut = 0;
  for (const json& interval : measured(
           few, {"true.accept", "c_max.accept", "fifo.late", "mean.success", "mean.in-time"}, "interval")) {
    if (interval.is_null()) continue;
    EXPECT_GE(interval[0].get<double>(), 0);
    EXPECT_LE(interval[1].get<double>(), 100);
    cut += interval[0] == 0.0 || interval[1] == 100.0 ? 1 : 0;
  }
  EXPECT_GT(cut, 0) << "else nothing is tried";
}

TEST_F(AdmissionEntry, BadInputsAreRefused) {
  json bad = inputs();
  bad["cluster"]["nodes"][0]["count"] = 0;
  EXPECT_THAT(measured(bad, {"fifo.accept"}).get<std::string>(), HasSubstr("a number out of range"));
  bad = inputs();
  bad["policies"]["true"]["known"] = "all";
  EXPECT_THAT(measured(bad, {"fifo.accept"}).get<std::string>(), HasSubstr("unknown lengths 'all'"));
  bad = inputs();
  bad["earlier_runs"] = 0;
  EXPECT_THAT(measured(bad, {"fifo.accept"}).get<std::string>(), HasSubstr("no earlier runs"));
  bad = inputs();
  bad["policies"]["true"]["policy"] = "rtmr(order=any)";
  EXPECT_THAT(measured(bad, {"fifo.accept"}).get<std::string>(), HasSubstr("feedback=tasks"));
}

// The claims whose sign is plain on few runs; docs/use/reproduce.md has them all.
json ours_of(const std::string& entry) {
  json values = json::object();
  const json rows =
      json::parse(run_command("reproduce " + entry + " --json --replications 3 --no-assumptions")
                      .out)["entries"][0]["rows"];
  for (const json& row : rows) values[row["key"].get<std::string>()] = row["ours"];
  return values;
}

TEST(UnlRealTime, WhatRtmrAcceptsByTrueLengthsIsInTimeAndTheEstimatorDecides) {
  for (const std::string entry : {"unl-table58", "unl-table59"}) {
    const json ours = ours_of(entry);
    for (const std::string policy : {"none", "jobs", "tasks", "any", "kept", "yarn-greedy", "yarn-aligned"})
      EXPECT_EQ(ours[policy + "-tight.success"], 100) << entry << " " << policy;
    for (const std::string policy : {"none", "jobs", "tasks", "any", "yarn-greedy", "yarn-aligned"})
      EXPECT_LT(ours[policy + "-c_max.accept"], ours[policy + "-tight.accept"]) << entry << " " << policy;
    EXPECT_GE(ours["jobs-c_max.accept"], ours["none-c_max.accept"]) << entry;
  }
}

TEST(UnlRealTime, WhereAdmissionMattersRtmrWithAnyOrderAcceptsTheMost) {
  const json ours = ours_of("unl-admission");
  EXPECT_GT(ours["fifo.late"], 30);
  EXPECT_EQ(ours["any-tight.late"], 0);
  for (const std::string other : {"jobs-c_max", "kept-tight", "tasks-tight"})
    EXPECT_GT(ours["any-tight.accept-above." + other], 0) << other;
  EXPECT_GT(ours["any-tight.accept-above-twice.none-tight"], 0);
}

}  // namespace
}  // namespace wavewright
