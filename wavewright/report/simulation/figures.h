// Formats and ratios of figures on the page of a simulated run.
#pragma once

#include <string>

#include "wavewright/report/simulation/view.h"

namespace wavewright::report {

inline constexpr double mib_per_gib = 1024;

// Did the job finish by its deadline? False without one.
[[nodiscard]] bool meets_deadline(const SimulationView& view, std::size_t job);

// Did or will the job miss its deadline? If the simulation was stopped, only deadlines that had passed count.
[[nodiscard]] bool misses_deadline(const SimulationView& view, std::size_t job);

[[nodiscard]] bool came_to_nothing(const TaskRecord& task);

// busy / (whole × time); 0 if nothing is offered.
[[nodiscard]] double share_of(double busy, double whole, double time);

}  // namespace wavewright::report
