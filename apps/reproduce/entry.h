// One table, figure or worked example of a paper: its inputs and values as data, reproduce/ID.json.
//
// The file holds what the paper gives and what we assume, never what we measure: that comes from running
// the entry's experiment kind on its inputs (apps/reproduce/experiment.h). See docs/use/reproduce.md.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "apps/context.h"

namespace wavewright::app {

struct EntryRow {
  std::string key;         // which of the experiment's measurements
  std::string label;       // what it is, for people
  std::string unit;        // `s`, `h`, `slots`; may be empty
  Json paper;              // number or text as printed; null where the paper gives none
  std::string assumption;  // where the paper is under-specified, and what that changes; may be empty
};

struct Entry {
  std::string id;
  std::string title;
  std::string paper;   // CLOUD, HP, UNL, ORDER, RENT
  std::string source;  // section, table, line
  std::string kind;    // of experiment
  Json inputs;
  std::vector<EntryRow> rows;
  std::string explanation;
  Json charts = Json::array();  // apps/reproduce/chart.h
  bool only_by_name = false;    // it takes minutes: not among all
};

// In the data folder (apps/data_folder.h).
[[nodiscard]] std::filesystem::path reproduce_folder();

// Throws InputError, naming the file, on what is not such a file.
[[nodiscard]] Entry read_entry(const std::filesystem::path& path);

// Every entry of the folder, by id. Throws ExternalError when there is no such folder.
[[nodiscard]] std::vector<Entry> read_entries(const std::filesystem::path& folder);

}  // namespace wavewright::app
