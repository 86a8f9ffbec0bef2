// A server of a test's own (server.py beside this header): up when constructed, gone with the object.
#pragma once

#include <string>
#include <vector>

namespace wavewright::tests {

class Server {
 public:
  // `arguments` of server.py: `{"odd"}`.
  explicit Server(const std::vector<std::string>& arguments);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] std::string at() const { return "127.0.0.1:" + std::to_string(port_); }  // host and port
  [[nodiscard]] std::string url(const std::string& path = {}) const { return "http://" + at() + path; }
  [[nodiscard]] int port() const { return port_; }
  void stop();

 private:
  int child_ = -1;
  int input_ = -1;  // the server's; it ends when this closes
  int port_ = 0;
};

}  // namespace wavewright::tests
