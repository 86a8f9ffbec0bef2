#include "wavewright/cluster/cluster_file.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>
#include <simdjson.h>

// toml++ 3.3 asserts where a text such as `[[ =` breaks it, and takes the assertion for granted where NDEBUG
// is set. Here it throws instead, everywhere.
#include <stdexcept>
#undef NDEBUG
[[noreturn]] static void refuse_broken_toml() {
  throw std::invalid_argument("a key is missing or odd");
}
#define TOML_ASSERT(condition) ((condition) ? static_cast<void>(0) : refuse_broken_toml())
#include <toml++/toml.h>

#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/nearest.h"

namespace wavewright {

namespace {

constexpr std::size_t largest_file = std::size_t{16} << 20;
constexpr std::int64_t most_nodes = 10'000'000;
constexpr std::int64_t most_slots = 1'000'000;          // of a node
constexpr std::int64_t most_megabytes = 1'000'000'000;  // of a node or block

// One table of the file: takes values out by name, then refuses what nobody asked for.
class Table {
 public:
  Table(const toml::table& table, std::string name, const std::string& source)
      : table_(table), name_(std::move(name)), source_(source) {}

  [[noreturn]] void refuse(const toml::source_region& where, const std::string& what,
                           const std::string& remedy) const {
    throw InputError({source_, static_cast<std::int64_t>(where.begin.line)}, what, remedy);
  }
  [[noreturn]] void refuse(const std::string& what, const std::string& remedy) const {
    refuse(table_.source(), what, remedy);
  }

  [[nodiscard]] const toml::node* find(const char* key) {
    known_.emplace_back(key);
    return table_.get(key);
  }

  void take(const char* key, std::int64_t least, std::int64_t most, std::int64_t& target) {
    const toml::node* const node = find(key);
    if (node == nullptr) return;
    const toml::value<std::int64_t>* const value = node->as_integer();
    if (value == nullptr || value->get() < least || value->get() > most) {
      refuse(node->source(),
             fmt::format("{}.{} is not a whole number from {} to {}", name_, key, least, most),
             "write it without quotes and fraction");
    }
    target = value->get();
  }

  // Finite, from 0, or above 0 where `positive`.
  void take(const char* key, bool positive, double most, double& target) {
    const toml::node* const node = find(key);
    if (node == nullptr) return;
    const std::optional<double> value = node->is_number() ? node->value<double>() : std::nullopt;
    const bool fits =
        value && std::isfinite(*value) && *value <= most && (positive ? *value > 0 : *value >= 0);
    if (!fits) {
      refuse(node->source(),
             fmt::format("{}.{} is not a number {} 0 to {}", name_, key, positive ? "above" : "from", most),
             "write a decimal number without quotes");
    }
    target = *value;
  }

  void take(const char* key, std::string& target) {
    const toml::node* const node = find(key);
    if (node == nullptr) return;
    const toml::value<std::string>* const value = node->as_string();
    if (value == nullptr || value->get().empty()) {
      refuse(node->source(), fmt::format("{}.{} is not a text", name_, key), "put it in quotes");
    }
    target = value->get();
  }

  void take(const char* key, bool& target) {
    const toml::node* const node = find(key);
    if (node == nullptr) return;
    const toml::value<bool>* const value = node->as_boolean();
    if (value == nullptr) {
      refuse(node->source(), fmt::format("{}.{} is neither true nor false", name_, key),
             "write it without quotes");
    }
    target = value->get();
  }

  void refuse_unknown() const {
    for (const auto& [key, node] : table_) {
      const std::string word(key.str());
      if (std::find(known_.begin(), known_.end(), word) == known_.end()) {
        refuse(key.source(), fmt::format("unknown key '{}' in {}", word, name_), suggestion(word, known_));
      }
    }
  }

 private:
  const toml::table& table_;
  std::string name_;
  const std::string& source_;
  std::vector<std::string> known_;
};

ClusterMode read_mode(const toml::table& toml, const std::string& source) {
  Table table(toml, "mode", source);
  ClusterMode mode;
  std::string kind = "slots";
  table.take("kind", kind);
  const std::vector<std::string> kinds = {"slots", "containers"};
  if (kind != "slots" && kind != "containers") {
    table.refuse(toml.get("kind")->source(), fmt::format("mode.kind '{}' is unknown", kind),
                 suggestion(kind, kinds));
  }
  mode.kind = kind == "slots" ? ClusterMode::Kind::slots : ClusterMode::Kind::containers;
  std::int64_t heartbeat = 0;
  table.take("heartbeat_ms", 0, 3'600'000, heartbeat);
  mode.heartbeat = ms(heartbeat);
  table.take("slowstart", false, 1, mode.slowstart);
  table.take("speculation", mode.speculation);
  table.refuse_unknown();
  return mode;
}

Hdfs read_hdfs(const toml::table& toml, const std::string& source) {
  Table table(toml, "hdfs", source);
  Hdfs hdfs;
  std::int64_t replication = hdfs.replication;
  table.take("replication", 1, 512, replication);
  hdfs.replication = static_cast<int>(replication);
  std::int64_t block_mb = hdfs.block.count >> 20;
  table.take("block_mb", 1, most_megabytes, block_mb);
  hdfs.block = Bytes{block_mb << 20};
  table.refuse_unknown();
  return hdfs;
}

ContainerLimits read_limits(const toml::table& toml, const std::string& source) {
  Table table(toml, "limits", source);
  ContainerLimits limits;
  const auto take = [&](const char* key, std::int64_t most) -> std::optional<std::int64_t> {
    std::int64_t value = 0;
    table.take(key, 1, most, value);
    return value == 0 ? std::nullopt : std::optional(value);
  };
  const auto megabytes = [&](const char* key) -> std::optional<Bytes> {
    const auto value = take(key, most_megabytes);
    return value ? std::optional(Bytes{*value << 20}) : std::nullopt;
  };
  limits.min_memory = megabytes("min_memory_mb");
  limits.max_memory = megabytes("max_memory_mb");
  limits.min_vcores = take("min_vcores", most_slots);
  limits.max_vcores = take("max_vcores", most_slots);
  table.refuse_unknown();
  return limits;
}

// The queues before it are its possible parents.
Queue read_queue(const toml::table& toml, const std::vector<Queue>& before, const std::string& source) {
  Table table(toml, fmt::format("queues[{}]", before.size() + 1), source);
  Queue queue;
  table.take("name", queue.name);
  if (queue.name.empty()) table.refuse("a queue without a name", "give name = \"prod\"");
  constexpr double whole = 100;
  table.take("capacity", false, whole, queue.capacity);
  table.take("maximum", false, whole, queue.maximum);
  table.take("minimum_user_limit", false, whole, queue.minimum_user_limit);
  table.take("user_limit_factor", true, 1e6, queue.user_limit_factor);
  table.refuse_unknown();
  const auto named = [&](const std::string& name) {
    return std::any_of(before.begin(), before.end(), [&](const Queue& each) { return each.name == name; });
  };
  if (named(queue.name)) {
    table.refuse(fmt::format("two queues are named '{}'", queue.name), "give each its path, like prod.etl");
  }
  const std::size_t dot = queue.name.rfind('.');
  if (dot != std::string::npos && !named(queue.name.substr(0, dot))) {
    table.refuse(fmt::format("the queue above '{}' is not there", queue.name),
                 fmt::format("write '{}' before it", queue.name.substr(0, dot)));
  }
  return queue;
}

NodeGroup read_group(const toml::table& toml, std::size_t number, ClusterMode::Kind mode,
                     const std::string& source) {
  Table table(toml, fmt::format("nodes[{}]", number), source);
  NodeGroup group;
  std::int64_t memory_mb = 0;
  constexpr double most = 1e9;
  table.take("count", 1, most_nodes, group.count);
  table.take("class", group.node_class);
  table.take("rack", group.rack);
  table.take("map_slots", 0, most_slots, group.slots.map_slots);
  table.take("reduce_slots", 0, most_slots, group.slots.reduce_slots);
  table.take("memory_mb", 1, most_megabytes, memory_mb);
  table.take("vcores", 1, most_slots, group.vcores);
  table.take("speed", true, most, group.speed);
  table.take("power_idle_w", false, most, group.power_idle_w);
  table.take("power_busy_w", false, most, group.power_busy_w);
  table.take("price_per_hour", false, most, group.price_per_hour);
  table.refuse_unknown();
  group.memory = Bytes{memory_mb << 20};
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

// The line (from 1) that has a character beyond ASCII outside of quotes and comments; 0 = none. There TOML
// has no use for one, and the parser's own tables do not know them all.
std::int64_t line_with_odd_character(std::string_view text) {
  std::int64_t line = 1;
  char quote = '\0';
  bool comment = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      ++line;
      quote = '\0';
      comment = false;
    } else if (comment) {
      continue;
    } else if (quote != '\0') {
      if (c == '\\' && quote == '"') ++i;
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#') {
      comment = true;
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      return line;
    }
  }
  return 0;
}

toml::table parse_toml(std::string_view text, const std::string& source) {
  if (!simdjson::validate_utf8(text.data(), text.size())) {
    throw InputError({source}, "not TOML: not UTF-8", "save it as UTF-8; see docs/cluster-file.md");
  }
  if (const std::int64_t line = line_with_odd_character(text); line > 0) {
    throw InputError({source, line}, "not TOML: a character beyond ASCII outside of quotes",
                     "put names in quotes; see docs/cluster-file.md");
  }
  try {
    return toml::parse(text, source);
  } catch (const toml::parse_error& error) {
    throw InputError({source, static_cast<std::int64_t>(error.source().begin.line)},
                     "not TOML: " + std::string(error.description()), "see docs/cluster-file.md");
  } catch (const std::invalid_argument& error) {
    throw InputError({source}, std::string("not TOML: ") + error.what(), "see docs/cluster-file.md");
  }
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string limits_text(const ContainerLimits& limits) {
  std::string lines;
  const auto line = [&](const char* key, std::int64_t value) {
    lines += fmt::format("{} = {}\n", key, value);
  };
  if (limits.min_memory) line("min_memory_mb", limits.min_memory->count >> 20);
  if (limits.max_memory) line("max_memory_mb", limits.max_memory->count >> 20);
  if (limits.min_vcores) line("min_vcores", *limits.min_vcores);
  if (limits.max_vcores) line("max_vcores", *limits.max_vcores);
  return lines.empty() ? lines : "\n[limits]\n" + lines;
}

}  // namespace

Cluster parse_cluster(std::string_view toml, const std::string& source) {
  const toml::table root = parse_toml(toml, source);
  Table table(root, "the file", source);
  Cluster cluster;
  const auto section = [&](const char* key) -> const toml::table* {
    const toml::node* const node = table.find(key);
    if (node != nullptr && !node->is_table()) {
      table.refuse(node->source(), fmt::format("'{}' is not a table", key), fmt::format("write [{}]", key));
    }
    return node == nullptr ? nullptr : node->as_table();
  };
  const toml::node* const nodes = table.find("nodes");
  const toml::node* const queues = table.find("queues");
  if (const toml::table* limits = section("limits")) cluster.limits = read_limits(*limits, source);
  if (const toml::table* hdfs = section("hdfs")) cluster.hdfs = read_hdfs(*hdfs, source);
  if (const toml::table* mode = section("mode")) cluster.mode = read_mode(*mode, source);
  table.refuse_unknown();
  if (nodes == nullptr) throw InputError({source}, "no nodes", "write at least one [[nodes]]");
  if (!nodes->is_array_of_tables()) {
    table.refuse(nodes->source(), "'nodes' is not a list of tables", "write [[nodes]]");
  }
  if (queues != nullptr && !queues->is_array_of_tables()) {
    table.refuse(queues->source(), "'queues' is not a list of tables", "write [[queues]]");
  }
  if (queues != nullptr) {
    for (const toml::node& each : *queues->as_array()) {
      cluster.queues.push_back(read_queue(*each.as_table(), cluster.queues, source));
    }
  }
  std::int64_t count = 0;
  for (const toml::node& each : *nodes->as_array()) {
    cluster.nodes.push_back(
        read_group(*each.as_table(), cluster.nodes.size() + 1, cluster.mode.kind, source));
    count += cluster.nodes.back().count;
    if (count > most_nodes)
      table.refuse(each.source(), fmt::format("more than {} nodes", most_nodes), "take fewer");
  }
  return cluster;
}

Cluster read_cluster(const std::filesystem::path& path) {
  return parse_cluster(read_file(path, largest_file), path.string());
}

std::string to_toml(const Cluster& cluster) {
  std::string text = fmt::format(
      "[mode]\nkind = \"{}\"\nheartbeat_ms = {}\nslowstart = {}\nspeculation = {}\n\n"
      "[hdfs]\nreplication = {}\nblock_mb = {}\n",
      cluster.mode.kind == ClusterMode::Kind::slots ? "slots" : "containers", to_ms(cluster.mode.heartbeat),
      cluster.mode.slowstart, cluster.mode.speculation, cluster.hdfs.replication,
      cluster.hdfs.block.count >> 20);
  text += limits_text(cluster.limits);
  for (const Queue& queue : cluster.queues) {
    text += fmt::format(
        "\n[[queues]]\nname = {}\ncapacity = {}\nmaximum = {}\nminimum_user_limit = {}\nuser_limit_factor = "
        "{}\n",
        quoted(queue.name), queue.capacity, queue.maximum, queue.minimum_user_limit, queue.user_limit_factor);
  }
  for (const NodeGroup& group : cluster.nodes) {
    text += fmt::format("\n[[nodes]]\ncount = {}\nclass = {}\nrack = {}\nmap_slots = {}\nreduce_slots = {}\n",
                        group.count, quoted(group.node_class), quoted(group.rack), group.slots.map_slots,
                        group.slots.reduce_slots);
    if (group.memory.count > 0) text += fmt::format("memory_mb = {}\n", group.memory.count >> 20);
    if (group.vcores > 0) text += fmt::format("vcores = {}\n", group.vcores);
    text += fmt::format("speed = {}\npower_idle_w = {}\npower_busy_w = {}\nprice_per_hour = {}\n",
                        group.speed, group.power_idle_w, group.power_busy_w, group.price_per_hour);
  }
  return text;
}

}  // namespace wavewright
