// `wavewright compare`: tables of runs, pairs, and what is wrong with a table.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "tests/commands/run.h"
#include "tests/paths.h"

namespace wavewright {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class Compare : public CommandTest {
 protected:
  auto compare(const std::string& name, const std::string& table, const std::string& flags) {
    write(name, table);
    return run("compare " + name + " " + flags);
  }
};

// Differences 1, 2 and 3: mean 2, deviation 1, error 1/√3, t = 2√3; p of two degrees of freedom, by hand:
// 1 − t/√(t² + 2) = 1 − √12/√14.
TEST_F(Compare, PairsRunsByTheGivenColumns) {
  const auto result = compare(
      "runs.csv", "who,run,hours\n\"a,b\",1,2\nc,1,1\nc,2,5\n\"a,b\",2,7\n\"a,b\",3,9\nc,3,6\nc,4,100\n",
      "--by who --pair run --metric hours --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const json metric = json::parse(result.out)["metrics"][0];
  EXPECT_EQ(metric["policies"][0]["policy"], "a,b");
  EXPECT_EQ(metric["left_out"], 1) << "run 4 has no partner";
  const json pair = metric["pairs"][0];
  EXPECT_DOUBLE_EQ(pair["difference"]["mean"], 2);
  EXPECT_NEAR(pair["t"], 2 * std::sqrt(3.0), 1e-12);
  EXPECT_NEAR(pair["p"], 1 - std::sqrt(12.0 / 14.0), 1e-12);
}

// Run 3 of a has no partner under two policies. All of d's runs are its own.
TEST_F(Compare, CountsAValueWithoutPartnersOnceAndNamesPairsWithoutACommonRun) {
  const std::string table = "who,run,hours\na,1,2\na,2,3\na,3,9\nb,1,1\nb,2,5\nc,1,4\nc,2,\nd,8,1\n";
  const std::string flags = "--by who --pair run --metric hours";
  const auto text = compare("runs.csv", table, flags);
  ASSERT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("'a' and 'd' have no run in common\n'b' and 'd' have no run in common\n"
                                  "'c' and 'd' have no run in common\n"));
  EXPECT_THAT(text.out, HasSubstr("\n8 values missing, or without a partner under some other policy"));
  const json metric = json::parse(run("compare runs.csv --json " + flags).out)["metrics"][0];
  EXPECT_EQ(metric["left_out"], 8) << "all seven, as none has a partner under d, and the missing one";
  EXPECT_EQ(metric["unpaired"].size(), 3U);
  EXPECT_EQ(metric["unpaired"][1], (json{{"policy", "b"}, {"against", "d"}}));
  const std::string three = table.substr(0, table.find("d,8"));
  EXPECT_THAT(compare("three.csv", three, flags).out, HasSubstr("\n4 values missing"))
      << "runs 2 and 3 of a, run 2 of b, and the missing one";
}

// [UNL tables 6.13 to 6.15] from the runs of tables 6.11 and 6.12: FIFO, EFH, EFH without adaptive execution;
// turnaround, locality, energy. What the paper prints otherwise stands beside.
TEST_F(Compare, GivesThePapersStatisticsOrShowsThatTheyDoNotFollow) {
  const std::string command = "compare '" + source_dir() +
                              "/examples/energy/runs.csv' --by scheduler --pair run --metric turnaround_h "
                              "--metric locality_percent --metric energy_kwh";
  const auto result = run(command + " --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const json metrics = json::parse(result.out)["metrics"];
  // FIFO against EFH, FIFO against EFH without, EFH against EFH without.
  constexpr double p[3][3] = {{0.0942, 0.0157, 0.0110},       // 0.0793, 0.0129, 0.0105: the runs are rounded
                              {0.65, 0.0696, 0.1859},         // as printed
                              {0.0026, 0.0011, 0.7757}};      // 0.0014, 0.0021, 0.4266: they do not follow
  constexpr double half[3][3] = {{0.1083, 0.0625, 0.0574},    // 0.1, 0.06, 0.1: the last rounds to it
                                 {11.3838, 4.9683, 5.1711},   // 11, 5, 5
                                 {0.1225, 0.2033, 0.2656}};   // 0.13, 0.13, 0.28: EFH's does not follow
  constexpr double error[3][3] = {{0.0205, 0.0119, 0.0109},   // 0.02, 0.01, 0.01
                                  {2.1602, 0.9428, 0.9813},   // 2.16, 0.94, 0.98
                                  {0.0233, 0.0386, 0.0504}};  // 0.02, 0.03, 0.05: EFH's does not follow
  for (std::size_t metric = 0; metric < 3; ++metric) {
    for (std::size_t i = 0; i < 3; ++i) {
      const json &pair = metrics[metric]["pairs"][i], &policy = metrics[metric]["policies"][i];
      SCOPED_TRACE(metrics[metric]["metric"].get<std::string>() + ", " + pair.dump() + policy.dump());
      EXPECT_NEAR(pair["p"].get<double>(), p[metric][i], p[metric][i] > 0.5 ? 0.005 : 0.0001);
      EXPECT_NEAR(policy["half_95"].get<double>(), half[metric][i], 0.0001);
      EXPECT_NEAR(policy["population_standard_error"].get<double>(), error[metric][i], 0.0001);
      EXPECT_NEAR(policy["standard_error"].get<double>(), error[metric][i] * std::sqrt(1.5), 0.0002);
    }
  }
  const std::string text = run(command).out;
  for (const char* const figure : {"std. error", "from n", "11.384", "2.6458", "2.1602", "0.0696"})
    EXPECT_THAT(text, HasSubstr(figure));
}

// Nodes a1 and a2 in a rack, b1 outside; each has a map slot. All blocks are on a1: in its rack a map takes
// 15 ms, outside 30. A's maps take the three slots at once. Under FIFO B follows on a1 from 10 to 20, which
// is late; RTMR takes all maps to last 30 ms and rejects it.
TEST_F(Compare, ComparesLocalityAndAdmissionOfASweep) {
  write("jobs.jsonl", R"({"id":"A","map_ms":[10,10,10],"splits":[["a1"],["a1"],["a1"]],"deadline_ms":30})"
                      "\n"
                      R"({"id":"B","map_ms":[10],"splits":[["a1"]],"deadline_ms":19})"
                      "\n");
  write("racks.toml",
        "[reads]\nkind = \"slowdown\"\nrack = 1.5\noff_rack = 3\n"
        "[[nodes]]\nhosts = [\"a1\", \"a2\"]\nrack = \"/a\"\nmap_slots = 1\n"
        "[[nodes]]\nhosts = [\"b1\"]\nrack = \"/b\"\nmap_slots = 1\n");
  write("sweep.toml",
        "workloads=['jobs.jsonl']\nclusters=['racks.toml']\npolicies=['fifo','rtmr']\nseeds=2\n");
  const auto swept = run("-q sweep sweep.toml");
  ASSERT_EQ(swept.status, 0) << swept.err;
  EXPECT_THAT(swept.out, HasSubstr("locality  response, ms  accepted  in time  used in time  used by all\n"));
  const std::map<std::string, std::pair<double, double>> expected = {
      {"locality_rate", {2.0 / 4, 1.0 / 3}},
      {"map_response_ms", {(10 + 15 + 30 + 20) / 4.0, (10 + 15 + 30) / 3.0}},
      {"accept_ratio", {1, 0.5}},
      {"success_ratio", {0.5, 1}},
      {"utilisation", {55 / 90.0, 55 / 90.0}},          // what B used, which was late, does not count
      {"utilisation_of_all", {65 / 90.0, 55 / 90.0}}};  // as UNL has it for FIFO
  for (const auto& [name, means] : expected) {
    const auto result = run("compare sweep.results.jsonl --json --metric " + name);
    ASSERT_EQ(result.status, 0) << result.err;
    const json metric = json::parse(result.out)["metrics"][0];
    EXPECT_NEAR(metric["policies"][0]["mean"].get<double>(), means.first, 1e-9) << metric;
    EXPECT_NEAR(metric["policies"][1]["mean"].get<double>(), means.second, 1e-9) << metric;
    EXPECT_NEAR(metric["pairs"][0]["difference"]["mean"].get<double>(), means.first - means.second, 1e-9);
    EXPECT_TRUE(metric["undefined"].empty()) << metric;
  }
  EXPECT_THAT(run("compare sweep.results.jsonl --metric utilization").err,
              HasSubstr("did you mean 'utilisation'"));
}

TEST_F(Compare, SaysThatAMetricIsUndefinedWhereNoRunHasIt) {
  write("jobs.jsonl", R"({"id":"A","map_ms":[10]})");
  write("one.toml", "[[nodes]]\nmap_slots = 1\nprice_per_hour = 3.6\n");
  write("sweep.toml", "workloads=['jobs.jsonl']\nclusters=['one.toml']\npolicies=['fifo','fair']\n");
  ASSERT_EQ(run("-q sweep sweep.toml").status, 0);
  EXPECT_EQ(run("compare sweep.results.jsonl --metric locality_rate --metric success_ratio").out,
            "locality_rate is undefined in all runs: blocks have no places, or no map was done\n\n"
            "success_ratio is undefined in all runs: no job has a deadline, or none was accepted\n");
  EXPECT_EQ(run("compare sweep.results.jsonl --metric energy_j").out,
            "energy_j is undefined in all runs: the cluster file tells no power\n");
  const std::string usual = run("compare sweep.results.jsonl").out;
  EXPECT_THAT(usual, HasSubstr("cost_usd\n"));
  EXPECT_THAT(usual, Not(HasSubstr("energy_j")));
  const json metric =
      json::parse(run("compare sweep.results.jsonl --metric accept_ratio --json").out)["metrics"][0];
  EXPECT_EQ(metric["undefined"], json::array({"fifo", "fair"}));
  EXPECT_TRUE(metric["policies"].empty());
  const auto some = compare("some.csv", "who,run,hours\na,1,2\nb,1,\n", "--by who --pair run --metric hours");
  EXPECT_THAT(some.out, HasSubstr("hours is undefined in all runs of 'b': no value in the file\n"));
}

TEST_F(Compare, PassesOverAByteOrderMark) {
  const std::string table = "policy,run,m\na,1,2\nb,1,1\na,2,7\nb,2,5\n",
                    flags = "--pair run --metric m --json";
  const auto plain = compare("plain.csv", table, flags),
             marked = compare("marked.csv", "\xef\xbb\xbf" + table, flags);
  ASSERT_EQ(marked.status, 0) << marked.err;
  EXPECT_EQ(json::parse(marked.out)["metrics"], json::parse(plain.out)["metrics"]);
}

// RFC 4180: a field in quotes may hold line breaks.
TEST_F(Compare, TakesFieldsOfSeveralLines) {
  const std::string flags = "--by who --pair run --metric hours --json";
  const auto plain = compare("plain.csv", "who,run,hours\na,one,2\nb,one,1\na,two,1e-400\nb,two,5\n", flags),
             broken =
                 compare("broken.csv",
                         "who,run,hours\r\na,\"first\r\n\r\n\"\"one\"\"\",2\r\nb,\"first\n\n\"\"one\"\"\",1\n"
                         "a,two,0\nb,two,5\n",
                         flags);
  ASSERT_EQ(broken.status, 0) << broken.err;
  EXPECT_EQ(json::parse(broken.out)["metrics"], json::parse(plain.out)["metrics"]);
}

TEST_F(Compare, SaysWhatIsWrongWithATable) {
  const std::string flags = "--by who --pair run --metric hours";
  const auto refused = [&](const std::string& name, const std::string& table, const std::string& words) {
    const auto result = compare(name, table, flags);
    EXPECT_NE(result.status, 0) << table;
    EXPECT_THAT(result.err, HasSubstr(words));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_EQ(result.out, "");
  };
  refused("a.csv", "", "no rows");
  refused("a.csv", "who,run,hours\n", "no rows");
  refused("a.csv", "who,run,who\na,1,2\n", "a.csv:1: column 'who' twice");
  refused("a.csv", "who,\"run,hours\na,1,2\n", "a.csv:1: a quote is not closed");
  refused("a.csv", "who,run,hours\na,1,2\n\"b\nb,1,2\n", "a.csv:3: a quote is not closed");
  refused("a.csv", "who,run,hours\na,1\n", "a.csv:2: 2 fields under 3 headings");
  refused("a.csv", "who,run,hours\na,1,2\nb,1,soon\n", "a.csv:3: hours is 'soon', not a number");
  refused("a.csv", "who,run,hours\na,1,2\nb,1,1e308\n", "a.csv:3: hours is '1e308', beyond 1e150");
  refused("a.csv", "who,run,hours\na,1,2\nb,1,-1e309\n", "a.csv:3: hours is '-1e309', beyond 1e150");
  refused("a.csv", "who,run,hours,\"a\nb\"\na,1,2,x\nb,1,soon,x\n", "a.csv:4: hours is 'soon', not a number");
  refused("a.csv", "who,run,hours\na,1,2\na,1,3\nb,1,2\n", "a.csv:3: a second row of who 'a'");
  refused("a.csv", "who,run,hours\na,1,2\n", "only one who to compare: 'a'");
  refused("a.csv", "who,run,days\na,1,2\nb,1,2\n", "has no column 'hours'");
  refused("a.jsonl", "{\"who\":\"a\",\"run\":1,\"hours\":2}\n[1]\n", "a.jsonl:2: not a JSON object");
  refused("a.jsonl", "{\"who\":\"a\",\"run\":1,\"ho", "a.jsonl:1: not a JSON object");
  refused("a.txt", "x", "neither CSV nor JSON Lines");
}

}  // namespace
}  // namespace wavewright
