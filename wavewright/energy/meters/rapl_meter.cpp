#include "wavewright/energy/meters/rapl_meter.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

namespace fs = std::filesystem;

constexpr const char* no_rapl_remedy =
    "virtual machines often have none: declare powers in the cluster file ([classes.NAME], "
    "docs/use/energy.md) and take these with --meter declared=CLUSTER.toml:CLASS";

std::optional<std::string> first_line(const fs::path& file) {
  errno = 0;
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line)) return std::nullopt;
  return line;
}

std::optional<std::int64_t> number_of(const fs::path& file) {
  const std::optional<std::string> line = first_line(file);
  if (!line) return std::nullopt;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(line->data(), line->data() + line->size(), value);
  if (error != std::errc{} || end != line->data() + line->size() || value < 0) return std::nullopt;
  return value;
}

struct Zone {
  int package = 0;
  int part = -1;  // -1 = the package itself
  std::string name;
  fs::path folder;
};

// Takes a number from the text's beginning. Linux writes those of zones in hexadecimal digits.
std::optional<int> leading_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// `intel-rapl:0`, `intel-rapl:a` and `intel-rapl:0:1`; none for other folders and for parts of parts.
std::optional<Zone> zone_of(const fs::path& folder) {
  const std::string text = folder.filename().string();
  constexpr std::string_view prefix = "intel-rapl:";
  if (!text.starts_with(prefix)) return std::nullopt;
  std::string_view numbers = std::string_view(text).substr(prefix.size());
  const std::optional<int> package = leading_number(numbers);
  std::optional<int> part = -1;
  if (package && numbers.starts_with(':')) {
    numbers.remove_prefix(1);
    part = leading_number(numbers);
  }
  if (!package || !part || !numbers.empty()) return std::nullopt;
  return Zone{*package, *part, first_line(folder / "name").value_or(""), folder};
}

// In order of their numbers.
std::vector<Zone> zones_in(const fs::path& folder) {
  std::error_code error;
  std::vector<Zone> zones;
  for (fs::directory_iterator each(folder, error), end; !error && each != end; each.increment(error)) {
    if (std::optional<Zone> zone = zone_of(each->path())) zones.push_back(std::move(*zone));
  }
  std::sort(zones.begin(), zones.end(), [](const Zone& a, const Zone& b) {
    return std::tie(a.package, a.part) < std::tie(b.package, b.part);
  });
  return zones;
}

class RaplMeter : public Meter {
 public:
  explicit RaplMeter(const fs::path& folder) {
    std::string package;
    for (const Zone& zone : zones_in(folder)) {
      const bool whole = zone.part < 0 && zone.name.starts_with("package");
      if (zone.part < 0) package = whole ? zone.name : "";
      if (whole) add(zone, "rapl/" + zone.name);
      if (zone.part >= 0 && zone.name == "dram" && !package.empty()) add(zone, "rapl/" + package + "/dram");
    }
    if (sources_.empty())
      throw ExternalError({folder.string()}, "RAPL shows no processor here", no_rapl_remedy);
  }

  [[nodiscard]] const std::vector<MeterSource>& sources() const override { return sources_; }

  [[nodiscard]] std::vector<MeterSample> read(Time now) override {
    std::vector<MeterSample> samples;
    for (std::size_t i = 0; i < counters_.size(); ++i) {
      if (const auto value = number_of(counters_[i])) samples.push_back({i, now, *value});
    }
    return samples;
  }

 private:
  void add(const Zone& zone, std::string name) {
    const fs::path counter = zone.folder / "energy_uj";
    if (!number_of(counter)) {
      const std::string reason = errno == 0 ? "it holds no number" : std::strerror(errno);
      throw ExternalError({counter.string()},
                          fmt::format("the energy of {} cannot be read: {}", zone.name, reason),
                          "read it as root, or let a group read it (chmod g+r, chgrp)");
    }
    // Two zones of one name differ by number.
    const auto same = [&](const MeterSource& each) { return each.name == name; };
    if (std::any_of(sources_.begin(), sources_.end(), same)) name += fmt::format("-{}", zone.package);
    sources_.push_back(
        {std::move(name), MeterUnit::energy, number_of(zone.folder / "max_energy_range_uj").value_or(0)});
    counters_.push_back(counter);
  }

  std::vector<MeterSource> sources_;
  std::vector<fs::path> counters_;
};

}  // namespace

std::unique_ptr<Meter> open_rapl(const fs::path& folder) {
  return std::make_unique<RaplMeter>(folder);
}

}  // namespace wavewright
