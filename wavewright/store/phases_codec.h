// Packs a run's durations by phase (profile/run_phases.h) into one short text, so that a profile of many runs
// need not unpack their tasks.
//
// They follow from the tasks. So a text in another format (of a program whose RunPhases has other fields) is
// no error: the phases are computed again from the tasks.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "wavewright/profile/run_phases.h"

namespace wavewright {

// Settings that were read already, by their bytes: equal ones are kept once.
class SettingsPool {
 public:
  // `read` makes those that are new.
  template <class Read>
  const SharedSettings& of(std::string_view bytes, Read read) {
    const auto known = known_.find(bytes);
    if (known != known_.end()) return known->second;
    return known_.emplace(bytes, read()).first->second;
  }

 private:
  std::map<std::string, SharedSettings, std::less<>> known_;
};

// O(durations), about three bytes each.
[[nodiscard]] std::string pack_phases(const RunPhases& phases);

// Nothing if the text is in another format; throws std::runtime_error if it is damaged.
[[nodiscard]] std::optional<RunPhases> unpack_phases(std::string_view text, SettingsPool& pool);
[[nodiscard]] std::optional<RunPhases> unpack_phases(std::string_view text);

}  // namespace wavewright
