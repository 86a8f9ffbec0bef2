// The report's data checked and looked at from the sides that several sections need.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wavewright/report/report.h"

namespace wavewright::report {

struct ScheduleView {
  std::string label;
  const SimulationResult* result = nullptr;
  std::vector<TaskRecord> maps;  // by slot, then start
  std::vector<TaskRecord> reduces;
  std::vector<std::optional<Time>> first_start;  // of each job; absent where it has no tasks
};

struct Analysis {
  const ReportData* data = nullptr;
  std::vector<ScheduleView> schedules;
  Duration horizon{};  // end of the time axis that all charts share: the latest makespan, or the bound

  [[nodiscard]] const std::vector<ReportJob>& jobs() const { return data->jobs; }
  [[nodiscard]] bool has_bound() const { return data->makespan_bound > Duration{}; }
  [[nodiscard]] bool compares() const { return schedules.size() > 1; }
  // The schedule that the report is about: the second, or the only one. At least one schedule.
  [[nodiscard]] const ScheduleView& subject() const { return schedules[compares() ? 1 : 0]; }
};

// Tasks sorted for charts. `of`, with trace, must outlive the result. O(tasks · log tasks).
[[nodiscard]] ScheduleView view_of(std::string label, const SimulationResult& of);

// Throws InternalError as write_report says. `data` must outlive the result.
[[nodiscard]] Analysis analyse(const ReportData& data);

// (makespan − bound) / bound.
[[nodiscard]] double gap(const Analysis& analysis, const ScheduleView& schedule);

// How much later the job finishes in `changed` than in `base`; negative = sooner; absent when either
// rejected it.
[[nodiscard]] std::optional<Duration> finish_change(const ScheduleView& changed, const ScheduleView& base,
                                                    std::size_t job);

}  // namespace wavewright::report
