// Words of Hadoop 3.4.2's Capacity scheduler, and what `why` makes of them.
#include "wavewright/live/outlook/why.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wavewright/core/when.h"

namespace wavewright {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Time now = at_ms(1'700'000'000'000);

LiveJob job_of(const std::string& id, LiveState state) {
  LiveJob job;
  job.id = id;
  job.tag = "tag-" + id;
  job.state = state;
  if (has_begun(state)) {
    job.attempts = 1;
    job.submitting_since = now - ms(9'000);
  }
  if (state >= LiveState::accepted) job.applications = {"application_1_0001"};
  return job;
}

struct Night {
  LiveBatch batch;
  std::shared_ptr<Outlook> outlook = std::make_shared<Outlook>();
  WhyFacts facts;
  Night() {
    facts.outlook = outlook;
    batch.name = "nightly";
    batch.submissions = "/state/run";
    batch.jobs = {job_of("etl", LiveState::running), job_of("report", LiveState::waiting),
                  job_of("copy", LiveState::waiting)};
    batch.jobs[2].after = {"report"};
    JobOutlook etl;
    etl.progress = JobProgress{};
    etl.progress->maps = {20, 5, 4};
    etl.progress->reduces = {2, 0, 0};
    etl.maps_done = Forecast{now + ms(50'000), now + ms(60'000), now + ms(70'000)};
    etl.end = Forecast{now + ms(80'000), now + ms(90'000), now + ms(99'000)};
    JobOutlook report;
    report.start = Forecast{now + ms(45'000), now + ms(58'000), now + ms(66'000)};
    report.end = Forecast{now + ms(100'000), now + ms(110'000), now + ms(120'000)};
    outlook->jobs = {{"etl", etl}, {"report", report}};
    facts.yarn = YarnWords{.diagnostics = {}, .activities = {}, .room = Bytes{2LL << 30}, .has_room = true};
  }
  Why ask(std::size_t job) { return why(batch, batch.jobs[job], facts, now); }
};

TEST(Why, AWaitingJobStartsAfterTheMapsThatMakeRoom) {
  Night night;
  const Why report = night.ask(1);
  EXPECT_EQ(to_string(report.code), "BehindOthers");
  // Eleven maps of etl wait, and report wants one container; two of 1 GiB are free.
  EXPECT_EQ(report.more, 10);
  EXPECT_THAT(report.sentence, HasSubstr("starts about " + format_clock(now + ms(58'000)) + " (" +
                                         format_clock(now + ms(45'000))));
  EXPECT_THAT(report.sentence, HasSubstr("after etl's maps; would start now with 10 more containers"));
  EXPECT_EQ(report.next, "wavewright queue --start --run nightly");
  EXPECT_EQ(report.end->p50, now + ms(110'000));
}

TEST(Why, EachWaitHasItsCodeAndItsCommand) {
  Night night;
  const Why copy = night.ask(2);
  EXPECT_EQ(copy.code, WhyCode::after_jobs);
  EXPECT_EQ(copy.sentence, "after report (waiting)");
  EXPECT_EQ(copy.next, "wavewright why report --run nightly");
  night.batch.jobs[1].state = LiveState::held;
  EXPECT_EQ(night.ask(1).next, "wavewright release report --run nightly");
  night.batch.jobs[1].state = LiveState::waiting;
  night.batch.jobs[1].not_before = now + ms(3'600'000);
  EXPECT_EQ(night.ask(1).code, WhyCode::not_before);
  EXPECT_THAT(night.ask(1).sentence,
              HasSubstr("may not be submitted before " + format_instant(now + ms(3'600'000))));
  night.batch.jobs[1].not_before = {};
  night.batch.ordering = LiveOrdering{};
  EXPECT_EQ(night.ask(1).code, WhyCode::dispatching_queue);
  night.facts.led = false;
  EXPECT_EQ(night.ask(1).code, WhyCode::nobody_runs_it);
  EXPECT_EQ(night.ask(1).next, "wavewright run --continue nightly");
  night.facts.led = true;
  night.batch.jobs[1].state = LiveState::submitting;
  night.batch.jobs[1].attempts = 2;
  EXPECT_EQ(night.ask(1).next, "tail -n 20 /state/run/tag-report.2.log");
}

TEST(Why, YarnsWordsDecideWhyAnApplicationWaits) {
  Night night;
  night.batch.jobs[1].state = LiveState::accepted;
  night.batch.jobs[1].applications = {"application_1_0002"};
  const auto code_with = [&](const std::string& diagnostics, std::vector<std::string> activities = {}) {
    night.facts.yarn->diagnostics = diagnostics;
    night.facts.yarn->activities = std::move(activities);
    return night.ask(1).code;
  };
  EXPECT_EQ(
      code_with(
          "[Tue] Application is added to the scheduler and is not yet activated. Queue's AM resource limit "
          "exceeded.  Details : AM Partition = <DEFAULT_PARTITION>"),
      WhyCode::queue_masters);
  EXPECT_EQ(code_with("User's AM resource limit exceeded."), WhyCode::user_limit);
  EXPECT_EQ(code_with("AM container is launched, waiting for AM container to Register with RM"),
            WhyCode::master_starts);
  EXPECT_EQ(
      code_with(
          "Application is Activated, waiting for resources to be assigned for AM.  Details : Queue's max "
          "capacity (absolute resource) = <memory:6144, vCores:16>"),
      WhyCode::cluster_full);
  EXPECT_EQ(code_with("", {"Queue does not have enough headroom for inner highest-priority request"}),
            WhyCode::queue_full);
  EXPECT_EQ(code_with("", {"Queue hits user max-capacity limit"}), WhyCode::user_limit);
  EXPECT_THAT(night.ask(1).yarn, HasSubstr("max-capacity limit"));
  EXPECT_EQ(night.ask(1).next, "yarn queue -status default");
  night.batch.jobs[1].placed_queue = "root.users.ann";
  EXPECT_EQ(night.ask(1).next, "yarn queue -status root.users.ann");
}

TEST(Why, ARunningJobSaysWhatItWaitsFor) {
  Night night;
  const Why etl = night.ask(0);
  EXPECT_EQ(etl.code, WhyCode::waits_for_tasks);
  EXPECT_THAT(etl.sentence, HasSubstr("5 of 20 maps are done, 4 run, 11 wait for containers; ends about"));
  EXPECT_EQ(etl.more, 11);
  night.outlook->jobs["etl"].progress->maps = {20, 18, 2};
  EXPECT_EQ(night.ask(0).code, WhyCode::runs);
  night.outlook->jobs.clear();
  EXPECT_EQ(night.ask(0).sentence, "it runs");
}

TEST(Why, AnEndedJobLeadsToItsLogs) {
  Night night;
  LiveJob& job = night.batch.jobs[0];
  job.state = LiveState::failed;
  job.reason = "its application failed";
  EXPECT_EQ(night.ask(0).sentence, "it failed: its application failed");
  EXPECT_EQ(night.ask(0).next, "yarn logs -applicationId application_1_0001");
  job.applications.clear();
  EXPECT_EQ(night.ask(0).next, "tail -n 20 /state/run/tag-etl.1.log");
  job.state = LiveState::unknown;
  EXPECT_THAT(night.ask(0).next, HasSubstr("-appTags tag-etl"));
  job.state = LiveState::done;
  EXPECT_THAT(night.ask(0).next, HasSubstr("night --check"));
}

TEST(YarnWords, ReadsDiagnosticsAndActivities) {
  EXPECT_EQ(
      parse_diagnostics(R"({"app":{"id":"application_1_1","diagnostics":"[Tue] waiting\n for room ; "}})"),
      "[Tue] waiting  for room");
  EXPECT_EQ(parse_diagnostics("<html>"), "");
  EXPECT_EQ(parse_diagnostics("{}"), "");
  const Activities none = parse_activities(
      R"({"appActivities":{"applicationId":"application_1_1","diagnostic":"waiting for display","timestamp":1}})");
  EXPECT_FALSE(none.noted);
  EXPECT_THAT(none.words, IsEmpty());
  // groupBy=diagnostic, as Hadoop 3.4.2 answers.
  const Activities some = parse_activities(
      R"({"appActivities":{"applicationId":"application_1_1","allocations":[
        {"timestamp":1,"queueName":"default","appPriority":0,"allocationState":"SKIPPED","children":[
          {"requestPriority":20,"allocationRequestId":-1,"allocationState":"REJECTED",
           "diagnostic":"Queue does not have enough headroom for inner highest-priority request"}]},
        {"allocationState":"SKIPPED","children":[{"requestPriority":20,"allocationState":"SKIPPED","children":[
          {"allocationState":"SKIPPED","diagnostic":"Node does not have sufficient resource for request","count":"2"}]},
          {"diagnostic":"Queue does not have enough headroom for inner highest-priority request"}]}]}})");
  EXPECT_TRUE(some.noted);
  EXPECT_THAT(some.words,
              ElementsAre("Queue does not have enough headroom for inner highest-priority request",
                          "Node does not have sufficient resource for request"));
  std::string deep = R"({"diagnostic":"deep"})";
  for (int i = 0; i < 40; ++i) deep = R"({"children":[)" + deep + "]}";
  EXPECT_THAT(parse_activities(R"({"appActivities":{"allocations":[)" + deep + "]}}").words, IsEmpty());
}

}  // namespace
}  // namespace wavewright
