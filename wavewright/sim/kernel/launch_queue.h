// Launches of containers and JVMs that share processors: of k at once on c processors each goes on at
// min(1, c / k) of its speed [processor sharing]. All of a pool go on alike, so that their order is known
// when they enter: who is over first is found in O(log launches). Work of tasks that keeps processors busy
// shares them in the same way: a launch here is either.
//
// Speeds are rounded down to parts of 2^20 a ms, one at least; a launch is over at the first ms by which its
// work is done.
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

// What a launch's work is counted in, and how much of it a ms does with `running` of them on `processors`.
inline constexpr std::uint64_t launch_unit = std::uint64_t{1} << 20;
[[nodiscard]] inline std::uint64_t launch_speed(Count processors, std::size_t running) {
  const auto all = static_cast<std::uint64_t>(processors) * launch_unit;
  return running <= static_cast<std::size_t>(processors) ? launch_unit
                                                         : std::max<std::uint64_t>(1, all / running);
}
// Of centuries too.
__extension__ using LaunchWork = unsigned __int128;

class LaunchQueue {
 public:
  using Id = std::uint64_t;
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  // `processors`: of each pool, from 1.
  LaunchQueue(Count processors, std::size_t pools) : processors_(processors), pools_(pools) {}

  // It enters the pool at `at`, from now on, with `work` ms to do, above 0. Ids grow.
  Id enter(std::size_t pool, std::uint64_t at, std::uint64_t work, std::uint64_t now);
  void cancel(Id id, std::uint64_t now);
  // What one that is inside has still to do, in parts of `launch_unit`.
  [[nodiscard]] LaunchWork left(Id id, std::uint64_t now);

  // When something enters or is over.
  [[nodiscard]] std::uint64_t next() const;
  // Calls `over` for those that are over at `now`, and lets in those whose time has come.
  void run(std::uint64_t now, const std::function<void(Id)>& over);

 private:
  using Entry = std::tuple<LaunchWork, Id>;  // work of the pool by which it is over
  struct Pool {
    LaunchWork done = 0;   // work that each launch here since the beginning would have done
    std::uint64_t at = 0;  // when that was so
    std::uint64_t due = never;
    std::set<Entry> running;
  };
  struct Where {
    std::size_t pool = 0;
    LaunchWork work = 0;  // to do; once inside, the pool's by which it is over
    std::uint64_t enters = 0;
    bool inside = false;
  };

  void go_on(Pool& pool, std::uint64_t now) const;
  void plan(std::size_t index);
  void let_in(Id id, Where& where, std::uint64_t now);
  void pop(std::uint64_t now, const std::function<void(Id)>& over);

  Count processors_;
  std::vector<Pool> pools_;
  std::set<std::pair<std::uint64_t, std::size_t>> due_;  // pools, by when they have one that is over
  std::set<std::pair<std::uint64_t, Id>> entering_;      // those outside, by when they come in
  std::unordered_map<Id, Where> where_;
  Id last_ = 0;
};

}  // namespace wavewright::sim
