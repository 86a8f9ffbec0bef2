#include "wavewright/history/json_stream.h"

namespace wavewright {

namespace {

// Position behind the string whose opening quote is at `at`; npos if the string does not end.
std::size_t after_string(std::string_view bytes, std::size_t at) {
  for (++at; (at = bytes.find_first_of("\"\\", at)) != std::string_view::npos;) {
    if (bytes[at] == '"') return at + 1;
    at += 2;
  }
  return std::string_view::npos;
}

}  // namespace

bool JsonStream::next(std::string_view& object) {
  while (at_ < bytes_.size() && bytes_[at_] != '{') {
    const char c = bytes_[at_++];
    const bool between = c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == ',' || c == '[' || c == ']';
    if (!between) saw_other_ = true;
  }
  begin_ = at_;
  if (at_ >= bytes_.size()) return false;
  std::size_t depth = 0;
  while ((at_ = bytes_.find_first_of("{}\"", at_)) != std::string_view::npos) {
    if (bytes_[at_] == '"') {
      at_ = after_string(bytes_, at_);
      if (at_ == std::string_view::npos) break;
      continue;
    }
    depth += bytes_[at_] == '{' ? 1U : 0U;
    depth -= bytes_[at_] == '}' ? 1U : 0U;
    ++at_;
    if (depth > 0) continue;
    object = bytes_.substr(begin_, at_ - begin_);
    return true;
  }
  at_ = bytes_.size();
  cut_off_ = true;
  return false;
}

}  // namespace wavewright
