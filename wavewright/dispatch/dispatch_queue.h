// The dispatching queue: jobs wait in it until the reorder policy says that a round is due. The ordering
// engine then orders them, and they go to the cluster in that order [ORDER §4.1].
//
// The caller has the clock. It calls `arrive` for each job, asks `next_decision`, and calls `decide` once
// that instant has come, after the arrivals of the same instant. Job ids are the caller's. The queue does
// not know what runs the jobs: a simulator or a live cluster.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "wavewright/dispatch/ordering_engine.h"
#include "wavewright/dispatch/reorder_policy.h"

namespace wavewright {

struct Round {
  Time at{};
  std::vector<WaitingJob> jobs = {};  // first dispatched first
  Duration work{};                    // T_A, the wait of TP-ATI
  bool searched = false;              // true: ordered by simulation or a planner; false: by the rule
  std::uint64_t evaluated = 0;        // orders simulated
};

class DispatchQueue {
 public:
  // A round takes at most `most_jobs`, those that wait longest; 0 = no limit. Throws as `check(engine)` does.
  DispatchQueue(std::unique_ptr<ReorderPolicy> policy, OrderingEngine engine, std::size_t most_jobs = 0);

  // `now` never goes back.
  void arrive(Time now, WaitingJob job);
  [[nodiscard]] std::optional<Time> next_decision() const;
  // A round is due at `at`, whatever the policy says, if jobs wait. Of several the earliest counts.
  void make_due(Time at) { due_ = due_ ? std::min(*due_, at) : at; }
  // Goes on with the queue of another program, which had its last round at `at`, with that work (T_A). To be
  // called before the first arrival.
  void resume(Time at, Duration work) { policy_->on_dispatch(at, work, {}); }
  // Calls `change` for each job that waits: its sizes may be others by now. O(jobs).
  void revise(const std::function<void(WaitingJob&)>& change);
  // Takes the jobs of a round out of the queue, in order. Empty if none wait. O(engine).
  [[nodiscard]] Round decide(Time now, const Stop& stop = Stop());

  [[nodiscard]] const std::vector<WaitingJob>& waiting() const { return waiting_; }  // by arrival
  [[nodiscard]] const ReorderPolicy& policy() const { return *policy_; }
  [[nodiscard]] const OrderingEngine& engine() const { return engine_; }

 private:
  [[nodiscard]] Waiting state() const;

  std::unique_ptr<ReorderPolicy> policy_;
  OrderingEngine engine_;
  std::size_t most_jobs_;
  std::vector<WaitingJob> waiting_;
  std::optional<Time> due_;  // by `make_due`
};

}  // namespace wavewright
