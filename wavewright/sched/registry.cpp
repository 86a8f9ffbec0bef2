#include "wavewright/sched/registry.h"

#include <algorithm>
#include <utility>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"

namespace wavewright {

namespace {

bool can_be_written(const std::string& name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto plain = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_'; };
  return !name.empty() && letter(name.front()) && std::all_of(name.begin(), name.end(), plain);
}

}  // namespace

std::string PolicyEntry::usage() const {
  std::string text = placer ? "+" : "";
  return text += usage_of(name, parameters);
}

PolicyRegistry::PolicyRegistry(std::vector<PolicyEntry> entries) {
  for (PolicyEntry& entry : entries) add(std::move(entry));
}

void PolicyRegistry::add(PolicyEntry entry) {
  if (!can_be_written(entry.name)) {
    throw UsageError("'" + shortened(entry.name) + "' is no name for a policy",
                     "give it letters, digits, - and _, a letter first");
  }
  const bool taken = std::any_of(entries_.begin(), entries_.end(),
                                 [&](const PolicyEntry& each) { return each.name == entry.name; });
  if (taken) throw UsageError("there is a policy '" + entry.name + "' already", "give it another name");
  const int factories = int{static_cast<bool>(entry.allocator)} + int{static_cast<bool>(entry.placer)} +
                        int{static_cast<bool>(entry.both)};
  if (factories != 1) {
    throw UsageError("policy '" + entry.name + "' has " + (factories > 0 ? "two factories" : "no factory"),
                     "give its entry a factory of an allocator or of a placer");
  }
  entries_.push_back(std::move(entry));
}

const PolicyEntry& PolicyRegistry::allocator(const std::string& name) const {
  return find(name, false);
}

const PolicyEntry& PolicyRegistry::placer(const std::string& name) const {
  return find(name, true);
}

const PolicyEntry& PolicyRegistry::find(const std::string& name, bool placer) const {
  std::vector<std::string> names;
  for (const PolicyEntry& entry : entries_) {
    const bool fits = static_cast<bool>(entry.placer) == placer;
    if (fits) names.push_back(entry.name);
    if (entry.name != name) continue;
    if (fits) return entry;
    throw UsageError(
        "'" + name +
            (placer ? "' orders jobs, it does not place tasks" : "' places tasks, it does not order jobs"),
        "write ALLOCATOR+PLACER, like fair+delay(3s)");
  }
  throw UsageError(std::string("unknown ") + (placer ? "placer" : "policy") + " '" + shortened(name) + "'",
                   suggestion(name, names));
}

}  // namespace wavewright
