// One table, figure or worked example of a paper: its inputs and values as data, reproduce/ID.json.
//
// The file holds what the paper gives and what we assume, but no measurements: they come from running the
// entry's experiment kind on its inputs (apps/reproduce/experiment.h). See docs/use/reproduce.md.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "apps/context.h"

namespace wavewright::app {

struct EntryRow {
  std::string key;         // key of a measurement of the experiment
  std::string label;       // for people
  std::string unit;        // `s`, `h`, `slots`; may be empty
  Json paper;              // number or text as printed; null if the paper gives none
  std::string assumption;  // for an under-specified point of the paper, and its effect; may be empty
};

struct Entry {
  std::string id;
  std::string title;
  std::string paper;   // CLOUD, HP, UNL, ORDER, RENT
  std::string source;  // section, table, line
  std::string kind;    // of the experiment
  Json inputs;
  std::vector<EntryRow> rows;
  std::string explanation;
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
