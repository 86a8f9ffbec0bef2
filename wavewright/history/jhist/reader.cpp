#include "wavewright/history/jhist/reader.h"

#include "wavewright/history/findings.h"
#include "wavewright/history/jhist/apply.h"
#include "wavewright/history/jhist/binary_decoder.h"
#include "wavewright/history/jhist/json_decoder.h"
#include "wavewright/history/jhist/schema.h"
#include "wavewright/history/text.h"

namespace wavewright::jhist {

namespace {

constexpr std::string_view json_mark = "Avro-Json";
constexpr std::string_view binary_mark = "Avro-Binary";
constexpr const char* too_long = "line longer than 64 MiB, as Hadoop writes none";

// Takes the text up to the next newline, and the newline (with a carriage return before it).
std::string_view take_line(std::string_view& rest) {
  const auto newline = rest.find('\n');
  std::string_view line = rest.substr(0, newline);
  rest.remove_prefix(newline == std::string_view::npos ? rest.size() : newline + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

struct Reading {
  RunBuilder builder;
  Findings findings;
  bool cut_off = false;

  void lose(const Position& where, const std::string& reason, const std::string& detail) {
    builder.lost_record(reason);
    findings.add(Diagnostic::Severity::warning, where, reason, detail);
  }

  void take(const Event& event, const Position& where) {
    if (!apply(event, builder)) {
      findings.add(Diagnostic::Severity::note, where, "events of an unknown kind", clean_text(event.type));
    }
  }
};

void read_json(const Schema& schema, std::string_view events, const std::string& source, Reading& reading) {
  JsonDecoder decoder(schema);
  Event event;
  const bool complete = events.ends_with('\n');
  std::string_view rest = events;
  for (std::int64_t number = 3; !rest.empty(); ++number) {
    const std::size_t readable = rest.size();
    const std::string_view line = take_line(rest);
    const Position where{source, number};
    if (line.size() > longest_line) {
      reading.lose(where, too_long, {});
      continue;
    }
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    const std::string_view problem = decoder.decode(line, readable, event);
    if (problem.empty()) {
      reading.take(event, where);
    } else if (rest.empty() && !complete) {
      reading.cut_off = true;
      reading.lose(where, CutOff(where).problem(), {});
    } else {
      reading.lose(where, "event that cannot be read", std::string(problem));
    }
  }
}

void read_binary(const Schema& schema, std::string_view events, const std::string& source, std::size_t start,
                 Reading& reading) {
  BinaryDecoder decoder(schema, events, source, start);
  Event event;
  try {
    while (decoder.next(event)) reading.take(event, {source});
  } catch (const InputError& error) {
    reading.cut_off = true;
    reading.lose(error.where(), error.problem(), {});
  }
}

// New fields came with versions: killed counts with 3.0, workflow names with 2.0.
std::string version_of(const Schema& schema) {
  if (schema.has_field("JobFinished", "killedMaps")) return "3.x";
  return schema.has_field("JobSubmitted", "workflowId") ? "2.x" : "0.23";
}

}  // namespace

bool JhistReader::accepts(std::string_view first_bytes) const {
  return first_bytes.starts_with(json_mark) || first_bytes.starts_with(binary_mark);
}

void JhistReader::read(std::string_view bytes, const std::string& source, const RunSink& runs,
                       const DiagnosticSink& diagnostics) const {
  using Severity = Diagnostic::Severity;
  const bool json = bytes.starts_with(json_mark);
  std::string_view rest = bytes;
  take_line(rest);
  const std::string_view schema_line = take_line(rest);
  if (schema_line.size() > longest_line) {
    diagnostics(diagnosed(Severity::skipped, {source, 2}, too_long));
    return;
  }
  if (rest.empty()) {
    const bool whole = bytes.ends_with('\n') && !schema_line.empty();
    diagnostics(
        diagnosed(Severity::skipped, {source, 2}, whole ? "no events" : "cut off before the first event"));
    return;
  }
  Reading reading;
  try {
    const Schema schema = parse_schema(schema_line, source);
    reading.builder.run.hadoop =
        version_of(schema) + " jhist (" + std::string(json ? json_mark : binary_mark) + ")";
    if (json) {
      read_json(schema, rest, source, reading);
    } else {
      read_binary(schema, rest, source, bytes.size() - rest.size(), reading);
    }
  } catch (const InputError& error) {
    diagnostics(diagnosed(Severity::skipped, error.where(), error.problem()));
    return;
  }
  reading.findings.report(diagnostics);
  if (!reading.builder.has_job()) {
    diagnostics(diagnosed(Severity::skipped, {source}, "no event that names a job"));
    return;
  }
  if (reading.builder.run.state == RunState::unknown && !reading.cut_off) {
    diagnostics(diagnosed(Severity::warning, {source}, "history ends before its job does"));
  }
  hand_over(std::move(reading.builder), source, runs, diagnostics);
}

}  // namespace wavewright::jhist
