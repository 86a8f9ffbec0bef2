// Attempts in the reference engines of slots and of containers: how they are launched, read and fetch over
// the network, work, and which of them are slow. What holds them, and what their ends mean, is each engine's
// matter.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "wavewright/sim/reference/reference_launches.h"
#include "wavewright/sim/reference/reference_world.h"

namespace wavewright::sim {

struct ReferenceAttempt {
  Kind kind = Kind::map;
  JobIndex job = 0;
  std::uint32_t task = 0;
  NodeIndex node = 0;
  std::uint32_t slot = 0;   // its number, or its container's, among those of its kind
  std::uint32_t place = 0;  // on that, where tasks share it
  std::uint32_t attempt = 0;
  Time since{};
  Time launched{};
  Time end{};  // while it waits: not known
  bool waits =
      false;  // for its launch, or a reduce for its job's maps; a master at work; work that shares processors
  bool shares = false;  // processors: its launch, or its work
  bool works = false;   // and shares processors, so that its end is not known
  bool fails = false;
  bool second = false;  // its task has, or had, another attempt running
  Locality where = Locality::node;
  std::uint64_t from = 0, full = 0;  // its work, were it not to fail; 0 while it is not known
  std::size_t record = 0;            // in the trace
  ReferenceFlows::Id flow = 0;       // what it reads or fetches now
  std::uint64_t fetched = 0, asked = 0;

  // A map whose work may be done, but not its reading.
  [[nodiscard]] bool reads_on() const { return flow != 0 && !fails && !waits; }
};

class ReferenceAttempts : protected ReferenceWorld {
 protected:
  ReferenceAttempts(const Workload& workload, Policy& policy, const NodeModel& model);

  // Those that hold a slot, or a container and have not ended, by kind, then by number.
  [[nodiscard]] virtual std::vector<ReferenceAttempt*> running() = 0;
  // The attempt's end has just become known.
  virtual void end_is_known(ReferenceAttempt&) {}

  using ReferenceWorld::tell;
  void tell(Event::What what, const ReferenceAttempt& attempt, AttemptOutcome outcome = AttemptOutcome::done);

  [[nodiscard]] std::vector<ReferenceAttempt*> running(JobIndex index, Kind kind);
  // The task's other attempt; null where there is none.
  [[nodiscard]] ReferenceAttempt* twin_of(const ReferenceAttempt& attempt);

  void pass(Duration time);                                 // in which nothing happens
  [[nodiscard]] std::optional<Time> next_of_these() const;  // launch or transfer

  // Begins the attempt's record, and its launch at `at`.
  void begin(ReferenceAttempt& attempt, Time at);
  void launches();
  void transfers();
  void cancel(ReferenceAttempt& attempt);  // what it waits for
  // It is known when it can go to work.
  virtual void launched(ReferenceAttempt& attempt);
  void run(ReferenceAttempt& attempt, Time from, Duration own, Duration shuffle = {});
  void ends_at(ReferenceAttempt& attempt, Time end);
  // The job's maps are done: its reduces that waited go to work, or fetch the rest.
  void run_reduces(JobIndex index);
  // One more is done: there may be more to fetch.
  void fetch_more(JobIndex index);
  // The node's heartbeat at this instant brought or told something.
  void heartbeat(NodeIndex node);
  // How far the tasks may lie that share a slot or container with this one: with a placer no farther than it.
  [[nodiscard]] Locality at_most_beside(const ReferenceAttempt& first) const {
    return placer_ == nullptr ? Locality::off_rack : first.where;
  }
  // Slot time in use, out of the trace.
  void sum_up_slot_time();
  // It ends before its time.
  void count_stop(ReferenceAttempt& attempt, AttemptOutcome outcome);

  void mark_slow_tasks(Kind kind);

 private:
  void transferred(ReferenceAttempt& attempt);
  void fetch(ReferenceAttempt& attempt);

  void share_processors(ReferenceAttempt& attempt, Time at, std::uint64_t work);

  ReferenceLaunches launches_;
  std::map<ReferenceLaunches::Id, ReferenceAttempt*> sharing_;
  std::set<std::pair<Time, NodeIndex>> beats_;  // those counted
};

}  // namespace wavewright::sim
