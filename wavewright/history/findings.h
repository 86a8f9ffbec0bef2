// Diagnostics of one file, gathered: a reason is told once, with its first place and how often it occurred,
// however many lines of a damaged file share it.
#pragma once

#include <string>
#include <vector>

#include "wavewright/history/reader.h"

namespace wavewright {

[[nodiscard]] Diagnostic diagnosed(Diagnostic::Severity severity, const Position& where,
                                   const std::string& reason, const std::string& detail = {});

class Findings {
 public:
  // `detail` of the first of a reason is kept. O(number of different reasons), of which there are few.
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
