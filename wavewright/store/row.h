// A run's row in wavewright_run, from its header and back.
#pragma once

#include <string>

#include "wavewright/store/store.h"
#include "wavewright/store/table.h"

namespace wavewright {

// Places in a row, in the order of run_table().
namespace run_column {
enum : std::size_t {
  identity,
  id,
  name,
  user,
  queue,
  id_key,
  name_key,
  user_key,
  queue_key,
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
  source
};
}  // namespace run_column

[[nodiscard]] Row to_row(const RunHeader& header, const std::string& identity);
// ExternalError where the row counts what cannot be.
[[nodiscard]] RunHeader from_row(const Row& row);

// The instant that lists are ordered by: the first one known; 0 where none is.
[[nodiscard]] std::int64_t ordered_ms(const RunHeader& header);

// Fit for a text column of every database: valid UTF-8 without zero bytes; others become U+FFFD and `?`.
[[nodiscard]] std::string storable(std::string text);

}  // namespace wavewright
