// Admission of jobs with deadlines on a cluster with containers: maps, reduces and application masters share
// the nodes' memory. What realtime/admission.h does for slots [UNL §5.2].
//
// The memory that containers may take in all is sure_memory() of all sizes (container_packing.h): then each
// container that is granted finds a node, wherever the others are. Nobody chooses nodes. Where cores limit
// containers, they count as memory (cluster/container_room.h).
//
// The queue: jobs in some order. In that order each takes a container for its master, which it keeps until it
// is over, containers for its maps, and, once all its maps have ended, for its reduces. Free memory goes to
// the first job that lacks some; what it lacks, nobody behind it takes, also while it is too little for a
// container or while reduces wait for maps. A job whose needs cannot be met, for jobs behind it have masters,
// is passed over until they end. A grant stands until its container has ended.
//
// The promise: if no task takes longer than its bound, an accepted job ends at its estimate at the latest.
// The proof follows [UNL proofs 1–4], by induction over the containers in the order of the queue. Let a
// vector tell since when each MiB is available once a container and all before it in the queue are placed.
// The container takes what is available first: all it needs is there at the last of these times, and nobody
// behind it has it, for what it lacks is left to it. So it is granted then, or when its master is up or its
// maps have ended, if that is later. It ends by its bound. So its entries are replaced by something that is
// no later than what was estimated, and a vector that is below another stays below (memory_times.h). A master
// takes its memory from the vector first, and puts it back at its job's end, which keeps the order of
// vectors, too.
//
// If a master runs already, its memory may be free sooner than what jobs ahead of its own job lack. They take
// it then, and leave what they would have taken later. So it is put back not before the latest entry that any
// of them took: x in the place of y, which is no later than that, leaves the vector below. For masters that
// are yet to start this needs nothing: they start only when all that the jobs ahead lack is free.
//
// What is placed anew at any instant, with the bounds of what is granted, is so never later than it was
// promised. A new job may go before others if all of them, placed anew, are in time.
//
// From the grant of a container until others may have its memory, these waits are added to its task:
//  - its master asks for it at its next heartbeat, and fetches it at the next one after it was given. For a
//    reduce it asks a heartbeat later, as it decides on it after its call to YARN (sim/model/ramp_up.h);
//  - some node gives it within an interval H between reports (below);
//  - it is launched; and its end is reported at the node's next heartbeat.
// Let each node report once after it was asked for, without giving it. Behind its report the node has no room
// for it until the next one, as only reports make room. So when the last node has reported no node has room,
// which is impossible.
// This needs that a node gives at a report all it has room for, and that no node is kept for a job.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "wavewright/core/time.h"
#include "wavewright/realtime/containers/memory_times.h"
#include "wavewright/sched/event.h"

namespace wavewright {

struct ContainerWaits {
  Duration asks{};                     // between heartbeats of a master
  Duration heartbeat{};                // between reports of a node
  Duration launch{};                   // of a container
  Duration start{}, finish{}, stop{};  // of masters (cluster/cluster.h)

  // From the grant of a task's container, or from when its master is up, until its memory is free.
  [[nodiscard]] Duration of_task(Kind kind, Duration task) const {
    return (kind == Kind::reduce ? 2 : 1) * asks + heartbeat + of_given(task);
  }
  [[nodiscard]] Duration of_given(Duration task) const { return asks + launch + task + heartbeat; }
  // Of a master: until it is up.
  [[nodiscard]] Duration of_master() const { return heartbeat + launch + start; }
};

// An accepted job, or one that asks.
struct ContainerJob {
  Time deadline = Time::max();                                 // max: none
  Count master_memory = 0, map_memory = 0, reduce_memory = 0;  // MiB of each container
  Duration map{}, reduce{};                                    // no task takes longer
  Count maps = 0, reduces = 0;                                 // neither granted nor done
  std::optional<Time> up{};  // its master has been granted, and is up by then
  // Of granted containers: when their memory is free, at the latest.
  std::vector<Time> map_ends{}, reduce_ends{};

  [[nodiscard]] bool has_master() const { return up.has_value(); }
  // Memory that it needs at once, at least, besides what it has been granted.
  [[nodiscard]] Count needs() const;
};

// A cluster at an instant.
struct ContainerStanding {
  Time now{};
  Count memory = 0;                         // that containers may take in all
  std::vector<MemoryTimes::Step> others{};  // taken by others until then, at the latest
};

// For each job, in the order of the queue: it surely ends by then. Time::max() if it never does.
// O((tasks that are granted + jobs + rounds) · log of these), with the rounds of MemoryTimes::place().
[[nodiscard]] std::vector<Time> surely_ends(const ContainerStanding& standing,
                                            std::span<const ContainerJob* const> queue,
                                            const ContainerWaits& waits);

// A job that asks at `places`, one after another; at the first at which it and all others are in time it is
// accepted. What is referred to must outlive the call.
struct ContainerQuestion {
  const ContainerStanding& standing;           // with the job's sizes
  std::span<const ContainerJob* const> queue;  // in its order
  const ContainerStanding& without;            // without the job, also without its sizes
  const ContainerJob& job;
  std::span<const std::size_t> places;
  // A refusal names the earliest deadline with which it would have a place, this one or one behind it.
  std::size_t first_place = 0;
  bool by_deadline = false;  // each deadline has one place: jobs ahead are due no later, those behind later
  // Where a vector has more steps, all are first placed behind one with about a quarter as many.
  std::size_t exact_steps = 256;
};

// The answer to a question.
struct ContainerAnswer {
  std::optional<std::size_t> place{};  // in the queue where it and all others are in time; none: refused
  Time end{};  // accepted: no later. Refused: at the place where it was tried first; max: never
  std::optional<std::size_t> late{};        // refused: this job of the queue would be late; none: it itself
  std::optional<Time> earliest_deadline{};  // refused: it would be accepted; none: with none
};

// Who would be late without the job, too, does not count. O(places · cost of surely_ends). Mostly once or
// twice that cost: jobs ahead are placed once for places that are tried in order, jobs behind until one is
// late, and the queue without the job only until that one.
//
// Where thousands of tasks run, the vector has about as many steps, and jobs are placed behind it slowly. So
// let memory be available a little later, at one of few instants. All ends are then the same or later, as the
// vector stays above. If nobody is late there, nobody is: most jobs are accepted so. Only else the vector
// itself counts.
[[nodiscard]] ContainerAnswer ask_for_place(const ContainerQuestion& question, const ContainerWaits& waits);

}  // namespace wavewright
