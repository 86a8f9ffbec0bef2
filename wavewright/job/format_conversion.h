// Converts workloads from and to formats of other programs; reports what is kept, dropped and imputed.
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
// synth       distributions of jobs for Hadoop's load simulator, drawn by the file's seed
//             (history/sls/synthetic.h); read only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/job/job.h"
#include "wavewright/job/validator.h"
#include "wavewright/job/workload_file.h"

namespace wavewright {

enum class WorkloadFormat : std::uint8_t { jsonl, text, short_text, swim, swf, alibaba, rumen, sls, synth };

[[nodiscard]] std::string to_string(WorkloadFormat format);  // `jsonl`, `short-text`, …
[[nodiscard]] WorkloadFormat parse_workload_format(
    std::string_view);                              // throws UsageError with the nearest name
[[nodiscard]] std::string workload_format_names();  // `jsonl, text, …`, as parse_workload_format takes them

// Looks at the first two lines that are not blank. JSON that is not one object per line is taken for jsonl
// here: ask `trace_format` (history/trace_workload.h) first. Throws InputError if it is no known format.
[[nodiscard]] WorkloadFormat detect_format(const std::filesystem::path& path);

struct Conversion {
  Workload workload;
  Count map_slots = 0;  // from a text header; 0 = the format has none
  Count reduce_slots = 0;
  Count dropped_rows = 0;
  std::vector<std::string> kept;  // one sentence each
  std::vector<std::string> dropped;
  std::vector<std::string> imputed;
};

// Result of writing a workload in another format; one sentence each.
struct ExportReport {
  std::vector<std::string> kept;
  std::vector<std::string> dropped;
  std::vector<std::string> imputed;
};

// Both throw InputError with `file:line` if the file is malformed, or a short text, of which a few bytes may
// ask for any number, has more than `most` tasks.
[[nodiscard]] Conversion read_text(const std::filesystem::path& path);
[[nodiscard]] Conversion read_short_text(const std::filesystem::path& path, Count most = most_tasks());

// Write jobs in order of submission and return what is lost, one sentence each: the formats hold durations
// and submissions only. `short-text` writes a stage's mean duration if its tasks differ.
struct TextWriter {
  Count map_slots = 1;
  Count reduce_slots = 1;
};
std::vector<std::string> write_text(std::ostream& out, const Workload& workload, TextWriter header);
std::vector<std::string> write_short_text(std::ostream& out, const Workload& workload, TextWriter header);

}  // namespace wavewright
