#include "apps/serve/listen_options.h"

#include <charconv>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright::app {

ListenOptions parse_listen(const std::string& text) {
  ListenOptions options;
  const std::size_t bracket = text.find(']');
  const std::size_t colon = text.find(':', bracket == std::string::npos ? 0 : bracket);
  std::string host = text.substr(0, colon);
  if (host.size() >= 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  if (!host.empty()) options.host = host;
  if (colon == std::string::npos) return options;
  const std::string port = text.substr(colon + 1);
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), options.port);
  if (error != std::errc{} || end != port.data() + port.size() || options.port < 0 || options.port > 65535)
    throw UsageError(fmt::format("'{}' is no address to listen on", text), "as in 127.0.0.1:8190");
  return options;
}

}  // namespace wavewright::app
