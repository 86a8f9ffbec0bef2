#include <filesystem>

#include <fmt/format.h>

#include "wavewright/history/limits.h"
#include "wavewright/store/database.h"
#include "wavewright/store/maintain.h"
#include "wavewright/store/schema.h"
#include "wavewright/store/table.h"

namespace wavewright {

namespace {

long long number_of(soci::session& session, const std::string& sql) {
  Query query(session, sql, {}, {ColumnKind::integer});
  return query.fetch() ? query.number(0) : 0;
}

std::optional<Time> instant_of(soci::session& session, const std::string& sql) {
  Query query(session, sql, {}, {ColumnKind::integer});
  if (!query.fetch() || query.row()[0].is_null()) return std::nullopt;
  return at_ms(query.number(0));
}

long long bytes_of(const Database& database) {
  soci::session& session = database.session();
  switch (database.backend()) {
    case Backend::postgresql:
      return number_of(session,
                       "select cast(sum(pg_total_relation_size(c.oid)) as bigint) from pg_class c "
                       "join pg_namespace n on n.oid = c.relnamespace where n.nspname = current_schema() "
                       "and c.relkind = 'r' and c.relname like 'wavewright!_%' escape '!'");
    case Backend::mariadb:
      return number_of(
          session,
          "select cast(sum(data_length + index_length) as signed) from information_schema.tables "
          "where table_schema = database() and table_name like 'wavewright!_%' escape '!'");
    case Backend::sqlite:
      break;
  }
  long long bytes = number_of(session, "pragma page_count") * number_of(session, "pragma page_size");
  std::error_code error;  // the log not yet merged into it
  const auto log = std::filesystem::file_size(database.where().path + "-wal", error);
  if (!error) bytes += static_cast<long long>(log);
  return bytes;
}

}  // namespace

double StoreInfo::bytes_a_task() const {
  return tasks > 0 ? static_cast<double>(task_bytes.count) / static_cast<double>(tasks) : 0;
}

StoreInfo info_of(const Store& store) {
  const Database& database = store.database();
  return database.guarded([&](soci::session& session) {
    const auto count = [&](const std::string& sql) { return number_of(session, sql); };
    const std::string possible =
        fmt::format(" from wavewright_run where submit_ms between 0 and {}", to_ms(longest_duration));
    StoreInfo info;
    info.url = database.where().shown;
    info.backend = to_string(database.backend());
    info.schema = schema_version();
    info.runs = store.run_count();
    info.names = count("select count(*) from wavewright_count where kind = 'name'");
    info.files = count("select count(*) from wavewright_file");
    info.tasks = count(fmt::format(
        "select sum(maps + reduces) from wavewright_run "
        "where maps between 0 and {0} and reduces between 0 and {0}",  // damaged rows would overflow the sum
        most_tasks_of_a_run));
    info.bytes.count = bytes_of(database);
    info.task_bytes.count = count("select sum(length(tasks)) from wavewright_tasks");
    info.oldest = instant_of(session, "select min(submit_ms)" + possible);
    info.newest = instant_of(session, "select max(submit_ms)" + possible);
    return info;
  });
}

}  // namespace wavewright
