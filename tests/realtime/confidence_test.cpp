// Admission at a chosen confidence: how many of the accepted jobs are late, beside what the percentile says.
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/realtime/worlds.h"
#include "wavewright/core/random.h"

namespace wavewright {
namespace {

using namespace realtime_worlds;  // NOLINT(google-build-using-namespace)

// Jobs that are alone, each with as many maps as there are slots, and due after so many of the hundred ms
// that a map takes at most. Maps take 10, 20 … 100 ms, each as often.
Workload lone_jobs(int jobs, int maps, int percent, Random& random) {
  std::vector<Duration> lengths;
  for (int tenth = 1; tenth <= 10; ++tenth) lengths.push_back(ms(10 * tenth));
  Workload workload, profile;
  for (int i = 0; i < jobs; ++i) {
    std::vector<Duration> drawn;
    while (std::ssize(drawn) < maps) drawn.push_back(lengths[random.below(lengths.size())]);
    const std::int64_t at = 1'000 * i;
    workload.jobs.push_back(a_job(fmt::format("J{}", i), at, at + percent, drawn));
    profile.jobs.push_back(a_job(fmt::format("J{}", i), at, at + percent, lengths));
  }
  workload.expected = std::make_shared<const Workload>(std::move(profile));
  return workload;
}

// A job is late unless each of its maps is among the share of the lengths: 1 - share^maps, within four
// standard errors.
TEST(Confidence, JobsThatAreDueAtAPercentileAreLateAsOftenAsTheirMapsExceedIt) {
  const int jobs = sized(2'000);
  for (const int percent : {50, 80, 90}) {
    for (const int maps : {1, 4}) {
      Random random(1, "confidence", static_cast<std::uint64_t>(10 * percent + maps));
      const Workload workload = lone_jobs(jobs, maps, percent, random);
      const Cluster cluster = nodes(1, maps, 1);
      int accepted = 0, late = 0;
      const SimulationResult result = run(workload, fmt::format("rtmr(estimate={}%)", percent), cluster);
      for (std::size_t i = 0; i < result.jobs.size(); ++i) {
        if (result.jobs[i].rejected) continue;
        ++accepted;
        late += result.jobs[i].finish > *workload.jobs[i].deadline ? 1 : 0;
      }
      const double rate = 1 - std::pow(percent / 100.0, maps);
      EXPECT_EQ(accepted, jobs) << percent << " " << maps;
      EXPECT_NEAR(static_cast<double>(late) / jobs, rate, 4 * std::sqrt(rate * (1 - rate) / jobs))
          << percent << " " << maps;
      for (const JobOutcome& job : run(workload, "rtmr", cluster).jobs)
        ASSERT_TRUE(job.rejected) << "the longest takes longer";
    }
  }
}

}  // namespace
}  // namespace wavewright
