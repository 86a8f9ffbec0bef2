// Finds heartbeats in job histories. What is given out at heartbeats starts at their instants, so the time
// between two starts on a node (or of a job, if its master fetches its containers) is a number of periods.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "wavewright/history/run.h"

namespace wavewright::sim {

// Times between successive starts of maps and reduces, ms: on each node, or of each job.
[[nodiscard]] std::vector<double> gaps_on_nodes(std::span<const JobRun> runs);
[[nodiscard]] std::vector<double> gaps_of_jobs(std::span<const JobRun> runs);

// The period P from 50 ms to 60 s with the largest mean of cos(2π·gap / P) over gaps from P/2 to 10.5 P. If
// multiples up to the sixth reach 0.6 of that mean, the longest of them, because halves and thirds of a
// period are periods too. Empty if the mean is below 0.35 or might be luck (5 standard deviations of even
// noise), fewer than 30 gaps are in range, fewer than a tenth of them are about P, or fewer than a third are
// longer than 1.5 P: tasks of one length in a row would look the same. O(7,000 · gaps), of at most 5,000.
[[nodiscard]] std::optional<Duration> period_of(std::vector<double> gaps);

}  // namespace wavewright::sim
