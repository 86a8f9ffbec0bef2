// Preemption of the Fair scheduler: a queue that has been below its minimum, or below half of its fair share,
// for too long gets what it lacks from queues above their share [Hadoop FairScheduler]. After a restart these
// clocks begin anew, as in Hadoop.
#pragma once

#include <map>
#include <vector>

#include "wavewright/sched/fair_shares.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

struct PreemptionOptions {
  Duration minimum_timeout = ms(60'000);  // below the minimum
  Duration share_timeout = ms(300'000);   // below half of the fair share
  Duration check = ms(5'000);             // time between checks
};

// State of the root's child queues. The policy calls `check` when its timer fires.
class FairPreemption {
 public:
  explicit FairPreemption(const PreemptionOptions& options) : options_(options) {}

  void queue(GroupId queue, Kind kind, const Share& share);
  void joined(GroupId queue, JobIndex job, Time at);  // `queue`: the root's child above the job
  void ready(JobIndex job) { reduces_ready_[job] = true; }

  // Preempts what is due. True if a job is left: check again. O(jobs), plus O(queues + jobs) for each slot.
  bool check(const View& view, Decisions& decisions);

 private:
  struct Side {
    Share share;
    Time last_at_minimum{};
    Time last_at_half{};
  };
  struct Pool {
    Side sides[2];
    std::vector<JobIndex> jobs;  // unfinished
  };
  struct Standing {
    Count used = 0;
    Count demand = 0;
    double share = 0;
  };
  [[nodiscard]] static bool is_over(JobIndex job, const View& view);
  void check(Kind kind, const View& view, Decisions& decisions);
  [[nodiscard]] Count lacking(Side& side, const Standing& standing, Time now) const;
  static void take(Count count, Kind kind, const std::map<GroupId, Pool>& pools,
                   std::map<GroupId, Standing>& standings, const View& view, Decisions& decisions);

  PreemptionOptions options_;
  std::map<GroupId, Pool> pools_;
  std::map<JobIndex, bool> reduces_ready_;
};

}  // namespace wavewright
