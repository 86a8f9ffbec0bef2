#include "wavewright/live/yarn/pool_queues.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

constexpr std::int64_t whole = 100'000;  // thousandths of a percent, which is as fine as capacities are made

std::optional<double> percent_in(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value) || value < 0)
    return std::nullopt;
  return value;
}

std::string percent_text(std::int64_t thousandths) {
  std::string text = fmt::format("{}.{:03}", thousandths / 1000, thousandths % 1000);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

// Whole numbers near the parts, which sum to `total`: those that lose most by rounding down are rounded up.
std::vector<std::int64_t> apportioned(const std::vector<double>& parts, std::int64_t total) {
  const double sum = std::accumulate(parts.begin(), parts.end(), 0.0);
  std::vector<std::int64_t> given(parts.size());
  std::vector<std::pair<double, std::size_t>> lost;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double exact = sum > 0 ? parts[i] / sum * static_cast<double>(total) : 0;
    given[i] = static_cast<std::int64_t>(std::floor(exact + 1e-6));
    lost.emplace_back(exact - static_cast<double>(given[i]), i);
  }
  std::stable_sort(lost.begin(), lost.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::int64_t left = total - std::accumulate(given.begin(), given.end(), std::int64_t{0});
  for (std::size_t i = 0; left > 0 && i < lost.size(); ++i, --left) ++given[lost[i].second];
  return given;
}

std::string parent_path(const std::string& given, const SchedulerConf& conf) {
  std::string path = given == "root" || given.starts_with("root.") ? given : "root." + given;
  std::vector<std::string> known = {"root"};
  for (std::size_t i = 0; i < known.size(); ++i) {
    for (const std::string& child : conf.children(known[i])) known.push_back(child);
  }
  if (std::find(known.begin(), known.end(), path) == known.end())
    throw UsageError(fmt::format("the cluster has no queue '{}'", path),
                     "name one that has queues below it, such as root");
  if (conf.children(path).empty())
    throw UsageError(fmt::format("queue '{}' has no queues below it", path),
                     "YARN puts queues beside others only: name a queue that has some, such as root");
  return path;
}

// What the siblings have now, in percent.
std::vector<double> capacities_of(const std::vector<std::string>& siblings, const SchedulerConf& conf) {
  std::vector<double> capacities;
  for (const std::string& path : siblings) {
    const std::string text = conf.of(path, "capacity");
    const std::optional<double> value = text.empty() ? std::optional(0.0) : percent_in(text);
    if (!value)
      throw UsageError(fmt::format("the capacity of queue '{}' is '{}', not in percent", path, text),
                       "pools need a parent whose queues have capacities in percent");
    capacities.push_back(*value);
  }
  const double sum = std::accumulate(capacities.begin(), capacities.end(), 0.0);
  constexpr double all = 100;
  constexpr double tolerance = 0.05;  // as YARN's
  if (std::abs(sum - all) > tolerance)
    throw UsageError(fmt::format("the capacities below '{}' sum to {:g}, not to 100",
                                 siblings.front().substr(0, siblings.front().rfind('.')), sum),
                     "pools need a parent whose queues have all of it");
  return capacities;
}

constexpr const char* masters_key = "maximum-am-resource-percent";  // as a part from 0 to 1

// The part of the cluster that the queue is sure of; absent where a capacity above it is not in percent.
std::optional<double> sure_part(const std::string& path, const SchedulerConf& conf) {
  double part = 1;
  for (std::string each = path; each != "root"; each.erase(each.rfind('.'))) {
    const std::optional<double> percent = percent_in(conf.of(each, "capacity"));
    if (!percent) return std::nullopt;
    part *= *percent / 100;
  }
  return part;
}

// In MiB, of the nodes that jobs get without a label.
double common_memory(const Cluster& cluster) {
  if (cluster.mode.kind != ClusterMode::Kind::containers) return 0;
  std::int64_t bytes = 0;
  for (const NodeGroup& group : cluster.nodes) {
    const auto described = cluster.classes.find(group.node_class);
    const bool has_label = described != cluster.classes.end() && !described->second.label.empty();
    if (!has_label && !group.rent) bytes += group.count * group.memory.count;
  }
  constexpr double mebibyte = 1 << 20;
  return static_cast<double>(bytes) / mebibyte;
}

// YARN multiplies a part by the queue's memory, in single precision, and rounds up to the next step. So a
// part a little too small gives the memory that is meant, and one a little too large gives a step more.
std::string part_text(double part) {
  constexpr double digits = 1e6;
  return fmt::format("{:.6f}", std::max(0.0, std::floor(part * digits) - 1) / digits);
}

// The settings by which the plug-in orders a queue, from the first sibling that has them.
std::vector<std::pair<std::string, std::string>> ordering_of(const std::vector<std::string>& siblings,
                                                             const SchedulerConf& conf) {
  for (const std::string& path : siblings) {
    if (conf.of(path, "ordering-policy").starts_with("wavewright.yarn."))
      return conf.keys_of(path, "ordering-policy");
  }
  throw UsageError(
      fmt::format("no queue beside the pools is ordered by the plug-in: {} is not", siblings.front()),
      "install it there (plugins/yarn/README.md), or leave out --targets");
}

}  // namespace

PoolQueues pool_queues(const Plan& plan, const PoolQueuesRequest& request, const SchedulerConf& conf) {
  PoolQueues made;
  made.parent = parent_path(request.parent, conf);
  const std::vector<std::string> siblings = conf.children(made.parent);
  const auto for_pools = static_cast<std::int64_t>(std::llround(request.share / 100 * whole));
  std::vector<double> slots;
  slots.reserve(plan.pools.size());
  for (const PlanPool& pool : plan.pools)
    slots.push_back(static_cast<double>(pool.slots.map_slots + pool.slots.reduce_slots));
  if (std::accumulate(slots.begin(), slots.end(), 0.0) <= 0) slots.assign(slots.size(), 1);
  const std::vector<std::int64_t> shares = apportioned(slots, for_pools);
  const std::string unique = request.tag.substr(request.tag.rfind('-') + 1).substr(0, 8);
  for (std::size_t i = 0; i < plan.pools.size(); ++i) {
    PoolQueue queue{
        fmt::format("wavewright-{}-{}", unique, i + 1), percent_text(shares[i]), {}, plan.pools[i].jobs};
    if (shares[i] == 0)
      throw UsageError(fmt::format("pool {} has no part of the slots", i + 1),
                       "give its queue a capacity by another plan, or a larger --pools-share");
    if (std::find(siblings.begin(), siblings.end(), made.path(queue)) != siblings.end())
      throw UsageError(fmt::format("there is a queue '{}' already", made.path(queue)),
                       "name the batch otherwise with --run");
    if (request.plugin) queue.settings = ordering_of(siblings, conf);
    made.queues.push_back(std::move(queue));
  }
  constexpr double hadoop_default = 10;
  const std::optional<double> masters = percent_in(conf.general("maximum-am-resource-percent"));
  made.masters = masters ? 100 * *masters : hadoop_default;
  return with_siblings_of(std::move(made), conf);
}

Count memory_step(const Cluster& cluster) {
  return std::max<Count>(1, cluster.limits.min_memory.value_or(Bytes{}).count >> 20);
}

namespace {

// Memory in MiB that the masters of a queue of so much memory should have.
double masters_beside_slots(const PoolMasters& needed, double memory) {
  const auto at_once = static_cast<double>(needed.at_once);
  if (needed.slots == 0) return at_once;
  const double room = memory - static_cast<double>(needed.slots);
  return std::min(at_once, std::max(room, 2 * static_cast<double>(needed.master)));
}

}  // namespace

PoolQueues with_masters(PoolQueues pools, const std::vector<PoolMasters>& needed, const Cluster& cluster,
                        const SchedulerConf& conf) {
  constexpr double tolerance = 1e-9;
  const double parent = sure_part(pools.parent, conf).value_or(0) * common_memory(cluster);
  const double of_parent = percent_in(conf.of(pools.parent, masters_key)).value_or(0);
  const Count step = memory_step(cluster);
  for (std::size_t i = 0; i < pools.queues.size(); ++i) {
    PoolQueue& queue = pools.queues[i];
    if (const auto stated = percent_in(conf.of(pools.path(queue), masters_key))) {
      queue.masters = 100 * *stated;
      continue;
    }
    const double memory = std::floor(parent * percent_in(queue.capacity).value_or(0) / 100 + tolerance);
    const Count beside_task = (static_cast<Count>(memory) - needed[i].task) / step * step;
    if (needed[i].at_once == 0 || beside_task <= 0) continue;
    const double before = memory * pools.masters / 100;
    const double wanted =
        std::max({masters_beside_slots(needed[i], memory), before, memory * std::min(of_parent, 1.0)});
    const double given = std::min(wanted, static_cast<double>(beside_task));
    // A part that is not written is not rounded with care: a MiB must be to spare.
    if (given == before && before + 1 <= static_cast<double>(beside_task)) continue;
    queue.settings.emplace_back(masters_key, part_text(given / memory));
    // A simulation rounds down to a MiB.
    queue.masters = 100 * given / memory * (1 + tolerance);
  }
  return pools;
}

PoolQueues with_siblings_of(PoolQueues pools, const SchedulerConf& conf) {
  const std::vector<std::string> siblings = conf.children(pools.parent);
  if (siblings.empty())
    throw UsageError(fmt::format("queue '{}' has no queues below it", pools.parent),
                     "name one that has some, such as root");
  const std::vector<double> before = capacities_of(siblings, conf);
  std::int64_t left = whole;
  for (const PoolQueue& queue : pools.queues)
    left -= std::llround(percent_in(queue.capacity).value_or(0) * whole / 100);
  const std::vector<std::int64_t> meanwhile = apportioned(before, left);
  pools.siblings.clear();
  for (std::size_t i = 0; i < siblings.size(); ++i) {
    if (before[i] > 0)
      pools.siblings.push_back({siblings[i], conf.of(siblings[i], "capacity"), percent_text(meanwhile[i])});
  }
  return pools;
}

SchedulerChange adding(const PoolQueues& pools) {
  SchedulerChange change;
  for (const PoolQueue& queue : pools.queues) {
    SchedulerChange::Settings settings = {{"capacity", queue.capacity}, {"maximum-capacity", queue.capacity}};
    settings.insert(settings.end(), queue.settings.begin(), queue.settings.end());
    change.add(pools.path(queue), settings);
  }
  for (const SiblingQueue& sibling : pools.siblings)
    change.update(sibling.path, {{"capacity", sibling.meanwhile}});
  return change;
}

SchedulerChange stopping(const PoolQueues& pools) {
  SchedulerChange change;
  for (const PoolQueue& queue : pools.queues) change.update(pools.path(queue), {{"state", "STOPPED"}});
  return change;
}

SchedulerChange removing(const PoolQueues& pools) {
  SchedulerChange change;
  for (const PoolQueue& queue : pools.queues) change.remove(pools.path(queue));
  for (const SiblingQueue& sibling : pools.siblings)
    change.update(sibling.path, {{"capacity", sibling.before}});
  return change;
}

std::size_t present(const PoolQueues& pools, const SchedulerConf& conf) {
  const std::vector<std::string> there = conf.children(pools.parent);
  return static_cast<std::size_t>(
      std::count_if(pools.queues.begin(), pools.queues.end(), [&](const PoolQueue& queue) {
        return std::find(there.begin(), there.end(), pools.path(queue)) != there.end();
      }));
}

std::string changed_siblings(const PoolQueues& pools, const SchedulerConf& conf) {
  const std::vector<std::string> there = conf.children(pools.parent);
  for (const SiblingQueue& sibling : pools.siblings) {
    if (std::find(there.begin(), there.end(), sibling.path) == there.end())
      return fmt::format("queue {} was removed meanwhile", sibling.path);
    const std::string now = conf.of(sibling.path, "capacity");
    if (percent_in(now) != percent_in(sibling.meanwhile))
      return fmt::format("the capacity of queue {} was set to {} meanwhile", sibling.path, now);
  }
  for (const std::string& path : there) {
    const bool known = std::any_of(pools.queues.begin(), pools.queues.end(),
                                   [&](const PoolQueue& queue) { return pools.path(queue) == path; }) ||
                       std::any_of(pools.siblings.begin(), pools.siblings.end(),
                                   [&](const SiblingQueue& sibling) { return sibling.path == path; });
    const std::string capacity = conf.of(path, "capacity");
    if (!known && percent_in(capacity).value_or(capacity.empty() ? 0 : 1) > 0)
      return fmt::format("queue {} was added with a capacity of {} meanwhile", path, capacity);
  }
  return {};
}

Cluster with_pool_queues(Cluster cluster, const PoolQueues& pools) {
  const auto below_root = [](const std::string& path) { return path.substr(path.find('.') + 1); };
  if (cluster.queues.empty()) cluster.queues.push_back({.name = "default", .capacity = 100});
  for (Queue& queue : cluster.queues) {
    const auto sibling =
        std::find_if(pools.siblings.begin(), pools.siblings.end(),
                     [&](const SiblingQueue& each) { return below_root(each.path) == queue.name; });
    if (sibling != pools.siblings.end()) queue.capacity = percent_in(sibling->meanwhile).value_or(0);
  }
  for (const PoolQueue& pool : pools.queues) {
    const double capacity = percent_in(pool.capacity).value_or(0);
    const double masters = std::clamp(pool.masters.value_or(pools.masters), 0.0, 100.0);
    cluster.queues.push_back({.name = below_root(pools.path(pool)),
                              .capacity = capacity,
                              .maximum = capacity,
                              .maximum_masters = masters});
  }
  return cluster;
}

}  // namespace wavewright
