// `wavewright compare`: tables of runs, pairs, and what is wrong with a table.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "tests/commands/run.h"

namespace wavewright {
namespace {

using nlohmann::json;
using testing::HasSubstr;

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
  refused("a.csv", "who,run,hours\na,1\n", "a.csv:2: 2 fields under 3 headings");
  refused("a.csv", "who,run,hours\na,1,2\nb,1,soon\n", "a.csv:3: hours is 'soon', not a number");
  refused("a.csv", "who,run,hours\na,1,2\na,1,3\nb,1,2\n", "a.csv:3: a second row of who 'a'");
  refused("a.csv", "who,run,hours\na,1,2\n", "only one who to compare: 'a'");
  refused("a.csv", "who,run,days\na,1,2\nb,1,2\n", "has no column 'hours'");
  refused("a.jsonl", "{\"who\":\"a\",\"run\":1,\"hours\":2}\n[1]\n", "a.jsonl:2: not a JSON object");
  refused("a.jsonl", "{\"who\":\"a\",\"run\":1,\"ho", "a.jsonl:1: not a JSON object");
  refused("a.txt", "x", "neither CSV nor JSON Lines");
}

}  // namespace
}  // namespace wavewright
