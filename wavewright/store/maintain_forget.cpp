#include "wavewright/core/error.h"
#include "wavewright/store/database.h"
#include "wavewright/store/derived.h"
#include "wavewright/store/key.h"
#include "wavewright/store/maintain.h"
#include "wavewright/store/remove.h"
#include "wavewright/store/row.h"

namespace wavewright {

std::vector<RunHeader> forget_runs(const Store& store, const std::string& id, bool dry_run) {
  const Database& database = store.database();
  std::vector<RunHeader> found = database.in_transaction([&](soci::session& session) {
    std::vector<RunHeader> gone;
    std::vector<std::string> identities;
    ValueCounts counts;
    bool damaged = false;  // then it may have been counted otherwise
    Query query(session,
                "select " + run_columns(session) +
                    " from wavewright_run where id_key = :id_key or identity = :identity",
                {Value(search_key(id)), Value(id)}, run_table());
    while (query.fetch()) {
      gone.push_back(from_row(query.row()));
      identities.push_back(query.row()[run_column::identity].text);
      count_run(counts, query.row(), -1);
      damaged = damaged || !gone.back().damage.empty();
    }
    if (dry_run || gone.empty()) return gone;
    remove_runs(session, identities);
    if (damaged) {
      write_counts(session, count_all(session));
    } else {
      add_counts(session, counts, rows_at_once(database.backend()));
    }
    return gone;
  });
  if (found.empty())
    throw UsageError("no run has the id '" + id + "'", "'wavewright jobs --limit all -o id' lists the ids");
  return found;
}

}  // namespace wavewright
