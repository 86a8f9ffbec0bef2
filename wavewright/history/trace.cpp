#include "wavewright/history/trace.h"

#include "wavewright/history/findings.h"
#include "wavewright/history/json_stream.h"

namespace wavewright {

void read_trace(std::string_view bytes, const std::string& source, const std::string& imputed,
                const std::function<bool(json::Value job, const Position& where)>& job,
                const DiagnosticSink& diagnostics) {
  using Severity = Diagnostic::Severity;
  Findings findings;
  JsonStream stream(bytes);
  json::Document document;
  std::string_view text;
  std::size_t kept = 0;
  while (stream.next(text)) {
    const Position where{source, 0, static_cast<std::int64_t>(stream.offset())};
    try {
      if (job(document.parse(text, source), where)) ++kept;
    } catch (const InputError& error) {
      findings.add(Severity::warning, where, "job dropped: " + error.problem(), error.remedy());
    }
  }
  const Position end{source, 0, static_cast<std::int64_t>(stream.offset())};
  if (stream.cut_off()) findings.add(Severity::warning, end, "cut off in the middle of a job", {});
  if (stream.saw_other()) findings.add(Severity::warning, {source}, "text between the jobs that is none", {});
  findings.report(diagnostics);
  if (kept == 0) {
    diagnostics(diagnosed(Severity::skipped, {source}, "trace without a job that can be read"));
  } else {
    diagnostics(diagnosed(Severity::note, {source}, "trace: jobs kept", std::to_string(kept)));
    diagnostics(diagnosed(Severity::note, {source}, imputed));
  }
}

}  // namespace wavewright
