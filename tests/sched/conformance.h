// Checks the promises of every policy (policy.h) with random scripts on the fake cluster. A policy of one's
// own passes it with `conforms([] { return Policy{std::make_unique<Mine>(), nullptr}; }, {...})`.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/property.h"
#include "tests/sched/fake_cluster.h"

namespace wavewright {

using MakePolicy = std::function<Policy()>;

// Nine jobs, all but one with a deadline.
inline std::vector<FakeJob> jobs_with_deadlines() {
  std::vector<FakeJob> jobs;
  for (int i = 0; i < 9; ++i) {
    FakeJob job{.id = fmt::format("J{}", i), .maps = (i * 5) % 7 + (i == 4 ? 0 : 1), .reduces = i % 3};
    job.map = ms(500 * (i + 1));
    job.reduce = ms(3000);
    if (i != 3) job.deadline = at_ms(60'000 - 7'000 * (i % 5));
    jobs.push_back(job);
  }
  return jobs;
}

// One step of a script: what happens, and to whom. Any pair of numbers means something on any cluster.
using Step = std::pair<int, int>;
using Script = std::vector<Step>;

// Does the step. Who starts is the policy's choice; ends and losses strike any attempt that runs.
inline void play(FakeCluster& cluster, const FakeSetup& setup, const Step& step) {
  const auto which = static_cast<std::size_t>(step.second);
  const auto node = static_cast<NodeIndex>(which % setup.nodes.size());
  switch (step.first) {
    case 0:
    case 1:
      if (const std::size_t left = cluster.arrivals_left(); left > 0)
        cluster.arrive(setup.jobs[setup.jobs.size() - left].id);
      break;
    case 2:
      (void)cluster.fill(which % 2 == 0 ? Kind::map : Kind::reduce);
      break;
    case 3:
    case 4:
      (void)cluster.give(which % 3 == 0 ? Kind::reduce : Kind::map, node);
      break;
    case 5:
    case 6:
    case 7:
      if (cluster.running() > 0) cluster.end(which % cluster.running());
      break;
    case 8:
      if (cluster.running() > 0) cluster.lose(which % cluster.running());
      break;
    default:
      cluster.advance(ms(step.second * 700));
  }
}

inline Script any_script() {
  return *rc::gen::container<Script>(rc::gen::pair(rc::gen::inRange(0, 10), rc::gen::inRange(0, 40)));
}

// Lets everything arrive, run and end.
inline void play_to_the_end(FakeCluster& cluster, const FakeSetup& setup) {
  while (cluster.arrivals_left() > 0) play(cluster, setup, {0, 0});
  for (int round = 0; round < 10'000; ++round) {
    (void)cluster.fill(Kind::map);
    (void)cluster.fill(Kind::reduce);
    if (cluster.running() == 0) {  // the policy may wait for a timer
      cluster.advance(ms(60'000));
      (void)cluster.fill(Kind::map);
      (void)cluster.fill(Kind::reduce);
      if (cluster.running() == 0) return;
    }
    cluster.end(static_cast<std::size_t>(round) % cluster.running());
    cluster.advance(ms(1000));
  }
}

// It decides only what it announced: the ledger stops it otherwise. It hears only timers that it set. Each
// job is admitted or rejected once, and all of them finish.
inline void decides_on_every_job_once(const MakePolicy& make, const FakeSetup& setup) {
  holds_always([&] {
    FakeCluster cluster(setup, make());
    for (const Step& step : any_script()) play(cluster, setup, step);
    play_to_the_end(cluster, setup);
    for (const FakeJob& job : setup.jobs) {
      RC_ASSERT(cluster.count("admit " + job.id + " ") + cluster.count("reject " + job.id + " ") == 1U);
      RC_ASSERT(cluster.standing_of(job.id) == "finished" || cluster.standing_of(job.id) == "rejected");
    }
  });
}

inline void same_events_same_decisions(const MakePolicy& make, const FakeSetup& setup) {
  holds_always([&] {
    FakeCluster one(setup, make()), other(setup, make());
    for (const Step& step : any_script()) {
      play(one, setup, step);
      play(other, setup, step);
    }
    RC_ASSERT(one.decisions() == other.decisions());
  });
}

// Made anew and told the present state it goes on with the same orders, caps and limits. Clocks begin anew
// (Fair's preemption, Delay's waits), so that nothing is preempted here and no placer takes part.
inline void goes_on_after_a_restart(const MakePolicy& make, FakeSetup setup) {
  setup.preempts = false;
  const auto allocator = [&] { return Policy{make().allocator, nullptr}; };
  holds_always([&] {
    FakeCluster before(setup, allocator());
    for (const Step& step : any_script()) play(before, setup, step);
    FakeCluster after(before, allocator());
    RC_ASSERT(after.standing() == before.standing());
    for (const Step& step : any_script()) {
      play(before, setup, step);
      play(after, setup, step);
      RC_ASSERT(after.standing() == before.standing());
    }
  });
}

inline void conforms(const MakePolicy& make, const FakeSetup& setup) {
  decides_on_every_job_once(make, setup);
  same_events_same_decisions(make, setup);
  goes_on_after_a_restart(make, setup);
}

}  // namespace wavewright
