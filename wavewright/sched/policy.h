// The policy contract: is told events, sees estimates, answers with decisions that persist until replaced.
//
// Two levels, because that is how real clusters are built. An *allocator* decides which jobs may use how
// much and in what order (admission, groups, rank, caps, reservations); a *placer* decides which task an
// offered slot on a given node takes, going down the allocator's ranked candidates, free to pass. FIFO,
// plans and pools are allocators; locality rules are placers.
//
// An implementer promises:
//  - `needs()` names every feature it uses, before the first event; a driver that cannot enforce one
//    refuses by name before anything starts;
//  - `subscribes()` names the events it wants; it is told no others, so a policy that wants arrivals only
//    costs nothing per task;
//  - to decide from the events and the View alone: equal inputs give equal decisions;
//  - never to admit or rank a job that it was not told of.
// The driver (simulator or cluster) promises: events in order of time; decisions applied at once and
// together; drawn task durations never shown, only estimates. A job that is never admitted is an error of
// the policy unless it was rejected. docs/add-a-policy.md walks through one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"

namespace wavewright {

enum class Kind : std::uint8_t { master, map, reduce };
[[nodiscard]] constexpr std::string_view name_of(Kind kind) {
  return kind == Kind::map ? "map" : kind == Kind::reduce ? "reduce" : "master";
}

using JobIndex = std::uint32_t;  // position in the workload
using GroupId = std::uint32_t;   // 0 = the root, which always exists and has no limits
using NodeIndex = std::uint32_t;
using ClassId = std::uint32_t;  // node class; 0 = default
using Token = std::uint64_t;    // chosen by the policy, given back by its timer
using Key = std::int64_t;       // rank: lowest first; equal keys go by order of admission

inline constexpr GroupId root_group = 0;
inline constexpr Count unlimited = std::int64_t{1} << 62;

struct Event {
  enum class What : std::uint8_t {
    arrived,   // the job was submitted
    ready,     // a kind's tasks of the job may start, or its application master asks for some again
    started,   // a task of the job started
    ended,     // a task of the job ended
    lost,      // a task or node was lost
    finished,  // the job is over: done or failed
    node_up,
    node_down,
    heartbeat,
    timer,  // what `wake` asked for
  };
  What what = What::arrived;
  Time at{};
  JobIndex job = 0;
  Kind kind = Kind::map;
  NodeIndex node = 0;
  Token token = 0;
};

// A set of Event::What.
struct EventSet {
  std::uint32_t bits = 0;
  [[nodiscard]] static constexpr EventSet of(Event::What what) { return {1U << static_cast<unsigned>(what)}; }
  [[nodiscard]] constexpr bool has(Event::What what) const { return (bits & of(what).bits) != 0; }
  friend constexpr EventSet operator|(EventSet a, EventSet b) { return {a.bits | b.bits}; }
};

// Expected durations, from the job's profile or the workload's nominal values.
struct Estimate {
  Duration mean{};
  Duration max{};
};

struct Resources {
  Count map_slots = 0;
  Count reduce_slots = 0;
};

// Virtual cores, where jobs have application masters.
struct Cores {
  Count free = unlimited;  // of the nodes that are there, in no container; below 0 where they do not limit
  Count of_master = 0;     // what an application master takes
};

// Upper or guaranteed amounts; `unlimited` where nothing is said. Of more than what it is guaranteed a
// group's application masters are told nothing, though they may get it (YARN's headroom under the Fair
// scheduler).
struct Limits {
  Count map_slots = unlimited;
  Count reduce_slots = unlimited;
};

// How the children of a group, jobs and groups, are ordered among themselves.
enum class Ordering : std::uint8_t {
  ranked,   // by their rank, lowest first
  fair,     // by what they hold against their Share: see there
  by_best,  // the children of child groups as if they were its own: users of a first-come queue
};

// What a child of a `fair` group may claim. Of the children those come first that hold less than their
// minimum, the least part of it first; then those that hold the least by weight. Parts are rounded down to
// 2^-20; equal ones go by order of admission [Hadoop's fair scheduler].
struct Share {
  Count minimum = 0;
  std::int64_t weight_thousandths = 1000;  // at least 1
};

// Where a task's input lies as seen from the node that runs it.
enum class Locality : std::uint8_t { node, rack, off_rack };

// Read-only; each call O(1).
class View {
 public:
  virtual ~View() = default;
  [[nodiscard]] virtual Time now() const = 0;
  [[nodiscard]] virtual const std::string& id(JobIndex job) const = 0;
  [[nodiscard]] virtual const std::string& queue(JobIndex job) const = 0;
  [[nodiscard]] virtual const std::string& user(JobIndex job) const = 0;
  [[nodiscard]] virtual Count pending(JobIndex job, Kind kind) const = 0;  // not started, ready or not
  [[nodiscard]] virtual Count held(JobIndex job, Kind kind, ClassId node_class) const = 0;
  // Whether it would start something now, were there room; with containers, whether it asks for one.
  [[nodiscard]] virtual bool wants(JobIndex job) const = 0;
  [[nodiscard]] virtual Resources used(GroupId group) const = 0;
  [[nodiscard]] virtual Resources capacity(ClassId node_class) const = 0;
  // Whether jobs have application masters that ask for containers.
  [[nodiscard]] virtual bool containers() const { return false; }
  // What the job's application master takes of Resources, MiB; 0 with slots.
  [[nodiscard]] virtual Count master(JobIndex) const { return 0; }
  [[nodiscard]] virtual Cores cores() const { return {}; }
  // What the least that is given out takes of Resources: a slot; with containers the smallest one, MiB.
  [[nodiscard]] virtual Count step() const { return 1; }
  [[nodiscard]] virtual Estimate estimate(JobIndex job, Kind kind, ClassId node_class) const = 0;
  [[nodiscard]] virtual std::size_t nodes() const = 0;    // 1 for a flat pool
  [[nodiscard]] virtual std::size_t classes() const = 0;  // of nodes; 1 for a flat pool
  [[nodiscard]] virtual ClassId node_class(NodeIndex node) const = 0;
};

// What a policy may decide; each is a change that stands until replaced. O(log jobs) each.
class Decisions {
 public:
  virtual ~Decisions() = default;
  // Creates or changes a group (queue, pool, user). Parents before children.
  virtual void group(GroupId group, GroupId parent, Limits guaranteed, Limits max) = 0;
  virtual void admit(JobIndex job, GroupId group) = 0;
  virtual void reject(JobIndex job, const std::string& reason) = 0;
  // Among the siblings of its group, lowest first; maps and reduces apart.
  virtual void rank(JobIndex job, Kind kind, Key key) = 0;
  virtual void rank_group(GroupId group, Kind kind, Key key) = 0;
  // Default: ranked. The Share of a child counts where its group's ordering is `fair`.
  virtual void order(GroupId group, Ordering ordering) = 0;
  virtual void share(JobIndex job, Kind kind, Share share) = 0;
  virtual void share_group(GroupId group, Kind kind, Share share) = 0;
  // At most `count` tasks of the kind at once; below what is held: drains. Of Kind::master: whether the job
  // may ask for its application master.
  virtual void cap(JobIndex job, Kind kind, ClassId node_class, Count count) = 0;
  virtual void reserve(JobIndex job, Kind kind, ClassId node_class, Count count, Time from, Time to) = 0;
  virtual void reclaim(JobIndex job, Kind kind, Count count, Duration grace) = 0;
  virtual void wake(Time at, Token token) = 0;
  virtual void explain(JobIndex job, const std::string& reason) = 0;  // feeds "why not now?"
};

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
  placement,  // a placer other than "any slot"
  node_classes,
};

struct Features {
  std::uint32_t bits = 0;
  [[nodiscard]] static constexpr Features of(Feature feature) {
    return {1U << static_cast<unsigned>(feature)};
  }
  [[nodiscard]] constexpr bool has(Feature feature) const { return (bits & of(feature).bits) != 0; }
  friend constexpr Features operator|(Features a, Features b) { return {a.bits | b.bits}; }
};

[[nodiscard]] std::string to_string(Feature feature);

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

// A node has a free slot of the kind.
struct Offer {
  NodeIndex node = 0;
  Kind kind = Kind::map;
  Time at{};
};

// A task that has not started, and how far it would be from its input on the node of the offer.
struct TaskChoice {
  JobIndex job = 0;
  std::uint32_t task = 0;
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

// Chooses the task that an offered slot takes; without a placer it is the closest of the best job. An
// implementer promises: to return a task that `closest` named or any other that has not started, of a job
// that `next` named, or to pass; to decide from events, candidates and the View alone. A pass holds until
// the node's next offer: its next heartbeat or, where assignment is instantaneous, the next event.
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
};

}  // namespace wavewright
