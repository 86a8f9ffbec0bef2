#include "apps/table.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <limits>

#include <fmt/format.h>

#include "apps/choices.h"
#include "wavewright/core/csv.h"
#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"

namespace wavewright::app {

namespace {

// Characters, not bytes; ignores wide and combining ones, which is good enough for names.
std::size_t length_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

std::string cut(const std::string& text, std::size_t width) {
  if (length_of(text) <= width) return text;
  std::string kept;
  std::size_t characters = 0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xc0U) != 0x80U && ++characters >= width) break;
    kept += c;
  }
  return kept + "…";
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string space(width - std::min(width, length_of(text)), ' ');
  return right ? space + text : text + space;
}

constexpr std::size_t narrowest = 8;
constexpr std::size_t no_width = std::numeric_limits<std::size_t>::max();  // as a width

std::vector<std::size_t> widths_of(const Table& table, std::size_t limit) {
  std::vector<std::size_t> widths;
  std::size_t sum = table.columns.empty() ? 0 : 2 * (table.columns.size() - 1);
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    std::size_t width = length_of(table.columns[i].title);
    for (const auto& row : table.rows) width = std::max(width, length_of(row[i].text));
    widths.push_back(width);
    sum += width;
  }
  for (std::size_t i = 0; i < widths.size() && sum > limit; ++i) {
    if (!table.columns[i].drop) continue;
    sum -= widths[i] + 2;
    widths[i] = no_width;
  }
  while (sum > limit) {  // cut one character of the widest column that may shrink
    std::size_t widest = widths.size();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (table.columns[i].shrink && widths[i] != no_width && widths[i] > narrowest &&
          (widest == widths.size() || widths[i] > widths[widest])) {
        widest = i;
      }
    }
    if (widest == widths.size()) break;
    --widths[widest];
    --sum;
  }
  return widths;
}

void write_aligned(std::ostream& out, const Table& table, bool header, std::size_t limit) {
  const std::vector<std::size_t> widths = widths_of(table, limit);
  const auto line = [&](auto text_of) {
    std::string text;
    bool first = true;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (widths[i] == no_width) continue;
      if (!first) text += "  ";
      first = false;
      text += padded(cut(harmless(text_of(i)), widths[i]), widths[i], table.columns[i].right);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out << text << '\n';
  };
  if (header) line([&](std::size_t i) { return table.columns[i].title; });
  for (const auto& row : table.rows) line([&](std::size_t i) { return row[i].text; });
}

void write_markdown(std::ostream& out, const Table& table, bool header) {
  const auto line = [&](auto text_of) {
    out << '|';
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      std::string text = harmless(text_of(i));
      for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
        text.insert(at, 1, '\\');
      out << ' ' << text << " |";
    }
    out << '\n';
  };
  if (header) {
    line([&](std::size_t i) { return table.columns[i].title; });
    line([&](std::size_t i) { return table.columns[i].right ? "---:" : "---"; });
  }
  for (const auto& row : table.rows) line([&](std::size_t i) { return row[i].text; });
}

std::string plain(const Json& value) {
  return value.is_null() ? std::string() : value.dump();
}

std::string pipe_field(std::string text) {
  for (char& c : text) {
    if (c == '|' || c == '\n' || c == '\r') c = ' ';
  }
  return text;
}

template <class Field>
void write_separated(std::ostream& out, const Table& table, bool header, char separator, Field field) {
  const auto line = [&](auto text_of) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (i > 0) out << separator;
      out << text_of(i);
    }
    out << '\n';
  };
  if (header) line([&](std::size_t i) { return field(table.columns[i].name); });
  for (const auto& row : table.rows) {
    line([&](std::size_t i) {
      return row[i].value.is_string() ? field(row[i].value.get<std::string>()) : plain(row[i].value);
    });
  }
}

void write_json_lines(std::ostream& out, const Table& table) {
  for (const auto& row : table.rows) {
    Json object = Json::object();
    for (std::size_t i = 0; i < table.columns.size(); ++i) object[table.columns[i].name] = row[i].value;
    out << object.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
  }
}

TableFormat parse_format(const std::string& name) {
  const std::vector<std::pair<std::string, TableFormat>> known = {{"table", TableFormat::table},
                                                                  {"csv", TableFormat::csv},
                                                                  {"jsonl", TableFormat::jsonl},
                                                                  {"markdown", TableFormat::markdown}};
  std::vector<std::string> names;
  names.reserve(known.size());
  for (const auto& [word, format] : known) {
    if (word == name) return format;
    names.push_back(word);
  }
  throw UsageError("unknown --output '" + name + "'", suggestion(name, names));
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> words(1);
  for (const char c : list) {
    if (c == ',') {
      words.emplace_back();
    } else if (c != ' ') {
      words.back() += c;
    }
  }
  return words;
}

std::vector<std::size_t> places_of(const std::vector<Column>& columns,
                                   const std::vector<std::string>& fields) {
  std::vector<std::string> known;
  known.reserve(columns.size());
  for (const Column& column : columns) known.push_back(column.name);
  std::vector<std::size_t> places;
  places.reserve(fields.size());
  for (const std::string& field : fields) {
    const auto found = std::find(known.begin(), known.end(), field);
    if (found == known.end()) throw UsageError("unknown field '" + field + "'", suggestion(field, known));
    places.push_back(static_cast<std::size_t>(found - known.begin()));
  }
  return places;
}

}  // namespace

std::size_t output_width() {
  constexpr std::size_t usual = 100;
  if (::isatty(STDOUT_FILENO) != 1) return std::numeric_limits<std::size_t>::max();
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : usual;
}

Cell count_cell(std::int64_t count) {
  return {std::to_string(count), count};
}

void write_table(std::ostream& out, const Table& table, TableFormat format, bool header, std::size_t width) {
  switch (format) {
    case TableFormat::table:
      return write_aligned(out, table, header, width);
    case TableFormat::csv:
      return write_separated(out, table, header, ',', csv_field);
    case TableFormat::pipe:
      return write_separated(out, table, header, '|', pipe_field);
    case TableFormat::markdown:
      return write_markdown(out, table, header);
    case TableFormat::jsonl:
      return write_json_lines(out, table);
  }
}

void ListOptions::declare(CLI::App& command) {
  command.add_option("-o,--fields", fields_, "columns, separated by commas")->type_name("FIELDS");
  command.add_flag("--help-fields", help_fields_, "name the columns that -o takes");
  command.add_flag("-P,--pipe", pipe_, "separated by |, raw values");
  command.add_flag("-n,--no-header", no_header_, "without the line of column names");
  offer(command.add_option("--output", output_, "table, csv, jsonl or markdown")->type_name("FORMAT"),
        {"table", "csv", "jsonl", "markdown"});
}

void ListOptions::write(const Table& all, const std::vector<std::string>& shown) const {
  Table chosen;
  const auto places = places_of(all.columns, fields_.empty() ? shown : split(fields_));
  for (const std::size_t place : places) {
    chosen.columns.push_back(all.columns[place]);
    if (!fields_.empty()) chosen.columns.back().drop = false;
  }
  for (const auto& row : all.rows) {
    std::vector<Cell>& cells = chosen.rows.emplace_back();
    for (const std::size_t place : places) cells.push_back(row[place]);
  }
  const TableFormat format = pipe_ ? TableFormat::pipe : parse_format(output_);
  write_table(std::cout, chosen, format, !no_header_);
}

void ListOptions::write_fields(const std::vector<Column>& columns) {
  for (const Column& column : columns) std::cout << fmt::format("{:<18}  {}\n", column.name, column.title);
}

}  // namespace wavewright::app
