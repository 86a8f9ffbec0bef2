#include "wavewright/store/url.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/core/percent.h"

namespace wavewright {

namespace {

constexpr std::string_view how =
    "write it like sqlite:runs.db, postgresql://user@host/db or mariadb://user@host/db";

struct Scheme {
  std::string_view prefix;
  Backend backend;
  std::vector<std::string> options;
};

const std::vector<Scheme>& schemes() {
  static const std::vector<Scheme> all = {
      {"postgresql://", Backend::postgresql, {"host", "sslmode", "sslrootcert", "sslcert", "sslkey"}},
      {"postgres://", Backend::postgresql, {"host", "sslmode", "sslrootcert", "sslcert", "sslkey"}},
      {"mariadb://", Backend::mariadb, {"socket", "sslca", "sslcert"}},
      {"mysql://", Backend::mariadb, {"socket", "sslca", "sslcert"}}};
  return all;
}

// Returns the text before the first `mark`; `text` keeps the rest behind it.
std::string_view take_until(std::string_view& text, char mark) {
  const std::size_t at = text.find(mark);
  const std::string_view front = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
  return front;
}

void parse_options(std::string_view query, const Scheme& scheme, StoreUrl& where) {
  while (!query.empty()) {
    std::string_view value = take_until(query, '&');
    const std::string name = percent_decoded(take_until(value, '='));
    if (std::find(scheme.options.begin(), scheme.options.end(), name) == scheme.options.end()) {
      throw UsageError(fmt::format("unknown option '{}' of the store {}", name, where.shown),
                       suggestion(name, scheme.options));
    }
    where.options[name] = percent_decoded(value);
  }
}

constexpr std::string_view sqlite_scheme = "sqlite:";

bool is_port(std::string_view text) {
  return text.size() <= 5 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// `user:password@host:port`; a password may itself contain an @.
void parse_authority(std::string_view authority, StoreUrl& where) {
  const bool has_login = authority.find('@') != std::string_view::npos;
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    std::string_view login = authority.substr(0, at);
    where.user = percent_decoded(take_until(login, ':'));
    where.password = percent_decoded(login);
    authority = authority.substr(at + 1);
  }
  const std::size_t bracket = authority.starts_with('[') ? authority.find(']') : std::string_view::npos;
  if (bracket != std::string_view::npos) {  // [::1]:5432
    where.host = authority.substr(1, bracket - 1);
    authority = authority.substr(bracket + 1);
    if (authority.starts_with(':')) where.port = authority.substr(1);
  } else {
    where.host = percent_decoded(take_until(authority, ':'));
    where.port = authority;
  }
  if (!is_port(where.port)) {
    // Without a login before it, it may be the password of one whose host was forgotten.
    throw UsageError(fmt::format("'{}' has no port but {}", where.shown,
                                 has_login ? "'" + where.port + "'" : "something that is no number"),
                     std::string(how));
  }
}

StoreUrl parse_server(const std::string& url, const Scheme& scheme) {
  StoreUrl where;
  where.backend = scheme.backend;
  where.shown = shown_url(url);
  const std::string_view rest = std::string_view(url).substr(scheme.prefix.size());
  const std::size_t login = rest.rfind('@');  // a raw / in a password is not the end of the host
  const std::size_t slash = rest.find('/', login == std::string_view::npos ? 0 : login);
  const std::size_t mark = rest.find('?', login == std::string_view::npos ? 0 : login);
  parse_authority(rest.substr(0, std::min(slash, mark)), where);
  if (slash != std::string_view::npos && (mark == std::string_view::npos || slash < mark)) {
    std::string_view path = rest.substr(slash + 1);
    where.database = percent_decoded(take_until(path, '?'));
    parse_options(path, scheme, where);
  }
  if (where.database.empty())
    throw UsageError(fmt::format("'{}' names no database", where.shown), std::string(how));
  if (const char* given = std::getenv("WAVEWRIGHT_STORE_PASSWORD");
      given != nullptr && where.password.empty()) {
    where.password = given;
  }
  return where;
}

}  // namespace

std::string to_string(Backend backend) {
  switch (backend) {
    case Backend::postgresql:
      return "PostgreSQL";
    case Backend::mariadb:
      return "MariaDB";
    case Backend::sqlite:
      break;
  }
  return "SQLite";
}

StoreUrl parse_store_url(const std::string& url) {
  if (url.starts_with(sqlite_scheme)) {
    StoreUrl where;
    where.path = url.substr(sqlite_scheme.size());
    where.shown = url;
    if (where.path.empty()) {
      throw UsageError(fmt::format("'{}' names no file", url), "write it like sqlite:runs.db");
    }
    if (where.path.find('"') != std::string::npos) {
      throw UsageError(fmt::format("'{}' names a file with a quote (\") in its name or folder", url),
                       "no store can have one: name another file");
    }
    return where;
  }
  for (const Scheme& scheme : schemes()) {
    if (url.starts_with(scheme.prefix)) return parse_server(url, scheme);
  }
  throw UsageError(fmt::format("'{}' is not a store", shown_url(url)), std::string(how));
}

namespace {

// Behind `://`, if there is one.
std::size_t beginning_of_authority(const std::string& url) {
  const std::size_t scheme = url.find("://");
  return scheme == std::string::npos ? 0 : scheme + 3;
}

// Removes the values of options whose name has `pass` in it.
std::string without_password_options(const std::string& url) {
  std::string shown = url;
  for (std::size_t at = shown.find('?'); at != std::string::npos; at = shown.find_first_of("?&", at + 1)) {
    const std::size_t equals = shown.find_first_of("=&", at + 1);
    if (equals == std::string::npos || shown[equals] != '=') continue;
    const std::string name = percent_decoded(std::string_view(shown).substr(at + 1, equals - at - 1));
    if (name.find("pass") == std::string::npos) continue;
    const std::size_t end = std::min(shown.find('&', equals), shown.size());
    shown.erase(equals + 1, end - equals - 1);
  }
  return shown;
}

// The password of the login, with the colon before it.
struct Piece {
  std::size_t begin = 0, length = 0;
};
std::optional<Piece> login_password(const std::string& url) {
  const std::size_t begin = beginning_of_authority(url);
  const std::size_t at = url.rfind('@');
  const std::size_t colon = url.find(':', begin);
  if (at == std::string::npos || colon == std::string::npos || colon > at) return std::nullopt;
  return Piece{colon, at - colon};
}

// A port that is no number, with the colon before it, where no login stands before the host.
std::optional<Piece> odd_port(const std::string& url) {
  const std::size_t begin = beginning_of_authority(url);
  if (begin == 0 || url.find('@') != std::string::npos) return std::nullopt;
  const std::size_t end = std::min(url.find_first_of("/?", begin), url.size());
  const std::size_t bracket = url[begin] == '[' ? url.find(']', begin) : begin;
  const std::size_t colon = url.find(':', bracket == std::string::npos ? begin : bracket);
  if (colon >= end || is_port(std::string_view(url).substr(colon + 1, end - colon - 1))) return std::nullopt;
  return Piece{colon, end - colon};
}

}  // namespace

std::string shown_url(const std::string& url) {
  if (url.starts_with(sqlite_scheme)) return url;
  std::string shown = without_password_options(url);
  for (const auto& secret : {login_password(shown), odd_port(shown)}) {
    if (!secret) continue;
    shown.erase(secret->begin, secret->length);
    break;
  }
  return shown;
}

bool has_password(const std::string& url) {
  const auto is_of = [&](const Scheme& scheme) { return url.starts_with(scheme.prefix); };
  if (std::none_of(schemes().begin(), schemes().end(), is_of)) return false;
  const std::string rest = without_password_options(url);
  const std::optional<Piece> login = login_password(rest);
  return rest != url || (login && login->length > 1);
}

std::string with_password_of(const std::string& configured, const std::string& url) {
  const StoreUrl asked = parse_store_url(url);
  if (has_password(url) || !has_password(configured)) return url;
  try {
    const StoreUrl known = parse_store_url(configured);
    return same_store(known, asked) && known.options == asked.options ? configured : url;
  } catch (const UsageError&) {  // another store's fault
    return url;
  }
}

namespace {

bool same_file(const std::string& a, const std::string& b) {
  if (a == ":memory:" || b == ":memory:") return false;
  std::error_code error;
  if (std::filesystem::equivalent(a, b, error)) return true;  // also through links
  const auto whole = [&](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
  };
  return whole(a) == whole(b);
}

// Server, database and user in a normal form.
std::vector<std::string> place_of(const StoreUrl& where) {
  std::string host = where.host;
  std::transform(host.begin(), host.end(), host.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (host.empty() || host == "127.0.0.1" || host == "::1") host = "localhost";
  std::string port = where.port;
  if (port.empty()) port = where.backend == Backend::mariadb ? "3306" : "5432";
  std::vector<std::string> place = {host, port, where.database, where.user};
  for (const char* name : {"host", "socket"}) {
    const auto option = where.options.find(name);
    place.push_back(option == where.options.end() ? std::string() : option->second);
  }
  return place;
}

}  // namespace

bool same_store(const StoreUrl& a, const StoreUrl& b) {
  if (a.backend != b.backend) return false;
  return a.backend == Backend::sqlite ? same_file(a.path, b.path) : place_of(a) == place_of(b);
}

std::string postgresql_uri(const StoreUrl& where) {
  std::string uri = "postgresql://";
  if (!where.user.empty()) {
    uri += percent_encoded(where.user, is_unreserved);
    if (!where.password.empty()) uri.append(":").append(percent_encoded(where.password, is_unreserved));
    uri += '@';
  }
  uri += where.host.find(':') != std::string::npos ? fmt::format("[{}]", where.host)
                                                   : percent_encoded(where.host, is_unreserved);
  if (!where.port.empty()) uri.append(":").append(where.port);
  uri.append("/").append(percent_encoded(where.database, is_unreserved));
  // Without this libpq writes notices and warnings to standard error.
  uri += "?connect_timeout=10&application_name=wavewright&client_encoding=UTF8";
  uri += "&options=-c%20client_min_messages%3Derror";
  if (where.user.empty() && !where.password.empty())
    uri.append("&password=").append(percent_encoded(where.password, is_unreserved));
  for (const auto& [name, value] : where.options)
    uri += fmt::format("&{}={}", name, percent_encoded(value, is_unreserved));
  return uri;
}

std::string mariadb_parameters(const StoreUrl& where) {
  std::string all;
  const auto add = [&](std::string_view name, std::string_view value) {
    if (value.empty()) return;
    all += fmt::format("{}{}='", all.empty() ? "" : " ", name);
    for (const char c : value) {
      if (c == '\'' || c == '\\') all += '\\';
      all += c;
    }
    all += "'";
  };
  add("db", where.database);
  add("user", where.user);
  add("password", where.password);
  add("host", where.host);
  if (!where.port.empty()) all.append(" port=").append(where.port);
  for (const auto& [name, value] : where.options) add(name == "socket" ? "unix_socket" : name, value);
  all += " charset=utf8mb4 connect_timeout=10";
  return all;
}

}  // namespace wavewright
