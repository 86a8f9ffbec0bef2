// Runs of the real driver on the simulated cluster, for tests: to their end, or by hand.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/live/simulated_cluster.h"
#include "tests/live/simulated_journal.h"
#include "wavewright/core/error.h"
#include "wavewright/live/batch/batch_driver.h"

namespace wavewright {

// Jobs J1, J2, …
inline LiveBatch batch_of_jobs(std::size_t count) {
  LiveBatch batch;
  batch.name = "nightly";
  batch.tag = "run";
  for (std::size_t i = 0; i < count; ++i) {
    LiveJob job;
    job.id = fmt::format("J{}", i + 1);
    job.tag = "tag-" + job.id;
    job.command = {"submit", job.id};
    batch.jobs.push_back(job);
  }
  return batch;
}

// Runs the batch to its end, whoever has to be started again.
struct Schedule {
  SimulatedCluster cluster;
  std::unique_ptr<Journal> journal;
  std::unique_ptr<ClusterDriver> between;  // driver and cluster; null = nothing
  std::unique_ptr<BatchDriver> driver;
  DriverOptions options;
  // Makes the journal of each program; absent: the cluster's own.
  std::function<std::unique_ptr<Journal>(SimulatedCluster&)> journals = {};
  // Makes what is between them, for each program.
  std::function<std::unique_ptr<ClusterDriver>(SimulatedCluster&)> through = {};
  struct Late {
    Duration at;  // after the beginning
    LiveJob job;
    SimulatedJob what;
  };
  std::vector<Late> late = {};  // added while the batch runs, in order of time
  std::size_t added = 0;
  Duration began{};
  Duration next_program{};                      // nobody starts one before
  std::vector<FoundRisk> risks = {};            // found in the last look, and not handed on yet
  std::map<std::string, int> surely_late = {};  // jobs; in how many looks, one after another

  Schedule(std::uint64_t seed, LiveBatch batch, std::vector<SimulatedJob> jobs, LiveFaults faults,
           DriverOptions given = {})
      : cluster(seed, std::move(batch), std::move(jobs), faults, given), options(given) {
    began = cluster.now();
  }

  ClusterDriver& over(const std::unique_ptr<ClusterDriver>& what) {
    return what ? *what : static_cast<ClusterDriver&>(cluster);
  }
  std::unique_ptr<Journal> make_journal() {
    if (journals) return journals(cluster);
    return std::make_unique<SimulatedJournal>(cluster);
  }
  void start_program() {
    journal = make_journal();
    between = through ? through(cluster) : nullptr;
    driver = std::make_unique<BatchDriver>(*journal, over(between), cluster, options);
  }
  void end_program() {
    driver.reset();
    between.reset();
    journal.reset();
    risks.clear();
    surely_late.clear();
    next_program = cluster.now() + cluster.until_next_program();
  }

  // As a daemon does between two steps, it hands to the driver what it found when it looked last, which the
  // next step writes, and looks again (apps/commands/follow_batch.cpp). So it is two steps behind, or three
  // where it was about to tell the contrary. This is the rule: once a job cannot keep its promise, the log
  // tells it after three looks, if each step between them succeeds.
  void look_at_promises(bool stepped) {
    if (!stepped) surely_late.clear();
    for (const auto& [job, looks] : surely_late) {
      if (looks >= 3) cluster.check_told(job);
    }
    if (!driver) return;
    for (FoundRisk& each : std::exchange(risks, {}))
      driver->put_at_risk(each.job, each.at_risk, std::move(each.detail));
    risks = cluster.risks();
    const std::vector<std::string> now = cluster.surely_late();
    std::erase_if(surely_late, [&](const auto& each) {
      return std::find(now.begin(), now.end(), each.first) == now.end();
    });
    for (const std::string& job : now) ++surely_late[job];
  }

  // One step of the program, which is started if it is dead.
  void step(Duration every) {
    for (; added < late.size() && cluster.now() - began >= late[added].at; ++added)
      cluster.add(late[added].job, late[added].what);
    bool stepped = false;
    try {
      if (!driver && cluster.now() >= next_program) start_program();
      if (driver) {
        driver->step();
        stepped = true;
      }
    } catch (const ExternalError&) {
    } catch (const LeadLost&) {
      end_program();
    } catch (const Crash&) {
      end_program();
    }
    try {
      if (cluster.has_promises()) look_at_promises(stepped);
    } catch (const Crash&) {
      end_program();
    }
    try {
      cluster.advance(every);
    } catch (const Crash&) {
      end_program();
    }
  }

  bool ended() {
    const auto& jobs = cluster.written().jobs;
    return added == late.size() &&
           std::all_of(jobs.begin(), jobs.end(), [](const LiveJob& job) { return has_ended(job.state); });
  }

  // What is wrong; empty = nothing.
  std::string run(Duration faults_for, Duration every) {
    cluster.on_pause([&] {
      const std::unique_ptr<Journal> other_journal = make_journal();
      const std::unique_ptr<ClusterDriver> other_between = through ? through(cluster) : nullptr;
      BatchDriver other(*other_journal, over(other_between), cluster, options);
      for (int i = 0; i < 12; ++i) {
        try {
          other.step();
        } catch (const ExternalError&) {
        }
        cluster.advance(every);
      }
    });
    const Duration begin = cluster.now();
    while (!ended() && cluster.now() - begin < faults_for && cluster.violation().empty()) step(every);
    cluster.heal();
    next_program = {};
    for (; added < late.size(); ++added) cluster.add(late[added].job, late[added].what);
    for (const LiveJob& job : cluster.written().jobs) cluster.wish_for(job.id, Wish::release);
    cluster.cancel_what_hangs();
    const Duration healed = cluster.now();
    while (!ended() && cluster.now() - healed < ms(8 * 3'600'000) && cluster.violation().empty()) step(every);
    for (int i = 0; i < 20; ++i) step(every);  // nothing comes late
    if (cluster.violation().empty()) cluster.check_end();
    return cluster.violation();
  }
};

// One job, driven by hand.
struct One {
  Schedule schedule;

  explicit One(LiveFaults faults = {}, SimulatedJob job = {})
      : schedule(1, batch_of_jobs(1), {job}, faults) {}

  [[nodiscard]] const LiveJob& job() const { return schedule.cluster.written().jobs[0]; }
  // Steps of a second until it is so; false if it was not within ten minutes.
  bool until(const std::function<bool(const LiveJob&)>& so) {
    for (int i = 0; i < 600; ++i) {
      if (so(job())) return true;
      schedule.step(ms(1'000));
    }
    return false;
  }
  bool until(LiveState state) {
    return until([&](const LiveJob& each) { return each.state == state; });
  }
};

inline std::string log_text(const SimulatedCluster& cluster) {
  std::string text;
  for (const LiveEvent& event : cluster.log())
    text += fmt::format("{} {} {} {}\n", to_ms(event.at), event.job, event.what, event.detail);
  return text;
}

}  // namespace wavewright
