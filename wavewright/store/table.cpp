#include "wavewright/store/table.h"

#include <algorithm>

#include <fmt/format.h>

namespace wavewright {

namespace {

using enum ColumnKind;

// Bytes of texts per statement to a server, unless a single row has more.
constexpr std::size_t most_bytes = 2'000'000;

std::size_t bytes_of(const Row& row) {
  std::size_t sum = 0;
  for (const Value& value : row) sum += value.text.size();
  return sum;
}

void bind(soci::statement& statement, Value& value) {
  if (value.is_text) {
    statement.exchange(soci::use(value.text));
  } else {
    statement.exchange(soci::use(value.number, value.there));
  }
}

}  // namespace

const TableSpec& run_table() {
  static const TableSpec table = {"wavewright_run",
                                  {{"identity"},
                                   {"job_id"},
                                   {"name"},
                                   {"user_name"},
                                   {"queue"},
                                   {"state"},
                                   {"ordered_ms", integer},
                                   {"submit_ms", integer},
                                   {"launch_ms", integer},
                                   {"finish_ms", integer},
                                   {"maps", integer},
                                   {"reduces", integer},
                                   {"failed_attempts", integer},
                                   {"killed_attempts", integer},
                                   {"peak_maps", integer},
                                   {"peak_reduces", integer},
                                   {"input_bytes", integer},
                                   {"hadoop"},
                                   {"source"},
                                   {"id_key"},
                                   {"name_key"},
                                   {"user_key"},
                                   {"queue_key"}}};
  return table;
}

const TableSpec& tasks_table() {
  static const TableSpec table = {"wavewright_tasks", {{"identity"}, {"tasks"}}};
  return table;
}

const TableSpec& phases_table() {
  static const TableSpec table = {"wavewright_phases", {{"identity"}, {"phases"}}};
  return table;
}

const TableSpec& file_table() {
  static const TableSpec table = {
      "wavewright_file",
      {{"file_key"}, {"name"}, {"version"}, {"jobs", integer}, {"reason"}, {"imported_ms", integer}}};
  return table;
}

const TableSpec& count_table() {
  static const TableSpec table = {"wavewright_count",
                                  {{"kind"},
                                   {"value_hash"},
                                   {"value_key"},
                                   {"value"},
                                   {"runs", integer},
                                   {"succeeded", integer},
                                   {"newest_ms", integer}}};
  return table;
}

bool operator==(const Value& a, const Value& b) {
  if (a.is_null() != b.is_null()) return false;
  return a.is_null() || (a.is_text ? a.text == b.text : a.number == b.number);
}

std::string column_list(const TableSpec& table, std::string_view prefix) {
  std::string list;
  for (const ColumnSpec& column : table.columns) {
    list += fmt::format("{}{}{}", list.empty() ? "" : ", ", prefix, column.name);
  }
  return list;
}

std::string run_columns(soci::session& session, std::string_view prefix, const TableSpec& table,
                        std::span<const std::size_t> unread) {
  const bool checked = session.get_backend_name() == "sqlite3";
  std::string list;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const ColumnSpec& column = table.columns[i];
    const std::string name = fmt::format("{}{}", prefix, column.name);
    if (!list.empty()) list += ", ";
    if (std::find(unread.begin(), unread.end(), i) != unread.end()) {
      list += "''";
      continue;
    }
    list += column.kind == text || !checked
                ? name
                : fmt::format("case when typeof({0}) in ('integer', 'null') then {0} else {1} end", name,
                              no_integer);
  }
  return list;
}

std::string placeholders(std::size_t count) {
  std::string list;
  for (std::size_t i = 0; i < count; ++i) list += fmt::format("{}:v{}", i == 0 ? "" : ", ", i);
  return list;
}

void each_chunk(std::span<const std::string> keys,
                const std::function<void(const std::string& list, const Row& uses)>& each) {
  constexpr std::size_t most = 200;
  while (!keys.empty()) {
    const auto chunk = keys.first(std::min(most, keys.size()));
    Row uses;
    for (const std::string& key : chunk) uses.emplace_back(key);
    each(fmt::format("({})", placeholders(chunk.size())), uses);
    keys = keys.subspan(chunk.size());
  }
}

std::size_t rows_at_once(Backend backend) {
  return backend == Backend::sqlite ? 1 : 64;
}

Query::Query(soci::session& session, const std::string& sql, Row uses, std::vector<ColumnKind> columns)
    : uses_(std::move(uses)), statement_(std::make_unique<soci::statement>(session)) {
  for (const ColumnKind kind : columns) row_.emplace_back().is_text = kind == ColumnKind::text;
  start(sql);
}

Query::Query(soci::session& session, const std::string& sql, Row uses, const TableSpec& table)
    : uses_(std::move(uses)), statement_(std::make_unique<soci::statement>(session)) {
  for (const ColumnSpec& column : table.columns)
    row_.emplace_back().is_text = column.kind == ColumnKind::text;
  start(sql);
}

void Query::start(const std::string& sql) {
  statement_->alloc();
  // Not to be kept by a server: that would be two more round trips.
  statement_->prepare(sql, soci::details::st_one_time_query);
  for (Value& value : row_) {
    if (value.is_text) {
      statement_->exchange(soci::into(value.text, value.there));
    } else {
      statement_->exchange(soci::into(value.number, value.there));
    }
  }
  for (Value& value : uses_) bind(*statement_, value);
  statement_->define_and_bind();
  statement_->execute();
}

bool Query::fetch() {
  if (!statement_->fetch()) return false;
  for (Value& value : row_) {  // SOCI keeps the values of the previous row
    if (!value.is_null()) continue;
    value.text.clear();
    value.number = 0;
  }
  return true;
}

long long execute(soci::session& session, const std::string& sql, Row uses) {
  soci::statement statement(session);
  statement.alloc();
  statement.prepare(sql);
  for (Value& value : uses) bind(statement, value);
  statement.define_and_bind();
  statement.execute(true);
  return statement.get_affected_rows();
}

// A prepared insert of a fixed number of rows.
class BulkInsert::Statement {
 public:
  Statement(soci::session& session, const TableSpec& table, std::size_t rows)
      : rows_(rows), values_(rows * table.columns.size()), statement_(session) {
    std::string sql = fmt::format("insert into {} ({}) values ", table.name, column_list(table));
    for (std::size_t row = 0, value = 0; row < rows; ++row) {
      sql += row == 0 ? "(" : ", (";
      for (std::size_t column = 0; column < table.columns.size(); ++column, ++value) {
        sql += fmt::format("{}:v{}", column == 0 ? "" : ", ", value);
        values_[value].is_text = table.columns[column].kind == text;
      }
      sql += ")";
    }
    statement_.alloc();
    statement_.prepare(sql);
    for (Value& value : values_) bind(statement_, value);
    statement_.define_and_bind();
  }

  [[nodiscard]] std::size_t rows() const { return rows_; }

  void insert(std::span<Row> rows) {
    std::size_t at = 0;
    for (Row& row : rows) {
      for (Value& value : row) {  // not the whole value: the statement holds the addresses of its members
        values_[at].text.swap(value.text);
        values_[at].number = value.number;
        values_[at].there = value.there;
        ++at;
      }
    }
    statement_.execute(true);
  }

 private:
  std::size_t rows_;
  Row values_;
  soci::statement statement_;
};

BulkInsert::BulkInsert(soci::session& session, const TableSpec& table, std::size_t most) {
  for (std::size_t rows = most; rows > 0; rows /= 8) {
    statements_.push_back(std::make_unique<Statement>(session, table, rows));
    if (rows > 1 && rows < 8) rows = 8;  // the last statement takes one row
  }
}

BulkInsert::~BulkInsert() = default;
BulkInsert::BulkInsert(BulkInsert&&) noexcept = default;
BulkInsert& BulkInsert::operator=(BulkInsert&&) noexcept = default;

void BulkInsert::flush() {
  std::vector<Row> rows;
  rows.swap(waiting_);
  std::span<Row> left(rows);
  while (!left.empty()) {
    for (const auto& statement : statements_) {
      const std::size_t count = statement->rows();
      if (count > left.size()) continue;
      std::size_t bytes = 0;
      for (const Row& row : left.first(count)) bytes += bytes_of(row);
      if (count > 1 && bytes > most_bytes) continue;
      statement->insert(left.first(count));
      left = left.subspan(count);
      break;
    }
  }
}

}  // namespace wavewright
