// A run's row as SOCI reads and writes it: the one list of its columns.
#pragma once

#include <string>

#include <soci/soci.h>

#include "wavewright/store/store.h"

namespace wavewright {

// An integer column that may be NULL; SOCI 4.0 knows no std::optional.
struct MaybeInteger {
  long long value = 0;
  soci::indicator there = soci::i_null;
};

struct RunRow {
  std::string identity, id, name, user, queue, state, hadoop, source;
  std::string id_key, name_key, user_key, queue_key;  // written only
  long long ordered = 0, maps = 0, reduces = 0, failed = 0, killed = 0, peak_maps = 0, peak_reduces = 0;
  MaybeInteger submit, launch, finish, input;
};

[[nodiscard]] RunRow to_row(const RunHeader& header, const std::string& identity);
[[nodiscard]] RunHeader from_row(const RunRow& row);

// `select` of the columns that `read_into` binds, with the row's table as `r`.
[[nodiscard]] std::string selected_columns();
void read_into(soci::statement& statement, RunRow& row);

// The whole insert statement, bound to `row`, which must outlive it.
void write_row(soci::session& session, RunRow& row);

}  // namespace wavewright
