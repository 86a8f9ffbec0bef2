// YARN's ReservationSystem as a rival: the plan against calculations of each instant, and accepted jobs
// against their deadlines.
#include "wavewright/realtime/reservations.h"

#include <algorithm>
#include <vector>

#include <gmock/gmock.h>

#include "tests/realtime/worlds.h"

namespace wavewright {
namespace {

using namespace realtime_worlds;  // NOLINT(google-build-using-namespace)
using Block = ReservationPlan::Block;
using Stage = ReservationPlan::Stage;
using Reservation = ReservationPlan::Reservation;

Block block(int from, int to, Count slots) {
  return {at_ms(from), at_ms(to), slots};
}

TEST(ReservationPlan, GreedyTakesTheEarliestRoom) {
  ReservationPlan plan(ms(1));
  plan.add({{block(0, 10, 1)}, {}});
  const auto found = plan.find(ReservationAgent::greedy, {2, 1}, {3, ms(6)}, {1, ms(5)}, at_ms(0), at_ms(40));
  ASSERT_TRUE(found);
  EXPECT_THAT(found->maps, testing::ElementsAre(block(0, 6, 1), block(6, 12, 1), block(10, 16, 1)));
  EXPECT_THAT(found->reduces, testing::ElementsAre(block(16, 21, 1)));
  EXPECT_FALSE(plan.find(ReservationAgent::greedy, {2, 1}, {3, ms(6)}, {1, ms(5)}, at_ms(0), at_ms(20)));
  EXPECT_FALSE(plan.find(ReservationAgent::greedy, {2, 0}, {3, ms(6)}, {1, ms(5)}, at_ms(0), at_ms(900)));
}

// Four maps of 10 and two reduces of 10 until 120: the 100 that are left over go by 40 to 20, so maps have
// until 76, seven windows.
// One slot of two is reserved from 0 to 12. Tasks of 10 fit one at a time until then. The agent places the
// first at 0 and goes on at 10, when the busy time before that is nearly over: there it sees one free slot,
// and at 12 two.
TEST(ReservationPlan, HadoopsGreedyForgetsWhatItHasPlaced) {
  const auto find = [](bool forgets, Count tasks) {
    ReservationPlan plan(ms(1), forgets);
    plan.add({{{at_ms(0), at_ms(12), 1}}, {}});
    return plan.find(ReservationAgent::greedy, {2, 1}, {tasks, ms(10)}, {}, at_ms(0), at_ms(100));
  };
  const auto block = [](std::int64_t from, Count slots) {
    return Block{at_ms(from), at_ms(from + 10), slots};
  };
  ASSERT_TRUE(find(true, 3));
  EXPECT_EQ(find(true, 3)->maps, (std::vector<Block>{block(0, 1), block(10, 1), block(12, 1)}));
  EXPECT_FALSE(find(true, 4)) << "at 12 it places two beside the one of 10";
  ASSERT_TRUE(find(false, 4));
  EXPECT_EQ(find(false, 4)->maps,
            (std::vector<Block>{block(0, 1), block(10, 1), block(12, 1), block(20, 1)}));
}

TEST(ReservationPlan, AlignedTakesTheWindowsWithLeastInThem) {
  ReservationPlan plan(ms(1));
  plan.add({{block(0, 5, 1), block(20, 30, 1)}, {}});
  const auto found =
      plan.find(ReservationAgent::aligned, {2, 2}, {4, ms(10)}, {2, ms(10)}, at_ms(0), at_ms(120));
  ASSERT_TRUE(found);
  EXPECT_THAT(found->maps,
              testing::ElementsAre(block(10, 20, 1), block(30, 40, 1), block(40, 50, 1), block(50, 60, 1)));
  EXPECT_THAT(found->reduces, testing::ElementsAre(block(60, 70, 1), block(70, 80, 1)));
}

TEST(ReservationPlan, TimesAreMultiplesOfTheStep) {
  const ReservationPlan plan(ms(10));
  const auto found =
      plan.find(ReservationAgent::greedy, {1, 1}, {1, ms(11)}, {1, ms(10)}, at_ms(1), at_ms(49));
  ASSERT_TRUE(found);
  EXPECT_THAT(found->maps, testing::ElementsAre(block(10, 30, 1)));
  EXPECT_THAT(found->reduces, testing::ElementsAre(block(30, 40, 1)));
  EXPECT_FALSE(plan.find(ReservationAgent::greedy, {1, 1}, {1, ms(11)}, {1, ms(10)}, at_ms(1), at_ms(39)));
}

// Until 100 the lengths 10 and 20 leave 70. Maps have four tasks of 1, and so 4 / 26 of it, 10.8, and their
// end is 20: two windows. By lengths of blocks, 40 / 80 of it, all four tasks would be apart.
TEST(ReservationPlan, TimeIsSharedByLengthsAsAskedFor) {
  const ReservationPlan plan(ms(10));
  const auto found =
      plan.find(ReservationAgent::aligned, {2, 2}, {4, ms(1)}, {2, ms(11)}, at_ms(0), at_ms(100));
  ASSERT_TRUE(found);
  EXPECT_THAT(found->maps, testing::ElementsAre(block(0, 10, 2), block(10, 20, 2)));
  EXPECT_THAT(found->reduces, testing::ElementsAre(block(20, 40, 1), block(40, 60, 1)));
}

TEST(ReservationPlan, ADeadlineFarAwayCostsNoMemory) {
  const ReservationPlan plan(ms(1));
  const auto found = plan.find(ReservationAgent::aligned, {1, 1}, {5, ms(1)}, {5, ms(1)}, at_ms(0),
                               at_ms(std::int64_t{1} << 55));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->maps.size(), 5);
}

TEST(ReservationPlan, WithoutSlotsADeadlineFarAwayCostsNoTime) {
  const ReservationPlan plan(ms(1));
  for (const auto agent : {ReservationAgent::greedy, ReservationAgent::aligned})
    EXPECT_FALSE(plan.find(agent, {1, 0}, {1, ms(1)}, {1, ms(1)}, at_ms(0), at_ms(std::int64_t{1} << 55)));
}

TEST(ReservationPlan, AJobWithoutTasksNeedsTimeToo) {
  const ReservationPlan plan(ms(10));
  EXPECT_TRUE(plan.find(ReservationAgent::greedy, {1, 1}, {}, {}, at_ms(5), at_ms(5)));
  EXPECT_FALSE(plan.find(ReservationAgent::greedy, {1, 1}, {}, {}, at_ms(6), at_ms(5)));
  EXPECT_FALSE(plan.find(ReservationAgent::aligned, {1, 1}, {}, {}, at_ms(6), at_ms(5)));
}

// ---- the same by looking at each instant

constexpr int horizon = 120;

struct Instants {
  std::vector<Count> maps = std::vector<Count>(horizon, 0), reduces = std::vector<Count>(horizon, 0);

  void add(const Reservation& reservation) {
    for (const auto& [blocks, counts] :
         {std::pair(&reservation.maps, &maps), std::pair(&reservation.reduces, &reduces)}) {
      for (const Block& each : *blocks) {
        for (std::int64_t t = to_ms(each.from); t < std::min<std::int64_t>(horizon, to_ms(each.to)); ++t)
          (*counts)[static_cast<std::size_t>(t)] += each.slots;
      }
    }
  }
};

Count most(const std::vector<Count>& counts, std::int64_t from, std::int64_t to) {
  return *std::max_element(counts.begin() + from, counts.begin() + to);
}

// Each task for itself at the first instant at which a slot is free for all of its length; when the last one
// starts.
std::optional<std::int64_t> place_each(const std::vector<Count>& before, Count slots, const Stage& stage,
                                       std::int64_t from, std::int64_t deadline, std::vector<Count>& after) {
  const std::int64_t length = to_ms(stage.length);
  std::vector<Count> counts = before;
  std::int64_t end = from;
  for (Count task = 0; task < stage.tasks; ++task) {
    std::int64_t start = from;
    while (start + length <= deadline && most(counts, start, start + length) >= slots) ++start;
    if (start + length > deadline) return std::nullopt;
    for (std::int64_t t = start; t < start + length; ++t) ++counts[static_cast<std::size_t>(t)];
    end = std::max(end, start + length);
  }
  after = counts;
  return end;
}

// Hadoop's greedy agent, which forgets what it has placed: `counts` are of before the stage. When the last
// one starts; none if it has no place for all, or more in a place than slots.
std::optional<std::int64_t> place_forgetful(const std::vector<Count>& counts, Count slots, const Stage& stage,
                                            std::int64_t from, std::int64_t deadline,
                                            std::vector<Count>& after) {
  const auto at = [&](std::int64_t t) { return counts[static_cast<std::size_t>(t)]; };
  const std::int64_t length = to_ms(stage.length);
  after = counts;
  std::int64_t end = from;
  Count left = stage.tasks;
  for (std::int64_t start = from; left > 0 && start + length <= deadline;) {
    const Count busiest = most(counts, start, start + length);
    const Count given = std::min(left, slots - busiest);
    for (std::int64_t t = start; t < start + length; ++t) after[static_cast<std::size_t>(t)] += given;
    if (given > 0) end = start + length;
    left -= given;
    // It goes on where the busiest time is over, the last one of equals; without any room, the first one.
    std::int64_t over = given > 0 ? start + length - 1 : start;
    while (at(over) != busiest) over += given > 0 ? -1 : 1;
    while (over < horizon && at(over) == busiest) ++over;
    start = std::min(over, start + length);
  }
  const bool fits = std::all_of(after.begin(), after.end(), [&](Count count) { return count <= slots; });
  return left == 0 && fits ? std::optional(end) : std::nullopt;
}

// Each time looks at all windows of the stage anew.
std::optional<std::int64_t> place_low_cost(std::vector<Count> counts, Count slots, const Stage& stage,
                                           std::int64_t from, std::int64_t to, std::vector<Count>& after) {
  const std::int64_t length = to_ms(stage.length);
  std::int64_t end = from;
  const std::int64_t windows = to < from ? 0 : (to - from) / length;
  if (stage.tasks > 0 && windows == 0) return std::nullopt;
  const Count together =
      stage.tasks == 0 ? 1 : std::max<Count>(1, std::max<Count>(1, stage.tasks / windows) / 10);
  for (Count left = stage.tasks; left > 0;) {
    std::optional<std::pair<Count, std::int64_t>> best;
    for (std::int64_t window = 0; window < windows; ++window) {
      const std::int64_t start = from + window * length;
      Count area = 0;
      for (std::int64_t t = start; t < start + length; ++t) area += counts[static_cast<std::size_t>(t)];
      if (most(counts, start, start + length) < slots && (!best || area < best->first))
        best = std::pair(area, start);
    }
    if (!best) return std::nullopt;
    const Count given = std::min({together, left, slots - most(counts, best->second, best->second + length)});
    for (std::int64_t t = best->second; t < best->second + length; ++t)
      counts[static_cast<std::size_t>(t)] += given;
    end = std::max(end, best->second + length);
    left -= given;
  }
  after = counts;
  return end;
}

TEST(ReservationPlan, IsThatOfEachInstant) {
  int found_of[2] = {}, none = 0, not_greedy = 0, forgotten = 0;
  holds_always(
      [&] {
        const bool forgets = *rc::gen::arbitrary<bool>();
        const auto place = [&](const std::vector<Count>& counts, Count slots, const Stage& stage,
                               std::int64_t from, std::int64_t deadline, std::vector<Count>& after) {
          return (forgets ? place_forgetful : place_each)(counts, slots, stage, from, deadline, after);
        };
        ReservationPlan plan(ms(1), forgets);
        Instants instants;
        const SlotPool slots{*rc::gen::inRange(1, 6), *rc::gen::inRange(1, 4)};
        std::vector<Reservation> kept;
        for (int i = *rc::gen::inRange(1, 9); i > 0; --i) {
          const auto agent =
              *rc::gen::arbitrary<bool>() ? ReservationAgent::greedy : ReservationAgent::aligned;
          const Stage maps{*rc::gen::inRange(0, 40), ms(*rc::gen::inRange(1, 12))},
              reduces{*rc::gen::inRange(0, 6), ms(*rc::gen::inRange(1, 12))};
          const std::int64_t from = *rc::gen::inRange(0, 60),
                             deadline = *rc::gen::inRange<std::int64_t>(from, horizon);
          const auto found = plan.find(agent, slots, maps, reduces, at_ms(from), at_ms(deadline));
          Instants expected = instants;
          bool fits = false;
          if (agent == ReservationAgent::aligned) {
            const double work = static_cast<double>(maps.tasks * to_ms(maps.length)),
                         rest = static_cast<double>(reduces.tasks * to_ms(reduces.length));
            const std::int64_t left = deadline - from - (maps.tasks > 0 ? to_ms(maps.length) : 0) -
                                      (reduces.tasks > 0 ? to_ms(reduces.length) : 0);
            const std::int64_t until =
                reduces.tasks == 0
                    ? deadline
                    : static_cast<std::int64_t>(static_cast<double>(from + to_ms(maps.length)) +
                                                static_cast<double>(left) * (work / (rest + work)));
            if (const auto end =
                    place_low_cost(instants.maps, slots.map_slots, maps, from, until, expected.maps))
              fits = place_low_cost(instants.reduces, slots.reduce_slots, reduces, *end, deadline,
                                    expected.reduces)
                         .has_value();
            not_greedy += fits;
          }
          if (!fits) {
            if (const auto end = place(instants.maps, slots.map_slots, maps, from, deadline, expected.maps))
              fits = place(instants.reduces, slots.reduce_slots, reduces, *end, deadline, expected.reduces)
                         .has_value();
            std::vector<Count> after;
            forgotten += forgets && !fits &&
                         place_each(instants.maps, slots.map_slots, maps, from, deadline, after).has_value();
          }
          RC_ASSERT(found.has_value() == fits);
          none += !fits;
          if (!fits) continue;
          ++found_of[agent == ReservationAgent::aligned];
          plan.add(*found);
          instants.add(*found);
          RC_ASSERT(instants.maps == expected.maps);
          RC_ASSERT(instants.reduces == expected.reduces);
          kept.push_back(*found);
        }
        // A reservation that is removed leaves its slots free.
        const Time now = at_ms(*rc::gen::inRange(0, 60));
        plan.forget_before(now);
        if (!kept.empty()) plan.remove(kept.back(), now);
        Instants left;
        for (std::size_t i = 0; i + 1 < kept.size(); ++i) left.add(kept[i]);
        for (std::int64_t t = to_ms(now); t < horizon; ++t) {
          RC_ASSERT(plan.reserved(Kind::map, at_ms(t)) == left.maps[static_cast<std::size_t>(t)]);
          RC_ASSERT(plan.reserved(Kind::reduce, at_ms(t)) == left.reduces[static_cast<std::size_t>(t)]);
        }
      },
      600);
  EXPECT_GT(found_of[0], rare(300));
  EXPECT_GT(found_of[1], rare(300));
  EXPECT_GT(not_greedy, rare(100));
  EXPECT_GT(none, rare(300));
  EXPECT_GT(forgotten, rare(30));
}

// ---- the policy

TEST(Reservations, StartsTasksWhenTheirBlocksBegin) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 200, {4, ms(10)}, {2, ms(10)})};
  const SimulationResult greedy = run(workload, "reservations(step=1ms)", nodes(1, 2, 2));
  EXPECT_EQ(greedy.jobs[0].finish, at_ms(30));
  // Maps in windows of 10 until 133; one each, as all are empty.
  const SimulationResult aligned = run(workload, "reservations(agent=aligned, step=1ms)", nodes(1, 2, 2));
  EXPECT_EQ(aligned.jobs[0].maps_done, at_ms(40));
  EXPECT_EQ(aligned.jobs[0].finish, at_ms(60));
}

TEST(Reservations, RejectsWhereThePlanHasNoRoom) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 20, {4, ms(10)}), a_job("B", 1, 29, {ms(10)}), a_job("C", 2, 40, {ms(10)})};
  workload.jobs.push_back(a_job("D", 3, 50, {ms(10)}));
  workload.jobs.back().deadline.reset();
  const SimulationResult result = run(workload, "reservations(step=1ms)", nodes(1, 2, 1));
  std::vector<std::string> reasons;
  for (std::size_t i = 0; i < workload.jobs.size(); ++i)
    reasons.push_back(result.jobs[i].rejected ? result.rejections.at(static_cast<JobIndex>(i)).code : "");
  EXPECT_EQ(reasons, (std::vector<std::string>{"", "NoRoom", "", "NoDeadline"}));
}

// The plan stays when tasks end early, but what an ended job has reserved is free: A's third block is [100,
// 150).
TEST(Reservations, AnEndedJobLeavesItsRoom) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 149, {ms(50), ms(1), ms(1)}), a_job("B", 60, 95, {ms(10)}),
                   a_job("C", 105, 120, {ms(10)})};
  EXPECT_TRUE(run(workload, "reservations(step=1ms)", nodes(1, 1, 1)).jobs[0].rejected)
      << "three blocks of 50 do not fit";
  workload.jobs[0].deadline = at_ms(150);
  const SimulationResult result = run(workload, "reservations(step=1ms)", nodes(1, 1, 1));
  EXPECT_EQ(result.jobs[0].finish, at_ms(101));
  EXPECT_TRUE(result.jobs[1].rejected) << "its slot is idle from 51 to 100, but reserved";
  EXPECT_EQ(result.jobs[2].finish, at_ms(115));
}

TEST(Reservations, AcceptedJobsAreInTime) {
  int accepted = 0, rejected = 0, with_blocks = 0;
  holds_always(
      [&] {
        const World world = *rc::gen::arbitrary<bool>() ? some_world() : some_world_with_blocks();
        RC_LOG() << to_toml(world.cluster);
        for (const std::string policy : {"reservations(step=1ms)", "reservations(step=1ms, forgets=no)",
                                         "reservations(agent=aligned, step=1ms)", "reservations(step=7ms)"}) {
          const SimulationResult result = run_both(world.workload, policy, world.cluster);
          for (std::size_t i = 0; i < result.jobs.size(); ++i) {
            const JobOutcome& job = result.jobs[i];
            ++(job.rejected ? rejected : accepted);
            if (!job.rejected) RC_ASSERT(job.finish <= *world.workload.jobs[i].deadline);
            with_blocks += !job.rejected && world.cluster.reads.kind == Reads::Kind::slowdown ? 1 : 0;
          }
        }
      },
      1'000);
  EXPECT_GT(with_blocks, rare(200));
  EXPECT_GT(accepted, sized(1'000));
  EXPECT_GT(rejected, sized(1'000));
}

}  // namespace
}  // namespace wavewright
