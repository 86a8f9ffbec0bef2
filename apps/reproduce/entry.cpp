#include "apps/reproduce/entry.h"

#include "apps/data_folder.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/nearest.h"

namespace wavewright::app {

namespace {

namespace fs = std::filesystem;

// A misspelt field would be ignored silently.
void refuse_unknown(const Json& object, const std::vector<std::string>& known, const fs::path& path) {
  for (const auto& item : object.items()) {
    if (std::find(known.begin(), known.end(), item.key()) == known.end()) {
      throw InputError({path.string()}, "unknown field '" + item.key() + "'", suggestion(item.key(), known));
    }
  }
}

EntryRow read_row(const Json& json, const fs::path& path) {
  refuse_unknown(
      json,
      {"key", "label", "unit", "paper", "reading", "derived", "not_compared", "tolerance", "assumption"},
      path);
  EntryRow row{json.at("key"),
               json.at("label"),
               json.value("unit", ""),
               json.at("paper"),
               json.value("reading", ""),
               json.value("derived", ""),
               json.value("not_compared", ""),
               std::nullopt,
               json.value("assumption", "")};
  if (json.contains("tolerance")) row.tolerance = json.at("tolerance").get<double>();
  if (row.paper.is_array() && (row.paper.size() != 2 || !row.paper[0].is_number() ||
                               !row.paper[1].is_number() || row.paper[0] > row.paper[1])) {
    throw InputError({path.string()}, "row '" + row.key + "': the paper's range is no [from, to]",
                     "give two numbers, the smaller one first");
  }
  return row;
}

Assumption read_assumption(const Json& json, const std::vector<EntryRow>& rows, const fs::path& path) {
  refuse_unknown(json, {"text", "instead", "inputs", "rows", "keys", "replications"}, path);
  Assumption assumption{json.at("text"),
                        json.at("instead"),
                        json.value("inputs", Json::object()),
                        json.value("rows", std::vector<std::string>()),
                        json.value("keys", std::map<std::string, std::string>()),
                        json.value("replications", std::uint64_t{0})};
  std::vector<std::string> known;
  known.reserve(rows.size());
  for (const EntryRow& row : rows) known.push_back(row.key);
  std::vector<std::string> named = assumption.rows;
  for (const auto& [row, key] : assumption.keys) named.push_back(row);
  for (const std::string& key : named) {
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw InputError({path.string()}, "an assumption names no row: '" + key + "'", suggestion(key, known));
  }
  return assumption;
}

Tolerance read_tolerance(const Json& json, const fs::path& path) {
  refuse_unknown(json, {"share", "least"}, path);
  const Tolerance tolerance{json.at("share"), json.at("least")};
  if (tolerance.share >= 0 && tolerance.least >= 0) return tolerance;
  throw InputError({path.string()}, "a tolerance below 0", "give a share and a least of 0 or more");
}

}  // namespace

fs::path reproduce_folder() {
  return data_folder() / "reproduce";
}

Entry read_entry(const fs::path& path) {
  constexpr std::size_t largest = std::size_t{16} << 20;
  try {
    const Json json = Json::parse(read_file(path, largest));
    refuse_unknown(json,
                   {"id", "title", "paper", "source", "kind", "inputs", "rows", "explanation", "charts",
                    "only_by_name", "tolerance", "assumptions"},
                   path);
    Entry entry{json.at("id"),
                json.at("title"),
                json.at("paper"),
                json.at("source"),
                json.at("kind"),
                json.at("inputs"),
                {},
                json.at("explanation"),
                std::nullopt,
                {},
                json.value("charts", Json::array()),
                json.value("only_by_name", false)};
    for (const Json& row : json.at("rows")) entry.rows.push_back(read_row(row, path));
    if (json.contains("tolerance")) entry.tolerance = read_tolerance(json.at("tolerance"), path);
    for (const Json& each : json.value("assumptions", Json::array()))
      entry.assumptions.push_back(read_assumption(each, entry.rows, path));
    if (entry.id != path.stem().string()) {
      throw InputError({path.string()}, "its id is '" + entry.id + "'", "name the file after its id");
    }
    return entry;
  } catch (const Json::exception& error) {
    throw InputError({path.string()}, std::string("not an entry: ") + error.what(),
                     "see docs/use/reproduce.md");
  }
}

std::vector<Entry> read_entries(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator each(folder, error), end; !error && each != end; each.increment(error)) {
    if (each->path().extension() == ".json") files.push_back(each->path());
  }
  if (error) {
    throw ExternalError({folder.string()}, "cannot read the papers' data: " + error.message(),
                        "set WAVEWRIGHT_DATA to the folder that holds reproduce/");
  }
  std::sort(files.begin(), files.end());
  std::vector<Entry> entries;
  entries.reserve(files.size());
  for (const fs::path& file : files) entries.push_back(read_entry(file));
  return entries;
}

}  // namespace wavewright::app
