// Findings that tell how far a job's profile can be trusted: in five severities, each with the value found
// and the threshold that it passed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wavewright/history/run.h"
#include "wavewright/profile/changes.h"
#include "wavewright/profile/run_phases.h"

namespace wavewright {

enum class Severity : std::uint8_t { none, low, moderate, severe, critical };
[[nodiscard]] std::string to_string(Severity severity);

struct ProfileFinding {
  std::string code;  // `OutlierRun`
  Severity severity = Severity::none;
  double value = 0;
  double threshold = 0;  // of its severity; of `low` if the severity is none
  std::string text;
  std::string advice;  // empty = nothing to do
};

// Ascending: the least values of low, moderate, severe, critical.
using Thresholds = std::array<double, 4>;
[[nodiscard]] Severity severity_of(double value, const Thresholds& thresholds);

// Appends the finding with its severity and threshold, unless the severity is none.
void add_finding(std::vector<ProfileFinding>& findings, const Thresholds& thresholds, ProfileFinding finding);

// | code | value | low, moderate, severe, critical |
//   FewRuns      8 / successful runs                                               1, 1.6, 2.7, 8
//   Unstable     relative deviation of the runs' mean lengths, the worst phase      0.1, 0.2, 0.4, 0.8
//   OutlierRun   mean length of a phase over the job's median, or its inverse       1.25, 1.5, 2, 4
//   Skew         longest over median task, as the median over the runs              2, 4, 8, 16
//   FailedRuns   share of runs that failed                                          0.05, 0.1, 0.25, 0.5
//   Doubts       impossible events per attempt                                      0.001, 0.01, 0.05, 0.2
//   Changed      length after the last change over that before, or its inverse      1.1, 1.25, 1.5, 2
// An outlier run lies beyond 3.5 robust deviations of the logarithms (profile/robust.h); at least five runs
// are needed. FailedRuns and Doubts cover all runs, the others successful ones. Severity none is left out.
[[nodiscard]] std::vector<ProfileFinding> run_findings(std::span<const RunPhases> runs,
                                                       std::span<const Change> changes);

//   SlowNode     median length on a node over that on the others, each task over the median of its run,
//                if a rank test over all nodes gives at most 1 %                    1.2, 1.5, 2, 4
//   Straggler    a task's length over the median of its run, beyond 3.5 robust deviations  2, 4, 8, 16
//   DataSkew, MachineSkew   as Skew, by whether lengths follow the tasks' bytes (rank correlation of at least
//                0.6 within runs); if the tasks have bytes                           2, 4, 8, 16
[[nodiscard]] std::vector<ProfileFinding> task_findings(std::span<const JobRun> runs);

// Age of the newest run compared with the interval between runs.
struct Freshness {
  std::optional<Time> newest;             // submission of the newest run
  std::optional<Duration> age;            // of the newest run, in whole days: the same all day long
  std::optional<Duration> interval;       // median between submissions, with at least three runs
  std::optional<ProfileFinding> finding;  // Stale: age / interval above 3, 7, 14, 30
};
[[nodiscard]] Freshness freshness_of(std::span<const RunPhases> runs, Time now);

}  // namespace wavewright
