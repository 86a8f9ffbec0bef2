#include "wavewright/store/select.h"

#include <array>

#include <fmt/format.h>

#include "wavewright/store/key.h"
#include "wavewright/store/row.h"

namespace wavewright {

namespace {

constexpr Count page = 1'000;

// A pattern is resolved to values before the runs are read, up to so many values and runs of them. Beyond
// that the newest runs are tested one by one, as they soon fill a list.
constexpr std::size_t most_values = 200;
constexpr long long most_runs = 20'000;

// A filter's conditions as SQL over wavewright_run r, with their parameters.
struct Conditions {
  std::string sql;
  Row uses;
  bool nothing = false;  // no run can match

  void add(const std::string& condition, Row values = {}) {
    sql += (sql.empty() ? " where " : " and ") + condition;
    for (Value& value : values) uses.push_back(std::move(value));
  }
};

// The distinct values of a column that match a pattern, by their keys.
struct Matching {
  std::vector<std::string> keys;
  std::vector<std::string> cut;  // keys of texts that are too long to be their own key
  long long runs = 0;
};

Matching matching(soci::session& session, const std::string& kind, const std::string& pattern) {
  using enum ColumnKind;
  Matching found;
  Query query(session, "select value, value_key, runs from wavewright_count where kind = :kind",
              {Value(kind)}, {text, text, integer});
  while (query.fetch()) {
    const std::string folded = fold_case(query.text(0));
    if (!matches(folded, pattern)) continue;
    found.keys.push_back(query.text(1));
    if (query.text(1) != folded) found.cut.push_back(query.text(1));
    found.runs += query.number(2);
  }
  return found;
}

Row values_of(std::span<const std::string> texts) {
  Row values;
  for (const std::string& text : texts) values.emplace_back(text);
  return values;
}

class Builder {
 public:
  explicit Builder(soci::session& session) : session_(session) {}

  void text(const std::string& kind, const std::string& column, const std::optional<std::string>& wanted) {
    if (!wanted) return;
    if (wanted->find('*') == std::string::npos) {
      return all_.add(fmt::format("r.{} = :{}", column, column), {Value(search_key(*wanted))});
    }
    const std::string pattern = fold_case(*wanted);
    if (kind.empty()) return like_front(column, pattern);
    const Matching found = matching(session_, kind, pattern);
    if (found.keys.empty()) {
      all_.nothing = true;
    } else if (found.keys.size() <= most_values && found.runs <= most_runs) {
      all_.add(fmt::format("r.{} in ({})", column, placeholders(found.keys.size())), values_of(found.keys));
    } else {
      like(column, pattern, found.cut);
    }
  }

  // Hadoop names a queue with `root.` before it or without, by version and scheduler.
  void queue(const std::optional<std::string>& wanted) {
    const std::string root = "root.";
    if (!wanted || wanted->starts_with(root) || wanted->find('*') != std::string::npos)
      return text("queue", "queue_key", wanted);
    const bool from_root = !matching(session_, "queue", fold_case(root + *wanted)).keys.empty();
    const bool plain = !matching(session_, "queue", fold_case(*wanted)).keys.empty();
    if (!from_root || !plain) return text("queue", "queue_key", from_root ? root + *wanted : *wanted);
    all_.add(fmt::format("r.queue_key in ({})", placeholders(2)),
             {Value(search_key(*wanted)), Value(search_key(root + *wanted))});
  }

  Conditions& all() { return all_; }

 private:
  // Ids are too many to look up, but most patterns give their beginning.
  void like_front(const std::string& column, const std::string& pattern) {
    like(column, pattern, {});
    const std::string front = pattern.substr(0, pattern.find('*'));
    if (front.empty()) return;
    all_.add(fmt::format("r.{0} >= :{0}_front and r.{0} < :{0}_behind", column),
             {Value(front), Value(front + "\xf4\x8f\xbf\xbf")});  // the last character of UTF-8
  }

  void like(const std::string& column, const std::string& pattern, std::span<const std::string> cut) {
    Row values = {Value(like_pattern(pattern))};
    std::string sql = fmt::format("r.{0} like :{0} escape '!'", column);
    if (!cut.empty()) {
      sql = fmt::format("({} or r.{} in ({}))", sql, column, placeholders(cut.size()));
      for (const std::string& key : cut) values.emplace_back(key);
    }
    all_.add(sql, std::move(values));
  }

  soci::session& session_;
  Conditions all_;
};

// SQLite has no statistics to choose an index by, and the one on state is the least selective. If another
// index can be used, + excludes the one on state.
std::string state_condition(Backend backend, const RunFilter& filter) {
  const bool another =
      filter.name || filter.exact_name || filter.user || filter.queue || filter.id || !filter.ids.empty();
  return backend == Backend::sqlite && another ? "+r.state = :state" : "r.state = :state";
}

Conditions conditions_of(const Database& database, const RunFilter& filter) {
  Builder builder(database.session());
  builder.text("", "id_key", filter.id);
  builder.text("name", "name_key", filter.name);
  builder.text("user", "user_key", filter.user);
  builder.queue(filter.queue);
  Conditions& all = builder.all();
  if (!filter.ids.empty()) {
    Row keys;
    for (const std::string& id : filter.ids) keys.emplace_back(search_key(id));
    const std::string sql = fmt::format("r.id_key in ({})", placeholders(keys.size()));
    all.add(sql, std::move(keys));
  }
  if (filter.exact_name) {
    all.add("r.name_key = :exact_key and r.name = :exact_name",
            {Value(search_key(*filter.exact_name)), Value(*filter.exact_name)});
  }
  if (filter.state) all.add(state_condition(database.backend(), filter), {Value(to_string(*filter.state))});
  const auto instant = [](Time time) { return Value(static_cast<long long>(to_ms(time))); };
  if (filter.from) all.add("r.ordered_ms >= :from_ms", {instant(*filter.from)});
  if (filter.to) all.add("r.ordered_ms < :to_ms", {instant(*filter.to)});
  return all;
}

std::string source_of(Beside beside) {
  switch (beside) {
    case Beside::tasks:
      return ", t.tasks from wavewright_run r left join wavewright_tasks t on t.identity = r.identity";
    case Beside::phases:
      return ", t.phases from wavewright_run r left join wavewright_phases t on t.identity = r.identity";
    case Beside::nothing:
      break;
  }
  return " from wavewright_run r";
}

// No phase depends on these, and the source's path is as long as half of the others.
constexpr std::array<std::size_t, 3> not_with_phases = {run_column::user, run_column::queue,
                                                        run_column::source};

}  // namespace

void select_runs(const Database& database, const RunFilter& filter, Beside beside,
                 const std::function<void(const Row& run, const std::string& text)>& each) {
  soci::session& session = database.session();
  const Conditions where = conditions_of(database, filter);
  if (where.nothing) return;
  TableSpec shape = run_table();
  shape.columns.resize(run_column::header_columns);
  const std::span<const std::size_t> unread =
      beside == Beside::phases ? not_with_phases : std::span<const std::size_t>();
  const std::string select = "select " + run_columns(session, "r.", shape, unread) + source_of(beside);
  if (beside != Beside::nothing) shape.columns.push_back({"text"});
  const std::string none;
  Count left = filter.limit.value_or(std::numeric_limits<Count>::max());
  Conditions on = where;
  while (left > 0) {
    const Count wanted = std::min(left, page);
    Query query(
        session,
        fmt::format("{}{} order by r.ordered_ms desc, r.identity desc limit {}", select, on.sql, wanted),
        on.uses, shape);
    Count rows = 0;
    Value ordered;
    Value identity;
    for (; query.fetch(); ++rows) {
      each(query.row(), beside == Beside::nothing ? none : query.row().back().text);
      ordered = query.row()[run_column::ordered];
      identity = query.row()[run_column::identity];
    }
    if (rows < wanted) return;
    left -= rows;
    on = where;
    on.add("r.ordered_ms <= :page_ms and (r.ordered_ms, r.identity) < (:page_too, :page_identity)",
           {ordered, ordered, identity});
  }
}

}  // namespace wavewright
