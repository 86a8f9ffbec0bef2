// Preemption of the Capacity scheduler with containers [Hadoop 3, ProportionalCapacityPreemptionPolicy].
//
// In rounds: each queue has an ideal amount of memory. It is what the queue uses, up to its guarantee; what
// is left goes to the queues that ask for more, by guarantee, up to their maxima. A queue above its guarantee
// by more than `ignored` gives up a part of what it has above its ideal amount:
// - all queues together at most `per_round` of the cluster;
// - of that only the share `natural`, because containers end by themselves, too.
// The containers are chosen anew in each round: of the job admitted last, maps before reduces, the youngest
// first. None is chosen that is larger than what is left of `per_round` of the cluster. One that has been
// chosen for `wait` is killed. Masters are left alone, while YARN takes them last.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "wavewright/sched/policy.h"

namespace wavewright {

// Hadoop's yarn.resourcemanager.monitor.capacity.preemption.* and its defaults.
struct CapacityPreemptionOptions {
  Duration interval = ms(3'000);  // monitoring_interval: between rounds
  Duration wait = ms(15'000);     // max_wait_before_kill
  double per_round = 0.1;         // total_preemption_per_round, 0 to 1
  double ignored = 0.1;           // max_ignored_over_capacity
  double natural = 0.2;           // natural_termination_factor, 0 to 1
};

class CapacityPreemption {
 public:
  explicit CapacityPreemption(const CapacityPreemptionOptions& options) : options_(options) {}

  // Parents first. `capacity`, `maximum`: of the parent's, 0 to 1.
  void queue(GroupId queue, GroupId parent, double capacity, double maximum);
  void admitted(GroupId queue, JobIndex job);
  void ready(JobIndex job) { reduces_ready_.insert(job); }  // its reduces

  [[nodiscard]] Duration interval() const { return options_.interval; }
  // One round; returns when the next one is due, none if no job is left. O(queues + jobs).
  [[nodiscard]] std::optional<Time> round(const View& view, Decisions& decisions);

 private:
  using Held = std::pair<JobIndex, Kind>;
  struct Queue {
    GroupId parent = root_group;
    double capacity = 0, maximum = 1;  // of the parent's
    std::vector<GroupId> children;
    std::vector<JobIndex> jobs;  // unfinished, by admission
    // Of the present round, MiB.
    double guaranteed = 0, most = 0, ideal = 0, above = 0;
    Count used = 0, demand = 0;
  };
  [[nodiscard]] bool forget_finished(const View& view);  // false: no job is left
  void count_demand(const View& view);
  void share(Queue& parent, double cluster);
  // `allowed`: MiB that the round may still take.
  void choose(const Queue& queue, const View& view, double& allowed, std::map<Held, Count>& chosen) const;
  void kill(const std::map<Held, Count>& chosen, const View& view, Decisions& decisions);

  CapacityPreemptionOptions options_;
  std::map<GroupId, Queue> queues_;
  std::vector<GroupId> order_;  // parents first
  std::set<JobIndex> reduces_ready_;
  std::map<Held, std::vector<Time>> chosen_since_;  // for each container chosen, oldest first
};

}  // namespace wavewright
