// Reads synthetic workloads of Hadoop's Scheduler Load Simulator (`--tracetype=SYNTH`): distributions of
// jobs, drawn by the file's own `rand_seed`.
//
// A job picks a workload, a bucket of that workload's `time_distribution` and a job class, each by weight.
// Both forms of a class are read: `mtasks_avg`, … and (Hadoop 3.1) `tasks` of samples. A sample is a value, a
// distribution by mean and deviation (lognormal, or `"dist": "NORM"`, redrawn until positive) or a weighted
// list. A deviation of 0 is a sixth of the mean, as in Hadoop's SynthUtils. Times are in seconds, as the
// format says; drawn ones are rounded to ms, counts and MiB to whole ones. The distributions are Hadoop's,
// the draws are not: its generator's bits are Java's.
#pragma once

#include <string>
#include <string_view>

#include "wavewright/job/format_conversion.h"

namespace wavewright::sls {

// True for a synthetic workload, by the first bytes of its file.
[[nodiscard]] bool is_synthetic(std::string_view first_bytes);

// Jobs in order of submission, named CLASS_000000, …; equal bytes give an equal workload on every machine. A
// job has a deadline with the probability of its reservation. Throws InputError for a file that is no such
// workload and for more than `most_tasks()` tasks. O(tasks + jobs · log jobs).
[[nodiscard]] Conversion read_synthetic(std::string_view bytes, const std::string& source);

}  // namespace wavewright::sls
