// The clairvoyant bound on cost against every schedule of small worlds, and against every policy.
#include "wavewright/cloud/bound/cost_bound.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/property.h"
#include "tests/sim/small_jobs.h"
#include "wavewright/cloud/bound/stage_windows.h"
#include "wavewright/cloud/deadline/policies.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/metrics/promises.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {
namespace {

// Machines for rent at 3.6 USD an hour, 1 mUSD a second. `free`: rows of nodes that are there.
Cluster cloud(const std::string& rented, const std::string& free = "") {
  return parse_cluster(free + R"(
[[nodes]]
count = 50
class = "rented"
price_per_hour = 3.6
rent = true
)" + rented,
                       "cloud.toml");
}

std::int64_t bound_of(const std::vector<Job>& jobs, const Cluster& cluster) {
  const Workload workload{jobs};
  return cost_bound(workload, cluster, std::vector<bool>(jobs.size(), true))->micro_usd;
}

Job due(Job job, int deadline) {
  job.deadline = at_ms(deadline);
  return job;
}

// The worked example of the header.
TEST(CostBound, OfFourMapsOnMachinesOfTwoSlots) {
  const Job job = due(job_of("A", {30'000, 30'000, 30'000, 30'000}, {}), 60'001);
  EXPECT_NEAR(static_cast<double>(bound_of({job}, cloud("map_slots = 2\n"))), 60'000, 1);
  const double hourly = static_cast<double>(bound_of({job}, cloud("map_slots = 2\nbilling = \"hour\"\n")));
  EXPECT_LE(hourly, 3'600'000);
  EXPECT_GT(hourly, 0.99 * 3'600'000);
}

TEST(CostBound, MapsAndReducesOfAMachineWorkAtOnce) {
  // 40 s of maps and 30 s of reduces; reduces of A run while maps of B do.
  const std::vector<Job> jobs = {job_of("A", {20'000}, {15'000}), job_of("B", {20'000}, {15'000})};
  EXPECT_NEAR(static_cast<double>(bound_of(jobs, cloud("map_slots = 1\nreduce_slots = 1\n"))), 40'000, 1);
}

// By started hour a burst needs all its machines at once: a job of 10 maps of 50 s, due within a minute,
// costs ten hours; with 50 minutes, a part of a machine is enough.
TEST(CostBound, ByStartedHourABurstPaysForItsMachines) {
  const std::vector<int> maps(10, 50'000);
  const Cluster cluster = cloud("map_slots = 1\nbilling = \"hour\"\n");
  const double hour = 3'600'000;
  const auto burst = static_cast<double>(bound_of({due(job_of("A", maps, {}), 60'000)}, cluster));
  EXPECT_LE(burst, 10 * hour);
  EXPECT_GT(burst, 0.8 * 10 * hour);
  const auto slack = static_cast<double>(bound_of({due(job_of("A", maps, {}), 3'000'000)}, cluster));
  EXPECT_LE(slack, hour / 6);  // a sixth of a machine
  EXPECT_GT(slack, 0.99 * hour / 6);
}

TEST(CostBound, WorkWaitsForTheLowestPriceItsDeadlineAllows) {
  const Cluster cluster = cloud("map_slots = 1\nspot = [[0, 3.6], [100000, 0.36], [200000, 1.8]]\n");
  const auto at = [&](int deadline) {
    return static_cast<double>(bound_of({due(job_of("A", {50'000}, {}), deadline)}, cluster));
  };
  EXPECT_NEAR(at(90'000), 50'000, 1);
  EXPECT_NEAR(at(120'000), 30'000 + 2'000, 1);
  EXPECT_NEAR(at(180'000), 5'000, 1);
}

TEST(CostBound, NodesThatAreThereAreFree) {
  const std::vector<Job> jobs = {due(job_of("A", {60'000, 60'000}, {}), 60'000)};
  const std::string one = "[[nodes]]\nmap_slots = 1\n";
  EXPECT_NEAR(static_cast<double>(bound_of(jobs, cloud("map_slots = 1\n", one))), 60'000, 60);
  EXPECT_EQ(bound_of(jobs, cloud("map_slots = 1\n", one + one)), 0);
  // Without a deadline the node does it all, some time.
  EXPECT_EQ(bound_of({job_of("A", {60'000, 60'000}, {})}, cloud("map_slots = 1\n", one)), 0);
}

// Before each rise of the price an hour is free for whoever is outbid.
TEST(CostBound, InterruptedHoursAreFree) {
  const std::string hourly = "map_slots = 1\nbilling = \"hour\"\n";
  const std::vector<Job> jobs = {due(job_of("A", {600'000}, {}), 900'000)};
  EXPECT_EQ(bound_of(jobs, cloud(hourly + "spot = [[0, 1.8], [1000000, 7.2]]\n")), 0);
  EXPECT_GT(bound_of(jobs, cloud(hourly + "spot = [[0, 1.8], [4700000, 7.2]]\n")), 1'150'000);
  // The rise at 1,000 s frees nothing before 800 s: the price was as high until then.
  const Cluster back = cloud(hourly + "spot = [[0, 7.2], [800000, 1.8], [1000000, 7.2]]\n");
  EXPECT_GT(bound_of({due(job_of("A", {600'000}, {}), 700'000)}, back), 3'000'000);
}

TEST(CostBound, InterruptedHoursLastThroughTheNoticeAndMayBeCharged) {
  const std::string hourly = "map_slots = 1\nbilling = \"hour\"\nspot = [[0, 1.8], [1000000, 7.2]]\n";
  const std::vector<Job> after = {due(job_of("A", {200'000}, {}, 1'000'000), 1'200'000)};
  EXPECT_GT(bound_of(after, cloud(hourly)), 1'700'000);
  EXPECT_EQ(bound_of(after, cloud(hourly + "notice_ms = 200000\n")), 0);
  const std::vector<Job> before = {due(job_of("A", {600'000}, {}), 900'000)};
  EXPECT_GT(bound_of(before, cloud(hourly + "interrupted_hour = \"charged\"\n")), 1'150'000);
}

TEST(CostBound, NeedsMachinesForRentAndSlots) {
  const Workload workload{{job_of("A", {1'000}, {})}};
  const Cluster fixed = parse_cluster("[[nodes]]\nmap_slots = 1\n", "fixed.toml");
  EXPECT_EQ(cost_bound(workload, fixed, {true}), std::nullopt);
  EXPECT_EQ(bound_of({}, cloud("map_slots = 1\n")), 0);
}

TEST(ImpossibleDeadlines, AreBeforeTheCriticalPath) {
  Job behind = due(job_after("B", {10'000}, {5'000}, {"A"}), 44'999);
  const Workload workload{
      {due(job_of("A", {20'000, 10'000}, {}), 29'999), behind, due(job_of("C", {}, {}, 5'000), 4'000)}};
  // A machine boots for 10 s; then 20 s for A and 15 s for B.
  const auto found =
      impossible_deadlines(workload, cloud("map_slots = 1\nreduce_slots = 1\nboot_ms = 10000\n"));
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].earliest, at_ms(30'000));
  EXPECT_EQ(found[1].earliest, at_ms(45'000));
  EXPECT_EQ(found[2].earliest, at_ms(5'000));  // its deadline is before its submission
  EXPECT_TRUE(
      impossible_deadlines({{due(job_of("A", {20'000}, {}), 20'001)}}, cloud("map_slots = 1\n")).empty());
}

// Only maps and reduces run with the speed of their node.
TEST(ImpossibleDeadlines, AShuffleTakesItsTimeAtAnySpeed) {
  for (const auto& [speed, end] : {std::pair(0.5, 56'000), std::pair(2.0, 18'500)}) {
    const Cluster cluster =
        parse_cluster(fmt::format("[[nodes]]\nmap_slots = 1\nreduce_slots = 1\nspeed = {}\n", speed), "test");
    Workload workload{{due(job_of("A", {20'000}, {5'000}), end)}};
    workload.jobs[0].first_shuffles = workload.jobs[0].shuffles = {ms(6'000)};
    EXPECT_TRUE(impossible_deadlines(workload, cluster).empty()) << speed;
    workload.jobs[0].deadline = at_ms(end - 5);
    const auto found = impossible_deadlines(workload, cluster);
    ASSERT_EQ(found.size(), 1U) << speed;
    EXPECT_NEAR(static_cast<double>(to_ms(found[0].earliest)), end, 3);
  }
}

// ---- every schedule of small worlds

constexpr int steps = 7, step_ms = 1'200'000;  // an hour is three steps

struct Small {
  Workload workload;
  Cluster cluster;
  int map_slots = 1, reduce_slots = 1, free_maps = 0;
  bool hourly = false;
  std::vector<std::int64_t> price = std::vector<std::int64_t>(steps + 3, 0);  // by step, of an hour
};

Small some_small() {
  Small small;
  small.map_slots = *rc::gen::inRange(1, 3);
  small.free_maps = *rc::gen::element(0, 0, 1);
  small.hourly = *rc::gen::arbitrary<bool>();
  std::string spot;
  // Falling, so that no hour is free by being cut short.
  std::int64_t price = 3'600'000;
  for (std::size_t at = 0; at < small.price.size(); ++at) {
    if (small.hourly ? *rc::gen::inRange(0, 3) == 0 : *rc::gen::arbitrary<bool>())
      price = small.hourly ? price - *rc::gen::inRange<std::int64_t>(1, price / 2)
                           : *rc::gen::inRange<std::int64_t>(100'000, 3'600'000);
    small.price[at] = price;
    spot += fmt::format("[{}, {:.6f}], ", static_cast<int>(at) * step_ms, static_cast<double>(price) / 1e6);
  }
  small.cluster = cloud(fmt::format("map_slots = {}\nreduce_slots = 1\nbilling = \"{}\"\nspot = [{}]\n",
                                    small.map_slots, small.hourly ? "hour" : "second", spot),
                        small.free_maps > 0 ? "[[nodes]]\nmap_slots = 1\n" : "");
  const int jobs = *rc::gen::inRange(1, 3);
  for (int i = 0; i < jobs; ++i) {
    std::vector<int> maps, reduces;
    for (int n = *rc::gen::inRange(1, 3); n > 0; --n) maps.push_back(*rc::gen::inRange(1, 3) * step_ms);
    if (*rc::gen::inRange(0, 2) == 0) reduces.push_back(*rc::gen::inRange(1, 3) * step_ms);
    Job job = job_of(i == 0 ? "A" : "B", maps, reduces, *rc::gen::inRange(0, 3) * step_ms);
    const int least =
        (*std::max_element(maps.begin(), maps.end()) + (reduces.empty() ? 0 : reduces[0])) / step_ms;
    const int from = static_cast<int>(to_ms(job.submit)) / step_ms;
    job.deadline = at_ms(std::min(steps, from + least + *rc::gen::inRange(0, 3)) * step_ms);
    if (from + least <= steps) small.workload.jobs.push_back(std::move(job));
  }
  if (small.cluster.mode.kind != ClusterMode::Kind::slots) RC_DISCARD("slots");
  // A machine for rent boots for no time, but joins 1 ms after it is asked for: times are moved by that.
  for (Job& job : small.workload.jobs) {
    job.submit += ms(1);
    job.deadline = *job.deadline + ms(1);
  }
  return small;
}

// Tries all starts of all tasks, and all leases for each.
class Enumeration {
 public:
  explicit Enumeration(const Small& small) : small_(small) {
    for (std::size_t job = 0; job < small.workload.jobs.size(); ++job) {
      for (const Duration map : small.workload.jobs[job].maps)
        tasks_.push_back({job, true, static_cast<int>(to_ms(map)) / step_ms});
      for (const Duration reduce : small.workload.jobs[job].reduces)
        tasks_.push_back({job, false, static_cast<int>(to_ms(reduce)) / step_ms});
    }
    maps_done_.assign(small.workload.jobs.size(), 0);
    place(0);
  }
  std::int64_t best = std::int64_t{1} << 60;

 private:
  struct Task {
    std::size_t job;
    bool map;
    int length;
  };
  void place(std::size_t at) {
    if (at == tasks_.size()) return finish();
    const Task& task = tasks_[at];
    const Job& job = small_.workload.jobs[task.job];
    int from = static_cast<int>(to_ms(job.submit)) / step_ms;
    if (!task.map) from = std::max(from, maps_done_[task.job]);
    const int to = static_cast<int>(to_ms(*job.deadline)) / step_ms - task.length;
    for (int start = from; start <= to; ++start) {
      const int was = maps_done_[task.job];
      if (task.map) maps_done_[task.job] = std::max(was, start + task.length);
      for (int t = start; t < start + task.length; ++t)
        ++(task.map ? maps_ : reduces_)[static_cast<std::size_t>(t)];
      place(at + 1);
      for (int t = start; t < start + task.length; ++t)
        --(task.map ? maps_ : reduces_)[static_cast<std::size_t>(t)];
      maps_done_[task.job] = was;
    }
  }
  void finish() {
    std::vector<int> machines(steps, 0);
    std::int64_t cost = 0;
    for (std::size_t t = 0; t < steps; ++t) {
      const int maps = std::max(0, maps_[t] - small_.free_maps);
      machines[t] = std::max((maps + small_.map_slots - 1) / small_.map_slots, reduces_[t]);
      cost += machines[t] * small_.price[t] / 3;
    }
    best = std::min(best, small_.hourly ? hours(machines, 0, {}) : cost);
  }
  // The cheapest hours that cover the machines from step t on; `begun`: hours begun one and two steps before.
  std::int64_t hours(const std::vector<int>& machines, std::size_t t, std::array<int, 2> begun) {
    if (t == steps) return 0;
    std::int64_t least = std::int64_t{1} << 60;
    const int lacks = std::max(0, machines[t] - begun[0] - begun[1]);
    const int most = *std::max_element(machines.begin(), machines.end());
    for (int more = lacks; more <= std::max(lacks, most); ++more)
      least = std::min(least, more * small_.price[t] + hours(machines, t + 1, {more, begun[0]}));
    return least;
  }

  const Small& small_;
  std::vector<Task> tasks_;
  std::vector<int> maps_done_;
  std::vector<int> maps_ = std::vector<int>(steps, 0), reduces_ = std::vector<int>(steps, 0);
};

TEST(CostBound, IsBelowEveryScheduleOfSmallWorlds) {
  double ratio = 0;
  int worlds = 0;
  holds_always(
      [&] {
        const Small small = some_small();
        if (!impossible_deadlines(small.workload, small.cluster).empty()) RC_DISCARD("too tight");
        const Enumeration all(small);
        if (all.best >= std::int64_t{1} << 60) RC_DISCARD("no schedule");
        const std::int64_t bound = bound_of(small.workload.jobs, small.cluster);
        RC_ASSERT(bound <= all.best + 3 * steps);  // prices of a step are rounded
        if (all.best == 0) return;
        ratio += static_cast<double>(bound) / static_cast<double>(all.best);
        ++worlds;
      },
      300);
  ASSERT_GT(worlds, sized(100));
  EXPECT_GT(ratio / worlds, 0.6);  // not only valid
}

// ---- every policy

Workload any_jobs() {
  Workload workload;
  std::int64_t at = 0;
  for (int i = *rc::gen::inRange(1, 8); i > 0; --i) {
    Job& job = workload.jobs.emplace_back();
    job.id = fmt::format("J{}", workload.jobs.size());
    job.submit = at_ms(at);
    job.maps.assign(*rc::gen::inRange<std::size_t>(1, 12), ms(*rc::gen::inRange(1, 900'000)));
    job.reduces.assign(*rc::gen::inRange<std::size_t>(0, 3), ms(*rc::gen::inRange(0, 300'000)));
    if (*rc::gen::inRange(0, 4) > 0) job.deadline = at_ms(at + *rc::gen::inRange(1'000, 4'000'000));
    if (workload.jobs.size() > 1 && *rc::gen::inRange(0, 4) == 0) job.after.push_back("J1");
    if (*rc::gen::inRange(0, 4) == 0)
      job.classes["rented"] = {*rc::gen::element(0.5, 3.0), *rc::gen::inRange(1, 3), 1};
    at += *rc::gen::inRange(0, 2'000'000);
  }
  return workload;
}

Cluster any_cloud() {
  std::string spot;
  std::int64_t from = 0;
  for (int i = 0; i < 12; ++i) {
    spot += fmt::format("[{}, {:.6f}], ", from, *rc::gen::inRange(1'000, 7'000'000) / 1e6);
    from += *rc::gen::inRange(1, 1'500'000);
  }
  spot += fmt::format("[{}, 0.001]", from);  // cheap in the end, so that every run ends
  Cluster cluster =
      cloud(fmt::format(
                "map_slots = {}\nreduce_slots = 1\nbilling = \"{}\"\nboot_ms = {}\nspeed = {}\nspot = [{}]\n",
                *rc::gen::inRange(1, 4), *rc::gen::element("hour", "second"), *rc::gen::element(0, 7'000),
                *rc::gen::element(1.0, 1.0, 0.7, 2.0), spot),
            *rc::gen::element("", "[[nodes]]\nmap_slots = 2\nreduce_slots = 1\n"));
  for (NodeGroup& group : cluster.nodes) {
    if (!group.rent) continue;
    group.notice = ms(*rc::gen::element(0, 0, 120'000, 2'000'000));
    group.terms = {ms(*rc::gen::element(0, 60'000)), *rc::gen::element(false, false, true),
                   *rc::gen::arbitrary<bool>()};
  }
  cluster.mode.launch = ms(*rc::gen::element(0, 0, 2'000));
  cluster.mode.slowstart = *rc::gen::element(1.0, 1.0, 0.05);
  cluster.masters.finish = ms(*rc::gen::element(0, 0, 3'000));
  cluster.faults.straggler = *rc::gen::element(0.0, 0.0, 0.2);
  cluster.faults.straggler_slowdown = 2;
  return cluster;
}

TEST(CostBound, IsBelowEveryPolicysBill) {
  double ratio = 0;
  int runs = 0;
  holds_always(
      [&] {
        const Workload workload = any_jobs();
        const Cluster cluster = any_cloud();
        const std::string market = *rc::gen::element<std::string>("on-demand", "spot", "hybrid");
        const std::vector<PolicyEntry> policies = deadline_policies();
        const std::string& name = policies.at(*rc::gen::inRange<std::size_t>(0, policies.size())).name;
        Policy policy = make_policy(name + "(machines=" + market + ")", {}, PolicyRegistry(policies));
        const SimulationResult result = simulate_cluster(workload, policy, {cluster});
        const CostBounds bounds = *cost_bounds(workload, cluster, result);
        std::int64_t rounded = 1;  // half a micro-dollar for each lease and change of price
        for (const Lease& lease : result.leases) rounded += lease.joined ? 7 : 0;
        const LeaseTotals paid = totals_of(result);
        RC_ASSERT(bounds.as_the_run.micro_usd <= paid.cost.micro_usd + rounded);
        const Tardiness late = tardiness_of(workload, result);
        if (late.tardy == 0) RC_ASSERT(bounds.all_in_time == bounds.as_the_run);
        if (bounds.all_in_time) RC_ASSERT(*bounds.all_in_time >= Money{});
        // By started hour with such prices nearly all hours can be had for nothing.
        if (paid.cost.micro_usd < 10'000 || cluster.nodes.back().billing != Billing::per_second) return;
        ratio += to_usd(bounds.as_the_run) / to_usd(paid.cost);
        ++runs;
      },
      400);
  ASSERT_GT(runs, sized(100));
  RecordProperty("mean_share", std::to_string(ratio / runs));
  EXPECT_GT(ratio / runs, 0.05);  // not only valid
}

}  // namespace
}  // namespace wavewright
