#include "wavewright/plan/bounds/counting_bound.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>
#include <vector>

namespace wavewright {

namespace {

constexpr std::size_t most_thresholds = 64, most_rounds = 16;

struct Ranked {
  CountedTask task;
  std::size_t rank = 0;  // by length, longest first
};

// The least time of `together` tasks on one slot plus the least `beside` among them, chosen from the tasks of
// ranks below `count`. `tasks` are sorted by `beside`, largest first.
std::int64_t least_together(std::span<const Ranked> tasks, std::size_t count, std::size_t together) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max(), sum = 0;
  std::priority_queue<std::int64_t> shortest;  // the `together` shortest lengths so far
  for (std::size_t i = 0; i < tasks.size();) {
    const std::int64_t beside = tasks[i].task.beside;
    std::int64_t own = std::numeric_limits<std::int64_t>::max();
    for (; i < tasks.size() && tasks[i].task.beside == beside; ++i) {
      if (tasks[i].rank >= count) continue;
      const std::int64_t length = tasks[i].task.length;
      own = std::min(own, length);
      if (shortest.size() == together && length >= shortest.top()) continue;
      shortest.push(length);
      sum += length;
      if (shortest.size() <= together) continue;
      sum -= shortest.top();
      shortest.pop();
    }
    // One of these tasks has the least `beside` on the slot.
    if (shortest.size() < together || own == std::numeric_limits<std::int64_t>::max()) continue;
    least = std::min(least, beside + (own <= shortest.top() ? sum : sum - shortest.top() + own));
  }
  return least;
}

}  // namespace

std::int64_t counting_bound(std::span<const CountedTask> tasks, std::int64_t slots) {
  if (tasks.empty() || slots < 1) return 0;
  std::vector<Ranked> sorted;
  for (const CountedTask& task : tasks) sorted.push_back({task, 0});
  std::sort(sorted.begin(), sorted.end(),
            [](const Ranked& a, const Ranked& b) { return a.task.beside > b.task.beside; });
  std::vector<std::size_t> ends;  // for each threshold: number of tasks with at least that `beside`
  for (std::size_t i = 1; i <= sorted.size(); ++i) {
    if (i == sorted.size() || sorted[i].task.beside != sorted[i - 1].task.beside) ends.push_back(i);
  }
  std::vector<std::uint32_t> by_length(sorted.size());
  std::iota(by_length.begin(), by_length.end(), 0U);
  std::stable_sort(by_length.begin(), by_length.end(), [&](std::uint32_t a, std::uint32_t b) {
    return sorted[a].task.length > sorted[b].task.length;
  });
  std::int64_t best = 0;
  const std::size_t step = (ends.size() + most_thresholds - 1) / most_thresholds;
  for (std::size_t at = ends.size(); at > 0; at -= std::min(at, step)) {
    const std::size_t above = ends[at - 1];
    std::size_t rank = 0;
    for (const std::uint32_t task : by_length) {
      if (task < above) sorted[task].rank = rank++;
    }
    for (std::size_t round = 0; round < most_rounds; ++round) {
      const std::size_t count = round * static_cast<std::size_t>(slots) + 1;
      if (count > above) break;
      best = std::max(best, least_together(std::span(sorted).first(above), count, round + 1));
    }
  }
  return best;
}

std::vector<CountedTask> counted_maps(const Job& job) {
  std::vector<CountedTask> tasks;
  tasks.reserve(job.maps.size());
  for (const Duration map : job.maps) tasks.push_back({to_ms(map), 0});
  return tasks;
}

std::vector<CountedTask> counted_reduces(const Job& job) {
  std::vector<CountedTask> tasks;
  tasks.reserve(job.reduces.size());
  for (std::size_t i = 0; i < job.reduces.size(); ++i) tasks.push_back({to_ms(job.least_reduce(i)), 0});
  return tasks;
}

std::int64_t stage_alone(std::span<const CountedTask> tasks, std::int64_t slots) {
  std::int64_t work = 0;
  for (const CountedTask& task : tasks) work += task.length;
  return std::max(counting_bound(tasks, slots), (work + slots - 1) / slots);
}

}  // namespace wavewright
