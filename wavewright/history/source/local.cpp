#include "wavewright/history/source/local.h"

#include <algorithm>
#include <new>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/history/findings.h"

namespace wavewright {

namespace {

namespace fs = std::filesystem;
using Severity = Diagnostic::Severity;

// A history of a million attempts is a few hundred MB; more is no history but a bomb.
constexpr std::size_t largest_history = std::size_t{1} << 30;

// Deeper than any history folder; a mounted loop ends here.
constexpr int deepest_folder = 64;

bool stands_beside_histories(const std::string& name) {
  return name.ends_with("_conf.xml") || name.ends_with("_conf.xml.gz") || name.ends_with(".crc") ||
         name.ends_with(".summary") || name == "_SUCCESS";
}

std::string format_of(std::string_view bytes) {
  for (const auto& reader : history_readers()) {
    if (reader->accepts(bytes.substr(0, 4096))) return reader->format();
  }
  return {};
}

std::string version_of(const fs::path& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (error) return {};
  const auto changed = fs::last_write_time(path, error);
  if (error) return {};
  return fmt::format("{}@{}", size, changed.time_since_epoch().count());
}

class Walk {
 public:
  Walk(const std::function<bool(HistoryFile&&)>& found, const DiagnosticSink& diagnostics)
      : found_(found), diagnostics_(diagnostics) {}

  // False: enough was found.
  bool file(const fs::path& path) {
    if (stands_beside_histories(path.filename().string())) {
      return pass(path, Severity::note, "passed over: stands beside histories, but is none");
    }
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) {
      const bool link = fs::is_symlink(fs::symlink_status(path, error));
      return pass(path, Severity::skipped, link ? "a link to nothing" : "no such file or folder");
    }
    if (status.type() == fs::file_type::none || status.type() == fs::file_type::unknown) {
      return pass(path, Severity::skipped, "cannot read: " + error.message());
    }
    if (status.type() != fs::file_type::regular) {  // a pipe or a device would not end
      return pass(path, Severity::skipped, "neither a file nor a folder");
    }
    return found_({path.string(), version_of(path)});
  }

  bool folder(const fs::path& path, int depth) {
    std::error_code error;
    std::vector<fs::path> entries;
    for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
      entries.push_back(it->path());
    }
    if (error) return pass(path, Severity::skipped, "cannot read: " + error.message());
    if (entries.empty()) return pass(path, Severity::note, "folder is empty");
    if (depth > deepest_folder) return pass(path, Severity::skipped, "folders nested deeper than 64 levels");
    std::sort(entries.begin(), entries.end());
    return std::all_of(entries.begin(), entries.end(),
                       [&](const fs::path& one) { return entry(one, depth); });
  }

 private:
  bool entry(const fs::path& path, int depth) {
    std::error_code error;
    if (!fs::is_directory(path, error)) return file(path);
    if (fs::is_symlink(fs::symlink_status(path, error))) {
      return pass(path, Severity::note, "passed over: a link to a folder");
    }
    return folder(path, depth + 1);
  }

  bool pass(const fs::path& path, Severity severity, const std::string& reason) {
    diagnostics_(diagnosed(severity, Position{path.string()}, reason));
    return true;
  }

  const std::function<bool(HistoryFile&&)>& found_;
  const DiagnosticSink& diagnostics_;
};

}  // namespace

LocalSource::LocalSource(fs::path path) : path_(std::move(path)) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(path_, error))) {
    throw OutsideError({path_.string()}, "no such file or folder", "check the path; nothing was imported");
  }
}

void LocalSource::list(const std::function<bool(HistoryFile&&)>& found,
                       const DiagnosticSink& diagnostics) const {
  Walk walk(found, diagnostics);
  std::error_code error;
  if (fs::is_directory(path_, error)) {
    walk.folder(path_, 0);
  } else {
    walk.file(path_);
  }
}

FileHistory LocalSource::read(const HistoryFile& listed) const {
  FileHistory file{listed.name, {}, {}, {}};
  try {
    const std::string bytes = read_file(listed.name, largest_history);
    file.format = format_of(bytes);
    read_history(
        bytes, listed.name, [&](JobRun&& run) { file.runs.push_back(std::move(run)); },
        [&](Diagnostic&& diagnostic) { file.diagnostics.push_back(std::move(diagnostic)); });
  } catch (const Error& error) {
    file.diagnostics.push_back(diagnosed(Severity::skipped, error.where(), error.problem(), error.remedy()));
  } catch (const std::bad_alloc&) {
    file.runs.clear();
    file.diagnostics.push_back(
        diagnosed(Severity::skipped, Position{listed.name}, "not enough memory to read it"));
  }
  return file;
}

void read_history_path(const std::string& path, const std::function<void(FileHistory&&)>& each_file) {
  const LocalSource source(path);
  source.list(
      [&](HistoryFile&& file) {
        each_file(source.read(file));
        return true;
      },
      [&](Diagnostic&& diagnostic) {
        FileHistory passed{diagnostic.where.source, {}, {}, {}};
        passed.diagnostics.push_back(std::move(diagnostic));
        each_file(std::move(passed));
      });
}

}  // namespace wavewright
