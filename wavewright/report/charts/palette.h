// Colours of jobs: a job has the same colour in every chart, in light and dark mode. Neighbouring colours are
// distinct for the colour-blind.
#pragma once

#include <cstddef>
#include <string>

namespace wavewright::report {

// Up to this many jobs have their own colours (Paul Tol's `muted` scheme and a grey). More jobs are coloured
// by a scale from first to last submitted (after Crameri's `batlow`).
inline constexpr std::size_t distinct_jobs = 10;
inline constexpr std::size_t scale_steps = 32;

// CSS class of a job's fill: `c0` … or `s0` ….
[[nodiscard]] std::string job_class(std::size_t job, std::size_t jobs);

// CSS rules of these classes for both colour schemes: `.c3{--job:#…}`.
[[nodiscard]] std::string palette_css();

}  // namespace wavewright::report
