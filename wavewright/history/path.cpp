#include <algorithm>
#include <new>

#include "wavewright/core/file.h"
#include "wavewright/history/findings.h"
#include "wavewright/history/reader.h"

namespace wavewright {

namespace {

namespace fs = std::filesystem;
using Severity = Diagnostic::Severity;
using FileSink = std::function<void(FileHistory&&)>;

// A history of a million attempts is a few hundred MB; more is no history but a bomb.
constexpr std::size_t largest_history = std::size_t{1} << 30;

// Deeper than any history folder; a mounted loop ends here.
constexpr int deepest_folder = 64;

void skip(const fs::path& path, Severity severity, const std::string& reason, const FileSink& each_file) {
  FileHistory file{path, {}, {}, {}};
  file.diagnostics.push_back(diagnosed(severity, Position{path.string()}, reason));
  each_file(std::move(file));
}

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

FileHistory read_one(const fs::path& path) {
  FileHistory file{path, {}, {}, {}};
  const std::string source = path.string();
  try {
    const std::string bytes = read_file(path, largest_history);
    file.format = format_of(bytes);
    read_history(
        bytes, source, [&](JobRun&& run) { file.runs.push_back(std::move(run)); },
        [&](Diagnostic&& diagnostic) { file.diagnostics.push_back(std::move(diagnostic)); });
  } catch (const Error& error) {
    file.diagnostics.push_back(diagnosed(Severity::skipped, error.where(), error.problem(), error.remedy()));
  } catch (const std::bad_alloc&) {
    file.runs.clear();
    file.diagnostics.push_back(
        diagnosed(Severity::skipped, Position{source}, "not enough memory to read it"));
  }
  return file;
}

void read_file_at(const fs::path& path, const FileSink& each_file) {
  if (stands_beside_histories(path.filename().string())) {
    return skip(path, Severity::note, "passed over: stands beside histories, but is none", each_file);
  }
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    const bool link = fs::is_symlink(fs::symlink_status(path, error));
    return skip(path, Severity::skipped, link ? "a link to nothing" : "no such file or folder", each_file);
  }
  if (status.type() == fs::file_type::none || status.type() == fs::file_type::unknown) {
    return skip(path, Severity::skipped, "cannot read: " + error.message(), each_file);
  }
  if (status.type() != fs::file_type::regular) {  // a pipe or a device would not end
    return skip(path, Severity::skipped, "neither a file nor a folder", each_file);
  }
  each_file(read_one(path));
}

void read_folder(const fs::path& folder, int depth, const FileSink& each_file) {
  std::error_code error;
  std::vector<fs::path> entries;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    entries.push_back(it->path());
  }
  if (error) return skip(folder, Severity::skipped, "cannot read: " + error.message(), each_file);
  if (entries.empty()) return skip(folder, Severity::note, "folder is empty", each_file);
  if (depth > deepest_folder) {
    return skip(folder, Severity::skipped, "folders nested deeper than 64 levels", each_file);
  }
  std::sort(entries.begin(), entries.end());
  for (const fs::path& entry : entries) {
    if (!fs::is_directory(entry, error)) {
      read_file_at(entry, each_file);
    } else if (fs::is_symlink(fs::symlink_status(entry, error))) {
      skip(entry, Severity::note, "passed over: a link to a folder", each_file);
    } else {
      read_folder(entry, depth + 1, each_file);
    }
  }
}

}  // namespace

void read_history_path(const fs::path& path, const FileSink& each_file) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    read_folder(path, 0, each_file);
  } else {
    read_file_at(path, each_file);
  }
}

}  // namespace wavewright
