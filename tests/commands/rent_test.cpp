// `wavewright rent`: what a user sees, and one line for each input that is none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

#include "tests/commands/run.h"

namespace wavewright {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class Rent : public CommandTest {
 protected:
  std::string file(const std::string& name, const std::string& text) {
    write(name, text);
    return name;
  }
};

// In hours: jobs of 8, 9 and 9 on two machines, S(2) = 21/20, a = 1, b = 5.
TEST_F(Rent, PlansTheExampleOfTheErrata) {
  const std::string jobs = file("jobs.csv", "job,work\na,8h\nb,9h\nc,9h\n");
  const auto ran =
      run("rent plan " + jobs + " --machines 2 --speedup 'table(1=1, 2=1.05)' --price 1 --delay 5 --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  std::map<std::string, double> cost;
  const json result = json::parse(ran.out);
  for (const json& each : result["policies"]) cost[each["policy"]] = each["cost"];
  EXPECT_NEAR(cost.at("all-sizes"), 207, 1e-9);
  EXPECT_NEAR(cost.at("ascending"), 201, 1e-9);
}

TEST_F(Rent, RefusesInOneLine) {
  const std::string rest = " --machines 4 --speedup linear --price 1 --delay 1";
  const std::string jobs = file("jobs.csv", "job,work\na,8h\n");
  const auto refuses = [this](const std::string& arguments, int status, const std::string& words) {
    const auto ran = run("rent " + arguments);
    EXPECT_EQ(ran.status, status) << arguments;
    EXPECT_THAT(ran.err, HasSubstr(words));
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_EQ(ran.out, "");
  };
  refuses("fit " + file("none.csv", ""), 3, "there are no lines");
  refuses("fit " + file("one.csv", "machines,seconds\n4,5\n"), 2, "all runs are on 4 machines");
  refuses("fit " + file("zero.csv", "machines,seconds\n4,0\n"), 3, "zero.csv:2: '0' is no usable time");
  refuses("plan " + file("empty.csv", "job,work\n") + rest, 3, "there are no lines");
  refuses("plan " + file("nan.csv", "job,work\na,nan\n") + rest, 3, "'nan' is no usable work");
  refuses("plan " + jobs + " --machines 0 --speedup linear --price 1 --delay 1", 2, "--machines");
  refuses("plan " + jobs + " --machines 99999999999 --speedup linear --price 1 --delay 1", 2, "--machines");
  refuses("plan " + jobs + " --machines 4 --speedup linear --price -1 --delay 1", 2, "--price");
  refuses("plan " + jobs + " --machines 4 --price 1 --delay 1", 2, "no speed-up");
  refuses("plan " + jobs + rest + " --runs " + jobs, 2, "both --speedup and --runs");
  refuses("plan " + jobs + rest + " --policy gredy-sizes", 2, "did you mean 'greedy-sizes'");
  refuses("online " + jobs + rest + " --policy all", 2, "unknown policy 'all'");
}

TEST_F(Rent, OnlineNamesItsRivals) {
  const std::string jobs = file("jobs.csv", "job,work,arrival\nlong,4h,0\nshort,1h,1h\n");
  const auto ran = run("rent online " + jobs + " --machines 1 --speedup linear --price 1 --delay 1 --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const json result = json::parse(ran.out);
  EXPECT_NEAR(result["cost"].get<double>(), 13, 1e-9);
  EXPECT_NEAR(result["clairvoyant_cost"].get<double>(), 12, 1e-9);
  EXPECT_NEAR(result["ratio_to_clairvoyant"].get<double>(), 13.0 / 12, 1e-9);
  EXPECT_NEAR(result["alone_bound"].get<double>(), 10, 1e-9);
}

}  // namespace
}  // namespace wavewright
