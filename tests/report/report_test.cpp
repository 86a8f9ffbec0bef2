#include "wavewright/report/report.h"

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "tests/report/page_checks.h"
#include "tests/report/sample.h"
#include "wavewright/core/error.h"
#include "wavewright/report/analysis.h"
#include "wavewright/report/charts/gantt.h"
#include "wavewright/report/charts/palette.h"
#include "wavewright/report/prediction.h"
#include "wavewright/report/sections/sections.h"

namespace wavewright {
namespace {

using sample::count;
using sample::unbalanced;
using ::testing::HasSubstr;
using ::testing::Not;

ReportData full_report(std::size_t jobs, std::size_t tasks, SlotPool pool) {
  const Workload batch = sample::workload(jobs, tasks);
  ReportData data = sample::report(batch, pool);
  sample::add_history(data, batch);
  return data;
}

// Two jobs (map, reduce) of 20 + 2 and 2 + 20 s on one slot each: 42 s in this order, 24 s in the other.
ReportData two_jobs() {
  Workload batch;
  for (const auto& [id, map, reduce] : {std::tuple("A", 20'000, 2'000), std::tuple("B", 2'000, 20'000)}) {
    Job job;
    job.id = id;
    job.maps = {ms(map)};
    job.reduces = {ms(reduce)};
    batch.jobs.push_back(job);
  }
  return sample::report(batch, {1, 1});
}

TEST(Report, TheHeadlineSaysWhatThePlanGainsAndHowGoodItIs) {
  ReportData data = two_jobs();
  EXPECT_EQ(report::headline(report::analyse(data)),
            "Johnson&#39;s order finishes in <b>24s</b>, submission order in <b>42s</b> (\u221243\u202F%). "
            "It meets the proven "
            "lower bound: no schedule is shorter.");
  data.makespan_bound = ms(23'000);
  EXPECT_THAT(report::headline(report::analyse(data)),
              HasSubstr("at most <b>4.4\u202F%</b> above the proven lower bound."));
  data.makespan_bound = {};
  EXPECT_THAT(report::headline(report::analyse(data)), Not(HasSubstr("bound")));
}

TEST(Report, AnOrderThatChangesNothingIsNotPraised) {
  ReportData data = two_jobs();
  data.schedules[1].result = data.schedules[0].result;
  EXPECT_THAT(
      report::headline(report::analyse(data)),
      HasSubstr("Johnson&#39;s order finishes in <b>42s</b>, just as submission order does, at most"));
}

TEST(Report, BothChartsShareOneAxisWithTheBoundAtItsPlace) {
  const ReportData data = two_jobs();
  const report::Analysis analysis = report::analyse(data);
  EXPECT_EQ(analysis.horizon, ms(42'000));
  for (const std::size_t schedule : {0U, 1U}) {
    EXPECT_THAT(report::gantt_chart(analysis, schedule),
                HasSubstr("<i class=\"rule bound\" style=\"left:57.14%\">"));  // 24 of 42
  }
  // Reduce of B: 22 to 42 s in the first chart, 2 to 22 s in the second.
  EXPECT_THAT(report::gantt_chart(analysis, 0), HasSubstr("<rect x=\"523.81\" y=\"0.5\" width=\"476.19\""));
  EXPECT_THAT(report::gantt_chart(analysis, 1), HasSubstr("<rect x=\"47.62\" y=\"0.5\" width=\"476.19\""));
}

TEST(Report, AJobHasTheSameColourInEveryChart) {
  for (const std::size_t jobs : {10U, 60U}) {
    const std::string html = sample::html(full_report(jobs, 20, {6, 4}));
    static const std::regex group("class=\"job ([cs][0-9]+)\" data-j=\"([0-9]+)\"");
    std::map<std::string, std::set<std::string>> colours;
    for (std::sregex_iterator at(html.begin(), html.end(), group), end; at != end; ++at)
      colours[(*at)[2]].insert((*at)[1]);
    EXPECT_EQ(colours.size(), jobs);
    for (const auto& [job, classes] : colours) EXPECT_EQ(classes.size(), 1U) << job;
  }
}

TEST(Report, TenJobsHaveTenColours) {
  std::set<std::string> classes;
  for (std::size_t job = 0; job < 10; ++job) classes.insert(report::job_class(job, 10));
  EXPECT_EQ(classes.size(), 10U);
}

TEST(Report, HostileNamesStayText) {
  ReportData data = full_report(3, 10, {4, 2});
  const std::string hostile =
      "</script><script>alert(1)</script><img src=x onerror=alert(2)>\" onload=\"x\xFF";
  data.title = data.jobs[1].id = data.jobs[1].name = hostile;
  data.profiles.front().name = data.predictions.front().name = data.predictions.front().job_id = hostile;
  data.schedules.back().label = hostile;
  const std::string html = sample::html(data);
  EXPECT_EQ(count(html, "<script"), 2U);  // the page's own
  EXPECT_EQ(count(html, "</script"), 2U);
  EXPECT_EQ(count(html, "<img"), 0U);
  EXPECT_EQ(count(html, "\" onload=\""), 0U);
  EXPECT_EQ(html.find('\xFF'), std::string::npos);
  EXPECT_EQ(unbalanced(html), "");
}

TEST(Report, NothingComesFromOutside) {
  const std::string html = sample::html(full_report(10, 20, {6, 4}));
  EXPECT_EQ(sample::from_outside(html), "");
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
}

TEST(Report, EqualDataGiveEqualBytes) {
  EXPECT_EQ(sample::html(full_report(40, 20, {70, 10})), sample::html(full_report(40, 20, {70, 10})));
}

TEST(Report, EveryElementIsClosedInTurn) {
  for (const std::size_t jobs : {1U, 10U, 80U}) {
    EXPECT_EQ(unbalanced(sample::html(full_report(jobs, 15, {8, 4}))), "") << jobs;
  }
}

TEST(Report, SectionsWithoutDataAreLeftOut) {
  const std::string html = sample::html(two_jobs());
  EXPECT_THAT(html, HasSubstr("id=\"plan\""));
  EXPECT_THAT(html, Not(HasSubstr("id=\"profiles\"")));
  EXPECT_THAT(html, Not(HasSubstr("href=\"#prediction\"")));
}

TEST(Report, ABatchWithoutJobsOrSchedulesStillMakesAPage) {
  ReportData data = sample::report({}, {4, 2});
  EXPECT_THAT(sample::html(data), HasSubstr("The batch holds no jobs."));
  data = two_jobs();
  data.schedules.clear();
  EXPECT_THAT(sample::html(data), HasSubstr("2 jobs, not scheduled."));
  data = two_jobs();
  data.schedules.pop_back();
  EXPECT_THAT(sample::html(data), HasSubstr("Submission order finishes in <b>42s</b>, at most"));
}

TEST(Report, AMapOnlyBatchOnAPoolWithoutReduceSlotsIsDrawn) {
  Workload batch = sample::workload(4, 10);
  for (Job& job : batch.jobs) job.reduces.clear();
  ReportData data = sample::report(batch, {3, 1});
  data.pool.reduce_slots = 0;
  const std::string html = sample::html(data);
  EXPECT_THAT(html, HasSubstr("Map slots in use"));
  EXPECT_THAT(html, Not(HasSubstr("Reduce slots in use")));
}

TEST(Report, AHundredThousandTasksFitInAFewMegabytesInEveryForm) {
  for (const SlotPool pool : {SlotPool{20, 10}, SlotPool{600, 400}}) {
    const ReportData data = full_report(1000, 110, pool);
    EXPECT_GT(data.schedules.front().result.trace.size(), 90'000U);
    EXPECT_LT(sample::html(data).size(), 4'000'000U);
  }
}

TEST(Report, AChartWhereNoTwoNeighboursAreOfOneJobStaysSmall) {
  ReportData data;
  data.pool = {64, 0};
  SimulationResult result;
  for (std::size_t job = 0; job < 1000; ++job) {
    data.jobs.push_back({fmt::format("J{}", job), ""});
    result.jobs.push_back({at_ms(0), {}, at_ms(0), at_ms(1'000'000), at_ms(1'000'000), false});
  }
  for (std::uint32_t i = 0; i < 64'000; ++i) {  // as many cells as the finest chart has
    const std::int64_t start = 1000 * (i / 64);
    result.trace.push_back(
        {(i / 64 + 37 * (i % 64)) % 1000, Kind::map, i, i % 64, at_ms(start), at_ms(start + 1000)});
  }
  result.makespan = ms(1'000'000);
  data.schedules.push_back({"submission order", result});
  EXPECT_LT(report::gantt_chart(report::analyse(data), 0).size(), 700'000U);
}

TEST(Report, TheFormOfTheChartFollowsItsSize) {
  EXPECT_EQ(report::gantt_form(12, 250), report::GanttForm::tasks);
  EXPECT_EQ(report::gantt_form(12, 100'000), report::GanttForm::runs);
  EXPECT_EQ(report::gantt_form(500, 250), report::GanttForm::stack);
}

TEST(Report, OfVeryManyJobsTheTableListsThoseThatChangeMost) {
  const std::size_t jobs = job_table_limit + 50;
  ReportData data;
  data.pool = {1, 0};
  for (const char* label : {"one", "other"}) {
    SimulationResult result;
    for (std::size_t job = 0; job < jobs; ++job)
      result.jobs.push_back({at_ms(0), {}, at_ms(0), at_ms(5), at_ms(5), false});
    data.schedules.push_back({label, result});
  }
  for (std::size_t job = 0; job < jobs; ++job) data.jobs.push_back({fmt::format("job-{}-end", job), ""});
  data.schedules[1].result.jobs.back().finish = at_ms(9);
  const std::string table = report::jobs_section(report::analyse(data));
  EXPECT_EQ(count(table, "<tr data-j="), job_table_limit);
  EXPECT_THAT(table, HasSubstr(fmt::format("job-{}-end", jobs - 1)));
  EXPECT_THAT(table, HasSubstr("The 3,000 jobs that change most of 3,050"));
}

TEST(Report, TheTableSaysWhatChangesForEachJob) {
  const ReportData data = two_jobs();
  const std::string table = report::jobs_section(report::analyse(data));
  EXPECT_THAT(table, HasSubstr("<span>+2s</span>"));        // A: 22 s, then 24 s
  EXPECT_THAT(table, HasSubstr("<span>\u221220s</span>"));  // B: 42 s, then 22 s
}

TEST(Report, ARejectedJobIsSaidToBeRejected) {
  ReportData data = two_jobs();
  data.schedules[1].result.jobs[0].rejected = true;
  EXPECT_THAT(report::jobs_section(report::analyse(data)), HasSubstr(">rejected</td>"));
}

TEST(Report, LostAttemptsAreCountedApart) {
  ReportData data = two_jobs();
  JobProfile profile;
  profile.name = "sort";
  profile.runs = 3;
  profile.failed_runs = 1;
  profile.map = {{ms(1000), ms(2000), ms(4000)}, 3, ms(1000), 2333.3, ms(4000)};
  profile.map_attempts = {3, 2, 0, 4};
  profile.reduce_attempts = {0, 0, 1, 0};
  data.profiles = {profile};
  const std::string html = report::profiles_section(report::analyse(data));
  EXPECT_THAT(html, HasSubstr("3 runs, 1 failed"));
  EXPECT_THAT(html, HasSubstr("attempts left out: 2 failed, 1 killed, 4 speculative"));
  EXPECT_THAT(html, HasSubstr("<td class=\"n strong\">2s</td>"));  // the median
  EXPECT_THAT(html, Not(HasSubstr("later shuffle")));
}

TEST(Report, AProfileTellsHowFarOffEstimatesWereAndThatTheJobHasChanged) {
  ReportData data = two_jobs();
  JobProfile profile;
  profile.name = "sort";
  data.profiles = {profile};
  EXPECT_THAT(report::profiles_section(report::analyse(data)), Not(HasSubstr("estimates")));
  TrackRecord record;
  record.runs = 12;
  record.error = 0.09;
  record.changed = TrackRecord::Changed{"map", 2, std::nullopt, 6};
  data.records = {{"sort", record}, {"another", record}};
  const std::string html = report::profiles_section(report::analyse(data));
  EXPECT_THAT(html, HasSubstr("<small>estimates: ±9 % in its last 12 runs</small>"));
  EXPECT_THAT(html,
              HasSubstr("<small><b>has changed</b>: its maps take 2.00 times as long (6 runs)</small>"));
  EXPECT_EQ(count(html, "has changed"), 1U);
}

TEST(Report, LengthsAgainstInputHaveADotARunTheLineAndItsFlags) {
  ReportData data = two_jobs();
  JobProfile profile;
  profile.name = "sort";
  data.profiles = {profile};
  PhaseFit fitted{"reduce", "input_bytes", {}, {}, {"3 sizes only"}};
  for (std::size_t i = 1; i <= 3; ++i)
    fitted.points.push_back({1e9 * static_cast<double>(i), 5e3 * static_cast<double>(i * i), i});
  fitted.line = fit(fitted.points);
  data.fits = {{"<b>sort", fitted}};
  const std::string html = report::profiles_section(report::analyse(data));
  EXPECT_THAT(html, HasSubstr("Lengths against input"));
  EXPECT_THAT(html, HasSubstr("3 runs, R² 0.98; 3 sizes only"));
  EXPECT_THAT(html, Not(HasSubstr("<b>sort")));
  std::size_t dots = 0;
  for (std::size_t at = html.find("class=\"dot\""); at != std::string::npos;
       at = html.find("class=\"dot\"", at + 1))
    ++dots;
  EXPECT_EQ(dots, 3U);
}

TEST(Report, PredictionErrorsAreRelativeToWhatWasMeasured) {
  ReportPrediction close, far, unmeasured;
  close.measured = ms(1000);
  close.low = ms(900);
  close.average = ms(1200);
  close.up = ms(1300);
  close.p50 = ms(1050);  // the simulated median goes before the average
  far.measured = ms(2000);
  far.low = far.average = far.up = ms(1500);
  const report::Accuracy all = report::accuracy({close, far, unmeasured});
  EXPECT_EQ(all.rows, 2);
  EXPECT_NEAR(all.mean_absolute, 0.15, 1e-12);
  EXPECT_NEAR(all.worst, 0.25, 1e-12);
  EXPECT_EQ(all.within_tenth, 1);
  EXPECT_EQ(all.bracketed, 1);
}

TEST(Report, AScheduleThatCannotBelongToTheBatchIsRefused) {
  ReportData data = two_jobs();
  data.schedules[1].result.jobs.pop_back();
  EXPECT_THROW(static_cast<void>(sample::html(data)), InternalError);
  data = two_jobs();
  data.schedules[1].result.trace.front().slot = 1;
  EXPECT_THROW(static_cast<void>(sample::html(data)), InternalError);
  data = two_jobs();
  data.schedules[1].result.trace.clear();
  EXPECT_THROW(static_cast<void>(sample::html(data)), InternalError);
}

ReportCurve some_curve() {
  ReportCurve curve{"slots", "makespan", {}, 1};
  for (const auto& [slots, value, bound] :
       {std::tuple(2, 900, 900), std::tuple(4, 400, 390), std::tuple(8, 350, 200)})
    curve.points.push_back({slots, {slots / 2, slots / 2}, ms(value * 1000), ms(bound * 1000), slots == 8});
  return curve;
}

TEST(Report, TheCurveOverSlotsShowsKneeAndDeadline) {
  ReportData data = two_jobs();
  EXPECT_THAT(sample::html(data), Not(HasSubstr("id=\"slots\"")));
  data.curve = some_curve();
  std::string html = sample::html(data);
  EXPECT_EQ(unbalanced(html), "");
  EXPECT_EQ(count(html, "no plan below"), 3U);
  EXPECT_EQ(count(html, "some slots stay idle"), 1U);
  EXPECT_EQ(count(html, "class=\"dot knee-dot\""), 1U);
  EXPECT_THAT(html, HasSubstr("knee: 6m40s at <b>4 slots</b>"));
  EXPECT_THAT(html, Not(HasSubstr("deadline-line\"")));
  data.deadline = ms(400'000);
  html = sample::html(data);
  EXPECT_THAT(html, HasSubstr("is met from <b>4 slots</b> on; with 2 no plan meets it."));
  EXPECT_EQ(count(html, "class=\"deadline-line\""), 1U);
  data.deadline = ms(399'000);  // 4 slots allow 390 s: nobody knows
  EXPECT_THAT(sample::html(data),
              HasSubstr("is met from <b>8 slots</b> on; with 4 none was found, which is no proof."));
  data.deadline = ms(199'000);
  EXPECT_THAT(sample::html(data), HasSubstr("No plan on these pools meets the deadline of"));
  data.deadline = ms(250'000);
  EXPECT_THAT(sample::html(data), HasSubstr("that none exists is not proven."));
  data.curve->knee.reset();
  EXPECT_THAT(sample::html(data), Not(HasSubstr("knee-dot\"")));
}

TEST(Report, TheDeadlineIsATile) {
  ReportData data = two_jobs();  // 24 s
  data.deadline = ms(30'000);
  EXPECT_THAT(sample::html(data), HasSubstr("met, 6s to spare"));
  data.deadline = ms(20'000);
  EXPECT_THAT(sample::html(data), HasSubstr("missed by 4s"));
}

TEST(Report, SaysWhatDecidesTheEnd) {
  ReportData data = two_jobs();
  EXPECT_THAT(sample::html(data), Not(HasSubstr("id=\"limits\"")));
  data.limits = ReportLimits{"Map slots <b>until</b> 6s.",
                             {{"map-slots", "map slots, 93 % in use", ms(0), ms(6000)},
                              {"reduce", "reduce 1 of <i>B", ms(6000), ms(24'000)}}};
  const std::string html = sample::html(data);
  EXPECT_EQ(unbalanced(html), "");
  EXPECT_THAT(html, HasSubstr("Map slots &lt;b&gt;until&lt;/b&gt; 6s."));
  EXPECT_THAT(html, HasSubstr("left:25%;width:75%"));
  EXPECT_THAT(html, HasSubstr("Reduce 1 of &lt;i&gt;B"));
  EXPECT_THAT(html, Not(HasSubstr("<i>B")));
}

TEST(Report, SaysHowSureTheEndIs) {
  ReportData data = two_jobs();  // 24 s
  EXPECT_THAT(sample::html(data), Not(HasSubstr("id=\"risk\"")));
  data.jobs[1].id = "<i>B";
  ReportRisk risk;
  risk.draws = 8;
  risk.source = "a spread of <b>10 %";
  risk.p50 = ms(24'000);
  risk.p95 = ms(31'000);
  risk.longer = 0.1;
  risk.jobs = {{1, 0.75, ms(1500)}, {0, 0.5, ms(0)}};
  risk.above = ms(20'000);
  risk.step = ms(4000);
  risk.counts = {5, 0, 3};
  data.risk = risk;
  const std::string without = sample::html(data);
  EXPECT_EQ(unbalanced(without), "");
  EXPECT_THAT(without, HasSubstr("tried on 8 draws"));
  EXPECT_THAT(without, HasSubstr("a spread of &lt;b&gt;10 %"));
  EXPECT_THAT(without, HasSubstr("end within <b>24s</b>, 95 % within <b>31s</b>"));
  EXPECT_THAT(without, HasSubstr("largest risk is <b><bdi>&lt;i&gt;B</bdi></b>"));
  EXPECT_THAT(without, HasSubstr("moves the end by 1.5s on average"));
  EXPECT_THAT(without, HasSubstr("75.0\u202F% of draws"));
  EXPECT_EQ(count(without, "% of draws"), 1U);  // the other moves nothing
  EXPECT_THAT(without, HasSubstr("20s to 24s: 5 of 8 draws"));
  ReportData certain = data;
  certain.risk->p95 = certain.risk->p50;
  EXPECT_THAT(sample::html(certain), HasSubstr("95 % of them end within <b>24s</b>."));
  EXPECT_EQ(count(without, "class=\"draws "), 2U);
  EXPECT_THAT(without, Not(HasSubstr("with a probability")));
  EXPECT_THAT(without, Not(HasSubstr("class=\"draws late\"")));

  data.deadline = ms(28'000);
  data.risk->meets = {0.625, 0.3, 0.9996};
  const std::string html = sample::html(data);
  EXPECT_EQ(unbalanced(html), "");
  EXPECT_THAT(html, HasSubstr("deadline of 28s with a probability of <b>62.5\u202F%</b>"));
  EXPECT_THAT(html, HasSubstr("interval 30.0\u202F% to 99.9\u202F%"));
  EXPECT_THAT(html, HasSubstr("Probability in time"));
  EXPECT_EQ(count(html, "class=\"draws late\""), 1U);
  EXPECT_EQ(count(html, "class=\"deadline-line\""), 1U);

  data.deadline = ms(1'000'000);  // far behind the last draw
  const std::string far = sample::html(data);
  EXPECT_THAT(far, HasSubstr("outside the picture"));
  EXPECT_EQ(count(far, "class=\"deadline-line\""), 0U);

  data.risk->counts.clear();
  EXPECT_THAT(sample::html(data), Not(HasSubstr("class=\"draws ")));
}

}  // namespace
}  // namespace wavewright
