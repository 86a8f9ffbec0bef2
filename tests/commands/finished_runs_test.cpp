// Histories are imported beside the leader's steps: a server that hangs, or lacks a history for ever, holds
// up neither them nor the end.
#include "apps/commands/finished_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/paths.h"
#include "tests/server.h"
#include "tests/temporary_folder.h"
#include "wavewright/core/error.h"
#include "wavewright/core/when.h"
#include "wavewright/store/database.h"

namespace wavewright::app {
namespace {

using namespace std::chrono_literals;

const char* const first_application = "application_1795176260844_0001";
const char* const first_run = "job_1795176260844_0001";
const char* const unknown_application = "application_1795176260844_0009";

class FinishedRunsTest : public ::testing::Test {
 protected:
  // As the JobHistory server of a real Hadoop answers, which has three jobs.
  static tests::Server recorded_server() {
    return tests::Server({"replay", source_dir() + "/data/formats/rest/history.json"});
  }
  static LiveBatch batch_with(const std::string& application) {
    LiveBatch batch;
    batch.name = "night";
    LiveJob job;
    job.id = "J1";
    job.state = LiveState::done;
    job.ended_at = now_instant();
    job.applications = {application};
    batch.jobs.push_back(job);
    return batch;
  }
  [[nodiscard]] HistoryRequest request(const tests::Server& server) const {
    return {.store = url_, .server = server.url()};
  }

  // Takes steps of a leader until `enough`, half a minute at most; returns all news of them.
  template <class Enough>
  static FinishedRuns::News steps(FinishedRuns& histories, const LiveBatch& batch, Enough enough) {
    FinishedRuns::News all;
    const auto until = std::chrono::steady_clock::now() + 30s;
    while (!enough(all) && std::chrono::steady_clock::now() < until) {
      histories.look(batch.jobs, {});
      FinishedRuns::News news = histories.take();
      all.imported.insert(all.imported.end(), news.imported.begin(), news.imported.end());
      all.not_there.insert(all.not_there.end(), news.not_there.begin(), news.not_there.end());
      if (!news.problem.empty()) all.problem += news.problem + "\n";
      std::this_thread::sleep_for(20ms);
    }
    return all;
  }
  static FinishedRuns::News twenty_steps(FinishedRuns& histories, const LiveBatch& batch) {
    return steps(histories, batch, [left = 20](const auto&) mutable { return left-- == 0; });
  }

  TemporaryFolder folder_;
  std::string url_ = "sqlite:" + (folder_.path() / "store.db").string();
  Store store_ = Store::open(url_, Store::Access::create);
  std::atomic<bool> interrupted_{false};
};

TEST_F(FinishedRunsTest, AServerThatHangsHoldsUpNeitherAStepNorTheEnd) {
  const tests::Server server({"hangs"});
  HistoryRequest how = request(server);
  how.pace.at_end = 1s;
  const LiveBatch batch = batch_with(first_application);
  auto began = std::chrono::steady_clock::now();
  {
    FinishedRuns histories(how);
    for (int i = 0; i < 10; ++i) {
      histories.look(batch.jobs, {});
      EXPECT_TRUE(histories.take().imported.empty());
    }
    EXPECT_LT(std::chrono::steady_clock::now() - began, 2s);
    began = std::chrono::steady_clock::now();
    EXPECT_EQ(histories.wait(interrupted_), 1U);  // meanwhile it has asked, and gets no answer
    EXPECT_LT(std::chrono::steady_clock::now() - began, 5s);
    interrupted_ = true;
    EXPECT_EQ(histories.wait(interrupted_), 1U);
    began = std::chrono::steady_clock::now();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - began, 5s);
}

TEST_F(FinishedRunsTest, AFinishedRunIsImportedAndToldOfOnce) {
  const tests::Server server = recorded_server();
  FinishedRuns histories(request(server));
  const LiveBatch batch = batch_with(first_application);
  const FinishedRuns::News news =
      steps(histories, batch, [](const FinishedRuns::News& all) { return !all.imported.empty(); });
  EXPECT_THAT(news.imported, testing::ElementsAre(first_run));
  EXPECT_EQ(news.problem, "");
  EXPECT_EQ(store_.run_count(), 1) << "jobs of others are not imported";
  const FinishedRuns::News later = twenty_steps(histories, batch);
  EXPECT_TRUE(later.imported.empty());
  EXPECT_TRUE(later.not_there.empty());
  EXPECT_EQ(later.problem, "");
  EXPECT_EQ(histories.wait(interrupted_), 0U);
  EXPECT_EQ(histories.imported(), 1);
}

TEST_F(FinishedRunsTest, OneThatIsInTheStoreIsNotAskedFor) {
  {
    const tests::Server server = recorded_server();
    FinishedRuns histories(request(server));
    histories.look(batch_with(first_application).jobs, {});
    ASSERT_EQ(histories.wait(interrupted_), 0U);
  }
  const tests::Server hangs({"hangs"});
  FinishedRuns histories(request(hangs));
  histories.look(batch_with(first_application).jobs, {});
  EXPECT_EQ(histories.wait(interrupted_), 0U);
  EXPECT_TRUE(histories.take().imported.empty());
}

TEST_F(FinishedRunsTest, AnotherWriterOfTheStoreIsWaitedFor) {
  const tests::Server server = recorded_server();
  FinishedRuns histories(request(server));
  const LiveBatch batch = batch_with(first_application);
  (void)store_.database().in_transaction([&](soci::session&) {
    histories.look(batch.jobs, {});
    std::this_thread::sleep_for(2s);  // meanwhile the history is read
    return 0;
  });
  const FinishedRuns::News news =
      steps(histories, batch, [](const FinishedRuns::News& all) { return !all.imported.empty(); });
  EXPECT_THAT(news.imported, testing::ElementsAre(first_run));
  EXPECT_EQ(news.problem, "");
}

TEST_F(FinishedRunsTest, ASparkApplicationIsNotAskedFor) {
  const tests::Server server({"hangs"});
  FinishedRuns histories(request(server));
  histories.look(batch_with(first_application).jobs, {first_application});
  EXPECT_EQ(histories.wait(interrupted_), 0U);
  // Its type is known later.
  histories.look(batch_with(unknown_application).jobs, {});
  histories.look(batch_with(unknown_application).jobs, {unknown_application});
  EXPECT_EQ(histories.wait(interrupted_), 0U);
  EXPECT_TRUE(histories.take().not_there.empty());
}

TEST_F(FinishedRunsTest, AnApplicationWithoutAHistoryIsDroppedAfterSomeTriesAndToldOfOnce) {
  const tests::Server server = recorded_server();
  HistoryRequest how = request(server);
  how.pace.again = how.pace.later = 10ms;
  how.pace.quick_tries = 2;
  how.pace.most_tries = 3;
  FinishedRuns histories(how);
  const LiveBatch batch = batch_with(unknown_application);
  const FinishedRuns::News news =
      steps(histories, batch, [](const FinishedRuns::News& all) { return !all.not_there.empty(); });
  ASSERT_EQ(news.not_there.size(), 1U);
  EXPECT_EQ(news.not_there[0].job, "J1");
  EXPECT_EQ(news.not_there[0].application, unknown_application);
  EXPECT_EQ(news.not_there[0].tries, 3);
  EXPECT_EQ(news.problem, "");
  EXPECT_TRUE(twenty_steps(histories, batch).not_there.empty());
  EXPECT_EQ(histories.wait(interrupted_), 0U);
}

// A daemon that starts again meets the jobs of days, and has asked for them before.
TEST_F(FinishedRunsTest, AJobThatEndedLongAgoIsAskedForOnceAndNotToldOf) {
  const tests::Server server = recorded_server();
  FinishedRuns histories(request(server));
  LiveBatch batch = batch_with(unknown_application);
  batch.jobs[0].ended_at = now_instant() - std::chrono::hours(1);
  histories.look(batch.jobs, {});
  EXPECT_EQ(histories.wait(interrupted_), 0U);
  EXPECT_TRUE(histories.take().not_there.empty());
}

TEST_F(FinishedRunsTest, AServerThatIsAwayIsToldOfOnceAndNoTryOfTheApplication) {
  tests::Server server = recorded_server();
  HistoryRequest how = request(server);
  how.pace.again = how.pace.later = 10ms;
  how.pace.most_tries = 1;
  server.stop();
  FinishedRuns histories(how);
  const LiveBatch batch = batch_with(first_application);
  const FinishedRuns::News news =
      steps(histories, batch, [](const FinishedRuns::News& all) { return !all.problem.empty(); });
  EXPECT_THAT(news.problem, testing::HasSubstr("no answer"));
  const FinishedRuns::News later = twenty_steps(histories, batch);
  EXPECT_EQ(later.problem, "");
  EXPECT_TRUE(later.not_there.empty());
  interrupted_ = true;
  EXPECT_EQ(histories.wait(interrupted_), 1U);
}

TEST_F(FinishedRunsTest, WithoutAServerNothingIsMissing) {
  FinishedRuns histories({.store = url_});
  histories.look(batch_with(first_application).jobs, {});
  EXPECT_EQ(histories.wait(interrupted_), 0U);
  EXPECT_THROW(FinishedRuns({.store = url_, .server = "http://history:19888/jobhistory"}), UsageError);
}

}  // namespace
}  // namespace wavewright::app
