// Refuses what no history holds while a file is still being read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace wavewright {

// Takes a file's pieces in order. Throws InputError at a line longer than `longest_line` (history/reader.h)
// of a format that has lines, and at a long row of zero bytes in any format.
class ContentCheck {
 public:
  explicit ContentCheck(std::string source) : source_(std::move(source)) {}
  void take(std::string_view piece);

 private:
  void take_zeros(std::string_view piece);

  std::string source_;
  std::string start_;  // tells the format; pieces may be of one byte
  bool lines_ = false;
  std::int64_t line_ = 1;
  std::size_t of_line_ = 0;  // bytes of the present line
  std::size_t zeros_ = 0;    // bytes at the end so far that are zero
};

}  // namespace wavewright
