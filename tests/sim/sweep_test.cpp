// Many simulations: the same whatever the threads, gone on with where they stopped, never mixed up.
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/job/run_command.h"
#include "tests/temporary_folder.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/random.h"
#include "wavewright/sim/experiment/sweep.h"

namespace wavewright {
namespace {

Workload drawn_workload(std::uint64_t seed) {
  Random random(seed, "sweep_test");
  Workload workload;
  for (int i = 0; i < 20; ++i) {
    Job job;
    job.id = fmt::format("J{}", i);
    job.submit = at_ms(random.integer(0, 200));
    for (auto tasks = random.integer(1, 9); tasks > 0; --tasks) job.maps.push_back(ms(random.integer(1, 50)));
    workload.jobs.push_back(job);
  }
  return workload;
}

SweepAxes some_axes(std::atomic<int>& made) {
  SweepAxes axes;
  for (int i = 0; i < 2; ++i) {
    axes.workloads.emplace_back([&made, i](std::uint64_t seed) {
      ++made;
      return drawn_workload(2 * seed + static_cast<std::uint64_t>(i));
    });
  }
  axes.clusters = {flat_cluster({3, 1}), flat_cluster({5, 2})};
  axes.policies = {"fifo", "fair", "capacity"};
  axes.seeds = {1, 2, 3};
  return axes;
}

std::map<SweepCell, Duration> makespans(unsigned threads, std::atomic<int>& made) {
  std::map<SweepCell, Duration> found;
  run_sweep(
      some_axes(made), threads, [](const SweepCell&) { return true; },
      [&](const SweepRow& row, const Workload&, const SimulationResult&) { found[row.cell] = row.makespan; },
      Stop());
  return found;
}

TEST(Sweep, GivesTheSameOnAnyNumberOfThreads) {
  std::atomic<int> made = 0;
  const auto one = makespans(1, made);
  EXPECT_EQ(made, 6) << "each workload and seed is drawn once";
  EXPECT_EQ(one.size(), 36U);
  for (const unsigned threads : {2U, 5U}) EXPECT_EQ(makespans(threads, made), one);
}

TEST(Sweep, MakesWorkloadsSideBySide) {
  std::atomic<int> made = 0;
  SweepAxes axes = some_axes(made);
  std::mutex mutex;
  std::condition_variable both;
  int inside = 0, most = 0;
  axes.workloads.assign(2, [&](std::uint64_t seed) {
    std::unique_lock lock(mutex);
    most = std::max(most, ++inside);
    both.notify_all();
    both.wait_for(lock, std::chrono::seconds(20), [&] { return most == 2; });  // one alone waits in vain
    --inside;
    return drawn_workload(seed);
  });
  axes.seeds = {1};
  run_sweep(
      axes, 2, [](const SweepCell&) { return true; },
      [](const SweepRow&, const Workload&, const SimulationResult&) {}, Stop());
  EXPECT_EQ(most, 2);
}

TEST(Sweep, ThreadsShareTheLastWorkload) {
  std::atomic<int> made = 0;
  SweepAxes axes = some_axes(made);
  axes.workloads.resize(1);
  axes.seeds = {1};
  axes.policies.assign(300, "fifo");
  std::set<std::thread::id> threads;
  run_sweep(
      axes, 2, [](const SweepCell&) { return true; },
      [&](const SweepRow&, const Workload&, const SimulationResult&) {
        threads.insert(std::this_thread::get_id());
        if (threads.size() < 2) std::this_thread::sleep_for(std::chrono::milliseconds(2));  // the other comes
      },
      Stop());
  EXPECT_EQ(threads.size(), 2U);
  EXPECT_EQ(made, 1);
}

TEST(Sweep, LeavesOutWhatIsThereAlready) {
  std::atomic<int> made = 0;
  int done = 0;
  run_sweep(
      some_axes(made), 2, [](const SweepCell& cell) { return cell.policy == 1 && cell.seed == 2; },
      [&](const SweepRow& row, const Workload&, const SimulationResult&) {
        ++done;
        EXPECT_EQ(row.cell.seed, 2U);
      },
      Stop());
  EXPECT_EQ(done, 4);
}

TEST(Sweep, EndsWithTheFirstError) {
  std::atomic<int> made = 0;
  SweepAxes axes = some_axes(made);
  axes.clusters[1] = flat_cluster({0, 1});
  EXPECT_THROW(run_sweep(
                   axes, 2, [](const SweepCell&) { return true; },
                   [](const SweepRow&, const Workload&, const SimulationResult&) {}, Stop()),
               Infeasible);
}

TEST(Sweep, ConfidenceIntervalsAreStudents) {
  const MeanInterval three = mean_interval({1, 2, 3});
  EXPECT_DOUBLE_EQ(three.mean, 2);
  EXPECT_NEAR(three.half, 4.302653 / std::sqrt(3.0), 1e-5);
  EXPECT_TRUE(std::isinf(mean_interval({7}).half));
  const MeanInterval equal = mean_interval({-41.3, -41.3, -41.3});
  EXPECT_EQ(equal.mean, -41.3);
  EXPECT_EQ(equal.half, 0) << "no interval where nothing varies";
}

class SweepCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string a = R"x({"id":"A","map_ms":{"count":30,"dist":"uniform(10,90)"}})x";
    const std::string b = R"x({"id":"B","submit_ms":20,"map_ms":[5]})x";
    write("jobs.jsonl", a + "\n" + b + "\n");
    write("small.toml", "[[nodes]]\nmap_slots = 2\n");
    write("sweep.toml",
          "workloads=['jobs.jsonl']\nclusters=['small.toml']\npolicies=['fifo','fair']\nseeds=4\n");
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
  [[nodiscard]] CommandResult sweep(const std::string& streams = "") const {
    return run_command("-q --json sweep " + path("sweep.toml") + " --out " + path("out.jsonl") + streams);
  }
  [[nodiscard]] CommandResult refusal() const { return sweep(" 2>&1"); }

  TemporaryFolder own_;
  std::filesystem::path folder_ = own_.path();
};

TEST_F(SweepCommand, GoesOnWhereItWasCutShort) {
  const auto whole = nlohmann::json::parse(sweep().out);
  ASSERT_EQ(whole.at("rows").size(), 8U);
  EXPECT_LT(whole.at("summary")[1].at("difference_percent").at("mean").get<double>(), 0) << "B waits less";
  const std::string text = read_file(path("out.jsonl"));
  write("out.jsonl", text.substr(0, text.size() - 40));  // in the middle of the last line
  const auto again = nlohmann::json::parse(sweep().out);
  EXPECT_EQ(again.at("rows").size(), 8U);
  for (std::size_t i = 0; i < 8; ++i)
    EXPECT_EQ(again["rows"][i]["makespan_ms"], whole["rows"][i]["makespan_ms"]);
}

// 10 s on one node of 100 to 200 W and 3.6 dollars an hour, wholly busy.
TEST_F(SweepCommand, TellsEnergyAndCostWhereTheClusterFileTellsThePower) {
  const nlohmann::json without = nlohmann::json::parse(sweep().out);
  EXPECT_TRUE(without["rows"][0]["energy_j"].is_null());
  std::filesystem::remove(path("out.jsonl"));
  write("jobs.jsonl", R"({"id":"A","map_ms":[10000]})" + std::string("\n"));
  write("small.toml",
        "[[nodes]]\nmap_slots = 1\npower_idle_w = 100\npower_busy_w = 200\nprice_per_hour = 3.6\n");
  const nlohmann::json with = nlohmann::json::parse(sweep().out);
  for (const nlohmann::json& row : {with["rows"][0], with["summary"][0]}) {
    EXPECT_NEAR(row["energy_j"].get<double>(), 2000, 1e-6) << row;
    EXPECT_NEAR(row["cost_usd"].get<double>(), 0.01, 1e-9) << row;
  }
}

// One cluster file tells prices alone, the other powers alone. The second sweep reads what the first has
// written.
TEST_F(SweepCommand, TellsNoEnergyWithoutPowersAndNoCostWithoutPrices) {
  write("small.toml", "[[nodes]]\nmap_slots = 2\nprice_per_hour = 3.6\n");
  write("powered.toml", "[[nodes]]\nmap_slots = 2\npower_idle_w = 100\npower_busy_w = 200\n");
  write("sweep.toml",
        "workloads=['jobs.jsonl']\nclusters=['small.toml','powered.toml']\npolicies=['fifo','fair']\n");
  const nlohmann::json first = nlohmann::json::parse(sweep().out);
  const nlohmann::json again = nlohmann::json::parse(sweep().out);
  for (const char* const part : {"rows", "summary"}) {
    EXPECT_EQ(first[part], again[part]);
    ASSERT_EQ(first[part].size(), 4U);
    for (const nlohmann::json& row : first[part]) {
      const char* const known = row["cluster"] == "powered.toml" ? "energy_j" : "cost_usd";
      const char* const unknown = row["cluster"] == "powered.toml" ? "cost_usd" : "energy_j";
      EXPECT_GT(row[known], 0) << row;
      EXPECT_TRUE(row[unknown].is_null()) << row;
    }
  }
}

TEST_F(SweepCommand, RefusesResultsOfAnotherInput) {
  (void)sweep();
  write("small.toml", "[[nodes]]\nmap_slots = 3\n");
  const CommandResult refused = refusal();
  EXPECT_EQ(refused.status, 3);
  EXPECT_THAT(refused.out, testing::HasSubstr("another 'small.toml'"));
}

TEST_F(SweepCommand, SaysWhatIsWrongWithAFile) {
  write("sweep.toml", "workloads=['jobs.jsonl']\nclusters=['small.toml']\npolicies=['fifo','fiar']\n");
  EXPECT_THAT(refusal().out, testing::HasSubstr("did you mean 'fair'"));
  write("sweep.toml", "workloads=['jobs.jsonl']\nclusters=['small.toml']\npolices=['fifo']\n");
  EXPECT_THAT(refusal().out, testing::HasSubstr("did you mean 'policies'"));
  EXPECT_EQ(refusal().status, 3);
}

}  // namespace
}  // namespace wavewright
