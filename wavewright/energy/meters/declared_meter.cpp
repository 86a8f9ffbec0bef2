#include "wavewright/energy/meters/declared_meter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"
#include "wavewright/core/spec.h"

namespace wavewright {

namespace {

constexpr std::size_t time_columns = 8;  // user, nice, system, idle, iowait, irq, softirq, steal
constexpr std::array<bool, time_columns> is_busy{true, true, true, false, false, true, true, false};
using ProcessorTimes = std::array<std::int64_t, time_columns>;

// The line `cpu` of /proc/stat, which comes first: times of all processors together. Guests are in user and
// nice. Old kernels have fewer columns.
std::optional<ProcessorTimes> processor_times(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line) || !line.starts_with("cpu ")) return std::nullopt;
  std::istringstream numbers(line.substr(4));
  ProcessorTimes times{};
  std::size_t read = 0;
  while (read < time_columns && numbers >> times[read]) ++read;
  constexpr std::size_t least = 4;
  return read < least ? std::nullopt : std::optional(times);
}

// None where no time went by. A column that went back a little, as iowait may, counts as 0.
std::optional<double> utilisation_between(const ProcessorTimes& from, const ProcessorTimes& to) {
  double busy = 0, all = 0;
  for (std::size_t i = 0; i < time_columns; ++i) {
    const auto went_by = static_cast<double>(std::max<std::int64_t>(0, to[i] - from[i]));
    all += went_by;
    busy += is_busy[i] ? went_by : 0;
  }
  return all > 0 ? std::optional(busy / all) : std::nullopt;
}

// As it stands in a file of samples: letters, digits, '-', '_' and '.'.
std::string plain_name(std::string name) {
  constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
  for (char& each : name)
    if (plain.find(each) == std::string_view::npos) each = '_';
  return name;
}

// Adds up power · time from reading to reading.
class DeclaredMeter : public Meter {
 public:
  DeclaredMeter(DeclaredPower power, const std::filesystem::path& proc)
      : power_(std::move(power)),
        file_(proc / "stat"),
        sources_{{declared_prefix + plain_name(power_.node_class), MeterUnit::energy, 0}} {
    if (!processor_times(file_))
      throw ExternalError({file_.string()}, "the times of the processors cannot be read",
                          "Linux shows them there; --proc names another folder");
  }

  [[nodiscard]] const std::vector<MeterSource>& sources() const override { return sources_; }

  [[nodiscard]] std::vector<MeterSample> read(Time now) override {
    const std::optional<ProcessorTimes> times = processor_times(file_);
    if (!times) return {};
    if (before_) {
      const std::optional<double> utilisation = utilisation_between(*before_, *times);
      if (!utilisation) return {};
      const Duration length = std::max(ms(0), now - at_);  // the clock may be set back
      add_energy(energy_, std::llround(power_.at(*utilisation) * static_cast<double>(to_ms(length))));
    }
    before_ = times;
    at_ = now;
    return {{0, now, energy_}};
  }

 private:
  DeclaredPower power_;
  std::filesystem::path file_;
  std::vector<MeterSource> sources_;
  std::optional<ProcessorTimes> before_;
  Time at_{};
  MicroJoules energy_ = 0;
};

// Tasks that the row's nodes run at once.
Count tasks_at_once(const Cluster& cluster, const NodeGroup& group) {
  if (cluster.mode.kind == ClusterMode::Kind::slots) return group.slots.map_slots + group.slots.reduce_slots;
  const std::int64_t memory = std::max<std::int64_t>(1, cluster.containers.map.memory.count);
  return std::max<Count>(1, std::min<Count>(group.memory.count / memory, group.vcores));
}

bool names_host(const NodeGroup& group, const std::string& host) {
  return std::find(group.hosts.begin(), group.hosts.end(), host) != group.hosts.end();
}

std::vector<std::string> class_names(const Cluster& cluster) {
  std::vector<std::string> names;
  for (const NodeGroup& group : cluster.nodes) {
    if (std::find(names.begin(), names.end(), group.node_class) == names.end())
      names.push_back(group.node_class);
  }
  return names;
}

std::string class_for(const Cluster& cluster, const std::string& host, const std::string& file) {
  for (const NodeGroup& group : cluster.nodes) {
    if (names_host(group, host)) return group.node_class;
  }
  const std::vector<std::string> names = class_names(cluster);
  if (names.size() == 1) return names.front();
  throw UsageError(fmt::format("--meter declared: {} has several classes, and none of its rows names {}",
                               file, shortened(host)),
                   fmt::format("write declared={}:CLASS; its classes are {}", file, fmt::join(names, ", ")));
}

// FILE and CLASS of FILE:CLASS. A file whose name has a colon is one if it is there.
std::pair<std::string, std::string> file_and_class(const std::string& what) {
  std::error_code ignored;
  const std::size_t colon = what.rfind(':');
  if (colon == std::string::npos || std::filesystem::exists(what, ignored)) return {what, ""};
  return {what.substr(0, colon), what.substr(colon + 1)};
}

}  // namespace

double DeclaredPower::at(double utilisation) const {
  const auto step = [&](std::size_t running) {
    if (running == 0 || above_idle.empty()) return 0.0;
    return static_cast<double>(above_idle[std::min(running, above_idle.size()) - 1]);
  };
  const double running = std::clamp(utilisation, 0.0, 1.0) * static_cast<double>(tasks);
  const auto whole = static_cast<std::size_t>(running);
  const double part = running - static_cast<double>(whole);
  return static_cast<double>(idle) + step(whole) + part * (step(whole + 1) - step(whole));
}

DeclaredPower declared_power(const Cluster& cluster, const std::string& node_class, const std::string& host,
                             const std::string& file) {
  const std::string name = node_class.empty() ? class_for(cluster, host, file) : node_class;
  std::optional<std::size_t> row;
  for (std::size_t i = 0; i < cluster.nodes.size(); ++i) {
    const NodeGroup& group = cluster.nodes[i];
    if (group.node_class != name) continue;
    if (!row) row = i;
    if (!names_host(group, host)) continue;
    row = i;
    break;
  }
  if (!row) {
    throw UsageError(
        fmt::format("--meter declared: no node of {} is of class '{}'", file, shortened(name)),
        fmt::format("its classes are {}; name one of them", fmt::join(class_names(cluster), ", ")));
  }
  const PowerModel model(cluster);
  const NodePower& power = model.of_row(*row);
  const NodeGroup& group = cluster.nodes[*row];
  DeclaredPower declared{name, power.idle, {power.whole}, 1};
  if (!power.curve.empty()) {
    declared.above_idle = power.curve;
    declared.tasks = tasks_at_once(cluster, group);
    return declared;
  }
  const auto described = cluster.classes.find(name);
  const bool busy = power.whole > 0 || (described != cluster.classes.end() && described->second.busy_w);
  if (!busy) {
    throw UsageError(
        fmt::format("--meter declared: class '{}' of {} has neither power_busy_w nor power_curve_w",
                    shortened(name), file),
        fmt::format("give power_idle_w and power_busy_w, with all processors busy, in [classes.{}]",
                    shortened(name)));
  }
  return declared;
}

std::unique_ptr<Meter> open_declared(const std::string& what, const std::string& host,
                                     const std::filesystem::path& proc) {
  const auto [file, node_class] = file_and_class(what);
  return std::make_unique<DeclaredMeter>(declared_power(read_cluster(file), node_class, host, file), proc);
}

}  // namespace wavewright
