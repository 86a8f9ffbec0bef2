// Where the daemon listens.
#pragma once

#include <string>

namespace wavewright::app {

struct ListenOptions {
  std::string host = "127.0.0.1";
  int port = 8190;               // 0 = any that is free
  std::string certificate, key;  // PEM files; empty = without TLS
};

// `127.0.0.1:8190`, `localhost`, `[::1]:8190`, `:8190`. Throws UsageError otherwise.
[[nodiscard]] ListenOptions parse_listen(const std::string& text);

}  // namespace wavewright::app
