// Numbers that cannot be: found, repaired where that is sound, counted in `JobRun::quality_warnings`, never
// in silence.
//
// Repaired are two things only:
//   a finish that the winning attempt lacks and its task tells, for the task ends with its winner;
//   the clock of a node: tasks' ends are told by the job's master, attempts' (in Hadoop 1) by their node.
//   Where at least `least_witnesses` winning attempts of a node differ from their tasks' ends by the same
//   amount (each within `clock_slack` of the median), and by more than a heartbeat explains (before −1 s,
//   after +10 s), its instants are shifted by that amount, provided that all of them then lie within the
//   job's time.
// Everything else stays as told. What is impossible in it is left out of profiles by `SanityChecks`, the
// attempt and not the run.
#pragma once

#include <optional>

#include "wavewright/history/reader.h"
#include "wavewright/history/run.h"

namespace wavewright {

inline constexpr Duration clock_slack = ms(1'000);  // clocks that are kept agree better than this
inline constexpr std::size_t least_witnesses = 3;

// Repairs what can be, counts every kind of impossibility in `run.quality_warnings`, and gives one warning
// for each, with how often and where first. Counted besides the above: attempts, tasks or the job finishing
// before they start; phases out of order; winning attempts and application masters' starts outside their
// job's time; shuffles that ended before the last map did; in a run that succeeded also lost events (tasks or
// attempts without an end, winners without instants, tasks not as many as planned); volumes below 0 or above
// 2⁶⁰, which are dropped. Calling it again changes nothing but finds the repaired in order. O(attempts · log
// attempts).
void repair_impossible(JobRun& run, const DiagnosticSink& diagnostics);

// Which attempts' instants can be: told and in order, within the job's submission and finish, and no shuffle
// ended before the last map; all of it but for `clock_slack`. The run must outlive it.
class SanityChecks {
 public:
  explicit SanityChecks(const JobRun& run);
  [[nodiscard]] bool possible(const Attempt& attempt) const;
  [[nodiscard]] bool possible(const MasterRun& master) const;  // its start, if told
  // The end of the last winning map that is possible itself.
  [[nodiscard]] std::optional<Time> maps_done() const { return maps_done_; }

 private:
  [[nodiscard]] bool within(const Attempt& attempt) const;

  const JobRun* run_;
  std::optional<Time> maps_done_;
};

}  // namespace wavewright
