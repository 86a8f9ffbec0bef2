#include "wavewright/history/source/webhdfs.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/history/findings.h"
#include "wavewright/history/json.h"
#include "wavewright/history/source/content.h"
#include "wavewright/history/source/hdfs_walk.h"
#include "wavewright/history/text.h"

namespace wavewright {

namespace {

// HDFS allows a million per folder by default (dfs.namenode.fs-limits.max-directory-items).
constexpr std::size_t most_entries = 5'000'000;

// An address for each NameNode of `hdfs://a:1,b:2/path`.
std::vector<WebAddress> addresses_of(const std::string& where) {
  const std::size_t host = where.find("://") + 3;
  const std::size_t end = std::min(where.find_first_of("/?#", host), where.size());
  if (where.substr(host, end - host).find('@') != std::string::npos)
    return {parse_address(where)};  // refuses
  std::vector<WebAddress> addresses;
  for (std::size_t begin = host; begin <= end;) {
    const std::size_t comma = std::min(where.find(',', begin), end);
    addresses.push_back(
        parse_address(where.substr(0, host) + where.substr(begin, comma - begin) + where.substr(end)));
    begin = comma + 1;
  }
  return addresses;
}

// Hadoop's own programs name a NameNode by its RPC port, 8020 or 9000 in most clusters.
bool names_rpc_port(const WebAddress& address) {
  return address.scheme == "hdfs" && (address.port == 8020 || address.port == 9000);
}

std::string web_server_of(const WebAddress& address) {
  constexpr int http_port = 9870;
  return web_base({.scheme = address.scheme == "swebhdfs" ? "https" : "http",
                   .host = address.host,
                   .port = names_rpc_port(address) ? 0 : address.port,
                   .path = {}},
                  http_port);
}

std::vector<std::string> web_servers_of(const std::string& where) {
  std::vector<std::string> servers;
  for (const WebAddress& address : addresses_of(where)) {
    std::string server = web_server_of(address);
    if (std::find(servers.begin(), servers.end(), server) != servers.end())
      throw UsageError(server + " is named twice", "name each NameNode once");
    servers.push_back(std::move(server));
  }
  return servers;
}

std::string how_to_write(const std::string& path) {
  return fmt::format(
      "write hdfs://HOST:PORT{0} with the NameNode's web port (dfs.namenode.http-address, usually 9870), not "
      "the RPC port of fs.defaultFS (8020, 9000), and a pair as hdfs://HOST1:PORT,HOST2:PORT{0}",
      path);
}

// Removes query, `//` and a slash at the end.
std::string tidy(const std::string& path) {
  std::string out;
  for (const char c : path.substr(0, path.find_first_of("?#"))) {
    if (c != '/' || !out.ends_with('/')) out += c;
  }
  if (out.size() > 1 && out.ends_with('/')) out.pop_back();
  return out.empty() ? "/" : out;
}

HdfsEntry entry_of(json::Value told) {
  HdfsEntry entry;
  entry.name = json::text(told, "pathSuffix");
  entry.folder = json::text(told, "type") == "DIRECTORY";
  entry.link = json::text(told, "type") == "SYMLINK";
  entry.length = std::max<std::int64_t>(json::integer(told, "length").value_or(0), 0);
  entry.changed_ms = std::max<std::int64_t>(json::integer(told, "modificationTime").value_or(0), 0);
  return entry;
}

}  // namespace

std::string note_of_rpc_ports(const std::string& where) {
  std::string note;
  if (!where.starts_with("hdfs://")) return note;
  for (const WebAddress& address : addresses_of(where)) {
    if (!names_rpc_port(address)) continue;
    note += fmt::format("{}{}:{} is an RPC port: WebHDFS is asked at {}", note.empty() ? "" : "; ",
                        address.host, address.port, web_server_of(address));
  }
  return note;
}

bool webhdfs_asks_for_ticket(const std::string& where, const SourceOptions& options) {
  HttpClient client(options.ca_file, options.interrupted);
  std::string path = "/webhdfs/v1/?op=GETFILESTATUS";
  if (const std::string user = webhdfs_user(options); !user.empty())
    path += "&user.name=" + percent_encoded(user);
  for (const std::string& server : web_servers_of(where)) {
    try {
      // With this header the client offers no ticket, as a task has none to offer.
      return client.get(server + path, {"Authorization: none"}).asks_for_ticket;
    } catch (const ExternalError&) {  // the listing says so
    }
  }
  return false;
}

std::string webhdfs_user(const SourceOptions& options) {
  if (!options.user.empty()) return options.user;
  if (const char* name = std::getenv("HADOOP_USER_NAME"); name != nullptr && *name != '\0') return name;
  if (const passwd* entry = ::getpwuid(::getuid()); entry != nullptr) return entry->pw_name;
  return {};
}

HdfsListing hdfs_listing(std::string_view answer, const std::string& url) {
  json::Document document;
  HdfsListing listing;
  json::Value root = document.parse(answer, url);
  if (const auto one = json::member(root, "FileStatus")) {
    listing.entries.push_back(entry_of(*one));
    return listing;
  }
  if (const auto batch = json::member(root, "DirectoryListing")) {
    listing.left = std::max<std::int64_t>(json::integer(*batch, "remainingEntries").value_or(0), 0);
    if (const auto part = json::member(*batch, "partialListing")) root = *part;
  }
  const auto statuses = json::member(root, "FileStatuses");
  if (!statuses) throw InputError({url}, "no answer of WebHDFS", "check that this is a NameNode's web port");
  json::for_each(*statuses, "FileStatus", [&](json::Value told) {
    listing.entries.push_back(entry_of(told));
    // A name with a `/` could lead elsewhere.
    const std::string& name = listing.entries.back().name;
    if (name.find('/') != std::string::npos || name == "." || name == "..") listing.entries.pop_back();
  });
  return listing;
}

WebHdfsSource::WebHdfsSource(const std::string& where, const SourceOptions& options)
    : user_(webhdfs_user(options)),
      since_(options.since),
      server_(web_servers_of(where), options.ca_file, options.interrupted) {
  const WebAddress address = addresses_of(where).front();
  const std::string& base = server_.bases().front();
  prefix_ = address.scheme + base.substr(base.find("://"));
  path_ = tidy(address.path);
}

std::string WebHdfsSource::query(const std::string& path, const std::string& operation) const {
  std::string text = "/webhdfs/v1" + percent_encoded(path) + "?op=" + operation;
  if (!user_.empty()) text += "&user.name=" + percent_encoded(user_);
  return text;
}

// Lists in batches, or at once if Hadoop is older than 2.8.
HdfsListing WebHdfsSource::listing(const std::string& path) const {
  HdfsListing all;
  std::string operation = "LISTSTATUS_BATCH";
  for (std::string after;;) {
    const std::string asked =
        query(path, operation) + (after.empty() ? "" : "&startAfter=" + percent_encoded(after));
    const ServerAnswer answer = server_.json(asked);
    if (answer.status == 400 && operation == "LISTSTATUS_BATCH") {
      operation = "LISTSTATUS";
      continue;
    }
    if (!answer.good()) {
      throw InputError({prefix_ + path}, "folder " + answer.problem, answer.remedy);
    }
    HdfsListing part = hdfs_listing(answer.body, prefix_ + path);
    const bool more = part.left > 0 && !part.entries.empty() && part.entries.back().name != after;
    if (more) after = part.entries.back().name;
    std::move(part.entries.begin(), part.entries.end(), std::back_inserter(all.entries));
    if (!more) return all;
    if (all.entries.size() > most_entries) {
      throw InputError({prefix_ + path}, "folder with more than five million files",
                       "name a folder within it");
    }
  }
}

void WebHdfsSource::list(const std::function<bool(HistoryFile&&)>& found,
                         const DiagnosticSink& diagnostics) const {
  const std::string asked = query(path_, "GETFILESTATUS");
  ServerAnswer answer;
  try {
    answer = server_.json(asked);
  } catch (const TlsFailure&) {  // the address is well
    throw;
  } catch (const ExternalError& error) {
    throw ExternalError(error.where(), error.problem(), how_to_write(path_) + "; " + error.remedy());
  }
  if (answer.rpc_port) throw ExternalError({prefix_ + path_}, answer.problem, how_to_write(path_));
  if (answer.standby)
    throw ExternalError({prefix_ + path_}, answer.problem,
                        fmt::format("{}, or both: hdfs://HOST1:PORT,HOST2:PORT{}", answer.remedy, path_));
  if (!answer.good()) throw ExternalError({prefix_ + path_}, answer.problem, answer.remedy);
  HdfsEntry root;
  try {
    root = hdfs_listing(answer.body, prefix_ + path_).entries.at(0);
  } catch (const InputError& error) {
    throw ExternalError(error.where(), error.problem(), error.remedy());
  }
  HdfsWalk walk({prefix_, since_, [&](const std::string& path) { return listing(path); }}, found,
                diagnostics);
  if (root.folder) {
    walk.folder(path_, 0);
  } else {
    walk.file(path_, root);
  }
}

std::optional<std::string> WebHdfsSource::open_at_one(const std::string& path, ContentReading::What what,
                                                      ServerAnswer& answer) const {
  const std::size_t limit = what == ContentReading::What::history ? largest_history : largest_settings;
  HttpLimits limits;
  limits.redirects = Redirects::any;
  limits.body = limit;
  ContentReading reading(prefix_ + path, what, limit);
  try {
    answer = server_.bytes(query(path, "OPEN"), limits, [&](std::string_view piece) { reading.take(piece); });
  } catch (const ContentReading::NoHistory&) {
    return std::move(reading).finish();
  }
  if (!answer.good()) return std::nullopt;
  return std::move(reading).finish();
}

bool WebHdfsSource::another_answers(const std::string& asked) const {
  if (server_.bases().size() == 1) return false;
  (void)server_.json(query("/", "GETFILESTATUS"));
  return server_.base() != asked;
}

std::optional<std::string> WebHdfsSource::open(const std::string& path, ContentReading::What what,
                                               ServerAnswer& answer) const {
  const std::string asked = server_.base();
  try {
    std::optional<std::string> bytes = open_at_one(path, what, answer);
    if (bytes || !answer.standby || !another_answers(asked)) return bytes;
  } catch (const ExternalError&) {
    if (!another_answers(asked)) throw;
  }
  return open_at_one(path, what, answer);
}

FileHistory WebHdfsSource::read(const HistoryFile& listed) const {
  FileHistory file{listed.name, {}, {}, {}};
  const std::string path = listed.name.substr(std::min(prefix_.size(), listed.name.size()));
  std::optional<std::string> bytes;
  bool no_answer = false;
  told_in(file, [&] {
    ServerAnswer answer;
    try {
      bytes = open(path, ContentReading::What::history, answer);
    } catch (const ExternalError&) {
      no_answer = true;
      throw;
    }
    if (!bytes) throw InputError({listed.name}, "file " + answer.problem, answer.remedy);
  });
  // One DataNode may be gone, or this file too large, while all others can be read. Is the NameNode alive?
  if (no_answer) (void)server_.json(query("/", "GETFILESTATUS"));
  if (!bytes) return file;
  read_content(*bytes, file);
  const std::size_t slash = path.rfind('/');
  add_settings(file, path.substr(slash + 1), [&](const std::string& name) -> std::optional<std::string> {
    try {
      ServerAnswer answer;
      return open(path.substr(0, slash + 1) + name, ContentReading::What::settings, answer);
    } catch (const Error&) {  // the history counts; faults beside it do not
      return std::nullopt;
    }
  });
  return file;
}

}  // namespace wavewright
