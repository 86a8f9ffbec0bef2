// Attempts in the reference engines: launch, network reads and fetches, work, and which of them are slow.
// Each engine decides what holds an attempt and what its end means.
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
  std::uint32_t slot = 0;   // number of its slot or container among those of its kind
  std::uint32_t place = 0;  // place on it, if tasks share it
  std::uint32_t attempt = 0;
  Time since{};
  Time launched{};
  Time end{};           // not known while it waits
  bool waits = false;   // for its launch, its job's maps, or shared work to end; a master at work
  bool shares = false;  // processors, for its launch or its work
  bool works = false;   // and shares processors: its end is not known
  bool fails = false;
  bool second = false;  // it is the second attempt of its task
  Locality where = Locality::node;
  std::uint64_t from = 0, full = 0;  // start and end of its work if it did not fail, ms; 0 = not known
  std::size_t record = 0;            // index in the trace
  ReferenceFlows::Id flow = 0;       // its current read or fetch; 0 = none
  std::uint64_t fetched = 0, asked = 0;

  // True for a map that still reads; its work may be done.
  [[nodiscard]] bool reads_on() const { return flow != 0 && !fails && !waits; }
};

class ReferenceAttempts : protected ReferenceWorld {
 protected:
  ReferenceAttempts(const Workload& workload, Policy& policy, const NodeModel& model);

  // Attempts that hold a slot, or a container and have not ended, by kind, then by number.
  [[nodiscard]] virtual std::vector<ReferenceAttempt*> running() = 0;
  // Called when the attempt's end becomes known.
  virtual void end_is_known(ReferenceAttempt&) {}

  using ReferenceWorld::tell;
  void tell(Event::What what, const ReferenceAttempt& attempt, AttemptOutcome outcome = AttemptOutcome::done);

  [[nodiscard]] std::vector<ReferenceAttempt*> running(JobIndex index, Kind kind);
  // The task's other attempt; null if there is none.
  [[nodiscard]] ReferenceAttempt* twin_of(const ReferenceAttempt& attempt);

  void pass(Duration time);                                 // nothing happens in this time
  [[nodiscard]] std::optional<Time> next_of_these() const;  // the next launch or transfer

  void submitted() override;
  // Begins the attempt's record, and its launch at `at`.
  void begin(ReferenceAttempt& attempt, Time at);
  void launches();
  void transfers();
  void cancel(ReferenceAttempt& attempt);  // its launch, shared work and transfer
  // Called when the end of the launch is known.
  virtual void launched(ReferenceAttempt& attempt);
  void run(ReferenceAttempt& attempt, Time from, Duration own, Duration shuffle = {});
  void ends_at(ReferenceAttempt& attempt, Time end);
  // Call when the job's maps are done: waiting reduces work, or fetch the rest.
  void run_reduces(JobIndex index);
  // Call when one more map is done: there may be more to fetch.
  void fetch_more(JobIndex index);
  // Counts the node's heartbeat at this instant, once: it assigned a task or reported an end.
  void heartbeat(NodeIndex node);
  // Locality limit of tasks that share a slot or container with this one: with a placer no farther than it.
  [[nodiscard]] Locality at_most_beside(const ReferenceAttempt& first) const {
    return placer_ == nullptr ? Locality::off_rack : first.where;
  }
  // Sums slot time in use from the trace.
  void sum_up_slot_time();
  // Counts and records an attempt that is stopped.
  void count_stop(ReferenceAttempt& attempt, AttemptOutcome outcome);

  void mark_slow_tasks(Kind kind);

 private:
  void transferred(ReferenceAttempt& attempt);
  void fetch(ReferenceAttempt& attempt);

  void share_processors(ReferenceAttempt& attempt, Time at, std::uint64_t work);

  ReferenceLaunches launches_;
  std::map<ReferenceLaunches::Id, ReferenceAttempt*> sharing_;
  std::set<std::pair<Time, NodeIndex>> beats_;  // heartbeats counted
};

}  // namespace wavewright::sim
