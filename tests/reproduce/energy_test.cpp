// UNL's tables of energy through the command: arithmetic as it stands, simulations on few runs or few jobs.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "tests/job/run_command.h"
#include "tests/paths.h"
#include "tests/temporary_folder.h"

namespace wavewright {
namespace {

using nlohmann::json;
using testing::HasSubstr;
namespace fs = std::filesystem;

json rows_by_key(const json& entry) {
  json rows = json::object();
  for (const json& row : entry.at("rows")) rows[row.at("key").get<std::string>()] = row;
  return rows;
}

json rows_of_entry(const std::string& arguments) {
  const CommandResult result = run_command("reproduce --json --no-assumptions " + arguments);
  EXPECT_EQ(result.status, 0);
  return rows_by_key(json::parse(result.out).at("entries").at(0));
}

double ours_in(const json& rows, const std::string& key) {
  return rows.at(key).at("ours").get<double>();
}

TEST(UnlEnergy, ProfiledEnergiesContradictWhatThePoliciesAreToSave) {
  const json rows = rows_of_entry("unl-tab65");
  const auto ours = [&](const std::string& key) { return ours_in(rows, key); };
  EXPECT_NEAR(ours("cpu.idle"), 0.1175, 1e-9);
  EXPECT_NEAR(ours("cpu.work"), 0.0271, 1e-9) << "0.1446 − 0.1175, printed as 0.0269";
  for (const std::string mode : {"cpu", "gpu"}) {
    EXPECT_NEAR(ours("I." + mode + ".idle"), 78, 1.1) << mode;
    EXPECT_NEAR(ours("II." + mode + ".idle"), 68, 0.5) << mode;
  }
  EXPECT_NEAR(ours("I.gpu.factor"), 0.0269 / (0.05858 - 0.061 + 0.0269 / 1.23), 1e-9);
  EXPECT_NEAR(ours("II.cpu.factor"), 0.0269 / (0.0533 - 0.05185 + 0.0269 / 1.52), 1e-9);
  EXPECT_EQ(ours("jobs"), 88);
  EXPECT_EQ(ours("maps"), 2410);
  EXPECT_NEAR(ours("md.least"), 21.3, 0.05) << "all printed work is 2.61 kWh";
  EXPECT_NEAR(ours("saving.most"), 34.2, 0.05) << "no factor is above 1.52";
  for (const std::string policy : {"efh-noae", "efh", "ideal"})
    EXPECT_GT(ours(policy + ".saving"), ours("saving.most") + 19) << policy;
  EXPECT_NEAR(ours("idle.w"), 1628, 1);
  EXPECT_NEAR(ours("idle.other"), 71, 1);
  EXPECT_GT(ours("ideal.idle.w"), 1.5 * ours("idle.w")) << "by the figures of the same machines";
  for (const char* const row :
       {"cpu.work", "jobs", "md.least", "saving.most", "idle.servers", "ideal.idle.w", "md.II-gpu.w"})
    EXPECT_EQ(rows.at(row).at("verdict"), "differs") << row;
}

TEST(UnlEnergy, NoPrintedPValueOfEnergyFollowsFromThePrintedRuns) {
  const json rows = rows_of_entry("unl-tab613");
  const auto ours = [&](const std::string& key) { return ours_in(rows, key); };
  EXPECT_NEAR(ours("energy.fifo.efh.p"), 0.0026, 5e-5);
  EXPECT_NEAR(ours("energy.fifo.noae.p"), 0.0011, 5e-5);
  EXPECT_NEAR(ours("energy.efh.noae.p"), 0.776, 5e-4);
  for (const std::string pair : {"fifo.efh", "fifo.noae", "efh.noae"}) {
    const auto within_rounding = [&](const std::string& metric) {
      const std::string key = metric + "." + pair + ".p";
      const double printed = rows.at(key).at("paper");
      return ours(key + ".least") <= printed && printed <= ours(key + ".most");
    };
    EXPECT_FALSE(within_rounding("energy")) << pair;
    EXPECT_TRUE(within_rounding("turnaround")) << pair;
    EXPECT_EQ(rows.at("locality." + pair + ".p").at("verdict"), "agrees") << pair;
    EXPECT_EQ(rows.at("energy." + pair + ".p").at("verdict"), "differs") << pair;
  }
  EXPECT_NEAR(ours("turnaround.noae.half"), 0.057, 5e-4) << "printed as 0.1";
  EXPECT_EQ(rows.at("turnaround.noae.half").at("verdict"), "agrees") << "it rounds to the digit printed";
  EXPECT_EQ(rows.at("energy.efh.half").at("verdict"), "differs");
  EXPECT_NEAR(ours("energy.efh.mean"), 11.78, 5e-4) << "table 6.14 prints 11.79";
  EXPECT_EQ(rows.at("energy.efh.mean").at("verdict"), "differs");
  EXPECT_NEAR(ours("energy.efh.half"), 0.203, 5e-4) << "printed as 0.13";
  EXPECT_NEAR(ours("energy.efh.error"), 0.0386, 5e-5) << "printed as 0.03";
  EXPECT_EQ(rows.at("energy.efh.error").at("verdict"), "differs");
}

#if !defined(__SANITIZE_ADDRESS__)  // the code of the small entries below, for many hours of simulated time
// The signs that are plain on few runs; docs/use/reproduce.md tells the rest.
TEST(UnlEnergy, PoliciesAreInThePapersOrderAndSaveNoMoreThanTheFactorsAllow) {
  const json rows = rows_of_entry("unl-tab611 --replications 3");
  const auto ours = [&](const std::string& key) { return ours_in(rows, key); };
  const std::pair<const char*, double> factors[] = {{"md.I", 1.23},      {"md.I-gpu", 1.41},
                                                    {"md.II", 1.4},      {"md.II-gpu", 1.52},
                                                    {"loadgen.I", 1.04}, {"loadgen.II", 1.05}};
  for (const auto& [key, printed] : factors)
    EXPECT_NEAR(ours(std::string(key) + ".factor"), printed, 1e-4) << key;
  EXPECT_LT(ours("fifo.turnaround"), ours("efh-noae.turnaround")) << "only GPUs run MD maps";
  EXPECT_LT(ours("efh.turnaround"), ours("efh-noae.turnaround")) << "CPUs help";
  EXPECT_GT(ours("ideal.turnaround"), 2 * ours("efh-noae.turnaround")) << "one GPU runs all MD maps";
  EXPECT_LT(ours("ideal.work"), ours("efh-noae.work"));
  EXPECT_LT(ours("efh-noae.work"), ours("fifo.work"));
  EXPECT_GT(ours("ideal.energy"), ours("fifo.energy")) << "machines idle for many hours";
  for (const std::string policy : {"efh-noae", "efh", "ideal"})
    EXPECT_GT(ours(policy + ".work-above.fifo"), -35) << policy << ": 1 / 1.52 − 1 is −34.2 %";
  for (const std::string policy : {"fifo", "efh-noae", "efh", "ideal"}) {
    EXPECT_GT(ours(policy + ".work"), 2 * 2.61) << policy << ": more than all work that is printed";
    EXPECT_GE(ours(policy + ".energy") - ours(policy + ".work"), 1.628 * 6.5) << policy;
    EXPECT_GT(ours(policy + ".locality"), 0) << policy;
    EXPECT_LT(ours(policy + ".locality"), 100) << policy;
  }
}
#endif

// Entries of reproduce/ with ten jobs.
class SmallEnergy : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_ / "reproduce"); }
  static json read(const std::string& id) {
    std::ifstream file(fs::path(source_dir()) / "reproduce" / (id + ".json"));
    json made = json::parse(file);
    made["inputs"]["workload"]["jobs"] = "10";
    made["inputs"]["replications"] = 1;
    return made;
  }
  // The entry's result, or what the command complains of. Its charts go to the folder `charts`.
  json run(const json& made) {
    const auto id = made.at("id").get<std::string>();
    std::ofstream(folder_ / "reproduce" / (id + ".json")) << made.dump();
    ::setenv("WAVEWRIGHT_DATA", folder_.c_str(), 1);
    const std::string command = "reproduce --json --out " + charts_.string() + " " + id;
    const CommandResult result = run_command(command + " 2>&1");
    ::unsetenv("WAVEWRIGHT_DATA");
    if (result.status != 0) return result.out;
    return json::parse(result.out).at("entries").at(0);
  }
  TemporaryFolder own_;
  fs::path folder_ = own_.path(), charts_ = folder_ / "charts";
};

TEST_F(SmallEnergy, MapsAreNearWhereEachServerHasTheirBlocks) {
  json made = read("unl-tab611");
  made["assumptions"] = json::array();
  const auto near = [&](const char* const replicas) {
    made["inputs"]["workload"]["replicas"] = replicas;
    return rows_by_key(run(made));
  };
  const json everywhere = near("8"), once = near("1");
  for (const std::string policy : {"fifo", "efh-noae", "efh", "ideal"}) {
    EXPECT_DOUBLE_EQ(ours_in(everywhere, policy + ".locality"), 100) << policy;
    EXPECT_LT(ours_in(once, policy + ".locality"), 100) << policy;
  }
}

// Figures 6.1 (a, b and c), 6.3, 6.4 and 6.2 beside what the paper prints. Turnarounds are not compared.
TEST_F(SmallEnergy, ChartsShowThePapersFigures) {
  json made = read("unl-tab611");
  made["assumptions"] = json::array();
  ASSERT_TRUE(run(made).is_object());
  const std::vector<std::string> figures = {"figs 6.1 a, 6.3", "figs 6.1 b, 6.4", "fig. 6.1 c", "fig. 6.2"};
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const std::ifstream file(charts_ / ("unl-tab611-" + std::to_string(i + 1) + ".svg"));
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_THAT(text.str(), testing::AllOf(HasSubstr(figures[i]), HasSubstr(">FIFO<"), HasSubstr(">EFH<"),
                                           HasSubstr(">EFH without adaptive execution<")));
    EXPECT_EQ(text.str().find(">IDEAL<") != std::string::npos, i != 2) << "fig. 6.1 c is without IDEAL";
    EXPECT_EQ(text.str().find("as the paper prints it") != std::string::npos, i != 0) << figures[i];
  }
}

// Each stands in the one file with another choice, whose effect is run beside it.
TEST_F(SmallEnergy, WhatThePaperLeavesOpenHasAnotherChoiceInTheEntry) {
  const json made = read("unl-tab611");
  for (const char* const pointer : {"/workload/md_ms",
                                    "/workload/speed_I",
                                    "/workload/speed_II",
                                    "/workload/loadgen_ms",
                                    "/workload/replicas",
                                    "/workload/blocks",
                                    "/workload/md_input",
                                    "/workload/reduce_ms",
                                    "/workload/vary",
                                    "/workload/md_kwh",
                                    "/cluster/loadgen_w",
                                    "/cluster/idle_w/I",
                                    "/cluster/idle_w/II",
                                    "/cluster/other_w",
                                    "/cluster/drawn_by",
                                    "/cluster/cpu_containers",
                                    "/cluster/gpu_cpu_containers",
                                    "/cluster/reduce_slots",
                                    "/cluster/heartbeat_s",
                                    "/cluster/out_of_band",
                                    "/cluster/launch_s",
                                    "/policies/efh",
                                    "/policies/efh-noae"}) {
    const json::json_pointer place(pointer);
    const json& taken = made.at("inputs").at(place);
    std::size_t others = 0;
    for (const json& each : made.at("assumptions")) {
      if (!each.at("inputs").contains(place)) continue;
      EXPECT_NE(each.at("inputs").at(place), taken) << pointer;
      EXPECT_FALSE(each.at("rows").empty()) << pointer;
      ++others;
    }
    EXPECT_GE(others, 1U) << pointer;
  }
  // The threshold also has none at all.
  for (const char* const policy : {"efh", "efh-noae"}) {
    std::size_t never = 0;
    for (const json& each : made.at("assumptions")) {
      const json policies = each.at("inputs").value("policies", json::object());
      never += policies.value(policy, "").find("threshold=never") != std::string::npos ? 1U : 0U;
    }
    EXPECT_EQ(never, 1U) << policy;
  }
}

TEST_F(SmallEnergy, OtherPowerAndTheEnergyOfMdMapsShowWhatTheyChange) {
  json made = read("unl-tab611");
  json kept = json::array();
  for (const json& each : made.at("assumptions")) {
    if (each.at("inputs").value("cluster", json::object()).contains("other_w") ||
        each.at("inputs").value("workload", json::object()).contains("md_kwh"))
      kept.push_back(each);
  }
  ASSERT_EQ(kept.size(), 2U);
  made["assumptions"] = kept;
  const json result = run(made);
  ASSERT_TRUE(result.is_object()) << result;
  for (const json& assumption : result.at("assumptions")) {
    json changes = json::object();
    for (const json& effect : assumption.at("effects"))
      changes[effect.at("key").get<std::string>()] = effect.at("change");
    constexpr double close = 1e-9;
    for (const std::string policy : {"fifo", "efh"}) {
      const double energy = changes.at(policy + ".energy");
      if (assumption.at("instead") == "nothing") {
        EXPECT_NEAR(energy, -71.6 / 1000 * 6.5, close) << policy;
      } else {
        EXPECT_LT(energy, 0) << policy;
        EXPECT_NEAR(energy, changes.at(policy + ".work").get<double>(), close) << policy;
      }
    }
  }
}

// What the paper leaves open stands in the entry with what it changes.
TEST_F(SmallEnergy, GpuIdlePowerAndLoadgensPowerShowWhatTheyChange) {
  json made = read("unl-tab611");
  json kept = json::array();
  for (const json& each : made.at("assumptions")) {
    const json cluster = each.at("inputs").value("cluster", json::object());
    if (cluster.contains("idle_w") || cluster.contains("loadgen_w")) kept.push_back(each);
  }
  ASSERT_EQ(kept.size(), 2U);
  made["assumptions"] = kept;
  const json result = run(made);
  std::size_t seen = 0;
  for (const json& assumption : result.at("assumptions")) {
    json changes = json::object();
    for (const json& effect : assumption.at("effects"))
      changes[effect.at("key").get<std::string>()] = effect.at("change");
    const auto change = [&](const std::string& key) { return changes.at(key).get<double>(); };
    constexpr double close = 1e-9;
    for (const std::string policy : {"fifo", "efh"}) {
      EXPECT_NEAR(change(policy + ".turnaround"), 0, close) << policy;
      if (assumption.at("instead") == "50 W") {
        EXPECT_GT(change(policy + ".work"), 0) << policy;
        EXPECT_NEAR(change(policy + ".energy"), change(policy + ".work"), close) << policy;
      } else {
        EXPECT_NEAR(change(policy + ".work"), 0, close) << policy;
        EXPECT_NEAR(change(policy + ".energy"), (2 * 235 - 78.6 - 68.2) / 1000 * 6.5, close) << policy;
      }
    }
    ++seen;
  }
  EXPECT_EQ(seen, 2U);
}

// By an EFH that is no candidate of the planner's own.
TEST_F(SmallEnergy, APlanTakesNoMoreThanEfhOnEqualTerms) {
  json made = read("unl-energy-plan");
  made["assumptions"] = json::array();
  made["inputs"]["evaluations"] = 4;
  made["inputs"]["policies"]["efh"] = "efh(threshold=10min)";
  for (const std::string reading : {"profiled", "printed"}) {
    for (const std::string key :
         {"due.most-below-efh", "at-once.most-below-efh", "on.wakes", "due.wakes", "at-once.wakes"})
      made["rows"].push_back(
          {{"key", reading + "." + key}, {"label", key}, {"paper", nullptr}, {"unit", ""}});
  }
  const json result = run(made);
  ASSERT_TRUE(result.is_object()) << result;
  const json rows = rows_by_key(result);
  const auto ours = [&](const std::string& key) { return ours_in(rows, key); };
  constexpr double close = 1e-9;
  for (const std::string reading : {"profiled.", "printed."}) {
    for (const std::string terms : {"on", "due", "at-once"})
      EXPECT_GE(ours(reading + terms + ".below-efh.least"), -close) << reading << terms;
    for (const std::string terms : {"due", "at-once"}) {
      EXPECT_LE(ours(reading + terms + ".later-than-efh.most"), close) << reading << terms;
      EXPECT_LE(ours(reading + terms + ".below-efh"), ours(reading + terms + ".most-below-efh") + close)
          << reading << terms;
    }
    for (const std::string terms : {"on", "off", "due", "at-once"})
      EXPECT_GE(ours(reading + terms + ".above-bound"), -close) << reading << terms;
    for (const std::string terms : {"on", "due", "at-once"})
      EXPECT_EQ(ours(reading + terms + ".wakes"), 0) << "machines are always on: " << reading << terms;
    // The bound is that of schedules in time.
    if (ours(reading + "off-due.later-than-efh.most") <= close) {
      EXPECT_GE(ours(reading + "off-due.above-bound"), -close) << reading;
    }
    EXPECT_LT(ours(reading + "efh.work"), ours(reading + "efh"));
  }
  EXPECT_LT(ours("printed.efh.work"), ours("profiled.efh.work") / 2) << "a tenth for each MD map";
}

TEST_F(SmallEnergy, UnknownPlansAreRefused) {
  json made = read("unl-energy-plan");
  made["inputs"]["plans"] = json::array({"on", "of"});
  const json complaint = run(made);
  ASSERT_TRUE(complaint.is_string());
  EXPECT_THAT(complaint.get<std::string>(),
              HasSubstr("unknown plan 'of'; give on, off, due, off-due or at-once"));
}

}  // namespace
}  // namespace wavewright
