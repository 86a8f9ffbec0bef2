// The HTTP API over cpp-httplib: sockets, TLS, limits, the stream of events.
//
// The server is a shared object that `serve` loads: no other command needs cpp-httplib, and to load it with
// OpenSSL takes longer than many a command.
#pragma once

#include <memory>
#include <string>

#include "apps/serve/listen_options.h"
#include "wavewright/live/batch/live_board.h"
#include "wavewright/serve/api.h"

namespace wavewright::app {

class HttpServer {
 public:
  HttpServer() = default;
  // Ends the streams of events and waits for the requests in progress.
  virtual ~HttpServer() = default;
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  HttpServer(HttpServer&&) = delete;
  HttpServer& operator=(HttpServer&&) = delete;

  [[nodiscard]] virtual const std::string& url() const = 0;
};

// Listens, and answers in threads of its own until it is destroyed. Throws ExternalError if the shared object
// cannot be loaded or it cannot listen, UsageError if another machine could reach it without TLS. Api and
// board must outlive it.
[[nodiscard]] std::unique_ptr<HttpServer> start_http_server(const ListenOptions& options, const Api& api,
                                                            const LiveBoard& board);

}  // namespace wavewright::app

// The one function of the shared object: start_http_server without the loading.
extern "C" wavewright::app::HttpServer* wavewright_http_server(const wavewright::app::ListenOptions& options,
                                                               const wavewright::Api& api,
                                                               const wavewright::LiveBoard& board);
