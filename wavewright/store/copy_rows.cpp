#include "wavewright/store/copy_rows.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

constexpr std::size_t rows_of_a_page = 500;

std::vector<Row> next_page(soci::session& session, const TableSpec& table, const std::string& last) {
  std::vector<Row> rows;
  Query query(session,
              fmt::format("select {} from {} where {} > :last order by {} limit {}", column_list(table),
                          table.name, table.columns[0].name, table.columns[0].name, rows_of_a_page),
              {Value(last)}, table);
  while (query.fetch()) rows.push_back(query.row());
  return rows;
}

}  // namespace

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

void each_page(const Database& from, const TableSpec& table,
               const std::function<bool(std::vector<Row>&& rows)>& take) {
  std::string last;
  for (;;) {
    std::vector<Row> rows =
        from.guarded([&](soci::session& session) { return next_page(session, table, last); });
    if (rows.empty()) return;
    last = rows.back().front().text;
    if (!take(std::move(rows))) return;
  }
}

}  // namespace wavewright
