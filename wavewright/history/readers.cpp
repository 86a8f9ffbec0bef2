#include <algorithm>

#include "wavewright/core/byte_order_mark.h"
#include "wavewright/history/findings.h"
#include "wavewright/history/hadoop1/reader.h"
#include "wavewright/history/jhist/reader.h"
#include "wavewright/history/reader.h"
#include "wavewright/history/rumen/reader.h"
#include "wavewright/history/sls/reader.h"
#include "wavewright/history/sls/synthetic.h"

namespace wavewright {

namespace {

// Enough to recognise any format.
constexpr std::size_t first_bytes_read = 4096;

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Describes content that no reader accepts, so that its owner knows what to fetch instead.
std::string describe_unknown(std::string_view first) {
  first.remove_prefix(std::min(first.find_first_not_of(" \t\r\n"), first.size()));
  if (first.empty()) return "file is empty";
  if (first.front() == '<') {
    if (contains(first, "<configuration")) return "a Hadoop configuration, not a history";
    if (contains(first, "<html") || contains(first, "<HTML") || contains(first, "<!DOCTYPE")) {
      return "an HTML page, not a history: fetch the history file itself, not its web page";
    }
    return "an XML document, not a history";
  }
  if (first.starts_with("Obj\x01")) return "an Avro container file, not a job history";
  if (first.starts_with("{\"Event\":\"Spark")) return "a Spark event log, not a MapReduce history";
  if (sls::is_synthetic(first)) {
    return "a synthetic workload, not a history: draw its jobs with 'wavewright workload convert'";
  }
  if (first.front() == '{' || first.front() == '[') return "JSON, but no MapReduce history";
  if (first.starts_with("\x1f\x8b")) return "gzip within gzip: unpack it first";
  const auto odd = std::count_if(first.begin(), first.end(), [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t') || c == 0x7F;
  });
  return odd > 0 ? "binary data of an unknown format" : "text of an unknown format";
}

}  // namespace

const std::vector<std::unique_ptr<HistoryReader>>& history_readers() {
  static const auto readers = [] {
    std::vector<std::unique_ptr<HistoryReader>> all;
    all.push_back(std::make_unique<jhist::JhistReader>());
    all.push_back(std::make_unique<hadoop1::LogReader>());
    all.push_back(std::make_unique<rumen::TraceReader>());
    all.push_back(std::make_unique<sls::TraceReader>());
    return all;
  }();
  return readers;
}

void read_history(std::string_view bytes, const std::string& source, const RunSink& runs,
                  const DiagnosticSink& diagnostics) {
  bytes = without_byte_order_mark(bytes);
  const std::string_view first = bytes.substr(0, first_bytes_read);
  for (const auto& reader : history_readers()) {
    if (reader->accepts(first)) return reader->read(bytes, source, runs, diagnostics);
  }
  diagnostics(diagnosed(Diagnostic::Severity::skipped, {source}, describe_unknown(first)));
}

}  // namespace wavewright
