// Reads job histories of Hadoop 0.23, 2.x and 3.x (`.jhist`).
//
// Line 1 is `Avro-Json` or `Avro-Binary`, line 2 the writer's schema. Events follow: one JSON object per
// line, or Avro binary datums back to back. A file has one job. A file that is cut off inside an event gives
// the events before it. In JSON a malformed line is skipped; in binary nothing after it can be found.
#pragma once

#include "wavewright/history/reader.h"

namespace wavewright::jhist {

class JhistReader : public HistoryReader {
 public:
  [[nodiscard]] std::string format() const override { return "Hadoop 2+ jhist"; }
  [[nodiscard]] bool accepts(std::string_view first_bytes) const override;
  void read(std::string_view bytes, const std::string& source, const RunSink& runs,
            const DiagnosticSink& diagnostics) const override;
};

}  // namespace wavewright::jhist
