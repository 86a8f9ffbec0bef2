#include "wavewright/live/batch/batch_archive.h"

#include <algorithm>

#include "wavewright/live/batch/batch_rows.h"
#include "wavewright/store/database.h"
#include "wavewright/store/table.h"

namespace wavewright {

namespace {

using enum ColumnKind;

}  // namespace

std::vector<LiveJob> BatchArchive::jobs(const EndedQuestion& question) const {
  const Database& database = store_.database();
  std::string sql = "select document from wavewright_batch_past where batch_key = :k";
  Row uses = {Value(batch_row_key(batch_))};
  if (question.state) {
    sql += " and state = :s";
    uses.emplace_back(std::string(to_string(*question.state)));
  }
  if (question.behind) {
    const auto at = static_cast<long long>(to_ms(question.behind->at));
    // The first of them bounds what an index looks at.
    sql += " and ended_ms <= :e and (ended_ms < :f or id_key < :i)";
    uses.insert(uses.end(), {Value(at), Value(at), Value(question.behind->key)});
  }
  sql += " order by ended_ms desc, id_key desc limit :n";
  uses.emplace_back(static_cast<long long>(question.limit) + 1);
  return database.guarded([&](soci::session& session) {
    std::vector<LiveJob> jobs;
    Query rows(session, sql, uses, {text});
    while (rows.fetch()) jobs.push_back(stored_job(rows.text(0), database.where().shown));
    return jobs;
  });
}

std::optional<LiveJob> BatchArchive::find(const std::string& id) const {
  const Database& database = store_.database();
  return database.guarded([&](soci::session& session) {
    Query row(session, "select document from wavewright_batch_past where past_key = :k",
              {Value(past_row_key(batch_row_key(batch_), id))}, {text});
    return row.fetch() ? std::optional(stored_job(row.text(0), database.where().shown)) : std::nullopt;
  });
}

}  // namespace wavewright
