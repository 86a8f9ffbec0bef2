// Launches learnt from runs of known jobs: from runs that were made up by a simulation with known launches.
#include "wavewright/sim/calibration/known_jobs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include <fmt/format.h>

#include "tests/property.h"
#include "wavewright/core/error.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {
namespace {

using ::testing::HasSubstr;

Cluster cluster_with(const Launches& launches, int start) {
  Cluster cluster;
  cluster.mode.kind = ClusterMode::Kind::containers;
  cluster.mode.heartbeat = ms(1'000);
  cluster.nodes.resize(1);
  cluster.nodes[0].count = 2;
  cluster.nodes[0].memory = Bytes{2'048LL << 20};
  cluster.nodes[0].vcores = 4;
  cluster.containers.master.memory = Bytes{384LL << 20};
  cluster.containers.map.memory = cluster.containers.reduce.memory = Bytes{256LL << 20};
  cluster.launches = launches;
  cluster.masters.start = ms(start);
  return cluster;
}

Job job_of(const std::string& name, std::size_t maps, int map, std::size_t reduces, int reduce,
           int submit = 0) {
  Job job;
  job.id = job.name = name;
  job.submit = at_ms(submit);
  job.maps.assign(maps, ms(map));
  job.reduces.assign(reduces, ms(reduce));
  job.first_shuffles = job.shuffles = std::vector<Duration>(reduces, ms(300));
  return job;
}

Policy fifo() {
  return make_policy("fifo", {});
}

class Rejecting final : public Allocator {
 public:
  [[nodiscard]] std::string name() const override { return "rejecting"; }
  [[nodiscard]] Features needs() const override { return {}; }
  [[nodiscard]] EventSet subscribes() const override { return EventSet::of(Event::What::arrived); }
  void begin(const View&, Decisions&) override {}
  void on(const Event& event, const View&, Decisions& decisions) override {
    decisions.reject(event.job, {"No", "It has no deadline."});
  }
};

Workload sleeps() {
  return {{job_of("few", 3, 12'000, 1, 10'000), job_of("wide", 12, 15'000, 3, 12'000),
           job_of("deep", 4, 25'000, 4, 15'000), job_of("thin", 8, 10'000, 1, 20'000)}};
}

// All at once, and then one after another.
Workload batches() {
  Workload workload = sleeps();
  int at = 300'000;
  for (Job job : sleeps().jobs) {
    job.id += " again";
    job.submit = at_ms(at);
    at += 30'000;
    workload.jobs.push_back(job);
  }
  return workload;
}

SimulationResult simulated(const Workload& workload, const Cluster& cluster) {
  Policy policy = fifo();
  return simulate_on(workload, policy, {.cluster = cluster});
}

std::vector<JobRun> runs_of(const Workload& workload, const Cluster& cluster) {
  const SimulationResult result = simulated(workload, cluster);
  std::vector<JobRun> runs;
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    const Job& job = workload.jobs[i];
    JobRun run;
    run.id = job.id;
    run.name = job.name;
    run.total_maps = static_cast<Count>(job.maps.size());
    run.total_reduces = static_cast<Count>(job.reduces.size());
    run.state = RunState::succeeded;
    run.submit = job.submit + ms(1'790'000'000'000);
    run.finish = result.jobs[i].finish + ms(1'790'000'000'000);
    // A master that has initialised its job works on for a moment.
    if (result.jobs[i].master_up) run.launch = *result.jobs[i].master_up + ms(1'790'000'000'000 - 400);
    // A task for each of two other times. Its master launches it at the heartbeat that fetches its room.
    Time launched = result.jobs[i].start;
    if (run.launch) {
      const Duration heartbeat = cluster.masters.heartbeat;
      for (launched = *result.jobs[i].master_up; launched < result.jobs[i].start;) launched += heartbeat;
    }
    for (std::size_t map = 0; map < job.maps.size(); ++map) {
      TaskRun task;
      task.state = AttemptState::succeeded;
      task.attempts.resize(1);
      task.attempts[0].id = "attempt";
      task.attempts[0].state = AttemptState::succeeded;
      task.attempts[0].start = launched + ms(1'790'000'000'000);
      task.attempts[0].finish = result.jobs[i].maps_done + ms(1'790'000'000'000);
      task.successful_attempt = "attempt";
      run.tasks.push_back(task);
    }
    runs.push_back(run);
  }
  return runs;
}

TEST(KnownJobs, TellLaunchesAndMasters) {
  for (const Launches& true_launches :
       {Launches{ms(4'800), ms(6'000), 2, false, ms(5'000)}, Launches{ms(1'500), ms(9'000), 2, false},
        Launches{ms(2'400), {}, 2, true}}) {
    const Cluster truth = cluster_with(true_launches, 1'200);
    Launches told = true_launches;
    told.work = told.master_work = {};
    const KnownJobsFit fit = fit_known_jobs(runs_of(batches(), truth), sleeps(), cluster_with(told, 0), fifo);
    EXPECT_EQ(fit.jobs, 8);
    EXPECT_LT(fit.error, 100);
    EXPECT_NEAR(static_cast<double>(to_ms(fit.launches.work)), static_cast<double>(to_ms(true_launches.work)),
                50);
    EXPECT_EQ(fit.launches.submit_work, true_launches.submit_work);
    EXPECT_EQ(fit.launches.processors, 2);
    EXPECT_NEAR(static_cast<double>(to_ms(fit.launches.master_work)),
                static_cast<double>(to_ms(true_launches.master_work)), 50);
    EXPECT_NEAR(static_cast<double>(to_ms(fit.master_start)), 1'200, 50);
    // Another batch is foretold.
    const Workload other = {{job_of("a", 8, 14'000, 2, 12'000), job_of("b", 6, 16'000, 2, 10'000, 4'000),
                             job_of("c", 6, 12'000, 1, 16'000, 9'000),
                             job_of("d", 2, 40'000, 1, 40'000, 14'000)}};
    const double real = static_cast<double>(to_ms(simulated(other, truth).makespan)),
                 foretold = static_cast<double>(to_ms(
                     simulated(other, cluster_with(fit.launches, static_cast<int>(to_ms(fit.master_start))))
                         .makespan));
    EXPECT_NEAR(foretold / real, 1, 0.02);
    if (under_sanitizers) break;  // each takes ten seconds there
  }
}

// Half of the jobs went behind others, for a reason that no simulation knows.
TEST(KnownJobs, JobsThatWentInAnotherOrderTellLittle) {
  if (under_sanitizers) return;  // the same search as above, for ten seconds
  const Launches true_launches{ms(3'000), ms(6'000), 2, false};
  std::vector<JobRun> runs = runs_of(batches(), cluster_with(true_launches, 1'200));
  for (std::size_t i = 0; i < runs.size(); i += 2) {
    const Duration later = ms(20'000);
    *runs[i].launch += later;
    *runs[i].finish += later;
    for (TaskRun& task : runs[i].tasks) {
      *task.attempts[0].start += later;
      *task.attempts[0].finish += later;
    }
  }
  const KnownJobsFit fit = fit_known_jobs(runs, sleeps(), cluster_with({{}, {}, 2, false}, 0), fifo);
  EXPECT_NEAR(static_cast<double>(to_ms(fit.launches.work)), 3'000, 300);
  EXPECT_GT(fit.error, 8'000) << "it is told all the same";
}

TEST(KnownJobs, WithoutSharedProcessorsOnlyTheStartIsSought) {
  const Cluster truth = cluster_with({{}, {}, 0, true}, 3'000);
  const KnownJobsFit fit =
      fit_known_jobs(runs_of(batches(), truth), sleeps(), cluster_with({{}, {}, 0, true}, 0), fifo);
  EXPECT_EQ(fit.launches.work, Duration{});
  EXPECT_NEAR(static_cast<double>(to_ms(fit.master_start)), 3'000, 1'000) << "a heartbeat";
}

// The reason why the fit is refused; empty if it is not.
std::string refusal(const std::vector<JobRun>& runs, const Workload& known, const Cluster& cluster,
                    const std::function<Policy()>& policy = fifo) {
  try {
    (void)fit_known_jobs(runs, known, cluster, policy);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(KnownJobs, RunsAndJobsThatDoNotMatchAreRefused) {
  const Cluster cluster = cluster_with({ms(1'000), {}, 2, false}, 0);
  std::vector<JobRun> runs = runs_of(batches(), cluster);
  Workload alike = sleeps();
  alike.jobs.push_back(job_of("thin", 8, 99'000, 1, 1'000));
  EXPECT_THAT(refusal(runs, alike, cluster), HasSubstr("the same name and numbers of tasks"));
  runs[3].total_reduces = 7;
  EXPECT_THAT(refusal(runs, sleeps(), cluster), HasSubstr("has 8 maps and 7 reduces; no known job has"));
  for (JobRun& run : runs) run.finish.reset();
  EXPECT_THAT(refusal(runs, sleeps(), cluster), HasSubstr("none of these runs has succeeded"));
  EXPECT_THAT(refusal({}, sleeps(), cluster), HasSubstr("none of these runs has succeeded"));
}

TEST(KnownJobs, APolicyThatRejectsThemIsRefused) {
  const Cluster cluster = cluster_with({ms(1'000), {}, 2, false}, 0);
  EXPECT_THAT(refusal(runs_of(batches(), cluster), sleeps(), cluster,
                      [] { return Policy{std::make_unique<Rejecting>(), nullptr}; }),
              HasSubstr("the policy rejects job"));
}

// A killed job ends before its work is done: nothing is learnt from it.
TEST(KnownJobs, RunsThatDidNotSucceedAreLeftOut) {
  const Cluster cluster = cluster_with({ms(2'000), {}, 2, false}, 0);
  const std::vector<JobRun> runs = runs_of(batches(), cluster);
  std::vector<JobRun> more = runs;
  more.push_back(runs[0]);
  more.back().state = RunState::killed;
  more.back().total_maps = more.back().total_reduces = 0;  // before it was initialised
  more.back().finish = *more.back().submit + ms(1);
  const KnownJobsFit with = fit_known_jobs(more, sleeps(), cluster, fifo),
                     without = fit_known_jobs(runs, sleeps(), cluster, fifo);
  EXPECT_EQ(with.left_out, 1);
  EXPECT_EQ(without.left_out, 0);
  EXPECT_EQ(with.jobs, 8);
  EXPECT_EQ(with.launches.work, without.launches.work);
  EXPECT_EQ(with.error, without.error);
}

// Launches of half a minute: the search ends before them.
TEST(KnownJobs, TheSearchGoesTwiceAsFarAsItsFirstGrid) {
  const Cluster truth = cluster_with({ms(30'000), {}, 2, false}, 0);
  const KnownJobsFit fit = fit_known_jobs(runs_of(batches(), truth), sleeps(), truth, fifo);
  EXPECT_GT(fit.launches.work, ms(8'000));
  EXPECT_LE(fit.launches.work, ms(16'000));
}

// Lengths that are a thousand times too short.
TEST(KnownJobs, TheSearchEndsWhereNothingFits) {
  const Cluster cluster = cluster_with({ms(2'000), {}, 2, false}, 0);
  Workload known = sleeps();
  for (Job& job : known.jobs) {
    for (Duration& each : job.maps) each = ms(to_ms(each) / 1'000);
    for (Duration& each : job.reduces) each = ms(to_ms(each) / 1'000);
  }
  const KnownJobsFit fit = fit_known_jobs(runs_of(batches(), cluster), known, cluster, fifo);
  EXPECT_LE(fit.launches.work, ms(16'000));
  EXPECT_LE(fit.launches.master_work, ms(32'000));
  EXPECT_LE(fit.master_start, ms(20'000));
  EXPECT_GT(fit.error, 0.03 * fit.length);
}

// Their shuffles have no length of their own: they take the cluster's.
TEST(KnownJobs, TakeTheClustersShuffle) {
  const Cluster truth = cluster_with({ms(2'000), {}, 2, false}, 0);
  Workload known = sleeps();
  for (Job& job : known.jobs)
    job.first_shuffles = job.shuffles = std::vector<Duration>(job.reduces.size(), ms(0));
  Cluster cluster = truth;
  const double without = fit_known_jobs(runs_of(batches(), truth), known, cluster, fifo).error;
  cluster.network.overhead = ms(300);
  EXPECT_LT(fit_known_jobs(runs_of(batches(), truth), known, cluster, fifo).error, without - 50);
}

}  // namespace
}  // namespace wavewright
