// Job traces of the YARN Scheduler Load Simulator: an object a job with `job.tasks`, each with its container.
//
// A task tells `container.start.ms` and `container.end.ms`, or (Hadoop 3) `container.duration.ms` and a
// `count` of equal tasks; the same goes for a job with `job.count`. Instants count from the trace's own
// beginning. Imputed: task ids and numbers (order in the trace), one succeeded attempt a task, a job that
// succeeded; a task without a start starts with its job, and only where it tells a duration. A
// trace made of a Rumen trace has a container for each attempt: a task that failed once is two tasks here.
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
