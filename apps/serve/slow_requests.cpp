#include "apps/serve/slow_requests.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <charconv>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "wavewright/serve/api.h"

namespace wavewright::app {

namespace {

std::string name_of(const std::string& address, int port) {
  return fmt::format("{} {}", address, port);
}

// The port of one end of a socket; `other` gets the numeric address of that end. Absent: it is no socket of
// the internet, or has no such end.
std::optional<int> end_of_socket(int socket, decltype(&::getsockname) which, std::string* address = nullptr) {
  sockaddr_storage at{};
  socklen_t size = sizeof at;
  if (which(socket, reinterpret_cast<sockaddr*>(&at), &size) != 0) return std::nullopt;
  if (at.ss_family != AF_INET && at.ss_family != AF_INET6) return std::nullopt;
  char host[NI_MAXHOST] = "", port[NI_MAXSERV] = "";
  if (::getnameinfo(reinterpret_cast<sockaddr*>(&at), size, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    return std::nullopt;
  if (address != nullptr) *address = host;
  return std::atoi(port);
}

// A request has begun, and its last byte came at least so long ago.
bool is_silent(int socket, std::chrono::milliseconds at_least) {
  tcp_info info{};
  socklen_t size = sizeof info;
  return ::getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 &&
         std::chrono::milliseconds(info.tcpi_last_data_recv) >= at_least;
}

void tell_timeout(int socket, const SlowRequests::Limits& limits) {
  const ApiResponse problem = problem_response(
      408, "Request Timeout",
      fmt::format("the request did not come to its end: {} s without a byte, or {} s in all, are the limit",
                  limits.silence.count(), limits.whole.count()));
  const std::string text = fmt::format(
      "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nCache-Control: no-store\r\n"
      "Content-Type: {}\r\nContent-Length: {}\r\n\r\n{}",
      problem.type, problem.body.size(), problem.body);
  (void)!::send(socket, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
}

}  // namespace

SlowRequests::SlowRequests(int port, Limits limits, bool encrypted)
    : port_(port), limits_(limits), encrypted_(encrypted), thread_([this] { watch(); }) {}

SlowRequests::~SlowRequests() {
  ending_.store(true);
  thread_.join();
}

void SlowRequests::begin(const std::string& address, int port) {
  const std::scoped_lock lock(mutex_);
  answered_.insert(name_of(address, port));
  unsent_.insert(name_of(address, port));
}

void SlowRequests::end(const std::string& address, int port) {
  const std::scoped_lock lock(mutex_);
  answered_.erase(name_of(address, port));
  since_[name_of(address, port)] = Clock::now();
}

void SlowRequests::sent(const std::string& address, int port) {
  const std::scoped_lock lock(mutex_);
  unsent_.erase(name_of(address, port));
  since_[name_of(address, port)] = Clock::now();
}

void SlowRequests::watch() {
  for (int i = 0; !ending_.load(); ++i) {
    if (i % 10 == 9) look();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

void SlowRequests::look() {
  const Clock::time_point now = Clock::now();
  std::map<std::string, Clock::time_point> still;
  std::set<std::string> unsent;
  std::error_code ignored;
  const std::scoped_lock lock(mutex_);
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", ignored)) {
    const std::string name = entry.path().filename();
    int socket = -1;
    std::from_chars(name.data(), name.data() + name.size(), socket);
    std::string address;
    if (end_of_socket(socket, ::getsockname) != port_) continue;
    const std::optional<int> peer = end_of_socket(socket, ::getpeername, &address);
    if (!peer) continue;  // the one that listens
    const std::string client = name_of(address, *peer);
    const auto known = since_.find(client);
    const Clock::time_point since = known == since_.end() ? now : known->second;
    const bool takes_answer = unsent_.contains(client);
    if (takes_answer) unsent.insert(client);
    const bool silent = !encrypted_ && !takes_answer && is_silent(socket, limits_.silence);
    if (answered_.contains(client)) {
      still[client] = now;
    } else if (silent || now - since > limits_.whole) {
      if (!encrypted_ && !takes_answer) tell_timeout(socket, limits_);
      ::shutdown(socket, SHUT_RDWR);  // its thread sees the end, and closes it
    } else {
      still[client] = since;
    }
  }
  since_ = std::move(still);
  unsent_ = std::move(unsent);
}

}  // namespace wavewright::app
