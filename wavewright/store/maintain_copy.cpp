#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/store/database.h"
#include "wavewright/store/derived.h"
#include "wavewright/store/maintain.h"
#include "wavewright/store/table.h"

namespace wavewright {

namespace {

constexpr std::size_t page = 500;

std::vector<Row> next_page(soci::session& session, const TableSpec& table, const std::string& last) {
  std::vector<Row> rows;
  Query query(session,
              fmt::format("select {} from {} where {} > :last order by {} limit {}", column_list(table),
                          table.name, table.columns[0].name, table.columns[0].name, page),
              {Value(last)}, table);
  while (query.fetch()) rows.push_back(query.row());
  return rows;
}

std::vector<Row> rows_with(soci::session& session, const TableSpec& table,
                           std::span<const std::string> keys) {
  std::vector<Row> rows;
  each_chunk(keys, [&](const std::string& list, const Row& uses) {
    Query query(session,
                fmt::format("select {} from {} where {} in {}", column_list(table), table.name,
                            table.columns[0].name, list),
                uses, table);
    while (query.fetch()) rows.push_back(query.row());
  });
  return rows;
}

std::vector<std::string> keys_of(std::span<const Row> rows) {
  std::vector<std::string> keys;
  for (const Row& row : rows) keys.push_back(row.front().text);
  return keys;
}

std::vector<Row> missing(const Database& to, const TableSpec& table, std::vector<Row> rows) {
  std::map<std::string, Row> there;
  for (Row& row : rows_with(to.session(), table, keys_of(rows)))
    there.emplace(row.front().text, std::move(row));
  std::erase_if(rows, [&](const Row& row) {
    const auto entry = there.find(row.front().text);
    if (entry == there.end()) return false;
    if (entry->second == row) return true;
    throw ExternalError({to.where().shown},
                        fmt::format("holds another '{}' than the store to be copied", row.front().text),
                        "copy into an empty database");
  });
  return rows;
}

void insert(const Database& to, const TableSpec& table, std::vector<Row> rows) {
  BulkInsert bulk(to.session(), table, rows_at_once(to.backend()));
  for (Row& row : rows) bulk.put(std::move(row));
  bulk.flush();
}

// Copies a page of runs with all their data, in one transaction.
Count copy_runs(const Database& from, const Database& to, std::vector<Row> page_of_runs) {
  return to.in_transaction([&](soci::session&) {
    std::vector<Row> runs = missing(to, run_table(), page_of_runs);
    const std::vector<std::string> keys = keys_of(runs);
    const auto count = static_cast<Count>(runs.size());
    insert(to, run_table(), std::move(runs));
    for (const TableSpec& table : {tasks_table(), phases_table()}) {
      insert(to, table, rows_with(from.session(), table, keys));
    }
    return count;
  });
}

Count copy_files(const Database& to, const std::vector<Row>& files) {
  return to.in_transaction([&](soci::session& session) {
    // The copy may have an older record of a file; it does not stop the copy.
    std::vector<Row> rows = files;
    const auto there = rows_with(session, file_table(), keys_of(rows));
    std::erase_if(rows,
                  [&](const Row& row) { return std::find(there.begin(), there.end(), row) != there.end(); });
    each_chunk(keys_of(rows), [&](const std::string& list, const Row& uses) {
      execute(session, "delete from wavewright_file where file_key in " + list, uses);
    });
    const auto count = static_cast<Count>(rows.size());
    insert(to, file_table(), std::move(rows));
    return count;
  });
}

}  // namespace

Copied copy_store(const Store& from, const Store& to, const std::atomic<bool>& interrupted,
                  const std::function<void(Count)>& progress) {
  const Database& source = from.database();
  const Database& target = to.database();
  if (same_store(source.where(), target.where())) {
    throw UsageError("'" + target.where().shown + "' cannot be copied onto itself", "name another");
  }
  Copied copied;
  Count passed = 0;
  const auto each_page = [&](const TableSpec& table, const std::function<void(std::vector<Row>&&)>& take) {
    std::string last;
    for (;;) {
      if (interrupted) return;
      std::vector<Row> rows =
          source.guarded([&](soci::session& session) { return next_page(session, table, last); });
      if (rows.empty()) return;
      last = rows.back().front().text;
      passed += static_cast<Count>(rows.size());
      take(std::move(rows));
      if (progress) progress(passed);
    }
  };
  each_page(run_table(), [&](std::vector<Row>&& rows) {
    const auto count = static_cast<Count>(rows.size());
    const Count fresh = copy_runs(source, target, std::move(rows));
    copied.runs += fresh;
    copied.there += count - fresh;
  });
  each_page(file_table(), [&](std::vector<Row>&& rows) {
    const auto count = static_cast<Count>(rows.size());
    const Count fresh = copy_files(target, rows);
    copied.files += fresh;
    copied.there += count - fresh;
  });
  copied.partial = interrupted;
  (void)target.in_transaction([&](soci::session& session) {
    write_counts(session, count_all(session));
    return true;
  });
  return copied;
}

}  // namespace wavewright
