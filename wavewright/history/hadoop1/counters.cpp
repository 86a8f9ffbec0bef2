#include "wavewright/history/hadoop1/counters.h"

#include <algorithm>
#include <optional>
#include <utility>

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

// `HDFS bytes read` gives HDFS_BYTES_READ, `Local bytes read` gives FILE_BYTES_READ.
std::string internal_name(std::string_view shown) {
  std::string name;
  constexpr std::string_view local = "Local ";
  if (shown.starts_with(local)) {
    name = "FILE_";
    shown.remove_prefix(local.size());
  }
  for (const char c : shown) {
    name += c == ' ' ? '_' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return name;
}

// Internal names of job counters that do not follow from the displayed ones; others keep the displayed name.
std::string job_counter_name(std::string_view shown) {
  constexpr std::pair<std::string_view, std::string_view> names[] = {
      {"Launched map tasks", "TOTAL_LAUNCHED_MAPS"}, {"Launched reduce tasks", "TOTAL_LAUNCHED_REDUCES"},
      {"Data-local map tasks", "DATA_LOCAL_MAPS"},   {"Rack-local map tasks", "RACK_LOCAL_MAPS"},
      {"Failed map tasks", "NUM_FAILED_MAPS"},       {"Failed reduce tasks", "NUM_FAILED_REDUCES"},
  };
  for (const auto& [page, name] : names) {
    if (page == shown) return std::string(name);
  }
  return std::string(shown);
}

void give(std::string_view group, std::string_view name, std::int64_t value, const CounterSink& each) {
  if (group == "File Systems") {
    each("FileSystemCounters", internal_name(name), value);
  } else if (group == "Map-Reduce Framework") {
    each("org.apache.hadoop.mapred.Task$Counter", internal_name(name), value);
  } else if (group == "Job Counters ") {
    each("org.apache.hadoop.mapred.JobInProgress$Counter", job_counter_name(name), value);
  } else {
    each(std::string(group), std::string(name), value);
  }
}

// Names may hold any of `.:,`. A counter ends with a colon, a number and a comma or the end of the text; its
// group ends at the last point.
bool parse_shown(std::string_view text, const CounterSink& each) {
  while (!text.empty()) {
    std::size_t colon = text.find(':');
    std::optional<std::int64_t> value;
    std::size_t end = 0;
    for (; colon != std::string_view::npos; colon = text.find(':', colon + 1)) {
      end = std::min(text.find_first_not_of("-0123456789", colon + 1), text.size());
      value = parse_integer(text.substr(colon + 1, end - colon - 1));
      if (value && (end == text.size() || text[end] == ',')) break;
    }
    if (colon == std::string_view::npos) return false;
    const std::string_view full = text.substr(0, colon);
    const std::size_t point = full.rfind('.');
    if (point == std::string_view::npos) return false;
    give(full.substr(0, point), full.substr(point + 1), *value, each);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

}  // namespace

bool parse_counters(std::string_view text, const CounterSink& each) {
  if (!text.starts_with('{')) return parse_shown(text, each);
  Cursor cursor(text);
  while (cursor.take('{')) {
    if (!parse_group(cursor, each)) return false;
  }
  return cursor.ended();
}

}  // namespace wavewright::hadoop1
