// Answers of Hadoop 3.4.2's application master, shortened; and which jobs are asked when.
#include "wavewright/live/outlook/job_progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/live/outlook/progress_poller.h"

namespace wavewright {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

const char* const url = "http://rm:8088/proxy/application_1_1";

std::string job_answer(int maps, int maps_done, int maps_run, int reduces, int reduces_done,
                       int reduces_run) {
  return fmt::format(
      R"({{"job":{{"id":"job_1_1","state":"RUNNING","mapsTotal":{},"mapsCompleted":{},"mapsRunning":{},"mapsPending":0,
      "reducesTotal":{},"reducesCompleted":{},"reducesRunning":{},"failedMapAttempts":1,"failedReduceAttempts":0}}}})",
      maps, maps_done, maps_run, reduces, reduces_done, reduces_run);
}
std::string task(const char* type, const char* state, int start, int finish, int elapsed) {
  return fmt::format(R"({{"type":"{}","state":"{}","startTime":{},"finishTime":{},"elapsedTime":{}}})", type,
                     state, start, finish, elapsed);
}

TEST(JobProgress, CountsTasksAndMeasuresThem) {
  const std::string tasks =
      R"({"tasks":{"task":[)" + task("MAP", "SUCCEEDED", 1'000, 5'000, 4'000) + "," +
      task("MAP", "RUNNING", 5'000, 0, 1'500) + "," + task("MAP", "SCHEDULED", 0, 0, 0) + "," +
      task("REDUCE", "RUNNING", 4'000, 0, 2'500) + "," + task("MAP", "FAILED", 1'000, 2'000, 1'000) + "]}}";
  const JobProgress progress = parse_progress(job_answer(3, 1, 1, 2, 0, 1), tasks, url, at_ms(9'000));
  EXPECT_EQ(progress.maps.total, 3);
  EXPECT_EQ(progress.maps.done, 1);
  EXPECT_EQ(progress.maps.running, 1);
  EXPECT_EQ(progress.maps.mean, ms(4'000));
  EXPECT_THAT(progress.maps.tasks,
              ElementsAre(SeenTask{ms(4'000), true, false}, SeenTask{ms(1'500), false, false}));
  // A reduce that waits for maps says nothing of its length.
  EXPECT_THAT(progress.reduces.tasks, ElementsAre(SeenTask{ms(0), false, false}));
  EXPECT_EQ(progress.reduces.mean, std::nullopt);
  EXPECT_EQ(progress.started, at_ms(1'000));
  EXPECT_EQ(progress.maps_done, std::nullopt);
  EXPECT_EQ(progress.failed_attempts, 1);
}

// A task starts when its first attempt does: the time of a lost attempt would count as work.
TEST(JobProgress, TasksThatWereTriedAgainTellNoLength) {
  const auto tried = [](const char* type, const char* attempt, int start, int finish) {
    std::string text = task(type, "SUCCEEDED", start, finish, finish - start);
    return text.insert(text.size() - 1,
                       fmt::format(R"(,"successfulAttempt":"attempt_1_1_m_000000_{}")", attempt));
  };
  const std::string tasks = R"({"tasks":{"task":[)" + tried("MAP", "0", 1'000, 5'000) + "," +
                            tried("MAP", "1", 500, 9'000) + "," + tried("MAP", "1001", 1'000, 8'000) + "," +
                            tried("REDUCE", "1000", 9'000, 10'000) + "," +
                            tried("REDUCE", "1", 9'000, 19'000) + "]}}";
  const JobProgress progress = parse_progress(job_answer(3, 3, 0, 2, 2, 0), tasks, url, at_ms(20'000));
  EXPECT_THAT(progress.maps.tasks, ElementsAre(SeenTask{ms(4'000), true, false}));
  EXPECT_EQ(progress.maps.mean, ms(4'000));
  EXPECT_EQ(progress.started, at_ms(500));
  EXPECT_EQ(progress.maps_done, at_ms(9'000));
  EXPECT_EQ(progress.reduces.mean, ms(1'000));
}

TEST(JobProgress, AReduceCountsFromTheLastMapsEnd) {
  const std::string tasks = R"({"tasks":{"task":[)" + task("MAP", "SUCCEEDED", 1'000, 5'000, 4'000) + "," +
                            task("REDUCE", "SUCCEEDED", 4'000, 7'000, 3'000) + "," +
                            task("REDUCE", "RUNNING", 7'000, 0, 800) + "]}}";
  const JobProgress progress = parse_progress(job_answer(1, 1, 0, 2, 1, 1), tasks, url, at_ms(9'000));
  EXPECT_EQ(progress.maps_done, at_ms(5'000));
  EXPECT_THAT(progress.reduces.tasks,
              ElementsAre(SeenTask{ms(2'000), true, false}, SeenTask{ms(800), false, true}));
  EXPECT_EQ(progress.reduces.mean, ms(2'000));
}

// The maps come in any order: the last end is that of the first listed here, at 9 s. The first reduce starts
// at that very time: it has waited for nothing, but its shuffle is one of those beside the maps.
TEST(JobProgress, TheLastMapIsNotTheLastListed) {
  const std::string tasks = R"({"tasks":{"task":[)" + task("MAP", "SUCCEEDED", 2'000, 9'000, 7'000) + "," +
                            task("MAP", "SUCCEEDED", 1'000, 5'000, 4'000) + "," +
                            task("REDUCE", "SUCCEEDED", 9'000, 11'000, 2'000) + "," +
                            task("REDUCE", "SUCCEEDED", 4'000, 13'000, 9'000) + "," +
                            task("REDUCE", "SUCCEEDED", 9'001, 12'001, 3'000) + "]}}";
  const JobProgress progress = parse_progress(job_answer(2, 2, 0, 3, 3, 0), tasks, url, at_ms(20'000));
  EXPECT_EQ(progress.started, at_ms(1'000));
  EXPECT_EQ(progress.maps_done, at_ms(9'000));
  EXPECT_THAT(progress.reduces.tasks,
              ElementsAre(SeenTask{ms(2'000), true, false}, SeenTask{ms(4'000), true, false},
                          SeenTask{ms(3'000), true, true}));
  EXPECT_EQ(progress.reduces.mean, ms(3'000));
}

// One map of two has ended; nobody knows when the other will. The reduce has waited since, and copied what
// there was.
TEST(JobProgress, AReduceHasNoLengthBeforeTheLastMapBegins) {
  const std::string tasks = R"({"tasks":{"task":[)" + task("MAP", "SUCCEEDED", 1'000, 5'000, 4'000) + "," +
                            task("MAP", "SCHEDULED", 0, 0, 0) + "," +
                            task("REDUCE", "RUNNING", 4'000, 0, 5'000) + "]}}";
  const JobProgress progress = parse_progress(job_answer(2, 1, 0, 1, 0, 1), tasks, url, at_ms(20'000));
  EXPECT_THAT(progress.reduces.tasks, ElementsAre(SeenTask{ms(0), false, false}));
}

// The output of a map was lost with its node: it runs again, and the reduce that is done has no known length.
TEST(JobProgress, ReducesHaveNoMeanWhileMapsRunAgain) {
  const std::string tasks = R"({"tasks":{"task":[)" + task("MAP", "RUNNING", 9'000, 0, 1'000) + "," +
                            task("REDUCE", "SUCCEEDED", 4'000, 7'000, 3'000) + "]}}";
  const JobProgress progress = parse_progress(job_answer(1, 0, 1, 2, 1, 0), tasks, url, at_ms(20'000));
  EXPECT_EQ(progress.reduces.done, 1);
  EXPECT_EQ(progress.reduces.mean, std::nullopt);
  EXPECT_EQ(progress.maps_done, std::nullopt);
}

TEST(JobProgress, CountsFailedAttemptsOfBothStages) {
  const char* const job = R"({"job":{"mapsTotal":1,"failedMapAttempts":2,"failedReduceAttempts":3}})";
  EXPECT_EQ(parse_progress(job, {}, url, at_ms(0)).failed_attempts, 5);
}

// The master's clock is 12 s ahead, or 30 s behind: it is 40 s into its job.
TEST(JobProgress, ClocksOfNodesMayDiffer) {
  const auto answer = [](const std::string& state, std::int64_t began) {
    std::string job = job_answer(1, 1, 0, 1, 0, 1);
    return job.replace(job.find("RUNNING"), 7, state)
        .insert(job.size() - 2, fmt::format(R"(,"startTime":{},"elapsedTime":40000)", began));
  };
  const std::string tasks = R"({"tasks":{"task":[)" + task("MAP", "SUCCEEDED", 101'000, 105'000, 4'000) +
                            "," + task("REDUCE", "RUNNING", 107'000, 0, 800) + "]}}";
  const auto read = [&](const std::string& state, std::int64_t now) {
    return parse_progress(answer(state, 100'000), tasks, url, at_ms(now));
  };
  const JobProgress ahead = read("RUNNING", 128'000), behind = read("RUNNING", 170'000);
  EXPECT_EQ(ahead.started, at_ms(101'000 - 12'000));
  EXPECT_EQ(ahead.maps_done, at_ms(105'000 - 12'000));
  EXPECT_EQ(behind.started, at_ms(101'000 + 30'000));
  EXPECT_EQ(behind.maps_done, at_ms(105'000 + 30'000));
  EXPECT_EQ(ahead.reduces.tasks, behind.reduces.tasks) << "lengths are by one clock";
  EXPECT_EQ(read("SUCCEEDED", 170'000).started, at_ms(101'000)) << "its time stands still";
  EXPECT_EQ(parse_progress(answer("RUNNING", std::int64_t{1} << 62), tasks, url, at_ms(0)).started,
            at_ms(101'000));
}

TEST(JobProgress, OneTaskMayBeNoList) {
  const std::string one = R"({"tasks":{"task":)" + task("MAP", "RUNNING", 1'000, 0, 10) + "}}";
  EXPECT_THAT(parse_progress(job_answer(1, 0, 1, 0, 0, 0), one, url, at_ms(0)).maps.tasks, SizeIs(1));
  EXPECT_THAT(parse_progress(job_answer(1, 0, 0, 0, 0, 0), R"({"tasks":null})", url, at_ms(0)).maps.tasks,
              SizeIs(0));
}

TEST(JobProgress, NonsenseIsRefusedOrLeftOut) {
  for (const char* each : {"", "<html>", "{}", R"({"job":[]})", R"({"job":{"mapsTotal":"x"}})",
                           R"({"job":{"mapsTotal":9223372036854775807}})",
                           R"({"job":{"mapsTotal":1,"reducesTotal":100000001}})"})
    EXPECT_THROW((void)parse_progress(each, "", url, at_ms(0)), ExternalError) << each;
  const std::string odd = R"({"tasks":{"task":[{"type":"MAP","state":"RUNNING","startTime":-5},7,null,)" +
                          task("MAP", "SUCCEEDED", 5'000, 1'000, 4'000) + "]}}";
  const JobProgress progress = parse_progress(job_answer(-3, 7, 9, 1, 2, 3), odd, url, at_ms(0));
  EXPECT_TRUE(progress.maps.tasks.empty());
  EXPECT_EQ(progress.maps.total, 0);
  EXPECT_EQ(progress.maps.running, 0);
  EXPECT_EQ(progress.reduces.done, 1);
}

class CountingReader : public ProgressReader {
 public:
  std::optional<JobProgress> progress(const std::string& application) override {
    asked.push_back(application);
    if (application.ends_with("-silent")) throw ExternalError({"master"}, "no answer", "wait");
    return application.ends_with("-spark") ? std::nullopt : std::optional(JobProgress{});
  }
  std::vector<std::string> asked;
};

LiveBatch running_jobs(int count) {
  LiveBatch batch;
  for (int i = 0; i < count; ++i) {
    LiveJob job;
    job.id = fmt::format("J{}", i);
    job.state = LiveState::running;
    job.started_at = at_ms(1'000 * i);
    job.applications = {fmt::format("A{}", i)};
    batch.jobs.push_back(job);
  }
  return batch;
}

TEST(ProgressPoller, AsksAFewJobsAStepTheNewestFirst) {
  CountingReader reader;
  ProgressPoller poller(reader, {.requests_per_step = 4});
  const LiveBatch batch = running_jobs(5);
  EXPECT_THAT(poller.step(batch, at_ms(0), ms(0)), ElementsAre("J4", "J3"));
  (void)poller.step(batch, at_ms(0), ms(1'000));
  (void)poller.step(batch, at_ms(0), ms(2'000));
  EXPECT_THAT(reader.asked, ElementsAre("A4", "A3", "A2", "A1", "A0"));
  EXPECT_THAT(poller.step(batch, at_ms(0), ms(4'000)), SizeIs(0))
      << "none is read oftener than each five seconds";
  EXPECT_THAT(poller.step(batch, at_ms(0), ms(6'500)), UnorderedElementsAre("J4", "J3"))
      << "the oldest readings";
}

TEST(ProgressPoller, FiveHundredJobsHaveTheirTurns) {
  CountingReader reader;
  ProgressPoller poller(reader, {.requests_per_step = 4});
  const LiveBatch batch = running_jobs(500);
  for (int second = 0; second < 250; ++second) {
    const std::size_t before = reader.asked.size();
    (void)poller.step(batch, at_ms(0), ms(1'000 * second));
    ASSERT_LE(reader.asked.size() - before, 2U);
  }
  EXPECT_THAT(poller.known(), SizeIs(500));
}

TEST(ProgressPoller, SilentMastersAndOtherApplicationsAreAskedSeldom) {
  CountingReader reader;
  ProgressPoller poller(reader);
  LiveBatch batch = running_jobs(2);
  batch.jobs[0].applications = {"A0-silent"};
  batch.jobs[1].applications = {"A1-spark"};
  for (int second = 0; second < 29; ++second) (void)poller.step(batch, at_ms(0), ms(1'000 * second));
  EXPECT_THAT(reader.asked, SizeIs(2));
  (void)poller.step(batch, at_ms(0), ms(31'000));
  EXPECT_THAT(reader.asked, SizeIs(4));
  EXPECT_TRUE(poller.known().empty());
}

// Their readings are no older where more other jobs run.
TEST(ProgressPoller, PromisedJobsAreReadBesideAnyNumberOfOthers) {
  CountingReader reader;
  ProgressPoller poller(reader, {.requests_per_step = 4, .promised_per_step = 40});
  LiveBatch batch = running_jobs(500);
  for (int i = 0; i < 20; ++i) batch.jobs[static_cast<std::size_t>(25 * i)].promise = DeadlinePromise{};
  for (int second = 0; second < 60; ++second) {
    (void)poller.step(batch, at_ms(1'000 * second), ms(1'000 * second));
    for (const LiveJob& job : batch.jobs) {
      if (!job.promise) continue;
      ASSERT_GE(poller.known().at(job.id).at, at_ms(1'000 * (second - 1))) << job.id;
    }
  }
  EXPECT_THAT(poller.known(), SizeIs(20 + 2 * 60)) << "the others have their turns";
}

TEST(ProgressPoller, APromisedJobWithoutAnswerIsAskedAgainSoon) {
  CountingReader reader;
  ProgressPoller poller(reader);
  LiveBatch batch = running_jobs(2);
  for (LiveJob& job : batch.jobs) job.promise = DeadlinePromise{};
  batch.jobs[0].applications = {"A0-silent"};
  batch.jobs[1].applications = {"A1-spark"};
  for (int second = 0; second < 5; ++second) (void)poller.step(batch, at_ms(0), ms(1'000 * second));
  EXPECT_THAT(reader.asked, SizeIs(2));
  (void)poller.step(batch, at_ms(0), ms(5'000));
  EXPECT_THAT(reader.asked, SizeIs(4));
}

TEST(ProgressPoller, JobsThatAreLeftOutKeepTheirReadings) {
  CountingReader reader;
  ProgressPoller poller(reader);
  const LiveBatch batch = running_jobs(2);
  (void)poller.step(batch, at_ms(0), ms(0));
  poller.leave_out({"J1"});
  EXPECT_THAT(poller.step(batch, at_ms(9'000), ms(9'000)), ElementsAre("J0"));
  EXPECT_EQ(poller.known().at("J1").at, at_ms(0));
  poller.leave_out({});
  EXPECT_THAT(poller.step(batch, at_ms(10'000), ms(10'000)), ElementsAre("J1"));
}

TEST(ProgressPoller, ForgetsJobsThatNoLongerRun) {
  CountingReader reader;
  ProgressPoller poller(reader);
  LiveBatch batch = running_jobs(1);
  (void)poller.step(batch, at_ms(0), ms(0));
  batch.jobs[0].state = LiveState::done;
  (void)poller.step(batch, at_ms(0), ms(1'000));
  EXPECT_TRUE(poller.known().empty());
}

}  // namespace
}  // namespace wavewright
