// Asks web servers whether they are there, many at once.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wavewright/core/time.h"

namespace wavewright {

// A socket's address, as the system's resolver gives it.
struct SocketAddress {
  int family = 0;
  std::string bytes;  // a sockaddr
};

// Empty if the host has no address. May take seconds where a name server is slow.
[[nodiscard]] std::optional<SocketAddress> resolved(const std::string& host, const std::string& port);

class WebServerProbe {
 public:
  using Resolve = std::function<std::optional<SocketAddress>(const std::string&, const std::string&)>;
  explicit WebServerProbe(Resolve resolve = resolved) : resolve_(std::move(resolve)) {}

  // True for each `HOST:PORT` that takes a connection and says anything, or ends it, within that time. Each
  // host is resolved once, 32 at a time, and again after it did not answer; that time comes on top. A host
  // that has no address is not there. O(addresses); at most 500 connections at once, and so a time for each
  // 500.
  [[nodiscard]] std::vector<bool> ask(const std::vector<std::string>& addresses, Duration within);

 private:
  void resolve_unknown(const std::vector<std::string>& addresses);
  void ask_some(const std::vector<std::string>& addresses, std::size_t from, std::size_t to, Duration within,
                std::vector<bool>& answered) const;

  Resolve resolve_;
  std::map<std::string, SocketAddress> known_;  // by `HOST:PORT`
};

}  // namespace wavewright
