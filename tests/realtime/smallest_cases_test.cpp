// The smallest worlds in which the paper's RTMR breaks a promise without one of the mends: found by trying
// all smaller ones. With all mends no promise is broken in any of them. docs/use/real-time.md lists these
// worlds.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/realtime/paper_rtmr.h"
#include "tests/realtime/worlds.h"

namespace wavewright {
namespace {

using namespace realtime_worlds;  // NOLINT(google-build-using-namespace)

struct SmallWorld {
  int map_slots = 1, reduce_slots = 1;
  std::vector<PaperJob> jobs;
};

// Fewer tasks are smaller; of as many, less slot time.
std::pair<std::int64_t, std::int64_t> size_of(const std::vector<PaperJob>& jobs) {
  std::pair<std::int64_t, std::int64_t> size;
  for (const PaperJob& job : jobs) {
    size.first += job.maps + job.reduces;
    size.second += job.maps * job.map + job.reduces * job.reduce;
  }
  return size;
}

// Pairs of jobs with up to two tasks of a kind, of 1 or 2 ms, smallest first, without times.
std::vector<std::vector<PaperJob>> pairs_of_jobs(std::int64_t most_tasks) {
  std::vector<PaperJob> all;
  for (int maps = 0; maps <= 2; ++maps) {
    for (int reduces = 0; reduces <= 2; ++reduces) {
      for (std::int64_t map = 1; map <= (maps > 0 ? 2 : 1); ++map) {
        for (std::int64_t reduce = 1; reduce <= (reduces > 0 ? 2 : 1); ++reduce) {
          if (maps + reduces > 0) all.push_back({0, 0, maps, reduces, map, reduce});
        }
      }
    }
  }
  std::vector<std::vector<PaperJob>> pairs;
  for (const PaperJob& first : all) {
    for (const PaperJob& second : all) {
      if (size_of({first, second}).first <= most_tasks) pairs.push_back({first, second});
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const auto& a, const auto& b) { return size_of(a) < size_of(b); });
  return pairs;
}

// The first world of two jobs in which a promise is broken, on up to two slots of a kind; `seen`: worlds.
std::optional<SmallWorld> smallest_broken(const PaperRules& rules, std::int64_t most_tasks, int& seen) {
  constexpr std::array<std::pair<int, int>, 4> slots{{{1, 1}, {1, 2}, {2, 1}, {2, 2}}};
  for (std::vector<PaperJob>& jobs : pairs_of_jobs(most_tasks)) {
    for (const auto& [map_slots, reduce_slots] : slots) {
      for (jobs[1].arrival = 0; jobs[1].arrival <= 2; ++jobs[1].arrival) {
        for (jobs[0].deadline = 1; jobs[0].deadline <= 6; ++jobs[0].deadline) {
          for (jobs[1].deadline = jobs[1].arrival + 1; jobs[1].deadline <= 6; ++jobs[1].deadline) {
            ++seen;
            if (!PaperRtmr(jobs, map_slots, reduce_slots, rules).keeps_all())
              return SmallWorld{map_slots, reduce_slots, jobs};
          }
        }
      }
    }
  }
  return std::nullopt;
}

struct Case {
  std::string what;
  PaperRules without;    // the rules but for one mend
  SmallWorld world;      // as the page has it
  std::size_t late = 0;  // the job whose promise is broken
  std::string policy;    // of the product, which keeps its promises there
};

std::vector<Case> cases() {
  std::vector<Case> all;
  // Field by field: of a temporary GCC 12 says that it may be used uninitialized.
  const auto add = [&all](const char* what, const PaperRules& without, const SmallWorld& world,
                          std::size_t late, const char* policy) {
    Case& made = all.emplace_back();
    made.what = what;
    made.without = without;
    made.world = world;
    made.late = late;
    made.policy = policy;
  };
  // A's map runs from 0 to 2. B comes at 1 and is placed on a slot that seems to be free.
  add("zeros at the head", {.zeros_at_head = true}, {1, 1, {{0, 2, 1, 0, 2, 1}, {1, 2, 1, 0, 1, 1}}}, 1,
      "rtmr(feedback=none)");
  // Likewise, with time for A behind B. But A runs already.
  add("overtaking started jobs", {.overtakes = true}, {1, 1, {{0, 4, 1, 0, 2, 1}, {1, 2, 1, 0, 1, 1}}}, 1,
      "rtmr(feedback=none)");
  // B goes first, and its map runs from 0 to 1. Meanwhile A's reduce takes the slot for reduces until 2.
  const SmallWorld reserved{1, 1, {{0, 4, 0, 1, 1, 2}, {0, 2, 1, 1, 1, 1}}};
  add("no reserved slots", {.reserves = false}, reserved, 1, "rtmr(feedback=none)");
  add("> in line 10", {.may_take_last = true}, reserved, 1, "rtmr(feedback=none)");
  // A goes first. B's map starts at 0, so that A falls behind it, and the slot for reduces waits for B
  // until 1.
  add("jobs without maps", {.falls_behind = true}, {1, 1, {{0, 1, 0, 1, 1, 1}, {0, 2, 1, 1, 1, 1}}}, 0,
      "rtmr(feedback=none)");
  // A's reduce starts at 1, when one map has ended. It seems to end at 2, and ends at 3.
  add("slow-start where started jobs give way", {.gives_way = true, .reduces_start_early = true},
      {1, 1, {{0, 3, 2, 1, 1, 1}, {2, 3, 0, 1, 1, 1}}}, 1, "rtmr(feedback=tasks, order=deadline)");
  return all;
}

TEST(SmallestCases, BreakAPromiseWithoutTheMendAndNothingSmallerDoes) {
  for (const Case& each : cases()) {
    const SmallWorld& world = each.world;
    const PaperRtmr broken(world.jobs, world.map_slots, world.reduce_slots, each.without);
    EXPECT_TRUE(broken.accepted(0) && broken.accepted(1)) << each.what;
    EXPECT_TRUE(broken.late(each.late)) << each.what;
    EXPECT_FALSE(broken.late(1 - each.late)) << each.what;
    int seen = 0;
    const auto found = smallest_broken(each.without, size_of(world.jobs).first, seen);
    ASSERT_TRUE(found) << each.what;
    EXPECT_EQ(size_of(found->jobs), size_of(world.jobs)) << each.what;
  }
}

TEST(SmallestCases, AreKeptWithTheMendsInAllWorldsOfTheirSize) {
  for (const bool gives_way : {false, true}) {
    int seen = 0;
    EXPECT_FALSE(smallest_broken({.gives_way = gives_way}, fewer(4, 3), seen)) << gives_way;
    EXPECT_GT(seen, 10'000);
  }
  int seen = 0;
  EXPECT_FALSE(smallest_broken({.reduces_start_early = true}, fewer(4, 3), seen))
      << "slow-start breaks nothing in the order of the paper";
}

TEST(SmallestCases, AreKeptByTheScheduler) {
  for (const Case& each : cases()) {
    Workload workload;
    for (std::size_t i = 0; i < each.world.jobs.size(); ++i) {
      const PaperJob& job = each.world.jobs[i];
      workload.jobs.push_back(
          a_job(fmt::format("J{}", i), job.arrival, job.deadline,
                std::vector<Duration>(static_cast<std::size_t>(job.maps), ms(job.map)),
                std::vector<Duration>(static_cast<std::size_t>(job.reduces), ms(job.reduce))));
    }
    const Cluster cluster = nodes(1, each.world.map_slots, each.world.reduce_slots, "slowstart = 0.5\n");
    const SimulationResult result = run(workload, each.policy, cluster);
    EXPECT_FALSE(result.jobs[0].rejected) << each.what;
    for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
      if (!result.jobs[i].rejected) {
        EXPECT_LE(result.jobs[i].finish, *workload.jobs[i].deadline) << each.what;
      }
    }
  }
}

}  // namespace
}  // namespace wavewright
