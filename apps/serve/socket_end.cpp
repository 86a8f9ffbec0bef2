#include "apps/serve/socket_end.h"

#include <netdb.h>
#include <netinet/in.h>

#include <array>
#include <cstdlib>

namespace wavewright::app {

std::optional<SocketEnd> end_of_socket(int socket, decltype(&::getsockname) which) {
  sockaddr_storage at{};
  socklen_t size = sizeof at;
  if (which(socket, reinterpret_cast<sockaddr*>(&at), &size) != 0) return std::nullopt;
  if (at.ss_family != AF_INET && at.ss_family != AF_INET6) return std::nullopt;
  std::array<char, NI_MAXHOST> host{};
  std::array<char, NI_MAXSERV> port{};
  if (::getnameinfo(reinterpret_cast<sockaddr*>(&at), size, host.data(), host.size(), port.data(),
                    port.size(), NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    return std::nullopt;
  return SocketEnd{host.data(), std::atoi(port.data())};
}

}  // namespace wavewright::app
