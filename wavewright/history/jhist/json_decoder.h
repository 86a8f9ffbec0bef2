// Decodes a line of an Avro-Json file into an Event, by the file's schema, with simdjson's on-demand parser.
//
// Avro's JSON wraps a union's value in an object that names the branch: {"string": "x"}, {"…JobFinished":
// {…}}. Only used fields recurse; deeper nesting is skipped without recursion. Memory is that of the line.
#pragma once

#include <simdjson.h>

#include <string>
#include <string_view>

#include "wavewright/history/jhist/event.h"
#include "wavewright/history/jhist/schema.h"

namespace wavewright::jhist {

class JsonDecoder {
 public:
  explicit JsonDecoder(const Schema& schema) : schema_(schema) {}

  // `readable` bytes from the line's start may be read (the line and what follows in memory). If they reach
  // far enough, the line is parsed in place, else copied. Returns empty text, or the line's fault.
  [[nodiscard]] std::string_view decode(std::string_view line, std::size_t readable, Event& event);

 private:
  using Value = simdjson::ondemand::value;
  using Failure = simdjson::error_code;

  struct Branch {
    const Type* type = nullptr;
    Value value;
  };

  Failure parse(simdjson::padded_string_view line, Event& event);
  Failure branch(Value value, const Type& type, Branch& taken);
  Failure body(Value value, const Type& type, Event& event);
  Failure field(Value value, const Field& member, Event& event);
  Failure counters(Value value, const Type& type, Event& event);
  Failure group(Value value, const Type& type, Event& event);
  Failure counter(Value value, const Type& type, std::string_view group_name, Event& event);

  const Schema& schema_;
  simdjson::ondemand::parser parser_;
  std::string copy_;
};

}  // namespace wavewright::jhist
