#include "wavewright/store/derived.h"

#include <algorithm>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/store/key.h"
#include "wavewright/store/packed.h"
#include "wavewright/store/row.h"
#include "wavewright/store/stored_runs.h"

namespace wavewright {

namespace {

struct Kind {
  std::string name;
  std::string column;  // of wavewright_run
  std::string key_column;
  std::size_t value;  // indices in its row
  std::size_t key;
};

const std::array<Kind, 3>& kinds() {
  static const std::array<Kind, 3> all = {
      {{"name", "name", "name_key", run_column::name, run_column::name_key},
       {"user", "user_name", "user_key", run_column::user, run_column::user_key},
       {"queue", "queue", "queue_key", run_column::queue, run_column::queue_key}}};
  return all;
}

long long newest_of(soci::session& session, const Kind& kind, const std::string& value,
                    const std::string& key) {
  Query query(session,
              fmt::format("select ordered_ms from wavewright_run where {} = :key and {} = :value "
                          "order by ordered_ms desc limit 1",
                          kind.key_column, kind.column),
              {Value(key), Value(value)}, {ColumnKind::integer});
  return query.fetch() ? query.number(0) : 0;
}

Row row_of(const std::string& kind, const std::string& value, const ValueCount& count) {
  return {Value(kind),       Value(hash_text(value)), Value(count.key),      Value(value),
          Value(count.runs), Value(count.succeeded),  Value(count.newest_ms)};
}

ValueCount count_of(const Query& row) {
  return {row.text(2), row.number(4), row.number(5), row.number(6)};
}

}  // namespace

void count_run(ValueCounts& counts, const Row& run, int sign) {
  for (const Kind& kind : kinds()) {
    ValueCount& count = counts[{kind.name, run[kind.value].text}];
    count.key = run[kind.key].text;
    count.succeeded += run[run_column::state].text == "SUCCEEDED" ? sign : 0;
    count.runs += sign;
    if (sign < 0) {
      count.shrank = true;
    } else {
      count.newest_ms = std::max(count.newest_ms, run[run_column::ordered].number);
    }
  }
}

void add_counts(soci::session& session, const ValueCounts& differences, std::size_t rows_at_once) {
  BulkInsert insert(session, count_table(), rows_at_once);
  for (const Kind& kind : kinds()) {
    std::vector<std::string> hashes;
    for (const auto& [which, difference] : differences) {
      if (which.first == kind.name) hashes.push_back(hash_text(which.second));
    }
    ValueCounts known;
    const std::string those = " from wavewright_count where kind = '" + kind.name + "' and value_hash in ";
    each_chunk(hashes, [&](const std::string& list, const Row& uses) {
      Query query(session, "select " + column_list(count_table()) + those + list, uses, count_table());
      while (query.fetch()) known[{kind.name, query.text(3)}] = count_of(query);
      execute(session, "delete" + those + list, uses);
    });
    for (const auto& [which, difference] : differences) {
      if (which.first != kind.name) continue;
      ValueCount now = difference;
      if (const auto before = known.find(which); before != known.end()) {
        now.runs += before->second.runs;
        now.succeeded += before->second.succeeded;
        now.newest_ms = std::max(now.newest_ms, before->second.newest_ms);
      }
      if (now.runs <= 0) continue;
      if (difference.shrank) now.newest_ms = newest_of(session, kind, which.second, now.key);
      insert.put(row_of(kind.name, which.second, now));
    }
  }
  insert.flush();
}

ValueCounts count_all(soci::session& session) {
  ValueCounts counts;
  for (const Kind& kind : kinds()) {
    Query query(
        session,
        fmt::format("select {0}, max({1}), count(*), sum(case when state = 'SUCCEEDED' then 1 else 0 "
                    "end), max(ordered_ms) from wavewright_run group by {0}",
                    kind.column, kind.key_column),
        {},
        {ColumnKind::text, ColumnKind::text, ColumnKind::integer, ColumnKind::integer, ColumnKind::integer});
    while (query.fetch()) {
      counts[{kind.name, query.text(0)}] = {query.text(1), query.number(2), query.number(3), query.number(4)};
    }
  }
  return counts;
}

ValueCounts stored_counts(soci::session& session) {
  ValueCounts counts;
  Query query(session, "select " + column_list(count_table()) + " from wavewright_count", {}, count_table());
  while (query.fetch()) counts[{query.text(0), query.text(3)}] = count_of(query);
  return counts;
}

void write_counts(soci::session& session, const ValueCounts& counts) {
  execute(session, "delete from wavewright_count");
  BulkInsert insert(session, count_table(), 64);
  for (const auto& [which, count] : counts) insert.put(row_of(which.first, which.second, count));
  insert.flush();
}

std::vector<std::string> rebuild_derived(const Database& database) {
  soci::session& session = database.session();
  std::vector<std::string> damaged;
  execute(session, "delete from wavewright_phases");
  BulkInsert insert(session, phases_table(), rows_at_once(database.backend()));
  std::size_t waiting = 0;
  each_stored_run(session, [&](const Row& row, const std::string& tasks, const std::string& /*phases*/) {
    try {
      insert.put({row.front(), Value(phases_text_of(unpacked(database.where().shown, row, tasks)))});
    } catch (const Error&) {
      damaged.push_back(row.front().text);
    }
    if (++waiting % 64 == 0) insert.flush();
  });
  insert.flush();
  write_counts(session, count_all(session));
  return damaged;
}

}  // namespace wavewright
