// The decisions of a policy. A decision stands until it is replaced.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/sched/event.h"
#include "wavewright/sched/lease.h"
#include "wavewright/sched/view.h"

namespace wavewright {

using Key = std::int64_t;  // rank: lowest first; equal keys go by order of admission

// Amounts of a group, in the units of Resources. The headroom that YARN reports to an application master is
// at most its groups' guarantee, though the job may get more (Fair scheduler).
struct Limits {
  Count map_slots = unlimited;
  Count reduce_slots = unlimited;
  // With containers: the last one may exceed the limit. YARN looks at a user's use, but at a queue's room.
  bool last_may_exceed = false;
};

// The order of a group's children (jobs and groups).
enum class Ordering : std::uint8_t {
  ranked,   // by rank, lowest first
  fair,     // by what they hold, relative to their Share
  by_best,  // children of child groups are compared as if they were its own: users of a first-come queue
};

// The claim of a child of a `fair` group [Hadoop FairScheduler]. Children below their minimum come first, by
// held / minimum; then the others, by held / weight. Ratios are rounded down to 2^-20; ties by admission.
struct Share {
  Count minimum = 0;
  std::int64_t weight_thousandths = 1000;  // at least 1
};

// With which a rejected job would have been accepted, as things stood. Absent or empty: nothing of that kind
// would have done.
struct CounterOffer {
  std::optional<Time> earliest_deadline{};
  std::optional<SlotPool> lacks{};   // so many further slots
  std::vector<JobIndex> give_way{};  // accepted jobs without which it would have been accepted
  bool placed_anew = false;          // accepted if all tasks that wait and run were placed anew

  friend bool operator==(const CounterOffer&, const CounterOffer&) = default;
};

// Why a job was rejected, or does not start now.
struct Reason {
  std::string code;  // one word in CamelCase, such as `DeadlineTooTight`
  std::string text;  // one sentence for people
  // If the policy was asked to make one (Allocator::make_offers).
  std::optional<CounterOffer> offer{};
  // What to do if the job never starts, such as "add nodes": the error at the end of a run says so.
  std::string remedy{};

  friend bool operator==(const Reason&, const Reason&) = default;
};

// Each call is O(log jobs) unless it says otherwise. Feature::… in brackets must be announced by needs().
class Decisions {
 public:
  virtual ~Decisions() = default;

  // ---- admission
  virtual void admit(JobIndex job, GroupId group) = 0;  // [groups, unless the group is the root]
  virtual void reject(JobIndex job, const Reason& reason) = 0;
  virtual void explain(JobIndex job, const Reason& reason) = 0;  // why the job does not start now

  // ---- order and limits
  // Creates or changes a group (queue, pool, user). Parents before children. [groups]
  virtual void group(GroupId group, GroupId parent, Limits guaranteed, Limits max) = 0;
  // The job's place among its siblings, lowest first. Different ranks for maps and reduces: [rank_per_kind].
  virtual void rank(JobIndex job, Kind kind, Key key) = 0;              // [rank]
  virtual void rank_group(GroupId group, Kind kind, Key key) = 0;       // [groups]
  virtual void order(GroupId group, Ordering ordering) = 0;             // default: ranked [shares]
  virtual void share(JobIndex job, Kind kind, Share share) = 0;         // in a `fair` group [shares]
  virtual void share_group(GroupId group, Kind kind, Share share) = 0;  // likewise [shares]
  // The job holds at most `count` slots or containers of the kind on nodes of the class. If it holds more,
  // none is killed. For Kind::master: 1 lets the job ask for its application master, 0 does not. [caps; for a
  // single class also node_classes]
  virtual void cap(JobIndex job, Kind kind, ClassId node_class, Count count) = 0;

  // ---- promises
  // From `from` until `to`, other jobs leave free the slots (or containers of this job's size) of the class
  // that this job lacks of `count`. Nothing is preempted for it. There is one reservation for each job, kind
  // and class: a new one replaces it; a count of 0 or the job's end removes it. [reservations; for a single
  // class also node_classes]
  virtual void reserve(JobIndex job, Kind kind, ClassId node_class, Count count, Time from, Time to) = 0;
  // Kills `count` attempts after `grace`: those that started last. Their tasks run again. [preemption; for a
  // single class also node_classes]
  virtual void preempt(JobIndex job, Kind kind, ClassId node_class, Count count, Duration grace) = 0;

  // ---- placement
  // Until this is taken back, the placer passes for the job each node that holds no block of one of its
  // pending maps, and that changes nothing. A driver may leave the job out of the candidates there.
  // [placement]
  virtual void near_only(JobIndex, bool) {}

  // ---- time
  // A policy has one timer for each token: setting it again moves it. It fires at `at`, or 1 ms later if `at`
  // is now; a time in the past is an error. [timers]
  virtual void set_timer(Time at, Token token) = 0;
  virtual void cancel_timer(Token token) = 0;  // [timers]

  // ---- machines
  // The first of `machines` consecutive leases. [leases]
  virtual LeaseId rent(const LeaseRequest& request) = 0;
  virtual void give_back(LeaseId lease) = 0;  // attempts there are lost; no effect once revoked [leases]
};

}  // namespace wavewright
