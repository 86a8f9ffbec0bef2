// What decides the end of a schedule.
#include "wavewright/plan/analysis/bottlenecks.h"

#include <algorithm>

#include "tests/plan/analysis/some_plan.h"
#include "tests/property.h"
#include "wavewright/job/precedence.h"
#include "wavewright/plan/analysis/critical_chain.h"
#include "wavewright/sched/policies/plan_policy.h"
#include "wavewright/sim/simulate.h"

namespace wavewright {
namespace {

using By = Bottleneck::By;

Job job_of(const char* id, std::vector<std::int64_t> maps, std::vector<std::int64_t> reduces,
           std::int64_t submit = 0) {
  Job job;
  job.id = id;
  job.submit = at_ms(submit);
  for (const std::int64_t map : maps) job.maps.push_back(ms(map));
  for (const std::int64_t reduce : reduces) job.reduces.push_back(ms(reduce));
  return job;
}

Plan in_order(const Workload& batch, SlotPool pool) {
  Plan plan;
  for (const Job& job : batch.jobs) plan.order.push_back(job.id);
  plan.pools = {{pool, plan.order}};
  return plan;
}

Bottlenecks of(const Workload& batch, SlotPool pool) {
  return bottlenecks_of(in_order(batch, pool), PlanningProblem{shared(batch), {pool}});
}

std::string words(const Workload& batch, SlotPool pool) {
  return in_words(of(batch, pool), batch);
}

Workload some_batch() {
  return *rc::gen::arbitrary<bool>() ? worlds::some_workload() : worlds::some_workflow();
}

std::size_t pool_of(const Plan& plan, const std::string& id) {
  for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
    const auto& jobs = plan.pools[pool].jobs;
    if (std::find(jobs.begin(), jobs.end(), id) != jobs.end()) return pool;
  }
  return plan.pools.size();
}

// Itself or through others.
bool waits_for(const Workload& batch, JobIndex job, JobIndex other) {
  return std::any_of(batch.jobs[job].after.begin(), batch.jobs[job].after.end(), [&](const std::string& id) {
    if (id == batch.jobs[other].id) return true;
    const auto before =
        std::find_if(batch.jobs.begin(), batch.jobs.end(), [&](const Job& each) { return each.id == id; });
    return waits_for(batch, static_cast<JobIndex>(before - batch.jobs.begin()), other);
  });
}

TEST(CriticalChain, EachLinkEndsWhenTheNextCouldBeginAndForTheReasonItSays) {
  int links = 0;
  holds_always(
      [&] {
        const Workload batch = some_batch();
        const SimulationOptions options = worlds::some_options();
        const Plan plan = some_plan(batch, options.pool);
        const auto policy = make_plan_policy(plan, options.pool);
        const SimulationResult result = simulate(batch, *policy, options);
        const CriticalChain chain = critical_chain(plan, batch, result);
        RC_ASSERT(chain.links.empty() == result.trace.empty());
        if (chain.links.empty()) return;
        const TaskRecord& last = result.trace[chain.links.back().task];
        for (const TaskRecord& task : result.trace) RC_ASSERT(task.end <= last.end);
        RC_ASSERT(chain.complete);
        RC_ASSERT(chain.links.front().from == chain.submitted);
        for (std::size_t i = 0; i + 1 < chain.links.size(); ++i) {
          const TaskRecord& task = result.trace[chain.links[i].task];
          const TaskRecord& next = result.trace[chain.links[i + 1].task];
          RC_ASSERT(task.end == chain.links[i + 1].from);
          if (chain.links[i].next_waited == ChainLink::For::maps) {
            RC_ASSERT(task.job == next.job && task.kind == Kind::map && next.kind == Kind::reduce);
            RC_ASSERT(next.start <= result.jobs[next.job].maps_done);
          } else if (chain.links[i].next_waited == ChainLink::For::job) {
            RC_ASSERT(task.end == next.start && result.jobs[task.job].finish == next.start);
            RC_ASSERT(task.job != next.job && waits_for(batch, next.job, task.job));
          } else {
            RC_ASSERT(task.kind == next.kind && task.end == next.start);
            RC_ASSERT(pool_of(plan, batch.jobs[task.job].id) == pool_of(plan, batch.jobs[next.job].id));
          }
          ++links;
        }
      },
      2000);
  EXPECT_GT(links, 0);
}

TEST(Bottlenecks, TheirSpansFollowEachOtherFromNothingToTheMakespan) {
  holds_always(
      [] {
        const Workload batch = some_batch();
        const SimulationOptions options = worlds::some_options();
        const Plan plan = some_plan(batch, options.pool);
        const auto policy = make_plan_policy(plan, options.pool);
        const SimulationResult result = simulate(batch, *policy, options);
        const Bottlenecks found = bottlenecks_of(plan, batch, options.pool, result);
        Time at{};
        for (const Bottleneck& span : found.spans) {
          RC_ASSERT(span.from == at);
          RC_ASSERT(span.to >= span.from);
          if (!has_precedence(batch) && &span != &found.spans.front()) RC_ASSERT((&span)[-1].by < span.by);
          RC_ASSERT(span.use >= 0 && span.use <= 1 + 1e-9);
          at = span.to;
        }
        if (!result.trace.empty()) {
          Time end{};
          for (const TaskRecord& task : result.trace) end = std::max(end, task.end);
          RC_ASSERT(at == end);
        }
        RC_ASSERT(in_words(found, batch).empty() == result.trace.empty());
      },
      1000);
}

// A slot use by the plain sum over all tasks.
TEST(Bottlenecks, TheUseIsTheShareOfSlotTimeHeld) {
  holds_always([] {
    const Workload batch = some_batch();
    const SimulationOptions options = worlds::some_options();
    const Plan plan = some_plan(batch, options.pool);
    const auto policy = make_plan_policy(plan, options.pool);
    const SimulationResult result = simulate(batch, *policy, options);
    for (const Bottleneck& span : bottlenecks_of(plan, batch, options.pool, result).spans) {
      if (span.by != By::map_slots && span.by != By::reduce_slots) continue;
      const bool map = span.by == By::map_slots;
      double busy = 0;
      for (const TaskRecord& task : result.trace) {
        if ((task.kind == Kind::map) != map) continue;
        const Duration held = std::min(task.end, span.to) - std::max(task.start, span.from);
        busy += static_cast<double>(std::max(Duration{}, held).count());
      }
      const auto length = static_cast<double>((span.to - span.from).count());
      const auto slots = static_cast<double>(map ? options.pool.map_slots : options.pool.reduce_slots);
      if (length > 0) RC_ASSERT(std::abs(span.use - busy / (length * slots)) < 1e-6);
    }
  });
}

TEST(Bottlenecks, MapSlotsThenTheLastJobsOwnTasks) {
  const Workload batch{{job_of("J1", {10, 10}, {5}), job_of("J2", {10}, {20})}};
  EXPECT_EQ(
      words(batch, {1, 1}),
      "Map slots are the bottleneck until 20ms (100 % in use); then reduces wait for J2's map until 30ms. "
      "J2's reduce (20ms) decides the end at 50ms.");
  const Bottlenecks found = of(batch, {1, 1});
  ASSERT_EQ(found.spans.size(), 3U);
  EXPECT_EQ(found.spans[0].by, By::map_slots);
  EXPECT_EQ(found.spans[0].tasks, 2);
  EXPECT_EQ(found.spans[1].by, By::map);
  EXPECT_EQ(found.spans[2].by, By::reduce);
  EXPECT_DOUBLE_EQ(found.map_use, 0.6);
  EXPECT_DOUBLE_EQ(found.reduce_use, 0.5);
}

TEST(Bottlenecks, ReduceSlots) {
  const Workload batch{{job_of("J1", {10}, {30, 30, 40})}};
  EXPECT_EQ(words(batch, {1, 2}),
            "Reduces wait for J1's map until 10ms; then reduce slots are the bottleneck until 40ms (100 % in "
            "use). J1's longest reduce (40ms) decides the end at 80ms.");
}

TEST(Bottlenecks, ASubmissionThatAllWaitsFor) {
  const Workload batch{{job_of("J1", {10}, {}), job_of("late", {10, 20}, {}, 500)}};
  EXPECT_EQ(words(batch, {4, 1}),
            "Nothing decides before late is submitted at 500ms. late's longest map (20ms) decides the end at "
            "520ms.");
}

TEST(Bottlenecks, AllFiveKindsInTheirOrder) {
  const Workload batch{{job_of("first", {30, 20}, {10}, 100), job_of("last", {40}, {50, 60}, 100)}};
  // Maps 100–130, 130–150, 150–190; reduces 150–160, 190–240, 240–300.
  EXPECT_EQ(
      words(batch, {1, 1}),
      "Nothing decides before first is submitted at 100ms; then map slots are the bottleneck until 150ms "
      "(100 % in use); then reduces wait for last's map until 190ms; then reduce slots are the bottleneck "
      "until 240ms (100 % in use). last's longest reduce (60ms) decides the end at 300ms.");
  // With slow-start 0 the reduces hold slots before: which changes who waits for what.
  const Plan plan = in_order(batch, {1, 3});
  PlanningProblem early{shared(batch), {{1, 3}, 0}};
  EXPECT_EQ(
      in_words(bottlenecks_of(plan, early), batch),
      "Nothing decides before first is submitted at 100ms; then map slots are the bottleneck until 150ms "
      "(100 % in use); then reduces wait for last's map until 190ms. last's longest reduce (60ms) decides "
      "the end at 250ms.");
}

TEST(Bottlenecks, OfManySpansTheLongestAreToldAndTheSameSlotsAgain) {
  const Workload batch{{job_of("A", {10}, {10})}};
  Bottlenecks found;
  const auto add = [&](By by, std::int64_t from, std::int64_t to) {
    Bottleneck& span = found.spans.emplace_back();
    span.by = by;
    span.from = at_ms(from);
    span.to = at_ms(to);
    span.use = 1;
  };
  add(By::map_slots, 0, 100);
  for (std::int64_t wait = 0; wait < 6; ++wait) add(By::map, 100 + wait, 101 + wait);
  add(By::map_slots, 106, 300);
  add(By::reduce, 300, 310);
  const std::string text = in_words(found, batch);
  EXPECT_TRUE(text.starts_with("Map slots are the bottleneck until 100ms (100 % in use); then ")) << text;
  EXPECT_NE(text.find("; then map slots are the bottleneck until 300ms"), std::string::npos) << text;
  found.spans.erase(found.spans.begin() + 1, found.spans.begin() + 7);
  EXPECT_NE(in_words(found, batch).find("; then map slots again until 300ms"), std::string::npos)
      << in_words(found, batch);
}

TEST(Bottlenecks, AJobThatWaitsForAnother) {
  Workload batch{{job_of("extract", {10}, {30}), job_of("clean", {5}, {}), job_of("report", {5}, {7})}};
  batch.jobs[1].after = {"extract"};
  batch.jobs[2].after = {"clean", "extract"};
  EXPECT_EQ(
      words(batch, {2, 1}),
      "Reduces wait for extract's map until 10ms; then job clean waits for extract's reduce until 40ms; "
      "then job report waits for clean's map until 45ms; then reduces wait for report's map until 50ms. "
      "report's reduce (7ms) decides the end at 57ms.");
  const Bottlenecks found = of(batch, {2, 1});
  ASSERT_EQ(found.spans.size(), 5U);
  EXPECT_EQ(found.spans[1].by, By::job);
  EXPECT_EQ(found.spans[1].job, 0U);
  EXPECT_EQ(found.spans[1].waiting, 1U);
}

// Through a job without tasks; of a long chain the longest waits are told.
TEST(Bottlenecks, OfALongChainTheLongestWaits) {
  Workload batch{{job_of("a", {50}, {}), job_of("empty", {}, {}), job_of("b", {4}, {})}};
  batch.jobs[1].after = {"a"};
  batch.jobs[2].after = {"empty"};
  EXPECT_EQ(words(batch, {1, 1}),
            "Job b waits for a's map until 50ms. b's map (4ms) decides the end at 54ms.");
  for (int i = 0; i < 7; ++i) {
    batch.jobs.push_back(job_of(("c" + std::to_string(i)).c_str(), {10 + i}, {}));
    batch.jobs.back().after = {batch.jobs[batch.jobs.size() - 2].id};
  }
  EXPECT_EQ(
      words(batch, {1, 1}),
      "Job b waits for a's map until 50ms; then job c2 waits for c1's map until 75ms; then job c3 waits "
      "for c2's map until 87ms; then job c4 waits for c3's map until 100ms; then job c5 waits for c4's "
      "map until 114ms; then job c6 waits for c5's map until 129ms; and 2 shorter waits. c6's map (16ms) "
      "decides the end at 145ms.");
}

TEST(Bottlenecks, NothingToSayOfNothing) {
  EXPECT_EQ(words(Workload{}, {1, 1}), "");
  EXPECT_EQ(words(Workload{{job_of("J1", {}, {})}}, {1, 1}), "");
}

}  // namespace
}  // namespace wavewright
