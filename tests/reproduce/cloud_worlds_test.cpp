// The kind `cloud-worlds` on a small trace of the test's own.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "tests/job/run_command.h"
#include "tests/temporary_folder.h"
#include "wavewright/core/random.h"

namespace wavewright {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

class CloudWorlds : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "reproduce");
    Random random(1, "swim");
    std::ofstream trace(folder_ / "trace.tsv");
    for (int i = 0; i < 40; ++i) {
      trace << "job" << i << '\t' << 120 * i << "\t120\t" << random.integer(1, 3'000'000'000) << '\t'
            << random.integer(0, 2'000'000'000) << "\t1000000\n";
    }
  }
  static json inputs() {
    return json::parse(R"inputs({
      "trace": null, "swim": {}, "replications": 6,
      "machine": {"map_slots": 2, "reduce_slots": 1, "usd_per_hour": 0.07, "boot_s": 60, "billing": "hour",
                  "most": 100},
      "deadline": {"least": 1, "most": 3, "boot_in_shortest": true},
      "prices": {"least_usd": 0.008, "most_usd": 1,
                 "usd": [{"weight": 0.7, "median": 0.012, "factor": 1.3}, {"weight": 0.3, "median": 0.2, "factor": 2}],
                 "seconds": [{"weight": 1, "median": 600, "factor": 2}]},
      "workloads": {"A": {"jobs": 20}, "B": {}},
      "policies": {"Spot": "mdasa(machines=spot)", "Demand": "mdasa(machines=on-demand)",
                   "Same": "mdasa(machines=on-demand)"},
      "with": {"slots": "wave"}
  })inputs");
  }
  static json row(const std::string& key) {
    return {{"key", key}, {"label", key}, {"paper", nullptr}, {"unit", "%"}};
  }
  static json entry() {
    json made = {{"id", "mine"},           {"title", "t"},       {"paper", "CLOUD"},  {"source", "s"},
                 {"kind", "cloud-worlds"}, {"inputs", inputs()}, {"explanation", "e"}};
    for (const char* key : {"A.jobs", "B.jobs", "A.Spot.tardy", "A.Demand.tardy", "A.Spot.tardy-above.Demand",
                            "A.Spot.cost", "A.Demand.cost", "A.Spot.cost-above.Demand",
                            "A.Same.cost-above.Demand", "B-A.Spot.tardy", "A.Spot.revoked"})
      made["rows"].push_back(row(key));
    made["assumptions"] = {
        {{"text", "a"},
         {"instead", "twice the price"},
         {"inputs", {{"machine", {{"usd_per_hour", 0.14}}}, {"workloads", {{"B", nullptr}}}}},
         {"rows", {"A.Demand.cost", "A.Spot.tardy"}}}};
    made["charts"] = {{{"title", "cost"}, {"along", "USD"}, {"bars", {{"A", {{"spot", "A.Spot.cost"}}}}}},
                      {{"title", "effects"}, {"along", "USD"}, {"effects_on", "A.Demand.cost"}}};
    return made;
  }
  CommandResult run(const json& entry, const std::string& arguments) {
    std::ofstream(folder_ / "reproduce" / "mine.json") << entry;
    ::setenv("WAVEWRIGHT_DATA", folder_.c_str(), 1);
    const CommandResult result = run_command("reproduce " + arguments);
    ::unsetenv("WAVEWRIGHT_DATA");
    return result;
  }
  [[nodiscard]] std::string traced() const { return "--trace " + (folder_ / "trace.tsv").string() + " "; }
  TemporaryFolder own_;
  fs::path folder_ = own_.path();
};

std::map<std::string, double> ours(const json& entry) {
  std::map<std::string, double> values;
  for (const json& each : entry["rows"]) values[each["key"]] = each["ours"];
  return values;
}

TEST_F(CloudWorlds, PoliciesMeetTheSameWorldsAndDifferencesArePaired) {
  const json found = json::parse(run(entry(), "--json --no-assumptions mine " + traced()).out)["entries"][0];
  auto value = ours(found);
  EXPECT_EQ(value["A.jobs"], 20);
  EXPECT_EQ(value["B.jobs"], 40);
  EXPECT_NEAR(value["A.Spot.tardy-above.Demand"], value["A.Spot.tardy"] - value["A.Demand.tardy"], 1e-9);
  EXPECT_EQ(value["A.Same.cost-above.Demand"], 0);
  EXPECT_GT(value["A.Spot.tardy"], value["A.Demand.tardy"]);
  EXPECT_LT(value["A.Spot.cost-above.Demand"], 0);
  EXPECT_GT(value["A.Spot.revoked"], 0);
  for (const json& each : found["rows"]) {
    if (each["key"] == "A.Spot.tardy-above.Demand") {
      EXPECT_EQ(each["replications"], 6);
      EXPECT_TRUE(each.contains("interval"));
    }
  }
}

TEST_F(CloudWorlds, AssumptionsAreRunOnTheSameSeedsAndDrawn) {
  const fs::path out = folder_ / "out";
  const CommandResult result = run(entry(), "--json mine " + traced() + "--out " + out.string());
  const json effects = json::parse(result.out)["entries"][0]["assumptions"][0]["effects"];
  EXPECT_NEAR(effects[0]["instead"].get<double>(), 2 * effects[0]["ours"].get<double>(), 1e-6);
  ASSERT_TRUE(fs::exists(out / "mine-2.svg"));
  std::ostringstream tornado;
  tornado << std::ifstream(out / "mine-2.svg").rdbuf();
  EXPECT_THAT(tornado.str(), HasSubstr("twice the price"));
  EXPECT_EQ(
      run(entry(), "--no-assumptions -q mine " + traced() + "--out " + (folder_ / "two").string()).status, 0);
  EXPECT_FALSE(fs::exists(folder_ / "two" / "mine-2.svg")) << "no assumption was run";
}

TEST_F(CloudWorlds, WithoutATraceOneLineSaysWhatToGive) {
  const CommandResult named = run(entry(), "mine 2>&1");
  EXPECT_EQ(named.status, 2);
  EXPECT_THAT(named.out, HasSubstr("--trace"));
  const CommandResult all = run(entry(), "2>&1");
  EXPECT_EQ(all.status, 0);
  EXPECT_THAT(all.out, HasSubstr("mine needs a trace"));
  EXPECT_EQ(run(entry(), "mine --trace /nowhere.tsv 2>&1").status, 4);
}

TEST_F(CloudWorlds, RefusesInputsThatAreNone) {
  json broken = entry();
  broken["inputs"]["machine"]["most"] = 0;
  EXPECT_EQ(run(broken, "mine 2>&1 " + traced()).status, 3);
  broken = entry();
  broken["inputs"]["policies"]["Spot"] = "no-such-policy";
  EXPECT_EQ(run(broken, "mine 2>&1 " + traced()).status, 2);
  broken = entry();
  broken["inputs"]["prices"]["usd"] = json::array();
  EXPECT_THAT(run(broken, "mine 2>&1 " + traced()).out, HasSubstr("declared prices"));
}

// The figures of the paper's own entries need the trace of SWIM, which is not ours to ship.
TEST_F(CloudWorlds, ThePapersWorkloadIsTheTraces) {
  const char* trace = std::getenv("WAVEWRIGHT_SWIM_TRACE");
  if (trace == nullptr) GTEST_SKIP() << "WAVEWRIGHT_SWIM_TRACE names no trace";
  const CommandResult result = run_command(
      std::string("reproduce cloud-table41 --json --no-assumptions --replications 1 --trace ") + trace);
  auto value = ours(json::parse(result.out)["entries"][0]);
  EXPECT_EQ(value["W1.jobs"], 1000);
  EXPECT_EQ(value["W2.jobs"], 5894);
  EXPECT_GT(value["W1.Spot.tardy"], value["W1.OnDemand.tardy"]);
}

}  // namespace
}  // namespace wavewright
