// The schedule that the histories of a batch's jobs tell of: what ran when, as it was measured.
#pragma once

#include <optional>
#include <span>

#include "wavewright/history/run.h"
#include "wavewright/report/report.h"

namespace wavewright {

// `runs`: that of each job, in the order of the batch. Time 0 is the first submission. Its pool has the most
// attempts that ran at once, by kind; an attempt has the lowest slot that is free. Attempts without times,
// and the setup and cleanup tasks of Hadoop 1, are left out. Nothing if a run has no submission or no end, or
// if there are no runs. O(attempts · log attempts).
[[nodiscard]] std::optional<ReportSchedule> measured_schedule(std::span<const JobRun> runs);

}  // namespace wavewright
