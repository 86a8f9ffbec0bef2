// HTTP(S) as a client: libcurl with limits that a hostile or broken server cannot pass.
//
// One client keeps its connections and serves one thread at a time. Certificates are always checked, and a
// redirect never leads from https to http. Proxies are those of the environment (`http_proxy`, `no_proxy`).
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace wavewright {

enum class Redirects {
  none,       // a redirect is an error that names where it leads
  same_host,  // followed within the host and port asked
  any         // WebHDFS hands a file's bytes out through its DataNodes
};

struct HttpLimits {
  std::size_t body = std::size_t{1} << 30;    // bytes, inflated
  std::chrono::milliseconds connect{10'000};  // to connect
  std::chrono::milliseconds silence{60'000};  // without a byte; whole seconds, at least 1
  std::chrono::milliseconds total{900'000};   // an answer from end to end, however steadily it drips
  Redirects redirects = Redirects::same_host;
};

struct HttpResponse {
  int status = 0;  // 200
  std::string content_type;
  std::string url;  // after redirects
  std::string body;
};

class HttpClient {
 public:
  // `ca_file`: certificates to trust besides the system's; empty = none.
  explicit HttpClient(const std::string& ca_file = {});
  ~HttpClient();
  HttpClient(HttpClient&&) noexcept;
  HttpClient& operator=(HttpClient&&) noexcept;
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // Any status is an answer; ExternalError (with the URL, without its query's secrets) where there is none:
  // no such host, refused, TLS failure, timeout, cut off, too large, redirected where it may not go.
  [[nodiscard]] HttpResponse get(const std::string& url, const std::vector<std::string>& headers = {},
                                 const HttpLimits& limits = {});

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
};

}  // namespace wavewright
