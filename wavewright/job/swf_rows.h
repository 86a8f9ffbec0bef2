// Reads the rows of an SWF table and drops the unusable ones, with a reason.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "wavewright/job/conversion_losses.h"
#include "wavewright/job/line_reader.h"
#include "wavewright/job/swf.h"

namespace wavewright {

// Negative = unknown. `processors`: allocated, else requested.
struct SwfRow {
  std::int64_t line = 0;
  std::int64_t number = 0, submit_ms = 0, run_ms = 0, processors = 0, status = 0;
  std::int64_t user = -1, executable = -1, queue = -1, preceding = -1;
  bool think_time = false;
};

struct SwfTable {
  std::vector<SwfRow> rows;  // numbers are unique
  DroppedRows dropped;
};

// `told_beside`: is the job in the sidecar? Its row then needs no run time and processors. O(bytes).
[[nodiscard]] SwfTable read_swf_rows(LineReader& lines, const SwfOptions& options,
                                     const std::function<bool(std::int64_t number)>& told_beside);

}  // namespace wavewright
