#include "wavewright/energy/meters/sample_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <map>

#include <fmt/format.h>

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
    throw InputError(where, fmt::format("{} is '{}', not a whole number from 0", column, shortened(text)),
                     "take the file as `wavewright energy record` wrote it");
  }
  return value;
}

void add_row(const TableRow& row, const std::string& file, std::vector<SourceSeries>& all,
             std::map<std::pair<std::string, std::string>, std::size_t>& places) {
  const Position where{file, row.line};
  const std::string &node = row.fields[1], &name = row.fields[2], &energy = row.fields[3],
                    &power = row.fields[4];
  if (energy.empty() == power.empty()) {
    throw InputError(where, energy.empty() ? "neither energy nor power" : "both energy and power",
                     "give each row one of energy_uj and power_mw");
  }
  const MeterUnit unit = energy.empty() ? MeterUnit::power : MeterUnit::energy;
  const std::int64_t wraps = row.fields[5].empty() ? 0 : whole_in(row.fields[5], "wraps_at_uj", where);
  const auto [place, fresh] = places.try_emplace({node, name}, all.size());
  if (fresh) all.push_back({node, {name, unit, wraps}, {}});
  SourceSeries& series = all[place->second];
  if (series.source.unit != unit)
    throw InputError(where, fmt::format("energy and power of {} by turns", shortened(name)),
                     "give each source a file of its own");
  series.readings.push_back(
      {at_ms(whole_in(row.fields[0], "time_ms", where)),
       unit == MeterUnit::energy ? whole_in(energy, "energy_uj", where) : whole_in(power, "power_mw", where),
       row.fields[6]});
}

}  // namespace

SampleFile::SampleFile(const std::filesystem::path& path) : path_(path) {
  constexpr mode_t mode = 0644;
  file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, mode);
  if (file_ < 0) {
    throw ExternalError({path.string()}, std::string("cannot be made: ") + std::strerror(errno),
                        "name another file with --output");
  }
  write(std::string(headings));
}

SampleFile::~SampleFile() {
  ::close(file_);
}

void SampleFile::write(const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t got = ::write(file_, text.data() + done, text.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0)
      throw ExternalError({path_.string()}, std::string("cannot be written: ") + std::strerror(errno),
                          "what was recorded until now is in it; make room and record again");
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
  write(rows);
  const Time now = now_instant();
  if (now - synced_ < sync_interval) return;
  static_cast<void>(::fdatasync(file_));
  synced_ = now;
}

SamplesRead parse_samples(std::string_view text, const std::string& source, const std::string& node) {
  SamplesRead read;
  if (!heading_line(text).starts_with("time_ms")) {
    read.series = parse_plug_file(text, source, node);
  } else {
    // A line that is cut off may be one of whole, but wrong, numbers.
    const std::size_t whole = text.rfind('\n') == std::string_view::npos ? 0 : text.rfind('\n') + 1;
    read.cut_off = whole < text.size();
    std::map<std::pair<std::string, std::string>, std::size_t> places;
    for (const TableRow& row : parse_table(text.substr(0, whole), source,
                                           {{"time_ms"},
                                            {"node"},
                                            {"source"},
                                            {"energy_uj"},
                                            {"power_mw"},
                                            {"wraps_at_uj", false},
                                            {"broke", false}}))
      add_row(row, source, read.series, places);
  }
  if (read.series.empty())
    throw InputError({source}, "no row has a value",
                     "record for longer: wavewright energy record --for 1min");
  return read;
}

SamplesRead read_samples(const std::filesystem::path& path, const std::string& node) {
  constexpr std::size_t most_bytes = std::size_t{1} << 30;
  return parse_samples(read_file(path, most_bytes), path.string(), node);
}

}  // namespace wavewright
