// Collects the diagnostics of one file. Each reason is reported once, with its first place and its number of
// occurrences, even if many lines of a damaged file share it.
#pragma once

#include <string>
#include <vector>

#include "wavewright/history/reader.h"

namespace wavewright {

[[nodiscard]] Diagnostic diagnosed(Diagnostic::Severity severity, const Position& where,
                                   const std::string& reason, const std::string& detail = {});

class Findings {
 public:
  // Keeps the `detail` of a reason's first occurrence. O(number of different reasons), which is small.
  void add(Diagnostic::Severity severity, const Position& where, const std::string& reason,
           const std::string& detail);
  void report(const DiagnosticSink& diagnostics) const;

 private:
  struct Finding {
    Diagnostic first;
    std::int64_t times = 1;
  };
  std::vector<Finding> findings_;
};

}  // namespace wavewright
