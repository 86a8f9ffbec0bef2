// Where a store is: a URL taken apart.
//
//   sqlite:PATH                                   a file; `sqlite::memory:` for one that ends with the
//   process postgresql://user:password@host:port/db       also `?host=/socket/folder`, `sslmode=…`,
//   `sslrootcert=…` mariadb://user:password@host:port/db          also `mysql://`; `?socket=/path`, `sslca=…`
//
// Parts may be percent-encoded. A password that is not in the URL comes from WAVEWRIGHT_STORE_PASSWORD.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace wavewright {

enum class Backend : std::uint8_t { sqlite, postgresql, mariadb };

// `SQLite`, `PostgreSQL`, `MariaDB`.
[[nodiscard]] std::string to_string(Backend backend);

struct StoreUrl {
  Backend backend = Backend::sqlite;
  std::string path;  // SQLite's file
  std::string user;
  std::string password;
  std::string host;  // empty = the client library's default
  std::string port;
  std::string database;
  std::map<std::string, std::string> options;
  std::string shown;  // the URL without its password: what messages name
};

// UsageError for an unknown kind of URL or option.
[[nodiscard]] StoreUrl parse_store_url(const std::string& url);

// The URL without its password, whatever it is.
[[nodiscard]] std::string shown_url(const std::string& url);

// Whether both are one and the same: one file however it is named, or one database of one server (by its
// name, its port with the usual one added, and who asks).
[[nodiscard]] bool same_store(const StoreUrl& a, const StoreUrl& b);

// libpq's URI and SOCI's `key='value'` list for a server.
[[nodiscard]] std::string postgresql_uri(const StoreUrl& where);
[[nodiscard]] std::string mariadb_parameters(const StoreUrl& where);

}  // namespace wavewright
