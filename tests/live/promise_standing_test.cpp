// How a batch may stand by now, where readings of it are of some seconds ago.
#include "wavewright/live/promise/promise_standing.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace wavewright {
namespace {

// Two map slots and one reduce slot, without delays. Seconds from an instant at which all is looked at.
class Standing {
 public:
  static Time at(std::int64_t seconds) { return at_ms(1'790'000'000'000) + ms(1'000 * seconds); }

  // With a deadline it is promised.
  LiveJob& add(const std::string& id, Count maps, std::int64_t map, Count reduces, std::int64_t reduce,
               std::optional<std::int64_t> deadline = std::nullopt) {
    LiveJob job;
    job.id = id;
    job.state = LiveState::running;
    job.bounds = TaskBounds{maps, reduces, ms(1'000 * map), ms(1'000 * reduce)};
    if (deadline) {
      job.deadline = at(*deadline);
      job.promise = DeadlinePromise{at(0), {}, "max"};
    }
    batch_.jobs.push_back(job);
    return batch_.jobs.back();
  }

  // The master told this so long ago. `maps`, `reduces`: how long each that ran had run.
  JobProgress& read(const LiveJob& job, const std::vector<std::int64_t>& maps,
                    const std::vector<std::int64_t>& reduces = {}, std::int64_t ago = 0) {
    JobProgress& told = progress_[job.id];
    told = {.at = at(-ago),
            .started = at(-ago),
            .maps = running(job.bounds->maps, maps),
            .reduces = running(job.bounds->reduces, reduces)};
    return told;
  }

  // When the promised job ends, in seconds.
  [[nodiscard]] double end_of(const std::string& id) const {
    const PromiseStanding standing(jobs_of(batch_), progress_, rules_, Readings::old, at(0));
    for (const PromisedEnd& each : standing.ends()) {
      if (each.job == id) return static_cast<double>((each.end - at(0)).count()) / 1'000;
    }
    return -1;
  }

  [[nodiscard]] bool is_at_risk(const std::string& id) const {
    for (const PromisedEnd& each : promised_ends(batch_, progress_, rules_, at(0))) {
      if (each.job == id) return each.at_risk;
    }
    return false;
  }

 private:
  static StageProgress running(Count total, const std::vector<std::int64_t>& ages) {
    StageProgress stage{.total = total, .running = static_cast<Count>(ages.size())};
    for (const std::int64_t age : ages) stage.tasks.push_back({.length = ms(1'000 * age)});
    return stage;
  }

  LiveBatch batch_;
  ProgressByJob progress_;
  PromiseRules rules_{{2, 1}, {}};
};

// A slot seems free. Nobody knows whose task is there by now, so it is one of the longest.
TEST(PromiseStandings, ATaskOfAnyJobMayHaveStartedInAFreeSlot) {
  Standing at;
  at.read(at.add("Long", 5, 30, 0, 0), {0});
  at.read(at.add("Short", 5, 10, 0, 0), {});
  at.add("Mine", 1, 10, 0, 0, 90).state = LiveState::waiting;
  EXPECT_EQ(at.end_of("Mine"), 40);
}

TEST(PromiseStandings, OfSeveralJobsThatWaitNoneHasTheFreeSlots) {
  Standing at;
  at.read(at.add("Other", 5, 30, 0, 0), {});
  at.read(at.add("Mine", 2, 10, 0, 0, 90), {});
  EXPECT_EQ(at.end_of("Mine"), 40) << "two maps of the other job may run until 30";
}

TEST(PromiseStandings, TheFreeSlotsAreThoseOfTheOnlyJobThatWaits) {
  Standing at;
  at.read(at.add("Mine", 3, 10, 0, 0, 90), {});
  EXPECT_EQ(at.end_of("Mine"), 20);
}

TEST(PromiseStandings, AJobWhoseMasterIsNotKnownToBeThereHasNoTasksYet) {
  Standing at;
  at.add("Mine", 2, 30, 0, 0, 90).state = LiveState::accepted;
  EXPECT_EQ(at.end_of("Mine"), 60) << "what may run until 30 need not be its own";
}

// Maps end at 10 and 20.
TEST(PromiseStandings, AReduceMayHaveStartedWhereTheMapsMayHaveEnded) {
  Standing at;
  at.read(at.add("Mine", 4, 10, 1, 100, 900), {0, 0});
  EXPECT_EQ(at.end_of("Mine"), 200) << "one until 100, then its own";
  Standing many;
  many.read(many.add("Mine", 7, 10, 1, 100, 900), {0, 0});
  EXPECT_EQ(many.end_of("Mine"), 140) << "more than two waves of maps are left, so that none has started";
}

// Maps run until 3 and 7. The one that waits goes on where the first of them ends.
TEST(PromiseStandings, ItsNextTaskTakesTheSlotThatIsFreeFirst) {
  for (const auto& ages : {std::vector<std::int64_t>{2, 6}, std::vector<std::int64_t>{6, 2}}) {
    Standing at;
    at.read(at.add("Mine", 3, 10, 0, 0, 90), ages, {}, 1);
    EXPECT_EQ(at.end_of("Mine"), 13) << ages[0];
  }
}

// A reduce that runs before the maps have ended keeps its slot, at the latest until its job's deadline.
TEST(PromiseStandings, AReduceBesideMapsRunsUntilTheDeadline) {
  Standing at;
  at.read(at.add("First", 4, 10, 1, 5, 60), {0, 0}, {0});
  at.add("Mine", 0, 0, 1, 5, 90).state = LiveState::waiting;
  EXPECT_EQ(at.end_of("First"), 60);
  EXPECT_EQ(at.end_of("Mine"), 65);
}

// Its two maps run until 10 on other nodes, and nobody hears of their ends.
TEST(PromiseStandings, WithoutItsMasterAJobIsAtRiskAndItsTasksAreDoneAgain) {
  Standing at;
  JobProgress& told = at.read(at.add("Mine", 4, 10, 1, 5, 900), {0, 0});
  EXPECT_EQ(at.end_of("Mine"), 25);
  EXPECT_FALSE(at.is_at_risk("Mine"));
  told.master_node = MasterNode::silent;
  EXPECT_EQ(at.end_of("Mine"), 35);
  EXPECT_TRUE(at.is_at_risk("Mine"));
  at.add("Next", 2, 10, 0, 0, 950).state = LiveState::waiting;
  EXPECT_EQ(at.end_of("Next"), 40) << "behind it, should it have a master again";
  EXPECT_FALSE(at.is_at_risk("Next"));
}

// The reading tells of two running maps, and the length of one only.
TEST(PromiseStandings, ATaskOfUnknownAgeHasJustStarted) {
  Standing at;
  JobProgress& told = at.read(at.add("Other", 2, 30, 0, 0), {20});
  told.maps.running = 2;
  at.add("Mine", 2, 10, 0, 0, 90).state = LiveState::waiting;
  EXPECT_EQ(at.end_of("Mine"), 30) << "both in the slot that is free at 10";
}

}  // namespace
}  // namespace wavewright
