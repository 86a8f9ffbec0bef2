#include "wavewright/cloud/instances/catalogue.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/nearest.h"
#include "wavewright/core/toml_table.h"

namespace wavewright {

namespace {

constexpr std::size_t largest_catalogue = std::size_t{16} << 20;
constexpr std::int64_t most_of_a_machine = 1'000'000;

InstanceType type_of(const toml::table& toml, std::size_t number, const std::string& source) {
  TomlTable table(toml, fmt::format("types[{}]", number), source);
  InstanceType type;
  std::int64_t memory_mib = 0;
  double price = -1;
  constexpr double most_usd = 10'000, most_speed = 1e6;
  table.take("name", type.name);
  table.take("vcpus", 1, most_of_a_machine, type.vcpus);
  table.take("memory_mib", 1, std::int64_t{1} << 30, memory_mib);
  table.take("usd_per_hour", false, most_usd, price);
  table.take("speed", true, most_speed, type.speed);
  table.take("date", type.date);
  std::int64_t maps = -1, reduces = -1;
  table.take("map_slots", 0, most_of_a_machine, maps);
  table.take("reduce_slots", 0, most_of_a_machine, reduces);
  table.refuse_unknown();
  if (type.name.empty())
    table.refuse(fmt::format("types[{}] has no name", number), "give name = \"m5.xlarge\"");
  if (memory_mib == 0) table.refuse(fmt::format("{} has no memory", type.name), "give memory_mib");
  if (price < 0) table.refuse(fmt::format("{} has no price", type.name), "give usd_per_hour");
  if ((maps >= 0) != (reduces >= 0))
    table.refuse(fmt::format("{} has slots of one kind", type.name),
                 "give map_slots and reduce_slots, or none");
  if (maps == 0 && reduces == 0)
    table.refuse(fmt::format("{} has no slots", type.name), "give at least one, or leave both out");
  if (maps >= 0) type.slots = SlotPool{maps, reduces};
  type.memory = Bytes{memory_mib << 20};
  type.per_hour = from_usd(price);
  return type;
}

}  // namespace

const InstanceType& Catalogue::find(const std::string& name) const {
  std::vector<std::string> names;
  for (const InstanceType& type : types) {
    if (type.name == name) return type;
    names.push_back(type.name);
  }
  throw UsageError(fmt::format("the catalogue has no '{}'", name), suggestion(name, names));
}

Catalogue parse_catalogue(std::string_view text, const std::string& source) {
  const toml::table toml = parse_toml(text, source, "docs/use/prices.md");
  TomlTable table(toml, "the catalogue", source);
  Catalogue catalogue;
  std::string currency = "USD";
  table.take("date", catalogue.date);
  table.take("region", catalogue.region);
  table.take("explanation", catalogue.explanation);
  table.take("currency", currency);
  const toml::node* const types = table.find("types");
  table.refuse_unknown();
  if (currency != "USD") table.refuse(fmt::format("prices in {}", currency), "convert them to USD");
  if (catalogue.date.empty())
    table.refuse("the catalogue has no date", "give the day of its prices: date = \"2024-06-30\"");
  if (types == nullptr || !types->is_array_of_tables() || types->as_array()->empty())
    table.refuse("the catalogue has no types", "give at least one [[types]]");
  for (const toml::node& each : *types->as_array()) {
    InstanceType type = type_of(*each.as_table(), catalogue.types.size() + 1, source);
    const bool known = std::any_of(catalogue.types.begin(), catalogue.types.end(),
                                   [&](const InstanceType& before) { return before.name == type.name; });
    if (known) table.refuse(each.source(), fmt::format("two types are named {}", type.name), "leave one out");
    catalogue.types.push_back(std::move(type));
  }
  return catalogue;
}

Catalogue read_catalogue(const std::filesystem::path& path) {
  return parse_catalogue(read_file(path, largest_catalogue), path.string());
}

SlotPool machine_slots(const InstanceType& type, const TaskSize& task) {
  if (type.slots) return *type.slots;
  const double room = static_cast<double>(type.memory.count) * (1 - task.for_system);
  const auto by_memory = static_cast<Count>(std::floor(room / static_cast<double>(task.memory.count)));
  const Count tasks = std::min(type.vcpus, by_memory);
  return {tasks, tasks};
}

}  // namespace wavewright
