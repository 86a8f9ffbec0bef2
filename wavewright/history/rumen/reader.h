// Job traces as Rumen's TraceBuilder writes them: a LoggedJob object after another.
//
// A trace tells less than the history it was made of: no counters of jobs, no hosts of a jhist's
// splits (those of a Hadoop 1 log it keeps), no time at which a map function ended, no errors, the map output
// before its combiner (mapOutputBytes) instead of what reduces fetch. Its `jobProperties` give the settings.
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
