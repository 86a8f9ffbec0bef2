// A schedule as a picture: who holds which slots when.
#pragma once

#include <cstdint>
#include <string>

#include "wavewright/report/analysis.h"

namespace wavewright::report {

// How much a Gantt chart of one kind of slot can show, by its size.
enum class GanttForm : std::uint8_t {
  tasks,  // a row a slot, a box a task
  runs,   // a row a slot, neighbouring tasks of a job as one
  stack,  // a band a job, as high as the slots that it holds
};

inline constexpr Count gantt_rows_limit = 64;              // more slots than that: stack
inline constexpr std::size_t gantt_tasks_limit = 4000;     // more tasks of a schedule than that: runs
inline constexpr std::size_t gantt_shapes_limit = 20'000;  // per panel; columns are halved until it holds

[[nodiscard]] GanttForm gantt_form(Count slots, std::size_t tasks);

// The chart of one schedule: map slots above reduce slots on the time axis of the report, the lower bound
// and the end drawn in, what it gains over the first schedule written into the room that it leaves.
[[nodiscard]] std::string gantt_chart(const Analysis& analysis, std::size_t schedule);

// What the colours mean.
[[nodiscard]] std::string gantt_legend(const Analysis& analysis);

}  // namespace wavewright::report
