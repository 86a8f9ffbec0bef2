// One event of a jhist file: the fields that a run needs, for any encoding and Hadoop version.
//
// An Avro field name means the same in every record of the schema, so one flat set of slots holds any event.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace wavewright::jhist {

enum class Text : std::uint8_t {
  application_attempt_id,
  attempt_id,
  diagnostics,
  error,
  host,
  job_id,
  job_name,
  job_queue,
  job_status,
  node_manager,
  rack,
  split_locations,
  status,
  successful_attempt,
  task_id,
  task_type,
  tracker,
  user,
  count
};

enum class Number : std::uint8_t {
  finish_time,
  launch_time,
  map_finish_time,
  shuffle_finish_time,
  sort_finish_time,
  start_time,
  submit_time,
  total_maps,
  total_reduces,
  count
};

struct CounterValue {
  std::string_view group;
  std::string_view name;
  std::int64_t value = 0;
};

// The views are valid until the decoder's next event.
struct Event {
  std::string_view type;  // `MAP_ATTEMPT_FINISHED`
  std::array<std::string_view, static_cast<std::size_t>(Text::count)> texts;
  std::array<std::optional<std::int64_t>, static_cast<std::size_t>(Number::count)> numbers;
  std::vector<CounterValue> counters;

  [[nodiscard]] std::string_view operator[](Text field) const {
    return texts[static_cast<std::size_t>(field)];
  }
  [[nodiscard]] std::optional<std::int64_t> operator[](Number field) const {
    return numbers[static_cast<std::size_t>(field)];
  }
  void clear() {
    type = {};
    texts.fill({});
    numbers.fill(std::nullopt);
    counters.clear();
  }
};

// The use of a field of the file's schema.
struct Use {
  enum class What : std::uint8_t {
    skip,
    text,
    number,
    type,      // of the event
    body,      // of the event
    counters,  // of the task, attempt or whole job
    groups,    // in counters
    counts,    // in a group
    name,      // of a group or counter
    value      // of a counter
  };
  What what = What::skip;
  std::uint8_t slot = 0;  // of Text or Number
};

// By the field's Avro name. A name that no known Hadoop version has is skipped.
[[nodiscard]] Use use_of(std::string_view field_name);

}  // namespace wavewright::jhist
