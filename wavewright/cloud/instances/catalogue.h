// A catalogue of instance types that can be rented: a TOML file (data/instances/ec2.toml is the one that
// comes along).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/money.h"
#include "wavewright/core/quantity.h"

namespace wavewright {

struct InstanceType {
  std::string name;  // m5.xlarge
  Count vcpus = 1;
  Bytes memory;
  Money per_hour;                 // on demand
  double speed = 1;               // task durations are divided by it
  std::optional<SlotPool> slots;  // of Hadoop 1; absent = as many tasks at once as machine_slots says
  std::string date;               // of its price; empty = the catalogue's
};

struct Catalogue {
  std::string date;
  std::string region;
  std::string explanation;  // where the numbers are from
  std::vector<InstanceType> types;

  // Throws UsageError with the nearest name.
  [[nodiscard]] const InstanceType& find(const std::string& name) const;
};

// Throws InputError with file and line: unknown keys, no date, another currency than USD, no types, two of
// one name, numbers out of range, a type without room for a task.
[[nodiscard]] Catalogue read_catalogue(const std::filesystem::path& path);
[[nodiscard]] Catalogue parse_catalogue(std::string_view text, const std::string& source);

// How a task takes up a machine.
struct TaskSize {
  Bytes memory{1024LL << 20};
  double for_system = 0.2;  // share of a machine's memory that tasks do not get
};

// Tasks at once on one machine: its slots if the catalogue names them; else one a virtual processor, as far
// as memory goes, of either kind, as under YARN with all maps before the first reduce.
[[nodiscard]] SlotPool machine_slots(const InstanceType& type, const TaskSize& task);

}  // namespace wavewright
