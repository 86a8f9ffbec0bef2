// `wavewright energy fit` on samples and a history whose powers, factor and intervals follow by hand, on
// samples of meters that wrap, drop readings and jump back, and for classes that are not there.
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/commands/run.h"

namespace wavewright {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;

// Two nodes for 24 bins of 5 s: two bins idle, two with one running map, and so on. Idle, a1 draws 100 W and
// b1 50 W. A map of job `md` takes 10 s and 20 W on a1, 5 s and 25 W on b1.
class EnergyFitCommand : public CommandTest {
 protected:
  static constexpr std::int64_t began = 1'795'165'490'000, bin = 5'000;
  static constexpr int bins = 24;

  void SetUp() override {
    CommandTest::SetUp();
    json tasks = json::array();
    for (int first = 2; first < bins; first += 4) {
      tasks.push_back(map(tasks.size(), "a1", first, 2));
      for (const int half : {0, 1}) tasks.push_back(map(tasks.size(), "b1", first + half, 1));
    }
    const json job = {{"jobID", "job_1_0001"},
                      {"jobName", "md"},
                      {"user", "u"},
                      {"outcome", "SUCCESS"},
                      {"submitTime", began},
                      {"launchTime", began},
                      {"finishTime", began + bins * bin},
                      {"totalMaps", tasks.size()},
                      {"totalReduces", 0},
                      {"mapTasks", tasks}};
    write("trace.json", job.dump());
  }
  static json map(std::size_t number, const char* node, int first_bin, int length) {
    const std::int64_t start = began + first_bin * bin, end = start + length * bin;
    const json attempt = {{"attemptID", fmt::format("attempt_1_0001_m_{:06}_0", number)},
                          {"result", "SUCCESS"},
                          {"startTime", start},
                          {"finishTime", end},
                          {"hostName", std::string("/rack/") + node}};
    return {{"taskID", fmt::format("task_1_0001_m_{:06}", number)},
            {"taskType", "MAP"},
            {"taskStatus", "SUCCESS"},
            {"startTime", start},
            {"finishTime", end},
            {"attempts", json::array({attempt})}};
  }
  // Joules that the node's counter goes on by in the bin; `error` W more and less by turns.
  static std::int64_t joules(bool on_a1, int of_bin, int error) {
    const bool busy = of_bin % 4 >= 2;
    const int idle = on_a1 ? 100 : 50, of_map = on_a1 ? 20 : 25;
    const int watts = idle + (busy ? of_map : 0) + (of_bin % 2 == 0 ? error : -error);
    return watts * bin / 1000;
  }
  static std::string row(std::int64_t at, const char* node, std::int64_t counter_j, const char* wraps = "",
                         const char* broke = "") {
    return fmt::format("{},{},rapl/package-0,{},,{},{}\n", at, node, counter_j * 1'000'000, wraps, broke);
  }
  static std::string clean_rows(bool of_a1, int error) {
    std::string rows;
    std::int64_t counter = 7;
    for (int reading = 0; reading <= bins; ++reading) {
      rows += row(began + reading * bin, of_a1 ? "a1" : "b1", counter);
      if (reading < bins) counter += joules(of_a1, reading, error);
    }
    return rows;
  }
  void samples(const std::string& rows) const {
    write("samples.csv", "time_ms,node,source,energy_uj,power_mw,wraps_at_uj,broke\n" + rows);
  }
  // Runs `energy fit` on these samples, with class `slow` of a1 and `fast` of b1.
  [[nodiscard]] json fitted(const std::string& classes = "--class slow=a1 --class fast=b1") const {
    const CommandResult ran = run(fit_ + classes + " --json");
    EXPECT_EQ(ran.status, 0) << ran.err;
    return json::parse(ran.out);
  }
  static void expect_estimate(const json& found, double value, double low, double high) {
    constexpr double near = 0.002;
    EXPECT_NEAR(found["value"].get<double>(), value, near);
    EXPECT_NEAR(found["low"].get<double>(), low, near);
    EXPECT_NEAR(found["high"].get<double>(), high, near);
  }

  const std::string fit_ = "energy fit samples.csv --histories trace.json ";
};

// Each bin errs by 2 W, neighbours in opposite directions. With 12 bins idle and 12 busy the deviation of the
// residuals is s = 2 · √(24/22), and Student's t of 22 degrees of freedom is 2.0739:
//
//     idle      s · √(1/12)          = 0.6030 W, so ± 1.2506 W
//     map       s · √(1/12 + 1/12)   = 0.8528 W, so ± 1.7686 W
//     E_map     20 W · 10 s = 200 J ± 17.686 J, and 25 W · 5 s = 125 J ± 8.843 J
//     factor    200 / 125 = 1.6, its logarithm ± 1.95996 · √((0.8528/20)² + (0.8528/25)²) = ± 0.10703
TEST_F(EnergyFitCommand, FindsPowersAndFactorsWithTheIntervalsThatFollowByHand) {
  samples(clean_rows(true, 2) + clean_rows(false, 2));
  const json found = fitted();
  ASSERT_EQ(found["classes"].size(), 2U);
  const json &slow = found["classes"][0], &fast = found["classes"][1];
  EXPECT_EQ(slow["class"], "slow");
  EXPECT_EQ(slow["bins"], bins);
  expect_estimate(slow["power_idle_w"], 100, 98.7494, 101.2506);
  expect_estimate(slow["power_map_w"], 20, 18.2314, 21.7686);
  expect_estimate(fast["power_idle_w"], 50, 48.7494, 51.2506);
  ASSERT_EQ(slow["jobs"].size(), 1U);
  ASSERT_EQ(fast["jobs"].size(), 1U);
  const json &here = slow["jobs"][0], &there = fast["jobs"][0];
  EXPECT_EQ(here["job"], "md");
  EXPECT_EQ(here["maps"], 6);
  EXPECT_EQ(there["maps"], 12);
  expect_estimate(here["map_energy_j"], 200, 182.3140, 217.6860);
  expect_estimate(there["power_w"], 25, 23.2314, 26.7686);
  expect_estimate(there["map_energy_j"], 125, 116.1570, 133.8430);
  EXPECT_EQ(here["energy_factor"], nullptr);
  EXPECT_EQ(there["speed"], 2.0);
  expect_estimate(there["energy_factor"], 1.6, 1.4376, 1.7807);
  const std::string text = run(fit_ + "--class slow=a1 --class fast=b1").out;
  EXPECT_THAT(text, ContainsRegex("E_map J"));
  EXPECT_THAT(text, ContainsRegex("fast +md +12 +5s +25.00 +23.23 to 26.77 +125.0 +116.2 to 133.8 +2.00 "
                                  "+1.600 +1.438 to 1.781"));
}

// The counter of a1 begins at 4,300 J and goes round at 5,000 J. Reading 6 is missing. At reading 14 the
// counter begins anew: a wrap would be 3,600 J in 5 s. A row of the past stands behind reading 16, and before
// reading 19 the machine slept. Without other errors the powers come back whole.
TEST_F(EnergyFitCommand, MendsOrLeavesOutWhatMetersGetWrong) {
  std::string rows;
  std::int64_t counter = 4'300;
  for (int reading = 0; reading <= bins; ++reading) {
    if (reading == 14) counter = 0;
    const std::int64_t at = began + reading * bin;
    if (reading != 6) rows += row(at, "a1", counter % 5'000, "5000000000", reading == 19 ? "suspended" : "");
    if (reading == 16) rows += row(at - bin, "a1", counter % 5'000, "5000000000");
    if (reading < bins) counter += joules(true, reading, 0);
  }
  samples(rows + clean_rows(false, 0));
  const json found = fitted();
  EXPECT_EQ(found["samples"], json({{"readings", 50},
                                    {"repeated", 0},
                                    {"wraps", 3},
                                    {"dropped", 1},
                                    {"backwards", 1},
                                    {"resets", 1},
                                    {"ambiguous", 0},
                                    {"implausible", 0},
                                    {"broken", 1}}));
  EXPECT_EQ(
      found["remarks"],
      json::array({"rapl/package-0 of a1: left out: 1 reading out of order in time, 1 span in which the "
                   "counter began anew or jumped, or with more than any machine draws, 1 span in which "
                   "the machine was suspended, or its clock set"}));
  const json &slow = found["classes"][0], &fast = found["classes"][1];
  EXPECT_EQ(slow["covered_ms"], (bins - 3) * bin) << "a reset, a row of the past and a sleep cost a bin each";
  expect_estimate(slow["power_idle_w"], 100, 100, 100);
  expect_estimate(slow["power_map_w"], 20, 20, 20);
  expect_estimate(fast["jobs"][0]["energy_factor"], 1.6, 1.6, 1.6);
}

// On a1, reading 5 and the last one are an hour ahead. On b1, the first is ten minutes early and the last a
// minute late. Only the spans that begin or end there are left out, and the powers come back whole.
TEST_F(EnergyFitCommand, AReadingWithAWrongTimeCostsNoMoreThanItself) {
  const auto rows = [](bool of_a1, const std::map<int, std::int64_t>& wrong) {
    std::string text;
    std::int64_t counter = 7;
    for (int reading = 0; reading <= bins; ++reading) {
      const auto found = wrong.find(reading);
      const std::int64_t off = found == wrong.end() ? 0 : found->second;
      text += row(began + reading * bin + off, of_a1 ? "a1" : "b1", counter);
      if (reading < bins) counter += joules(of_a1, reading, 0);
    }
    return text;
  };
  constexpr std::int64_t minute = 60'000, hour = 60 * minute;
  samples(rows(true, {{5, hour}, {bins, hour}}) + rows(false, {{0, -10 * minute}, {bins, minute}}));
  const json found = fitted();
  EXPECT_EQ(found["samples"], json({{"readings", 50},
                                    {"repeated", 0},
                                    {"wraps", 0},
                                    {"dropped", 3},
                                    {"backwards", 1},
                                    {"resets", 0},
                                    {"ambiguous", 0},
                                    {"implausible", 3},
                                    {"broken", 0}}));
  const json &slow = found["classes"][0], &fast = found["classes"][1];
  EXPECT_EQ(slow["covered_ms"], (bins - 3) * bin);
  EXPECT_EQ(fast["covered_ms"], (bins - 2) * bin);
  expect_estimate(slow["power_idle_w"], 100, 100, 100);
  expect_estimate(slow["power_map_w"], 20, 20, 20);
  expect_estimate(fast["power_idle_w"], 50, 50, 50);
  expect_estimate(fast["power_map_w"], 25, 25, 25);
  EXPECT_EQ(found["remarks"],
            json::array({"rapl/package-0 of a1: left out: 1 reading out of order in time, 1 long span with "
                         "far less or far more power than all others",
                         "rapl/package-0 of b1: left out: 2 long spans with far less or far more power than "
                         "all others"}));
  samples(rows(true, {{bins, 9'223'372'036'854'775'807 - began - bins * bin}}));
  const CommandResult refused = run(fit_ + "--class slow=a1");
  EXPECT_EQ(refused.status, 3);
  EXPECT_THAT(refused.err, HasSubstr("samples.csv:26: time_ms is 9223372036854775807, after the year 9999"));
}

// The same rows twice, in files that were joined, and from the latest to the earliest give the same powers.
TEST_F(EnergyFitCommand, TakesFilesAsTheyAreJoinedAndSorted) {
  const std::string a1 = clean_rows(true, 2), b1 = clean_rows(false, 2);
  samples(a1 + b1);
  const json once = fitted();
  samples(a1 + b1 + b1 + a1);
  const json twice = fitted();
  EXPECT_EQ(twice["classes"], once["classes"]);
  EXPECT_EQ(twice["samples"]["readings"], 2 * (bins + 1));
  EXPECT_EQ(twice["samples"]["repeated"], 2 * (bins + 1));
  samples(a1);
  const std::string first = read("samples.csv");
  samples(b1);
  const std::string mark = "\xef\xbb\xbf", second = read("samples.csv");
  write("samples.csv", mark + first + mark + second);
  EXPECT_EQ(fitted()["classes"], once["classes"]);
  std::string falling;
  std::istringstream rows(a1 + b1);
  for (std::string line; std::getline(rows, line);) falling.insert(0, line + "\n");
  samples(falling);
  const json turned = fitted();
  EXPECT_EQ(turned["classes"], once["classes"]);
  EXPECT_EQ(turned["remarks"],
            json::array({"samples.csv: rows of 2 sources are in reverse order, and turned"}));
}

TEST_F(EnergyFitCommand, RefusesClassesThatNoNodeHas) {
  samples(clean_rows(true, 2) + clean_rows(false, 2));
  const auto refusal = [&](const std::string& flags) {
    const CommandResult ran = run(fit_ + flags);
    EXPECT_EQ(ran.status, 2) << flags << ran.err;
    EXPECT_EQ(lines_of(ran.err), 1U) << ran.err;
    EXPECT_EQ(ran.out, "");
    return ran.err;
  };
  EXPECT_THAT(refusal("--class slow=a1 --class gpu=node7,node8"),
              AllOf(HasSubstr("--class gpu: the samples have none of its nodes: node7, node8"),
                    HasSubstr("they are of a1, b1; name the nodes as the samples do")));
  write("c.toml",
        "[[nodes]]\nclass = \"slow\"\nhosts = [\"a1\"]\nmap_slots = 1\n"
        "[[nodes]]\nclass = \"fast\"\nhosts = [\"b1\"]\nmap_slots = 1\n");
  EXPECT_THAT(refusal("--cluster c.toml --class gpus=b1"),
              AllOf(HasSubstr("--class: no node of c.toml is of class 'gpus'"),
                    HasSubstr("its classes are slow, fast; name one of them")));
  const json by_file = fitted("--cluster c.toml")["classes"][1];
  EXPECT_EQ(by_file["class"], "fast");
  EXPECT_NEAR(by_file["jobs"][0]["energy_factor"]["value"].get<double>(), 1.6, 1e-9);
  const json partly = fitted("--class slow=a1,a2 --class fast=b1");
  EXPECT_EQ(partly["remarks"], json::array({"class slow: the samples have no node a2"}));
  EXPECT_THAT(refusal("--class slow=a1 --class fast=b1,a1"),
              HasSubstr("a1 is named in the classes slow and fast; a node belongs to one class"));
  EXPECT_THAT(refusal("--cluster c.toml --class slow=b1"),
              HasSubstr("b1 is named in the classes slow and fast"));
  write("bare.toml", "[[nodes]]\nclass = \"slow\"\nmap_slots = 1\n");
  EXPECT_THAT(fitted("--cluster bare.toml")["remarks"].dump(),
              HasSubstr("bare.toml: no row has a1, b1 among its hosts: taken as class default"));
}

}  // namespace
}  // namespace wavewright
