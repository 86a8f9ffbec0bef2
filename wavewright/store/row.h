// Converts between a run's header and its row in wavewright_run.
#pragma once

#include <string>

#include "wavewright/store/store.h"
#include "wavewright/store/table.h"

namespace wavewright {

// In the order of run_table().
namespace run_column {
enum : std::size_t {
  identity,
  id,
  name,
  user,
  queue,
  state,
  ordered,
  submit,
  launch,
  finish,
  maps,
  reduces,
  failed,
  killed,
  peak_maps,
  peak_reduces,
  input,
  hadoop,
  source,
  header_columns,  // from_row needs those before it; behind it are keys to search by
  id_key = header_columns,
  name_key,
  user_key,
  queue_key
};
}  // namespace run_column

[[nodiscard]] Row to_row(const RunHeader& header, const std::string& identity);
// Reads the first `run_column::header_columns` values. One that cannot be is 0 or absent, and the header's
// `damage` names the first of these.
[[nodiscard]] RunHeader from_row(const Row& row);

// The instant by which lists are ordered: the first known one; 0 if there is none.
[[nodiscard]] std::int64_t ordered_ms(const RunHeader& header);

// Makes a text valid for every database: UTF-8 without zero bytes; invalid bytes become U+FFFD and `?`.
[[nodiscard]] std::string storable(std::string text);

}  // namespace wavewright
