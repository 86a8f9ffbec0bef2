// Reports of many sizes, written where the environment asks for them: to be looked at, and for the browser.
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <utility>

#include "tests/report/sample.h"
#include "tests/report/sample_run.h"
#include "wavewright/core/file.h"

namespace wavewright {
namespace {

struct Size {
  std::string name;
  std::size_t jobs;
  std::size_t tasks_per_job;
  SlotPool pool;
};

TEST(ReportSamples, EverySizeCanBeWritten) {
  const std::vector<Size> sizes = {{"1", 1, 20, {4, 2}},
                                   {"10", 10, 30, {12, 8}},
                                   {"35", 35, 30, {24, 16}},
                                   {"100", 100, 60, {60, 40}},
                                   {"1000", 1000, 100, {400, 300}}};
  const char* folder = std::getenv("WAVEWRIGHT_REPORT_SAMPLES");
  for (const Size& size : sizes) {
    const Workload batch = sample::workload(size.jobs, size.tasks_per_job);
    ReportData data = sample::report(batch, size.pool);
    sample::add_history(data, batch);
    data.limits = ReportLimits{"Map slots are the bottleneck until 1s. J0's map decides the end.",
                               {{"map-slots", "map slots, 93 % in use", ms(0), ms(1000)},
                                {"map", "map 0 of J0", ms(1000), ms(5000)}}};
    data.curve = ReportCurve{"slots", "makespan", {}, 2};
    for (Count slots = 2; slots < 20; ++slots)
      data.curve->points.push_back(
          {slots, {1, slots - 1}, ms(3'600'000 / slots), ms(3'000'000 / slots), false});
    data.deadline = ms(400'000);
    if (size.name == "35") {  // with further schedules, one of them on other slots, and deadlines of jobs
      data.schedules.push_back(data.schedules.front());
      data.schedules.back().label = "Fair";
      data.schedules.push_back(data.schedules.front());
      data.schedules.back().label = "as measured";
      data.schedules.back().pool = {40, 30};
      data.schedules.back().note = "As it ran on the cluster of then.";
      for (std::size_t job = 0; job < data.jobs.size(); job += 2) data.jobs[job].deadline = at_ms(200'000);
    }
    data.risk = ReportRisk{
        1000, "a spread of 10.0 % a task", ms(390'000), ms(420'000), ReportRisk::Meets{0.7, 0.67, 0.73},
        0.1,  {{0, 1, ms(9000)}},          ms(370'000), ms(10'000),  {50, 250, 400, 200, 75, 20, 5}};
    const std::string html = sample::html(data);
    EXPECT_TRUE(html.ends_with("</html>\n"));
    EXPECT_LT(html.size(), 4'000'000U) << size.name;
    if (folder == nullptr) continue;
    write_file(std::filesystem::path(folder) / ("report-" + size.name + ".html"),
               [&](std::ostream& out) { out << html; });
  }
}

TEST(ReportSamples, OneWithHostileNamesCanBeWritten) {
  const Workload batch = sample::workload(5, 20);
  ReportData data = sample::report(batch, {6, 4});
  sample::add_history(data, batch);
  const std::string hostile = "<img src=x onerror='injected=1'></script><b class=injected>";
  data.title = data.jobs[0].name = data.jobs[0].id = data.profiles[0].name = hostile;
  data.predictions[0].name = data.schedules[1].label = hostile;
  const std::string html = sample::html(data);
  EXPECT_TRUE(html.ends_with("</html>\n"));
  if (const char* folder = std::getenv("WAVEWRIGHT_REPORT_SAMPLES"); folder != nullptr) {
    write_file(std::filesystem::path(folder) / "report-hostile.html",
               [&](std::ostream& out) { out << html; });
  }
}

// Of a cluster on which much goes wrong, of containers, and of one too large to show its nodes.
TEST(ReportSamples, SimulatedRunsCanBeWritten) {
  Cluster large = sample::troubled_cluster();
  for (NodeGroup& group : large.nodes) group.count = 300;
  const std::vector<std::pair<std::string, sample::Run>> runs = {
      {"slots", sample::run(sample::workload(5, 40), sample::troubled_cluster(), "fair")},
      {"containers", sample::run(sample::workload(9, 30), sample::container_cluster(), "fair")},
      {"large", sample::run(sample::workload(200, 100), large, "fair")}};
  const char* folder = std::getenv("WAVEWRIGHT_REPORT_SAMPLES");
  for (const auto& [name, run] : runs) {
    SimulationReport data = run.report();
    data.why.resize(run.result.jobs.size());
    std::iota(data.why.begin(), data.why.end(), 0);
    const std::string html = sample::html(data);
    EXPECT_TRUE(html.ends_with("</html>\n"));
    if (folder == nullptr) continue;
    const std::string& page = html;
    write_file(std::filesystem::path(folder) / ("run-" + name + ".html"),
               [&](std::ostream& out) { out << page; });
  }
}

}  // namespace
}  // namespace wavewright
