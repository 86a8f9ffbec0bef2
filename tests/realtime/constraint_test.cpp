#include "wavewright/realtime/constraint.h"

#include <algorithm>

#include "tests/realtime/worlds.h"

namespace wavewright {
namespace {

using namespace realtime_worlds;  // NOLINT(google-build-using-namespace)

TEST(Constraint, HoldsTheMapSlotsOfItsFormula) {
  Workload workload;
  // Reduces must start at 50: ⌈6 · 10 / 50⌉ = 2 slots, though four are free.
  workload.jobs = {a_job("A", 0, 70, {6, ms(10)}, {ms(20)})};
  const SimulationResult result = run(workload, "constraint", nodes(1, 4, 2));
  EXPECT_EQ(result.jobs[0].maps_done, at_ms(30));
  EXPECT_EQ(result.jobs[0].finish, at_ms(50));
}

TEST(Constraint, RejectsWhereSlotsLack) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 30, {4, ms(10)}, {ms(10)}),   // needs two map slots
                   a_job("B", 1, 31, {4, ms(10)}, {ms(10)}),   // would need two more
                   a_job("C", 2, 100, {ms(10)}, {3, ms(10)}),  // more reduces than slots
                   a_job("D", 2, 11, {ms(10)}, {ms(10)})};     // no time for its map
  workload.jobs.push_back(a_job("E", 3, 50, {ms(10)}));
  workload.jobs.back().deadline.reset();
  const SimulationResult result = run(workload, "constraint", nodes(1, 3, 2));
  std::vector<std::string> reasons;
  reasons.reserve(workload.jobs.size());
  for (std::size_t i = 0; i < workload.jobs.size(); ++i)
    reasons.push_back(result.jobs[i].rejected ? result.rejections.at(static_cast<JobIndex>(i)).code : "");
  EXPECT_EQ(reasons,
            (std::vector<std::string>{"", "NoMapSlots", "NoReduceSlots", "DeadlineTooTight", "NoDeadline"}));
}

// The paper's own example of a job that is accepted and late [UNL §5.1]: B takes the reduce slots that A
// needs until A's deadline.
// A node goes after its slots were promised: more are promised than there are. It does not come back.
TEST(Constraint, AJobThatNeedsNoneOfTheSlotsThatLackIsAccepted) {
  Workload workload;
  Cluster cluster = nodes(2, 3, 1);
  cluster.outages = {{"node2", at_ms(5), {}}};
  workload.jobs = {a_job("A", 0, 70, {ms(10)}, {2, ms(50)}),  // holds two reduce slots from 20 on
                   a_job("B", 6, 30, {ms(5)})};
  EXPECT_FALSE(run(workload, "constraint", cluster).jobs[1].rejected);
  cluster = nodes(2, 1, 3);
  cluster.outages = {{"node2", at_ms(5), {}}};
  workload.jobs = {a_job("A", 0, 30, {2, ms(20)}, {ms(10)}),  // needs two map slots
                   a_job("B", 6, 60, {}, {ms(5)})};
  EXPECT_FALSE(run(workload, "constraint", cluster).jobs[1].rejected);
}

TEST(Constraint, AnInstantIsNotAnInterval) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 100, {ms(70)}, {2, ms(20)}),   // reduces from 80 to 100
                   a_job("B", 0, 119, {ms(10)}, {2, ms(40)})};  // from 79: A's are not there yet
  workload.jobs[1].maps = {ms(60)};
  const SimulationResult instant = run(workload, "constraint", nodes(1, 4, 2));
  EXPECT_FALSE(instant.jobs[1].rejected);
  EXPECT_EQ(instant.jobs[0].finish, at_ms(120));
  const SimulationResult interval = run(workload, "constraint(check=interval)", nodes(1, 4, 2));
  EXPECT_TRUE(interval.jobs[1].rejected);
  EXPECT_EQ(interval.jobs[0].finish, at_ms(100));
}

// Five maps on ⌈5 · 10 / 25⌉ = 2 slots take three waves, 30: late.
TEST(Constraint, MapsGoInWaves) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 35, {5, ms(10)}, {ms(10)})};
  EXPECT_EQ(run(workload, "constraint", nodes(1, 4, 2)).jobs[0].finish, at_ms(40));
  EXPECT_EQ(run(workload, "constraint(check=interval)", nodes(1, 4, 2)).jobs[0].finish, at_ms(35));
}

TEST(Constraint, KeepsItsWordByInterval) {
  int accepted = 0, rejected = 0, late = 0;
  holds_always(
      [&] {
        World world = some_world();
        world.cluster.mode.slowstart = *rc::gen::element(1.0, 1.0, 0.4, 0.0);
        for (const std::string policy : {"constraint(check=interval)", "constraint"}) {
          const SimulationResult result =
              run_both(world.workload, policy, cluster_for(policy, world.cluster));
          for (std::size_t i = 0; i < result.jobs.size(); ++i) {
            const JobOutcome& job = result.jobs[i];
            if (policy != "constraint") ++(job.rejected ? rejected : accepted);
            if (job.rejected || job.finish <= *world.workload.jobs[i].deadline) continue;
            RC_ASSERT(policy == "constraint");
            ++late;
          }
        }
      },
      1'000);
  EXPECT_GT(accepted, sized(500));
  EXPECT_GT(rejected, sized(500));
  EXPECT_GT(late, 20) << "as printed, accepted jobs can be late";
}

// A job with fewer slots than are free takes the only start of each report, as long as it has maps. With
// padding alone B, due at 28, ended at 30.
TEST(Constraint, PromisesNothingByIntervalWhereANodeStartsFewerTasksThanItHasSlots) {
  const auto made = [](const std::string& policy, const std::string& mode) {
    (void)make_policy_on(policy, nodes(1, 2, 1, "heartbeat_ms = 2\n" + mode), policies());
  };
  EXPECT_THROW(made("constraint(check=interval)", "maps_per_heartbeat = 1\n"), UsageError);
  EXPECT_NO_THROW(made("constraint(check=interval)", ""));
  EXPECT_NO_THROW(made("constraint(check=interval)", "maps_per_heartbeat = 2\n"));
  EXPECT_NO_THROW(made("constraint", "maps_per_heartbeat = 1\n"));
}

TEST(Constraint, TakesAJobWithoutTasksWheneverItIsDue) {
  const Workload workload{{a_job("A", 5, 5, {})}};
  for (const std::string policy :
       {"constraint(check=interval)", "constraint", "rtmr", "rtmr(feedback=tasks, order=any)"}) {
    const JobOutcome job = run(workload, policy, nodes(1, 1, 1, "heartbeat_ms = 1000\n")).jobs[0];
    EXPECT_FALSE(job.rejected) << policy;
    EXPECT_EQ(job.finish, at_ms(5)) << policy;
  }
}

TEST(Constraint, SaysOfWhichTasksTheDeadlineIsTooEarly) {
  const auto why = [](const Job& job) {
    return run({{job}}, "constraint(check=interval)", nodes(1, 1, 1)).rejections.at(0).text;
  };
  EXPECT_EQ(why(a_job("A", 5, 20, {}, {ms(50)})), "Its deadline is too early for its reduces.");
  EXPECT_EQ(why(a_job("A", 5, 20, {ms(1)}, {ms(50)})), "Its deadline is too early for its reduces.");
  EXPECT_EQ(why(a_job("A", 5, 60, {ms(10)}, {ms(50)})),
            "Its reduces must start at 10ms, which is too early for its maps.");
  EXPECT_EQ(why(a_job("A", 5, 6, {ms(10)})), "Its deadline is too early for its maps.");
}

// ---- the rule of admission once more, by what the runs show; without heartbeats and launches

struct Needs {
  std::int64_t map_slots = 0, reduces = 0;
  std::int64_t from = 0, until = 0;  // its reduces run then
  bool possible = true;
};

Needs needs_of(const Job& job, bool by_interval) {
  const auto longest = [](const std::vector<Duration>& tasks) {
    return tasks.empty() ? std::int64_t{0} : to_ms(*std::max_element(tasks.begin(), tasks.end()));
  };
  Needs needs{.reduces = static_cast<std::int64_t>(job.reduces.size()), .until = to_ms(*job.deadline)};
  needs.from = needs.until - longest(job.reduces);
  const std::int64_t maps = static_cast<std::int64_t>(job.maps.size()), map = longest(job.maps);
  const std::int64_t left = needs.from - to_ms(job.submit);
  needs.possible = left >= 0 && (maps == 0 || left >= (by_interval ? map : 1));
  if (!needs.possible || maps == 0) return needs;
  // n slots do n · left of work in that time, or n maps in each of its waves.
  const std::int64_t each = by_interval ? left / map : left, work = by_interval ? maps : maps * map;
  while (needs.map_slots * each < work) ++needs.map_slots;
  return needs;
}

Workload some_jobs() {
  Workload workload;
  const int pace = *rc::gen::element(1, 10, 40), room = *rc::gen::element(60, 150, 400);
  std::int64_t at = 0;
  for (int i = *rc::gen::inRange(2, 14); i > 0; --i) {
    at += *rc::gen::inRange(0, pace);
    std::vector<Duration> maps = some_lengths(9);
    const std::vector<Duration> reduces = some_lengths(5);
    if (maps.empty() && reduces.empty()) maps.push_back(ms(5));
    workload.jobs.push_back(
        a_job(fmt::format("J{}", i), at, at + *rc::gen::inRange(10, room), std::move(maps), reduces));
  }
  return workload;
}

TEST(Constraint, IsThatOfTheFormulasByLetter) {
  int accepted = 0, no_maps_free = 0, no_reduces_free = 0;
  holds_always(
      [&] {
        const int map_slots = *rc::gen::inRange(2, 9), reduce_slots = *rc::gen::inRange(1, 6);
        const Cluster cluster = nodes(1, map_slots, reduce_slots);
        const Workload workload = some_jobs();
        const bool by_interval = *rc::gen::arbitrary<bool>();
        Policy made =
            make_policy_on(by_interval ? "constraint(check=interval)" : "constraint", cluster, policies());
        const SimulationResult result = simulate_cluster(workload, made, {cluster, 1, true});
        std::vector<Needs> needs;
        for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
          const Needs own = needs_of(workload.jobs[i], by_interval);
          needs.push_back(own);
          // An end at the instant of an arrival is told after it.
          const Time now = workload.jobs[i].submit;
          std::int64_t free_maps = map_slots, most_reduces = 0;
          for (std::size_t j = 0; j < i; ++j) {
            if (!result.jobs[j].rejected && result.jobs[j].maps_done >= now) free_maps -= needs[j].map_slots;
          }
          for (std::int64_t at = own.from; at <= own.from || (by_interval && at < own.until); ++at) {
            std::int64_t promised = 0;
            for (std::size_t j = 0; j < i; ++j) {
              if (!result.jobs[j].rejected && result.jobs[j].finish >= now && needs[j].from <= at &&
                  at < needs[j].until)
                promised += needs[j].reduces;
            }
            most_reduces = std::max(most_reduces, promised);
          }
          const bool maps_free = own.map_slots == 0 || own.map_slots <= free_maps;
          const bool reduces_free = own.reduces == 0 || own.reduces <= reduce_slots - most_reduces;
          RC_ASSERT(result.jobs[i].rejected != (own.possible && maps_free && reduces_free));
          accepted += result.jobs[i].rejected ? 0 : 1;
          no_maps_free += own.possible && !maps_free ? 1 : 0;
          no_reduces_free += own.possible && maps_free && !reduces_free ? 1 : 0;
        }
        // It holds no more map slots than it was promised.
        for (const TaskRecord& one : result.trace) {
          std::int64_t beside = 0;
          for (const TaskRecord& other : result.trace) {
            if (other.job == one.job && other.kind == Kind::map && other.start <= one.start &&
                one.start < other.end)
              ++beside;
          }
          RC_ASSERT(one.kind != Kind::map || beside <= needs.at(one.job).map_slots);
        }
      },
      1'000);
  EXPECT_GT(accepted, rare(1'000));
  EXPECT_GT(no_maps_free, rare(100));
  EXPECT_GT(no_reduces_free, rare(100));
}

}  // namespace
}  // namespace wavewright
