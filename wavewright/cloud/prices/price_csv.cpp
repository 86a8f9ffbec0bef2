#include "wavewright/cloud/prices/price_csv.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wavewright {

namespace {

enum class Column { time, time_ms, price, type, zone, product, currency, unit, other };

constexpr const char* header_hint =
    "begin it with a header like time,price or Timestamp,InstanceType,SpotPrice";

// The name without its case, blanks and underscores.
Column column_of(const std::string& header) {
  std::string name;
  for (const char c : header)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  static const std::vector<std::pair<std::string_view, Column>> names = {
      {"timestamp", Column::time},
      {"time", Column::time},
      {"timems", Column::time_ms},
      {"fromms", Column::time_ms},
      {"spotprice", Column::price},
      {"price", Column::price},
      {"priceusd", Column::price},
      {"priceusdperhour", Column::price},
      {"instancetype", Column::type},
      {"type", Column::type},
      {"availabilityzone", Column::zone},
      {"zone", Column::zone},
      {"productdescription", Column::product},
      {"product", Column::product},
      {"currency", Column::currency},
      {"unit", Column::unit}};
  for (const auto& [known, column] : names)
    if (known == name) return column;
  return Column::other;
}

// Goes through the records of a text.
class Records {
 public:
  Records(std::string_view text, const std::string& source) : text_(text), source_(source) {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
  }

  // False at the end. Empty lines are passed over.
  bool next(std::vector<std::string>& fields) {
    while (at_ < text_.size() && (text_[at_] == '\n' || text_[at_] == '\r'))
      line_ += text_[at_++] == '\n' ? 1 : 0;
    if (at_ >= text_.size()) return false;
    begun_ = line_;
    fields.clear();
    do {
      fields.push_back(field());
      constexpr std::size_t most = 100;
      if (fields.size() > most) throw InputError(where(), "more than 100 columns", header_hint);
    } while (at_ < text_.size() && text_[at_++] == ',');
    line_ += 1;
    return true;
  }

  [[nodiscard]] Position where() const { return {source_, begun_}; }

 private:
  // Ends before the comma, or at the line's end.
  std::string field() {
    std::string value;
    constexpr std::size_t longest = 1000;
    if (at_ < text_.size() && text_[at_] == '"') {
      for (++at_;; ++at_) {
        if (at_ >= text_.size() || value.size() > longest)
          throw InputError(where(), "a quote that does not end", "is the file complete?");
        if (text_[at_] == '"') {
          if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') break;
          ++at_;
        }
        line_ += text_[at_] == '\n' ? 1 : 0;
        value += text_[at_];
      }
      ++at_;
    }
    while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '\n') {
      if (value.size() > longest)
        throw InputError(where(), "a field of more than 1000 characters", header_hint);
      value += text_[at_++];
    }
    while (!value.empty() && (value.back() == '\r' || value.back() == ' ')) value.pop_back();
    const std::size_t blank = value.find_first_not_of(' ');
    return blank == std::string::npos ? "" : value.substr(blank);
  }

  std::string_view text_;
  const std::string& source_;
  std::size_t at_ = 0;
  std::int64_t line_ = 1;
  std::int64_t begun_ = 1;
};

struct Header {
  std::vector<Column> columns;
  std::vector<std::string> other;

  [[nodiscard]] bool has(Column column) const {
    return std::find(columns.begin(), columns.end(), column) != columns.end();
  }
};

Header header_of(const std::vector<std::string>& fields, const Position& where) {
  Header header;
  for (const std::string& name : fields) {
    const Column column = column_of(name);
    if (column != Column::other && header.has(column))
      throw InputError(where, fmt::format("two columns like '{}'", name), "leave one of them out");
    if (column == Column::other) header.other.push_back(name.substr(0, 40));
    header.columns.push_back(column);
  }
  if (!header.has(Column::time) && !header.has(Column::time_ms))
    throw InputError(where, "there is no column of times", header_hint);
  if (header.has(Column::time) && header.has(Column::time_ms))
    throw InputError(where, "there are two columns of times", "leave one of them out");
  if (!header.has(Column::price)) throw InputError(where, "there is no column of prices in USD", header_hint);
  return header;
}

Time time_from(std::string_view text, const Position& where) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size() || value < 0 ||
      value > to_ms(longest_duration)) {
    throw InputError(where, fmt::format("'{}' is no time in ms", text.substr(0, 40)),
                     "write a whole number from 0");
  }
  return at_ms(value);
}

PriceRow row_of(std::vector<std::string>& fields, const Header& header, const Position& where) {
  if (fields.size() != header.columns.size()) {
    throw InputError(where,
                     fmt::format("{} fields, and the header has {}", fields.size(), header.columns.size()),
                     "is the file complete?");
  }
  PriceRow row;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    switch (header.columns[i]) {
      case Column::time:
        row.from = parse_price_time(fields[i], where);
        break;
      case Column::time_ms:
        row.from = time_from(fields[i], where);
        break;
      case Column::price:
        row.per_hour = parse_price(fields[i], where);
        break;
      case Column::type:
        row.market.instance_type = std::move(fields[i]);
        break;
      case Column::zone:
        row.market.zone = std::move(fields[i]);
        break;
      case Column::product:
        row.market.product = std::move(fields[i]);
        break;
      case Column::currency:
        check_currency(fields[i], where);
        break;
      case Column::unit:
        check_unit(fields[i], where);
        break;
      case Column::other:
        break;
    }
  }
  return row;
}

}  // namespace

PriceRows price_rows_of_csv(std::string_view text, const std::string& source) {
  Records records(text, source);
  std::vector<std::string> fields;
  if (!records.next(fields)) throw InputError({source}, "the file is empty", header_hint);
  const Header header = header_of(fields, records.where());
  PriceRows read;
  while (records.next(fields)) {
    if (read.rows.size() == most_price_rows)
      throw InputError(records.where(), fmt::format("more than {} rows", most_price_rows),
                       "read it in parts");
    read.rows.push_back(row_of(fields, header, records.where()));
  }
  if (!header.other.empty())
    read.notes.push_back(fmt::format("columns passed over: {}", fmt::join(header.other, ", ")));
  return read;
}

}  // namespace wavewright
