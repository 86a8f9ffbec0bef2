// Runs of the real driver on the simulated cluster, for tests: to their end, or by hand.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/live/simulated_cluster.h"
#include "tests/live/simulated_journal.h"
#include "wavewright/core/error.h"
#include "wavewright/core/random.h"
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
  std::size_t added = 0, steps = 0;
  Duration began{};
  Duration next_program{};                      // nobody starts one before
  std::vector<FoundRisk> risks = {};            // found in the last look, and not handed on yet
  std::map<std::string, int> surely_late = {};  // jobs; in how many looks, one after another
  // In each step, the tasks of a job that runs turn out to take longer or shorter than its profile says, with
  // this probability.
  double drifts = 0;
  Random drifting;                               // draws that: without drift, all else is as it was
  std::map<std::string, LiveJob> as_given = {};  // jobs, as they were added

  Schedule(std::uint64_t seed, LiveBatch batch, std::vector<SimulatedJob> jobs, LiveFaults faults,
           DriverOptions given = {})
      : cluster(seed, std::move(batch), std::move(jobs), faults, given),
        options(given),
        drifting(seed, "what drifts in a schedule") {
    began = cluster.now();
    for (const LiveJob& job : cluster.written().jobs) as_given.emplace(job.id, job);
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

  // As a daemon's feedback does between two steps: it tells of a job that has drifted, and then which jobs
  // have no task yet.
  void let_one_drift() {
    if (drifts <= 0 || !driver || !driver->batch() || drifting.unit() >= drifts) return;
    std::vector<std::string> running;
    std::set<std::string> idle;
    for (const LiveJob& job : driver->batch()->jobs) {
      if (job.state == LiveState::running) {
        running.push_back(job.id);
      } else if (has_begun(job.state)) {
        idle.insert(job.id);
      }
    }
    if (running.empty()) return;
    static constexpr std::array factors = {0.25, 0.5, 2.0, 4.0};
    const std::string& job = running[drifting.below(running.size())];
    std::optional<double> maps, reduces;
    const std::uint64_t kinds = drifting.below(3);
    if (kinds != 1) maps = factors[drifting.below(factors.size())];
    if (kinds != 2) reduces = factors[drifting.below(factors.size())];
    driver->drifted(job, maps, reduces,
                    fmt::format("maps {}, reduces {}", maps.value_or(1), reduces.value_or(1)));
    driver->replan(idle);
  }

  // The journal holds for each job by how much its tasks drifted, and the lengths that follow from that. All
  // factors are powers of two, so these are exact. Only jobs of the profile of one that drifted changed with
  // it. A new order exchanges the ranks. Empty = so it is.
  [[nodiscard]] std::string wrong_drift() const {
    std::set<std::string> told, profiles;
    for (const LiveEvent& event : cluster.log()) {
      if (event.what == "Drifted") told.insert(event.job);
    }
    for (const std::string& id : told) profiles.insert(as_given.at(id).profile);
    profiles.erase("");
    std::multiset<std::int64_t> map_ranks, reduce_ranks, given_map_ranks, given_reduce_ranks;
    for (const LiveJob& job : cluster.written().jobs) {
      const auto found = as_given.find(job.id);
      if (found == as_given.end()) continue;
      const LiveJob& given = found->second;
      const auto follows = [](StageWork now, StageWork before, const std::optional<double>& factor) {
        const double expected = static_cast<double>(before.mean.count()) * factor.value_or(1);
        return now.tasks == before.tasks && static_cast<double>(now.mean.count()) == expected;
      };
      if (!follows(job.maps, given.maps, job.map_drift) ||
          !follows(job.reduces, given.reduces, job.reduce_drift))
        return job.id + " has lengths that do not follow from its drift";
      const bool drifted = job.map_drift || job.reduce_drift;
      if (told.contains(job.id) && !drifted) return job.id + " has drifted, and the journal lacks it";
      if (drifted && !told.contains(job.id) && !profiles.contains(job.profile))
        return job.id + " has a drift that nobody told";
      if (given.target) {
        given_map_ranks.insert(given.target->map_rank);
        given_reduce_ranks.insert(given.target->reduce_rank);
      }
      if (job.target) {
        map_ranks.insert(job.target->map_rank);
        reduce_ranks.insert(job.target->reduce_rank);
      }
    }
    const bool same = map_ranks == given_map_ranks && reduce_ranks == given_reduce_ranks;
    return same ? "" : "a new order has changed the ranks that there are";
  }

  void add_next() {
    as_given.emplace(late[added].job.id, late[added].job);
    cluster.add(late[added].job, late[added].what);
    ++added;
  }

  // One step of the program, which is started if it is dead.
  void step(Duration every) {
    while (added < late.size() && cluster.now() - began >= late[added].at) add_next();
    bool stepped = false;
    try {
      if (!driver && cluster.now() >= next_program) start_program();
      if (driver) {
        const std::uint64_t leads = cluster.leads();
        const bool fresh = !driver->batch();
        driver->step();
        stepped = true;
        // Now and then, as it takes long. A step without errors leaves nothing to be written.
        if (++steps % 16 == 0 && !fresh && leads == cluster.leads())
          cluster.check_held(*driver->batch(), driver->dispatched());
      }
    } catch (const ExternalError&) {
    } catch (const LeadLost&) {
      end_program();
    } catch (const Crash&) {
      end_program();
    }
    let_one_drift();
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
    while (added < late.size()) add_next();
    for (const LiveJob& job : cluster.written().jobs) cluster.wish_for(job.id, Wish::release);
    cluster.cancel_what_hangs();
    const Duration healed = cluster.now();
    while (!ended() && cluster.now() - healed < ms(8 * 3'600'000) && cluster.violation().empty()) step(every);
    for (int i = 0; i < 20; ++i) step(every);  // nothing comes late
    if (cluster.violation().empty()) cluster.check_end();
    return cluster.violation().empty() ? wrong_drift() : cluster.violation();
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
