// The two ends of a connection.
#pragma once

#include <sys/socket.h>

#include <optional>
#include <string>

namespace wavewright::app {

struct SocketEnd {
  std::string address;  // numeric
  int port = 0;
};

// `which`: ::getsockname or ::getpeername. None: it is no socket of the internet, or has no such end.
[[nodiscard]] std::optional<SocketEnd> end_of_socket(int socket, decltype(&::getsockname) which);

}  // namespace wavewright::app
