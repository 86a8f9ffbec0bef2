#include "wavewright/live/promise/node_probe.h"

#include <fcntl.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstring>
#include <future>
#include <string_view>
#include <system_error>
#include <utility>

namespace wavewright {

namespace {

constexpr std::string_view node_request = "HEAD /ws/v1/node/info HTTP/1.0\r\n\r\n";

constexpr std::size_t resolved_at_once = 32;

// A connection that is being made; -1 if there is none.
int connecting_to(const SocketAddress& to) {
  sockaddr_storage address{};
  std::memcpy(&address, to.bytes.data(), std::min(to.bytes.size(), sizeof address));
  const int made = ::socket(to.family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (made >= 0 &&
      ::connect(made, reinterpret_cast<const sockaddr*>(&address), static_cast<socklen_t>(to.bytes.size())) !=
          0 &&
      errno != EINPROGRESS) {
    ::close(made);
    return -1;
  }
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
    if (::send(each.fd, node_request.data(), node_request.size(), MSG_NOSIGNAL) < 0) return Said::not_there;
    each.events = POLLIN;
    return Said::nothing;
  }
  if ((each.revents & POLLIN) != 0) {
    std::array<char, 1> byte{};
    return ::recv(each.fd, byte.data(), byte.size(), 0) >= 0 ? Said::there : Said::not_there;
  }
  return each.revents == 0 ? Said::nothing : Said::not_there;
}

constexpr pollfd no_question{-1, 0, 0};  // poll() passes over it

void close_question(pollfd& each) {
  if (each.fd >= 0) ::close(each.fd);
  each = no_question;
}

void close_all(std::map<std::string, pollfd>& questions) {
  for (auto& [address, each] : questions) close_question(each);
  questions.clear();
}

}  // namespace

std::optional<SocketAddress> resolved(const std::string& host, const std::string& port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(host.c_str(), port.c_str(), &hints, &found) != 0) return std::nullopt;
  SocketAddress address{found->ai_family,
                        std::string(reinterpret_cast<const char*>(found->ai_addr), found->ai_addrlen)};
  ::freeaddrinfo(found);
  return address;
}

void WebServerProbe::resolve(const std::vector<std::string>& addresses) {
  std::vector<std::pair<const std::string*, Host*>> due;
  for (const std::string& each : addresses) {
    if (each.find(':') == std::string::npos) continue;
    const auto [host, fresh] = hosts_.try_emplace(each);
    const std::uint64_t silent = host->second.silent;
    constexpr std::uint64_t often = 4;
    if (fresh || (silent >= often && std::has_single_bit(silent)))
      due.emplace_back(&host->first, &host->second);
  }
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < due.size(); i = next++) {
      const std::string& address = *due[i].first;
      const std::size_t colon = address.rfind(':');
      if (auto found = resolve_(address.substr(0, colon), address.substr(colon + 1)))
        due[i].second->address = std::move(found);
    }
  };
  std::vector<std::future<void>> workers;
  try {
    while (workers.size() + 1 < std::min(resolved_at_once, due.size()))
      workers.push_back(std::async(std::launch::async, work));
  } catch (const std::system_error&) {  // no more threads: those that run do it
  }
  work();
  for (std::future<void>& each : workers) each.get();
}

WebServerProbe::~WebServerProbe() {
  close_all(open_);
  close_all(older_);
}

pollfd WebServerProbe::take_open(const std::string& address) {
  const auto found = older_.find(address);
  return found == older_.end() ? no_question : std::exchange(found->second, no_question);
}

void WebServerProbe::keep_open(const std::string& address, pollfd question) {
  constexpr std::size_t at_most = 100;
  const bool keep = question.fd >= 0 && open_.size() < at_most;
  if (!keep || !open_.try_emplace(address, question).second) close_question(question);
}

void WebServerProbe::ask_some(const std::vector<std::string>& addresses, std::size_t from, std::size_t to,
                              Duration within, std::vector<bool>& answered) {
  std::vector<pollfd> polled;  // of each address the question of the call before, and a new one
  for (std::size_t i = from; i < to; ++i) {
    const auto host = hosts_.find(addresses[i]);
    const bool known = host != hosts_.end() && host->second.address;
    polled.push_back(take_open(addresses[i]));
    polled.push_back({known ? connecting_to(*host->second.address) : -1, POLLOUT, 0});
  }
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
      close_question(polled[i]);
      if (said == Said::not_there) continue;
      answered[from + i / 2] = true;
      close_question(polled[i ^ 1U]);
    }
  }
  for (std::size_t i = 0; i < polled.size(); i += 2) {
    close_question(polled[i]);
    keep_open(addresses[from + i / 2], polled[i + 1]);
  }
}

std::vector<bool> WebServerProbe::ask(const std::vector<std::string>& addresses, Duration within) {
  constexpr std::size_t at_once = 400;  // and those that are open still
  resolve(addresses);
  std::swap(older_, open_);
  std::vector<bool> answered(addresses.size(), false);
  for (std::size_t from = 0; from < addresses.size(); from += at_once)
    ask_some(addresses, from, std::min(addresses.size(), from + at_once), within, answered);
  close_all(older_);
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const auto host = hosts_.find(addresses[i]);
    if (host != hosts_.end()) host->second.silent = answered[i] ? 0 : host->second.silent + 1;
  }
  return answered;
}

}  // namespace wavewright
