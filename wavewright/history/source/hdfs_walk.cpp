#include "wavewright/history/source/hdfs_walk.h"

#include <algorithm>
#include <chrono>
#include <tuple>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/history/findings.h"
#include "wavewright/history/source/content.h"
#include "wavewright/history/text.h"

namespace wavewright {

namespace {

using Severity = Diagnostic::Severity;

bool is_number(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view take_last(std::string_view& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return {};
  const std::string_view last = path.substr(slash + 1);
  path = path.substr(0, slash);
  return last;
}

// Files before folders, the newest first; numbered folders by their number.
bool newer(const HdfsEntry& a, const HdfsEntry& b) {
  if (a.folder != b.folder) return b.folder;
  if (a.folder && is_number(a.name) && is_number(b.name)) {
    return std::tuple(a.name.size(), a.name) > std::tuple(b.name.size(), b.name);
  }
  return std::tuple(a.changed_ms, a.name) > std::tuple(b.changed_ms, b.name);
}

}  // namespace

bool day_before(std::string_view path, Time since) {
  const std::string_view day = take_last(path);
  const std::string_view month = take_last(path);
  const std::string_view year = take_last(path);
  if (day.size() != 2 || month.size() != 2 || year.size() != 4) return false;
  if (!is_number(day) || !is_number(month) || !is_number(year)) return false;
  const std::chrono::year_month_day date{
      std::chrono::year(static_cast<int>(parse_integer(year).value_or(0))),
      std::chrono::month(static_cast<unsigned>(parse_integer(month).value_or(0))),
      std::chrono::day(static_cast<unsigned>(parse_integer(day).value_or(0)))};
  if (!date.ok()) return false;
  // The folder is named by the server's local date, up to 14 hours from UTC.
  const auto end = std::chrono::sys_days(date).time_since_epoch() + std::chrono::days(2);
  return std::chrono::milliseconds(end).count() < to_ms(since);
}

bool HdfsWalk::folder(const std::string& path, int depth) {
  if (place_.since && day_before(path, *place_.since)) return true;
  if (depth > deepest_folder) return pass(path, Severity::skipped, "folders nested deeper than 64 levels");
  HdfsListing listing;
  try {
    listing = place_.listing(path);
  } catch (const InputError& error) {
    diagnostics_(diagnosed(Severity::skipped, error.where(), error.problem(), error.remedy()));
    return true;
  }
  if (listing.entries.empty()) return pass(path, Severity::note, "folder is empty");
  std::sort(listing.entries.begin(), listing.entries.end(), newer);
  return std::all_of(listing.entries.begin(), listing.entries.end(), [&](const HdfsEntry& entry) {
    const std::string inner = (path == "/" ? "" : path) + "/" + entry.name;
    return entry.folder ? folder(inner, depth + 1) : file(inner, entry);
  });
}

bool HdfsWalk::file(const std::string& path, const HdfsEntry& entry) {
  if (stands_beside_histories(path.substr(path.rfind('/') + 1))) {
    return pass(path, Severity::note, "passed over: stands beside histories, but is none");
  }
  if (entry.link) return pass(path, Severity::note, "passed over: a link");
  if (place_.since && entry.changed_ms < to_ms(*place_.since)) return true;
  return found_({place_.prefix + path, fmt::format("{}@{}", entry.length, entry.changed_ms),
                 bytes_to_hold(path, static_cast<std::uintmax_t>(entry.length))});
}

bool HdfsWalk::pass(const std::string& path, Severity severity, const std::string& reason) {
  diagnostics_(diagnosed(severity, {place_.prefix + path}, reason));
  return true;
}

}  // namespace wavewright
