#include "wavewright/store/schema.h"

#include <charconv>
#include <vector>

#include <soci/soci.h>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

// `{long}` is the database's type for long texts. Never edit a migration that was released: add one.
const std::vector<std::vector<std::string>>& migrations() {
  static const std::vector<std::vector<std::string>> list = {
      {
          // The keys are folded and cut, to search by.
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
  };
  return list;
}

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

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
    text.replace(at, what.size(), with);
  }
}

}  // namespace

int schema_version() {
  return static_cast<int>(migrations().size());
}

void update_schema(soci::session& session, const std::string& store) {
  soci::transaction transaction(session);
  session << "create table if not exists wavewright_meta "
             "(name varchar(64) not null primary key, value varchar(200) not null)";
  const int found = stored_version(session);
  if (found < 0) {
    throw OutsideError({store}, "is damaged: its schema version is no number",
                       "restore a copy, or import into another store with --store");
  }
  if (found > schema_version()) {
    throw OutsideError({store},
                       fmt::format("was written by a newer Wavewright (schema {}, this one knows {})", found,
                                   schema_version()),
                       "update Wavewright, or name another store with --store");
  }
  const std::string long_text = session.get_backend_name() == "mysql" ? "longtext" : "text";
  for (int version = found; version < schema_version(); ++version) {
    for (std::string statement : migrations()[static_cast<std::size_t>(version)]) {
      replace_all(statement, "{long}", long_text);
      session << statement;
    }
  }
  if (found == 0) {
    session << "insert into wavewright_meta (name, value) values ('schema_version', '" << schema_version()
            << "')";
  } else if (found < schema_version()) {
    session << "update wavewright_meta set value = '" << schema_version()
            << "' where name = 'schema_version'";
  }
  transaction.commit();
}

}  // namespace wavewright
