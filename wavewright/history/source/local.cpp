#include "wavewright/history/source/local.h"

#include <sys/stat.h>

#include <algorithm>

#include <fmt/format.h>

#include "wavewright/core/byte_order_mark.h"
#include "wavewright/core/checked_file.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/gzip.h"
#include "wavewright/history/findings.h"
#include "wavewright/history/source/content.h"
#include "wavewright/history/source/content_check.h"

namespace wavewright {

namespace {

namespace fs = std::filesystem;
using Severity = Diagnostic::Severity;

// The unique name of a file, from wherever it is named: the import remembers it. A link to a folder is
// resolved; a link to a file keeps its name, because its settings are found by that name.
fs::path one_name(const fs::path& path) {
  std::error_code error;
  const fs::path whole = fs::absolute(path, error);
  if (error) return path;
  const bool folder = fs::is_directory(whole, error) || !whole.has_filename();
  const fs::path parent = fs::weakly_canonical(folder ? whole : whole.parent_path(), error);
  if (error) return whole.lexically_normal();
  return folder ? parent : parent / whole.filename();
}

std::string version_of(const fs::path& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (error) return {};
  const auto changed = fs::last_write_time(path, error);
  if (error) return {};
  return fmt::format("{}@{}", size, changed.time_since_epoch().count());
}

// By the inode's change, not the content's: a file copied here with its old time is new here.
bool changed_before(const fs::path& path, Time since) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return false;
  return static_cast<std::int64_t>(status.st_ctim.tv_sec + 1) * 1000 <= to_ms(since);
}

// Reads the content, but no more than the start of a large file that is no history.
std::string read_limited(const fs::path& path) {
  std::error_code error;
  const auto told = fs::file_size(path, error);
  const std::size_t size = error ? 0 : static_cast<std::size_t>(told);
  if (size > largest_history) {
    throw InputError({path.string()}, "larger than any history: 1 GiB and more", "split it, or leave it out");
  }
  if (size > bytes_to_recognise) {
    std::string start = read_start(path, 4096);
    if (!begins_as_history(start)) return start;  // enough to describe it
  }
  const std::size_t limit = inflated_limit(size, largest_history);
  ContentCheck check(path.string());
  try {
    return read_file_checked(path, limit, [&](std::string_view piece) { check.take(piece); });
  } catch (const InputError& refused) {
    // Only an inflated file can exceed its own limit here.
    if (!refused.problem().starts_with("larger than") || limit == largest_history) throw;
    throw InputError({path.string()}, "inflates to more than 200 times its size, as no history does",
                     "leave it out, or unpack it yourself if it is one");
  }
}

class Walk {
 public:
  Walk(std::optional<Time> since, const std::function<bool(HistoryFile&&)>& found,
       const DiagnosticSink& diagnostics)
      : since_(since), found_(found), diagnostics_(diagnostics) {}

  // False: `found` wants no more.
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
    if (status.type() != fs::file_type::regular) {  // a pipe or a device may never end
      return pass(path, Severity::skipped, "neither a file nor a folder");
    }
    if (since_ && changed_before(path, *since_)) return true;
    const auto size = fs::file_size(path, error);
    return found_({path.string(), version_of(path), error ? 0 : bytes_to_hold(path.string(), size)});
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

  std::optional<Time> since_;
  const std::function<bool(HistoryFile&&)>& found_;
  const DiagnosticSink& diagnostics_;
};

}  // namespace

LocalSource::LocalSource(const fs::path& path, std::optional<Time> since)
    : path_(one_name(path)), since_(since) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(path, error))) {
    throw ExternalError({path.string()}, "no such file or folder", "check the path; nothing was imported");
  }
}

void LocalSource::list(const std::function<bool(HistoryFile&&)>& found,
                       const DiagnosticSink& diagnostics) const {
  Walk walk(since_, found, diagnostics);
  std::error_code error;
  if (fs::is_directory(path_, error)) {
    walk.folder(path_, 0);
  } else {
    walk.file(path_);
  }
}

FileHistory LocalSource::read(const HistoryFile& listed) const {
  FileHistory file{listed.name, {}, {}, {}};
  const fs::path path = listed.name;
  std::string bytes;
  told_in(file, [&] {
    std::error_code error;
    if (!fs::exists(path, error)) throw ExternalError({listed.name}, "gone since it was listed");
    bytes = read_limited(path);
  });
  if (!file.diagnostics.empty()) return file;
  read_content(bytes, file);
  if (!listed.version.empty() && version_of(path) != listed.version) {
    // The version recorded is the old one, so the next import reads the file again.
    file.diagnostics.push_back(diagnosed(Severity::warning, {listed.name},
                                         "changed while it was read: taken as far as it was written"));
  }
  add_settings(file, path.filename().string(), [&](const std::string& name) -> std::optional<std::string> {
    try {
      const fs::path beside = path.parent_path() / name;
      std::error_code error;
      if (!fs::is_regular_file(beside, error)) return std::nullopt;
      return read_file(beside, largest_settings);
    } catch (const Error&) {  // the history counts; a damaged file beside it does not
      return std::nullopt;
    }
  });
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
