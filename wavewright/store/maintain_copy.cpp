#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/store/copy_rows.h"
#include "wavewright/store/database.h"
#include "wavewright/store/derived.h"
#include "wavewright/store/maintain.h"
#include "wavewright/store/table.h"

namespace wavewright {

namespace {

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

}  // namespace

void refuse_onto_itself(const Store& from, const Store& to) {
  const StoreUrl& target = to.database().where();
  if (same_store(from.database().where(), target))
    throw UsageError("'" + target.shown + "' cannot be copied onto itself", "name another");
}

Copied copy_store(const Store& from, const Store& to, const std::atomic<bool>& interrupted,
                  const std::function<void(Count)>& progress) {
  refuse_onto_itself(from, to);
  const Database& source = from.database();
  const Database& target = to.database();
  Copied copied;
  Count passed = 0;
  const auto go_on = [&](std::size_t rows) {
    passed += static_cast<Count>(rows);
    if (progress) progress(passed);
    return !interrupted;
  };
  if (!interrupted) {
    each_page(source, run_table(), [&](std::vector<Row>&& rows) {
      const std::size_t count = rows.size();
      const Count fresh = copy_runs(source, target, std::move(rows));
      copied.runs += fresh;
      copied.there += static_cast<Count>(count) - fresh;
      return go_on(count);
    });
  }
  if (!interrupted) {
    each_page(source, file_table(), [&](std::vector<Row>&& rows) {
      const Count fresh = copy_files(target, rows);
      copied.files += fresh;
      copied.there += std::ssize(rows) - fresh;
      return go_on(rows.size());
    });
  }
  copied.partial = interrupted;
  (void)target.in_transaction([&](soci::session& session) {
    write_counts(session, count_all(session));
    return true;
  });
  return copied;
}

}  // namespace wavewright
