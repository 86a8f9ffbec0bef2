#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/store/database.h"
#include "wavewright/store/derived.h"
#include "wavewright/store/maintain.h"
#include "wavewright/store/packed.h"
#include "wavewright/store/remove.h"
#include "wavewright/store/stored_runs.h"
#include "wavewright/store/table.h"

namespace wavewright {

namespace {

// Runs without submission stay, as their age is unknown.
constexpr std::string_view old_runs = "submit_ms >= 0 and submit_ms < :before and state <> 'RUNNING'";

Count number_of(soci::session& session, const std::string& sql, Row uses = {}) {
  Query query(session, sql, std::move(uses), {ColumnKind::integer});
  return query.fetch() ? query.number(0) : 0;
}

std::string orphans_of(const std::string& table) {
  return fmt::format("from {} where identity not in (select identity from wavewright_run)", table);
}

std::vector<std::string> identities_of_old(soci::session& session, Time before) {
  std::vector<std::string> identities;
  Query query(session, fmt::format("select identity from wavewright_run where {}", old_runs),
              {Value(static_cast<long long>(to_ms(before)))}, {ColumnKind::text});
  while (query.fetch()) identities.push_back(query.text(0));
  return identities;
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
    const std::vector<std::string> old = identities_of_old(session, *options.before);
    gone.old_runs = std::ssize(old);
    if (!options.dry_run) remove_runs(session, old);
  }
  if (options.damaged) {
    const std::vector<std::string> damaged = damaged_runs(database);
    gone.damaged_runs = std::ssize(damaged);
    if (!options.dry_run) remove_runs(session, damaged);
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
