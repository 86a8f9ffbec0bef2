// What `wavewright sweep` reads and writes: the sweep file, and the results that it adds to line by line.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "apps/context.h"
#include "wavewright/sim/experiment/sweep.h"

namespace wavewright::app {

// TOML: `workloads`, `clusters` (files, relative to the sweep file), `policies`, `seeds` (how many, from 1
// on), `first_seed`. Throws InputError with file and line.
struct SweepFile {
  std::vector<std::string> workloads;
  std::vector<std::string> clusters;
  std::vector<std::string> policies;
  std::vector<std::uint64_t> seeds;
  std::filesystem::path folder;

  [[nodiscard]] std::filesystem::path path_of(const std::string& name) const { return folder / name; }
};
[[nodiscard]] SweepFile read_sweep_file(const std::filesystem::path& path);

// JSON Lines: a header that says what was simulated, by the inputs' checksums, then a line a cell. A file
// that was cut short keeps its whole lines; one of other inputs is refused.
class SweepResults {
 public:
  // `libraries`: shared objects that policies come from, inputs like the others.
  SweepResults(std::filesystem::path path, const SweepFile& file, const std::vector<std::string>& libraries);

  [[nodiscard]] bool has(const SweepCell& cell) const { return rows_.contains(cell); }
  void add(const SweepRow& row);
  [[nodiscard]] const std::map<SweepCell, SweepRow>& rows() const { return rows_; }
  [[nodiscard]] Json to_json(const SweepRow& row) const;

 private:
  void read(const std::string& header);
  [[nodiscard]] SweepRow from_json(const Json& line) const;

  std::filesystem::path path_;
  const SweepFile& file_;
  std::map<SweepCell, SweepRow> rows_;
  std::ofstream out_;
};

}  // namespace wavewright::app
