// `wavewright reproduce`: the worked examples that every release must reproduce, through the command.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "tests/job/run_command.h"
#include "tests/temporary_folder.h"

namespace wavewright {
namespace {

using nlohmann::json;
using testing::HasSubstr;
namespace fs = std::filesystem;

json entry(const std::string& id) {
  return json::parse(run_command("reproduce --json " + id).out)["entries"].at(0);
}

json row(const json& entry, const std::string& key) {
  for (const json& each : entry["rows"]) {
    if (each["key"] == key) return each;
  }
  ADD_FAILURE() << "no row " << key;
  return {{"ours", nullptr}};
}

json ours(const json& entry, const std::string& key) {
  return row(entry, key)["ours"];
}

bool all_agree(const json& entry) {
  return std::all_of(entry["rows"].begin(), entry["rows"].end(), [](const json& each) {
    return each["verdict"].is_null() || each["verdict"] == "agrees";
  });
}

TEST(Reproduce, TwoJobsTake42InTheOneOrderAnd24InTheOther) {
  const json result = entry("two-jobs");
  EXPECT_EQ(ours(result, "order.J1 first"), 42);
  EXPECT_EQ(ours(result, "order.J2 first"), 24);
  EXPECT_EQ(ours(result, "planner.johnson"), 24);
  EXPECT_TRUE(all_agree(result));
}

TEST(Reproduce, FiveJobsHaveJohnsonBestAndItsReverseWorst) {
  const json result = entry("five-jobs");
  EXPECT_EQ(ours(result, "planner.johnson.order"), "J2 J5 J1 J4 J3");
  EXPECT_EQ(ours(result, "all.best"), 47);
  EXPECT_EQ(ours(result, "all.worst"), 78);
  EXPECT_EQ(ours(result, "all.count"), 120);
  EXPECT_TRUE(all_agree(result));
}

TEST(Reproduce, TwoPoolsTake40WhichIsTheBestOfAllSplits) {
  const json result = entry("pools");
  EXPECT_EQ(ours(result, "planner.johnson"), 47);
  EXPECT_EQ(ours(result, "pool.1"), 39);
  EXPECT_EQ(ours(result, "pool.2"), 40);
  EXPECT_EQ(ours(result, "planner.balanced-pools"), 40);
  EXPECT_EQ(ours(result, "all-splits.best"), 40);
  EXPECT_TRUE(row(result, "all-splits.best").contains("reading")) << "HP does not print it";
  EXPECT_FALSE(row(result, "pool.1").contains("reading")) << "HP prints it";
  EXPECT_TRUE(all_agree(result));
}

TEST(Reproduce, TheEightMinutesDisagreeAsExplained) {
  const json result = entry("deadline-8min");
  EXPECT_EQ(ours(result, "96.simple.beside"), "42 + 22");
  EXPECT_EQ(ours(result, "96.simple.fewest"), 64);
  EXPECT_THAT(ours(result, "96.simple.minima").get<std::string>(), HasSubstr("42+22"));
  EXPECT_EQ(ours(result, "32.lagrange.ceiled"), "18 + 17");
  EXPECT_EQ(ours(result, "32.wave.fewest"), "16 + 24");
  EXPECT_FALSE(all_agree(result)) << "32 maps do not need 42 + 22 slots";
  EXPECT_THAT(result["explanation"].get<std::string>(), HasSubstr("rounded up, are 18 + 17, and"))
      << "texts hold what this run measured";
  EXPECT_THAT(row(result, "96.wave.at-paper")["derived"].get<std::string>(), HasSubstr("0.3 s"));
}

TEST(Reproduce, SharedMachinesFinishEquallyEarlyOnAverageForLessMachineTime) {
  const json result = entry("rent-fig2");
  EXPECT_EQ(ours(result, "dominance.average"), 3);
  EXPECT_EQ(ours(result, "shared.average"), 3);
  EXPECT_EQ(ours(result, "dominance.machine-time"), 16);
  EXPECT_EQ(ours(result, "shared.machine-time"), 12);
}

// A curve of a table may have changing points; the α form fitted to it has none.
TEST(Reproduce, MachineTimeTurnsOnlyInTables) {
  for (const char* id : {"rent-fig3", "rent-fig4", "rent-fig5"}) {
    const json result = entry(id);
    EXPECT_EQ(ours(result, "changing-points.exist"), "yes") << id;
    EXPECT_EQ(ours(result, "alpha.changing-points.exist"), "no") << id;
  }
  EXPECT_EQ(ours(entry("rent-fig3"), "changing-points"), "2");
}

// Runs of our own: what the paper says of speed holds, and its changing points are not seen on four machines.
TEST(Reproduce, MeasuredMachinesAreFasterAndCostMore) {
  for (const char* id : {"rent-runs-wordcount", "rent-runs-terasort", "rent-runs-pi"}) {
    const json result = entry(id);
    EXPECT_EQ(ours(result, "time.falls"), "yes") << id;
    EXPECT_EQ(ours(result, "changing-points.exist"), "no") << id;
    EXPECT_GT(ours(result, "gain.2").get<double>(), ours(result, "gain.rest").get<double>()) << id;
  }
  const json policies = entry("rent-runs-policies");
  EXPECT_EQ(ours(policies, "rent.lowest"), "cheapest-first");
  EXPECT_EQ(ours(policies, "ascending.loses-to-first"), 0);
}

// Free machines mend what forced ones lose: price first is one of the plans of the optimum in ascending
// order.
TEST(Reproduce, FreeMachinesNeverLoseToPriceFirst) {
  const json result = entry("rent-fig6");
  EXPECT_EQ(ours(result, "ascending.loses-to-first"), 0);
  EXPECT_GE(ours(result, "ascending.cost-below.greedy-sizes").get<double>(), 0);
}

TEST(Reproduce, ListsWhatTakesMinutes) {
  const json list = json::parse(run_command("reproduce --list --json").out)["entries"];
  EXPECT_TRUE(
      std::any_of(list.begin(), list.end(), [](const json& each) { return each["id"] == "hp-grid"; }));
}

// The entries, run once: what is shown, and a file each.
class Everything : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    shown_ = run_command("reproduce " + in_seconds() + " --replications 3 --out " + folder().string()).out;
  }
  // It plans large batches; BatchMethods shows those.
  static bool takes_long(const std::string& id) {
    return id == "hp-fig7" || id == "hp-fig8" || id == "hp-fig9" || id == "cloud-fig57" || id == "hp-grid" ||
           id.starts_with("cloud-table") ||  // of a trace: cloud_worlds_test.cpp
           id.starts_with("unl-");           // locality_test.cpp, admission_test.cpp
  }
  static std::string in_seconds() {
    std::string ids;
    const json list = json::parse(run_command("reproduce --list --json").out)["entries"];
    for (const json& each : list) {
      const auto id = each["id"].get<std::string>();
      if (!takes_long(id)) ids += " " + id;
    }
    return ids;
  }
  static void TearDownTestSuite() { own_.reset(); }
  static fs::path folder() {
    if (!own_) own_ = std::make_unique<TemporaryFolder>();
    return own_->path();
  }
  static auto columns_of(const std::string& line) {
    return std::count_if(line.begin(), line.end(),
                         [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
  }
  static json result(const std::string& id) {
    std::ifstream file(folder() / (id + ".json"));
    return json::parse(file);
  }
  static json rows_of(const std::string& id) { return result(id)["rows"]; }
  static inline std::string shown_;
  static inline std::unique_ptr<TemporaryFolder> own_;
};

TEST_F(Everything, RunsAndNamesItsPaper) {
  const json list = json::parse(run_command("reproduce --list --json").out)["entries"];
  EXPECT_GE(list.size(), 9U);
  for (const json& each : list) {
    if (takes_long(each["id"])) continue;
    ASSERT_TRUE(fs::exists(folder() / (each["id"].get<std::string>() + ".json"))) << each["id"];
    const json one = result(each["id"]);
    EXPECT_THAT((std::vector<std::string>{"CLOUD", "HP", "UNL", "ORDER", "RENT"}),
                testing::Contains(one["paper"]));
    EXPECT_FALSE(one["source"].get<std::string>().empty());
    EXPECT_THAT(shown_, HasSubstr(each["title"].get<std::string>()));
  }
}

TEST_F(Everything, FitsAHundredColumns) {
  std::istringstream lines(shown_);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(columns_of(line), 100) << line;
}

TEST_F(Everything, DrawsTheChartsOfAnEntry) {
  for (const char* name : {"order-table1-1.svg", "order-table1-2.svg", "order-fig3-3.svg"}) {
    std::ifstream file(folder() / name);
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_THAT(text.str(), testing::AllOf(testing::StartsWith("<svg"), testing::EndsWith("</svg>\n")))
        << name;
    EXPECT_EQ(text.str().find("as the paper prints it") != std::string::npos,
              std::string(name) == "order-table1-1.svg")
        << name;
  }
  EXPECT_FALSE(fs::exists(folder() / "two-jobs-1.svg"));
}

TEST_F(Everything, TheAdaptiveIntervalImprovesMoreThanTheFixedOne) {
  const json found = result("order-table1");
  EXPECT_GT(ours(found, "testbed.adaptive-wins"), 6);
  for (const char* jobs : {"50", "100", "200", "400"}) {
    const double fixed = ours(found, fmt::format("testbed.{}.tp-fti.improvement", jobs));
    EXPECT_GT(fixed, 0) << jobs;
    EXPECT_GT(ours(found, fmt::format("testbed.{}.tp-fti.interval", jobs)), 200) << jobs << ": some minutes";
  }
  EXPECT_GT(ours(found, "testbed.400.tp-ati.improvement"), 100) << "more than 100 % is possible";
}

TEST_F(Everything, SearchIsNeverWorseThanTheAlgorithm) {
  const json found = result("order-table2");
  for (int jobs = 2; jobs <= 9; ++jobs) {
    for (const char* objective : {"makespan", "total"})
      EXPECT_GE(ours(found, fmt::format("{}.{}.alg-above-sim", jobs, objective)), 0) << jobs;
  }
  EXPECT_EQ(ours(found, "1.makespan.alg"), ours(found, "1.makespan.sim"));
  EXPECT_LT(ours(found, "9.makespan.sim.evaluated"), 362'880);
}

TEST_F(Everything, FewRunsDoNotMakeAgreement) {
  const json found = result("order-table2");
  EXPECT_EQ(row(found, "6.total.alg")["verdict"], "not compared") << "seconds of another workload";
  for (const json& each : found["rows"]) {
    if (each["verdict"] != "agrees") continue;
    const double paper = each["paper"], tolerance = each["tolerance"];
    EXPECT_GE(each["interval"][0], paper - tolerance) << each;
    EXPECT_LE(each["interval"][1], paper + tolerance) << each;
  }
}

TEST_F(Everything, WhatCannotBeNegativeHasNoNegativeInterval) {
  for (const json& each : rows_of("order-table2")) {
    if (each.contains("interval")) {
      EXPECT_GE(each["interval"][0], 0) << each;
    }
  }
  for (const json& each : rows_of("order-table1")) {
    if (each.contains("interval") && each["unit"] == "s") {
      EXPECT_GT(each["interval"][0], 0) << each;
    }
  }
}

TEST_F(Everything, ABestIntervalAtTheEndOfTheSweepSaysSo) {
  std::size_t noted = 0;
  for (const json& each : rows_of("order-table1")) {
    if (each["unit"] != "s") continue;
    const bool at_end = each.contains("note");
    // An average of 400 or 10 leaves no other possibility, and one of neither end needs no note.
    if (each["ours"] == 400 || each["ours"] == 10) {
      EXPECT_TRUE(at_end) << each;
    }
    if (!at_end) continue;
    EXPECT_THAT(each["note"].get<std::string>(),
                HasSubstr(fmt::format("of {} runs", each["replications"].get<int>())));
    ++noted;
  }
  EXPECT_GT(noted, 0U);
  EXPECT_THAT(shown_, HasSubstr("at an end of the sweep"));
}

TEST_F(Everything, AssumptionsShowWhatTheyChange) {
  const json found = result("order-fig3");
  ASSERT_FALSE(found["assumptions"].empty());
  bool any = false;
  for (const json& assumption : found["assumptions"]) {
    for (const json& effect : assumption["effects"]) {
      EXPECT_NEAR(effect["change"], effect["instead"].get<double>() - effect["ours"].get<double>(), 1e-9);
      any = any || effect["change"] != 0;
    }
  }
  EXPECT_TRUE(any);
  EXPECT_THAT(shown_, HasSubstr("instead: 60 s apart"));
}

TEST_F(Everything, OrderMattersForTotalCompletionOfManySmallJobs) {
  const json found = result("order-fig3");
  EXPECT_GT(ours(found, "facebook.total.most"), 100);
  EXPECT_LT(std::abs(ours(found, "facebook.makespan.mean").get<double>()), 10);
  EXPECT_GT(ours(found, "at-once.makespan.most"), ours(found, "testbed.makespan.most"));
  EXPECT_GT(ours(found, "at-once.total.least"), 0);
  EXPECT_FALSE(all_agree(found)) << "the testbed's workload is not given";
}

#if !defined(__SANITIZE_ADDRESS__)  // the same code as in small batches, for a minute
class BatchMethods : public Everything {
 protected:
  static void SetUpTestSuite() {
    shown_ =
        run_command("reproduce hp-fig7 hp-fig8 hp-fig9 cloud-fig57 --replications 1 --no-assumptions --out " +
                    folder().string())
            .out;
  }
};

TEST_F(BatchMethods, PoolsWinWhereIdleSlotsStayIdle) {
  const json synthetic = result("hp-fig7"), m45 = result("hp-fig8"), facebook = result("hp-fig9"),
             day = result("cloud-fig57");
  EXPECT_GT(ours(m45, "unimodal.256.in-turn.pools-below-one"), 20);
  EXPECT_GT(ours(facebook, "facebook.256.in-turn.pools-below-one"), 20);
  EXPECT_GT(ours(synthetic, "bimodal.64.in-turn.pools-below-one"), 20);
  EXPECT_LT(ours(m45, "unimodal.balanced-pools.below.johnson.mean"), 10);
  EXPECT_GE(ours(day, "day.50.balanced-pools.below.johnson"), 0)
      << "never worse: one pool is among its plans";
  EXPECT_GT(ours(synthetic, "unimodal.30.johnson.below.reverse-johnson"), 5);
  for (const char* chart : {"hp-fig7-2.svg", "hp-fig8-1.svg", "hp-fig9-1.svg", "cloud-fig57-1.svg"})
    EXPECT_TRUE(fs::exists(folder() / chart)) << chart;
  std::istringstream lines(shown_);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(columns_of(line), 100) << line;
}

#endif

}  // namespace
}  // namespace wavewright
