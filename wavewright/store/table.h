// Rows of the store's tables: column lists, and values read and written many at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <soci/soci.h>

#include "wavewright/store/url.h"

namespace wavewright {

enum class ColumnKind : std::uint8_t { text, integer };

struct ColumnSpec {
  std::string_view name;
  ColumnKind kind = ColumnKind::text;
};

struct TableSpec {
  std::string_view name;
  std::vector<ColumnSpec> columns;  // the first is the key; wavewright_count's key is its first two
};

[[nodiscard]] const TableSpec& run_table();
[[nodiscard]] const TableSpec& tasks_table();
[[nodiscard]] const TableSpec& phases_table();
[[nodiscard]] const TableSpec& file_table();
[[nodiscard]] const TableSpec& count_table();

// A text, an integer, or (for integers only) null. SOCI 4.0 has no std::optional.
struct Value {
  std::string text;
  long long number = 0;
  bool is_text = false;
  soci::indicator there = soci::i_null;

  Value() = default;
  explicit Value(std::string given) : text(std::move(given)), is_text(true), there(soci::i_ok) {}
  explicit Value(long long given) : number(given), there(soci::i_ok) {}
  [[nodiscard]] bool is_null() const { return there != soci::i_ok; }
  friend bool operator==(const Value& a, const Value& b);
};

using Row = std::vector<Value>;

// `a, b, c`, each with `prefix`.
[[nodiscard]] std::string column_list(const TableSpec& table, std::string_view prefix = "");

// SQLite keeps any text in a column of integers, and gives 0 for it. In this list, of a select, such a value
// of wavewright_run is `no_integer`. Those at the places `unread`, which are texts, are empty.
[[nodiscard]] std::string run_columns(soci::session& session, std::string_view prefix = "",
                                      const TableSpec& table = run_table(),
                                      std::span<const std::size_t> unread = {});
inline constexpr long long no_integer = std::numeric_limits<long long>::min() + 2;

// `:v0, :v1, …`
[[nodiscard]] std::string placeholders(std::size_t count);

// Calls `each` for some hundred keys at a time: `(:v0, :v1, …)` for an `in`, and its parameters.
void each_chunk(std::span<const std::string> keys,
                const std::function<void(const std::string& list, const Row& uses)>& each);

// Rows per statement: several for a server (one round trip), one without a server.
[[nodiscard]] std::size_t rows_at_once(Backend backend);

// A query and its result, row by row. `uses` are the parameters in order.
class Query {
 public:
  Query(soci::session& session, const std::string& sql, Row uses, std::vector<ColumnKind> columns);
  // The columns of `table` come first in `sql`.
  Query(soci::session& session, const std::string& sql, Row uses, const TableSpec& table);

  [[nodiscard]] bool fetch();
  [[nodiscard]] const Row& row() const { return row_; }
  [[nodiscard]] const std::string& text(std::size_t column) const { return row_[column].text; }
  [[nodiscard]] long long number(std::size_t column) const { return row_[column].number; }

 private:
  void start(const std::string& sql);

  Row uses_;
  Row row_;
  std::unique_ptr<soci::statement> statement_;
};

// Executes a statement without a result; returns the number of rows changed.
long long execute(soci::session& session, const std::string& sql, Row uses = {});

// Inserts rows by prepared statements of many rows, to save round trips; rows wait until `flush`.
class BulkInsert {
 public:
  // At most `most` rows per statement; 1 suits SQLite, which runs in this process.
  BulkInsert(soci::session& session, const TableSpec& table, std::size_t most);
  ~BulkInsert();
  BulkInsert(BulkInsert&&) noexcept;
  BulkInsert& operator=(BulkInsert&&) noexcept;
  BulkInsert(const BulkInsert&) = delete;
  BulkInsert& operator=(const BulkInsert&) = delete;

  void put(Row row) { waiting_.push_back(std::move(row)); }
  void flush();

 private:
  class Statement;
  std::vector<std::unique_ptr<Statement>> statements_;  // widest first; the last takes one row
  std::vector<Row> waiting_;
};

}  // namespace wavewright
