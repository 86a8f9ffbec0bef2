// The driver is held up for a stated time at most by a JobHistory server that is slow, or never answers.
#include "wavewright/live/yarn/history_questions.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/live/yarn_texts.h"
#include "tests/server.h"
#include "wavewright/core/error.h"
#include "wavewright/live/yarn/yarn_driver.h"

namespace wavewright {
namespace {

using ::testing::HasSubstr;
using SteadyClock = std::chrono::steady_clock;

constexpr auto short_wait = std::chrono::milliseconds(10);
constexpr int most_tries = 3'000;

std::string id_of(int number) {
  return "application_1_" + std::to_string(number);
}

// Answers each question about a job once it may, and counts them.
class SlowServer {
 public:
  AnsweringServer server{[this](const std::string& path) { return answer(path); }};

  void may_answer() {
    {
      const std::lock_guard lock(mutex_);
      may_ = true;
    }
    changed_.notify_all();
  }
  [[nodiscard]] int asked() {
    const std::lock_guard lock(mutex_);
    return asked_;
  }

 private:
  AnsweringServer::Text answer(const std::string& path) {
    std::unique_lock lock(mutex_);
    ++asked_;
    changed_.wait(lock, [&] { return may_; });
    const std::string id = path.substr(path.rfind('/') + 1);
    return {.body = R"({"job":{"id":")" + id + R"(","state":"SUCCEEDED"}})"};
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool may_ = false;
  int asked_ = 0;
};

class Patience : public ::testing::Test {
 protected:
  std::unique_ptr<YarnDriver> driver(const HistoryPatience& patience) {
    return std::make_unique<YarnDriver>(resource_manager_, &slow_.server,
                                        ClientProcesses(std::vector<std::string>{"supervisor"}), KillPace{},
                                        patience);
  }
  // Asks until there is an answer, as the driver of a batch does.
  static std::optional<Application> told(YarnDriver& cluster, const std::string& id) {
    for (int i = 0; i < most_tries; ++i) {
      try {
        return cluster.ended_application(id);
      } catch (const ExternalError&) {
        std::this_thread::sleep_for(short_wait);
      }
    }
    return std::nullopt;
  }

  SlowServer slow_;

 private:
  WebServer resource_manager_{std::string("http://127.0.0.1:1"), ""};
};

TEST_F(Patience, AServerThatHangsHoldsUpTheFirstQuestionForASetTimeAndTheEndNotAtAll) {
  const tests::Server server({"hangs"});
  const WebServer resource_manager("http://127.0.0.1:1", ""), history_server(server.url(), "");
  auto cluster = std::make_unique<YarnDriver>(resource_manager, &history_server,
                                              ClientProcesses(std::vector<std::string>{"supervisor"}));
  const auto began = SteadyClock::now();
  for (int i = 1; i <= 10; ++i) {
    try {
      (void)cluster->ended_application(id_of(i));
      ADD_FAILURE() << "an answer of a server that hangs";
    } catch (const HistoryUnread&) {
      ADD_FAILURE() << "told as a fault of one job";
    } catch (const ExternalError& error) {
      EXPECT_THAT(std::string(error.what()), HasSubstr(server.url() + ": no answer within 2s")) << i;
      EXPECT_FALSE(error.remedy().empty());
    }
  }
  EXPECT_THROW((void)cluster->ended_with("tag", at_ms(1)), ExternalError);
  const auto took = SteadyClock::now() - began;
  EXPECT_GE(took, std::chrono::milliseconds(1'900)) << "the first one waits";
  EXPECT_LT(took, std::chrono::seconds(10)) << "the others do not";
  const auto stopped = SteadyClock::now();
  cluster.reset();
  EXPECT_LT(SteadyClock::now() - stopped, std::chrono::seconds(5)) << "the request is interrupted";
}

TEST_F(Patience, ASlowServerIsAskedOnceAndItsAnswerComesWithALaterCall) {
  const auto cluster = driver({.wait = ms(100)});
  EXPECT_THROW((void)cluster->ended_application(id_of(1)), ExternalError);
  EXPECT_THROW((void)cluster->ended_application(id_of(1)), ExternalError);
  EXPECT_THROW((void)cluster->ended_application(id_of(2)), ExternalError) << "its turn has not come";
  slow_.may_answer();
  for (const int number : {2, 1}) {
    const std::optional<Application> ended = told(*cluster, id_of(number));
    ASSERT_TRUE(ended) << number;
    EXPECT_EQ(ended->id, id_of(number));
    EXPECT_EQ(ended->state, ApplicationState::succeeded);
  }
  EXPECT_EQ(slow_.asked(), 2) << "each of them once";
}

TEST_F(Patience, AnAnswerIsGivenOnce) {
  const auto cluster = driver({.wait = ms(60'000)});
  slow_.may_answer();
  EXPECT_TRUE(cluster->ended_application(id_of(1)));
  EXPECT_TRUE(cluster->ended_application(id_of(1)));
  EXPECT_EQ(slow_.asked(), 2) << "what was true a step ago may not be so now";
}

TEST_F(Patience, AnOldAnswerIsAskedForAnew) {
  const auto cluster = driver({.wait = ms(100), .kept = ms(1)});
  EXPECT_THROW((void)cluster->ended_application(id_of(1)), ExternalError);
  slow_.may_answer();
  std::this_thread::sleep_for(50 * short_wait);  // the answer comes, and grows old
  EXPECT_TRUE(told(*cluster, id_of(1)));
  EXPECT_GE(slow_.asked(), 2);
}

TEST(HistoryQuestions, AnErrorComesAsItWasThrown) {
  HistoryQuestions questions("http://history", {.wait = ms(60'000)});
  const auto unread = [](InterruptFlag) -> HistoryQuestions::Answer {
    throw HistoryUnread(ExternalError({"job"}, "cannot be read"), {Application{.id = id_of(7), .state = {}}});
  };
  try {
    (void)questions.answer("7", unread);
    ADD_FAILURE() << "no error";
  } catch (const HistoryUnread& error) {
    ASSERT_EQ(error.found().size(), 1U);
    EXPECT_EQ(error.found()[0].id, id_of(7));
  }
  EXPECT_TRUE(questions.answer("7", [](InterruptFlag) { return HistoryQuestions::Answer{}; }).empty());
}

// One that waits for its turn, and that nobody repeats, is not asked.
TEST(HistoryQuestions, AQuestionThatNobodyRepeatsIsDropped) {
  std::atomic<bool> may = false, dropped_was_asked = false;
  HistoryQuestions questions("http://history", {.wait = ms(50), .kept = ms(200)});
  const auto waits = [&](InterruptFlag) {
    while (!may) std::this_thread::sleep_for(short_wait);
    return HistoryQuestions::Answer{};
  };
  const auto ignored = [&](InterruptFlag) {
    dropped_was_asked = true;
    return HistoryQuestions::Answer{};
  };
  const auto answered = [&](const std::string& name, const HistoryQuestions::Ask& ask) {
    try {
      (void)questions.answer(name, ask);
      return true;
    } catch (const ExternalError&) {
      return false;
    }
  };
  EXPECT_FALSE(answered("slow", waits));
  EXPECT_FALSE(answered("ignored", ignored));
  std::this_thread::sleep_for(50 * short_wait);
  EXPECT_FALSE(answered("slow", waits)) << "it drops the other, and still waits itself";
  may = true;
  bool done = false;
  for (int i = 0; i < most_tries && !done; ++i) {
    done = answered("slow", waits);
    if (!done) std::this_thread::sleep_for(short_wait);
  }
  EXPECT_TRUE(done);
  EXPECT_FALSE(dropped_was_asked);
}

}  // namespace
}  // namespace wavewright
