// The events that are delivered to a policy: jobs, attempts, nodes, leases, and its own timers.
#pragma once

#include <cstdint>
#include <string_view>

#include "wavewright/core/time.h"

namespace wavewright {

enum class Kind : std::uint8_t { master, map, reduce };
[[nodiscard]] constexpr std::string_view name_of(Kind kind) {
  return kind == Kind::map ? "map" : kind == Kind::reduce ? "reduce" : "master";
}

inline constexpr Kind all_kinds[] = {Kind::master, Kind::map, Kind::reduce};

using JobIndex = std::uint32_t;   // position in the workload
using TaskIndex = std::uint32_t;  // position among the job's tasks of a kind
using GroupId = std::uint32_t;    // 0 = the root, which always exists and has no limits
using NodeIndex = std::uint32_t;
using SlotIndex = std::uint32_t;  // a slot, or a container's place, of a kind
using ClassId = std::uint32_t;    // node class; 0 = the first that the cluster file names
using LeaseId = std::uint32_t;    // one rented machine
using Token = std::uint64_t;      // chosen by the policy, returned by its timer

inline constexpr GroupId root_group = 0;
inline constexpr ClassId any_class = ~ClassId{0};  // all classes together

// `running`: the run was stopped before the attempt ended.
enum class AttemptOutcome : std::uint8_t { done, failed, lost, killed, running };
[[nodiscard]] std::string_view name_of(AttemptOutcome outcome);

struct Event {
  enum class What : std::uint8_t {
    arrived,    // the job was submitted
    ready,      // the job's reduces may start; with application masters: it asks for containers again
    started,    // an attempt took its slot or container
    ended,      // an attempt is done and its slot or container is free
    lost,       // an attempt failed, was killed or lost with its node; or a finished map's output is lost
    finished,   // the job is over: `outcome` is done or failed
    node_up,    // a node joined; `lease` is its lease, if it is rented
    node_down,  // a node left: failed, given back, or revoked
    // The market takes a rented node away in `duration`. Attempts go on there; none starts any more.
    node_notice,
    timer,  // `set_timer` of this policy
  };
  What what = What::arrived;
  Kind kind = Kind::map;
  AttemptOutcome outcome = AttemptOutcome::done;
  Time at{};
  JobIndex job = 0;
  TaskIndex task = 0;
  std::uint32_t attempt = 0;  // of the task, from 0
  NodeIndex node = 0;
  SlotIndex slot = 0;   // numbered as in View::occupant and the trace
  Duration duration{};  // of an ended attempt: from its start to `at`; of a notice: until the node leaves
  Token token = 0;
  LeaseId lease = no_lease;

  static constexpr LeaseId no_lease = ~LeaseId{0};
};

// A set of Event::What.
struct EventSet {
  std::uint32_t bits = 0;
  [[nodiscard]] static constexpr EventSet of(Event::What what) { return {1U << static_cast<unsigned>(what)}; }
  [[nodiscard]] constexpr bool has(Event::What what) const { return (bits & of(what).bits) != 0; }
  friend constexpr EventSet operator|(EventSet a, EventSet b) { return {a.bits | b.bits}; }
};
[[nodiscard]] constexpr EventSet operator|(Event::What a, Event::What b) {
  return EventSet::of(a) | EventSet::of(b);
}
[[nodiscard]] constexpr EventSet operator|(EventSet a, Event::What b) {
  return a | EventSet::of(b);
}

}  // namespace wavewright
