// The library's server, with connections of our own (apps/serve/connection.h).
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <type_traits>

#include "apps/serve/connection.h"

namespace wavewright::app {

// Changes a request before it is answered. It asks for no ranges, by which one could ask for its answer
// thousands of times over, nor for Brotli, by which the library compresses at its slowest. Its target no
// longer names the server [RFC 9112 §3.2.2].
void as_served(httplib::Request& request);

// The connection that this thread serves; null outside.
[[nodiscard]] const Connection*& served_connection();

// `Library`: httplib::Server or httplib::SSLServer.
template <class Library>
class ServerOf final : public Library {
 public:
  using Library::Library;

 private:
  static constexpr bool is_encrypted = std::is_same_v<Library, httplib::SSLServer>;

  bool process_and_close_socket(socket_t socket) override {
    const std::unique_ptr<SSL, decltype(&::SSL_free)> tls(tls_of(socket), ::SSL_free);
    if (tls || !is_encrypted) serve(socket, tls.get());
    if (tls) (void)::SSL_shutdown(tls.get());
    ::shutdown(socket, SHUT_RDWR);
    ::close(socket);
    return true;
  }

  // Null in the clear, and without memory.
  [[nodiscard]] SSL* tls_of([[maybe_unused]] socket_t socket) {
    if constexpr (is_encrypted) {
      SSL* const tls = ::SSL_new(this->ssl_context());
      if (tls == nullptr) return nullptr;
      ::SSL_set_fd(tls, socket);
      ::fcntl(socket, F_SETFL, ::fcntl(socket, F_GETFL) | O_NONBLOCK);  // NOLINT(hicpp-signed-bitwise)
      return tls;
    } else {
      return nullptr;
    }
  }

  void serve(socket_t socket, SSL* tls) {
    const auto goes_on = [this] { return this->svr_sock_ != INVALID_SOCKET; };
    Connection connection(
        socket, tls,
        {std::chrono::seconds(this->read_timeout_sec_), std::chrono::seconds(this->write_timeout_sec_)});
    if (!connection.accept()) return;
    served_connection() = &connection;
    for (auto left = this->keep_alive_max_count_; left > 0; --left) {
      if (!connection.wait_for_request(std::chrono::seconds(this->keep_alive_timeout_sec_), goes_on)) break;
      bool closed = false;
      connection.head_begins();
      const bool good = this->process_request(connection, left == 1, closed, [&](httplib::Request& request) {
        connection.head_ended();
        as_served(request);
        if (tls != nullptr) request.ssl = tls;
      });
      if (!good || closed) break;
    }
    served_connection() = nullptr;
  }
};

}  // namespace wavewright::app
