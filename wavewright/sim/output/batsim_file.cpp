#include "wavewright/sim/output/batsim_file.h"

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <vector>

#include <fmt/format.h>

#include "wavewright/core/csv.h"
#include "wavewright/core/file.h"

namespace wavewright {

namespace {

std::string seconds(Duration duration) {
  const std::int64_t count = to_ms(duration);
  return fmt::format("{}.{:03}", count / 1000, count % 1000);
}

std::string seconds(Time instant) {
  return seconds(instant - Time{});
}

// `0-3 7`: Batsim's canonical form of a set of resources. Sorts the resources, which may have repeats.
std::string interval_set(std::vector<std::int64_t>& resources) {
  std::sort(resources.begin(), resources.end());
  std::string text;
  for (std::size_t i = 0; i < resources.size();) {
    const std::int64_t first = resources[i];
    std::int64_t last = first;
    for (++i; i < resources.size() && resources[i] <= last + 1; ++i) last = resources[i];
    if (!text.empty()) text += ' ';
    text += first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
  }
  return text;
}

// Containers have no slots: gives their nodes.
std::vector<std::vector<std::int64_t>> slots_by_job(const SimulationResult& result, SlotPool pool) {
  std::vector<std::vector<std::int64_t>> slots(result.jobs.size());
  for (const TaskRecord& task : result.trace) {
    slots[task.job].push_back(task.memory > 0          ? static_cast<std::int64_t>(task.node)
                              : task.kind == Kind::map ? task.slot
                                                       : pool.map_slots + task.slot);
  }
  return slots;
}

void write_row(std::ostream& out, const Job& job, const JobOutcome& outcome, const std::string& workload,
               std::vector<std::int64_t>& slots) {
  const std::string& profile = job.name.empty() ? job.id : job.name;
  out << fmt::format("{},{},{},{},{},-1,", csv_field(job.id), workload, csv_field(profile),
                     seconds(outcome.submit), std::max(job.maps.size(), job.reduces.size()));
  if (outcome.rejected) {
    out << "0,REJECTED,,,,,,,,,\"\"\n";
    return;
  }
  const Duration execution = outcome.finish - outcome.start;
  const Duration turnaround = outcome.finish - outcome.submit;
  const std::string stretch = execution > Duration{}
                                  ? fmt::format("{:.6f}", static_cast<double>(to_ms(turnaround)) /
                                                              static_cast<double>(to_ms(execution)))
                                  : std::string();
  const char* const state =
      outcome.failed || outcome.unfinished ? "0,COMPLETED_FAILED" : "1,COMPLETED_SUCCESSFULLY";
  out << fmt::format("{},{},{},{},{},{},{},{},,\"\"\n", state, seconds(outcome.start), seconds(execution),
                     seconds(outcome.finish), seconds(outcome.start - outcome.submit), seconds(turnaround),
                     stretch, interval_set(slots));
}

}  // namespace

void write_batsim_jobs(const std::filesystem::path& path, const SimulationResult& result,
                       const Workload& workload, SlotPool pool, const std::string& name) {
  std::vector<std::vector<std::int64_t>> slots = slots_by_job(result, pool);
  const std::string quoted_name = csv_field(name);
  write_file(path, [&](std::ostream& out) {
    out << "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,"
           "success,"
           "final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch,"
           "allocated_resources,consumed_energy,metadata\n";
    for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
      write_row(out, workload.jobs[i], result.jobs[i], quoted_name, slots[i]);
    }
  });
}

}  // namespace wavewright
