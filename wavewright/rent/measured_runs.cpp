#include "wavewright/rent/measured_runs.h"

#include <charconv>
#include <set>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/number_table.h"
#include "wavewright/core/parameters.h"
#include "wavewright/core/spec.h"
#include "wavewright/core/time.h"

namespace wavewright {

namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20;

Count machines_in(const std::string& text, const Position& where) {
  Count machines = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), machines);
  if (error != std::errc{} || end != text.data() + text.size() || machines < 1 ||
      machines > Speeds::most_machines) {
    throw InputError(where, fmt::format("'{}' is not a number of machines", shortened(text)),
                     fmt::format("give a whole number from 1 to {}", Speeds::most_machines));
  }
  return machines;
}

double seconds_in(const std::string& text, const Position& where, const char* column, bool zero) {
  const std::optional<double> number = finite_number(text);
  double seconds = -1;
  if (number) {
    seconds = *number;
  } else {
    try {
      seconds = static_cast<double>(to_ms(parse_duration(text))) / 1000;
    } catch (const UsageError&) {
      seconds = -1;
    }
  }
  if (seconds < 0 || (seconds == 0 && !zero) ||
      seconds > static_cast<double>(to_ms(longest_duration)) / 1000) {
    throw InputError(where, fmt::format("'{}' is no usable {}", shortened(text), column),
                     fmt::format("give seconds {}, or a duration like 5min", zero ? "from 0" : "above 0"));
  }
  return seconds;
}

}  // namespace

std::vector<MeasuredRun> parse_runs(std::string_view text, const std::string& source) {
  std::vector<MeasuredRun> runs;
  for (const TableRow& row : parse_table(text, source, {{"machines"}, {"seconds"}})) {
    const Position where{source, row.line};
    runs.push_back({machines_in(row.fields[0], where), seconds_in(row.fields[1], where, "time", false)});
  }
  return runs;
}

std::vector<MeasuredRun> read_runs(const std::filesystem::path& path) {
  return parse_runs(read_file(path, most_bytes), path.string());
}

std::vector<RentJob> parse_rent_jobs(std::string_view text, const std::string& source) {
  std::vector<RentJob> jobs;
  std::set<std::string> ids;
  for (const TableRow& row : parse_table(text, source, {{"job"}, {"work"}, {"arrival", false}})) {
    const Position where{source, row.line};
    if (row.fields[0].empty() || !ids.insert(row.fields[0]).second) {
      throw InputError(where, fmt::format("job '{}' is there twice or has no name", shortened(row.fields[0])),
                       "give each job a name of its own");
    }
    const double arrival = row.fields[2].empty() ? 0 : seconds_in(row.fields[2], where, "arrival", true);
    jobs.push_back({row.fields[0], seconds_in(row.fields[1], where, "work", false), arrival});
  }
  return jobs;
}

std::vector<RentJob> read_rent_jobs(const std::filesystem::path& path) {
  return parse_rent_jobs(read_file(path, most_bytes), path.string());
}

}  // namespace wavewright
