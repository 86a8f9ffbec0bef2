#include "wavewright/history/source/webhdfs.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <tuple>

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

std::string name_node_of(const WebAddress& address) {
  const bool secure = address.scheme == "swebhdfs";
  const int port = address.port != 0 ? address.port : secure ? 9871 : 9870;
  return fmt::format("{}://{}:{}", secure ? "https" : "http", address.host, port);
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
      server_(name_node_of(parse_address(where)), options.ca_file, options.interrupted) {
  const WebAddress address = parse_address(where);
  const std::string& base = server_.base();
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
  } catch (const ExternalError& error) {
    throw ExternalError(error.where(), error.problem(),
                        "give the NameNode's web port (dfs.namenode.http-address, usually 9870), not the RPC "
                        "port of fs.defaultFS (8020, 9000); " +
                            error.remedy());
  }
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

std::optional<std::string> WebHdfsSource::open(const std::string& path, ContentReading::What what,
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
