#include "wavewright/core/quantity.h"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr std::array units = {
    Unit{"", 1},         Unit{"B", 1},        Unit{"kB", 1e3},     Unit{"KB", 1e3},     Unit{"MB", 1e6},
    Unit{"GB", 1e9},     Unit{"TB", 1e12},    Unit{"PB", 1e15},    Unit{"KiB", 0x1p10}, Unit{"MiB", 0x1p20},
    Unit{"GiB", 0x1p30}, Unit{"TiB", 0x1p40}, Unit{"PiB", 0x1p50},
};

}  // namespace

Bytes parse_bytes(std::string_view text) {
  double number = 0;
  const bool digit = !text.empty() && text.front() >= '0' && text.front() <= '9';
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (digit && error == std::errc{}) {
    const std::string_view name = text.substr(static_cast<std::size_t>(end - text.data()));
    for (const Unit& unit : units) {
      if (unit.name == name && number * unit.factor < 0x1p62) return {std::llround(number * unit.factor)};
    }
  }
  throw UsageError("'" + std::string(text) + "' is not a number of bytes",
                   "write it like 64MB, 2GiB or 1048576");
}

std::string format_bytes(Bytes bytes) {
  constexpr std::array names = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double value = static_cast<double>(bytes.count);
  std::size_t i = 0;
  while (std::abs(value) >= 1024 && i + 1 < names.size()) {
    value /= 1024;
    ++i;
  }
  return i == 0 ? fmt::format("{} B", bytes.count) : fmt::format("{:.1f} {}", value, names[i]);
}

}  // namespace wavewright
