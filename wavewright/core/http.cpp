#include "wavewright/core/http.h"

#include <time.h>

#include <algorithm>
#include <cctype>
#include <ctime>
#include <exception>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/libcurl.h"

namespace wavewright {

namespace {

struct Url {
  std::string scheme;
  std::string host;
  std::string port;
};

std::string part_of(CURLU* parsed, CURLUPart part, unsigned flags = 0) {
  char* text = nullptr;
  if (libcurl().url_get(parsed, part, &text, flags) != CURLUE_OK) return {};
  std::string copy = text;
  libcurl().free(text);
  return copy;
}

Url parse(const std::string& url) {
  const std::unique_ptr<CURLU, void (*)(CURLU*)> parsed(libcurl().url(), libcurl().url_cleanup);
  if (libcurl().url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK) return {};
  return {part_of(parsed.get(), CURLUPART_SCHEME), part_of(parsed.get(), CURLUPART_HOST),
          part_of(parsed.get(), CURLUPART_PORT, CURLU_DEFAULT_PORT)};
}

// The URL without secrets: tokens and passwords stand in the query and before the host.
std::string shown(const std::string& url) {
  std::string text = url.substr(0, url.find_first_of("?#"));
  const std::size_t host = text.find("://");
  const std::size_t at = text.find('@');
  if (host != std::string::npos && at != std::string::npos && at < text.find('/', host + 3)) {
    text.erase(host + 3, at - host - 2);
  }
  return text;
}

struct Body {
  std::string bytes;
  std::size_t limit = 0;
  CURL* curl = nullptr;
  const HttpClient::TakePiece* take = nullptr;
  std::size_t taken = 0;  // bytes
  bool too_large = false;
  std::exception_ptr refused;  // what `take` threw

  [[nodiscard]] bool handed_on() const {
    long status = 0;
    libcurl().easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    return *take && status == 200;
  }
};

extern "C" std::size_t wavewright_take_body(char* data, std::size_t size, std::size_t count, void* to) {
  auto* body = static_cast<Body*>(to);
  const std::size_t bytes = size * count;
  constexpr std::size_t end_transfer = 0;
  body->taken += bytes;
  if (body->taken > body->limit) {
    body->too_large = true;
    return end_transfer;
  }
  if (!body->handed_on()) {
    body->bytes.append(data, bytes);
    return bytes;
  }
  try {
    (*body->take)({data, bytes});
  } catch (...) {
    body->refused = std::current_exception();
    return end_transfer;
  }
  return bytes;
}

// What the Kerberos library says of a ticket that cannot be had, which libcurl tells in its log alone.
extern "C" int wavewright_take_log(CURL* /*curl*/, curl_infotype kind, char* data, std::size_t size,
                                   void* to) {
  constexpr std::string_view mark = "gss_init_sec_context() failed: ";
  const std::string_view line(data, size);
  if (kind != CURLINFO_TEXT || !line.starts_with(mark)) return 0;
  std::string text(line.substr(mark.size()));
  std::erase_if(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
  text.erase(std::min(text.find(". "), text.size()));  // what follows is of the mechanism within
  while (text.ends_with('.') || text.ends_with(' ')) text.pop_back();
  *static_cast<std::string*>(to) = text;
  return 0;
}

bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// The value of a header with that name (`name:`); absent if the line is another.
std::optional<std::string_view> value_of(std::string_view line, std::string_view name) {
  if (line.size() < name.size() || !same_letters(line.substr(0, name.size()), name)) return std::nullopt;
  line.remove_prefix(name.size());
  while (line.starts_with(' ')) line.remove_prefix(1);
  while (line.ends_with('\r') || line.ends_with('\n') || line.ends_with(' ')) line.remove_suffix(1);
  return line;
}

// Notes `Date`, and `WWW-Authenticate: Negotiate`, which a first answer has without a token behind it.
extern "C" std::size_t wavewright_take_header(char* data, std::size_t size, std::size_t count, void* to) {
  constexpr std::string_view scheme = "negotiate";
  const std::string_view line(data, size * count);
  auto& response = *static_cast<HttpResponse*>(to);
  if (const auto date = value_of(line, "date:")) response.date = parse_http_date(std::string(*date));
  if (const auto asked = value_of(line, "www-authenticate:");
      asked && same_letters(asked->substr(0, scheme.size()), scheme))
    response.asks_for_ticket = true;
  return size * count;
}

// Who signs, in the words of libcurl. It signs every header of the list, also one that is only there so that
// none is sent: signed requests have no `Expect:`.
void sign(CURL* curl, const AwsSigner& signer) {
  libcurl().easy_setopt(curl, CURLOPT_AWS_SIGV4,
                        fmt::format("aws:amz:{}:{}", signer.region, signer.service).c_str());
  libcurl().easy_setopt(curl, CURLOPT_USERNAME, signer.key_id.c_str());
  libcurl().easy_setopt(curl, CURLOPT_PASSWORD, signer.secret.c_str());
}

bool is_tls_failure(CURLcode code) {
  return code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE ||
         code == CURLE_SSL_CONNECT_ERROR;
}

// `verified`: OpenSSL's verdict on the server's certificate.
std::string remedy_for(CURLcode code, long verified) {
  // X509_V_ERR_CERT_…; with 1, which libcurl begins with, all but the server's name was right.
  constexpr long begun = 1, not_yet_valid = 9, expired = 10;
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return "check the host's name";
    case CURLE_COULDNT_CONNECT:
      return "check host and port, and that the server runs";
    case CURLE_OPERATION_TIMEDOUT:
      return "check that the server answers, then try again";
    case CURLE_PEER_FAILED_VERIFICATION:
      if (verified == begun) return "name the server as its certificate does";
      if (verified == not_yet_valid || verified == expired)
        return "renew the server's certificate, or check this machine's clock";
      return "name the certificate authority's file with --ca-file";
    case CURLE_SSL_CACERT_BADFILE:
      return "check the file that --ca-file names";
    case CURLE_SSL_CONNECT_ERROR:
      return "check that the port speaks https, or write http:// (hdfs:// of WebHDFS)";
    default:
      return "check that the server is well, then try again";
  }
}

}  // namespace

struct HttpClient::Handle {
  CURL* curl = nullptr;
  CURLM* multi = nullptr;  // one transfer at a time; it keeps the connections
  std::string ca_file;
  InterruptFlag interrupted;

  Handle(std::string ca, InterruptFlag flag) : ca_file(std::move(ca)), interrupted(flag) {
    static const CURLcode started = libcurl().global_init(CURL_GLOBAL_DEFAULT);
    if (started == CURLE_OK) {
      curl = libcurl().easy_init();
      multi = libcurl().multi_init();
    }
    if (curl != nullptr && multi != nullptr) return;
    clean_up();
    throw ExternalError({}, "the HTTP library cannot start", "check the memory left");
  }
  ~Handle() { clean_up(); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  enum class Ticket { none, given };
  [[nodiscard]] HttpResponse once(const std::string& url, const HttpRequest& request,
                                  const HttpLimits& limits, const TakePiece& take, Ticket ticket) const;
  [[nodiscard]] std::string redirected() const;

 private:
  [[nodiscard]] CURLcode perform(InterruptFlag also) const;
  void clean_up() const {
    libcurl().easy_cleanup(curl);
    libcurl().multi_cleanup(multi);
  }
};

// As curl_easy_perform, which looks at a signal once a second at best.
CURLcode HttpClient::Handle::perform(InterruptFlag also) const {
  if (libcurl().multi_add_handle(multi, curl) != CURLM_OK) return CURLE_FAILED_INIT;
  struct Added {
    CURLM* multi;
    CURL* curl;
    ~Added() { libcurl().multi_remove_handle(multi, curl); }
  };
  const Added added{multi, curl};
  for (int running = 1;;) {
    throw_if(interrupted);
    throw_if(also);
    if (libcurl().multi_perform(multi, &running) != CURLM_OK) return CURLE_RECV_ERROR;
    if (running == 0) break;
    if (libcurl().multi_poll(multi, nullptr, 0, interrupt_poll_ms, nullptr) != CURLM_OK)
      return CURLE_RECV_ERROR;
  }
  int more = 0;
  const CURLMsg* ended = libcurl().multi_info_read(multi, &more);
  return ended == nullptr ? CURLE_RECV_ERROR : ended->data.result;
}

HttpResponse HttpClient::Handle::once(const std::string& url, const HttpRequest& request,
                                      const HttpLimits& limits, const TakePiece& take, Ticket ticket) const {
  curl_slist* list = nullptr;
  for (const std::string& header : request.headers) list = libcurl().slist_append(list, header.c_str());
  const bool sends = request.method != "GET";
  // No server need be asked before it gets the body.
  if (sends && !request.signer) list = libcurl().slist_append(list, "Expect:");
  if (request.signer && !request.signer->session_token.empty())
    list = libcurl().slist_append(list, ("X-Amz-Security-Token: " + request.signer->session_token).c_str());
  const std::unique_ptr<curl_slist, void (*)(curl_slist*)> headers(list, libcurl().slist_free_all);
  Body body{{}, limits.body, curl, &take, 0, false, nullptr};
  char problem[CURL_ERROR_SIZE] = "";
  HttpResponse response;
  libcurl().easy_reset(curl);  // keeps the connections and cookies
  libcurl().easy_setopt(curl, CURLOPT_URL, url.c_str());
  libcurl().easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  libcurl().easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  libcurl().easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "");
  libcurl().easy_setopt(curl, CURLOPT_USERAGENT, "wavewright");
  libcurl().easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());
  // Cookies of this client, in memory. COOKIEFILE would do that, too, but curl_easy_reset loses its list.
  libcurl().easy_setopt(curl, CURLOPT_COOKIELIST, "");
  if (ticket == Ticket::given) {
    libcurl().easy_setopt(curl, CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_NEGOTIATE));
    libcurl().easy_setopt(curl, CURLOPT_USERPWD, ":");  // whose ticket it is, the Kerberos library knows
    libcurl().easy_setopt(curl, CURLOPT_DEBUGFUNCTION, wavewright_take_log);
    libcurl().easy_setopt(curl, CURLOPT_DEBUGDATA, &response.no_ticket);
    libcurl().easy_setopt(curl, CURLOPT_VERBOSE, 1L);
  }
  libcurl().easy_setopt(curl, CURLOPT_HEADERFUNCTION, wavewright_take_header);
  libcurl().easy_setopt(curl, CURLOPT_HEADERDATA, &response);
  if (sends) {
    libcurl().easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    libcurl().easy_setopt(curl, CURLOPT_POSTFIELDS, request.body.data());
    libcurl().easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  }
  if (request.signer) sign(curl, *request.signer);
  if (request.once) libcurl().easy_setopt(curl, CURLOPT_FRESH_CONNECT, 1L);
  if (request.direct) libcurl().easy_setopt(curl, CURLOPT_NOPROXY, "*");
  libcurl().easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(limits.connect.count()));
  libcurl().easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(limits.total.count()));
  libcurl().easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
  libcurl().easy_setopt(curl, CURLOPT_LOW_SPEED_TIME,
                        std::max(1L, static_cast<long>(limits.silence.count() / 1000)));
  libcurl().easy_setopt(curl, CURLOPT_ERRORBUFFER, problem);
  libcurl().easy_setopt(curl, CURLOPT_WRITEFUNCTION, wavewright_take_body);
  libcurl().easy_setopt(curl, CURLOPT_WRITEDATA, &body);
  if (!ca_file.empty()) libcurl().easy_setopt(curl, CURLOPT_CAINFO, ca_file.c_str());
  const CURLcode code = perform(limits.interrupted);
  if (body.refused) std::rethrow_exception(body.refused);
  if (body.too_large) {
    throw ExternalError({shown(url)}, fmt::format("the answer is larger than {} bytes", limits.body),
                        "ask for less at a time");
  }
  if (code != CURLE_OK) {
    std::string text = problem[0] != '\0' ? problem : libcurl().easy_strerror(code);
    std::replace(text.begin(), text.end(), '\n', ' ');
    long verified = 0;
    libcurl().easy_getinfo(curl, CURLINFO_SSL_VERIFYRESULT, &verified);
    const std::string remedy = remedy_for(code, verified);
    if (is_tls_failure(code)) throw TlsFailure({shown(url)}, "no answer: " + text, remedy);
    throw ExternalError({shown(url)}, "no answer: " + text, remedy);
  }
  long status = 0;
  libcurl().easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  response.status = static_cast<int>(status);
  constexpr int unauthorized = 401;
  if (response.status != unauthorized) response.asks_for_ticket = false;
  const char* type = nullptr;
  libcurl().easy_getinfo(curl, CURLINFO_CONTENT_TYPE, &type);
  if (type != nullptr) response.content_type = type;
  response.url = url;
  response.body = std::move(body.bytes);
  return response;
}

// Target of the last response's redirect; empty = none.
std::string HttpClient::Handle::redirected() const {
  char* to = nullptr;
  libcurl().easy_getinfo(curl, CURLINFO_REDIRECT_URL, &to);
  return to == nullptr ? std::string() : std::string(to);
}

std::optional<Time> parse_http_date(const std::string& text) {
  std::tm parts{};
  const char* const end = ::strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return at_ms(std::int64_t{::timegm(&parts)} * 1'000);
}

HttpClient::HttpClient(const std::string& ca_file, InterruptFlag interrupted)
    : handle_(std::make_unique<Handle>(ca_file, interrupted)) {}
HttpClient::~HttpClient() = default;
HttpClient::HttpClient(HttpClient&&) noexcept = default;
HttpClient& HttpClient::operator=(HttpClient&&) noexcept = default;

HttpResponse HttpClient::get(const std::string& url, const std::vector<std::string>& headers,
                             const HttpLimits& limits, const TakePiece& take) {
  return send({.url = url, .headers = headers}, limits, take);
}

HttpResponse HttpClient::send(const HttpRequest& request, const HttpLimits& limits, const TakePiece& take) {
  constexpr int most_redirects = 5;
  const Url asked = parse(request.url);
  if (request.signer && (request.method == "GET" || request.url.find('?') != std::string::npos))
    throw InternalError("a signed request must be a body without a query");
  const bool authorized = request.signer || std::any_of(request.headers.begin(), request.headers.end(),
                                                        [](const std::string& header) {
                                                          return header.starts_with("Authorization:");
                                                        });
  std::string next = request.url;
  for (int hops = 0; hops <= most_redirects; ++hops) {
    HttpResponse response = handle_->once(next, request, limits, take, Handle::Ticket::none);
    if (response.asks_for_ticket && !authorized && parse(next).host == asked.host)
      response = handle_->once(next, request, limits, take, Handle::Ticket::given);
    const std::string to = handle_->redirected();
    if (to.empty()) return response;
    const Url there = parse(to);
    const bool same = there.host == asked.host && there.port == asked.port && there.scheme == asked.scheme;
    const bool bared = asked.scheme == "https" && there.scheme != "https";
    if (limits.redirects == Redirects::told && !same) {
      response.redirect = to;
      return response;
    }
    const bool stays = limits.redirects == Redirects::none || request.method != "GET";
    if (stays || (limits.redirects == Redirects::same_host && !same) || bared) {
      throw ExternalError({shown(request.url)}, "redirects to " + shown(to),
                          "name that server itself if it is the one meant");
    }
    next = to;
  }
  throw ExternalError({shown(request.url)}, "redirects in a circle", "check the server's address");
}

}  // namespace wavewright
