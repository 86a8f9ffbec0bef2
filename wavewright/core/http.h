// HTTP(S) client: libcurl with limits that protect against a hostile or broken server.
//
// A client keeps its connections and cookies, and serves one thread at a time. Certificates are always
// checked, and a redirect never leads from https to http. Proxies come from the environment (`http_proxy`,
// `no_proxy`).
//
// A server that asks for a Kerberos ticket (401 with `WWW-Authenticate: Negotiate`, SPNEGO, RFC 4559) gets
// one for its host from the ticket cache of this account or from the keytab of core/keytab.h. A server behind
// a redirect to another host gets none. The cookie with which Hadoop answers spares later requests the
// ticket.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/core/error.h"
#include "wavewright/core/interrupted.h"
#include "wavewright/core/time.h"

namespace wavewright {

// The server's certificate cannot be trusted, or it does not speak TLS. No request was sent.
class TlsFailure : public ExternalError {
 public:
  using ExternalError::ExternalError;
};

enum class Redirects {
  none,       // a redirect is an error that names its target
  same_host,  // followed if host and port stay the same
  told,       // likewise; a redirect elsewhere is the response, with its target
  any         // WebHDFS redirects to a DataNode for a file's bytes
};

struct HttpLimits {
  std::size_t body = std::size_t{1} << 30;    // bytes, inflated
  std::chrono::milliseconds connect{10'000};  // to connect
  std::chrono::milliseconds silence{60'000};  // without any byte received; whole seconds, at least 1
  std::chrono::milliseconds total{900'000};   // for the whole response, however slowly it arrives
  Redirects redirects = Redirects::same_host;
  InterruptFlag interrupted = nullptr;  // ends the wait for this response, as the client's own does
};

// Whose signature a request gets, by AWS Signature Version 4. None of it but the key's id and the session
// token leaves this process.
struct AwsSigner {
  std::string key_id, secret;
  std::string session_token = {};  // of temporary credentials; empty = none
  std::string region, service;     // `eu-west-1`, `ec2`
};

struct HttpRequest {
  std::string url;
  std::vector<std::string> headers = {};  // `Name: value`; with `Authorization` no Kerberos ticket is offered
  std::string method = "GET";
  std::string body = {};  // not of GET
  bool direct = false;    // past the proxies of the environment
  // Sent once at most, over a new connection: over one that was kept, and broke before the answer, libcurl
  // sends a request again by itself.
  bool once = false;
  // Signed by libcurl. Only a body sent to a path without a query may be: libcurl 7.88 signs a query as it
  // stands, without sorting and encoding it (its issues 9717, 8107 and 11794).
  std::optional<AwsSigner> signer = {};
};

struct HttpResponse {
  int status = 0;  // such as 200
  std::string content_type;
  std::string url;  // after redirects
  std::string body;
  std::string redirect = {};      // target of a redirect that was not followed
  bool asks_for_ticket = false;   // the server wants a Kerberos ticket and did not take ours
  std::string no_ticket = {};     // why there was none to give, in the words of the Kerberos library
  std::optional<Time> date = {};  // when it was made, by the server's clock, in whole seconds
};

// Reads the value of an HTTP header `Date`, such as `Sun, 06 Nov 1994 08:49:37 GMT`. Absent if it is none.
// Source: RFC 9110, 5.6.7 (IMF-fixdate, the only form that is sent today).
[[nodiscard]] std::optional<Time> parse_http_date(const std::string& text);

class HttpClient {
 public:
  // `ca_file`: certificates to trust besides the system's; empty = none. `interrupted` ends a wait.
  explicit HttpClient(const std::string& ca_file = {}, InterruptFlag interrupted = nullptr);
  ~HttpClient();
  HttpClient(HttpClient&&) noexcept;
  HttpClient& operator=(HttpClient&&) noexcept;
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  using TakePiece = std::function<void(std::string_view piece)>;

  // Returns any response, whatever its status. Throws ExternalError if there is none: unknown host, refused,
  // TLS failure (TlsFailure), timeout, cut off, too large, forbidden redirect (of a method other than GET:
  // any). Messages show the URL without secrets. Throws Interrupted. `take` gets the pieces of a body with
  // status 200, which the response then lacks; what it throws ends the transfer and passes through.
  [[nodiscard]] HttpResponse send(const HttpRequest& request, const HttpLimits& limits = {},
                                  const TakePiece& take = {});
  [[nodiscard]] HttpResponse get(const std::string& url, const std::vector<std::string>& headers = {},
                                 const HttpLimits& limits = {}, const TakePiece& take = {});

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
};

}  // namespace wavewright
