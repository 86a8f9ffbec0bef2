#include "wavewright/store/row.h"

#include <fmt/format.h>
#include <simdjson.h>

#include "wavewright/core/error.h"
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

std::optional<Time> instant(const Value& value) {
  return value.is_null() ? std::nullopt : std::optional(at_ms(value.number));
}

RunState parse_state(const std::string& text) {
  for (const RunState state : {RunState::running, RunState::succeeded, RunState::failed, RunState::killed}) {
    if (to_string(state) == text) return state;
  }
  return RunState::unknown;
}

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
          Value(search_key(id)),
          Value(search_key(name)),
          Value(search_key(user)),
          Value(search_key(queue)),
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
          Value(storable(header.source))};
}

RunHeader from_row(const Row& row) {
  namespace at = run_column;
  constexpr std::int64_t most = 100'000'000;  // tasks of a run; no program wrote more
  for (const auto column : {at::maps, at::reduces, at::failed, at::killed, at::peak_maps, at::peak_reduces}) {
    if (row[column].number < 0 || row[column].number > most) {
      throw ExternalError({row[at::id].text},
                          fmt::format("the stored run is damaged: it counts {} tasks", row[column].number),
                          "restore a copy of the store, or import again into another one");
    }
  }
  RunHeader header;
  header.id = row[at::id].text;
  header.name = row[at::name].text;
  header.user = row[at::user].text;
  header.queue = row[at::queue].text;
  header.state = parse_state(row[at::state].text);
  header.submit = instant(row[at::submit]);
  header.launch = instant(row[at::launch]);
  header.finish = instant(row[at::finish]);
  header.maps = row[at::maps].number;
  header.reduces = row[at::reduces].number;
  header.failed_attempts = row[at::failed].number;
  header.killed_attempts = row[at::killed].number;
  header.peak = {row[at::peak_maps].number, row[at::peak_reduces].number};
  if (!row[at::input].is_null()) header.input = Bytes{row[at::input].number};
  header.hadoop = row[at::hadoop].text;
  header.source = row[at::source].text;
  return header;
}

}  // namespace wavewright
