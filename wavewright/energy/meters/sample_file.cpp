#include "wavewright/energy/meters/sample_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "wavewright/core/byte_order_mark.h"
#include "wavewright/core/csv.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/number_table.h"
#include "wavewright/core/spec.h"
#include "wavewright/core/when.h"
#include "wavewright/energy/meters/plug_file.h"

namespace wavewright {

namespace {

constexpr std::string_view headings = "time_ms,node,source,energy_uj,power_mw,wraps_at_uj,broke\n";
constexpr Duration sync_interval = ms(5000);

std::int64_t whole_in(const std::string& text, const char* column, const Position& where) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0) {
    throw InputError(where,
                     fmt::format("{} is '{}', not a whole number from 0 to {}", column, shortened(text),
                                 std::numeric_limits<std::int64_t>::max()),
                     "take the file as `wavewright energy record` wrote it");
  }
  return value;
}

// The series that the rows of a file make up.
class SampleRows {
 public:
  explicit SampleRows(const std::string& file) : file_(file) {}

  void add(const TableRow& row) {
    // Files that were joined have headings in between.
    if (without_byte_order_mark(row.fields[0]) == "time_ms" && row.fields[2] == "source") {
      begins_anew_.assign(all_.size(), true);
      return;
    }
    const Position where{file_, row.line};
    const std::string &energy = row.fields[3], &power = row.fields[4], &broke = row.fields[6];
    if (energy.empty() == power.empty()) {
      throw InputError(where, energy.empty() ? "neither energy nor power" : "both energy and power",
                       "give each row one of energy_uj and power_mw");
    }
    for (const auto& [name, column] :
         {std::pair(&row.fields[1], "node"), std::pair(&row.fields[2], "source")}) {
      if (name->empty())
        throw InputError(where, fmt::format("{} is empty", column),
                         "name the machine and its meter in each row, as `wavewright energy record` does");
    }
    const bool counts = power.empty();
    const std::size_t place = place_of(row, counts ? MeterUnit::energy : MeterUnit::power, where);
    const Time at = at_ms(whole_in(row.fields[0], "time_ms", where));
    if (at > latest_reading) {
      throw InputError(where, fmt::format("time_ms is {}, after the year 9999", row.fields[0]),
                       "leave the row out, or write ms since 1970");
    }
    if (!broke.empty() && broke != "suspended" && broke != "clock") {
      throw InputError(where, fmt::format("broke is '{}'", shortened(broke)),
                       "leave it empty, or write suspended or clock");
    }
    const std::int64_t value =
        counts ? whole_in(energy, "energy_uj", where) : whole_in(power, "power_mw", where);
    const bool begins = begins_anew_[place];
    begins_anew_[place] = false;
    all_[place].readings.push_back({at, value, begins && broke.empty() ? "file" : broke});
  }

  [[nodiscard]] std::vector<SourceSeries> series() && { return std::move(all_); }

 private:
  std::size_t place_of(const TableRow& row, MeterUnit unit, const Position& where) {
    const std::string &node = row.fields[1], &name = row.fields[2], &wraps_at = row.fields[5];
    const std::int64_t wraps = wraps_at.empty() ? 0 : whole_in(wraps_at, "wraps_at_uj", where);
    const auto [place, fresh] = places_.try_emplace({node, name}, all_.size());
    if (fresh) {
      all_.push_back({node, {name, unit, wraps}, {}});
      begins_anew_.push_back(false);
    }
    if (all_[place->second].source.unit != unit)
      throw InputError(where, fmt::format("energy and power of {} by turns", shortened(name)),
                       "give each source a file of its own");
    return place->second;
  }

  const std::string& file_;
  std::vector<SourceSeries> all_;
  std::vector<bool> begins_anew_;  // by series: headings came since its last row
  std::map<std::pair<std::string, std::string>, std::size_t> places_;
};

// Rows from the latest to the earliest, as some programs write them, are turned.
bool turned(std::vector<Reading>& readings) {
  const auto later = [](const Reading& a, const Reading& b) { return a.at > b.at; };
  if (readings.size() < 3 || readings.front().at == readings.back().at ||
      !std::is_sorted(readings.begin(), readings.end(), later))
    return false;
  std::reverse(readings.begin(), readings.end());
  return true;
}

}  // namespace

SampleFile::SampleFile(const std::filesystem::path& path) : path_(path) {
  constexpr mode_t mode = 0644;
  file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, mode);
  if (file_ < 0) {
    throw ExternalError({path.string()}, std::string("cannot be made: ") + std::strerror(errno),
                        "name another file with --output");
  }
  try {
    write(std::string(headings), "make room, or name another file with --output");
  } catch (const ExternalError&) {
    ::close(file_);
    discard();
    throw;
  }
}

SampleFile::~SampleFile() {
  ::close(file_);
}

void SampleFile::discard() const {
  ::unlink(path_.c_str());
}

void SampleFile::write(const std::string& text, const char* remedy) const {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t got = ::write(file_, text.data() + done, text.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0)
      throw ExternalError({path_.string()}, std::string("cannot be written: ") + std::strerror(errno),
                          remedy);
    done += static_cast<std::size_t>(got);
  }
}

void SampleFile::add(const std::vector<const SourceSeries*>& series) {
  std::string rows;
  for (const SourceSeries* each : series) {
    const Reading& last = each->readings.back();
    const bool energy = each->source.unit == MeterUnit::energy;
    const std::string value = std::to_string(last.value);
    rows += fmt::format("{},{},{},{},{},{},{}\n", to_ms(last.at), csv_field(each->node),
                        csv_field(each->source.name), energy ? value : "", energy ? "" : value,
                        each->source.wraps_at > 0 ? std::to_string(each->source.wraps_at) : "", last.broke);
  }
  write(rows, "what was recorded until now is in it; make room and record again");
  const Time now = now_instant();
  if (now - synced_ < sync_interval) return;
  static_cast<void>(::fdatasync(file_));
  synced_ = now;
}

SamplesRead parse_samples(std::string_view text, const std::string& source, const std::string& node) {
  text = without_byte_order_mark(text);
  SamplesRead read;
  if (!heading_line(text).starts_with("time_ms")) {
    read.series = parse_plug_file(text, source, node);
  } else {
    // A line that is cut off may be one of whole, but wrong, numbers.
    const std::size_t whole = text.rfind('\n') == std::string_view::npos ? 0 : text.rfind('\n') + 1;
    read.cut_off = whole < text.size();
    SampleRows rows(source);
    for (const TableRow& row : parse_table(text.substr(0, whole), source,
                                           {{"time_ms"},
                                            {"node"},
                                            {"source"},
                                            {"energy_uj"},
                                            {"power_mw"},
                                            {"wraps_at_uj", false},
                                            {"broke", false}}))
      rows.add(row);
    read.series = std::move(rows).series();
  }
  if (read.series.empty())
    throw InputError({source}, "no row has a value",
                     "record for longer: wavewright energy record --for 1min");
  for (SourceSeries& each : read.series) read.turned += turned(each.readings) ? 1 : 0;
  return read;
}

SamplesRead read_samples(const std::filesystem::path& path, const std::string& node) {
  constexpr std::size_t most_bytes = std::size_t{1} << 30;
  return parse_samples(read_file(path, most_bytes), path.string(), node);
}

}  // namespace wavewright
