// Reads job history logs of Hadoop 0.20 and 1.x: `Meta VERSION="1" .`, then one record per event.
#pragma once

#include "wavewright/history/reader.h"

namespace wavewright::hadoop1 {

class LogReader : public HistoryReader {
 public:
  [[nodiscard]] std::string format() const override { return "Hadoop 1 log"; }
  [[nodiscard]] bool accepts(std::string_view first_bytes) const override;
  void read(std::string_view bytes, const std::string& source, const RunSink& runs,
            const DiagnosticSink& diagnostics) const override;
};

}  // namespace wavewright::hadoop1
