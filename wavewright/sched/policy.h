// The policy contract: told events, a policy answers with decisions that stand until it replaces them.
//
// Two levels, because real clusters are built so. An *allocator* decides which jobs may use how much and in
// what order: admission, groups, rank, caps, reservations, leases. A *placer* decides which task a free slot
// on a given node takes: it goes down the allocator's ranked candidates and may pass. FIFO, plans and pools
// are allocators; locality rules are placers.
//
// An implementer promises:
//  - needs() announces every feature that it uses, before the first event. A driver that cannot enforce one
//    refuses it by name before anything starts; a decision that was not announced is stopped by name;
//  - subscribes() names the events that it wants. It is told no others, so a policy that wants arrivals only
//    costs nothing per task;
//  - it decides from events and the View alone: equal inputs give equal decisions;
//  - it decides only on jobs that have arrived, and admits or rejects each of them once;
//  - recovery: made anew and told the present state, it goes on with the same decisions. A driver that
//    restarts calls begin(), then tells `arrived` of every job that is not over: first those that were
//    admitted, in order of admission, then the others, in order of submission. Then it tells `ready` and
//    `started` of what is ready and runs. Each event has its own past `at`; View::now() is the present. So a
//    policy counts from the View (tasks that started = facts − pending), not from events alone.
//
// A driver (simulator or cluster) promises: events in order of time; decisions applied at once; estimates,
// never the drawn durations; a timer goes to the part of the policy that set it. docs/develop/add-a-policy.md
// walks through one policy.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "wavewright/sched/decisions.h"
#include "wavewright/sched/event.h"
#include "wavewright/sched/view.h"

namespace wavewright {

// What a policy needs and a driver can enforce.
enum class Feature : std::uint8_t {
  rank,           // one order for both kinds
  rank_per_kind,  // maps and reduces ranked apart
  groups,         // maximum limits of groups
  shares,         // groups whose children are ordered by what they hold
  caps,
  reservations,
  preemption,
  timers,
  placement,     // a placer other than "any slot"
  occupancy,     // looks at what single slots and containers are busy with
  node_classes,  // caps, holdings, reservations and preemption on one class of nodes
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

// Throws UsageError naming every feature that `needed` has and `offered` has not.
void require_features(Features needed, Features offered, const std::string& policy,
                      const std::string& driver);

class Allocator {
 public:
  virtual ~Allocator() = default;
  [[nodiscard]] virtual std::string name() const = 0;  // as in the policy string
  [[nodiscard]] virtual Features needs() const = 0;
  [[nodiscard]] virtual EventSet subscribes() const = 0;
  virtual void begin(const View& view, Decisions& decisions) = 0;  // before the first event: make groups
  virtual void on(const Event& event, const View& view, Decisions& decisions) = 0;
};

// Where a task's input lies as seen from the node that runs it.
enum class Locality : std::uint8_t { node, rack, off_rack };

// A node has a free slot of the kind.
struct Offer {
  NodeIndex node = 0;
  Kind kind = Kind::map;
  Time at{};
};

// A task that has not started, and how far it would be from its input on the node of the offer.
struct TaskChoice {
  JobIndex job = 0;
  TaskIndex task = 0;
  Locality locality = Locality::node;

  friend bool operator==(const TaskChoice&, const TaskChoice&) = default;
};

// What may start on the node of the offer.
class Candidates {
 public:
  virtual ~Candidates() = default;
  // The jobs that may start a task of the offer's kind, in the allocator's order, one a call. O(log jobs).
  [[nodiscard]] virtual std::optional<JobIndex> next() = 0;
  // The job's task closest to the node, the lowest-numbered of them; none where no task lies as close as
  // `at_most`. Reduces, and maps whose data nothing is known of, count as `node`.
  [[nodiscard]] virtual std::optional<TaskChoice> closest(JobIndex job, Locality at_most) = 0;
};

// Chooses the task that an offered slot takes; without a placer it is the closest of the best job. It returns
// a task that `closest` named, or any other that has not started, of a job that `next` named; or it passes. A
// pass holds until the node's next offer: its next heartbeat or, with instantaneous assignment, the next
// event.
class Placer {
 public:
  virtual ~Placer() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual Features needs() const = 0;
  [[nodiscard]] virtual EventSet subscribes() const = 0;
  virtual void on(const Event& event, const View& view, Decisions& decisions) = 0;
  [[nodiscard]] virtual std::optional<TaskChoice> place(const Offer& offer, Candidates& candidates,
                                                        const View& view, Decisions& decisions) = 0;
};

// An allocator and, where slots have places, the placer that completes it.
struct Policy {
  std::unique_ptr<Allocator> allocator;
  std::unique_ptr<Placer> placer;  // null = the closest task of the best job

  [[nodiscard]] std::string name() const;
  [[nodiscard]] Features needs() const;  // of both
};

}  // namespace wavewright
