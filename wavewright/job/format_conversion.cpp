#include "wavewright/job/format_conversion.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/job/line_reader.h"

namespace wavewright {

namespace {

struct Named {
  WorkloadFormat format;
  const char* name;
};
constexpr std::array formats = {
    Named{WorkloadFormat::jsonl, "jsonl"},
    Named{WorkloadFormat::text, "text"},
    Named{WorkloadFormat::short_text, "short-text"},
    Named{WorkloadFormat::swim, "swim"},
    Named{WorkloadFormat::swf, "swf"},
    Named{WorkloadFormat::alibaba, "alibaba"},
    Named{WorkloadFormat::rumen, "rumen"},
    Named{WorkloadFormat::sls, "sls"},
    Named{WorkloadFormat::synth, "synth"},
};

// Count of numbers in a line; -1 if it holds anything but digits and white space.
int numbers_in(std::string_view line) {
  int count = 0;
  bool inside = false;
  for (const char c : line) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit && c != ' ' && c != '\t') return -1;
    if (digit && !inside) ++count;
    inside = digit;
  }
  return count;
}

// 18 columns; some are -1, and times may have decimals.
bool looks_like_swf(std::string_view line) {
  if (line.starts_with(';')) return true;
  if (line.find_first_not_of("0123456789.- \t") != std::string_view::npos) return false;
  int columns = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto blank = [&](std::size_t at) { return line[at] == ' ' || line[at] == '\t'; };
    if (!blank(i) && (i == 0 || blank(i - 1))) ++columns;
  }
  return columns == 18;
}

}  // namespace

std::string to_string(WorkloadFormat format) {
  for (const Named& each : formats) {
    if (each.format == format) return each.name;
  }
  throw InternalError("a workload format without a name");
}

WorkloadFormat parse_workload_format(std::string_view name) {
  std::vector<std::string> names;
  for (const Named& each : formats) {
    if (each.name == name) return each.format;
    names.emplace_back(each.name);
  }
  throw UsageError(fmt::format("unknown workload format '{}'", name), suggestion(name, names));
}

std::string workload_format_names() {
  std::string names;
  for (const Named& each : formats) names += (names.empty() ? "" : ", ") + std::string(each.name);
  return names;
}

WorkloadFormat detect_format(const std::filesystem::path& path) {
  if (path == "-") {
    throw UsageError("the format of standard input cannot be seen ahead",
                     "say it with --from, one of " + workload_format_names());
  }
  LineReader lines(path);
  std::vector<std::string> first;
  while (first.size() < 2) {
    const auto line = lines.next();
    if (!line) break;
    if (line->find_first_not_of(" \t") != std::string_view::npos) first.emplace_back(*line);
  }
  if (first.empty()) throw InputError({lines.source()}, "empty", "name a workload file");
  if (first[0].find_first_not_of(" \t") == first[0].find('{')) return WorkloadFormat::jsonl;
  if (std::count(first[0].begin(), first[0].end(), '\t') == 5) return WorkloadFormat::swim;
  if (std::count(first[0].begin(), first[0].end(), ',') == 8) return WorkloadFormat::alibaba;
  if (looks_like_swf(first[0])) return WorkloadFormat::swf;
  if (numbers_in(first[0]) == 3) {
    const int second = first.size() > 1 ? numbers_in(first[1]) : 0;
    if (second == 3) return WorkloadFormat::text;
    if (second == 4) return WorkloadFormat::short_text;
  }
  throw InputError({lines.source(), 1}, "not a workload in a known format",
                   "name its format with --from, one of " + workload_format_names());
}

}  // namespace wavewright
