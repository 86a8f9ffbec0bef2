// The page of a simulated run.
#include "wavewright/report/simulation_report.h"

#include <algorithm>
#include <atomic>
#include <numeric>

#include <fmt/format.h>

#include "tests/property.h"
#include "tests/report/page_checks.h"
#include "tests/report/sample.h"
#include "tests/report/sample_run.h"
#include "tests/sim/cluster_worlds.h"
#include "wavewright/core/error.h"
#include "wavewright/report/charts/svg.h"
#include "wavewright/report/simulation/sections.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {
namespace {

using report::GanttForm;
using sample::count;
using ::testing::HasSubstr;
using ::testing::Not;

// Two jobs of one map each, one after the other on the only slot; the second has 5 s from its submission.
sample::Run two_jobs() {
  Workload batch;
  for (const char* id : {"A", "B"}) {
    Job job;
    job.id = id;
    job.maps = {ms(4'000)};
    batch.jobs.push_back(job);
  }
  batch.jobs[1].deadline = at_ms(5'000);
  Cluster cluster = flat_cluster({1, 0});
  cluster.nodes[0].power_idle_w = cluster.nodes[0].power_busy_w = 450;
  cluster.nodes[0].price_per_hour = 9;
  return sample::run(std::move(batch), std::move(cluster));
}

sample::Run troubled_run() {
  return sample::run(sample::workload(5, 40), sample::troubled_cluster(), "fair");
}

TEST(SimulationReport, TheSummarySaysHowLongOnWhatAndAtWhatPrice) {
  const sample::Run run = two_jobs();
  const std::string html = report::run_summary_section(report::view_of(run.report()));
  EXPECT_THAT(html, HasSubstr("<p class=\"headline\"><span class=\"missed\"><b>1</b> of 1 deadline "
                              "missed.</span> 2 jobs end in <b>8s</b> under <b>fifo</b>."));
  EXPECT_THAT(html, HasSubstr("2 jobs with 2 tasks on 1 map slot and 0 reduce slots."));
  EXPECT_THAT(html, HasSubstr("<dd class=\"value\">0 of 1</dd>"));      // deadlines
  EXPECT_THAT(html, HasSubstr("<dd class=\"value\">0.001 kWh</dd>"));   // 450 W for 8 s
  EXPECT_THAT(html, HasSubstr("<dd class=\"value\">0.02 USD</dd>"));    // 9 USD an hour
  EXPECT_THAT(html, HasSubstr("<dd class=\"value\">100\u202F%</dd>"));  // of the map slot
}

TEST(SimulationReport, TheTableSaysWhatEachJobWaitedAndWhetherItWasInTime) {
  const sample::Run run = two_jobs();
  const std::string html = report::run_jobs_section(report::view_of(run.report()));
  EXPECT_THAT(html, HasSubstr("5s <span class=\"missed\">missed by 3s</span>"));
  EXPECT_EQ(count(html, ">4s</td>"), 5U);  // A: maps done, finish, took; B: start, waited
  EXPECT_THAT(html, Not(HasSubstr(">Queue</th>")));
}

TEST(SimulationReport, SectionsWithoutDataAreLeftOut) {
  sample::Run run = two_jobs();
  run.cluster.nodes[0].price_per_hour = 0;
  const std::string html = sample::html(run.report());
  EXPECT_THAT(html, HasSubstr("Power over time"));
  for (const char* absent :
       {"Cost over time", "id=\"nodes\"", "id=\"why\"", "came to nothing", "their block"})
    EXPECT_THAT(html, Not(HasSubstr(absent)));
  const sample::Run none = sample::run({}, flat_cluster({1, 1}));
  const std::string empty = sample::html(none.report());
  EXPECT_THAT(empty, HasSubstr("The batch holds no jobs."));
  EXPECT_EQ(count(empty, "<section"), 1U);
}

TEST(SimulationReport, WhatWentWrongIsMarked) {
  const sample::Run run = troubled_run();
  const report::SimulationView view = report::view_of(run.report());
  const auto came_to = [&](AttemptOutcome outcome) {
    return static_cast<std::size_t>(std::count_if(view.tasks.begin(), view.tasks.end(),
                                                  [&](const TaskRecord& t) { return t.outcome == outcome; }));
  };
  const std::size_t failed = came_to(AttemptOutcome::failed), lost = came_to(AttemptOutcome::lost);
  ASSERT_GT(failed, 0U);
  ASSERT_GT(lost, 0U);
  const std::string html = report::run_schedule_section(view);
  EXPECT_EQ(count(html, ",failed\""), failed);  // boxes say so when they are pointed at
  EXPECT_EQ(count(html, ",lost\""), lost);
  const std::size_t hatched = html.find("class=\"over hatch failed\"");
  ASSERT_NE(hatched, std::string::npos);
  const std::string path = html.substr(hatched, html.find("/>", hatched) - hatched);
  EXPECT_EQ(count(path, "M"), failed);
}

TEST(SimulationReport, ANodeThatIsAwayIsShadedWhileItIs) {
  const sample::Run run = troubled_run();
  const report::SimulationView view = report::view_of(run.report());
  const double per_ms = 1000.0 / static_cast<double>(view.horizon.count());
  // node2 has the lanes 3, 4 and 5 of 18 px.
  const std::string from = report::number(20'000 * per_ms), width = report::number(40'000 * per_ms);
  EXPECT_EQ(count(report::run_schedule_section(view),
                  fmt::format("<path class=\"away\" d=\"M{} 54h{}v54h-{}z\"/>", from, width, width)),
            1U);
  EXPECT_THAT(report::nodes_section(view), HasSubstr("data-v=\"40000\">40s</td>"));
}

TEST(SimulationReport, EveryTaskLiesOnALaneOfItsNodeAndNoTwoOverlap) {
  for (const bool containers : {false, true}) {
    const sample::Run run =
        sample::run(sample::workload(6, 30),
                    containers ? sample::container_cluster() : sample::troubled_cluster(), "fair");
    const report::SimulationView view = report::view_of(run.report());
    ASSERT_EQ(view.tasks.size(), run.result.trace.size());
    for (std::size_t i = 0; i < view.tasks.size(); ++i) {
      const TaskRecord& task = view.tasks[i];
      EXPECT_EQ(view.lane_node.at(task.slot), task.node);
      if (i > 0 && view.tasks[i - 1].slot == task.slot) {
        EXPECT_LE(view.tasks[i - 1].end, task.start);
      }
    }
    if (!containers) {
      EXPECT_EQ(view.lane_node.size(), 18U);
    }
  }
}

TEST(SimulationReport, WithoutHeartbeatsTasksAreOnTheNodesWhoseSlotsTheyTook) {
  Cluster cluster;
  cluster.nodes.resize(1);
  cluster.nodes[0].count = 3;
  cluster.nodes[0].slots = {1, 1};
  const sample::Run run = sample::run(sample::workload(1, 20), cluster);
  ASSERT_TRUE(run.result.nodes.empty());  // the flat pool's engine
  const std::string html = report::nodes_section(report::view_of(run.report()));
  EXPECT_THAT(html, HasSubstr("node3"));
  EXPECT_THAT(html, Not(HasSubstr("<span>0.0\u202F%</span>")));
}

TEST(SimulationReport, TheFormFollowsTheSize) {
  const auto form_of = [](Count nodes, SlotPool slots, std::size_t tasks) {
    Cluster cluster = sample::troubled_cluster();
    cluster.outages.clear();
    for (NodeGroup& group : cluster.nodes) {
      group.count = nodes / 2;
      group.slots = slots;
    }
    const sample::Run run = sample::run(sample::workload(4, tasks), cluster);
    return report::run_form(report::view_of(run.report()));
  };
  EXPECT_EQ(form_of(6, {2, 1}, 30), GanttForm::tasks);
  EXPECT_EQ(form_of(6, {2, 1}, 2'500), GanttForm::runs);
  EXPECT_EQ(form_of(20, {4, 2}, 30), GanttForm::nodes);
  EXPECT_EQ(form_of(4, {40, 20}, 30), GanttForm::stack);
  EXPECT_EQ(form_of(100, {4, 2}, 30), GanttForm::stack);
}

TEST(SimulationReport, TheBarOfAJobsTimeHasItsParts) {
  const sample::Run run = two_jobs();
  SimulationReport data = run.report();
  data.why = {1};
  const std::string html = report::why_section(report::view_of(data));
  EXPECT_THAT(html, HasSubstr("Why job B took so long"));
  EXPECT_THAT(
      html, HasSubstr("<i class=\"part w0\" style=\"width:50%\" data-tip=\"waiting for its first slot: 4s"));
  EXPECT_THAT(html, HasSubstr("<i class=\"part map\" style=\"width:50%\""));
}

TEST(SimulationReport, SaysWhyAJobFailed) {
  sample::Run run = two_jobs();
  run.workload.jobs[1].task_failure = 1;
  run = sample::run(run.workload, run.cluster);
  SimulationReport data = run.report();
  data.why = {1};
  const std::string html = report::why_section(report::view_of(data));
  EXPECT_THAT(html, HasSubstr("Why job B failed"));
  EXPECT_THAT(html, HasSubstr("Its map 0 failed 4 times, as often as a task may."));
  EXPECT_EQ(count(html, "<tr>"), 1U + 4U);
}

TEST(SimulationReport, ExplainsTheLongestOfManyJobs) {
  const sample::Run run = sample::run(sample::workload(30, 5), flat_cluster({2, 1}));
  SimulationReport data = run.report();
  data.why.resize(30);
  std::iota(data.why.begin(), data.why.end(), 0);
  const std::string html = report::why_section(report::view_of(data));
  EXPECT_EQ(count(html, "<section"), why_limit);
}

TEST(SimulationReport, HostileNamesStayText) {
  const std::string hostile =
      "</script><script>alert(1)</script><img src=x onerror=alert(2)>\" onload=\"x\xFF";
  sample::Run run = troubled_run();
  SimulationReport data = run.report();
  data.title = data.policy = run.workload.jobs[1].id = run.workload.jobs[1].name = hostile;
  run.workload.jobs[2].queue = run.cluster.nodes[0].rack = run.cluster.nodes[1].node_class = hostile;
  run.result.nodes[3] = hostile;
  data.why = {1};
  const std::string html = sample::html(data);
  EXPECT_EQ(count(html, "<script"), 2U);  // the page's own
  EXPECT_EQ(count(html, "</script"), 2U);
  EXPECT_EQ(count(html, "<img"), 0U);
  EXPECT_EQ(count(html, "\" onload=\""), 0U);
  EXPECT_EQ(html.find('\xFF'), std::string::npos);
  EXPECT_EQ(sample::unbalanced(html), "");
}

TEST(SimulationReport, IsOneFileEqualForEqualRuns) {
  const sample::Run run = troubled_run();
  const std::string html = sample::html(run.report());
  EXPECT_EQ(sample::from_outside(html), "");
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  EXPECT_EQ(sample::unbalanced(html), "");
  const sample::Run again = troubled_run();
  EXPECT_EQ(html, sample::html(again.report()));
  for (const Cluster& cluster : {sample::container_cluster(), flat_cluster({300, 200})}) {
    const sample::Run other = sample::run(sample::workload(30, 40), cluster);
    EXPECT_EQ(sample::unbalanced(sample::html(other.report())), "");
  }
}

TEST(SimulationReport, ARunThatWasStoppedSaysWhatIsNotDone) {
  sample::Run run = two_jobs();
  run.workload.jobs[1].deadline = at_ms(60'000);
  std::atomic<bool> stop = true;
  Policy policy = make_policy("fifo");
  ClusterOptions how{run.cluster, 1, true};
  how.stop = &stop;
  run.result = simulate_on(run.workload, policy, how);
  ASSERT_TRUE(run.result.stopped);
  const report::SimulationView view = report::view_of(run.report());
  EXPECT_THAT(report::run_headline(view), HasSubstr("2 jobs were stopped after"));
  EXPECT_THAT(report::run_headline(view), Not(HasSubstr("deadline")));
  EXPECT_EQ(count(report::run_jobs_section(view), ">not done</td>"), 2U);
  EXPECT_EQ(count(report::run_schedule_section(view), "hatch"), 0U);
  EXPECT_EQ(sample::unbalanced(sample::html(run.report())), "");

  run.result.stuck = {"job '<a>' is never placed", "add nodes"};
  const report::SimulationView stuck = report::view_of(run.report());
  EXPECT_THAT(report::run_headline(stuck), HasSubstr("2 jobs could not go on after"));
  EXPECT_THAT(report::run_summary_section(stuck),
              HasSubstr("Why: job &#39;&lt;a&gt;&#39; is never placed. To do: add nodes."));
}

// Four maps of 10 s on one slot, two at a time: the slot is in use all the time, and no more.
TEST(SimulationReport, TasksThatShareASlotUseItOnce) {
  Workload workload = sample::workload(1, 1);
  Job& job = workload.jobs[0];
  job.submit = {};
  job.maps.assign(4, ms(10'000));
  job.reduces.clear();
  job.classes["gpu"] = {1, 2, 1};
  Cluster cluster = flat_cluster({1, 0});
  cluster.nodes[0].node_class = "gpu";
  const sample::Run run = sample::run(workload, cluster);
  const report::SimulationView view = report::view_of(run.report());
  EXPECT_TRUE(view.shares());
  EXPECT_EQ(view.lane_node.size(), 2U) << "a row a task at once";
  EXPECT_THAT(report::run_use_section(view), HasSubstr("<b>100\u202F%</b>"));
  EXPECT_THAT(report::run_schedule_section(view), HasSubstr("tasks share slots"));
}

TEST(SimulationReport, AnyRunCanBeDrawn) {
  holds_always([] {
    Cluster cluster = worlds::some_faulty_cluster();
    if (*rc::gen::arbitrary<bool>()) worlds::give_out_containers(cluster);
    const sample::Run run =
        worlds::unless_stuck([&] { return sample::run(worlds::some_dependent_workload(), cluster, "fair"); });
    const std::string html = sample::html(run.report());
    RC_ASSERT(sample::unbalanced(html).empty());
    RC_ASSERT(html.find("nan") == std::string::npos);
    RC_ASSERT(html.find("inf") == std::string::npos);
  });
}

TEST(SimulationReport, AHundredThousandTasksOnFourThousandNodesFitInAFewMegabytes) {
  Cluster cluster = sample::troubled_cluster();
  for (NodeGroup& group : cluster.nodes) group.count = 2'000;
  const sample::Run run = sample::run(sample::workload(1'000, 110), cluster, "fair");
  EXPECT_GT(run.result.trace.size(), 90'000U);
  const std::string html = sample::html(run.report());
  EXPECT_LT(html.size(), 4'000'000U);
  EXPECT_EQ(count(html, "<tr><th scope=\"row\" data-v="), job_table_limit);
  EXPECT_THAT(html, HasSubstr("The 3,000 nodes that were busiest of 4,000"));
}

TEST(SimulationReport, ManyTasksOnFewLanesOrNodesStaySmallToo) {
  for (const Count nodes : {6, 60}) {
    Cluster cluster = sample::troubled_cluster();
    for (NodeGroup& group : cluster.nodes) group.count = nodes / 2;
    const sample::Run run = sample::run(sample::workload(300, 110), cluster, "fair");
    EXPECT_LT(sample::html(run.report()).size(), 4'000'000U) << nodes;
  }
}

TEST(SimulationReport, ARunThatCannotBelongToTheWorkloadIsRefused) {
  sample::Run run = two_jobs();
  run.workload.jobs.pop_back();
  EXPECT_THROW(static_cast<void>(sample::html(run.report())), InternalError);
  run = two_jobs();
  run.result.trace.front().slot = 1;
  EXPECT_THROW(static_cast<void>(sample::html(run.report())), InternalError);
  run = two_jobs();
  run.result.trace.clear();
  EXPECT_THROW(static_cast<void>(sample::html(run.report())), InternalError);
}

}  // namespace
}  // namespace wavewright
