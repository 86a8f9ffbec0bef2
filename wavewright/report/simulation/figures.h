// Figures of a simulated run as its page writes them.
#pragma once

#include <string>

#include "wavewright/report/simulation/view.h"

namespace wavewright::report {

inline constexpr double joules_per_kwh = 3'600'000;
inline constexpr double mib_per_gib = 1024;

// At three digits, thousands apart: `0.0123`, `4.56`, `12,346`.
[[nodiscard]] std::string decimal_text(double value);

// Whether the job has a deadline and was done by then.
[[nodiscard]] bool meets_deadline(const SimulationView& view, std::size_t job);

// Whether it has one and will not be: of a simulation that was stopped, only what was too late by then.
[[nodiscard]] bool misses_deadline(const SimulationView& view, std::size_t job);

// The attempt failed, was lost or was killed.
[[nodiscard]] bool came_to_nothing(const TaskRecord& task);

// busy / (whole × time); 0 where nothing is offered.
[[nodiscard]] double share_of(double busy, double whole, double time);

}  // namespace wavewright::report
