// Rented machines on the page of a simulated run, and the page of the choice between options.
#include <gmock/gmock.h>

#include <set>
#include <sstream>

#include "tests/report/page_checks.h"
#include "tests/report/sample.h"
#include "tests/report/sample_run.h"
#include "tests/sim/small_jobs.h"
#include "wavewright/cloud/deadline/policies.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/report/rental_report.h"
#include "wavewright/report/simulation/sections.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The first machine is outbid at 12 s.
sample::Run rented_run(const std::string& policy) {
  sample::Run run;
  for (const char* id : {"A<b>", "B"}) {
    Job job = job_of(id, {8'000, 8'000}, {}, id[0] == 'A' ? 0 : 20'000);
    job.deadline = job.submit + ms(90'000);
    run.workload.jobs.push_back(std::move(job));
  }
  run.cluster = parse_cluster(
      "[[nodes]]\ncount = 4\nclass = \"m3\"\nmap_slots = 2\nprice_per_hour = 3.6\nrent = true\nboot_ms = "
      "5000\n"
      "spot = [[0, 1], [12000, 4], [15000, 1]]\n",
      "cloud.toml");
  Policy made = make_policy(policy, {}, PolicyRegistry(deadline_policies()));
  run.result = simulate_cluster(run.workload, made, {.cluster = run.cluster, .trace = true});
  run.policy = policy;
  return run;
}

TEST(LeasesSection, SaysWhyMachinesCameAndLeft) {
  const sample::Run run = rented_run("edf(machines=hybrid, bid=2, idle=3s)");
  const std::string html = report::leases_section(report::view_of(run.report()));
  EXPECT_THAT(html, HasSubstr("A&lt;b&gt; arrived"));
  EXPECT_THAT(html, Not(HasSubstr("A<b>")));
  EXPECT_THAT(html, HasSubstr("taken away: the spot price was 4 USD"));
  EXPECT_THAT(html, HasSubstr("another machine was lost"));
  EXPECT_THAT(html, HasSubstr("spot for 2 USD"));
  for (const char* chart :
       {"Rented machines over time", "Prices over time", "Each lease over time", "Highest bid"})
    EXPECT_THAT(html, HasSubstr(chart));
  EXPECT_EQ(sample::count(html, "class=\"taken\""), 1U);
  EXPECT_EQ(sample::count(html, "<tr><th scope=\"row\""), run.result.leases.size());
}

TEST(ScheduleSection, HasNoRowsForMachinesThatWereNeverRented) {
  sample::Run run = rented_run("edf(machines=on-demand, most=1)");
  std::set<NodeIndex> rented;
  for (const Lease& lease : run.result.leases) rented.insert(lease.node);
  ASSERT_LT(rented.size(), 4U);
  const report::SimulationView some = report::view_of(run.report());
  EXPECT_EQ(some.node_rows, std::ssize(rented));
  EXPECT_EQ(some.lane_node.size(), 2 * rented.size());
  EXPECT_EQ(sample::count(report::run_schedule_section(some), "class=\"node\""), rented.size());
  // Rows of nodes: the first hundred are for rent, and none of them was rented.
  run.cluster = parse_cluster(
      "[[nodes]]\ncount = 100\nmap_slots = 6\nrent = true\n[[nodes]]\ncount = 50\nmap_slots = 6\n",
      "cluster.toml");
  Policy made = make_policy("edf", {}, PolicyRegistry(deadline_policies()));
  run.result = simulate_cluster(run.workload, made, {.cluster = run.cluster, .trace = true});
  const report::SimulationView all = report::view_of(run.report());
  ASSERT_EQ(report::run_form(all), report::GanttForm::nodes);
  EXPECT_EQ(all.node_rows, 50);
  const std::string html = report::run_schedule_section(all);
  EXPECT_EQ(html.find("node1<"), std::string::npos);
  EXPECT_THAT(html, HasSubstr(" on 50 nodes;"));
  EXPECT_EQ(html.find("NaN"), std::string::npos);
}

TEST(LeasesSection, IsLeftOutWithoutLeases) {
  const sample::Run run = sample::run(sample::workload(2, 4), flat_cluster({2, 2}));
  EXPECT_EQ(report::leases_section(report::view_of(run.report())), "");
}

RentalFigures option(const std::string& policy, double cost, double tardy, bool frontier) {
  RentalFigures of;
  of.option = {policy, "hybrid", from_usd(0.05), "", policy + "(machines=hybrid, bid=0.05)"};
  of.runs = 3;
  of.cost_usd = {cost, 0.1};
  of.tardy = {tardy, 0.01};
  of.meets = tardy <= 0.05;
  of.frontier = frontier;
  return of;
}

TEST(RentalReport, DrawsTheFrontierAndNamesTheAnswer) {
  RentalReport page{
      .title = "Cost of a night", .generated = "", .jobs = 40, .late_at_most = 0.05, .seeds = 3};
  page.choice.options = {option("edf", 1, 0.5, true), option("mdasa(<x>)", 2, 0.02, true),
                         option("ndasa", 3, 0.02, false)};
  page.choice.best = 1;
  page.choice.least_tardy = 1;
  page.choice.bound_all_in_time = 0.75;
  std::ostringstream out;
  write_rental_report(out, page);
  const std::string html = out.str();
  EXPECT_THAT(html,
              HasSubstr("mdasa(&lt;x&gt;), hybrid for 0.05 USD</bdi></b> is the cheapest with at most"));
  EXPECT_THAT(html, Not(HasSubstr("<x>")));
  EXPECT_EQ(sample::count(html, "class=\"dot f"), 3U);
  EXPECT_EQ(sample::count(html, "class=\"dot best\""), 1U);
  EXPECT_THAT(html, HasSubstr("class=\"bound-line\""));
  page.choice.best = {};
  std::ostringstream none;
  write_rental_report(none, page);
  EXPECT_THAT(none.str(), HasSubstr("No option keeps the share of tardy jobs at"));
}

}  // namespace
}  // namespace wavewright
