// Lists and tables on standard output, for people and for programs.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "apps/context.h"
#include "wavewright/core/harmless.h"

namespace wavewright::app {

enum class TableFormat : std::uint8_t { table, csv, jsonl, markdown, pipe };

// `name` is the heading for programs (with its unit), `title` for people.
struct Column {
  std::string name;
  std::string title;
  bool right = false;   // numbers and durations
  bool shrink = false;  // may be cut, with …, if the table is too wide
  bool drop = false;    // left out before others are cut; not if the user asked for it
};

struct Cell {
  std::string text;
  Json value;

  Cell(std::string both) : text(both), value(std::move(both)) {}  // NOLINT(google-explicit-constructor)
  Cell(std::string shown, Json given) : text(std::move(shown)), value(std::move(given)) {}
};
[[nodiscard]] Cell count_cell(std::int64_t count);

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
};

// The width of the terminal that standard output is; without limit if it is none, as in a pipe or a file.
[[nodiscard]] std::size_t output_width();

// For people: aligned, at most `width` characters wide if the columns that drop or shrink allow it, without
// control characters. For programs: CSV (RFC 4180), JSON Lines, Markdown, or `|`-separated.
void write_table(std::ostream& out, const Table& table, TableFormat format = TableFormat::table,
                 bool header = true, std::size_t width = output_width());

// `-o FIELDS`, `--help-fields`, `-P`, `-n` and `--output`, the same for every list.
class ListOptions {
 public:
  void declare(CLI::App& command);

  // Writes the selected columns (default: `shown`) to standard output, or the fields' names. Throws
  // UsageError for an unknown field, with the nearest one.
  void write(const Table& all, const std::vector<std::string>& shown) const;
  [[nodiscard]] bool wants_help() const { return help_fields_; }
  // Is one table wanted, without the other tables and sentences?
  [[nodiscard]] bool one_table() const { return !fields_.empty() || no_header_ || !for_people(); }
  // May sentences accompany the table?
  [[nodiscard]] bool for_people() const { return !pipe_ && output_ == "table"; }
  static void write_fields(const std::vector<Column>& columns);

 private:
  std::string fields_;
  std::string output_ = "table";
  bool help_fields_ = false;
  bool pipe_ = false;
  bool no_header_ = false;
};

}  // namespace wavewright::app
