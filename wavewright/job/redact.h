// A workload that tells nothing of who runs what: names replaced by numbered words, so that a trace can be
// shared. What planners and simulators see (times, sizes, dependencies, who shares a user, queue or node)
// stays the same.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "wavewright/job/job.h"

namespace wavewright {

// Which word stands for which name, kind by kind: `user` → (`alice` → `user-1`). Kept by the trace's owner,
// it makes several files agree and leads back.
class Pseudonyms {
 public:
  // The word for a name of a kind (`job`, `name`, `user`, `queue`, `node`, `class`): the same for the same
  // name, numbered in order of first use. Empty stays empty. O(log names).
  [[nodiscard]] std::string of(const std::string& kind, const std::string& name);

  [[nodiscard]] std::size_t names(const std::string& kind) const;

  // JSON: `{"user":{"alice":"user-1"}}`. Reading throws InputError (naming `source`) on anything else, and on
  // two names for one word.
  [[nodiscard]] std::string to_json() const;
  [[nodiscard]] static Pseudonyms from_json(std::string_view text, const std::string& source);

 private:
  std::map<std::string, std::map<std::string, std::string>> words_;
};

// Replaces id, name, user, queue, predecessors, hosts of splits and node classes (but `default`), and drops
// fields that are not the workload file's own, for nobody knows what they tell. Times and sizes stay.
// O(tasks' splits + edges).
void redact(Job& job, Pseudonyms& pseudonyms);

}  // namespace wavewright
