// Standard input as a source of one history, such as `curl … | wavewright import -`.
#pragma once

#include "wavewright/history/source.h"

namespace wavewright {

class StandardInput : public HistorySource {
 public:
  void list(const std::function<bool(HistoryFile&&)>& found,
            const DiagnosticSink& diagnostics) const override;
  [[nodiscard]] FileHistory read(const HistoryFile& listed) const override;
};

}  // namespace wavewright
