// Reads job traces of the YARN Scheduler Load Simulator: one object per job with `job.tasks`, a container
// each.
//
// A task has `container.start.ms` and `container.end.ms`, or (Hadoop 3) `container.duration.ms` and a `count`
// of equal tasks; a job may have a `job.count`. Instants count from the trace's start. Imputed: task ids and
// numbers (by order), one succeeded attempt per task, the job's success. A task without a start starts with
// its job, if it has a duration. A trace made from a Rumen trace has one container per attempt: a task that
// failed once becomes two tasks here.
#pragma once

#include "wavewright/history/reader.h"

namespace wavewright::sls {

class TraceReader : public HistoryReader {
 public:
  [[nodiscard]] std::string format() const override { return "SLS trace"; }
  [[nodiscard]] bool accepts(std::string_view first_bytes) const override;
  void read(std::string_view bytes, const std::string& source, const RunSink& runs,
            const DiagnosticSink& diagnostics) const override;
};

}  // namespace wavewright::sls
