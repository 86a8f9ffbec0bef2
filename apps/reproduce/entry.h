// One table, figure or worked example of a paper: its inputs and values as data, reproduce/ID.json.
//
// The file holds what the paper gives and what we assume, but no measurements: they come from running the
// entry's experiment kind on its inputs (apps/reproduce/experiment.h). See docs/use/reproduce.md.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "apps/context.h"

namespace wavewright::app {

struct EntryRow {
  std::string key;    // key of a measurement of the experiment
  std::string label;  // for people
  std::string unit;   // `s`, `h`, `slots`; may be empty
  Json paper;         // number, text or range [from, to]; null if the paper gives none
  // If the paper does not print its value: what was read into its words, or from what it was computed.
  std::string reading, derived;
  std::string not_compared;         // why ours is no measure of the paper's value; empty if it is
  std::optional<double> tolerance;  // instead of the entry's; in the row's unit
  std::string assumption;           // for an under-specified point of the paper; may be empty

  [[nodiscard]] bool printed() const { return reading.empty() && derived.empty(); }
};

// How far from the paper's value a mean may be and still agree with it: `share` of the value, `least` where
// that is more. In the row's unit.
struct Tolerance {
  double share = 0;
  double least = 0;
};

// What the paper leaves open, our choice, and another choice that is run beside it to see what it changes.
struct Assumption {
  std::string text;
  std::string instead;                      // the other choice, in words
  Json inputs = Json::object();             // its inputs, merged into the entry's (RFC 7396)
  std::vector<std::string> rows;            // keys of the rows that it may change
  std::map<std::string, std::string> keys;  // or: another measurement of the same runs, by key of the row
  std::uint64_t replications = 0;           // at most so many of the entry's; 0 = all
};

struct Entry {
  std::string id;
  std::string title;
  std::string paper;   // CLOUD, HP, UNL, ORDER, RENT
  std::string source;  // section, table, line
  std::string kind;    // of the experiment
  Json inputs;
  std::vector<EntryRow> rows;
  std::string explanation;  // `{KEY}` stands for what is measured in this run
  std::optional<Tolerance> tolerance;
  std::vector<Assumption> assumptions;
  Json charts = Json::array();  // apps/reproduce/chart.h
  bool only_by_name = false;    // takes minutes: runs only if named
};

// In the data folder (apps/data_folder.h).
[[nodiscard]] std::filesystem::path reproduce_folder();

// Throws InputError with the file if it is malformed.
[[nodiscard]] Entry read_entry(const std::filesystem::path& path);

// All entries of the folder, by id. Throws ExternalError if the folder does not exist.
[[nodiscard]] std::vector<Entry> read_entries(const std::filesystem::path& folder);

}  // namespace wavewright::app
