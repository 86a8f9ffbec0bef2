#include "wavewright/plan/schedule/order_move.h"

#include <algorithm>

#include "wavewright/plan/schedule/stage_tasks.h"

namespace wavewright {

void move_job(const OrderMove& move, std::span<JobIndex> order) {
  const auto at = [&](std::size_t position) { return order.begin() + static_cast<std::ptrdiff_t>(position); };
  if (move.swaps) {
    std::iter_swap(at(move.from), at(move.to));
  } else if (move.from < move.to) {
    std::rotate(at(move.from), at(move.from + 1), at(move.to + 1));
  } else {
    std::rotate(at(move.to), at(move.from), at(move.from + 1));
  }
}

std::int64_t differs_from(const OrderMove& move, std::span<const JobIndex> order, const ServingTimes& times) {
  std::int64_t first = no_time;
  const auto change = [&](JobIndex before, JobIndex behind) {
    const std::int64_t from = std::max(times.first[before], times.ready[behind]);
    if (from <= std::min(times.last[before], times.last[behind])) first = std::min(first, from);
  };
  const auto [low, high] = std::minmax({move.from, move.to});
  const bool down = move.swaps || move.from < move.to, up = move.swaps || move.from > move.to;
  for (std::size_t position = low; down && position++ < high;) change(order[low], order[position]);
  for (std::size_t position = low; up && position < high; ++position) change(order[position], order[high]);
  return first;
}

}  // namespace wavewright
