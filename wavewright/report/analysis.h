// Checks the report's data and derives what several sections need.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wavewright/report/report.h"

namespace wavewright::report {

struct ScheduleView {
  std::string label;
  std::string note;
  const SimulationResult* result = nullptr;
  SlotPool pool;
  std::vector<TaskRecord> maps;  // by slot, then start
  std::vector<TaskRecord> reduces;
  std::vector<std::optional<Time>> first_start;  // by job; absent without tasks
};

struct Analysis {
  const ReportData* data = nullptr;
  std::vector<ScheduleView> schedules;
  Duration horizon{};  // end of the time axis of all charts: the latest makespan, or the bound

  [[nodiscard]] const std::vector<ReportJob>& jobs() const { return data->jobs; }
  [[nodiscard]] bool has_bound() const { return data->makespan_bound > Duration{}; }
  [[nodiscard]] bool compares() const { return schedules.size() > 1; }
  // Did the schedule run on the report's slots?
  [[nodiscard]] bool same_slots(const ScheduleView& view) const { return view.pool == data->pool; }
  // The schedule in focus: the second, or the only one. Needs at least one schedule.
  [[nodiscard]] const ScheduleView& subject() const { return schedules[compares() ? 1 : 0]; }
};

// Sorts tasks for charts. `of` needs a trace and must outlive the result. O(tasks · log tasks).
[[nodiscard]] ScheduleView view_of(std::string label, const SimulationResult& of);

// Throws InternalError as write_report does. `data` must outlive the result.
[[nodiscard]] Analysis analyse(const ReportData& data);

// (makespan − bound) / bound.
[[nodiscard]] double gap(const Analysis& analysis, const ScheduleView& schedule);

// Jobs of the schedule that end after their deadlines or not at all; of those with a deadline.
struct Deadlines {
  Count missed = 0, all = 0;
  std::optional<std::size_t> latest;  // the job that ends the longest time after its deadline
  Duration by{};
};
[[nodiscard]] Deadlines deadlines_of(const Analysis& analysis, const ScheduleView& schedule);

// CSS class of the schedule's colour, by its place: `p0` ….
[[nodiscard]] std::string schedule_class(std::size_t place);

// Delay of the job's finish from `base` to `changed`; negative = sooner; absent if either rejected it.
[[nodiscard]] std::optional<Duration> finish_change(const ScheduleView& changed, const ScheduleView& base,
                                                    std::size_t job);

}  // namespace wavewright::report
