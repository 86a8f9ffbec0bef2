#include "wavewright/live/batch/timed_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "wavewright/core/error.h"

namespace wavewright {
namespace {

using ::testing::ElementsAre;
using namespace std::chrono_literals;

// Each call takes five milliseconds and is noted.
class Slow : public Journal, public ClusterDriver {
 public:
  std::vector<std::string> called;
  std::vector<int> nice_values;  // of the thread that calls

  LiveBatch lead() override {
    note("lead");
    LiveBatch batch;
    batch.name = "night";
    return batch;
  }
  void write(const JournalEntry& entry) override { note("write " + entry.granted.at(0)); }
  void beat() override { note("beat"); }
  std::vector<LiveJob> added(std::size_t known) override {
    note("added " + std::to_string(known));
    return std::vector<LiveJob>(2);
  }
  std::vector<JobWish> wishes() override {
    note("wishes");
    return std::vector<JobWish>(3);
  }
  Applications applications(const std::string& tag) override {
    note("applications " + tag);
    return {{}, {.ended = 7}};
  }
  std::optional<Application> ended_application(const std::string& id) override {
    note("ended_application " + id);
    return Application{id};
  }
  std::vector<Application> ended_with(const std::string& tag, Time since) override {
    note("ended_with " + tag + " " + std::to_string(to_ms(since)));
    return std::vector<Application>(4);
  }
  void kill_application(const ClientAttempt& attempt, const std::vector<std::string>& command,
                        const std::string& id) override {
    note("kill_application " + attempt.tag + " " + command.at(0) + " " + id);
  }
  std::string machine() override {
    note("machine");
    return "here";
  }
  void start(const ClientAttempt& attempt, const std::vector<std::string>& command) override {
    note("start " + attempt.tag + " " + command.at(0));
    throw ExternalError({"folder"}, "is full");
  }
  Client client(const ClientAttempt& attempt) override {
    note("client " + attempt.tag);
    return {ClientState::ended, 8, {}};
  }
  void kill_client(const ClientAttempt& attempt) override { note("kill_client " + attempt.tag); }
  void forget(const ClientAttempt& attempt) override { note("forget " + attempt.tag); }

 private:
  void note(std::string call) {
    called.push_back(std::move(call));
    nice_values.push_back(nice_value());
    std::this_thread::sleep_for(5ms);
  }
};

TEST(TimedCalls, EachCallIsHandedOnAndItsTimeIsCounted) {
  Slow slow;
  TimedCalls calls(slow, slow);
  ClientAttempt attempt;
  attempt.tag = "t";
  JournalEntry entry;
  entry.granted = {"key"};
  EXPECT_EQ(calls.lead().name, "night");
  calls.write(entry);
  calls.beat();
  EXPECT_EQ(calls.added(5).size(), 2U);
  EXPECT_EQ(calls.wishes().size(), 3U);
  EXPECT_EQ(calls.applications("tag").mark.ended, 7);
  EXPECT_EQ(calls.ended_application("id")->id, "id");
  EXPECT_EQ(calls.ended_with("tag", at_ms(9)).size(), 4U);
  calls.kill_application(attempt, {"hadoop"}, "id");
  EXPECT_EQ(calls.machine(), "here");
  EXPECT_THROW(calls.start(attempt, {"hadoop"}), ExternalError);
  EXPECT_EQ(calls.client(attempt).exit_status, 8);
  calls.kill_client(attempt);
  calls.forget(attempt);
  EXPECT_THAT(slow.called,
              ElementsAre("lead", "write key", "beat", "added 5", "wishes", "applications tag",
                          "ended_application id", "ended_with tag 9", "kill_application t hadoop id",
                          "machine", "start t hadoop", "client t", "kill_client t", "forget t"));
  EXPECT_GE(calls.take(), 14 * 5ms) << "that of the call that threw, too";
}

TEST(TimedCalls, WhatPassesBetweenCallsDoesNotCount) {
  Slow slow;
  TimedCalls calls(slow, slow);
  calls.beat();
  (void)calls.take();
  EXPECT_EQ(calls.take(), 0ns) << "it was taken";
  std::this_thread::sleep_for(5ms);
  EXPECT_EQ(calls.take(), 0ns);
}

TEST(TimedCalls, PrecedenceIsGivenBackInACall) {
  const int otherwise = nice_value();
  Slow slow;
  {
    ThreadPrecedence precedence;
    TimedCalls calls(slow, slow, &precedence);
    calls.beat();
    EXPECT_FALSE(precedence.taken()) << "a call does not take what its caller had not";
    precedence.take();
    if (!precedence.taken()) GTEST_SKIP() << "this account may not go before others";
    EXPECT_EQ(nice_value(), otherwise - ThreadPrecedence::lowers_by);
    calls.beat();
    EXPECT_EQ(nice_value(), otherwise - ThreadPrecedence::lowers_by);
    EXPECT_THROW(calls.start({}, {"hadoop"}), ExternalError);
    EXPECT_EQ(nice_value(), otherwise - ThreadPrecedence::lowers_by) << "after a call that threw, too";
    int elsewhere = 100;
    std::thread([&elsewhere] { elsewhere = nice_value(); }).join();
    EXPECT_EQ(elsewhere, otherwise - ThreadPrecedence::lowers_by)
        << "a thread inherits it: what it is given back for";
  }
  EXPECT_EQ(nice_value(), otherwise);
  EXPECT_THAT(slow.nice_values, ElementsAre(otherwise, otherwise, otherwise));
}

}  // namespace
}  // namespace wavewright
