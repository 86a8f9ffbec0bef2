#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/store/database.h"
#include "wavewright/store/derived.h"
#include "wavewright/store/maintain.h"
#include "wavewright/store/packed.h"
#include "wavewright/store/phases_codec.h"
#include "wavewright/store/row.h"
#include "wavewright/store/stored_runs.h"

namespace wavewright {

namespace {

const std::string import_again =
    "'wavewright import --again' of its history replaces it, 'wavewright store vacuum --damaged' removes it";
const std::string forget =
    "'wavewright import --again' of its history replaces it, 'wavewright store forget ID' removes it";
const std::string salvage = "'wavewright store copy --salvage' takes what can be read into a new store";
const std::string make_anew = "'wavewright store vacuum' makes it anew from the tasks";

class Findings {
 public:
  void add(const std::string& what, const std::string& where, const std::string& remedy) {
    for (Damage& damage : all_) {
      if (damage.what != what) continue;
      ++damage.cases;
      return;
    }
    all_.push_back({what, where, remedy, 1});
  }
  std::vector<Damage>& all() { return all_; }

 private:
  std::vector<Damage> all_;
};

// What `store forget` takes.
const std::string& name_of(const Row& row) {
  const std::string& id = row[run_column::id].text;
  return id.empty() ? row[run_column::identity].text : id;
}

void check_phases(const Row& row, const std::string& text, const JobRun& run, Findings& findings) {
  const std::string& id = name_of(row);
  if (text.empty()) return findings.add("a run without its phases", id, make_anew);
  try {
    if (unpack_phases(text) && text != phases_text_of(run)) {
      findings.add("phases that do not follow from the tasks", id, make_anew);
    }
  } catch (const std::runtime_error&) {
    findings.add("phases that cannot be unpacked", id, make_anew);
  }
}

void check_run(const std::string& store, const Row& row, const std::string& tasks, const std::string& phases,
               Findings& findings) {
  const std::string& id = name_of(row);
  if (tasks.empty()) return findings.add("a run without its tasks", id, import_again);
  try {
    const JobRun run = unpacked(store, row, tasks);
    if (to_row(header_of(run), row[run_column::identity].text) != row) {
      findings.add("a run whose columns do not agree with its tasks", id, forget);
    }
    check_phases(row, phases, run, findings);
  } catch (const Error& error) {
    findings.add("a run that cannot be unpacked", fmt::format("{} ({})", id, error.problem()), import_again);
  }
}

void check_counts(soci::session& session, Findings& findings) {
  const ValueCounts expected = count_all(session);
  const ValueCounts kept = stored_counts(session);
  for (const auto& [which, count] : expected) {
    const auto entry = kept.find(which);
    if (entry == kept.end() || !(entry->second == count)) {
      findings.add("a wrong count of runs by " + which.first, which.second, make_anew);
    }
  }
  for (const auto& [which, count] : kept) {
    if (!expected.contains(which))
      findings.add("a count of no runs by " + which.first, which.second, make_anew);
  }
}

void check_orphans(soci::session& session, Findings& findings) {
  for (const std::string& table : {std::string("wavewright_tasks"), std::string("wavewright_phases")}) {
    Query query(
        session,
        fmt::format("select t.identity from {} t left join wavewright_run r on r.identity = t.identity "
                    "where r.identity is null",
                    table),
        {}, {ColumnKind::text});
    while (query.fetch()) {
      findings.add("a row of " + table + " without its run", query.text(0),
                   "'wavewright store vacuum' removes it");
    }
  }
}

// The database's own check of its pages and indexes, if it has one that a user may run.
void check_database(const Database& database, Findings& findings) {
  if (database.backend() == Backend::sqlite) {
    Query query(database.session(), "pragma integrity_check", {}, {ColumnKind::text});
    while (query.fetch()) {
      if (query.text(0) != "ok") findings.add("SQLite finds its file damaged", query.text(0), salvage);
    }
  } else if (database.backend() == Backend::mariadb) {
    using enum ColumnKind;
    Query query(
        database.session(),
        "check table wavewright_run, wavewright_tasks, wavewright_phases, wavewright_count, wavewright_file",
        {}, {text, text, text, text});
    while (query.fetch()) {
      if (query.text(2) == "error") findings.add("MariaDB finds a table damaged", query.text(3), salvage);
    }
  }
}

}  // namespace

std::vector<Damage> check_store(const Store& store, const std::function<void(Count)>& progress) {
  const Database& database = store.database();
  return database.guarded([&](soci::session& session) {
    Findings findings;
    // Whatever the database cannot read is a finding, and the rest is looked at.
    const auto look = [&](const std::string& what, auto part) {
      try {
        part();
      } catch (const soci::soci_error& error) {
        findings.add("the database cannot read its " + what, database.plain(error.what()), salvage);
      }
    };
    look("schema's version", [&] {
      std::string version;
      session << "select value from wavewright_meta where name = 'schema_version'", soci::into(version);
    });
    look("pages", [&] { check_database(database, findings); });
    Count checked = 0;
    look("runs", [&] {
      each_stored_run(
          session,
          [&](const Row& row, const std::string& tasks, const std::string& phases) {
            check_run(database.where().shown, row, tasks, phases, findings);
            if (progress) progress(++checked);
          },
          [&](const std::string& identity, const std::string& why) {
            findings.add("a run that the database cannot read",
                         identity.empty() ? database.plain(why) : identity, salvage);
          });
    });
    look("tasks and phases", [&] { check_orphans(session, findings); });
    look("counts", [&] { check_counts(session, findings); });
    return findings.all();
  });
}

}  // namespace wavewright
