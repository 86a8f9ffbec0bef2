#include "wavewright/store/writer.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/when.h"
#include "wavewright/store/changes.h"
#include "wavewright/store/derived.h"
#include "wavewright/store/key.h"
#include "wavewright/store/remove.h"
#include "wavewright/store/row.h"

namespace wavewright {

namespace {

// Takes the runs out of the counts, too. True if one was damaged: it may have been counted otherwise.
bool remove_counted(soci::session& session, std::span<const std::string> identities, ValueCounts& counts) {
  bool damaged = false;
  each_chunk(identities, [&](const std::string& list, const Row& uses) {
    Query query(session, "select " + run_columns(session) + " from wavewright_run where identity in " + list,
                uses, run_table());
    while (query.fetch()) {
      damaged = damaged || !from_row(query.row()).damage.empty();
      count_run(counts, query.row(), -1);
    }
  });
  remove_runs(session, identities);
  return damaged;
}

BulkInsert bulk(const Database& database, const TableSpec& table) {
  return {database.session(), table, rows_at_once(database.backend())};
}

std::size_t statement_limit(const Database& database) {
  if (database.backend() != Backend::mariadb) return std::numeric_limits<std::size_t>::max();
  Query query(database.session(), "select @@max_allowed_packet", {}, {ColumnKind::integer});
  return query.fetch() ? static_cast<std::size_t>(query.number(0)) : std::numeric_limits<std::size_t>::max();
}

}  // namespace

std::string file_key(const std::string& name) {
  return hash_text(name);
}

RunWriter::RunWriter(const Database& database)
    : database_(database),
      runs_(bulk(database, run_table())),
      tasks_(bulk(database, tasks_table())),
      phases_(bulk(database, phases_table())),
      files_(bulk(database, file_table())),
      most_bytes_(statement_limit(database)) {}

void RunWriter::refuse_too_large(std::span<const PackedRun> runs) const {
  for (const PackedRun& run : runs) {
    const std::size_t bytes =
        std::max(run.tasks.size(), run.phases.size()) + 1'000;  // plus the statement's words
    if (bytes <= most_bytes_) continue;
    throw ExternalError(
        {database_.where().shown},
        fmt::format("run {} takes {} bytes, the server at most {}", run.header.id, bytes, most_bytes_),
        "raise max_allowed_packet there and import again");
  }
}

Store::Added RunWriter::add(std::span<const PackedRun> runs, std::span<const ImportedFile> files) {
  soci::session& session = database_.session();
  refuse_too_large(runs);
  const Changes changes = changes_of(database_, runs);
  ValueCounts counts;
  const bool damaged = remove_counted(session, changes.removed, counts);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!changes.kept[i]) continue;
    Row row = to_row(runs[i].header, runs[i].identity);
    count_run(counts, row, 1);
    runs_.put(std::move(row));
    tasks_.put({Value(runs[i].identity), Value(runs[i].tasks)});
    phases_.put({Value(runs[i].identity), Value(runs[i].phases)});
  }
  runs_.flush();
  tasks_.flush();
  phases_.flush();
  if (damaged) {
    write_counts(session, count_all(session));
  } else {
    add_counts(session, counts, rows_at_once(database_.backend()));
  }
  add_files(files);
  return changes.added;
}

void RunWriter::add_files(std::span<const ImportedFile> files) {
  std::unordered_map<std::string, const ImportedFile*> latest;  // a file may be named twice
  std::vector<std::string> keys;
  for (const ImportedFile& file : files) {
    if (latest.insert_or_assign(file_key(file.name), &file).second) keys.push_back(file_key(file.name));
  }
  each_chunk(keys, [&](const std::string& list, const Row& uses) {
    execute(database_.session(), "delete from wavewright_file where file_key in " + list, uses);
  });
  const auto now = static_cast<long long>(to_ms(now_instant()));
  for (const std::string& key : keys) {
    const ImportedFile& file = *latest.at(key);
    files_.put({Value(key), Value(storable(file.name)), Value(storable(file.version)),
                Value(static_cast<long long>(file.jobs)), Value(storable(file.reason)), Value(now)});
  }
  files_.flush();
}

}  // namespace wavewright
