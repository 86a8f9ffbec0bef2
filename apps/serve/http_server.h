// The HTTP API over cpp-httplib: sockets, TLS, limits, the stream of events.
#pragma once

#include <memory>
#include <string>
#include <thread>

#include "wavewright/live/live_board.h"
#include "wavewright/serve/api.h"

namespace wavewright::app {

struct ListenOptions {
  std::string host = "127.0.0.1";
  int port = 8190;               // 0 = any that is free
  std::string certificate, key;  // PEM files; empty = without TLS
};

// `127.0.0.1:8190`, `localhost`, `[::1]:8190`, `:8190`. Throws UsageError otherwise.
[[nodiscard]] ListenOptions parse_listen(const std::string& text);

class HttpServer {
 public:
  // Listens, and answers in threads of its own until it is destroyed. Throws ExternalError if it cannot
  // listen, UsageError if another machine could reach it without TLS. Api and board must outlive it.
  HttpServer(const ListenOptions& options, const Api& api, const LiveBoard& board);
  // Ends the streams of events and waits for the requests in progress.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  HttpServer(HttpServer&&) = delete;
  HttpServer& operator=(HttpServer&&) = delete;

  [[nodiscard]] const std::string& url() const { return url_; }

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  std::string url_;
  std::thread thread_;
};

}  // namespace wavewright::app
