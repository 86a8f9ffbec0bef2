#include "wavewright/store/connect.h"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

#include <fmt/format.h>
#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include "wavewright/core/error.h"
#include "wavewright/core/system_library.h"

namespace wavewright {

namespace {

namespace fs = std::filesystem;

void make_folder_of(const fs::path& file, const std::string& url) {
  const fs::path folder = file.parent_path();
  if (folder.empty()) return;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw ExternalError({url}, "cannot make the folder " + folder.string() + ": " + error.message(),
                        "name another place with --store sqlite:PATH");
  }
}

void check_file(const StoreUrl& where, Store::Access access) {
  if (where.path == ":memory:") return;
  std::error_code error;
  if (access == Store::Access::create) {
    make_folder_of(where.path, where.shown);
  } else if (!fs::exists(where.path, error)) {
    throw ExternalError({where.shown}, "there is no store yet", "make it with 'wavewright import PATH…'");
  }
  if (fs::is_directory(where.path, error)) {
    throw ExternalError({where.shown}, "is a folder", "name a file in it");
  }
}

// A writer changes the file and creates others beside it.
bool may_write(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  return ::faccessat(AT_FDCWD, file.c_str(), W_OK, AT_EACCESS) == 0 &&
         ::faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) == 0;
}

// If no log of a writer lies beside the file, tells SQLite that nobody writes now. To watch for writers,
// SQLite would create files there: it may not be allowed to, or the files would block the owner.
std::string read_only_options(const fs::path& file) {
  std::error_code error;
  const fs::path whole = fs::absolute(file, error);
  const fs::path log = whole.string() + "-wal";
  const bool logged = fs::exists(log, error) && fs::file_size(log, error) > 0;
  std::string uri = "file://";
  for (const char c : whole.string()) {
    const bool special = c == '%' || c == '?' || c == '#' || c == '"';
    uri += special ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return fmt::format("db=\"{}?mode=ro{}\" timeout=10 readonly=true", uri, logged ? "" : "&immutable=1");
}

std::unique_ptr<soci::session> connect_sqlite(const StoreUrl& where, bool read_only) {
  auto session = std::make_unique<soci::session>(
      soci::sqlite3, read_only ? read_only_options(where.path) : "db=\"" + where.path + "\" timeout=10");
  *session << "pragma synchronous = normal";  // a power cut loses at most the last import
  *session << "pragma foreign_keys = on";
  *session << "pragma cache_size = -16384";  // KiB
  return session;
}

// SOCI's part for a server, which has one function `name`. It loads the server's client library.
const soci::backend_factory& factory_in(SystemLibrary library, const char* name) {
  return *function_in<const soci::backend_factory*()>(library, name)();
}

std::unique_ptr<soci::session> connect_postgresql(const StoreUrl& where) {
  auto session = std::make_unique<soci::session>(
      factory_in(SystemLibrary::soci_postgresql, "factory_postgresql"), postgresql_uri(where));
  std::string encoding;
  *session << "show server_encoding", soci::into(encoding);
  if (encoding != "UTF8") {
    throw ExternalError({where.shown}, "keeps its texts in " + encoding + ", which cannot hold every name",
                        "make the database with 'createdb -E UTF8 -T template0 NAME'");
  }
  return session;
}

std::unique_ptr<soci::session> connect_mariadb(const StoreUrl& where) {
  auto session = std::make_unique<soci::session>(factory_in(SystemLibrary::soci_mysql, "factory_mysql"),
                                                 mariadb_parameters(where));
  *session << "set session transaction isolation level read committed";
  // A text that does not fit is an error, never cut. Backslashes are escapes, as the client library writes.
  *session << "set session sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'";
  return session;
}

std::unique_ptr<soci::session> connect(const StoreUrl& where, bool read_only) {
  switch (where.backend) {
    case Backend::postgresql:
      return connect_postgresql(where);
    case Backend::mariadb:
      return connect_mariadb(where);
    case Backend::sqlite:
      break;
  }
  return connect_sqlite(where, read_only);
}

}  // namespace

std::unique_ptr<Database> connect(const std::string& url, Store::Access access) {
  const StoreUrl where = parse_store_url(url);
  bool read_only = false;
  if (where.backend == Backend::sqlite) {
    check_file(where, access);
    read_only = access != Store::Access::create && where.path != ":memory:" && !may_write(where.path);
  }
  try {
    auto session = connect(where, read_only);
    return std::make_unique<Database>(where, std::move(session), read_only,
                                      [where, read_only] { return connect(where, read_only); });
  } catch (const soci::soci_error& error) {
    try {
      Database(where, nullptr, read_only).refuse(error.what());
    } catch (const InputError& damaged) {
      if (access != Store::Access::damaged) throw;
      throw InputError(
          damaged.where(), damaged.problem(),  // its remedy is what is tried here
          "nothing in it can be read: restore a copy, or import its histories into another store");
    }
  }
}

}  // namespace wavewright
