// --spread and --job-spread: how much task lengths vary, the same for `plan`, `simulate` and `sweep`.
#pragma once

#include <string>

#include <CLI/App.hpp>

#include "apps/context.h"
#include "wavewright/job/sampled.h"

namespace wavewright::app {

// `10%` or `0.1`; values above 1 only as percent; 0 for an empty text. Throws UsageError with `flag` for
// anything else and for negative values.
[[nodiscard]] double parse_share(const std::string& text, const char* flag);
// The same for a part of a whole: at most 1.
[[nodiscard]] double parse_part(const std::string& text, const char* flag);

// `task lengths drawn with a spread of 10.0 % a task` as a line; empty if nothing varies.
[[nodiscard]] std::string spread_text(const LengthSpread& spread);
// Adds the members `spread` and `job_spread`, unless nothing varies.
void add_spread(Json& document, const LengthSpread& spread);

class SpreadOptions {
 public:
  // `what_for`: ends the help of --spread.
  void declare(CLI::App& command, const std::string& what_for);

  [[nodiscard]] bool given() const { return !tasks_.empty() || !jobs_.empty(); }
  // Throws UsageError for what is no share, or out of range.
  [[nodiscard]] LengthSpread spread() const;

 private:
  std::string tasks_, jobs_;  // empty = not given
};

}  // namespace wavewright::app
