// Finds impossible numbers in a run, repairs them where that is sound, and counts all in
// `JobRun::quality_warnings`.
//
// Two repairs are made:
// - A winning attempt without finish gets its task's finish, as a task ends with its winner.
// - A node's clock is shifted. Tasks' ends come from the job's master, attempts' ends (in Hadoop 1) from
//   their node. The shift needs at least `least_witnesses` winning attempts of the node whose ends differ
//   from their tasks' by the same amount (each within `clock_slack` of the median). The amount must exceed
//   what heartbeats explain (before −1 s, after +10 s). All instants of the node must then lie within the
//   job's time.
// Everything else stays. Profiles leave out attempts with impossible instants (`SanityChecks`), not whole
// runs.
#pragma once

#include <optional>

#include "wavewright/history/reader.h"
#include "wavewright/history/run.h"

namespace wavewright {

inline constexpr Duration clock_slack = ms(1'000);  // synchronised clocks agree better than this
inline constexpr std::size_t least_witnesses = 3;

// Repairs what it can, counts each kind of impossibility in `run.quality_warnings`, and gives one warning per
// kind with its number and first place. Also counted: attempts, tasks or the job finishing before they start;
// phases out of order; winning attempts and starts of application masters outside the job's time; shuffles
// that ended before the last map. In a run that succeeded also: lost events (tasks or attempts without an
// end, winners without instants, another number of tasks than planned). Volumes below 0 or above 2⁶⁰ are
// counted and dropped. A second call changes nothing and does not warn of repaired ones.
// O(attempts · log attempts).
void repair_impossible(JobRun& run, const DiagnosticSink& diagnostics);

// Checks the instants of attempts: present and in order, within the job's submission and finish, no shuffle
// ended before the last map; all with a tolerance of `clock_slack`. The run must outlive it.
class SanityChecks {
 public:
  explicit SanityChecks(const JobRun& run);
  [[nodiscard]] bool possible(const Attempt& attempt) const;
  [[nodiscard]] bool possible(const MasterRun& master) const;  // its start, if present
  // End of the last winning map with possible instants.
  [[nodiscard]] std::optional<Time> maps_done() const { return maps_done_; }

 private:
  [[nodiscard]] bool within(const Attempt& attempt) const;

  const JobRun* run_;
  std::optional<Time> maps_done_;
};

}  // namespace wavewright
