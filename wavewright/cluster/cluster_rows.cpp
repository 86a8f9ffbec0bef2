#include "wavewright/cluster/cluster_rows.h"

#include <algorithm>

#include <fmt/format.h>

namespace wavewright {

namespace {

// A value from an instant on.
struct Step {
  Time from{};
  double value = 0;
};

// `[[0, 0.1], [3600000, 0.35]]`: from ms, a value. The rest is for errors: `spot`, `spot price`.
std::vector<Step> read_steps(const TomlTable& table, const toml::node& node, const std::string& place,
                             const std::string& key, const std::string& noun, const std::string& unit,
                             const std::string& example) {
  const auto refuse = [&](const std::string& what) {
    table.refuse(node.source(), place + what,
                 fmt::format("write {} = {}: from ms, {}, in order of time", key, example, unit));
  };
  std::vector<Step> steps;
  if (!node.is_array()) refuse(key + " is no list");
  for (const toml::node& each : *node.as_array()) {
    const toml::array* const pair = each.as_array();
    if (pair == nullptr || pair->size() != 2) refuse("a " + noun + " is no pair");
    const auto from = (*pair)[0].value_exact<std::int64_t>();
    const auto value = (*pair)[1].value<double>();
    constexpr std::int64_t latest = std::int64_t{1} << 48;
    if (!from || *from < 0 || *from > latest) refuse("a " + noun + " from no time");
    if (!value || !(*value >= 0 && *value <= 1e9)) refuse("a " + noun + " that is none");
    if (!steps.empty() && at_ms(*from) <= steps.back().from) refuse("a " + noun + " out of order");
    steps.push_back({at_ms(*from), *value});
  }
  return steps;
}

std::vector<SpotPrice> read_spot(const TomlTable& table, const toml::node& node, std::size_t number) {
  std::vector<SpotPrice> spot;
  for (const Step& step : read_steps(table, node, fmt::format("nodes[{}]: ", number), "spot", "spot price",
                                     "USD an hour", "[[0, 0.1], [3600000, 0.35]]"))
    spot.push_back({step.from, step.value});
  return spot;
}

void read_stay(TomlTable& table, std::size_t number, NodeGroup& group) {
  constexpr std::int64_t latest = std::int64_t{1} << 48;
  constexpr double most = 1e9;
  std::int64_t join = 0, leave = -1;
  table.take("join_ms", 0, latest, join);
  table.take("leave_ms", 0, latest, leave);
  group.join = at_ms(join);
  if (leave != -1) group.leave = at_ms(leave);
  if (group.leave && *group.leave <= group.join)
    table.refuse(fmt::format("nodes[{}] leaves before it joins", number), "give leave_ms above join_ms");
  if (const toml::node* const spot = table.find("spot")) group.spot = read_spot(table, *spot, number);
  double bid = -1;
  table.take("bid", false, most, bid);
  if (bid >= 0) group.bid = bid;
  if (group.bid && group.spot.empty())
    table.refuse(fmt::format("nodes[{}] bids for machines without a spot price", number), "give spot prices");
}

// Keys of BillingTerms. They need `rent`, and some of them a billing.
void read_terms(TomlTable& table, std::size_t number, NodeGroup& group) {
  const auto refuse = [&](const char* key, const std::string& what, const std::string& remedy) {
    const toml::node* const node = table.find(key);
    if (node != nullptr)
      table.refuse(node->source(), fmt::format("nodes[{}]: {} {}", number, key, what), remedy);
  };
  if (!group.rent) {
    for (const char* const key : {"least_billed_ms", "boot_billed", "interrupted_hour"})
      refuse(key, "for machines that no policy rents", "leave it out, or give rent = true");
  }
  if (group.billing == Billing::per_second) {
    refuse("interrupted_hour", "where seconds are billed", "leave it out, or give billing = \"hour\"");
  }
  std::int64_t least = 0;
  table.take("least_billed_ms", 0, longest_wait_ms, least);
  group.terms.least = ms(least);
  table.take("boot_billed", group.terms.boot);
  group.terms.interrupted_hour = table.choose("interrupted_hour", {"free", "charged"}) == 1;
}

// Keys of machines that a policy may rent.
void read_rent(TomlTable& table, std::size_t number, NodeGroup& group) {
  table.take("rent", group.rent);
  std::int64_t boot = 0;
  table.take("boot_ms", 0, longest_wait_ms, boot);
  group.boot = ms(boot);
  if (boot > 0 && !group.rent) {
    table.refuse(fmt::format("nodes[{}]: boot_ms for machines that no policy rents", number),
                 "leave it out, or give rent = true");
  }
  group.billing =
      table.choose("billing", {"second", "hour"}) == 0 ? Billing::per_second : Billing::per_started_hour;
  read_terms(table, number, group);
  std::int64_t notice = 0;
  table.take("notice_ms", 0, longest_wait_ms, notice);
  group.notice = ms(notice);
  if (notice > 0 && (!group.rent || group.spot.empty())) {
    table.refuse(fmt::format("nodes[{}]: notice_ms for machines that no market takes away", number),
                 "leave it out, or give rent = true and spot prices");
  }
  if (group.rent && (group.bid || group.leave || group.join > Time{})) {
    table.refuse(fmt::format("nodes[{}] are rented, and stay by themselves too", number),
                 "leave out join_ms, leave_ms and bid: the policy that rents decides them");
  }
}

// As YARN's Capacity scheduler allows: percentages may be rounded.
constexpr double capacity_slack = 0.05;

std::string parent_of(const Queue& queue) {
  const std::size_t dot = queue.name.rfind('.');
  return dot == std::string::npos ? std::string() : queue.name.substr(0, dot);
}

}  // namespace

Queue read_queue(const toml::table& toml, const std::vector<Queue>& before, ClusterMode::Kind mode,
                 const std::string& source) {
  TomlTable table(toml, fmt::format("queues[{}]", before.size() + 1), source);
  Queue queue;
  table.take("name", queue.name);
  if (queue.name.empty()) table.refuse("a queue without a name", "give name = \"prod\"");
  constexpr double whole = 100;
  table.take("weight", true, 1e6, queue.weight);
  table.take("min_map_slots", 0, most_slots * most_nodes, queue.minimum.map_slots);
  table.take("min_reduce_slots", 0, most_slots * most_nodes, queue.minimum.reduce_slots);
  const bool containers = mode == ClusterMode::Kind::containers;
  if (containers && queue.minimum.map_slots + queue.minimum.reduce_slots > 0) {
    table.refuse(fmt::format("queue '{}' has a minimum of slots, and containers have none", queue.name),
                 "give min_memory_mb instead");
  }
  if (containers) table.take("min_memory_mb", 0, most_megabytes * most_nodes, queue.minimum.map_slots);
  table.take("capacity", false, whole, queue.capacity);
  table.take("maximum", false, whole, queue.maximum);
  table.take("minimum_user_limit", false, whole, queue.minimum_user_limit);
  table.take("user_limit_factor", true, 1e6, queue.user_limit_factor);
  table.take("maximum_masters", false, 100, queue.maximum_masters);
  table.refuse_unknown();
  if (queue.capacity > queue.maximum) {
    table.refuse(fmt::format("queue '{}' has a capacity of {} % and a maximum of {} %", queue.name,
                             queue.capacity, queue.maximum),
                 "give a maximum of at least the capacity");
  }
  const auto named = [&](const std::string& name) {
    return std::any_of(before.begin(), before.end(), [&](const Queue& each) { return each.name == name; });
  };
  if (named(queue.name)) {
    table.refuse(fmt::format("two queues are named '{}'", queue.name), "give each its path, like prod.etl");
  }
  const std::string parent = parent_of(queue);
  if (!parent.empty() && !named(parent)) {
    table.refuse(fmt::format("the queue above '{}' is not there", queue.name),
                 fmt::format("write '{}' before it", parent));
  }
  double siblings = queue.capacity;
  for (const Queue& each : before) siblings += parent_of(each) == parent ? each.capacity : 0;
  if (siblings > whole + capacity_slack) {
    table.refuse(
        fmt::format("queue '{}' and its siblings have capacities of {:.4g} % together", queue.name, siblings),
        "let those of one parent's queues be 100 % together");
  }
  return queue;
}

namespace {

constexpr double most_watts = 1e9;

std::vector<double> read_curve(TomlTable& table, const std::string& name) {
  std::vector<double> curve;
  const toml::node* const node = table.find("power_curve_w");
  if (node == nullptr) return curve;
  const auto refuse = [&] {
    table.refuse(node->source(), fmt::format("classes.{}: power_curve_w is no list of powers", name),
                 "write power_curve_w = [110, 125.5]: watts with 1, 2, … running tasks");
  };
  if (!node->is_array() || node->as_array()->empty()) refuse();
  for (const toml::node& each : *node->as_array()) {
    const auto watts = each.value<double>();
    if (!watts || !(*watts >= 0 && *watts <= most_watts)) refuse();
    curve.push_back(*watts);
  }
  return curve;
}

std::optional<double> read_watts(TomlTable& table, const char* key) {
  double watts = -1;
  table.take(key, false, most_watts, watts);
  return watts < 0 ? std::nullopt : std::optional(watts);
}

// YARN's rule for a node label. Dots are let through, as where jobs are submitted.
std::string read_label(TomlTable& table, const std::string& name) {
  std::string label;
  const toml::node* const node = table.find("label");
  if (node == nullptr) return label;
  const auto refuse = [&](const char* what) {
    table.refuse(node->source(), fmt::format("classes.{}.label {}", name, what),
                 "give letters, digits, '-', '_' and '.', a letter or digit first, or leave it out");
  };
  if (node->is_string() && node->as_string()->get().empty()) refuse("is empty");
  table.take("label", label);
  constexpr std::string_view first = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  constexpr std::size_t longest = 255;
  const auto known = [&](char c) {
    return first.find(c) != std::string_view::npos || c == '-' || c == '_' || c == '.';
  };
  if (first.find(label.front()) == std::string_view::npos || !std::all_of(label.begin(), label.end(), known))
    refuse("is no node label that YARN takes");
  if (label.size() > longest) refuse("is longer than the 255 characters that YARN takes");
  return label;
}

// Refuses powers that contradict each other, or have no idle power to stand on.
void check_powers(const TomlTable& table, const std::string& name, const NodeClass& of) {
  const auto refuse = [&](const std::string& what, const std::string& remedy) {
    table.refuse(fmt::format("classes.{} {}", name, what), remedy);
  };
  const bool adds = of.map_w || of.reduce_w || of.master_w;
  if (!of.curve_w.empty() && (adds || of.busy_w || of.drawn_by == DrawnBy::node))
    refuse("has a measured curve and other powers", "leave out power_curve_w, or all but power_idle_w");
  if (!of.idle_w && (adds || of.busy_w || !of.curve_w.empty() || of.off_w > 0))
    refuse("has powers, but no power_idle_w",
           "give the class power_idle_w, the power of a node without tasks; a row may have one of its own");
  if (!of.curve_w.empty() && *std::min_element(of.curve_w.begin(), of.curve_w.end()) < *of.idle_w)
    refuse("draws less power busy than idle", "check power_idle_w and power_curve_w");
  if (of.busy_w && *of.busy_w < *of.idle_w)
    refuse("draws less power busy than idle", "check power_idle_w and power_busy_w");
  if (of.off_w > of.idle_w.value_or(0)) refuse("draws more power off than idle", "check power_off_w");
}

}  // namespace

NodeClass read_class(const toml::table& toml, const std::string& name, const std::string& source) {
  TomlTable table(toml, "classes." + name, source);
  NodeClass of;
  of.label = read_label(table, name);
  of.drawn_by = table.choose("drawn_by", {"task", "node"}) == 0 ? DrawnBy::task : DrawnBy::node;
  of.idle_w = read_watts(table, "power_idle_w");
  of.busy_w = read_watts(table, "power_busy_w");
  of.map_w = read_watts(table, "power_map_w");
  of.reduce_w = read_watts(table, "power_reduce_w");
  of.master_w = read_watts(table, "power_master_w");
  of.curve_w = read_curve(table, name);
  table.take("power_off_w", false, most_watts, of.off_w);
  table.take("wake_j", false, most_watts, of.wake_j);
  table.refuse_unknown();
  check_powers(table, name, of);
  return of;
}

std::vector<CarbonIntensity> read_carbon(const toml::table& toml, const std::string& source) {
  TomlTable table(toml, "grid", source);
  std::vector<CarbonIntensity> carbon;
  if (const toml::node* const node = table.find("co2_g_per_kwh")) {
    const auto refuse = [&](const char* what) {
      table.refuse(node->source(), fmt::format("grid.co2_g_per_kwh {}", what),
                   "give grams for each kWh, or steps over time: [[0, 300], [3600000, 120]]");
    };
    if (node->is_number()) {
      const double always = node->value<double>().value_or(-1);
      if (!(always >= 0 && always <= 1e9)) refuse("is not a number from 0 to 1000000000");
      carbon.push_back({Time{}, always});
    } else {
      if (!node->is_array()) refuse("is neither a number nor a list");
      if (node->as_array()->empty()) refuse("is an empty list");
      for (const Step& step : read_steps(table, *node, "grid: ", "co2_g_per_kwh", "carbon intensity",
                                         "g per kWh", "[[0, 300], [3600000, 120]]"))
        carbon.push_back({step.from, step.value});
    }
  }
  table.refuse_unknown();
  return carbon;
}

NodeGroup read_group(const toml::table& toml, std::size_t number, ClusterMode::Kind mode,
                     const std::map<std::string, NodeClass>& classes, const std::string& source) {
  TomlTable table(toml, fmt::format("nodes[{}]", number), source);
  NodeGroup group;
  std::int64_t memory_mb = 0;
  constexpr double most = 1e9;
  table.take("count", 1, most_nodes, group.count);
  table.take("hosts", group.hosts);
  if (toml.get("count") == nullptr && !group.hosts.empty())
    group.count = static_cast<Count>(group.hosts.size());
  table.take("class", group.node_class);
  table.take("rack", group.rack);
  table.take("map_slots", 0, most_slots, group.slots.map_slots);
  table.take("reduce_slots", 0, most_slots, group.slots.reduce_slots);
  table.take("memory_mb", 1, most_megabytes, memory_mb);
  table.take("vcores", 1, most_slots, group.vcores);
  constexpr double fastest = 1e6;
  table.take("speed", true, fastest, group.speed);
  if (group.speed < 1 / fastest)
    table.refuse(fmt::format("nodes[{}]: a speed below 0.000001", number), "give 0.000001 to 1000000");
  table.take("task_failure", false, 1, group.task_failure);
  const auto of = classes.find(group.node_class);
  if (of != classes.end()) group.power_idle_w = of->second.idle_w.value_or(0);
  table.take("power_idle_w", false, most, group.power_idle_w);
  group.power_busy_w = group.power_idle_w;
  if (of != classes.end()) group.power_busy_w = of->second.busy_w.value_or(group.power_busy_w);
  table.take("power_busy_w", false, most, group.power_busy_w);
  table.take("price_per_hour", false, most, group.price_per_hour);
  read_stay(table, number, group);
  read_rent(table, number, group);
  table.refuse_unknown();
  group.memory = Bytes{memory_mb << 20};
  if (!group.hosts.empty() && static_cast<Count>(group.hosts.size()) != group.count) {
    table.refuse(
        fmt::format("nodes[{}] names {} hosts for {} machines", number, group.hosts.size(), group.count),
        "leave out count, or name as many");
  }
  if (mode == ClusterMode::Kind::slots && group.slots.map_slots + group.slots.reduce_slots == 0) {
    table.refuse(fmt::format("nodes[{}] has no slots", number),
                 "give map_slots or reduce_slots of at least 1");
  }
  if (mode == ClusterMode::Kind::containers && (memory_mb == 0 || group.vcores == 0)) {
    table.refuse(fmt::format("nodes[{}] has no room for containers", number), "give memory_mb and vcores");
  }
  if (group.power_busy_w < group.power_idle_w) {
    table.refuse(fmt::format("nodes[{}] draws less power busy than idle", number),
                 "check power_idle_w and power_busy_w");
  }
  return group;
}

Outage read_outage(const toml::table& toml, std::size_t number, const std::string& source) {
  TomlTable table(toml, fmt::format("outages[{}]", number), source);
  Outage outage;
  constexpr std::int64_t most = std::int64_t{1} << 48;
  std::int64_t from = 0, to = -1;
  table.take("node", outage.node);
  table.take("from_ms", 0, most, from);
  table.take("to_ms", 0, most, to);
  if (outage.node.empty()) table.refuse("an outage of no node", "give node = \"node1\"");
  if (to != -1 && to <= from)
    table.refuse("an outage that ends before it begins", "give to_ms above from_ms");
  table.refuse_unknown();
  outage.from = at_ms(from);
  if (to != -1) outage.to = at_ms(to);
  return outage;
}

}  // namespace wavewright
