// Splits a trace into its JSON objects (one per job), which line ends, commas or an array may separate.
#pragma once

#include <string_view>

namespace wavewright {

class JsonStream {
 public:
  explicit JsonStream(std::string_view bytes) : bytes_(bytes) {}

  // The next object's text, up to its closing brace. Braces in strings do not count; nothing else is checked.
  // False at the end. O(length) in total.
  [[nodiscard]] bool next(std::string_view& object);

  [[nodiscard]] std::size_t offset() const { return begin_; }  // of the last object
  [[nodiscard]] bool cut_off() const { return cut_off_; }      // the input ends inside an object
  [[nodiscard]] bool saw_other() const { return saw_other_; }  // there was other text between objects

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;
  bool cut_off_ = false;
  bool saw_other_ = false;
};

}  // namespace wavewright
