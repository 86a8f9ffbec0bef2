#include "apps/serve/slow_requests.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "apps/serve/socket_end.h"
#include "wavewright/serve/problem.h"

namespace wavewright::app {

namespace {

std::string name_of(const std::string& address, int port) {
  return fmt::format("{} {}", address, port);
}

// Calls `take` with each connection of this process to a local port: its socket, the client's address and
// port.
template <class Take>
void each_connection(int local_port, const Take& take) {
  std::error_code ignored;
  const std::filesystem::directory_iterator end;
  for (std::filesystem::directory_iterator entry("/proc/self/fd", ignored); entry != end;
       entry.increment(ignored)) {
    const std::string name = entry->path().filename();
    int socket = -1;
    std::from_chars(name.data(), name.data() + name.size(), socket);
    const auto here = end_of_socket(socket, ::getsockname);
    if (!here || here->port != local_port) continue;
    const auto peer = end_of_socket(socket, ::getpeername);
    if (peer) take(socket, peer->address, peer->port);  // the one that listens has no peer
  }
}

// A request has begun, and its last byte came at least so long ago.
bool is_silent(int socket, std::chrono::milliseconds at_least) {
  tcp_info info{};
  socklen_t size = sizeof info;
  return ::getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 &&
         std::chrono::milliseconds(info.tcpi_last_data_recv) >= at_least;
}

// Bytes have come that no thread has taken yet: the client is not the slow one.
bool has_unread(int socket) {
  int unread = 0;
  return ::ioctl(socket, FIONREAD, &unread) == 0 && unread > 0;
}

void take_one(std::map<std::string, int>& counts, const std::string& client) {
  const auto found = counts.find(client);
  if (found != counts.end() && --found->second <= 0) counts.erase(found);
}

void tell_timeout(int socket, const SlowRequests::Limits& limits) {
  const bool busy = has_unread(socket);
  const ApiResponse problem =
      busy ? problem_response(503, "too many requests are under way: ask again in some seconds")
           : problem_response(408, fmt::format("the request did not come to its end: {} s without a byte, or "
                                               "{} s in all, are the limit",
                                               limits.silence.count(), limits.whole.count()));
  const std::string text = fmt::format(
      "HTTP/1.1 {}\r\nConnection: close\r\nCache-Control: no-store\r\n"
      "Content-Type: {}\r\nContent-Length: {}\r\n\r\n{}",
      busy ? "503 Service Unavailable" : "408 Request Timeout", problem.type, problem.body.size(),
      problem.body);
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
  ++answered_[name_of(address, port)];
  ++unsent_[name_of(address, port)];
}

void SlowRequests::end(const std::string& address, int port) {
  const std::scoped_lock lock(mutex_);
  take_one(answered_, name_of(address, port));
  since_[name_of(address, port)] = Clock::now();
}

void SlowRequests::sent(const std::string& address, int port) {
  const std::scoped_lock lock(mutex_);
  take_one(unsent_, name_of(address, port));
  since_[name_of(address, port)] = Clock::now();
}

void SlowRequests::drain(const std::string& address, int port, const std::atomic<bool>& ending) const {
  constexpr std::chrono::seconds silence(2), whole(10);
  int socket = -1;
  each_connection(port_, [&](int each, const std::string& client, int client_port) {
    if (client == address && client_port == port) socket = each;
  });
  if (socket < 0) return;
  if (!encrypted_) ::shutdown(socket, SHUT_WR);  // so that it sees the answer's end
  std::array<char, std::size_t{64} << 10> rest{};
  const Clock::time_point begun = Clock::now();
  for (Clock::time_point heard = begun; !ending.load();) {
    const Clock::time_point now = Clock::now();
    if (now - begun > whole || now - heard > silence) return;
    pollfd waited{socket, POLLIN, 0};
    constexpr int patience_ms = 100;
    if (::poll(&waited, 1, patience_ms) == 0) continue;
    const ssize_t count = ::recv(socket, rest.data(), rest.size(), MSG_DONTWAIT);
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) return;  // the client has ended it
    if (count > 0) heard = now;
  }
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
  std::map<std::string, int> unsent;
  const std::scoped_lock lock(mutex_);
  each_connection(port_, [&](int socket, const std::string& address, int port) {
    const std::string client = name_of(address, port);
    const auto known = since_.find(client);
    const Clock::time_point since = known == since_.end() ? now : known->second;
    const bool takes_answer = unsent_.contains(client);
    if (takes_answer) unsent[client] = unsent_[client];
    const bool silent =
        !encrypted_ && !takes_answer && is_silent(socket, limits_.silence) && !has_unread(socket);
    if (answered_.contains(client)) {
      still[client] = now;
    } else if (silent || now - since > limits_.whole) {
      if (!encrypted_ && !takes_answer) tell_timeout(socket, limits_);
      ::shutdown(socket, SHUT_RDWR);  // its thread sees the end, and closes it
    } else {
      still[client] = since;
    }
  });
  since_ = std::move(still);
  unsent_ = std::move(unsent);
}

}  // namespace wavewright::app
