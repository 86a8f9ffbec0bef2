// Serves jobs as another policy does, but in the order and within the limits that are told for each: as
// YARN's scheduler with a plan told to the plug-in of its ResourceManager, or with limits that jobs are
// submitted with.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "wavewright/sched/policy.h"

namespace wavewright {

struct ToldJob {
  std::optional<Key> map_rank = std::nullopt, reduce_rank = std::nullopt;  // in its group; lowest first
  std::optional<Count> maps = std::nullopt, reduces = std::nullopt;        // tasks at once; absent = no limit
  // Node classes on which none of its maps, and none of its reduces, may start, as where YARN keeps it to the
  // nodes of a label.
  std::set<std::string, std::less<>> no_maps = {}, no_reduces = {};
};

// `told` by id; other jobs are as `policy` has them. A policy that ranks jobs itself overrides the ranks.
[[nodiscard]] std::unique_ptr<Allocator> make_told_jobs(std::unique_ptr<Allocator> policy,
                                                        std::map<std::string, ToldJob> told);

}  // namespace wavewright
