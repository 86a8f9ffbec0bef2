#include "wavewright/store/stored_runs.h"

#include <map>
#include <set>

#include <fmt/format.h>

#include "wavewright/store/database.h"

namespace wavewright {

namespace {

constexpr std::size_t at_once = 500;

std::string first_line(const soci::soci_error& error) {
  return without_statement(error.what());
}

// Reads the runs after `last`, which it moves on.
void read_pages(soci::session& session, std::string& last, const EachStoredRun& each) {
  TableSpec shape = run_table();
  const std::size_t columns = shape.columns.size();
  shape.columns.push_back({"tasks"});
  shape.columns.push_back({"phases"});
  const std::string select = fmt::format(
      "select {}, t.tasks, p.phases from wavewright_run r left join wavewright_tasks t on t.identity = "
      "r.identity left join wavewright_phases p on p.identity = r.identity "
      "where r.identity > :last order by r.identity limit {}",
      run_columns(session, "r."), at_once);
  for (std::size_t rows = at_once; rows == at_once;) {
    Query query(session, select, {Value(last)}, shape);
    for (rows = 0; query.fetch(); ++rows) {
      const Row run(query.row().begin(), query.row().begin() + static_cast<std::ptrdiff_t>(columns));
      last = query.text(0);
      each(run, query.text(columns), query.text(columns + 1));
    }
  }
}

// Reads runs one by one from a database of which some pages are damaged.
class Rescue {
 public:
  Rescue(soci::session& session, const EachStoredRun& each, const Unreadable& unreadable)
      : session_(session), each_(each), unreadable_(unreadable) {}

  // Those after `last`.
  void run(const std::string& last) {
    std::set<std::string> identities;
    list_by_index(last, identities);
    if (session_.get_backend_name() == "sqlite3") {
      for (const char* table : {"run", "tasks", "phases"}) list_by_row(table);
      for (const auto& [identity, row] : rows_["run"]) {
        if (identity > last) identities.insert(identity);
      }
    }
    for (const std::string& identity : identities) read(identity);
  }

 private:
  // As the index has them, up to its first page that cannot be read.
  void list_by_index(const std::string& last, std::set<std::string>& identities) {
    try {
      Query query(session_, "select identity from wavewright_run where identity > :last order by identity",
                  {Value(last)}, {ColumnKind::text});
      while (query.fetch()) identities.insert(query.text(0));
    } catch (const soci::soci_error& error) {
      unreadable_("", "the index of runs: " + first_line(error));
    }
  }

  // As SQLite's table has them, around each page that cannot be read. No index is needed.
  void list_by_row(const std::string& table) {
    constexpr int most_failures = 100'000;  // rows below one damaged inner page
    long long row = 1;
    for (int failures = 0; failures < most_failures;) {
      try {
        Query query(session_,
                    fmt::format("select rowid, identity from wavewright_{} not indexed where rowid >= :row "
                                "order by rowid limit 500",
                                table),
                    {Value(row)}, {ColumnKind::integer, ColumnKind::text});
        bool any = false;
        while (query.fetch()) {
          any = true;
          failures = 0;
          row = query.number(0) + 1;
          rows_[table][query.text(1)] = query.number(0);
        }
        if (!any) return;
      } catch (const soci::soci_error&) {
        ++failures;
        ++row;
      }
    }
  }

  // The condition and its parameter that find a run in a table.
  [[nodiscard]] std::pair<std::string, Value> place_of(const std::string& table,
                                                       const std::string& identity) const {
    if (const auto rows = rows_.find(table); rows != rows_.end()) {
      if (const auto row = rows->second.find(identity); row != rows->second.end())
        return {"rowid = :row", Value(row->second)};
    }
    return {"identity = :identity", Value(identity)};
  }

  // A value of a run in another table; empty if missing.
  std::string text_of(const std::string& table, const std::string& identity) {
    const auto [condition, value] = place_of(table, identity);
    Query query(session_, fmt::format("select {0} from wavewright_{0} where {1}", table, condition), {value},
                {ColumnKind::text});
    return query.fetch() ? query.text(0) : std::string();
  }

  void read(const std::string& identity) {
    Row run;
    std::string tasks, phases;
    try {
      const auto [condition, value] = place_of("run", identity);
      Query query(session_, "select " + run_columns(session_) + " from wavewright_run where " + condition,
                  {value}, run_table());
      if (query.fetch()) run = query.row();
      tasks = text_of("tasks", identity);
    } catch (const soci::soci_error& error) {
      return unreadable_(identity, first_line(error));
    }
    if (run.empty()) return unreadable_(identity, "its row is missing");
    try {
      phases = text_of("phases", identity);
    } catch (const soci::soci_error&) {  // they follow from the tasks
    }
    each_(run, tasks, phases);
  }

  soci::session& session_;
  const EachStoredRun& each_;
  const Unreadable& unreadable_;
  std::map<std::string, std::map<std::string, long long>> rows_;  // of SQLite: table, identity → rowid
};

}  // namespace

void each_stored_run(soci::session& session, const EachStoredRun& each, const Unreadable& unreadable) {
  std::string last;
  try {
    return read_pages(session, last, each);
  } catch (const soci::soci_error&) {
    if (!unreadable) throw;
  }
  Rescue(session, each, unreadable).run(last);
}

}  // namespace wavewright
