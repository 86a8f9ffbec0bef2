// Anonymises a workload so that it can be shared: names become numbered words. Everything that planners and
// simulators use stays: times, sizes, dependencies, and which jobs share a user, queue or node.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "wavewright/job/job.h"

namespace wavewright {

// Maps names to pseudonyms by kind: `user` → (`alice` → `user-1`). The trace's owner keeps it, to anonymise
// several files alike and to find names again.
class Pseudonyms {
 public:
  // The pseudonym of a name of a kind (`job`, `name`, `user`, `queue`, `node`, `class`): the same for the
  // same name, numbered in order of first use. Empty stays empty. O(log names).
  [[nodiscard]] std::string of(const std::string& kind, const std::string& name);

  [[nodiscard]] std::size_t names(const std::string& kind) const;

  // JSON: `{"user":{"alice":"user-1"}}`. Reading throws InputError otherwise and for pseudonyms used twice.
  [[nodiscard]] std::string to_json() const;
  [[nodiscard]] static Pseudonyms from_json(std::string_view text, const std::string& source);

 private:
  std::map<std::string, std::map<std::string, std::string>> words_;
};

// Replaces id, name, user, queue, predecessors, hosts of splits and node classes (except `default`). Drops
// fields that the workload file does not define, as their contents are unknown. O(tasks' splits + edges).
void redact(Job& job, Pseudonyms& pseudonyms);

}  // namespace wavewright
