#include "wavewright/live/yarn/cluster_settings.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>
#include <system_error>

#include "wavewright/live/yarn/rest_answer.h"

namespace wavewright {

namespace {

using Settings = std::map<std::string, std::string>;

// As Hadoop reads a number: with blanks around it, and k, m, g, t or p for powers of 1024.
std::optional<double> number_in(const Settings& settings, const std::string& key) {
  const auto setting = settings.find(key);
  if (setting == settings.end()) return std::nullopt;
  std::string_view text = setting->second;
  text.remove_prefix(std::min(text.find_first_not_of(" \t\n"), text.size()));
  text = text.substr(0, text.find_last_not_of(" \t\n") + 1);
  if (text.empty()) return std::nullopt;
  constexpr std::string_view suffixes = "kmgtp";
  double unit = 1;
  const char last = static_cast<char>(std::tolower(static_cast<unsigned char>(text.back())));
  if (const auto power = suffixes.find(last); power != std::string_view::npos) {
    unit = std::exp2(10.0 * static_cast<double>(power + 1));
    text.remove_suffix(1);
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value * unit;
}

// Containers per heartbeat; a setting that is absent has the scheduler's default.
void apply_scheduler(const Settings& settings, Cluster& cluster, ToldKeys& keys) {
  const auto told = [&](const std::string& key, const char* otherwise) {
    const auto found = settings.find(key);
    return found == settings.end() || found->second.empty() ? std::string(otherwise) : found->second;
  };
  const auto whole = [&](const std::string& key, Count otherwise) {
    const auto value = number_in(settings, key);
    return value && *value >= 0 && *value <= 1e6 ? static_cast<Count>(std::llround(*value)) : otherwise;
  };
  const auto mark = [&](const char* key, const std::string& setting) {
    if (settings.contains(setting)) keys.insert(key);
  };
  const std::string scheduler = told("yarn.resourcemanager.scheduler.class", "");  // a NameNode has none
  Containers& given = cluster.containers;
  if (scheduler.ends_with("FairScheduler")) {
    const std::string multiple = "yarn.scheduler.fair.assignmultiple";
    given.per_heartbeat = told(multiple, "false") == "true" ? 0 : 1;
    mark("containers.per_heartbeat", multiple);
    // The Fair scheduler rounds requests up to this step, not to the smallest container.
    const Count step = whole("yarn.resource-types.memory-mb.increment-allocation",
                             whole("yarn.scheduler.increment-allocation-mb", 1024));
    const Bytes least = cluster.limits.min_memory.value_or(Bytes{});
    cluster.limits.min_memory = std::max(least, Bytes{step << 20});
    cluster.masters.see_vcores = true;
    keys.insert("masters.see_vcores");  // the scheduler's class tells it
  } else if (scheduler.ends_with("CapacityScheduler")) {
    const std::string key = "yarn.scheduler.capacity.per-node-heartbeat.";
    const std::string calculator = "yarn.scheduler.capacity.resource-calculator";
    const bool many = told(key + "multiple-assignments-enabled", "true") == "true";
    given.per_heartbeat = many ? whole(key + "maximum-container-assignments", 100) : 1;
    mark("containers.per_heartbeat",
         key + (many ? "maximum-container-assignments" : "multiple-assignments-enabled"));
    given.off_switch_per_heartbeat = whole(key + "maximum-offswitch-assignments", 1);
    mark("containers.off_switch_per_heartbeat", key + "maximum-offswitch-assignments");
    given.count_vcores = told(calculator, "").ends_with("DominantResourceCalculator");
    mark("containers.count_vcores", calculator);
    cluster.masters.see_vcores = given.count_vcores;
    mark("masters.see_vcores", calculator);
  }
}

}  // namespace

ToldKeys apply_configuration(std::string_view text, const std::string& url, Cluster& cluster) {
  json::Document document;
  Settings settings;
  ToldKeys told;
  json::for_each(parse_answer(document, text, url), "properties", [&](json::Value property) {
    settings[std::string(json::text(property, "key"))] = json::text(property, "value");
  });
  const auto whole = [&](const char* setting, double least, double most,
                         const char* key) -> std::optional<std::int64_t> {
    const auto value = number_in(settings, setting);
    if (!value || *value < least || *value > most) return std::nullopt;
    told.insert(key);
    return std::llround(*value);
  };
  const auto memory = [&](const char* setting, std::optional<Bytes>& target, const char* key) {
    if (const auto megabytes = whole(setting, 1, 1e9, key)) target = Bytes{*megabytes << 20};
  };
  const auto cores = [&](const char* setting, std::optional<Count>& target, const char* key) {
    if (const auto count = whole(setting, 1, 1e6, key)) target = *count;
  };
  memory("yarn.scheduler.minimum-allocation-mb", cluster.limits.min_memory, "limits.min_memory_mb");
  memory("yarn.scheduler.maximum-allocation-mb", cluster.limits.max_memory, "limits.max_memory_mb");
  cores("yarn.scheduler.minimum-allocation-vcores", cluster.limits.min_vcores, "limits.min_vcores");
  cores("yarn.scheduler.maximum-allocation-vcores", cluster.limits.max_vcores, "limits.max_vcores");
  if (const auto period = whole("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", 0, 3'600'000,
                                "mode.heartbeat_ms")) {
    cluster.mode.heartbeat = ms(*period);
  }
  const auto slowstart = number_in(settings, "mapreduce.job.reduce.slowstart.completedmaps");
  if (slowstart && *slowstart >= 0 && *slowstart <= 1) {
    cluster.mode.slowstart = *slowstart;
    told.insert("mode.slowstart");
  }
  if (const auto copies = whole("dfs.replication", 1, 512, "hdfs.replication")) {
    cluster.hdfs.replication = static_cast<int>(*copies);
  }
  if (const auto block = whole("dfs.blocksize", 1 << 20, 1e15, "hdfs.block_mb"))
    cluster.hdfs.block = Bytes{*block};
  if (cluster.mode.kind == ClusterMode::Kind::containers) apply_scheduler(settings, cluster, told);
  return told;
}

std::string mark_untold(const std::string& toml, const ToldKeys& told) {
  std::istringstream lines(toml);
  std::string marked, section;
  for (std::string line; std::getline(lines, line);) {
    const auto equals = line.find(" = ");
    if (line.starts_with('[')) {
      section = line.substr(line.find_first_not_of('['));
      section = section.substr(0, section.find(']'));
    } else if (equals != std::string::npos && !line.starts_with('#') &&
               !told.contains(section + "." + line.substr(0, equals))) {
      line += "  # not told";
    }
    marked += line + "\n";
  }
  return marked;
}

}  // namespace wavewright
