#include "wavewright/live/yarn/targets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include <nlohmann/json.hpp>

#include "tests/temporary_folder.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"

namespace wavewright {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// From Python's hmac module.
TEST(Targets, ADocumentIsSignedAndSaysWhatThePluginReads) {
  const std::vector<TaggedTarget> targets = {{"a", {0, 3, 4, {}}}, {"b", {1, 0, {}, 0}}};
  const std::string text = targets_text(17, at_ms(1'790'000'000'000), targets, "0123456789abcdef");
  EXPECT_EQ(
      text.substr(65),
      R"({"schema":"wavewright/targets/1","generation":17,"issued_ms":1790000000000,"applications":[)"
      R"({"tag":"a","map_rank":0,"reduce_rank":3,"map_target":4},{"tag":"b","map_rank":1,"reduce_rank":0,)"
      R"("reduce_target":0}]})");
  EXPECT_EQ(text.substr(0, 65), "6fe9f4b5b50f5761f9b616ec7b871edb3de934e56e7ae131bb45270086712e01\n");
}

// The entry of delay is that of the plug-in's TargetsReaderTest.
TEST(Targets, APlacerIsToldWithEachJob) {
  const std::vector<TaggedTarget> targets = {{"t", {1, 3, 4, 2}}, {"u", {2, 2, {}, {}}}};
  const auto told = [&](const std::string& placer) {
    const std::string text =
        targets_text(17, at_ms(1000), targets, "0123456789abcdef", parse_target_placer(placer));
    return Json::parse(text.substr(65)).at("applications");
  };
  EXPECT_EQ(told("delay(3s, rack=2s)").at(0),
            Json::parse(R"({"tag":"t","map_rank":1,"reduce_rank":3,"map_target":4,"reduce_target":2,)"
                        R"("placement":"delay","node_wait_ms":3000,"rack_wait_ms":2000})"));
  EXPECT_EQ(told("matchmaking").at(1),
            Json::parse(R"({"tag":"u","map_rank":2,"reduce_rank":2,"placement":"matchmaking"})"));
  EXPECT_FALSE(told("").at(0).contains("placement"));
}

TEST(Targets, APlacerIsOneThatThePluginHas) {
  EXPECT_EQ(parse_target_placer("delay"), (TargetPlacer{"delay", ms(3000), {}}));
  EXPECT_EQ(parse_target_placer("delay(40s)"), (TargetPlacer{"delay", ms(40'000), {}}));
  EXPECT_EQ(parse_target_placer("delay(0s, rack=1s)"), (TargetPlacer{"delay", {}, ms(1000)}));
  EXPECT_EQ(parse_target_placer("matchmaking"), (TargetPlacer{"matchmaking", {}, {}}));
  EXPECT_EQ(parse_target_placer(""), TargetPlacer{});
  for (const char* wrong :
       {"expected-wait", "delay(skip=3s)", "delay(30d)", "matchmaking(reading=printed)", "delay(", "Delay"})
    EXPECT_THROW((void)parse_target_placer(wrong), UsageError) << wrong;
}

TEST(Targets, EndedJobsHaveNoneAndOthersTheirPlace) {
  LiveBatch batch;
  for (const LiveState state : {LiveState::done, LiveState::running, LiveState::waiting}) {
    LiveJob job;
    job.tag = std::string(to_string(state));
    job.state = state;
    batch.jobs.push_back(job);
  }
  batch.jobs[2].target = {9, 8, 7, 6};
  const std::vector<TaggedTarget> targets = targets_of(batch, at_ms(0));
  ASSERT_EQ(targets.size(), 2U);
  EXPECT_EQ(targets[0].tag, "running");
  EXPECT_EQ(targets[0].target, (LiveTarget{1, 1, {}, {}}));
  EXPECT_EQ(targets[1].target, (LiveTarget{9, 8, 7, 6}));
}

// Two commands are on their way at once; the second is there first.
TEST(Targets, AJobThatOvertookAnotherOnItsWayWaitsForIt) {
  LiveBatch batch;
  const auto add = [&](LiveState state, std::int64_t since) {
    LiveJob job;
    job.state = state;
    job.submitting_since = at_ms(since);
    batch.jobs.push_back(job);
  };
  add(LiveState::running, 500);
  add(LiveState::submitting, 1'000);
  add(LiveState::running, 1'000);
  add(LiveState::running, 900);
  const auto held = [&](Time now) {
    std::vector<bool> found;
    for (const TaggedTarget& each : targets_of(batch, now)) found.push_back(each.target.maps == 0);
    return found;
  };
  EXPECT_EQ(held(at_ms(5'000)), (std::vector<bool>{false, false, true, false}));
  EXPECT_EQ(held(at_ms(40'000)), std::vector<bool>(4, false)) << "not for ever";
  batch.jobs[1].state = LiveState::accepted;
  EXPECT_EQ(held(at_ms(5'000)), std::vector<bool>(4, false));
}

struct KeyedFolder {
  TemporaryFolder folder;
  fs::path file = folder.path() / "targets", key = folder.path() / "key";

  explicit KeyedFolder(const std::string& secret = "a secret of 32 bytes, or so......\n") {
    std::ofstream(key) << secret;
    fs::permissions(key, fs::perms::owner_read | fs::perms::owner_write);
  }
  [[nodiscard]] std::int64_t generation() const {
    return Json::parse(read_file(file).substr(65)).at("generation").get<std::int64_t>();
  }
};

TEST(Targets, GenerationsGrowWhateverTheClockDoes) {
  const KeyedFolder keyed;
  std::int64_t before = 0;
  for (const std::int64_t now :
       std::vector<std::int64_t>{1'790'000'000'000, 1'790'000'000'000, 5, 1'790'000'009'000}) {
    TargetsFile targets(keyed.file, keyed.key);  // another program each time
    targets.write({}, at_ms(now));
    EXPECT_GT(keyed.generation(), before);
    before = keyed.generation();
    targets.write({}, at_ms(now));
    EXPECT_GT(keyed.generation(), before);
    before = keyed.generation();
  }
  EXPECT_EQ(before, 1'790'000'009'001);
}

TEST(Targets, WhatSomebodyElseWroteThereIsNotBelieved) {
  const KeyedFolder keyed;
  for (const char* text : {"", "\n{}", "x\n{\"generation\":9000000000000000000}", "no line end"}) {
    std::ofstream(keyed.file) << text;
    TargetsFile targets(keyed.file, keyed.key);
    targets.write({}, at_ms(77));
    EXPECT_EQ(keyed.generation(), 77) << text;
  }
}

TEST(Targets, OneProgramWritesAFile) {
  const KeyedFolder keyed;
  const TargetsFile targets(keyed.file, keyed.key);
  EXPECT_THROW(TargetsFile(keyed.file, keyed.key), ExternalError);
}

TEST(Targets, AKeyIsASecretOf16Bytes) {
  const KeyedFolder keyed;
  fs::permissions(keyed.key, fs::perms::group_read, fs::perm_options::add);
  EXPECT_THROW(TargetsFile(keyed.file, keyed.key), UsageError);
  const KeyedFolder short_key("123456789012345\n");
  EXPECT_THROW(TargetsFile(short_key.file, short_key.key), UsageError);
  EXPECT_THROW(TargetsFile(keyed.file, keyed.folder.path() / "none"), ExternalError);
}

TEST(Targets, AKeyIsForItsOwnerAndHasSixteenBytes) {
  const KeyedFolder least("0123456789abcdef\n");
  EXPECT_NO_THROW((void)TargetsFile(least.file, least.key));
  for (const fs::perms others : {fs::perms::others_read, fs::perms::group_read}) {
    fs::permissions(least.key, fs::perms::owner_read | others);
    EXPECT_THROW((void)TargetsFile(least.file, least.key), UsageError);
  }
}

}  // namespace
}  // namespace wavewright
