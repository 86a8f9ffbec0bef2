// Workloads in other programs' formats, and what a conversion keeps, drops and imputes.
//
// text        first line `jobs map_slots reduce_slots`; a job is three lines: `submit maps reduces`, the
//             map durations, the reduce durations; integers in ms. Reading takes any white space.
// short-text  first line `jobs map_slots reduce_slots`; a job is one line `maps map_ms reduces reduce_ms`:
//             all tasks of a stage alike, submitted at 0.
// swim        tab-separated: id, submit s, gap s, map input, shuffle and reduce output bytes; no tasks and
//             no durations, so both are imputed (swim.h).
// swf         Standard Workload Format of the Parallel Workloads Archive, with a sidecar (swf.h).
// alibaba     `batch_task.csv` of Alibaba's cluster trace of 2018: graphs of tasks (alibaba.h).
// rumen, sls  Hadoop's JSON traces, read and written by history/trace_workload.h and history/trace_export.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/job/job.h"
#include "wavewright/job/workload_file.h"

namespace wavewright {

enum class WorkloadFormat : std::uint8_t { jsonl, text, short_text, swim, swf, alibaba, rumen, sls };

[[nodiscard]] std::string to_string(WorkloadFormat format);  // `jsonl`, `short-text`, …
[[nodiscard]] WorkloadFormat parse_workload_format(
    std::string_view);                              // throws UsageError with the nearest name
[[nodiscard]] std::string workload_format_names();  // `jsonl, text, …`, as parse_workload_format takes them

// By the first two lines that are not blank. JSON that is not one object a line looks like jsonl here: ask
// `trace_format` (history/trace_workload.h) first. Throws InputError when it is none of them.
[[nodiscard]] WorkloadFormat detect_format(const std::filesystem::path& path);

struct Conversion {
  Workload workload;
  Count map_slots = 0;  // of a text header; 0 = the format has none
  Count reduce_slots = 0;
  Count dropped_rows = 0;
  std::vector<std::string> kept;  // one sentence each
  std::vector<std::string> dropped;
  std::vector<std::string> imputed;
};

// What became of a workload that was written in another format; one sentence each.
struct ExportReport {
  std::vector<std::string> kept;
  std::vector<std::string> dropped;
  std::vector<std::string> imputed;
};

// Throw InputError with `file:line` on anything that is not such a file.
[[nodiscard]] Conversion read_text(const std::filesystem::path& path);
[[nodiscard]] Conversion read_short_text(const std::filesystem::path& path);

// Jobs in order of submission. The formats know durations and submission only; what else the workload has
// is named in the result, nothing is dropped in silence. `short-text` takes the mean duration of a stage
// where its tasks differ.
struct TextWriter {
  Count map_slots = 1;
  Count reduce_slots = 1;
};
std::vector<std::string> write_text(std::ostream& out, const Workload& workload, TextWriter header);
std::vector<std::string> write_short_text(std::ostream& out, const Workload& workload, TextWriter header);

}  // namespace wavewright
