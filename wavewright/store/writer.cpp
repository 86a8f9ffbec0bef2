#include "wavewright/store/writer.h"

#include <unordered_map>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/when.h"
#include "wavewright/store/derived.h"
#include "wavewright/store/key.h"
#include "wavewright/store/row.h"

namespace wavewright {

namespace {

// Two runs of one job id whose submissions are nearer than this are one run, reported by two sources.
constexpr Duration same_submission = std::chrono::minutes(10);

bool ended(const std::string& state) {
  return state != "RUNNING" && state != "UNKNOWN";
}

// A known run, in the database or earlier in the batch.
struct Known {
  std::string identity;
  std::string id;
  std::string state;
  std::optional<Time> submit;
  std::string source;
  std::size_t place = in_database;  // index in the batch

  static constexpr std::size_t in_database = static_cast<std::size_t>(-1);
};

Known known_of(const PackedRun& run, std::size_t place) {
  return {run.identity,      storable(run.header.id),     to_string(run.header.state),
          run.header.submit, storable(run.header.source), place};
}

enum class Meeting : std::uint8_t { strangers, nothing_new, completes, updates };

// Relation of a later run to a known one.
Meeting meet(const Known& there, const Known& later) {
  if (there.identity != later.identity) {
    if (ended(there.state) && ended(later.state)) return Meeting::strangers;
    if (there.submit && later.submit && std::chrono::abs(*there.submit - *later.submit) > same_submission) {
      return Meeting::strangers;
    }
  }
  if (ended(there.state)) return Meeting::nothing_new;
  if (ended(later.state)) return Meeting::completes;
  // If both histories broke off, the later one is certainly newer only if it comes from the same source.
  const bool both_broke_off = there.state == "UNKNOWN" && later.state == "UNKNOWN";
  return both_broke_off && there.source != later.source ? Meeting::nothing_new : Meeting::updates;
}

// Known runs that a batch may meet, by job id (or identity if there is none).
class Acquaintances {
 public:
  Acquaintances(soci::session& session, std::span<const PackedRun> runs) {
    std::vector<std::string> ids;
    std::vector<std::string> identities;
    for (const PackedRun& run : runs) {
      (run.header.id.empty() ? identities : ids)
          .push_back(run.header.id.empty() ? run.identity : search_key(storable(run.header.id)));
    }
    look_up(session, "id_key", ids);
    look_up(session, "identity", identities);
  }

  std::vector<Known>& like(const Known& run) { return known_[run.id.empty() ? run.identity : run.id]; }

 private:
  void look_up(soci::session& session, const std::string& column, std::span<const std::string> keys) {
    each_chunk(keys, [&](const std::string& list, const Row& uses) {
      using enum ColumnKind;
      Query query(session,
                  "select identity, job_id, state, submit_ms, source from wavewright_run where " + column +
                      " in " + list,
                  uses, {text, text, text, integer, text});
      while (query.fetch()) {
        const Value& submit = query.row()[3];
        Known run{query.text(0), query.text(1), query.text(2),
                  submit.is_null() ? std::nullopt : std::optional(at_ms(submit.number)), query.text(4)};
        std::vector<Known>& others = like(run);
        others.push_back(std::move(run));
      }
    });
  }

  std::unordered_map<std::string, std::vector<Known>> known_;
};

// The effect of a batch: rows to remove, and runs of the batch to keep.
struct Changes {
  std::vector<std::string> removed;
  std::vector<bool> kept;
  Store::Added added;
};

Changes changes_of(Acquaintances& known, std::span<const PackedRun> runs) {
  Changes changes;
  changes.kept.assign(runs.size(), true);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Known run = known_of(runs[i], i);
    std::vector<Known>& others = known.like(run);
    Meeting outcome = Meeting::strangers;
    for (const Known& other : others) {
      const Meeting meeting = meet(other, run);
      if (meeting == Meeting::strangers) continue;
      if (outcome != Meeting::nothing_new) outcome = meeting;
    }
    if (outcome == Meeting::nothing_new) {
      changes.kept[i] = false;
      ++changes.added.known;
      continue;
    }
    std::erase_if(others, [&](const Known& other) {
      if (meet(other, run) == Meeting::strangers) return false;
      if (other.place == Known::in_database) {
        changes.removed.push_back(other.identity);
      } else {
        changes.kept[other.place] = false;
      }
      return true;
    });
    ++(outcome == Meeting::completes ? changes.added.completed
       : outcome == Meeting::updates ? changes.added.updated
                                     : changes.added.fresh);
    others.push_back(run);
  }
  return changes;
}

void remove_runs(soci::session& session, std::span<const std::string> identities, ValueCounts& counts) {
  each_chunk(identities, [&](const std::string& list, const Row& uses) {
    Query query(session,
                "select " + column_list(run_table()) + " from wavewright_run where identity in " + list, uses,
                run_table());
    while (query.fetch()) count_run(counts, query.row(), -1);
    for (const char* table : {"wavewright_tasks", "wavewright_phases", "wavewright_run"}) {
      execute(session, std::string("delete from ") + table + " where identity in " + list, uses);
    }
  });
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
  Acquaintances known(session, runs);
  const Changes changes = changes_of(known, runs);
  ValueCounts counts;
  remove_runs(session, changes.removed, counts);
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
  add_counts(session, counts, rows_at_once(database_.backend()));
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
