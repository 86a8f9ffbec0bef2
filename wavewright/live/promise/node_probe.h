// Asks web servers whether they are there, many at once.
#pragma once

#include <poll.h>

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

  ~WebServerProbe();
  WebServerProbe(const WebServerProbe&) = delete;
  WebServerProbe& operator=(const WebServerProbe&) = delete;
  WebServerProbe(WebServerProbe&&) = delete;
  WebServerProbe& operator=(WebServerProbe&&) = delete;

  // True for each `HOST:PORT` that takes a connection and says anything, or ends it, within that time. An
  // answer to the question of the call before counts, too: for 100 hosts its connection stays open until the
  // end of the next call. A host is resolved once, 32 at a time. One that has been silent 4, 8, 16, 32, 64,
  // 128 … times is resolved again, and keeps its address if none is found: it may have moved. The resolver's
  // time is not part of `within`. A host without an address is not there. O(addresses); at most 500
  // connections at once, and so `within` for each 400 addresses.
  [[nodiscard]] std::vector<bool> ask(const std::vector<std::string>& addresses, Duration within);

 private:
  struct Host {
    std::optional<SocketAddress> address;
    std::uint64_t silent = 0;  // times without an answer, in a row
  };
  void resolve(const std::vector<std::string>& addresses);
  void ask_some(const std::vector<std::string>& addresses, std::size_t from, std::size_t to, Duration within,
                std::vector<bool>& answered);
  [[nodiscard]] pollfd take_open(const std::string& address);
  void keep_open(const std::string& address, pollfd question);

  Resolve resolve_;
  std::map<std::string, Host> hosts_;    // by `HOST:PORT`
  std::map<std::string, pollfd> open_;   // questions of the last call that were not answered; likewise
  std::map<std::string, pollfd> older_;  // of the call before, while a call looks at them
};

}  // namespace wavewright
