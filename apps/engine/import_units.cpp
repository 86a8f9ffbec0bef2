#include "apps/engine/import_units.h"

#include <deque>
#include <memory>
#include <mutex>
#include <unordered_map>

#include <fmt/format.h>

#include "apps/engine/units.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/history/source/webhdfs.h"
#include "wavewright/streaming/read_file_text.h"

namespace wavewright::app {

namespace {

// A unit takes a second or two: some thousand small histories a minute, or a few large ones.
constexpr std::size_t most_files_of_a_unit = 200;
constexpr std::size_t most_bytes_of_a_unit = std::size_t{32} << 20;

std::string key_of_file(const std::string& name, const std::string& version) {
  return name + '\n' + version;
}

// The files of a place, listed once and read later.
class Listing : public HistorySource {
 public:
  explicit Listing(const HistorySource& place) {
    place.list(
        [&](HistoryFile&& file) {
          files_.push_back(std::move(file));
          return true;
        },
        [&](Diagnostic&& diagnostic) { diagnostics_.push_back(std::move(diagnostic)); });
  }
  [[nodiscard]] const std::vector<HistoryFile>& files() const { return files_; }

  void list(const std::function<bool(HistoryFile&&)>& found,
            const DiagnosticSink& diagnostics) const override {
    for (const Diagnostic& diagnostic : diagnostics_) diagnostics(Diagnostic(diagnostic));
    for (const HistoryFile& file : files_) {
      if (!found(HistoryFile(file))) return;
    }
  }
  [[nodiscard]] FileHistory read(const HistoryFile&) const override {
    throw InternalError("a listing reads no files");
  }

 private:
  std::vector<HistoryFile> files_;
  std::vector<Diagnostic> diagnostics_;
};

// The files that the store does not have in their present version.
std::vector<HistoryFile> files_to_read(const Store& store, const Listing& listing, bool again) {
  if (again) return listing.files();
  constexpr std::size_t at_once = 200;
  std::vector<HistoryFile> left;
  for (std::size_t begin = 0; begin < listing.files().size(); begin += at_once) {
    std::vector<ImportedFile> asked;
    for (std::size_t i = begin; i < std::min(begin + at_once, listing.files().size()); ++i)
      asked.push_back({listing.files()[i].name, listing.files()[i].version, 0, {}});
    const std::vector<bool> known = store.unchanged(asked);
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (!known[i]) left.push_back(listing.files()[begin + i]);
    }
  }
  return left;
}

// Assigns files to units, and finds a file in the result of its unit.
class UnitsOfFiles {
 public:
  explicit UnitsOfFiles(UnitRun& run) : run_(run) {
    if (!run.begun()) return;
    for (const Unit& unit : run.submitted()) {
      ++submitted_;
      if (run.results().has(unit.id)) know(unit);
    }
  }

  // Units for the files that no unit with a result has.
  std::vector<Unit> for_others(const std::vector<HistoryFile>& files) {
    std::vector<Unit> units;
    Json group = Json::array();
    std::size_t bytes = 0;
    const auto close = [&] {
      if (group.empty()) return;
      units.push_back({fmt::format("files-{:06}", submitted_ + units.size()), group.dump()});
      group = Json::array();
      bytes = 0;
    };
    for (const HistoryFile& file : files) {
      if (unit_of_.contains(key_of_file(file.name, file.version))) continue;
      group.push_back({file.name, file.version});
      bytes += file.bytes;
      if (group.size() >= most_files_of_a_unit || bytes >= most_bytes_of_a_unit) close();
    }
    close();
    return units;
  }

  void know(const Unit& unit) {
    for (const Json& file : Json::parse(unit.work))
      unit_of_[key_of_file(file.at(0).get<std::string>(), file.at(1).get<std::string>())] = unit.id;
  }

  // The file as a node read it. Several threads ask, each for another file, about in order.
  ReadFile read(const HistoryFile& listed) {
    const std::string key = key_of_file(listed.name, listed.version);
    const std::lock_guard lock(mutex_);
    const auto unit = unit_of_.find(key);
    if (unit == unit_of_.end()) throw InternalError("no unit has read " + listed.name);
    auto& files = open(unit->second);
    const auto found = files.find(key);
    if (found == files.end())
      throw ExternalError({"unit " + unit->second}, "its result lacks " + listed.name,
                          "import it without --engine");
    ReadFile file = std::move(found->second);
    files.erase(found);
    return file;
  }

 private:
  using Files = std::unordered_map<std::string, ReadFile>;

  Files& open(const std::string& unit) {
    for (auto& [name, files] : opened_) {
      if (name == unit && !files.empty()) return files;
    }
    constexpr std::size_t most_open = 4;
    if (opened_.size() >= most_open) opened_.pop_front();
    Files files;
    const Json text = Json::parse(run_.results().text(unit));
    for (ReadFile& file : files_of_text(text.get<std::string>(), "unit " + unit)) {
      std::string key = key_of_file(file.file.name, file.file.version);
      files.emplace(std::move(key), std::move(file));
    }
    return opened_.emplace_back(unit, std::move(files)).second;
  }

  UnitRun& run_;
  std::size_t submitted_ = 0;
  std::unordered_map<std::string, std::string> unit_of_;
  std::mutex mutex_;
  std::deque<std::pair<std::string, Files>> opened_;
};

constexpr const char* certificates_file = "certificates.pem";

}  // namespace

void require_hdfs(const std::string& place) {
  if (place.starts_with("hdfs://") || place.starts_with("webhdfs://") || place.starts_with("swebhdfs://"))
    return;
  throw UsageError(fmt::format("a cluster's nodes cannot read {}", place),
                   "name a folder of HDFS, like hdfs://namenode:9870/mr-history/done, or leave out --engine");
}

void refuse_kerberos(const std::string& place, const SourceOptions& source) {
  if (!webhdfs_asks_for_ticket(place, source)) return;
  throw UsageError(fmt::format("{} asks for Kerberos tickets, and the tasks of a job have none", place),
                   "leave out --engine yarn: then this machine reads the histories");
}

void import_on_yarn(const Context& context, const EngineFlags& flags, const std::string& place,
                    const SourceOptions& source, const ImportOptions& options, Store& store,
                    ImportSummary& summary, const std::function<void(const ImportSummary&)>& progress) {
  require_hdfs(place);
  const Listing listing(*open_source(place, source));
  const std::vector<HistoryFile> files = files_to_read(store, listing, options.again);
  const auto write = [&](const FileReading& read) {
    import_from(listing, read, store, options, context.interrupted, summary, progress);
  };
  const Json job = {{"kind", "import"}, {"place", place}, {"user", webhdfs_user(source)}};
  const std::string kind = "import";
  const std::string key = key_of({}, {job.dump(), context.store_url(), options.again ? "again" : ""});
  if (files.empty()) {
    if (has_unfinished_run(kind, key))  // killed after its last result was taken
      YarnEngine(context, flags, source.ca_file, kind, key).run().finish();
    return write([](const HistoryFile&) -> ReadFile { throw InternalError("nothing was to be read"); });
  }
  YarnEngine engine(context, flags, source.ca_file, kind, key);
  try {
    engine.start(job, [&](TarWriter& tar) {
      if (!source.ca_file.empty()) tar.add_file(certificates_file, source.ca_file);
    });
    UnitsOfFiles units(engine.run());
    const std::vector<Unit> missing = units.for_others(files);
    engine.run().complete(missing, [](const std::string&) {});
    for (const Unit& unit : missing) units.know(unit);
    write([&](const HistoryFile& file) { return units.read(file); });
  } catch (const Interrupted&) {
    engine.tell_interrupted();
    throw;
  }
  if (!summary.partial) engine.run().finish();
}

UnitWork import_work(const Json& job, const std::filesystem::path& inputs) {
  SourceOptions options;
  options.user = job.at("user").get<std::string>();
  const std::filesystem::path certificates = inputs / certificates_file;
  if (std::filesystem::exists(certificates)) options.ca_file = certificates.string();
  const std::shared_ptr<const HistorySource> source =
      open_source(job.at("place").get<std::string>(), options);
  return [source](const Unit& unit) {
    std::vector<ReadFile> files;
    for (const Json& file : Json::parse(unit.work))
      files.push_back(read_and_pack(*source, {file.at(0).get<std::string>(), file.at(1).get<std::string>()}));
    return Json(text_of(files)).dump();
  };
}

}  // namespace wavewright::app
