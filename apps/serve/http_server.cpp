#include "apps/serve/http_server.h"

#include <strings.h>
#include <sys/socket.h>

#include <atomic>
#include <charconv>
#include <memory>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/give_way.h"
#include "apps/serve/library_server.h"
#include "apps/serve/slow_requests.h"
#include "wavewright/core/error.h"
#include "wavewright/serve/daemon_client.h"
#include "wavewright/serve/problem.h"

namespace wavewright::app {

namespace {

// A stream of events keeps its thread, and so does a connection until it is silent for some seconds.
constexpr int most_streams = 256;
constexpr std::size_t threads = most_streams + 64;
constexpr SlowRequests::Limits limits{std::chrono::seconds(5), std::chrono::seconds(20)};

std::string bearer_of(const httplib::Request& request) {
  constexpr std::string_view scheme = "Bearer ";
  const std::string given = request.get_header_value("Authorization");
  const bool is_bearer = ::strncasecmp(given.c_str(), scheme.data(), scheme.size()) == 0;
  return is_bearer ? given.substr(scheme.size()) : "";
}

ApiRequest api_request(const httplib::Request& given) {
  ApiRequest request{.method = given.method, .path = given.target.substr(0, given.target.find('?'))};
  for (const auto& [name, value] : given.params) request.query.emplace(name, value);
  request.token = bearer_of(given);
  request.body = given.body;
  return request;
}

AnnouncedBody announced_body(const httplib::Request& request) {
  const auto values = [&](const char* name) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < request.get_header_value_count(name); ++i)
      all.push_back(request.get_header_value(name, i));
    return all;
  };
  return {.content_lengths = values("Content-Length"),
          .transfer_encodings = values("Transfer-Encoding"),
          .content_encodings = values("Content-Encoding"),
          .content_type = request.get_header_value("Content-Type")};
}

void send_head(const ApiResponse& from, httplib::Response& to) {
  to.status = from.status;
  for (const auto& [name, value] : from.headers) to.set_header(name, value);
  to.set_header("Cache-Control", "no-store");
  to.set_header("X-Content-Type-Options", "nosniff");
}

void send(ApiResponse from, httplib::Response& to) {
  send_head(from, to);
  to.set_header("Content-Type", from.type);
  to.body = std::move(from.body);
}

// Methods for which the library calls a handler. It takes the others in `unhandled` and calls none.
bool is_handled(const std::string& method) {
  static const std::set<std::string> handled{"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"};
  return handled.contains(method);
}
bool is_known(const std::string& method) {
  static const std::set<std::string> unhandled{"CONNECT", "TRACE", "PRI"};
  return is_handled(method) || unhandled.contains(method);
}

// A request that the library refuses by itself.
ApiResponse refused_by_library(const httplib::Request& request, int status) {
  switch (status) {
    case 400:
      if (served_connection() != nullptr && served_connection()->head_is_too_long())
        return problem_response(431, fmt::format("the head of the request is longer than {} KiB",
                                                 Connection::longest_head >> 10));
      if (request.version.starts_with("HTTP/1.") && !is_known(request.method))
        return problem_response(501, "this method is not known here");
      return problem_response(status, "the request cannot be read");
    case 404:
      return problem_response(status, "there is no such path");
    case 413:
      return problem_response(status, "the request is too large");
    case 414:
      return problem_response(status, "path and query are too long");
    case 416:
      return problem_response(status, "the header Range cannot be read: leave it out");
    default:
      return problem_response(status, "the request cannot be answered");
  }
}

bool wants_stream(const httplib::Request& request) {
  return request.method == "GET" && request.path == "/v1/events" &&
         request.get_header_value("Accept").find("text/event-stream") != std::string::npos;
}

// Where a stream begins: behind the event that the reader has, else behind the latest.
std::int64_t stream_begin(const httplib::Request& request, const LiveBoard& board) {
  std::string given = request.get_header_value("Last-Event-ID");
  if (given.empty() && request.has_param("behind")) given = request.get_param_value("behind");
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), number);
  const bool good = error == std::errc{} && end == given.data() + given.size() && number >= 0;
  return good ? number : board.last_event();
}

// A request that has come, until its answer is made; of a stream, until it ends.
class Answering {
 public:
  Answering(SlowRequests& slow, const httplib::Request& request)
      : slow_(slow), address_(request.remote_addr), port_(request.remote_port) {
    slow_.begin(address_, port_);
  }
  ~Answering() { slow_.end(address_, port_); }
  Answering(const Answering&) = delete;
  Answering& operator=(const Answering&) = delete;
  Answering(Answering&&) = delete;
  Answering& operator=(Answering&&) = delete;

 private:
  SlowRequests& slow_;
  std::string address_;
  int port_;
};

class LibraryServer : public HttpServer {
 public:
  LibraryServer(const ListenOptions& options, const Api& api, const LiveBoard& board);
  ~LibraryServer() override;
  LibraryServer(const LibraryServer&) = delete;
  LibraryServer& operator=(const LibraryServer&) = delete;
  LibraryServer(LibraryServer&&) = delete;
  LibraryServer& operator=(LibraryServer&&) = delete;

  [[nodiscard]] const std::string& url() const override { return url_; }

 private:
  struct Impl {
    std::unique_ptr<httplib::Server> server;
    std::unique_ptr<SlowRequests> slow;
    std::atomic<int> streams{0};
    std::atomic<bool> ending{false};
  };
  static void answer_last(ApiResponse from, const httplib::Request& request, httplib::Response& to,
                          Impl& impl);

  std::unique_ptr<Impl> impl_;
  std::string url_;
  std::thread thread_;
};

// Answers a request that has not been read to its end, and closes the connection: what follows there would be
// taken for the next request. The library closes one where the content of an answer breaks off, and has no
// other way.
void LibraryServer::answer_last(ApiResponse from, const httplib::Request& request, httplib::Response& to,
                                Impl& impl) {
  send_head(from, to);
  if (request.get_header_value("Connection") != "close") to.set_header("Connection", "close");
  // The library's own request, no constant there. With HEAD it would ask for no content; none is written.
  auto& own = const_cast<httplib::Request&>(request);
  const bool head = std::exchange(own.method, "GET") == "HEAD";
  own.ranges.clear();
  const std::size_t size = from.body.size();
  to.set_content_provider(size, from.type,
                          [&impl, head, body = std::move(from.body), address = request.remote_addr,
                           port = request.remote_port](std::size_t, std::size_t, httplib::DataSink& sink) {
                            if (!head) sink.write(body.data(), body.size());
                            impl.slow->drain(address, port, impl.ending);
                            return false;
                          });
}

LibraryServer::LibraryServer(const ListenOptions& options, const Api& api, const LiveBoard& board)
    : impl_(std::make_unique<Impl>()) {
  const bool tls = !options.certificate.empty();
  if (!tls && !is_loopback(options.host))
    throw UsageError(
        fmt::format("other machines could reach {}, and tokens would go there in the clear", options.host),
        "name a certificate with --tls-certificate and --tls-key, or listen on 127.0.0.1");
  if (tls) {
    impl_->server =
        std::make_unique<ServerOf<httplib::SSLServer>>(options.certificate.c_str(), options.key.c_str());
  } else {
    impl_->server = std::make_unique<ServerOf<httplib::Server>>();
  }
  httplib::Server& server = *impl_->server;
  if (!server.is_valid())
    throw ExternalError({options.certificate}, "cannot be used with this key",
                        "give PEM files that belong together");
  server.new_task_queue = [] { return new httplib::ThreadPool(threads); };  // the server deletes it
  server.set_tcp_nodelay(true);
  server.set_payload_max_length(longest_body);  // of Content-Length alone: see announced_body.h
  // The one who watches tells a slow client of it, where it may write.
  server.set_read_timeout(tls ? limits.silence : limits.whole * 2);
  server.set_write_timeout(10);
  server.set_keep_alive_timeout(2);
  Impl* const impl = impl_.get();
  const auto answer = [&api, &board, impl](const httplib::Request& request, httplib::Response& response) {
    const auto begun = std::make_shared<Answering>(*impl->slow, request);
    if (!wants_stream(request)) return send(api.answer(api_request(request)), response);
    if (auto refused = api.refuse_events(api_request(request))) return send(std::move(*refused), response);
    if (++impl->streams > most_streams) {
      --impl->streams;
      return send(problem_response(503, "too many follow the events"), response);
    }
    const auto behind = std::make_shared<std::int64_t>(stream_begin(request, board));
    response.set_header("Cache-Control", "no-store");
    response.set_header("Connection", "close");
    response.set_chunked_content_provider(
        "text/event-stream",
        [&board, behind, impl](std::size_t, httplib::DataSink& sink) {
          if (impl->ending.load() || board.closed()) {
            sink.done();
            return true;
          }
          std::string text;
          for (const NumberedEvent& event : board.events(*behind, std::chrono::seconds(15))) {
            *behind = event.number;
            text += event_message(event);
          }
          if (text.empty()) text = ":\n\n";  // shows whether the reader is still there
          return sink.write(text.data(), text.size());
        },
        [impl, begun](bool) { --impl->streams; });
  };
  // By its head alone, before the library reads the body.
  const auto refuse = [&api, impl](const httplib::Request& request, httplib::Response& response) {
    const ApiRequest asked = api_request(request);
    std::optional<ApiResponse> refused = api.refuse_unread(asked, announced_body(request));
    if (!refused && !is_handled(request.method)) refused = api.answer(asked);
    if (!refused && request.version == "HTTP/1.1" && !request.has_header("Host"))
      refused = problem_response(400, "the request has no header Host");
    if (refused) answer_last(std::move(*refused), request, response, *impl);
    return response.content_provider_ != nullptr;
  };
  server.set_expect_100_continue_handler(
      [refuse](const httplib::Request& request, httplib::Response& response) {
        constexpr int go_on = 100;
        return refuse(request, response) ? response.status : go_on;
      });
  server.set_pre_routing_handler([refuse](const httplib::Request& request, httplib::Response& response) {
    return refuse(request, response) ? httplib::Server::HandlerResponse::Handled
                                     : httplib::Server::HandlerResponse::Unhandled;
  });
  const char* const any = ".*";
  server.Get(any, answer);
  server.Post(any, answer);
  server.Put(any, answer);
  server.Delete(any, answer);
  server.Patch(any, answer);
  server.Options(any, answer);
  server.set_logger([impl](const httplib::Request& request, const httplib::Response&) {
    impl->slow->sent(request.remote_addr, request.remote_port);
  });
  server.set_error_handler([impl](const httplib::Request& request, httplib::Response& response) {
    if (!response.body.empty() || response.content_provider_) return;
    answer_last(refused_by_library(request, response.status), request, response, *impl);
  });
  socket_t listening = INVALID_SOCKET;
  server.set_socket_options([&](socket_t socket) {
    // Not SO_REUSEPORT, by which another daemon could take a part of the connections.
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    listening = socket;
  });
  int port = options.port;
  const bool bound = port == 0 ? (port = server.bind_to_any_port(options.host)) > 0
                               : server.bind_to_port(options.host, port);
  if (!bound)
    throw ExternalError({fmt::format("{}:{}", options.host, options.port)}, "cannot listen there",
                        "end the program that does, or name another with --listen");
  // The library lets five connections wait to be accepted. Of a burst of more, clients would be reset.
  if (::listen(listening, SOMAXCONN) != 0)
    throw ExternalError({fmt::format("{}:{}", options.host, port)}, "cannot listen there", "try again");
  server.set_socket_options(httplib::default_socket_options);
  const std::string host =
      options.host.find(':') == std::string::npos ? options.host : "[" + options.host + "]";
  impl_->slow = std::make_unique<SlowRequests>(port, limits, tls);
  url_ = fmt::format("{}://{}:{}", tls ? "https" : "http", host, port);
  thread_ = std::thread([&server] {
    give_way(requests_give_way);
    server.listen_after_bind();
  });
}

LibraryServer::~LibraryServer() {
  impl_->ending.store(true);
  impl_->server->stop();
  thread_.join();
}

}  // namespace

}  // namespace wavewright::app

wavewright::app::HttpServer* wavewright_http_server(const wavewright::app::ListenOptions& options,
                                                    const wavewright::Api& api,
                                                    const wavewright::LiveBoard& board) {
  return std::make_unique<wavewright::app::LibraryServer>(options, api, board).release();
}
