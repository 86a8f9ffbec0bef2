// The policy contract: a policy receives events and makes decisions, which stand until it replaces them.
//
// It has two parts, as in real clusters. An *allocator* decides which jobs may use how much and in what
// order: admission, groups, rank, caps, reservations, leases. A *placer* decides which task a free slot on a
// node takes: it goes down the allocator's ranked candidates and may pass. FIFO, plans and pools are
// allocators; locality rules are placers.
//
// An implementer promises:
//  - needs() announces every feature that it uses, before the first event. A driver that cannot enforce one
//    refuses the policy before anything starts; a decision that was not announced is an InternalError;
//  - subscribes() gives the events that it wants. It receives no others, so a policy that wants only arrivals
//    costs nothing per task;
//  - it decides from events and the View alone: equal inputs give equal decisions;
//  - it decides only on jobs that have arrived, and admits or rejects each of them once;
//  - recovery: a new policy object that receives the present state goes on with the same decisions. A driver
//    that restarts calls begin(), then sends `arrived` for every unfinished job: first the admitted ones, in
//    order of admission, then the others, in order of submission. Then it sends `ready` and `started` for
//    what is ready and what runs. Each event has its own past `at`; View::now() is the present. So a policy
//    counts from the View (started tasks = facts − pending), not from events alone.
//
// A driver (simulator or cluster) promises: events in order of time; decisions applied at once; estimates,
// never the drawn durations; a timer goes to the part of the policy that set it. Example of a policy:
// docs/develop/add-a-policy.md.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "wavewright/job/task_order.h"
#include "wavewright/sched/decisions.h"
#include "wavewright/sched/event.h"
#include "wavewright/sched/view.h"

namespace wavewright {

// A feature that a policy needs and a driver can enforce.
enum class Feature : std::uint8_t {
  rank,           // one order for both kinds
  rank_per_kind,  // separate ranks for maps and reduces
  groups,         // maximum limits of groups
  shares,         // groups whose children are ordered by what they hold
  caps,
  reservations,
  preemption,
  timers,
  placement,     // a placer other than "any slot"
  occupancy,     // the attempt on each slot or container (View::occupant)
  node_classes,  // caps, holdings, reservations and preemption on a single node class
  leases,
};
[[nodiscard]] std::string to_string(Feature feature);

struct Features {
  std::uint32_t bits = 0;
  [[nodiscard]] static constexpr Features of(Feature feature) {
    return {1U << static_cast<unsigned>(feature)};
  }
  [[nodiscard]] constexpr bool has(Feature feature) const { return (bits & of(feature).bits) != 0; }
  friend constexpr Features operator|(Features a, Features b) { return {a.bits | b.bits}; }
};
[[nodiscard]] constexpr Features operator|(Feature a, Feature b) {
  return Features::of(a) | Features::of(b);
}
[[nodiscard]] constexpr Features operator|(Features a, Feature b) {
  return a | Features::of(b);
}

// Throws UsageError that names every feature in `needed` that is not in `offered`.
void require_features(Features needed, Features offered, const std::string& policy,
                      const std::string& driver);

// Which nodes a job may reserve, so that room adds up there until its next container fits. For engines with
// containers. By the rule of YARN's Capacity scheduler (sim/model/reservation_rule.h), or by numbers, as its
// Fair scheduler; then a node with a block of that container may always be reserved.
struct NodeReservations {
  bool by_capacity = true;
  bool queues = false;       // by_capacity: each job's queue is one of the scheduler's; else they share one
  double nodes = 1;          // else: most at once, this share of the nodes that are present, rounded up
  Count least_multiple = 0;  // and only for containers of at least this many minimum allocations
};

class Allocator {
 public:
  virtual ~Allocator() = default;
  [[nodiscard]] virtual std::string name() const = 0;  // as in the policy string
  [[nodiscard]] virtual Features needs() const = 0;
  [[nodiscard]] virtual EventSet subscribes() const = 0;
  [[nodiscard]] virtual NodeReservations node_reservations() const { return {}; }
  // In which a job's tasks start where no placer says otherwise. Task numbers are places in this order.
  [[nodiscard]] virtual TaskOrder task_order() const { return TaskOrder::as_listed; }
  // Before begin(): if it rejects one of these jobs, it is to say what would have had it accepted
  // (Reason::offer), though that takes time. A policy that cannot does nothing.
  virtual void make_offers(std::span<const JobIndex>) {}
  virtual void begin(const View& view, Decisions& decisions) = 0;  // before the first event; makes groups
  virtual void on(const Event& event, const View& view, Decisions& decisions) = 0;
};

// How near a task's input is to the node.
enum class Locality : std::uint8_t { node, rack, off_rack };

// A node has a free slot of the kind.
struct Offer {
  NodeIndex node = 0;
  Kind kind = Kind::map;
  Time at{};
};

// A task that has not started, and its locality on the offered node.
struct TaskChoice {
  JobIndex job = 0;
  TaskIndex task = 0;
  Locality locality = Locality::node;

  friend bool operator==(const TaskChoice&, const TaskChoice&) = default;
};

// The tasks that may start on the offered node.
class Candidates {
 public:
  virtual ~Candidates() = default;
  // The next job that may start a task of the offer's kind, in the allocator's order. O(log jobs).
  [[nodiscard]] virtual std::optional<JobIndex> next() = 0;
  // True if next() gives the job, from the first call on. O(log jobs).
  [[nodiscard]] virtual bool may_start(JobIndex job) = 0;
  // The job's task closest to the node; ties go to the lowest number. None if no task is as close as
  // `at_most`. Reduces, and maps with unknown blocks, count as `node`.
  [[nodiscard]] virtual std::optional<TaskChoice> closest(JobIndex job, Locality at_most) = 0;
  // For maps: the first job, in the allocator's order, with a map as close as `node`, and that map. next()
  // begins anew after it. O(jobs with blocks on the node), if the placer announces that it searches nodes.
  [[nodiscard]] virtual std::optional<TaskChoice> first_local() = 0;
};

// The closest task of the next job that has one near enough. O(jobs with a task to start).
[[nodiscard]] std::optional<TaskChoice> first_of(Candidates& candidates, Locality at_most);

// Chooses the task for an offered slot. It returns an unstarted task (from `closest` or not) of a job from
// `next`, or it passes. A pass holds until the node's next offer: its next heartbeat or, with instantaneous
// assignment, the next event.
class Placer {
 public:
  virtual ~Placer() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual Features needs() const = 0;
  [[nodiscard]] virtual EventSet subscribes() const = 0;
  // True if it asks for first_local() or lets jobs wait for their nodes (Decisions::near_only): the driver
  // then keeps an index of jobs by node.
  [[nodiscard]] virtual bool searches_nodes() const { return false; }
  // With containers YARN decides whose turn it is: `candidates` then hold one job, and the jobs whose map
  // would fit are offered in turn. True from `again` repeats such a round for the node. A driver asks after a
  // round that started nothing and in which the placer passed.
  [[nodiscard]] virtual bool again(const Offer&) { return false; }
  // Containers: the node has too little room for the job's next map; its closest one is as near as this. True
  // if the node may be reserved for it.
  [[nodiscard]] virtual bool reserves(const Offer&, JobIndex, Locality, const View&) { return true; }
  virtual void on(const Event& event, const View& view, Decisions& decisions) = 0;
  [[nodiscard]] virtual std::optional<TaskChoice> place(const Offer& offer, Candidates& candidates,
                                                        const View& view, Decisions& decisions) = 0;
};

// An allocator and, optionally, a placer.
struct Policy {
  std::unique_ptr<Allocator> allocator;
  std::unique_ptr<Placer> placer;  // null = the closest task of the best job

  [[nodiscard]] std::string name() const;  // `fair+delay`; `capacity` alone where the placer is its own
  [[nodiscard]] Features needs() const;    // of both parts
};

}  // namespace wavewright
