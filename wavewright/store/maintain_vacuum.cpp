#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/store/database.h"
#include "wavewright/store/derived.h"
#include "wavewright/store/maintain.h"
#include "wavewright/store/packed.h"
#include "wavewright/store/table.h"

namespace wavewright {

namespace {

// Runs without submission stay, as their age is unknown.
constexpr std::string_view old_runs = "submit_ms < :before and state <> 'RUNNING'";

Count number_of(soci::session& session, const std::string& sql, Row uses = {}) {
  Query query(session, sql, std::move(uses), {ColumnKind::integer});
  return query.fetch() ? query.number(0) : 0;
}

std::string orphans_of(const std::string& table) {
  return fmt::format("from {} where identity not in (select identity from wavewright_run)", table);
}

// `which` is a condition on wavewright_run.
void remove_runs(soci::session& session, const std::string& which, const Row& uses) {
  for (const char* table : {"wavewright_tasks", "wavewright_phases"}) {
    execute(session,
            fmt::format("delete from {} where identity in (select identity from wavewright_run where {})",
                        table, which),
            uses);
  }
  execute(session, "delete from wavewright_run where " + which, uses);
}

std::vector<std::string> damaged_runs(const Database& database) {
  std::vector<std::string> damaged;
  each_stored_run(database.session(), [&](const Row& row, const std::string& tasks, const std::string&) {
    try {
      (void)unpacked(database.where().shown, row, tasks);
    } catch (const Error&) {
      damaged.push_back(row.front().text);
    }
  });
  return damaged;
}

Vacuumed remove(const Database& database, soci::session& session, const VacuumOptions& options) {
  Vacuumed gone;
  if (options.before) {
    const Row limit = {Value(static_cast<long long>(to_ms(*options.before)))};
    gone.old_runs =
        number_of(session, fmt::format("select count(*) from wavewright_run where {}", old_runs), limit);
    if (!options.dry_run) remove_runs(session, std::string(old_runs), limit);
  }
  if (options.damaged) {
    const std::vector<std::string> damaged = damaged_runs(database);
    gone.damaged_runs = std::ssize(damaged);
    each_chunk(damaged, [&](const std::string& list, const Row& uses) {
      if (!options.dry_run) remove_runs(session, "identity in " + list, uses);
    });
  }
  for (const char* table : {"wavewright_tasks", "wavewright_phases"}) {
    gone.orphans += number_of(session, "select count(*) " + orphans_of(table));
    if (!options.dry_run) execute(session, "delete " + orphans_of(table));
  }
  if (!options.dry_run) (void)rebuild_derived(database);
  return gone;
}

void compact(const Database& database) {
  database.guarded([&](soci::session& session) {
    switch (database.backend()) {
      case Backend::sqlite:
        session << "vacuum";
        session << "pragma wal_checkpoint(truncate)";
        break;
      case Backend::postgresql:
        for (const char* table : {"run", "tasks", "phases", "count", "file"}) {
          session << "vacuum (full, analyze) wavewright_" << table;
        }
        break;
      case Backend::mariadb: {
        Query query(session,
                    "optimize table wavewright_run, wavewright_tasks, wavewright_phases, wavewright_count, "
                    "wavewright_file",
                    {}, {ColumnKind::text, ColumnKind::text, ColumnKind::text, ColumnKind::text});
        while (query.fetch()) {
        }
        break;
      }
    }
  });
}

}  // namespace

Vacuumed vacuum_store(const Store& store, const VacuumOptions& options) {
  const Database& database = store.database();
  const Bytes size = info_of(store).bytes;
  Vacuumed gone =
      database.in_transaction([&](soci::session& session) { return remove(database, session, options); });
  if (options.dry_run) return gone;
  compact(database);
  gone.freed.count = size.count - info_of(store).bytes.count;
  return gone;
}

}  // namespace wavewright
