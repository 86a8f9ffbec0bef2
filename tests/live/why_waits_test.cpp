// Reasons to wait, by hand: the jobs before one, and the containers with which it would start now.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wavewright/core/when.h"
#include "wavewright/live/outlook/why.h"

namespace wavewright {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr Time asked_at = at_ms(1'700'000'000'000);

Forecast at_second(int second) {
  const Time at = asked_at + ms(1'000 * second);
  return {at, at, at};
}

// Jobs of four maps each; a container has 1 GiB, and none is free.
struct Asking {
  LiveBatch batch;
  std::shared_ptr<Outlook> outlook = std::make_shared<Outlook>();
  WhyFacts facts;

  Asking() {
    batch.name = "nightly";
    facts.outlook = outlook;
    has_room(0);
  }
  void has_room(std::int64_t containers) {
    facts.yarn =
        YarnWords{.diagnostics = {}, .activities = {}, .room = Bytes{containers << 30}, .has_room = true};
  }
  LiveJob& add(const std::string& id, LiveState state) {
    LiveJob job;
    job.id = id;
    job.tag = "tag-" + id;
    job.state = state;
    job.maps = {4, ms(10'000)};
    batch.jobs.push_back(job);
    return batch.jobs.back();
  }
  void runs(const std::string& id, StageProgress maps, StageProgress reduces = {}) {
    add(id, LiveState::running);
    outlook->jobs[id].progress =
        JobProgress{.at = asked_at, .maps = std::move(maps), .reduces = std::move(reduces)};
  }
  Why of(const std::string& id) {
    for (const LiveJob& job : batch.jobs) {
      if (job.id == id) return why(batch, job, facts, asked_at);
    }
    return {};
  }
};

TEST(WhyWaits, CountsTheJobsThatAreSubmittedFirst) {
  Asking asking;
  asking.add("a", LiveState::waiting);
  asking.add("b", LiveState::waiting);
  asking.add("held", LiveState::held);
  asking.add("later", LiveState::waiting).not_before = asked_at + ms(60'000);
  asking.add("at once", LiveState::waiting).not_before = asked_at;
  asking.add("last", LiveState::waiting);
  EXPECT_THAT(asking.of("a").sentence, HasSubstr("it is submitted next"));
  EXPECT_THAT(asking.of("b").sentence, HasSubstr("1 other is submitted first"));
  EXPECT_THAT(asking.of("at once").sentence, HasSubstr("2 others are submitted first"));
  EXPECT_THAT(asking.of("last").sentence, HasSubstr("3 others are submitted first"));
}

TEST(WhyWaits, NamesTheJobsBeforeItThatAreNotDone) {
  Asking asking;
  asking.add("done", LiveState::done);
  asking.add("failed", LiveState::failed);
  asking.add("runs", LiveState::running);
  asking.add("next", LiveState::waiting).after = {"done", "failed", "runs"};
  EXPECT_EQ(asking.of("next").sentence, "after failed (failed) and runs (running)");
  EXPECT_EQ(asking.of("next").next, "wavewright why failed --run nightly");
}

// It wants one; before it 5 maps of `etl`, 2 reduces of `sort`, a master and 4 maps of `new` are asked for.
TEST(WhyWaits, CountsTheContainersThatAreAskedForBeforeItsFirst) {
  Asking asking;
  asking.runs("etl", {10, 1, 4});
  asking.runs("sort", {4, 4, 0}, {3, 0, 1});
  asking.add("new", LiveState::accepted);
  asking.add("waits", LiveState::waiting);
  EXPECT_EQ(asking.of("waits").more, 1 + 5 + 2 + 5);
  asking.has_room(3);
  EXPECT_EQ(asking.of("waits").more, 10);
  asking.has_room(12);
  EXPECT_THAT(asking.of("waits").sentence, HasSubstr("would start now with 1 more container;"));
  asking.has_room(13);
  EXPECT_EQ(asking.of("waits").more, std::nullopt);
  asking.has_room(14);
  EXPECT_EQ(asking.of("waits").more, std::nullopt);
  asking.facts.containers = Containers{};
  asking.facts.containers->map.memory = Bytes{2LL << 30};
  EXPECT_EQ(asking.of("waits").more, 6) << "in 14 GiB there is room for seven of 2 GiB";
  asking.facts.yarn.reset();
  EXPECT_EQ(asking.of("waits").more, std::nullopt) << "nobody knows the room";
}

// An application is served in the order of acceptance.
TEST(WhyWaits, ApplicationsAfterItDoNotCount) {
  Asking asking;
  asking.add("first", LiveState::accepted).accepted_at = asked_at - ms(9'000);
  asking.add("second", LiveState::accepted).accepted_at = asked_at - ms(8'000);
  asking.add("third", LiveState::accepted).accepted_at = asked_at - ms(7'000);
  EXPECT_EQ(asking.of("first").more, 1);
  EXPECT_EQ(asking.of("second").more, 6);
  EXPECT_EQ(asking.of("third").more, 11);
  asking.facts.yarn->diagnostics = "AM container is launched, waiting for AM container to Register with RM";
  EXPECT_EQ(asking.of("third").code, WhyCode::master_starts);
  EXPECT_EQ(asking.of("third").more, std::nullopt) << "it has its container";
  EXPECT_THAT(asking.of("third").sentence, Not(HasSubstr("would start now")));
}

// More containers would not start it: a job with a master has to end.
TEST(WhyWaits, NoContainersHelpAgainstALimitOfTheMasters) {
  Asking asking;
  asking.runs("etl", {10, 1, 4});
  asking.add("new", LiveState::accepted);
  asking.outlook->jobs["etl"].maps_done = at_second(60);
  asking.outlook->jobs["etl"].end = at_second(100);
  asking.outlook->jobs["new"].start = at_second(60);
  EXPECT_THAT(asking.of("new").sentence,
              HasSubstr("after etl's maps; would start now with 6 more containers; "));
  for (const char* whose : {"Queue's", "User's"}) {
    asking.facts.yarn->diagnostics = std::string(whose) + " AM resource limit exceeded.";
    const Why why = asking.of("new");
    EXPECT_EQ(why.more, std::nullopt) << whose;
    EXPECT_THAT(why.sentence, Not(HasSubstr("would start now")));
    EXPECT_THAT(why.sentence, HasSubstr(" after etl; "));
  }
  EXPECT_EQ(asking.of("new").code, WhyCode::user_limit);
}

// Room comes from the running job whose maps, or whose end, are nearest to the start.
TEST(WhyWaits, NamesTheRunningJobThatMakesRoom) {
  Asking asking;
  asking.add("etl", LiveState::running);
  asking.add("sort", LiveState::running);
  asking.add("before", LiveState::waiting);
  asking.add("waits", LiveState::waiting);
  JobOutlook &etl = asking.outlook->jobs["etl"], &sort = asking.outlook->jobs["sort"];
  etl.maps_done = at_second(60);
  etl.end = at_second(100);
  sort.end = at_second(80);
  asking.outlook->jobs["before"].end = at_second(120);  // it may be the last to end, but it does not run
  const auto sentence = [&](int start) {
    asking.outlook->jobs["waits"].start = at_second(start);
    return asking.of("waits").sentence;
  };
  EXPECT_THAT(sentence(59), HasSubstr("after etl's maps;"));
  EXPECT_THAT(sentence(75), HasSubstr("after sort;"));
  EXPECT_THAT(sentence(85), HasSubstr("after sort;"));
  EXPECT_THAT(sentence(95), HasSubstr("after etl;"));
  EXPECT_THAT(sentence(120), HasSubstr("after etl;"));
  sort.end = at_second(2);
  EXPECT_THAT(sentence(1), HasSubstr("after sort;"));
  asking.outlook->jobs["waits"].start->p50 = asked_at + ms(999);
  EXPECT_THAT(asking.of("waits").sentence, Not(HasSubstr("after"))) << "it starts now";
}

TEST(WhyWaits, YarnsWordsAreNotRepeated) {
  Asking asking;
  asking.add("new", LiveState::accepted);
  asking.facts.yarn->diagnostics = "Application is Activated: Queue hits max-capacity limit, waiting";
  asking.facts.yarn->activities = {"Queue hits max-capacity limit", "Node does not have sufficient resource"};
  EXPECT_EQ(asking.of("new").yarn,
            "Application is Activated: Queue hits max-capacity limit, waiting; "
            "Node does not have sufficient resource");
}

}  // namespace
}  // namespace wavewright
