// A web server of Hadoop, perhaps with standbys; many threads may ask it at once.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/core/http.h"

namespace wavewright {

struct ServerAnswer {
  int status = 0;
  std::string body;
  std::string problem;  // why it is unusable; empty = it is usable
  std::string remedy;
  bool rpc_port = false;                    // the port is Hadoop's RPC, which does not speak HTTP but says so
  bool standby = false;                     // another server is the active one, or none is
  std::optional<Time> date = std::nullopt;  // as HttpResponse::date

  [[nodiscard]] bool good() const { return problem.empty(); }
};

class WebServer {
 public:
  // `base`: `http://host:19888`, no path.
  WebServer(std::string base, std::string ca_file, InterruptFlag interrupted = nullptr);
  // A server and its standbys, at least one address. A question goes to the one that answered last, and on to
  // the others if that one gives no answer or is a standby. None is followed to an address that is not here.
  WebServer(std::vector<std::string> bases, std::string ca_file, InterruptFlag interrupted = nullptr);
  virtual ~WebServer() = default;
  WebServer(const WebServer&) = delete;
  WebServer& operator=(const WebServer&) = delete;
  WebServer(WebServer&&) = delete;
  WebServer& operator=(WebServer&&) = delete;

  // The one that answered last.
  [[nodiscard]] const std::string& base() const { return bases_[current_.load()]; }
  [[nodiscard]] const std::vector<std::string>& bases() const { return bases_; }

  // Any bytes with status 200 are good; otherwise `problem` gives the reason (not found, not allowed, the
  // server's own message). Throws ExternalError if there is no answer, and as HttpClient::get. Of several
  // addresses that give none it is a TlsFailure if one of these is.
  [[nodiscard]] ServerAnswer bytes(const std::string& path, const HttpLimits& limits,
                                   const HttpClient::TakePiece& take = {}) const;

  // As `bytes`; a web page instead of JSON (of a login or a proxy) is a problem, too. `interrupted` ends the
  // wait, as that of the constructor does.
  [[nodiscard]] ServerAnswer json(const std::string& path, InterruptFlag interrupted = nullptr,
                                  std::chrono::milliseconds silence = HttpLimits().silence) const;

  // As `json`, from the address with that place in `bases` alone.
  [[nodiscard]] ServerAnswer json_of(std::size_t which, const std::string& path) const;
  // From now on the address with that place is asked first.
  void prefer(std::size_t which) const { current_ = which; }

  // Sends the body by PUT. Throws ExternalError if there is no answer: the request may have had its effect.
  [[nodiscard]] ServerAnswer put(const std::string& path, const std::string& body,
                                 const std::string& type) const;

  // Throws a problem of the whole server as ExternalError.
  [[noreturn]] void refuse(const std::string& path, const ServerAnswer& answer) const;

 protected:
  // One question to one address. Tests answer it themselves.
  [[nodiscard]] virtual ServerAnswer ask(std::size_t which, const std::string& path, HttpLimits limits,
                                         const HttpClient::TakePiece& take) const;

 private:
  [[nodiscard]] std::unique_ptr<HttpClient> client() const;
  void give_back(std::unique_ptr<HttpClient> client) const;

  std::vector<std::string> bases_;
  std::string ca_file_;
  InterruptFlag interrupted_;
  mutable std::atomic<std::size_t> current_{0};
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<HttpClient>> idle_;
};

// Splits `http://host:port/path` into scheme, host (with the brackets of IPv6), port (0 = none) and path.
// Throws UsageError without a host or with an invalid port.
struct WebAddress {
  std::string scheme;
  std::string host;
  int port = 0;
  std::string path;
};
[[nodiscard]] WebAddress parse_address(const std::string& where);

// `SCHEME://HOST:PORT` of an address of `http` or `https`. Without a port it gets the default of the Hadoop
// server whose default for http is `http_port`; for https that is another one: 8090 of a ResourceManager
// (8088), 19890 of a JobHistory server (19888), 9871 of a NameNode (9870). With the http port of no such
// server an address of https stays without a port.
//
// Source: Hadoop 3.4, yarn-default.xml, mapred-default.xml, hdfs-default.xml (`*.webapp.https.address`,
// `dfs.namenode.https-address`).
[[nodiscard]] std::string web_base(const WebAddress& address, int http_port);

// Encodes every byte but letters, digits and `-_.~/`: `%25` for `%`.
[[nodiscard]] std::string percent_encoded(std::string_view path);

}  // namespace wavewright
