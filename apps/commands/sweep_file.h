// Files of `wavewright sweep`: the sweep file, and the results, which grow line by line.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "apps/context.h"
#include "apps/spread_options.h"
#include "wavewright/sim/experiment/sweep.h"

namespace wavewright::app {

// TOML: `workloads`, `clusters` (files, relative to the sweep file), `policies`, `seeds` (their number),
// `first_seed` (default 1). Throws InputError with file and line.
struct SweepFile {
  std::vector<std::string> workloads;
  std::vector<std::string> clusters;
  std::vector<std::string> policies;
  std::vector<std::uint64_t> seeds;
  std::filesystem::path path;
  std::vector<std::int64_t> policy_lines;  // of `policies`, from 1

  // Relative to the folder of the sweep file.
  [[nodiscard]] std::filesystem::path path_of(const std::string& name) const {
    return path.parent_path() / name;
  }
};
[[nodiscard]] SweepFile read_sweep_file(const std::filesystem::path& path);

// Metrics that only some runs have: null in the others (docs/use/sweep.md).
struct RunMetric {
  const char* name;   // the field
  const char* title;  // of a column
  std::optional<double> SweepRow::* figure;
};
inline constexpr RunMetric run_metrics[] = {
    {"locality_rate", "locality", &SweepRow::locality_rate},
    {"map_response_ms", "response, ms", &SweepRow::map_response_ms},
    {"accept_ratio", "accepted", &SweepRow::accept_ratio},
    {"success_ratio", "in time", &SweepRow::success_ratio},
    {"utilisation", "used in time", &SweepRow::utilisation},
    {"utilisation_of_all", "used by all", &SweepRow::utilisation_of_all}};

// Writes and reads the figures of a simulated cell, without its names, as fields of a line. Throws
// Json::exception.
void add_figures(Json& line, const SweepRow& row);
[[nodiscard]] SweepRow figures_of(const Json& line);

// JSON Lines: a header that identifies the simulation by the inputs' checksums, then one line per cell. A
// truncated file keeps its whole lines; a file with other inputs is refused.
class SweepResults {
 public:
  // `libraries`: shared objects with policies; they are inputs, too.
  SweepResults(std::filesystem::path path, const SweepFile& file, const LengthSpread& spread,
               const std::vector<std::string>& libraries);

  [[nodiscard]] bool has(const SweepCell& cell) const { return rows_.contains(cell); }
  void add(const SweepRow& row);
  // All rows are there: puts them in the order of cells, whatever order they came in.
  void finish();
  [[nodiscard]] const std::map<SweepCell, SweepRow>& rows() const { return rows_; }
  [[nodiscard]] Json to_json(const SweepRow& row) const;

 private:
  void read();
  void write_all();
  [[nodiscard]] SweepRow from_json(const Json& line) const;

  std::filesystem::path path_;
  std::string header_;
  const SweepFile& file_;
  std::map<SweepCell, SweepRow> rows_;
  std::ofstream out_;
};

}  // namespace wavewright::app
