#include "wavewright/store/row.h"

#include <fmt/format.h>
#include <simdjson.h>

#include "wavewright/history/limits.h"
#include "wavewright/store/key.h"

namespace wavewright {

namespace {

// Bytes of the well-formed UTF-8 character at the start of `text`; 0 = there is none.
std::size_t character_length(std::string_view text) {
  for (std::size_t length = 1; length <= std::min<std::size_t>(4, text.size()); ++length) {
    if (simdjson::validate_utf8(text.data(), length)) return length;
  }
  return 0;
}

std::string with_replacements(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    clean += length > 0 ? text.substr(0, length) : std::string_view("\xef\xbf\xbd");
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return clean;
}

Value maybe(const std::optional<Time>& time) {
  return time ? Value(static_cast<long long>(to_ms(*time))) : Value();
}

// Reads the columns of a row, and notes the first one whose value cannot be.
class RowReader {
 public:
  RowReader(const Row& row, std::string& damage) : row_(row), damage_(damage) {}

  Count count(std::size_t column) { return number(column, most_tasks_of_a_run).value_or(0); }

  std::optional<Time> instant(std::size_t column) {
    // A trace's instants are durations added up.
    const auto told = number(column, 2 * longest_duration.count());
    return told ? std::optional(at_ms(*told)) : std::nullopt;
  }

  std::optional<Bytes> bytes(std::size_t column) {
    const auto told = number(column, most_bytes_of_a_run);
    return told ? std::optional(Bytes{*told}) : std::nullopt;
  }

  RunState state(std::size_t column) {
    const std::string& text = row_[column].text;
    for (const RunState state :
         {RunState::unknown, RunState::running, RunState::succeeded, RunState::failed, RunState::killed}) {
      if (to_string(state) == text) return state;
    }
    note(column, "'" + text + "'");
    return RunState::unknown;
  }

 private:
  // From 0 to `most`; absent if it is null or cannot be.
  std::optional<std::int64_t> number(std::size_t column, std::int64_t most) {
    const Value& value = row_[column];
    if (value.is_null()) return std::nullopt;
    if (value.number >= 0 && value.number <= most) return value.number;
    note(column, value.number == no_integer ? "no integer" : std::to_string(value.number));
    return std::nullopt;
  }

  void note(std::size_t column, const std::string& value) {
    if (damage_.empty()) damage_ = fmt::format("its {} is {}", run_table().columns[column].name, value);
  }

  const Row& row_;
  std::string& damage_;
};

}  // namespace

std::string storable(std::string text) {
  std::replace(text.begin(), text.end(), '\0', '?');
  return simdjson::validate_utf8(text) ? text : with_replacements(text);
}

std::int64_t ordered_ms(const RunHeader& header) {
  const std::optional<Time> first = header.submit   ? header.submit
                                    : header.launch ? header.launch
                                                    : header.finish;
  return first ? to_ms(*first) : 0;
}

Row to_row(const RunHeader& header, const std::string& identity) {
  const std::string id = storable(header.id);
  const std::string name = storable(header.name);
  const std::string user = storable(header.user);
  const std::string queue = storable(header.queue);
  const auto number = [](std::int64_t count) { return Value(static_cast<long long>(count)); };
  return {Value(storable(identity)),
          Value(id),
          Value(name),
          Value(user),
          Value(queue),
          Value(to_string(header.state)),
          number(ordered_ms(header)),
          maybe(header.submit),
          maybe(header.launch),
          maybe(header.finish),
          number(header.maps),
          number(header.reduces),
          number(header.failed_attempts),
          number(header.killed_attempts),
          number(header.peak.map_slots),
          number(header.peak.reduce_slots),
          header.input ? number(header.input->count) : Value(),
          Value(storable(header.hadoop)),
          Value(storable(header.source)),
          Value(search_key(id)),
          Value(search_key(name)),
          Value(search_key(user)),
          Value(search_key(queue))};
}

RunHeader from_row(const Row& row) {
  namespace at = run_column;
  RunHeader header;
  RowReader read(row, header.damage);
  header.id = row[at::id].text;
  header.name = row[at::name].text;
  header.user = row[at::user].text;
  header.queue = row[at::queue].text;
  header.state = read.state(at::state);
  header.submit = read.instant(at::submit);
  header.launch = read.instant(at::launch);
  header.finish = read.instant(at::finish);
  header.maps = read.count(at::maps);
  header.reduces = read.count(at::reduces);
  header.failed_attempts = read.count(at::failed);
  header.killed_attempts = read.count(at::killed);
  header.peak = {read.count(at::peak_maps), read.count(at::peak_reduces)};
  header.input = read.bytes(at::input);
  header.hadoop = row[at::hadoop].text;
  header.source = row[at::source].text;
  return header;
}

}  // namespace wavewright
