// Reports to test with: a batch of drawn jobs, scheduled by the plainest list scheduler there is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wavewright/job/job.h"
#include "wavewright/report/report.h"

namespace wavewright::sample {

// `jobs` jobs of about `tasks_per_job` tasks each, with names of a few applications.
[[nodiscard]] Workload workload(std::size_t jobs, std::size_t tasks_per_job, std::uint64_t seed = 1);

// Jobs in the order given; each task goes to the slot that is free first.
[[nodiscard]] SimulationResult schedule(const Workload& batch, SlotPool pool,
                                        const std::vector<std::size_t>& order);

// Submission order and Johnson's order of the batch, with a fluid lower bound; no profiles or predictions.
[[nodiscard]] ReportData report(const Workload& batch, SlotPool pool);

// A profile and a prediction for each job name and job of the report, made up from its durations.
void add_history(ReportData& data, const Workload& batch);

[[nodiscard]] std::string html(const ReportData& data);

}  // namespace wavewright::sample
