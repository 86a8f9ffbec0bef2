#include "apps/serve/connection.h"

#include <openssl/err.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <tuple>

#include "apps/serve/socket_end.h"

namespace wavewright::app {

bool Connection::waits_for(short events, std::chrono::milliseconds most) const {
  const auto until = std::chrono::steady_clock::now() + most;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    pollfd waited{socket_, events, 0};
    const int ready = ::poll(&waited, 1, static_cast<int>(std::max<std::int64_t>(0, left.count())));
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

bool Connection::waits_for_tls(int result, std::chrono::milliseconds most) const {
  switch (::SSL_get_error(tls_, result)) {
    case SSL_ERROR_WANT_READ:
      return waits_for(POLLIN, most);
    case SSL_ERROR_WANT_WRITE:
      return waits_for(POLLOUT, most);
    default:
      return false;
  }
}

bool Connection::accept() {
  if (tls_ == nullptr) return true;
  for (;;) {
    ::ERR_clear_error();  // SSL_get_error() also looks at what an earlier connection of the thread left
    const int result = ::SSL_accept(tls_);
    if (result == 1) return true;
    if (!waits_for_tls(result, waits_.read)) return false;
  }
}

bool Connection::wait_for_request(std::chrono::milliseconds most, const std::function<bool()>& goes_on) {
  constexpr std::chrono::milliseconds slice(50);
  const auto until = std::chrono::steady_clock::now() + most;
  while (goes_on()) {
    if (begin_ < end_ || (tls_ != nullptr && ::SSL_pending(tls_) > 0)) return true;
    if (waits_for(POLLIN, slice)) return true;
    if (std::chrono::steady_clock::now() >= until) return false;
  }
  return false;
}

bool Connection::is_readable() const {
  return begin_ < end_ || (tls_ != nullptr && ::SSL_pending(tls_) > 0) || waits_for(POLLIN, waits_.read);
}

bool Connection::is_writable() const {
  if (!waits_for(POLLOUT, waits_.write)) return false;
  char next = 0;
  const ssize_t seen = ::recv(socket_, &next, 1, MSG_PEEK | MSG_DONTWAIT);
  return seen > 0 || (seen < 0 && (errno == EAGAIN || errno == EINTR));
}

ssize_t Connection::receive(char* into, std::size_t size) {
  for (;;) {
    if (tls_ != nullptr) {
      ::ERR_clear_error();
      const int got = ::SSL_read(tls_, into, static_cast<int>(size));
      if (got > 0) return got;
      if (::SSL_get_error(tls_, got) == SSL_ERROR_ZERO_RETURN) return 0;
      if (!waits_for_tls(got, waits_.read)) return -1;
      continue;
    }
    const ssize_t got = ::recv(socket_, into, size, MSG_DONTWAIT);
    if (got >= 0) return got;
    if (errno == EINTR) continue;
    if (errno != EAGAIN || !waits_for(POLLIN, waits_.read)) return -1;
  }
}

ssize_t Connection::read(char* into, std::size_t size) {
  if (begin_ == end_) {
    begin_ = end_ = 0;
    const ssize_t got = receive(buffer_.data(), buffer_.size());
    if (got <= 0) return got;
    end_ = static_cast<std::size_t>(got);
  }
  const std::size_t taken = std::min(size, end_ - begin_);
  if (head_left_) {
    if (taken > *head_left_) {
      too_long_ = true;
      return -1;
    }
    *head_left_ -= taken;
  }
  std::copy_n(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_), taken, into);
  begin_ += taken;
  return static_cast<ssize_t>(taken);
}

ssize_t Connection::send_some(const char* from, std::size_t size) {
  for (;;) {
    if (tls_ != nullptr) {
      constexpr std::size_t most = std::size_t{1} << 30;
      ::ERR_clear_error();
      const int sent = ::SSL_write(tls_, from, static_cast<int>(std::min(size, most)));
      if (sent > 0) return sent;
      if (!waits_for_tls(sent, waits_.write)) return -1;
      continue;
    }
    const ssize_t sent = ::send(socket_, from, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) return sent;
    if (errno == EINTR) continue;
    if (errno != EAGAIN || !waits_for(POLLOUT, waits_.write)) return -1;
  }
}

ssize_t Connection::write(const char* from, std::size_t size) {
  for (std::size_t done = 0; done < size;) {
    const ssize_t sent = send_some(from + done, size - done);
    if (sent < 0) return -1;
    done += static_cast<std::size_t>(sent);
  }
  return static_cast<ssize_t>(size);
}

void Connection::get_remote_ip_and_port(std::string& address, int& port) const {
  if (const auto end = end_of_socket(socket_, ::getpeername))
    std::tie(address, port) = std::tie(end->address, end->port);
}
void Connection::get_local_ip_and_port(std::string& address, int& port) const {
  if (const auto end = end_of_socket(socket_, ::getsockname))
    std::tie(address, port) = std::tie(end->address, end->port);
}

}  // namespace wavewright::app
