// Lists and tables on standard output, for people and for programs.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "apps/context.h"

namespace wavewright::app {

enum class TableFormat : std::uint8_t { table, csv, jsonl, markdown, pipe };

// `name` stands above the column for programs (with its unit), `title` for people.
struct Column {
  std::string name;
  std::string title;
  bool right = false;   // numbers and durations
  bool shrink = false;  // may be cut, with …, where the table is too wide
};

// The same cell for people and for programs.
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

// Without control characters: a name out of a file must not move the cursor or colour the terminal.
[[nodiscard]] std::string harmless(std::string text);

// For people: aligned, at most `width` characters wide where the shrinkable columns allow it, control
// characters replaced. For programs: CSV (RFC 4180), JSON Lines, Markdown, or `|`-separated.
void write_table(std::ostream& out, const Table& table, TableFormat format = TableFormat::table,
                 bool header = true, std::size_t width = 100);

// `-o FIELDS`, `--help-fields`, `-P`, `-n` and `--output`, the same for every list.
class ListOptions {
 public:
  void declare(CLI::App& command);

  // Chooses the columns asked for and writes them to standard output, or the fields' names. UsageError for an
  // unknown field, with the nearest one. `shown` are those written where none were asked for.
  void write(const Table& all, const std::vector<std::string>& shown) const;
  [[nodiscard]] bool wants_help() const { return help_fields_; }
  // Whether one table alone is wanted, where the command would otherwise show several and sentences.
  [[nodiscard]] bool one_table() const { return !fields_.empty() || no_header_ || !for_people(); }
  // Whether sentences may stand beside the table.
  [[nodiscard]] bool for_people() const { return !pipe_ && output_ == "table"; }
  // The names of the fields, one a line, with their titles.
  static void write_fields(const std::vector<Column>& columns);

 private:
  std::string fields_;
  std::string output_ = "table";
  bool help_fields_ = false;
  bool pipe_ = false;
  bool no_header_ = false;
};

}  // namespace wavewright::app
