// One web server of Hadoop, asked by many threads at once.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "wavewright/core/http.h"

namespace wavewright {

struct ServerAnswer {
  int status = 0;
  std::string body;
  std::string problem;  // why it is not the answer wished for; empty = it is
  std::string remedy;
  bool rpc_port = false;  // Hadoop's RPC was asked, which answers no HTTP but says so

  [[nodiscard]] bool good() const { return problem.empty(); }
};

class WebServer {
 public:
  // `base`: `http://host:19888`, no path.
  WebServer(std::string base, std::string ca_file);

  [[nodiscard]] const std::string& base() const { return base_; }

  // Any bytes of status 200 are good; else `problem` says what stands in the way (not there, not allowed,
  // the server's own message). ExternalError where there is no answer.
  [[nodiscard]] ServerAnswer bytes(const std::string& path, const HttpLimits& limits) const;

  // The same, and a web page instead of JSON (of a login or a proxy) is a problem too.
  [[nodiscard]] ServerAnswer json(const std::string& path) const;

  // A problem that concerns the whole server, thrown as ExternalError.
  [[noreturn]] void refuse(const std::string& path, const ServerAnswer& answer) const;

 private:
  std::string base_;
  std::string ca_file_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<HttpClient>> idle_;
};

// Splits `http://host:port/path` into scheme, host (with brackets of IPv6), port (0 = none named), and path.
// Throws UsageError where there is no host or no such port.
struct WebAddress {
  std::string scheme;
  std::string host;
  int port = 0;
  std::string path;
};
[[nodiscard]] WebAddress parse_address(const std::string& where);

// `%25` for `%`: every byte but letters, digits and `-_.~/`.
[[nodiscard]] std::string percent_encoded(std::string_view path);

}  // namespace wavewright
