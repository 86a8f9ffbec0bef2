// The history reader contract: bytes in; runs out, one at a time; a diagnostic for everything skipped.
//
// An implementer promises:
//  - to recognise its format from the first bytes alone (`accepts`), without the file's name;
//  - to decode by the schema in the file if there is one, not by a fixed one;
//  - to call `runs` for each job it could read, and `diagnostics` at least once for input without a job;
//  - never to throw for bad input: a truncated file gives the job so far, with a warning, or a reason;
//  - to use memory in proportion to the input, whatever its length fields say;
//  - to touch nothing but its input: no logging, no global state; one reader object serves many threads.
// To add a format, see docs/develop/add-a-reader.md.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/core/error.h"
#include "wavewright/history/run.h"

namespace wavewright {

// Above the length of any line (or record) of Hadoop: the longest, a job's end with its counters, has some
// hundred kB. Decoding holds several copies of a line, so a longer one is refused unread.
inline constexpr std::size_t longest_line = std::size_t{64} << 20;

struct Diagnostic {
  enum class Severity { note, warning, skipped };  // skipped: the file (or record) gave nothing
  Severity severity = Severity::skipped;
  Position where;
  std::string reason;  // the same for equal cases: without names or numbers of this file
  std::string detail;  // the particulars of this case; may be empty
};

using RunSink = std::function<void(JobRun&&)>;
using DiagnosticSink = std::function<void(Diagnostic&&)>;

class HistoryReader {
 public:
  virtual ~HistoryReader() = default;

  [[nodiscard]] virtual std::string format() const = 0;  // `Hadoop 2+ jhist`, for reports
  [[nodiscard]] virtual bool accepts(std::string_view first_bytes) const = 0;
  virtual void read(std::string_view bytes, const std::string& source, const RunSink& runs,
                    const DiagnosticSink& diagnostics) const = 0;
};

// All readers, in the order in which they are asked.
[[nodiscard]] const std::vector<std::unique_ptr<HistoryReader>>& history_readers();

// Reads the content with the first reader that accepts it; if none does, reports a diagnostic.
void read_history(std::string_view bytes, const std::string& source, const RunSink& runs,
                  const DiagnosticSink& diagnostics);

}  // namespace wavewright
