#include "wavewright/job/swf_rows.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include <fmt/format.h>

namespace wavewright {

namespace {

constexpr std::size_t columns = 18;
using Numbers = std::array<double, columns>;

// The reason why a line is no row; nothing if it is one.
std::optional<std::string> parse_numbers(std::string_view line, Numbers& numbers) {
  constexpr const char* blanks = " \t";
  std::size_t count = 0;
  for (;; ++count) {
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    if (line.empty()) break;
    if (count == columns) return "more than 18 columns";
    const std::string_view text = line.substr(0, line.find_first_of(blanks));
    double& value = numbers.at(count);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) {
      return fmt::format("column {} is not a number", count + 1);
    }
    line.remove_prefix(text.size());
  }
  if (count != columns) return "fewer than 18 columns";
  return std::nullopt;
}

std::optional<std::string> take_row(const Numbers& told, SwfRow& row) {
  constexpr auto most = static_cast<double>(to_ms(longest_duration));
  const auto whole = [&](std::size_t column, std::int64_t& to) {
    const double value = told.at(column - 1);
    if (value != std::floor(value) || std::abs(value) > most) return false;
    to = static_cast<std::int64_t>(value);
    return true;
  };
  const auto time = [&](std::size_t column, std::int64_t& to) {
    const double value = told.at(column - 1);
    if (std::abs(value) > most / 1000) return false;
    to = value < 0 ? -1 : std::llround(value * 1000);
    return true;
  };
  std::int64_t allocated = 0;
  std::int64_t requested = 0;
  const bool usable = whole(1, row.number) && time(2, row.submit_ms) && time(4, row.run_ms) &&
                      whole(5, allocated) && whole(8, requested) && whole(11, row.status) &&
                      whole(12, row.user) && whole(14, row.executable) && whole(15, row.queue) &&
                      whole(17, row.preceding);
  if (!usable) return "a number is a fraction or out of range";
  row.processors = allocated > 0 ? allocated : requested;
  row.think_time = told[17] > 0;
  return std::nullopt;
}

// The reason why a readable row is dropped, or null. `kept_beside`: the sidecar has its tasks.
const char* why_left_out(const SwfRow& row, bool kept_beside, const SwfOptions& options) {
  if (row.number < 0) return "it tells no number";
  if (row.submit_ms < 0) return "it tells no submission";
  if (row.status >= 2 && row.status <= 4) return "a part of a job, which has a row of its own";
  if (row.status == 0 && !options.with_failed) return "the job failed";
  if (row.status == 5 && !options.with_failed) return "the job was cancelled";
  if (kept_beside) return nullptr;
  if (row.run_ms < 0) return "it tells no run time";
  if (row.processors <= 0) return "it tells no processors";
  return nullptr;
}

}  // namespace

SwfTable read_swf_rows(LineReader& lines, const SwfOptions& options,
                       const std::function<bool(std::int64_t number)>& told_beside) {
  SwfTable table;
  std::unordered_set<std::int64_t> seen;
  while (const auto line = lines.next()) {
    const auto first = line->find_first_not_of(" \t");
    if (first == std::string_view::npos || (*line)[first] == ';') continue;
    SwfRow row;
    row.line = lines.line();
    Numbers numbers{};
    auto malformed = parse_numbers(*line, numbers);
    if (!malformed) malformed = take_row(numbers, row);
    if (malformed) {
      table.dropped.add(*malformed, row.line);
    } else if (const char* why = why_left_out(row, told_beside(row.number), options)) {
      table.dropped.add(why, row.line);
    } else if (!seen.insert(row.number).second) {
      table.dropped.add("its number was used before", row.line);
    } else {
      table.rows.push_back(row);
    }
  }
  return table;
}

}  // namespace wavewright
