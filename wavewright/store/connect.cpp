#include "wavewright/store/connect.h"

#include <filesystem>

#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view sqlite_scheme = "sqlite:";

void make_folder_of(const fs::path& file, const std::string& url) {
  const fs::path folder = file.parent_path();
  if (folder.empty()) return;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw OutsideError({url}, "cannot make the folder " + folder.string() + ": " + error.message(),
                       "name another place with --store sqlite:PATH");
  }
}

std::unique_ptr<soci::session> connect_sqlite(const std::string& path, const std::string& url,
                                              Store::Access access) {
  if (path.empty() || path.find('"') != std::string::npos) {
    throw UsageError("'" + url + "' names no file", "write it like sqlite:runs.db");
  }
  if (path != ":memory:") {
    std::error_code error;
    if (access == Store::Access::create) {
      make_folder_of(path, url);
    } else if (!fs::exists(path, error)) {
      throw OutsideError({url}, "there is no store yet", "make it with 'wavewright import PATH…'");
    }
    if (fs::is_directory(path, error)) throw OutsideError({url}, "is a folder", "name a file in it");
  }
  auto session = std::make_unique<soci::session>(soci::sqlite3, "db=\"" + path + "\" timeout=10");
  // Readers and one writer do not wait for each other; a power cut loses no more than the last import.
  if (access == Store::Access::create) *session << "pragma journal_mode = wal";
  *session << "pragma synchronous = normal";
  *session << "pragma foreign_keys = on";
  return session;
}

}  // namespace

std::unique_ptr<soci::session> connect(const std::string& url, Store::Access access) {
  if (url.starts_with(sqlite_scheme)) {
    try {
      return connect_sqlite(url.substr(sqlite_scheme.size()), url, access);
    } catch (const soci::soci_error& error) {
      refuse(url, error.what());
    }
  }
  throw UsageError("'" + url + "' is not a store", "write it like sqlite:runs.db");
}

void refuse(const std::string& url, const std::string& message) {
  const bool locked = message.find("locked") != std::string::npos;
  throw OutsideError({url}, "the store failed: " + message.substr(0, message.find(" while ")),
                     locked
                         ? "another program is writing to it: try again when it is done"
                         : "check that it is a store of Wavewright, that you may write to it and its folder, "
                           "and that the disk has room; or name another with --store");
}

}  // namespace wavewright
