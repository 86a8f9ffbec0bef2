// The mark that some editors put before a text in UTF-8.
#pragma once

#include <string_view>

namespace wavewright {

[[nodiscard]] inline std::string_view without_byte_order_mark(std::string_view bytes) {
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  return bytes;
}

}  // namespace wavewright
