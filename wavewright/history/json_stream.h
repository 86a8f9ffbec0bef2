// JSON documents one after another, as traces hold them: an object a job, with or without line ends, commas
// or one array around them.
#pragma once

#include <string_view>

namespace wavewright {

class JsonStream {
 public:
  explicit JsonStream(std::string_view bytes) : bytes_(bytes) {}

  // The next object's text, from its brace to the one that closes it; strings are minded, nothing else is
  // checked. False at the end. O(length) in all.
  [[nodiscard]] bool next(std::string_view& object);

  [[nodiscard]] std::size_t offset() const { return begin_; }  // of the object taken last
  [[nodiscard]] bool cut_off() const { return cut_off_; }      // the end came inside an object
  [[nodiscard]] bool saw_other() const { return saw_other_; }  // there was something between objects

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;
  bool cut_off_ = false;
  bool saw_other_ = false;
};

}  // namespace wavewright
