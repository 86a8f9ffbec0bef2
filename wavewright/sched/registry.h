// The registry of policies that a string can name.
//
// Each policy's header declares its entry (`PolicyEntry fair_entry();`): name, parameters and a factory. An
// application collects the entries in a registry. A shared object that exports the two functions below adds
// its own (docs/develop/add-a-policy.md).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "wavewright/cluster/assignment_delays.h"
#include "wavewright/cluster/cluster.h"
#include "wavewright/cluster/container_room.h"
#include "wavewright/core/parameters.h"
#include "wavewright/core/version.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

// Facts of the cluster for a policy's factory.
struct PolicyContext {
  std::vector<Queue> queues{};
  bool containers = false;  // jobs have application masters
  bool places = false;      // blocks of maps have places, and nodes offer their room at heartbeats
  bool heartbeats = true;   // nodes offer their room at heartbeats; else at every event
  bool placer = false;      // for an allocator's factories: a placer follows after `+`
  std::string allocator{};  // for a placer's factory: the name before the `+`
  AssignmentDelays delays{};
  ContainerRoom room{};   // with containers
  double off_rack = 1.3;  // duration of a map far from its block by that of one on its node
};

// One policy: an allocator or a placer. A factory reads its parameters and returns a new policy; several
// threads may call it at once.
struct PolicyEntry {
  std::string name;         // letters, digits, `-` and `_`
  std::string description;  // one line for `--help`
  std::vector<Parameter> parameters{};
  std::function<std::unique_ptr<Allocator>(Parameters&, const PolicyContext&)> allocator{};
  std::function<std::unique_ptr<Placer>(Parameters&, const PolicyContext&)> placer{};
  // Instead of `allocator`: an allocator with a placer of its own that shares its state. Without a placer,
  // any slot does, or the one that the user names.
  std::function<Policy(Parameters&, const PolicyContext&)> both{};
  // An allocator's own rule of locality, if no placer is named; may return null. It reads its parameters
  // after `allocator`. The placer has the allocator's name.
  std::function<std::unique_ptr<Placer>(Parameters&, const PolicyContext&)> own_placer{};

  [[nodiscard]] std::string usage() const;  // `fair(within=fair|fifo, …)`; a placer's begins with `+`
};

class PolicyRegistry {
 public:
  PolicyRegistry() = default;
  explicit PolicyRegistry(std::vector<PolicyEntry> entries);

  // Throws UsageError for a taken name, one that a policy string cannot hold, or not exactly one factory.
  void add(PolicyEntry entry);
  [[nodiscard]] const std::vector<PolicyEntry>& entries() const { return entries_; }

  // Throw UsageError for an unknown name (with the nearest one) or a policy of the other kind.
  [[nodiscard]] const PolicyEntry& allocator(const std::string& name) const;
  [[nodiscard]] const PolicyEntry& placer(const std::string& name) const;

 private:
  [[nodiscard]] const PolicyEntry& find(const std::string& name, bool placer) const;

  std::vector<PolicyEntry> entries_;
};

}  // namespace wavewright

// A shared object and the command share classes, so both must come from the same Wavewright and compiler.
#define WAVEWRIGHT_TEXT_(x) #x
#define WAVEWRIGHT_TEXT(x) WAVEWRIGHT_TEXT_(x)
#ifdef __clang__
#define WAVEWRIGHT_COMPILER "clang " WAVEWRIGHT_TEXT(__clang_major__)
#else
#define WAVEWRIGHT_COMPILER "gcc " WAVEWRIGHT_TEXT(__GNUC__)
#endif
#define WAVEWRIGHT_ABI "Wavewright " WAVEWRIGHT_VERSION ", " WAVEWRIGHT_COMPILER

// A shared object with policies exports both: it defines the first, and the macro defines the second.
extern "C" {
[[gnu::visibility("default")]] void wavewright_register(wavewright::PolicyRegistry& registry);
[[gnu::visibility("default")]] const char* wavewright_abi();
}
#define WAVEWRIGHT_POLICY_LIBRARY           \
  extern "C" const char* wavewright_abi() { \
    return WAVEWRIGHT_ABI;                  \
  }
