#include "wavewright/history/hadoop1/reader.h"

#include <algorithm>

#include "wavewright/history/findings.h"
#include "wavewright/history/hadoop1/apply.h"

namespace wavewright::hadoop1 {

namespace {

using Severity = Diagnostic::Severity;

// Line numbers of increasing offsets; counts each part of the log once.
class LineCounter {
 public:
  explicit LineCounter(std::string_view log) : log_(log) {}

  std::int64_t at(std::size_t offset) {
    line_ += std::count(log_.begin() + static_cast<std::ptrdiff_t>(counted_),
                        log_.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
    counted_ = offset;
    return line_;
  }

 private:
  std::string_view log_;
  std::size_t counted_ = 0;
  std::int64_t line_ = 1;
};

// True if the log ends inside a record.
bool read_records(std::string_view log, const std::string& source, RunBuilder& builder, Findings& findings) {
  RecordScanner scanner(log);
  LineCounter lines(log);
  Record record;
  const auto here = [&] { return Position{source, lines.at(scanner.offset())}; };
  const auto lose = [&](const std::string& reason) {
    builder.lost_record(reason);
    findings.add(Severity::warning, here(), reason, {});
  };
  for (;;) {
    switch (scanner.next(record)) {
      case Taken::end:
        return false;
      case Taken::cut_off:
        lose("cut off in the middle of a record");
        return true;
      case Taken::unreadable:
        lose("record that cannot be read");
        break;
      case Taken::too_long:
        lose("record longer than 64 MiB, or of more than 10,000 fields");
        break;
      case Taken::record:
        switch (apply(record, builder)) {
          case Applied::yes:
            break;
          case Applied::unknown_record:
            findings.add(Severity::note, here(), "records of an unknown kind", {});
            break;
          case Applied::bad_counters:
            lose("counters that cannot be read");
            break;
        }
    }
  }
}

}  // namespace

bool LogReader::accepts(std::string_view first_bytes) const {
  return first_bytes.starts_with("Meta VERSION=\"") || first_bytes.starts_with("Job JOBID=\"");
}

void LogReader::read(std::string_view bytes, const std::string& source, const RunSink& runs,
                     const DiagnosticSink& diagnostics) const {
  RunBuilder builder;
  builder.run.hadoop = "1.x log";
  Findings findings;
  const bool cut_off = read_records(bytes, source, builder, findings);
  findings.report(diagnostics);
  if (!builder.has_job()) {
    diagnostics(diagnosed(Severity::skipped, {source}, "no record that names a job"));
    return;
  }
  if (builder.run.state == RunState::unknown && !cut_off) {
    diagnostics(diagnosed(Severity::warning, {source}, "history ends before its job does"));
  }
  hand_over(std::move(builder), source, runs, diagnostics);
}

}  // namespace wavewright::hadoop1
