#include "wavewright/live/promise/node_probe.h"

#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>

namespace wavewright {

namespace {

constexpr std::string_view question = "HEAD /ws/v1/node/info HTTP/1.0\r\n\r\n";

// A connection that is being made; -1 if there is none.
int connecting_to(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos) return -1;
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const std::string host = address.substr(0, colon), port = address.substr(colon + 1);
  if (::getaddrinfo(host.c_str(), port.c_str(), &hints, &found) != 0) return -1;
  int made = ::socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (made >= 0 && ::connect(made, found->ai_addr, found->ai_addrlen) != 0 && errno != EINPROGRESS) {
    ::close(made);
    made = -1;
  }
  ::freeaddrinfo(found);
  return made;
}

// A server is there if its connection can be written to and then gives an answer.
enum class Said { nothing, there, not_there };

Said hear(pollfd& each) {
  if ((each.revents & POLLOUT) != 0) {
    int error = 0;
    socklen_t size = sizeof error;
    ::getsockopt(each.fd, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error != 0) return Said::not_there;
    if (::send(each.fd, question.data(), question.size(), MSG_NOSIGNAL) < 0) return Said::not_there;
    each.events = POLLIN;
    return Said::nothing;
  }
  if ((each.revents & POLLIN) != 0) {
    std::array<char, 1> byte{};
    return ::recv(each.fd, byte.data(), byte.size(), 0) >= 0 ? Said::there : Said::not_there;
  }
  return each.revents == 0 ? Said::nothing : Said::not_there;
}

void probe_some(const std::vector<std::string>& addresses, std::size_t from, std::size_t to, Duration within,
                std::vector<bool>& answered) {
  std::vector<pollfd> polled;
  for (std::size_t i = from; i < to; ++i) polled.push_back({connecting_to(addresses[i]), POLLOUT, 0});
  const auto until = std::chrono::steady_clock::now() + within;
  const auto open = [&] {
    return std::any_of(polled.begin(), polled.end(), [](const pollfd& each) { return each.fd >= 0; });
  };
  while (open()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    if (left.count() <= 0) break;
    if (::poll(polled.data(), polled.size(), static_cast<int>(left.count())) < 0 && errno != EINTR) break;
    for (std::size_t i = 0; i < polled.size(); ++i) {
      if (polled[i].fd < 0) continue;
      const Said said = hear(polled[i]);
      if (said == Said::nothing) continue;
      answered[from + i] = said == Said::there;
      ::close(polled[i].fd);
      polled[i].fd = -1;
    }
  }
  for (const pollfd& each : polled) {
    if (each.fd >= 0) ::close(each.fd);
  }
}

}  // namespace

std::vector<bool> probe_web_servers(const std::vector<std::string>& addresses, Duration within) {
  constexpr std::size_t at_once = 500;
  std::vector<bool> answered(addresses.size(), false);
  for (std::size_t from = 0; from < addresses.size(); from += at_once)
    probe_some(addresses, from, std::min(addresses.size(), from + at_once), within, answered);
  return answered;
}

}  // namespace wavewright
