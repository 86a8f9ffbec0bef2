// The URL of a store, parsed.
//
//   sqlite:PATH                                a file; `sqlite::memory:` ends with the process
//   postgresql://user:password@host:port/db    also `?host=/socket/folder`, `sslmode=…`, `sslrootcert=…`
//   mariadb://user:password@host:port/db       also `mysql://`; `?socket=/path`, `sslca=…`
//
// Parts may be percent-encoded. If the URL has no password, it comes from WAVEWRIGHT_STORE_PASSWORD.
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
  std::string shown;  // the URL without its password, for messages
};

// Throws UsageError for an unknown kind of URL or option.
[[nodiscard]] StoreUrl parse_store_url(const std::string& url);

// The URL without its password, even if it is malformed: also without one in an option
// (`?password=…`), and without a port that is no number, which may be a password.
[[nodiscard]] std::string shown_url(const std::string& url);

// Is it the URL of a server's store, perhaps malformed, with a password in it?
[[nodiscard]] bool has_password(const std::string& url);

// `configured` if it is the same store with the same options and has the password that `url` lacks; else
// `url`. Throws as parse_store_url for `url`.
[[nodiscard]] std::string with_password_of(const std::string& configured, const std::string& url);

// One file under any name, or one database of one server (by host, port with its default, and user)?
[[nodiscard]] bool same_store(const StoreUrl& a, const StoreUrl& b);

// libpq's URI and SOCI's `key='value'` list for a server.
[[nodiscard]] std::string postgresql_uri(const StoreUrl& where);
[[nodiscard]] std::string mariadb_parameters(const StoreUrl& where);

}  // namespace wavewright
