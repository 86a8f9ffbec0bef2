#include "wavewright/store/schema.h"

#include <charconv>
#include <chrono>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/store/derived.h"

namespace wavewright {

namespace {

// `{long}` is the database's type for long texts. A statement that begins with `{mariadb}` or `{postgresql}`
// is only for that database. Never edit a released migration: add one.
const std::vector<std::vector<std::string>>& migrations() {
  static const std::vector<std::vector<std::string>> list = {
      {
          // The keys are folded and cut for searching.
          R"(create table wavewright_run (
             identity varchar(200) not null primary key,
             job_id {long} not null, name {long} not null, user_name {long} not null, queue {long} not null,
             id_key varchar(200) not null, name_key varchar(200) not null,
             user_key varchar(200) not null, queue_key varchar(200) not null,
             state varchar(16) not null,
             ordered_ms bigint not null, submit_ms bigint, launch_ms bigint, finish_ms bigint,
             maps bigint not null, reduces bigint not null,
             failed_attempts bigint not null, killed_attempts bigint not null,
             peak_maps bigint not null, peak_reduces bigint not null,
             input_bytes bigint, hadoop {long} not null, source {long} not null))",
          R"(create table wavewright_tasks (
             identity varchar(200) not null primary key references wavewright_run(identity),
             tasks {long} not null))",
          "create index wavewright_run_name on wavewright_run (name_key, ordered_ms)",
          "create index wavewright_run_user on wavewright_run (user_key, ordered_ms)",
          "create index wavewright_run_id on wavewright_run (id_key)",
          "create index wavewright_run_time on wavewright_run (ordered_ms)",
      },
      {
          R"(create table wavewright_phases (
             identity varchar(200) not null primary key, phases {long} not null))",
          R"(create table wavewright_file (
             file_key varchar(40) not null primary key, name {long} not null, version {long} not null,
             jobs bigint not null, reason {long} not null, imported_ms bigint not null))",
          R"(create table wavewright_count (
             kind varchar(8) not null, value_hash varchar(40) not null,
             value_key varchar(200) not null, value {long} not null,
             runs bigint not null, succeeded bigint not null, newest_ms bigint not null,
             primary key (kind, value_hash)))",
          "create index wavewright_count_key on wavewright_count (kind, value_key)",
          // The index has the columns that filters often combine, so that a run that fails them is not read.
          "drop index wavewright_run_name",
          "drop index wavewright_run_user",
          "create index wavewright_run_names on wavewright_run (name_key, ordered_ms, state, user_key)",
          "create index wavewright_run_users on wavewright_run (user_key, ordered_ms, state, queue_key)",
          "create index wavewright_run_queues on wavewright_run (queue_key, ordered_ms, state, user_key)",
          "create index wavewright_run_state on wavewright_run (state, ordered_ms)",
      },
      {
          // MariaDB cannot sort partially, and checks conditions inside an index only when it scans forwards.
          // So this index has the order in which runs are listed.
          "{mariadb}drop index wavewright_run_names",
          "{mariadb}drop index wavewright_run_users",
          "{mariadb}drop index wavewright_run_queues",
          "{mariadb}create index wavewright_run_names2 on wavewright_run "
          "(name_key, ordered_ms desc, identity desc, state, user_key)",
          "{mariadb}create index wavewright_run_users2 on wavewright_run "
          "(user_key, ordered_ms desc, identity desc, state, queue_key)",
          "{mariadb}create index wavewright_run_queues2 on wavewright_run "
          "(queue_key, ordered_ms desc, identity desc, state, user_key)",
          // Names depend on their keys: without statistics PostgreSQL expects too few runs of a name.
          "{postgresql}create statistics wavewright_run_name_statistics (dependencies) on name_key, name "
          "from "
          "wavewright_run",
      },
      {},  // tasks may be in format 3: an older program would see damage, so it refuses the store
      {
          R"(create table wavewright_batch (
             batch_key varchar(40) not null primary key, name {long} not null, tag {long} not null,
             began_ms bigint not null, folder {long} not null, directory {long} not null, ordering {long} not null,
             lead bigint not null, events bigint not null, writes bigint not null, leader {long} not null,
             endless bigint not null))",
          R"(create table wavewright_batch_job (
             job_key varchar(64) not null primary key, batch_key varchar(40) not null,
             job_id {long} not null, state varchar(16) not null, document {long} not null))",
          R"(create table wavewright_batch_event (
             event_key varchar(64) not null primary key, batch_key varchar(40) not null,
             at_ms bigint not null, job_id {long} not null, what varchar(40) not null, detail {long} not null))",
          R"(create table wavewright_batch_wish (
             wish_key varchar(64) not null primary key, batch_key varchar(40) not null,
             job_id {long} not null, wish varchar(16) not null))",
          R"(create table wavewright_token (
             token_key varchar(64) not null primary key, name varchar(200) not null, scope varchar(16) not null,
             made_ms bigint not null))",
          "create index wavewright_batch_jobs on wavewright_batch_job (batch_key)",
          "create index wavewright_batch_events on wavewright_batch_event (batch_key)",
      },
      {
          // Jobs that left a live batch some time after they ended, and how many a batch has ever had.
          R"(create table wavewright_batch_past (
             past_key varchar(80) not null primary key, batch_key varchar(40) not null, id_key varchar(40) not null,
             state varchar(16) not null, ended_ms bigint not null, document {long} not null))",
          "create index wavewright_batch_ends on wavewright_batch_past (batch_key, ended_ms desc, id_key "
          "desc)",
          "create index wavewright_batch_states on wavewright_batch_past "
          "(batch_key, state, ended_ms desc, id_key desc)",
          "alter table wavewright_batch add column added bigint not null default 0",
          "alter table wavewright_batch add column logged bigint not null default 0",
          "update wavewright_batch set "
          "added = (select count(*) from wavewright_batch_job j where j.batch_key = "
          "wavewright_batch.batch_key), "
          "logged = (select count(*) from wavewright_batch_event e where e.batch_key = "
          "wavewright_batch.batch_key)",
          "drop index wavewright_batch_events",
          "create index wavewright_batch_log on wavewright_batch_event (batch_key, event_key)",
      },
      {
          R"(create table wavewright_batch_pools (
             batch_key varchar(40) not null primary key, document {long} not null))",
      },
      {
          R"(create table wavewright_batch_outlook (
             batch_key varchar(40) not null primary key, at_ms bigint not null, document {long} not null))",
          R"(create table wavewright_promise (
             promise_key varchar(40) not null primary key, profile_key varchar(40) not null,
             ended_ms bigint not null, expected_ms bigint not null, measured_ms bigint not null))",
          "create index wavewright_promises on wavewright_promise (profile_key, ended_ms)",
      },
      {R"(create table wavewright_token_account (
          token_key varchar(64) not null primary key, account varchar(200) not null))"},
      {
          R"(create table wavewright_rent_ledger (ledger_id varchar(64) not null primary key))",
          R"(create table wavewright_rent_budget (
             batch_key varchar(40) not null primary key, name {long} not null,
             limit_micro_usd bigint not null, settled_micro_usd bigint not null))",
          R"(create table wavewright_rent_order (
             token varchar(64) not null primary key, batch_key varchar(40) not null,
             state varchar(16) not null, asked_ms bigint not null, document {long} not null))",
          "create index wavewright_rent_orders on wavewright_rent_order (state, asked_ms)",
      },
      {
          // Where the dispatching queue of a batch stands, and the order that its rounds gave.
          R"(create table wavewright_batch_round (
             batch_key varchar(40) not null primary key, began_ms bigint not null, work_ms bigint, due_ms bigint))",
          R"(create table wavewright_batch_order (
             order_key varchar(64) not null primary key, batch_key varchar(40) not null, ids {long} not null))",
          "create index wavewright_batch_orders on wavewright_batch_order (batch_key, order_key)",
      },
  };
  return list;
}

constexpr int derived_since = 2;  // first migration with derived tables

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
    text.replace(at, what.size(), with);
  }
}

// Removes the statement's database mark; false if it is for another database.
bool is_for(std::string& statement, Backend backend) {
  const std::pair<std::string_view, Backend> marks[] = {{"{mariadb}", Backend::mariadb},
                                                        {"{postgresql}", Backend::postgresql}};
  for (const auto& [mark, which] : marks) {
    if (!statement.starts_with(mark)) continue;
    statement.erase(0, mark.size());
    return backend == which;
  }
  return true;
}

std::string dialect(std::string statement, Backend backend) {
  replace_all(statement, "{long}", backend == Backend::mariadb ? "longtext" : "text");
  if (backend == Backend::postgresql) replace_all(statement, "varchar(200)", "varchar(200) collate \"C\"");
  if (backend == Backend::mariadb) {
    // Binary, so that case and final blanks count; repeatable (`if not exists`), as DDL cannot be rolled
    // back.
    if (statement.starts_with("create table")) {
      statement += " engine = InnoDB default charset = utf8mb4 collate = utf8mb4_nopad_bin";
    }
    replace_all(statement, "create table wavewright", "create table if not exists wavewright");
    replace_all(statement, "add column ", "add column if not exists ");
    replace_all(statement, "create index ", "create index if not exists ");
    if (statement.starts_with("drop index ")) {
      replace_all(statement, "drop index ", "drop index if exists ");
      const bool of_log = statement.ends_with("wavewright_batch_events");
      statement += of_log ? " on wavewright_batch_event" : " on wavewright_run";
    }
  }
  return statement;
}

// 0 = none, -1 = not a number.
int stored_version(soci::session& session) {
  std::string text;
  soci::indicator there = soci::i_null;
  session << "select value from wavewright_meta where name = 'schema_version'", soci::into(text, there);
  if (!session.got_data() || there != soci::i_ok) return 0;
  int version = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  if (error != std::errc{} || end != text.data() + text.size() || version < 1) return -1;
  return version;
}

[[noreturn]] void refuse_as_foreign(const Database& database) {
  const bool file = database.backend() == Backend::sqlite;
  throw ExternalError({database.where().shown}, "is a database, but not a store of Wavewright",
                      file ? "name another file with --store sqlite:PATH; this one was left as it was"
                           : "name another database with --store; this one was left as it was");
}

int checked_version(const Database& database) {
  const int found = database.guarded([&](soci::session& session) {
    try {
      return stored_version(session);
    } catch (const soci::soci_error& error) {
      // A table with our name, but with other columns.
      if (std::string_view(error.what()).find("column") == std::string_view::npos) throw;
      refuse_as_foreign(database);
    }
  });
  const std::string& store = database.where().shown;
  if (found < 0) {
    throw ExternalError({store}, "is damaged: its schema version is no number",
                        "restore a copy, or import into another store with --store");
  }
  if (found > schema_version()) {
    throw ExternalError({store},
                        fmt::format("was written by a newer Wavewright (schema {}, this one knows {})", found,
                                    schema_version()),
                        "update Wavewright, or name another store with --store");
  }
  return found;
}

// Mostly so, and then one question is enough. Whatever hinders its answer, the questions that follow find.
bool is_current(const Database& database) {
  try {
    return stored_version(database.session()) == schema_version();
  } catch (const soci::soci_error&) {
    return false;
  }
}

void refuse_foreign(const Database& database) {
  // In this order: another process may be creating the store just now, with all tables at once.
  const bool foreign = database.backend() == Backend::sqlite && database.has_any_table() &&
                       !database.has_table("wavewright_meta");
  if (foreign) refuse_as_foreign(database);
}

// Not in a transaction. SQLite does not wait here: two processes creating a store would both be refused.
void use_write_ahead_log(soci::session& session) {
  constexpr int most_attempts = 500;
  for (int attempt = 1;; ++attempt) {
    try {
      session << "pragma journal_mode = wal";
      return;
    } catch (const soci::soci_error& error) {
      const bool locked = std::string_view(error.what()).find("locked") != std::string_view::npos;
      if (!locked || attempt == most_attempts) throw;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
}

void migrate(const Database& database) {
  const bool fresh = !database.has_table("wavewright_meta");
  if (fresh) refuse_foreign(database);
  if (fresh && database.backend() == Backend::sqlite) {
    database.guarded(use_write_ahead_log);
  }
  database.guarded([&](soci::session& session) {
    const Database::Lock lock(database);
    session << dialect(
        "create table if not exists wavewright_meta "
        "(name varchar(64) not null primary key, value varchar(200) not null)",
        database.backend());
    const int found = checked_version(database);  // again: another process may have been faster
    if (found == schema_version()) return;
    for (int version = found; version < schema_version(); ++version) {
      for (std::string statement : migrations()[static_cast<std::size_t>(version)]) {
        if (is_for(statement, database.backend())) session << dialect(statement, database.backend());
      }
    }
    if (found > 0 && found < derived_since) (void)rebuild_derived(database);
    session << "delete from wavewright_meta where name = 'schema_version'";
    session << "insert into wavewright_meta (name, value) values ('schema_version', '" << schema_version()
            << "')";
  });
}

}  // namespace

int schema_version() {
  return static_cast<int>(migrations().size());
}

void update_schema(const Database& database, Store::Access access) {
  if (access == Store::Access::damaged) {
    try {
      return update_schema(database, Store::Access::existing);
    } catch (const InputError&) {
      return;
    }
  }
  if (is_current(database)) return;
  if (database.has_table("wavewright_meta")) {
    if (const int found = checked_version(database); found == schema_version()) return;
    if (database.read_only()) {
      throw ExternalError({database.where().shown},
                          "is of an older Wavewright and must be updated, but you may only read it",
                          "have a user who may write to it run 'wavewright store info' once");
    }
  } else {
    refuse_foreign(database);
    if (access != Store::Access::create) {
      throw ExternalError({database.where().shown}, "there is no store yet",
                          "make it with 'wavewright import PATH…'");
    }
  }
  migrate(database);
}

}  // namespace wavewright
