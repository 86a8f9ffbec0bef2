#include "apps/whole_number.h"

#include <charconv>

#include <fmt/format.h>

namespace wavewright::app {

CLI::Validator whole_number(std::uint64_t least, std::optional<std::uint64_t> most) {
  const std::string range = most ? fmt::format("from {} to {}", least, *most) : fmt::format("from {}", least);
  const auto complaint = [=](const std::string& text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    if (whole && number >= least && (!most || number <= *most)) return std::string();
    if (error == std::errc::result_out_of_range) return fmt::format("'{}' is too large", text);
    return fmt::format("'{}' is not a whole number {}", text, range);
  };
  return {complaint, ""};
}

}  // namespace wavewright::app
