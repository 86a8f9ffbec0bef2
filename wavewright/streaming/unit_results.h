// The results of a run's units, each taken once, in a file of this machine.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "wavewright/streaming/unit.h"

namespace wavewright {

class UnitResults {
 public:
  // Takes the lines of a file, which stays where it is: texts are read from it when they are asked for. A
  // unit that is there already must have the same text, as of two attempts. Returns the units that were not
  // there. A failure counts only until the unit has a result. Throws InputError if a line is no result, or if
  // a unit has two results that differ; ExternalError if the file cannot be read. O(bytes).
  std::vector<std::string> take(const std::filesystem::path& file);

  [[nodiscard]] bool has(const std::string& unit) const { return places_.contains(unit); }
  [[nodiscard]] std::size_t size() const { return places_.size(); }
  // The result's text. The unit must have one. Throws ExternalError if the file is gone. Thread-safe.
  [[nodiscard]] std::string text(const std::string& unit) const;
  // The failures of the latest `take`.
  [[nodiscard]] const std::vector<UnitResult>& failures() const { return failures_; }

 private:
  struct Place {
    std::size_t file = 0;
    std::streamoff at = 0;
    std::size_t bytes = 0;  // of the line
    std::size_t hash = 0;   // of the text
  };
  std::vector<std::filesystem::path> files_;
  std::map<std::string, Place> places_;
  std::vector<UnitResult> failures_;
};

}  // namespace wavewright
