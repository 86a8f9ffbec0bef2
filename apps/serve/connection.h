// A client's connection to the HTTP server, in the clear or by TLS. The library's own drops what has come
// behind a request; this one keeps it, as the next request [RFC 9112 §9.3.2]. It also limits the head of a
// request.
#pragma once

#include <sys/socket.h>

#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "apps/serve/http_library.h"

namespace wavewright::app {

class Connection final : public httplib::Stream {
 public:
  static constexpr std::size_t longest_head = std::size_t{64} << 10;
  struct Waits {
    std::chrono::milliseconds read, write;  // for a byte
  };

  // `tls`: null in the clear. Both must outlive it, and are not closed by it.
  Connection(int socket, SSL* tls, Waits waits) : socket_(socket), tls_(tls), waits_(waits) {}

  // The TLS handshake; false if it fails.
  [[nodiscard]] bool accept();
  // Waits for the next request; false if none begins in that time, the client leaves, or `goes_on` says no.
  [[nodiscard]] bool wait_for_request(std::chrono::milliseconds most, const std::function<bool()>& goes_on);

  // A head of more than longest_head bytes cannot be read.
  void head_begins() { head_left_ = longest_head; }
  void head_ended() { head_left_.reset(); }
  [[nodiscard]] bool head_is_too_long() const { return too_long_; }

  [[nodiscard]] bool is_readable() const override;
  [[nodiscard]] bool is_writable() const override;  // and the client is there
  ssize_t read(char* into, std::size_t size) override;
  ssize_t write(const char* from, std::size_t size) override;  // all of it, or −1
  void get_remote_ip_and_port(std::string& address, int& port) const override;
  void get_local_ip_and_port(std::string& address, int& port) const override;
  [[nodiscard]] int socket() const override { return socket_; }

 private:
  [[nodiscard]] bool waits_for(short events, std::chrono::milliseconds most) const;
  // After a call of TLS that did not succeed: waits for what it needs. False if it failed.
  [[nodiscard]] bool waits_for_tls(int result, std::chrono::milliseconds most) const;
  [[nodiscard]] ssize_t receive(char* into, std::size_t size);
  [[nodiscard]] ssize_t send_some(const char* from, std::size_t size);

  int socket_;
  SSL* tls_;
  Waits waits_;
  std::array<char, std::size_t{16} << 10> buffer_{};
  std::size_t begin_ = 0, end_ = 0;       // of what is not read yet
  std::optional<std::size_t> head_left_;  // bytes; none outside of a head
  bool too_long_ = false;
};

}  // namespace wavewright::app
