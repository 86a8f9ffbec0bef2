// The kind `locality`, and UNL's figures of locality on few runs.
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

// A small entry: five jobs on four nodes.
class LocalityEntry : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_ / "reproduce"); }
  static json inputs() {
    return json::parse(R"inputs({
      "cluster": {"nodes": 4, "map_slots": 2, "reduce_slots": 1, "heartbeat_s": 3, "launch_s": 1},
      "workload": {"jobs": "20", "mean_gap_ms": "5000", "blocks": "12", "replicas": "1"},
      "applications": {"app": "uniform(2000,6000)"}, "non_local": 1.5, "orders": ["fifo"],
      "delays_s": [0, 3, 60], "placers": {"hadoop": "one-non-local", "printed": "matchmaking(reading=printed)"},
      "replications": 6})inputs");
  }
  json measured(const json& inputs, const std::vector<std::string>& keys) {
    json made = {{"id", "mine"},       {"title", "t"},     {"paper", "UNL"},    {"source", "s"},
                 {"kind", "locality"}, {"inputs", inputs}, {"explanation", "e"}};
    for (const std::string& key : keys)
      made["rows"].push_back({{"key", key}, {"label", key}, {"paper", nullptr}, {"unit", ""}});
    const CommandResult result = run(made);
    return result.status == 0 ? json::parse(result.out)["entries"][0]["rows"] : json(result.out);
  }
  CommandResult run(const json& entry) {
    std::ofstream(folder_ / "reproduce" / "mine.json") << entry.dump();
    ::setenv("WAVEWRIGHT_DATA", folder_.c_str(), 1);
    CommandResult result = run_command("reproduce --json mine 2>&1");
    ::unsetenv("WAVEWRIGHT_DATA");
    return result;
  }
  TemporaryFolder own_;
  fs::path folder_ = own_.path();
};

TEST_F(LocalityEntry, MeasuresRatesAndResponsesOfEachPlacer) {
  const json rows = measured(
      inputs(), {"app.fifo.printed.rate", "app.fifo.delay-0.rate", "app.fifo.delay-60.rate",
                 "app.fifo.delay-0.response", "app.fifo.delay-0.local", "app.fifo.delay-0.elsewhere"});
  EXPECT_EQ(rows[0]["ours"], 100) << "never a map from elsewhere";
  EXPECT_LT(rows[1]["ours"], rows[2]["ours"]) << "who waits finds more";
  EXPECT_GT(rows[3]["ours"], 3) << "launch and length";
  EXPECT_GT(rows[3]["ours"], std::min(rows[4]["ours"], rows[5]["ours"]));
  EXPECT_LT(rows[3]["ours"], std::max(rows[4]["ours"], rows[5]["ours"]));
  EXPECT_EQ(rows[0]["replications"], 6);
}

TEST_F(LocalityEntry, ComparesPairsAndTheBestDelay) {
  const json rows =
      measured(inputs(), {"app.fifo.delay-0.rate", "app.fifo.delay-3.rate", "app.fifo.delay-60.rate",
                          "app.fifo.delay-3.rate-above.delay-0", "app.fifo.printed.rate-above.best-delay",
                          "app.fifo.delay.rate.least-step", "app.fifo.best-delay.rate",
                          "app.fifo.delay-60.rate-above.best-delay"});
  const double none = rows[0]["ours"], three = rows[1]["ours"], sixty = rows[2]["ours"];
  EXPECT_NEAR(rows[3]["ours"], three - none, 1e-9);
  const double best = std::max({none, three, sixty});
  EXPECT_NEAR(rows[4]["ours"], 100 - best, 1e-9);
  EXPECT_NEAR(rows[5]["ours"], std::min(three - none, sixty - three), 1e-9);
  EXPECT_THAT(rows[5]["note"].get<std::string>(), HasSubstr("to delay-"));
  EXPECT_EQ(rows[6]["ours"], sixty == best ? "delay-60" : three == best ? "delay-3" : "delay-0");
  EXPECT_NEAR(rows[7]["ours"], sixty - std::max(none, three), 1e-9) << "of a delay itself: the best other";
}

TEST_F(LocalityEntry, ResponsesAreComparedRunByRun) {
  const json rows = measured(inputs(), {"app.fifo.delay-0.response-above.delay-3"});
  EXPECT_TRUE(rows[0].contains("interval"));
  json one = inputs();
  one["replications"] = 1;
  const json single = measured(one, {"app.fifo.delay-0.response", "app.fifo.delay-3.response",
                                     "app.fifo.delay-0.response-above.delay-3"});
  const double a = single[0]["ours"], b = single[1]["ours"];
  EXPECT_NEAR(single[2]["ours"], 100 * (a / b - 1), 1e-9);
}

// Capacity's rule counts offers: a job that lets none go takes whatever node comes, and one that lets a round
// of them go finds more of its blocks.
TEST_F(LocalityEntry, RunsCapacitysRuleBesideThePlacers) {
  json with = inputs();
  with["node_locality_delays"] = {{"none", {{"node", 0}, {"rack_additional", 0}}},
                                  {"round", {{"node", 4}, {"rack_additional", 0}}},
                                  {"by-job", {{"node", 40}}}};
  const json rows = measured(with, {"app.fifo.none.rate", "app.fifo.delay-0.rate", "app.fifo.none.response",
                                    "app.fifo.delay-0.response", "app.fifo.round.rate",
                                    "app.fifo.by-job.rate", "app.fifo.none.rate-above.delay-0"});
  EXPECT_EQ(rows[0]["ours"], rows[1]["ours"]);
  EXPECT_EQ(rows[2]["ours"], rows[3]["ours"]);
  EXPECT_GT(rows[4]["ours"], rows[0]["ours"]);
  EXPECT_GE(rows[4]["ours"], rows[5]["ours"]) << "a small job gives way sooner";
  EXPECT_EQ(rows[6]["ours"], 0);
}

TEST_F(LocalityEntry, BadInputsAreRefused) {
  json bad = inputs();
  bad["cluster"]["nodes"] = 0;
  EXPECT_THAT(measured(bad, {"app.fifo.hadoop.rate"}).get<std::string>(), HasSubstr("no map slot"));
  bad = inputs();
  bad["cluster"]["heartbeat_s"] = 0;
  EXPECT_THAT(measured(bad, {"app.fifo.hadoop.rate"}).get<std::string>(), HasSubstr("counts heartbeats"));
  bad = inputs();
  bad["node_locality_delays"]["capacity"]["node"] = -1;
  EXPECT_THAT(measured(bad, {"app.fifo.hadoop.rate"}).get<std::string>(), HasSubstr("give numbers from 0"));
}

// The claims whose sign is plain on few runs; docs/use/reproduce.md has them all.
TEST(UnlFigures, HadoopsRuleHasTheLowestRateAndMatchmakingAsPrintedAllMapsNear) {
  const json rows = json::parse(
      run_command("reproduce unl-fig41 --json --replications 3 --no-assumptions").out)["entries"][0]["rows"];
  const auto ours = [&](const std::string& key) {
    for (const json& each : rows) {
      if (each["key"] == "loadgen.fifo." + key) return each["ours"].get<double>();
    }
    ADD_FAILURE() << key;
    return 0.0;
  };
  EXPECT_EQ(ours("printed.rate"), 100);
  EXPECT_LT(ours("hadoop.rate"), ours("delay-0.3.rate"));
  EXPECT_LT(ours("delay-0.3.rate"), ours("delay-30.rate"));
  EXPECT_GT(ours("matchmaking.rate"), ours("hadoop.rate"));
  EXPECT_LT(ours("hadoop.rate"), ours("capacity-30.rate"));
  EXPECT_LT(ours("capacity.rate"), ours("capacity-30.rate")) << "as shipped it gives way sooner";
}

}  // namespace
}  // namespace wavewright
