#include "wavewright/realtime/reservation_plan.h"

#include <algorithm>
#include <set>
#include <utility>

namespace wavewright {

namespace {

constexpr Count smoothness = 10;  // Hadoop's default

}  // namespace

std::int64_t ReservationPlan::down(std::int64_t ms) const {
  return ms - ms % to_ms(step_);
}

std::int64_t ReservationPlan::up(std::int64_t ms) const {
  return down(ms + to_ms(step_) - 1);
}

void ReservationPlan::change(Steps& steps, std::int64_t from, std::int64_t to, Count by) {
  if (from >= to) return;
  const auto at = [&](std::int64_t time) {
    const auto behind = steps.upper_bound(time);
    const Count now = behind == steps.begin() ? 0 : std::prev(behind)->second;
    return steps.try_emplace(time, now).first;
  };
  const auto end = at(to);
  for (auto step = at(from); step != end; ++step) step->second += by;
}

ReservationPlan::Span ReservationPlan::over(const Steps& steps, std::int64_t from, std::int64_t to) {
  Span span;
  auto step = steps.upper_bound(from);
  Count now = step == steps.begin() ? 0 : std::prev(step)->second;
  for (std::int64_t at = from; at < to;) {
    const std::int64_t next = step == steps.end() ? to : std::min(to, step->first);
    span.area += now * (next - at);
    span.most = std::max(span.most, now);
    at = next;
    if (step != steps.end()) now = (step++)->second;
  }
  return span;
}

std::optional<std::vector<ReservationPlan::Block>> ReservationPlan::greedy(const Steps& reserved, Count slots,
                                                                           const Stage& stage,
                                                                           std::int64_t from,
                                                                           std::int64_t deadline) const {
  if (forgets_) return forgetful(reserved, slots, stage, from, deadline);
  const std::int64_t length = to_ms(stage.length);
  Steps steps = reserved;
  std::vector<Block> blocks;
  for (Count left = stage.tasks; left > 0;) {
    if (length > deadline - from) return std::nullopt;
    const Count fit = std::min(left, slots - over(steps, from, from + length).most);
    if (fit > 0) {
      blocks.push_back({at_ms(from), at_ms(from + length), fit});
      change(steps, from, from + length, fit);
      left -= fit;
    }
    // More fit only once something ends that is in the way.
    const auto next = steps.upper_bound(from);
    if (left > 0 && next == steps.end()) return std::nullopt;
    if (left > 0) from = next->first;
  }
  return blocks;
}

// As Hadoop's StageAllocatorGreedyRLE looks at it: one run of equal steps after another, until nothing fits.
ReservationPlan::Room ReservationPlan::room(const Steps& reserved, Count slots, Count most, std::int64_t from,
                                            std::int64_t length) {
  Room least{most, std::nullopt};
  auto step = reserved.upper_bound(from);
  Count now = step == reserved.begin() ? 0 : std::prev(step)->second;
  for (std::int64_t at = from; least.tasks > 0 && at < from + length;) {
    while (step != reserved.end() && step->second == now) ++step;
    const auto end = step == reserved.end() ? std::nullopt : std::optional(step->first);
    const Count fit = std::max<Count>(0, slots - now);
    if (fit <= least.tasks) least = {fit, end};
    if (!end) break;
    at = *end;
    now = (step++)->second;
  }
  return least;
}

std::optional<std::vector<ReservationPlan::Block>> ReservationPlan::forgetful(const Steps& reserved,
                                                                              Count slots, const Stage& stage,
                                                                              std::int64_t from,
                                                                              std::int64_t deadline) {
  const std::int64_t length = to_ms(stage.length);
  Steps steps = reserved;
  std::vector<Block> blocks;
  Count left = stage.tasks;
  while (left > 0 && from + length <= deadline) {
    const Room there = room(reserved, slots, left, from, length);
    if (there.tasks == 0 && !there.until) return std::nullopt;  // nor later
    if (there.tasks > 0) {
      blocks.push_back({at_ms(from), at_ms(from + length), there.tasks});
      change(steps, from, from + length, there.tasks);
      left -= there.tasks;
    }
    from = std::min(there.until.value_or(from + length), from + length);
  }
  // The plan sees all that was placed.
  const bool fits = std::all_of(blocks.begin(), blocks.end(), [&](const Block& block) {
    return over(steps, to_ms(block.from), to_ms(block.to)).most <= slots;
  });
  return left == 0 && fits ? std::optional(std::move(blocks)) : std::nullopt;
}

std::optional<std::vector<ReservationPlan::Block>> ReservationPlan::aligned(const Steps& reserved,
                                                                            Count slots, const Stage& stage,
                                                                            std::int64_t from,
                                                                            std::int64_t deadline) {
  if (stage.tasks == 0) return std::vector<Block>{};
  const std::int64_t length = to_ms(stage.length);
  Count windows = (deadline - from) / length;
  if (deadline < from || windows == 0) return std::nullopt;
  const Count at_a_time = std::max<Count>(1, std::max<Count>(1, stage.tasks / windows) / smoothness);
  // Behind the last step all windows are empty, and each gets its first tasks before a later one.
  const std::int64_t last_step = reserved.empty() ? from : std::max(from, reserved.rbegin()->first);
  windows = std::min(windows, (last_step - from) / length + 2 + stage.tasks / at_a_time);
  struct Window {
    Count free = 0, mine = 0;
  };
  std::vector<Window> all;
  std::set<std::pair<Count, std::size_t>> by_cost;
  for (Count i = 0; i < windows; ++i) {
    const Span span = over(reserved, from + i * length, from + (i + 1) * length);
    all.push_back({slots - span.most});
    if (all.back().free > 0) by_cost.emplace(span.area, static_cast<std::size_t>(i));
  }
  for (Count left = stage.tasks; left > 0;) {
    if (by_cost.empty()) return std::nullopt;
    const auto [cost, place] = *by_cost.begin();
    by_cost.erase(by_cost.begin());
    Window& window = all[place];
    const Count given = std::min({at_a_time, left, window.free});
    window.free -= given;
    window.mine += given;
    left -= given;
    if (window.free > 0) by_cost.emplace(cost + given * length, place);
  }
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::int64_t begin = from + static_cast<std::int64_t>(i) * length;
    if (all[i].mine > 0) blocks.push_back({at_ms(begin), at_ms(begin + length), all[i].mine});
  }
  return blocks;
}

std::optional<ReservationPlan::Reservation> ReservationPlan::find(ReservationAgent agent, SlotPool slots,
                                                                  Stage maps, Stage reduces, Time from,
                                                                  Time deadline) const {
  if (from > deadline) return std::nullopt;  // not even a job without tasks
  const std::int64_t first = up(std::max<std::int64_t>(0, to_ms(from))),
                     last = down(std::max<std::int64_t>(0, to_ms(deadline)));
  // Slot time as it was asked for. The blocks of the plan are multiples of the step.
  const auto work = [](const Stage& stage) {
    return static_cast<double>(stage.tasks) *
           static_cast<double>(std::max<std::int64_t>(1, to_ms(stage.length)));
  };
  const double map_work = work(maps), reduce_work = work(reduces);
  for (Stage* stage : {&maps, &reduces})
    stage->length = ms(up(std::max<std::int64_t>(1, to_ms(stage->length))));
  const auto end_of = [&](const std::vector<Block>& blocks) {
    std::int64_t end = first;
    for (const Block& block : blocks) end = std::max(end, to_ms(block.to));
    return end;
  };
  if (agent == ReservationAgent::aligned && last > first) {
    // Both stages have their lengths; the rest is shared by slot time, in Hadoop's order of operations.
    const std::int64_t lengths =
        (maps.tasks > 0 ? to_ms(maps.length) : 0) + (reduces.tasks > 0 ? to_ms(reduces.length) : 0);
    const double rest = static_cast<double>(last - first - lengths);
    const std::int64_t maps_end =
        reduces.tasks == 0 ? last
                           : down(static_cast<std::int64_t>(static_cast<double>(first + to_ms(maps.length)) +
                                                            rest * (map_work / (reduce_work + map_work))));
    if (auto of_maps = aligned(maps_, slots.map_slots, maps, first, maps_end)) {
      if (auto of_reduces = aligned(reduces_, slots.reduce_slots, reduces, end_of(*of_maps), last))
        return Reservation{std::move(*of_maps), std::move(*of_reduces)};
    }
  }
  auto of_maps = greedy(maps_, slots.map_slots, maps, first, last);
  if (!of_maps) return std::nullopt;
  auto of_reduces = greedy(reduces_, slots.reduce_slots, reduces, end_of(*of_maps), last);
  if (!of_reduces) return std::nullopt;
  return Reservation{std::move(*of_maps), std::move(*of_reduces)};
}

void ReservationPlan::add(const Reservation& reservation) {
  for (const Block& block : reservation.maps) change(maps_, to_ms(block.from), to_ms(block.to), block.slots);
  for (const Block& block : reservation.reduces)
    change(reduces_, to_ms(block.from), to_ms(block.to), block.slots);
}

void ReservationPlan::remove(const Reservation& reservation, Time now) {
  const auto drop = [&](Steps& steps, const std::vector<Block>& blocks) {
    for (const Block& block : blocks)
      change(steps, std::max(to_ms(block.from), to_ms(now)), to_ms(block.to), -block.slots);
  };
  drop(maps_, reservation.maps);
  drop(reduces_, reservation.reduces);
}

void ReservationPlan::forget_before(Time now) {
  for (Steps* steps : {&maps_, &reduces_}) {
    const auto behind = steps->upper_bound(to_ms(now));
    if (behind != steps->begin()) steps->erase(steps->begin(), std::prev(behind));
    // Steps that change nothing.
    Count before = 0;
    for (auto step = steps->begin(); step != steps->end();) {
      const bool changes = step->second != before;
      before = step->second;
      step = changes ? std::next(step) : steps->erase(step);
    }
  }
}

Count ReservationPlan::reserved(Kind kind, Time at) const {
  const Steps& steps = kind == Kind::map ? maps_ : reduces_;
  const auto behind = steps.upper_bound(to_ms(at));
  return behind == steps.begin() ? 0 : std::prev(behind)->second;
}

}  // namespace wavewright
