#include "wavewright/plan/analysis/pool_choice.h"

#include <algorithm>

#include "wavewright/plan/analysis/slot_range.h"

namespace wavewright {

PoolChoice::PoolChoice(const Workload& batch, const PoolWish& wish, Duration deadline)
    : batch_(batch), wish_(wish), deadline_(deadline) {
  for (const Job& job : batch.jobs) {
    maps_ += static_cast<Count>(job.maps.size());
    reduces_ += static_cast<Count>(job.reduces.size());
  }
  // A kind without tasks needs no slots.
  if (maps_ == 0 && !wish_.map_slots) wish_.map_slots = 0;
  if (reduces_ == 0 && !wish_.reduce_slots) wish_.reduce_slots = 0;
  if (wish_.map_slots && wish_.reduce_slots) {  // nothing to search for
    least_ = most_ = 0;
    at_most_ = {*wish_.map_slots, *wish_.reduce_slots};
    return;
  }
  if (wish_.like && (wish_.map_slots || wish_.reduce_slots)) wish_.like.reset();
  free_ = !wish_.map_slots && !wish_.reduce_slots && !wish_.like;
  if (free_) {
    least_ = 2;
    most_ = maps_ + reduces_;
    at_most_ = {maps_, reduces_};
    return;
  }
  if (wish_.map_slots) {
    most_ = reduces_;
  } else if (wish_.reduce_slots) {
    most_ = maps_;
  } else {
    least_ = 2;
    most_ = least_;
    while (all(most_).front().map_slots < maps_ || all(most_).front().reduce_slots < reduces_) most_ *= 2;
  }
  at_most_ = all(most_).front();
}

Duration PoolChoice::bound_of(SlotPool pool, Effort effort) const {
  return lower_bound(batch_, pool, Objective::makespan, effort);
}

std::vector<SlotPool> PoolChoice::all(Count count) const {
  if (wish_.map_slots && wish_.reduce_slots) return {at_most_};
  if (wish_.map_slots) return {{*wish_.map_slots, count}};
  if (wish_.reduce_slots) return {{count, *wish_.reduce_slots}};
  if (wish_.like) return {pool_like(*wish_.like, count)};
  std::vector<SlotPool> splits;
  splits.reserve(static_cast<std::size_t>(std::max<Count>(0, count - 1)));
  for (Count maps = 1; maps < count; ++maps) splits.push_back({maps, count - maps});
  return splits;
}

void PoolChoice::extend_border(Count map_slots) {
  if (border_.empty()) border_.push_back(reduces_ + 1);  // for 0 map slots
  while (static_cast<Count>(border_.size()) <= map_slots) {
    const auto maps = static_cast<Count>(border_.size());
    // Mostly the value before, or one less.
    Count allowed = border_.back(), refuted = std::max<Count>(0, allowed - 1);
    for (Count step = 1; refuted > 0 && bound_of({maps, refuted}, Effort::quick) <= deadline_; step *= 2) {
      allowed = refuted;
      refuted = std::max<Count>(0, refuted - step);
    }
    while (allowed - refuted > 1) {
      const Count middle = refuted + (allowed - refuted) / 2;
      (bound_of({maps, middle}, Effort::quick) <= deadline_ ? allowed : refuted) = middle;
    }
    border_.push_back(allowed);
  }
}

std::vector<SlotPool> PoolChoice::pools(Count count) {
  if (!free_) {
    std::vector<SlotPool> one = all(count);
    if (bound_of(one.front(), Effort::thorough) > deadline_) one.clear();
    return one;
  }
  const Count most_maps = std::min(count - 1, maps_);
  extend_border(most_maps);
  const auto border = [&](Count maps) { return border_[static_cast<std::size_t>(maps)]; };
  std::vector<std::pair<double, SlotPool>> left;
  Count least_maps = most_maps;  // least map slots that the bound allows with the pool's reduce slots
  // More reduce slots than reduces do not help.
  for (Count maps = std::max<Count>(1, count - reduces_); maps <= most_maps; ++maps) {
    const SlotPool pool{maps, count - maps};
    if (border(maps) > pool.reduce_slots) continue;
    least_maps = std::min(least_maps, maps);
    while (border(least_maps) > pool.reduce_slots) ++least_maps;
    while (least_maps > 1 && border(least_maps - 1) <= pool.reduce_slots) --least_maps;
    const double spare = std::min(static_cast<double>(maps) / static_cast<double>(least_maps),
                                  static_cast<double>(pool.reduce_slots) / static_cast<double>(border(maps)));
    left.emplace_back(spare, pool);
  }
  std::stable_sort(left.begin(), left.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<SlotPool> pools;
  pools.reserve(left.size());
  for (const auto& [spare, pool] : left) pools.push_back(pool);
  return pools;
}

bool PoolChoice::refuted(Count count) {
  if (count < least_) return true;
  const std::vector<SlotPool> left = pools(count);
  return std::all_of(left.begin(), left.end(),
                     [&](SlotPool pool) { return bound_of(pool, Effort::thorough) > deadline_; });
}

Duration PoolChoice::bound(Count count) {
  std::optional<Duration> least;
  for (const SlotPool pool : all(count)) {
    // The quick bound rules out most splits.
    if (least && bound_of(pool, Effort::quick) >= *least) continue;
    const Duration bound = bound_of(pool, Effort::thorough);
    if (!least || bound < *least) least = bound;
  }
  return least.value_or(Duration{});
}

}  // namespace wavewright
