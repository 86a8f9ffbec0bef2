// What the report shows beside the plan, and what it shows first.
#include <gmock/gmock.h>

#include <fmt/format.h>

#include "tests/report/page_checks.h"
#include "tests/report/sample.h"
#include "wavewright/report/analysis.h"
#include "wavewright/report/page/panels.h"
#include "wavewright/report/prediction.h"
#include "wavewright/report/sections/sections.h"

namespace wavewright {
namespace {

using sample::count;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// Submission order, a plan, and the first order once more on other slots.
ReportData three_schedules() {
  ReportData data = sample::report(sample::workload(4, 10), {3, 2});
  ReportSchedule measured = data.schedules.front();
  measured.label = "as measured";
  measured.pool = {5, 4};
  measured.note = "As it <ran>.";
  measured.result.trace.front().slot = measured.result.trace.front().kind == Kind::map ? 4 : 3;
  data.schedules.push_back(std::move(measured));
  return data;
}

TEST(ReportBeside, FurtherSchedulesAreBarsFoldedChartsAndAColumnEach) {
  const ReportData data = three_schedules();
  const std::string html = sample::html(data);
  EXPECT_EQ(sample::unbalanced(html), "");
  EXPECT_EQ(count(html, "<figure class=\"gantt\""), 3U);
  EXPECT_EQ(count(html, "<details>"), 1U);
  EXPECT_THAT(html, HasSubstr("<summary>As measured: ends at"));
  const std::string table = report::jobs_section(report::analyse(data));
  EXPECT_EQ(count(table, ">First start</th>"), 2U);
  EXPECT_EQ(count(table, ">Finish</th>"), 3U);
  EXPECT_EQ(count(table, ">Finish changes by</th>"), 1U);
}

TEST(ReportBeside, AScheduleOnOtherSlotsHasItsOwnRowsAndNoBound) {
  const ReportData data = three_schedules();
  const report::Analysis analysis = report::analyse(data);
  const std::string summary = report::summary_section(analysis);
  EXPECT_THAT(summary, HasSubstr("on up to 5 + 4 slots"));
  EXPECT_EQ(count(summary, "<i class=\"rule bound\""), 2U);
  EXPECT_THAT(report::plan_section(analysis), HasSubstr("As it &lt;ran&gt;."));
  EXPECT_THAT(report::use_section(analysis), Not(HasSubstr("As measured")));
}

TEST(ReportBeside, AMissedDeadlineIsTheHeadline) {
  ReportData data = three_schedules();
  const Duration end = data.schedules[1].result.makespan;
  data.deadline = end;
  EXPECT_THAT(report::headline(report::analyse(data)), Not(HasSubstr("missed")));
  data.deadline = end - ms(12'000);
  const report::Analysis analysis = report::analyse(data);
  EXPECT_THAT(report::headline(analysis), StartsWith("<span class=\"missed\">The deadline of <b>"));
  EXPECT_THAT(report::headline(analysis), HasSubstr("is missed by <b>12s</b>"));
  const std::string summary = report::summary_section(analysis);
  EXPECT_LT(summary.find("<dt>Deadline</dt>"), summary.find("<dt>Lower bound</dt>"));
}

TEST(ReportBeside, DeadlinesOfJobsAreInTheHeadlineWhereTheyAreMissed) {
  ReportData data = three_schedules();
  const std::vector<JobOutcome>& outcomes = data.schedules[1].result.jobs;
  data.jobs[0].deadline = outcomes[0].finish;
  data.jobs[1].deadline = outcomes[1].finish - ms(7000);
  data.jobs[1].name = "<late>";
  const report::Analysis analysis = report::analyse(data);
  EXPECT_THAT(report::headline(analysis),
              StartsWith("<span class=\"missed\"><b>1</b> of 2 jobs with a deadline misses it, "
                         "<bdi>&lt;late&gt;</bdi> by <b>7s</b>."));
  EXPECT_THAT(report::summary_section(analysis), HasSubstr("<dd class=\"value\">1 of 2</dd>"));
  data.jobs[1].deadline.reset();
  EXPECT_THAT(report::headline(report::analyse(data)), Not(HasSubstr("deadline")));
}

TEST(ReportBeside, TheErrorSaysOfWhichRuns) {
  ReportPrediction alone, shared;
  alone.measured = ms(1000);
  alone.average = ms(1130);
  shared.measured = ms(1000);
  shared.average = ms(330);
  shared.shared = true;
  const report::Accuracy both = report::accuracy({alone, shared});
  EXPECT_NEAR(both.mean_absolute, 0.13, 1e-12);
  EXPECT_NEAR(both.shared_error, 0.67, 1e-12);
  EXPECT_THAT(report::accuracy_tile({alone, shared}),
              testing::AllOf(HasSubstr(">13\u202F% alone<"),
                             HasSubstr(">67\u202F% when shared; means of 1 run and 1 run<")));
  EXPECT_THAT(report::accuracy_tile({alone}), testing::AllOf(HasSubstr("alone"), Not(HasSubstr("shared"))));
  EXPECT_THAT(report::accuracy_tile({shared}), HasSubstr(">67\u202F% when shared<"));
  EXPECT_EQ(report::accuracy_tile({}), "");
}

TEST(ReportBeside, NamesStandBeforeIds) {
  EXPECT_EQ(report::job_label({"job_1795165486006_0038", "log-import"}), "log-import");
  EXPECT_EQ(report::job_label({"job_1795165486006_0038", ""}), "…6_0038");
  const std::vector<ReportJob> jobs = {{"job_1", "etl"}, {"job_2", "etl"}, {"job_3", "index"}};
  const std::string keys = report::job_keys(jobs);
  EXPECT_THAT(keys, HasSubstr("<bdi>etl</bdi> <small><bdi>job_1</bdi></small>"));
  EXPECT_THAT(keys, HasSubstr("<bdi>index</bdi></span>"));
  ReportData data = three_schedules();
  data.jobs[2] = {"job_3", "index"};
  const std::string table = report::jobs_section(report::analyse(data));
  EXPECT_LT(table.find("<bdi>index</bdi>"), table.find("<bdi>job_3</bdi>"));
}

TEST(ReportBeside, EveryBoxThatScrollsCanBeReachedByKeyboard) {
  const Workload batch = sample::workload(4, 10);
  ReportData data = sample::report(batch, {3, 2});
  sample::add_history(data, batch);
  const std::string html = sample::html(data);
  EXPECT_GE(count(html, "<div class=\"scroll"), 3U);
  EXPECT_EQ(count(html, "<div class=\"scroll"),
            count(html, "<div class=\"scroll tall\" tabindex=\"0\" role=\"region\""));
}

TEST(ReportBeside, TheScriptKnowsUsersAndQueues) {
  ReportData data = three_schedules();
  data.jobs[0] = {"job_1", "etl", "ann", "root.night"};
  EXPECT_THAT(sample::html(data), HasSubstr(R"(["job_1","etl","ann","root.night"])"));
}

}  // namespace
}  // namespace wavewright
