// Writes workloads as JSON traces of Hadoop: one job per line, in order of submission.
//
// A trace describes jobs that have run. So each job is laid out as if it had run alone with a slot for every
// task: maps start at its submission, reduces at the end of its last map. A job whose id does not have
// Hadoop's form (`job_1_0001`) gets one by its position; one without queue is in `default`.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "wavewright/job/format_conversion.h"

namespace wavewright {

// Writes Rumen's LoggedJob. Bytes are spread evenly over tasks. If a reduce has both shuffles, the first-wave
// one is written; a job with later-wave ones only starts its reduces 1 ms after its maps. Instants count from
// 1 s after 1970, as 0 means none in Rumen. Throws InputError if a job ends beyond the longest duration.
// O(tasks).
ExportReport write_rumen(std::ostream& out, const Workload& workload);

// Writes job traces of the Scheduler Load Simulator. A reduce's container lasts for its shuffle and its
// reduce phase. Jobs without tasks are left out, and counted. Throws as write_rumen does. O(tasks).
ExportReport write_sls(std::ostream& out, const Workload& workload);

}  // namespace wavewright
