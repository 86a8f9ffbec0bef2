// Reads job traces of Rumen's TraceBuilder: LoggedJob objects one after another.
//
// A trace has less than the history it was made from: no counters of jobs, no hosts of a jhist's splits
// (those of a Hadoop 1 log stay), no end of the map function, no errors. Its map output is that before the
// combiner (mapOutputBytes) instead of what reduces fetch. Its `jobProperties` are the settings.
#pragma once

#include "wavewright/history/reader.h"

namespace wavewright::rumen {

class TraceReader : public HistoryReader {
 public:
  [[nodiscard]] std::string format() const override { return "Rumen trace"; }
  [[nodiscard]] bool accepts(std::string_view first_bytes) const override;
  void read(std::string_view bytes, const std::string& source, const RunSink& runs,
            const DiagnosticSink& diagnostics) const override;
};

}  // namespace wavewright::rumen
