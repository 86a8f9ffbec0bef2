#include "wavewright/history/findings.h"

#include <algorithm>

namespace wavewright {

Diagnostic diagnosed(Diagnostic::Severity severity, const Position& where, const std::string& reason,
                     const std::string& detail) {
  Diagnostic diagnostic;
  diagnostic.severity = severity;
  diagnostic.where = where;
  diagnostic.reason = reason;
  diagnostic.detail = detail;
  return diagnostic;
}

void Findings::add(Diagnostic::Severity severity, const Position& where, const std::string& reason,
                   const std::string& detail) {
  const auto known = std::find_if(findings_.begin(), findings_.end(),
                                  [&](const Finding& finding) { return finding.first.reason == reason; });
  if (known != findings_.end()) {
    ++known->times;
  } else {
    findings_.push_back({{severity, where, reason, detail}, 1});
  }
}

void Findings::report(const DiagnosticSink& diagnostics) const {
  for (const Finding& finding : findings_) {
    Diagnostic told = finding.first;
    if (finding.times > 1) {
      const std::string times = std::to_string(finding.times) + " times";
      told.detail = told.detail.empty() ? times : times + ", first: " + told.detail;
    }
    diagnostics(std::move(told));
  }
}

}  // namespace wavewright
