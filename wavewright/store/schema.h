// The tables, as an ordered list of migrations; one SQL for all databases.
//
// Kept to what SQLite, PostgreSQL and MariaDB share: no automatic keys (a run's key is its identity), no
// upserts, no binary values, 64-bit integers as `bigint`, absent values as NULL. Texts are compared byte by
// byte in all three.
//
//   wavewright_meta    schema version
//   wavewright_run     a row a run: what lists show and filters ask for
//   wavewright_tasks   its tasks (store/task_codec.h)
//   wavewright_phases  its durations by phase (store/phases_codec.h); follows from the tasks
//   wavewright_count   runs by name, user and queue; follows from the runs
//   wavewright_file    every file that was imported
#pragma once

#include "wavewright/store/database.h"
#include "wavewright/store/store.h"

namespace wavewright {

// The version that this program writes: the number of migrations.
[[nodiscard]] int schema_version();

// Creates (`create` only) or updates the tables; an interrupted update is taken up where it stopped. Throws
// ExternalError when there is no store, when the tables are somebody else's (SQLite), when
// they would have to be updated but may only be read, and when the schema is
// newer than this program; nothing is changed then.
void update_schema(const Database& database, Store::Access access);

}  // namespace wavewright
