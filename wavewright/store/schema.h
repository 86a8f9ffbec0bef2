// The tables, as an ordered list of migrations; one SQL for all databases.
//
// Uses only what SQLite, PostgreSQL and MariaDB share: no automatic keys (a run's key is its identity), no
// upserts, no binary values, 64-bit integers as `bigint`, absent values as NULL. All three compare texts byte
// by byte.
//
//   wavewright_meta    schema version
//   wavewright_run     one row per run: columns for lists and filters
//   wavewright_tasks   its tasks (store/task_codec.h)
//   wavewright_phases  its durations by phase (store/phases_codec.h); follows from the tasks
//   wavewright_count   runs by name, user and queue; follows from the runs
//   wavewright_file    every file that was imported
//   wavewright_batch   live batches, with wavewright_batch_job, …_past, …_event, …_wish, …_round, …_order and
//                      …_pools (live/batch/batch_store.h, live/yarn/pool_queue_store.h), …_outlook and
//                      wavewright_promise (live/outlook/outlook_store.h)
//   wavewright_rent_…  machines rented from a cloud (cloud/provision/ledger_store.h)
#pragma once

#include "wavewright/store/database.h"
#include "wavewright/store/store.h"

namespace wavewright {

// The schema version of this program: the number of migrations.
[[nodiscard]] int schema_version();

// Creates (`create` only) or updates the tables; continues an interrupted update. Throws ExternalError if
// there is no store, if the tables belong to another program (SQLite), if an update is needed on a read-only
// store, or if the schema is newer than this program. Then nothing is changed.
void update_schema(const Database& database, Store::Access access);

}  // namespace wavewright
