// Which queue a job means: YARN and its histories name one with `root.` before its path or without, and the
// Capacity scheduler takes the last part of it, too, if no other queue ends so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wavewright {

[[nodiscard]] inline std::string without_root(const std::string& name) {
  constexpr std::string_view root = "root.";
  return name.starts_with(root) && name.size() > root.size() ? name.substr(root.size()) : name;
}

// The queue that a job means by a name; each queue has its path as `name`. Null if there is none, or several
// end so. O(queues).
template <class Named>
[[nodiscard]] const Named* find_queue(const std::vector<Named>& queues, const std::string& name,
                                      bool by_last_part = true) {
  const std::string path = without_root(name);
  const bool last_part = by_last_part && path == name && path.find('.') == std::string::npos;
  const Named* only = nullptr;
  bool several = false;
  for (const Named& each : queues) {
    if (each.name == path || each.name == name) return &each;
    if (!last_part || !each.name.ends_with('.' + path)) continue;
    several = only != nullptr;
    only = &each;
  }
  return several ? nullptr : only;
}

}  // namespace wavewright
