#include "wavewright/cloud/provision/rent_token.h"

#include <sys/random.h>

#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wavewright/core/error.h"

namespace wavewright {

std::string rent_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw ExternalError({"random numbers"}, std::strerror(errno), "look at /dev/urandom");
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

}  // namespace wavewright
