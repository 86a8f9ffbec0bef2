// Asks web servers whether they are there, many at once.
#pragma once

#include <cstdint>
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

  // True for each `HOST:PORT` that takes a connection and says anything, or ends it, within that time. A host
  // is resolved once, 32 at a time. One that has been silent 4, 8, 16, 32, 64, 128 … times is resolved again,
  // and keeps its address if none is found: it may have moved. The resolver's time is not part of `within`.
  // A host without an address is not there. O(addresses); at most 500 connections at once, and so `within`
  // for each 500.
  [[nodiscard]] std::vector<bool> ask(const std::vector<std::string>& addresses, Duration within);

 private:
  struct Host {
    std::optional<SocketAddress> address;
    std::uint64_t silent = 0;  // times without an answer, in a row
  };
  void resolve(const std::vector<std::string>& addresses);
  void ask_some(const std::vector<std::string>& addresses, std::size_t from, std::size_t to, Duration within,
                std::vector<bool>& answered) const;

  Resolve resolve_;
  std::map<std::string, Host> hosts_;  // by `HOST:PORT`
};

}  // namespace wavewright
