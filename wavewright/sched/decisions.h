// What a policy may decide. A decision stands until it is replaced.
#pragma once

#include <string>

#include "wavewright/sched/event.h"
#include "wavewright/sched/lease.h"
#include "wavewright/sched/view.h"

namespace wavewright {

using Key = std::int64_t;  // rank: lowest first; equal keys go by order of admission

// Amounts of a group, as Resources counts them. YARN tells application masters of no more room than their
// groups are guaranteed, though they may get more (the headroom of the Fair scheduler).
struct Limits {
  Count map_slots = unlimited;
  Count reduce_slots = unlimited;
};

// How the children of a group, jobs and groups, are ordered among themselves.
enum class Ordering : std::uint8_t {
  ranked,   // by their rank, lowest first
  fair,     // by what they hold against their Share
  by_best,  // the children of child groups as if they were its own: users of a first-come queue
};

// What a child of a `fair` group may claim. Children below their minimum come first, the smallest part of it
// first; then those that hold the least by weight. Parts are rounded down to 2^-20; equal ones go by order of
// admission [Hadoop FairScheduler].
struct Share {
  Count minimum = 0;
  std::int64_t weight_thousandths = 1000;  // at least 1
};

// Why a job was rejected, or does not start now.
struct Reason {
  std::string code;  // one word in CamelCase, such as `DeadlineTooTight`
  std::string text;  // one sentence for people

  friend bool operator==(const Reason&, const Reason&) = default;
};

// Each call is O(log jobs) unless it says otherwise. Feature::… in brackets must be announced by needs().
class Decisions {
 public:
  virtual ~Decisions() = default;

  // ---- admission
  virtual void admit(JobIndex job, GroupId group) = 0;  // [groups, unless the group is the root]
  virtual void reject(JobIndex job, const Reason& reason) = 0;
  virtual void explain(JobIndex job, const Reason& reason) = 0;  // why it does not start now

  // ---- order and limits
  // Creates or changes a group (queue, pool, user). Parents before children. [groups]
  virtual void group(GroupId group, GroupId parent, Limits guaranteed, Limits max) = 0;
  // Among the siblings of its group, lowest first. Different ranks for maps and reduces need [rank_per_kind].
  virtual void rank(JobIndex job, Kind kind, Key key) = 0;              // [rank]
  virtual void rank_group(GroupId group, Kind kind, Key key) = 0;       // [groups]
  virtual void order(GroupId group, Ordering ordering) = 0;             // default: ranked [shares]
  virtual void share(JobIndex job, Kind kind, Share share) = 0;         // in a `fair` group [shares]
  virtual void share_group(GroupId group, Kind kind, Share share) = 0;  // likewise [shares]
  // At most `count` slots or containers of the kind at once on nodes of the class; a cap below what is held
  // drains. For Kind::master: 1 lets the job ask for its application master, 0 does not. [caps; for a single
  // class also node_classes]
  virtual void cap(JobIndex job, Kind kind, ClassId node_class, Count count) = 0;

  // ---- promises
  // From `from` until `to` other jobs leave so many slots (or containers of this job's size) of the class
  // free as this job lacks of `count`. Nothing is stopped for it. One reservation for each job, kind and
  // class: a new one replaces it, a count of 0 withdraws it, the job's end ends it. [reservations; for a
  // single class also node_classes]
  virtual void reserve(JobIndex job, Kind kind, ClassId node_class, Count count, Time from, Time to) = 0;
  // Takes slots or containers away once `grace` has passed: those that started last, which run again.
  // [preemption; for a single class also node_classes]
  virtual void preempt(JobIndex job, Kind kind, ClassId node_class, Count count, Duration grace) = 0;

  // ---- time
  // One timer for each token of a policy: setting it again moves it. It goes off at `at`, at the next instant
  // if that is now; a time in the past is an error. [timers]
  virtual void set_timer(Time at, Token token) = 0;
  virtual void cancel_timer(Token token) = 0;  // [timers]

  // ---- machines
  // The first of `machines` consecutive leases. [leases]
  virtual LeaseId rent(const LeaseRequest& request) = 0;
  virtual void give_back(LeaseId lease) = 0;  // what runs there is lost; harmless once revoked [leases]
};

}  // namespace wavewright
