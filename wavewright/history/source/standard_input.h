// Standard input as a source of one history, such as `curl … | wavewright import -`.
#pragma once

#include "wavewright/history/source.h"

namespace wavewright {

class StandardInput : public HistorySource {
 public:
  explicit StandardInput(InterruptFlag interrupted) : interrupted_(interrupted) {}

  void list(const std::function<bool(HistoryFile&&)>& found,
            const DiagnosticSink& diagnostics) const override;
  [[nodiscard]] FileHistory read(const HistoryFile& listed) const override;

 private:
  InterruptFlag interrupted_;
};

}  // namespace wavewright
