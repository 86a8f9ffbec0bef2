// Launches of containers and JVMs that share processors: with k at once on c processors each runs at min(1, c
// / k) of its speed [processor sharing]. All launches of a pool progress alike, so the order of their ends is
// known when they enter; the first to end is found in O(log launches). Work of tasks that keep processors
// busy shares them in the same way: "launch" here means either.
//
// Speeds are rounded down to multiples of 2^-20 per ms, at least one. A launch ends at the first ms by which
// its work is done.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "wavewright/core/quantity.h"

namespace wavewright::sim {

// Units of a launch's work per ms, and the units done per ms if `running` launches share `processors`.
inline constexpr std::uint64_t launch_unit = std::uint64_t{1} << 20;
[[nodiscard]] inline std::uint64_t launch_speed(Count processors, std::size_t running) {
  const auto all = static_cast<std::uint64_t>(processors) * launch_unit;
  return running <= static_cast<std::size_t>(processors) ? launch_unit
                                                         : std::max<std::uint64_t>(1, all / running);
}
// Wide enough for centuries.
__extension__ using LaunchWork = unsigned __int128;

class LaunchQueue {
 public:
  using Id = std::uint64_t;
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  // `processors`: of each pool, at least 1.
  LaunchQueue(Count processors, std::size_t pools) : processors_(processors), pools_(pools) {}

  // A launch with `work` ms to do (above 0) enters the pool at `at`, or now if that is past. Ids grow.
  Id enter(std::size_t pool, std::uint64_t at, std::uint64_t work, std::uint64_t now);
  void cancel(Id id, std::uint64_t now);
  // Remaining work of a launch that has entered, in units of 1 / `launch_unit` ms.
  [[nodiscard]] LaunchWork left(Id id, std::uint64_t now);

  // The next instant at which a launch enters or ends.
  [[nodiscard]] std::uint64_t next() const;
  // Calls `over` for the launches that end at `now`, and lets in those that are due.
  void run(std::uint64_t now, const std::function<void(Id)>& over);

 private:
  using Entry = std::tuple<LaunchWork, Id>;  // `Pool::done` at its end
  struct Pool {
    LaunchWork done = 0;   // work that a launch here since the beginning would have done
    std::uint64_t at = 0;  // instant of `done`
    std::uint64_t due = never;
    std::set<Entry> running;
  };
  struct Where {
    std::size_t pool = 0;
    LaunchWork work = 0;  // to do; once inside, `Pool::done` at its end
    std::uint64_t enters = 0;
    bool inside = false;
  };

  void go_on(Pool& pool, std::uint64_t now) const;
  void plan(std::size_t index);
  void let_in(Id id, Where& where, std::uint64_t now);
  void pop(std::uint64_t now, const std::function<void(Id)>& over);

  Count processors_;
  std::vector<Pool> pools_;
  std::set<std::pair<std::uint64_t, std::size_t>> due_;  // pools, by their next end
  std::set<std::pair<std::uint64_t, Id>> entering_;      // launches outside, by when they enter
  std::unordered_map<Id, Where> where_;
  Id last_ = 0;
};

}  // namespace wavewright::sim
