// Workloads as the JSON traces of Hadoop: a job a line, in order of submission.
//
// A trace tells jobs that have run, so each job is laid out as if it had run alone with a slot for every
// task: maps start at its submission, reduces at the end of its last map, and each is as long as it is. A job
// whose id is not such as Hadoop takes (`job_1_0001`) is given one by its place; one without a queue is in
// `default`.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "wavewright/job/format_conversion.h"

namespace wavewright {

// As Rumen's LoggedJob. Bytes are spread evenly over tasks; of both shuffles of a reduce the first is told, a
// job that has later ones alone starts its reduces 1 ms behind its maps. Instants count from 1 s after 1970,
// as 0 stands for none in Rumen. Throws InputError where a job ends beyond the longest duration. O(tasks).
ExportReport write_rumen(std::ostream& out, const Workload& workload);

// As the Scheduler Load Simulator's job traces. A reduce's container lasts its shuffle and its reduce. Jobs
// without tasks are left out, and counted. Throws as write_rumen does. O(tasks).
ExportReport write_sls(std::ostream& out, const Workload& workload);

}  // namespace wavewright
