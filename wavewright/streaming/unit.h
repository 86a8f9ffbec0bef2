// Units of work: lines of text that go to a cluster, and lines that come back.
//
//   in    {"unit":"w0-c1-p2-s17","work":{…}}
//   out   w0-c1-p2-s17 TAB {"result":…}
//         w0-c1-p2-s17 TAB {"failed":{"status":3,"error":"night.jsonl:7: …"}}
//
// The work and the result are JSON values that the kind of work defines. A unit's result depends on nothing
// but the unit and the inputs that are shipped with it, so that a second attempt gives the same bytes.
#pragma once

#include <string>
#include <string_view>

namespace wavewright {

struct Unit {
  std::string id;    // letters, digits, `-`, `_`, `.`; unique in a run
  std::string work;  // JSON in one line
};

struct UnitResult {
  std::string id;
  std::string text = {};   // JSON in one line; empty if it failed
  int status = 0;          // of the error
  std::string error = {};  // empty if it did not fail

  [[nodiscard]] bool failed() const { return status != 0; }
};

// Lines without line end. Throws InternalError if `id` or `work` cannot stand in a line.
[[nodiscard]] std::string line_of(const Unit& unit);
[[nodiscard]] std::string line_of(const UnitResult& result);

// Throw InputError with `source` if the line is not one of these.
[[nodiscard]] Unit parse_unit(std::string_view line, const std::string& source);
[[nodiscard]] UnitResult parse_unit_result(std::string_view line, const std::string& source);

}  // namespace wavewright
