#include "wavewright/history/hadoop1/counters.h"

#include <optional>

#include "wavewright/history/hadoop1/record.h"
#include "wavewright/history/text.h"

namespace wavewright::hadoop1 {

namespace {

class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  [[nodiscard]] bool ended() const { return at_ >= text_.size(); }

  bool take(char c) {
    if (ended() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::optional<std::string> parenthesised() {
    if (!take('(')) return std::nullopt;
    const std::size_t begin = at_;
    while (!ended() && text_[at_] != ')') at_ += text_[at_] == '\\' ? 2 : 1;
    if (ended()) return std::nullopt;
    return unescape(text_.substr(begin, at_++ - begin));
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

bool parse_group(Cursor& cursor, const CounterSink& each) {
  const auto group = cursor.parenthesised();
  if (!group || !cursor.parenthesised()) return false;
  while (cursor.take('[')) {
    const auto name = cursor.parenthesised();
    if (!name || !cursor.parenthesised()) return false;
    const auto value = cursor.parenthesised();
    if (!value || !cursor.take(']')) return false;
    const auto number = parse_integer(*value);
    if (!number) return false;
    each(*group, *name, *number);
  }
  return cursor.take('}');
}

}  // namespace

bool parse_counters(std::string_view text, const CounterSink& each) {
  Cursor cursor(text);
  while (cursor.take('{')) {
    if (!parse_group(cursor, each)) return false;
  }
  return cursor.ended();
}

}  // namespace wavewright::hadoop1
