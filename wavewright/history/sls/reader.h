// Reads job traces of the YARN Scheduler Load Simulator: one object per job with `job.tasks`, a container
// each.
//
// A task lasts `container.duration.ms` (older: `duration.ms`), or from `container.start.ms` to
// `container.end.ms`, as in Hadoop 3's TaskContainerDefinition; `count` makes equal tasks, `job.count` equal
// jobs. Instants count from the trace's start. Imputed: task ids and numbers (by order), one succeeded
// attempt per task, the job's success, a job's start of 0, the kind map. A map without a start starts with
// its job, a reduce at the end of the last map. Sizes (`container.memory-mb`, `am.memory-mb`) become the
// settings below, the largest where a job's maps or reduces differ; vcores are dropped with a warning. A
// trace made from a Rumen trace has one container per attempt: a task that failed once becomes two tasks
// here.
#pragma once

#include "wavewright/history/reader.h"

namespace wavewright::sls {

// Names of the settings that hold container sizes, in MiB.
inline constexpr const char* map_memory_setting = "mapreduce.map.memory.mb";
inline constexpr const char* reduce_memory_setting = "mapreduce.reduce.memory.mb";
inline constexpr const char* master_memory_setting = "yarn.app.mapreduce.am.resource.mb";

class TraceReader : public HistoryReader {
 public:
  [[nodiscard]] std::string format() const override { return "SLS trace"; }
  [[nodiscard]] bool accepts(std::string_view first_bytes) const override;
  void read(std::string_view bytes, const std::string& source, const RunSink& runs,
            const DiagnosticSink& diagnostics) const override;
};

}  // namespace wavewright::sls
