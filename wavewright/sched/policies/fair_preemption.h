// Preemption of the Fair scheduler: a queue that has been below its minimum, or below half of its fair share,
// for too long gets what it lacks from queues above their share [Hadoop FairScheduler]. After a restart these
// clocks begin anew, as in Hadoop.
//
// Slots: map and reduce slots each have clocks; a queue gets all that it lacks of its minimum or share
// [Hadoop 1]. Containers: one pair of clocks for memory; a queue gets its minimum, or half of its share; no
// queue falls below its share; masters are not preempted, reduces are before maps [Hadoop 3,
// FSPreemptionThread]. The room may be of no use to the queue: on several nodes, or too small. Each
// preemption in vain doubles the wait for the next one, so that tasks come to their ends.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "wavewright/sched/policies/fair_shares.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

struct PreemptionOptions {
  std::optional<Duration> minimum_timeout{};  // below the minimum; none = no preemption for it
  std::optional<Duration> share_timeout{};    // below half of the fair share; likewise
  Duration check = ms(5'000);                 // most time between checks
  Duration grace{};                           // from the decision to the kill [waitTimeBeforeKill]
};

// State of the root's child queues. The policy calls `check` when its timer fires.
class FairPreemption {
 public:
  explicit FairPreemption(const PreemptionOptions& options) : options_(options) {}

  void queue(GroupId queue, Kind kind, const Share& share);
  // `queue`: the root's child above the job. The clocks of a queue that lacked nothing begin here.
  void joined(GroupId queue, JobIndex job, const View& view);
  void ready(JobIndex job, const View& view);  // its reduces

  // Preempts what is due; returns when to check again: in `check`, or when a clock is over before. None if no
  // job is left. O(jobs), plus O(queues + jobs) for each attempt preempted.
  [[nodiscard]] std::optional<Time> check(const View& view, Decisions& decisions);

 private:
  enum Side : std::size_t { maps_or_memory, reduces };
  struct Clocks {
    Share share;
    Time at_minimum{};                   // last instant at which the queue had its minimum
    Time at_half{};                      // likewise half of its share
    Time not_before{};                   // of the next preemption for the queue
    std::optional<Count> used_before{};  // what it held at the last one since it lacked nothing
    int in_vain = 0;                     // preemptions in a row after which it held no more
  };
  struct Pool {
    Clocks clocks[2];
    std::vector<JobIndex> jobs;  // unfinished
  };
  struct Standing {
    Count used = 0;  // slots or MiB, as all amounts below
    Count demand = 0;
    double share = 0;
  };
  // Slots, or MiB, that the job waits for.
  [[nodiscard]] Count lacks(JobIndex job, Side side, const View& view) const;
  void restart(Pool& pool, Side side, const View& view);
  void check(Side side, const View& view, Decisions& decisions, Time& next);
  // Slots, or MiB, that the queue has lacked until its timeout. If a timeout is not over yet, `next` becomes
  // at most its end.
  [[nodiscard]] Count overdue(Clocks& clocks, const Standing& standing, const View& view, Time& next) const;
  void take(Count lack, Side side, std::map<GroupId, Standing> standings, const View& view,
            Decisions& decisions) const;

  PreemptionOptions options_;
  std::map<GroupId, Pool> pools_;
  std::set<JobIndex> reduces_ready_;
  std::map<JobIndex, GroupId> queue_of_;
};

}  // namespace wavewright
