#include "wavewright/store/store.h"

#include <algorithm>
#include <list>

#include <soci/soci.h>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/store/connect.h"
#include "wavewright/store/key.h"
#include "wavewright/store/row.h"
#include "wavewright/store/schema.h"
#include "wavewright/store/task_codec.h"

namespace wavewright {

struct Store::Database {
  std::string url;
  std::unique_ptr<soci::session> session;

  template <class Work>
  [[nodiscard]] auto guarded(Work work) const {
    try {
      return work(*session);
    } catch (const soci::soci_error& error) {
      refuse(url, error.what());
    }
  }
};

namespace {

// The conditions of a filter as SQL, and the values that they are bound to.
struct Conditions {
  std::string sql;
  std::list<std::string> texts;  // lists: the bindings keep addresses
  std::list<long long> numbers;

  void add(const std::string& condition) { sql += (sql.empty() ? " where " : " and ") + condition; }

  void text(const std::string& column, const std::string& key_column,
            const std::optional<std::string>& wanted) {
    if (!wanted) return;
    const bool pattern = wanted->find('*') != std::string::npos;
    add(pattern ? "lower(" + column + ") like :" + key_column + " escape '!'"
                : key_column + " = :" + key_column);
    texts.push_back(pattern ? like_pattern(fold_case(*wanted)) : search_key(*wanted));
  }
};

Conditions conditions_of(const RunFilter& filter) {
  Conditions all;
  all.text("r.job_id", "id_key", filter.id);
  all.text("r.name", "name_key", filter.name);
  all.text("r.user_name", "user_key", filter.user);
  all.text("r.queue", "queue_key", filter.queue);
  if (filter.state) {
    all.add("r.state = :state");
    all.texts.push_back(to_string(*filter.state));
  }
  if (filter.from) {
    all.add("r.ordered_ms >= :from_ms");
    all.numbers.push_back(to_ms(*filter.from));
  }
  if (filter.to) {
    all.add("r.ordered_ms < :to_ms");
    all.numbers.push_back(to_ms(*filter.to));
  }
  return all;
}

// Runs a query over wavewright_run r and calls `each` for every row.
void select_rows(soci::session& session, const RunFilter& filter, bool with_tasks,
                 const std::function<void(const RunRow&, const std::string&)>& each) {
  if (filter.limit && *filter.limit <= 0) return;
  const Conditions where = conditions_of(filter);
  std::string sql = selected_columns();
  if (with_tasks) sql += ", t.tasks";
  sql += " from wavewright_run r";
  if (with_tasks) sql += " join wavewright_tasks t on t.identity = r.identity";
  sql += where.sql + " order by r.ordered_ms desc, r.identity desc";
  if (filter.limit) sql += " limit " + std::to_string(*filter.limit);

  RunRow row;
  std::string tasks;
  soci::statement statement(session);
  statement.alloc();
  statement.prepare(sql);
  read_into(statement, row);
  if (with_tasks) statement.exchange(soci::into(tasks));
  for (const std::string& text : where.texts) statement.exchange(soci::use(text));
  for (const long long& number : where.numbers) statement.exchange(soci::use(number));
  statement.define_and_bind();
  statement.execute();
  while (statement.fetch()) each(row, tasks);
}

JobRun run_of(const RunHeader& header) {
  JobRun run;
  run.id = header.id;
  run.name = header.name;
  run.user = header.user;
  run.queue = header.queue;
  run.state = header.state;
  run.submit = header.submit;
  run.launch = header.launch;
  run.finish = header.finish;
  run.total_maps = header.maps;
  run.total_reduces = header.reduces;
  run.hadoop = header.hadoop;
  run.source = header.source;
  return run;
}

// The stored state of the run; empty = not there.
std::string stored_state(soci::session& session, const std::string& identity) {
  std::string state;
  session << "select state from wavewright_run where identity = :identity", soci::use(identity),
      soci::into(state);
  return session.got_data() ? state : std::string();
}

void remove_run(soci::session& session, const std::string& identity) {
  session << "delete from wavewright_tasks where identity = :identity", soci::use(identity);
  session << "delete from wavewright_run where identity = :identity", soci::use(identity);
}

void add_run(soci::session& session, const JobRun& run, Store::Added& added) {
  std::string tasks = pack_tasks(run);
  RunRow row = to_row(header_of(run), run_identity(run, tasks));
  const std::string known = stored_state(session, row.identity);
  if (known == to_string(RunState::unknown) && run.state != RunState::unknown) {
    remove_run(session, row.identity);
    ++added.completed;
  } else if (!known.empty()) {
    ++added.known;
    return;
  } else {
    ++added.fresh;
  }
  write_row(session, row);
  session << "insert into wavewright_tasks (identity, tasks) values (:identity, :tasks)",
      soci::use(row.identity), soci::use(tasks);
}

}  // namespace

Store::Store(std::unique_ptr<Database> database) : database_(std::move(database)) {}
Store::~Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

Store Store::open(const std::string& url, Access access) {
  auto database = std::make_unique<Database>();
  database->url = url;
  database->session = connect(url, access);
  database->guarded([&](soci::session& session) { update_schema(session, url); });
  return Store(std::move(database));
}

Store::Added Store::add(std::span<const JobRun> runs) {
  return database_->guarded([&](soci::session& session) {
    Added added;
    soci::transaction transaction(session);
    // Writing first takes the writer's place in the queue at once: a transaction that read first could find,
    // when it comes to write, that another wrote meanwhile, and that cannot be waited for.
    session << "update wavewright_meta set value = value where name = 'schema_version'";
    for (const JobRun& run : runs) add_run(session, run, added);
    transaction.commit();
    return added;
  });
}

std::vector<RunHeader> Store::headers(const RunFilter& filter) const {
  return database_->guarded([&](soci::session& session) {
    std::vector<RunHeader> found;
    select_rows(session, filter, false,
                [&](const RunRow& row, const std::string&) { found.push_back(from_row(row)); });
    return found;
  });
}

void Store::each_run(const RunFilter& filter, const std::function<void(JobRun&&)>& sink) const {
  database_->guarded([&](soci::session& session) {
    select_rows(session, filter, true, [&](const RunRow& row, const std::string& tasks) {
      JobRun run = run_of(from_row(row));
      try {
        unpack_tasks(tasks, run);
      } catch (const std::runtime_error& error) {
        throw OutsideError({database_->url}, "run " + row.id + " is damaged: " + error.what(),
                           "make a new store from the histories with 'wavewright import'");
      }
      sink(std::move(run));
    });
  });
}

std::vector<JobRun> Store::runs(const RunFilter& filter) const {
  std::vector<JobRun> found;
  each_run(filter, [&](JobRun&& run) { found.push_back(std::move(run)); });
  return found;
}

std::vector<RunName> Store::names() const {
  return database_->guarded([&](soci::session& session) {
    std::vector<RunName> found;
    RunName row;
    long long runs = 0;
    long long succeeded = 0;
    soci::statement statement =
        (session.prepare << "select name, count(*), sum(case when state = 'SUCCEEDED' then 1 else 0 end) "
                            "from wavewright_run group by name order by name",
         soci::into(row.name), soci::into(runs), soci::into(succeeded));
    statement.execute();
    while (statement.fetch()) {
      row.runs = runs;
      row.succeeded = succeeded;
      found.push_back(row);
    }
    return found;
  });
}

std::string Store::known_name(const std::string& name) const {
  std::vector<std::string> known;
  for (const RunName& entry : names()) known.push_back(entry.name);
  if (std::find(known.begin(), known.end(), name) != known.end()) return name;
  for (const std::string& candidate : known) {
    if (fold_case(candidate) == fold_case(name)) return candidate;
  }
  if (known.empty()) {
    throw UsageError("the store holds no runs yet", "import histories with 'wavewright import PATH…'");
  }
  const auto close = nearest(name, known);
  throw UsageError("no runs of a job named '" + name + "'",
                   close ? "did you mean '" + *close + "'?" : "'wavewright profile' lists the names");
}

}  // namespace wavewright
