// A folder or file in HDFS, through the NameNode's web port.
//
// `hdfs://HOST:PORT/PATH` and `webhdfs://…` use http (default port 9870), `swebhdfs://…` https (9871). Behind
// `hdfs://`, the ports 8020 and 9000 are Hadoop's usual RPC ports: WebHDFS is asked at the default port of
// that host. A NameNode and its standbys stand with commas, `hdfs://HOST1:PORT,HOST2:PORT/PATH`; the active
// one is asked, whichever it is, and files are named by the first.
//
// Numbered folders (the JobHistory server's done folder, YYYY/MM/DD/NNNNNN) are walked from the highest
// number down, other folders and files from the latest change back. `since` skips files changed before it,
// and whole days of a done folder. A version is the length and the time of change. File bytes come from
// DataNodes, to which the NameNode redirects.
#pragma once

#include "wavewright/history/source.h"
#include "wavewright/history/source/content_reading.h"
#include "wavewright/history/source/server.h"

namespace wavewright {

struct HdfsEntry {
  std::string name;  // empty = the requested path itself
  bool folder = false;
  bool link = false;
  std::int64_t length = 0;
  std::int64_t changed_ms = 0;
};

// A response to LISTSTATUS, LISTSTATUS_BATCH (`left`: entries still to come) or GETFILESTATUS. Throws
// InputError for any other.
struct HdfsListing {
  std::vector<HdfsEntry> entries;
  std::int64_t left = 0;
};
[[nodiscard]] HdfsListing hdfs_listing(std::string_view answer, const std::string& url);

// Who asks: the options' user, else HADOOP_USER_NAME, else the login name; empty if nobody knows.
[[nodiscard]] std::string webhdfs_user(const SourceOptions& options);

// Where WebHDFS is asked at another port than `where` names: says so; else empty. Throws UsageError if
// `where` is malformed.
[[nodiscard]] std::string note_of_rpc_ports(const std::string& where);

// Does a NameNode of the place want a Kerberos ticket? False, too, if none answers. Throws UsageError if
// `where` is malformed; Interrupted.
[[nodiscard]] bool webhdfs_asks_for_ticket(const std::string& where, const SourceOptions& options);

class WebHdfsSource : public HistorySource {
 public:
  // Throws UsageError if `where` is malformed.
  WebHdfsSource(const std::string& where, const SourceOptions& options);

  void list(const std::function<bool(HistoryFile&&)>& found,
            const DiagnosticSink& diagnostics) const override;
  [[nodiscard]] FileHistory read(const HistoryFile& listed) const override;

 private:
  friend class HdfsWalk;

  [[nodiscard]] std::string query(const std::string& path, const std::string& operation) const;
  [[nodiscard]] HdfsListing listing(const std::string& path) const;
  [[nodiscard]] std::optional<std::string> open(const std::string& path, ContentReading::What what,
                                                ServerAnswer& answer) const;
  [[nodiscard]] std::optional<std::string> open_at_one(const std::string& path, ContentReading::What what,
                                                       ServerAnswer& answer) const;
  // Looks for the active one. Is it another than `asked`? Throws ExternalError if none is active.
  [[nodiscard]] bool another_answers(const std::string& asked) const;

  std::string prefix_;  // `hdfs://host:9870` of the first NameNode, the start of names
  std::string path_;
  std::string user_;
  std::optional<Time> since_;
  WebServer server_;
};

}  // namespace wavewright
