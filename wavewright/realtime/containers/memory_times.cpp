#include "wavewright/realtime/containers/memory_times.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace wavewright {

namespace {

// The order of the heap.
constexpr auto is_later = [](const MemoryTimes::Step& a, const MemoryTimes::Step& b) { return a.at > b.at; };

}  // namespace

MemoryTimes::MemoryTimes(std::vector<Step> steps) : steps_(std::move(steps)) {
  std::erase_if(steps_, [](const Step& step) { return step.memory <= 0; });
  for (const Step& step : steps_) memory_ += step.memory;
  std::make_heap(steps_.begin(), steps_.end(), is_later);
}

void MemoryTimes::add(Step step) {
  steps_.push_back(step);
  std::push_heap(steps_.begin(), steps_.end(), is_later);
}

Count MemoryTimes::take_of_first(Count most) {
  Step& first = steps_.front();
  latest_taken_ = std::max(latest_taken_, first.at);
  const Count taken = std::min(most, first.memory);
  first.memory -= taken;
  if (first.memory == 0) {
    std::pop_heap(steps_.begin(), steps_.end(), is_later);
    steps_.pop_back();
  }
  return taken;
}

std::int64_t MemoryTimes::take(Count memory, std::int64_t from) {
  if (memory > memory_) return never;
  memory_ -= memory;
  while (memory > 0) {
    from = std::max(from, steps_.front().at);
    memory -= take_of_first(memory);
  }
  return from;
}

void MemoryTimes::put(std::int64_t at, Count memory) {
  if (memory <= 0) return;
  memory_ += memory;
  add({at, memory});
}

std::int64_t MemoryTimes::place(Count containers, Count memory, std::int64_t length, std::int64_t from) {
  if (containers == 0) return from;
  if (memory > memory_) return never;
  std::int64_t last = from;
  // Taken, for containers that are yet to be placed. It is there by the time the last round starts, and so
  // comes before all that is left in the heap.
  Count there = 0;
  while (containers > 0) {
    const Count wanted = containers * memory;
    std::int64_t start = from;
    while (there < memory) {
      start = std::max(start, steps_.front().at);
      there += take_of_first(wanted - there);
    }
    while (there < wanted && !steps_.empty() && steps_.front().at <= start)
      there += take_of_first(wanted - there);
    const Count together = there / memory;
    add({start + length, together * memory});
    there -= together * memory;
    containers -= together;
    last = start + length;
  }
  return last;
}

std::int64_t MemoryTimes::span() const {
  std::int64_t last = std::numeric_limits<std::int64_t>::min();
  for (const Step& step : steps_) last = std::max(last, step.at);
  return steps_.empty() ? 0 : last - steps_.front().at;
}

void MemoryTimes::round_up(std::int64_t unit) {
  if (steps_.empty()) return;
  constexpr std::int64_t most = 4096;
  const std::int64_t first = steps_.front().at, length = span();
  unit = std::max(unit, length / most + 1);
  const auto units_of = [unit](std::int64_t time) {
    return static_cast<std::size_t>((time + unit - 1) / unit);
  };
  std::vector<Count> memory(units_of(length) + 1);
  for (const Step& step : steps_) memory[units_of(step.at - first)] += step.memory;
  steps_.clear();
  for (std::size_t i = 0; i < memory.size(); ++i) {  // sorted, which is a heap
    if (memory[i] > 0) steps_.push_back({first + static_cast<std::int64_t>(i) * unit, memory[i]});
  }
}

std::vector<MemoryTimes::Step> MemoryTimes::steps() const {
  std::vector<Step> sorted = steps_;
  std::sort(sorted.begin(), sorted.end(), [](const Step& a, const Step& b) { return a.at < b.at; });
  std::vector<Step> together;
  together.reserve(sorted.size());
  for (const Step& step : sorted) {
    if (!together.empty() && together.back().at == step.at) {
      together.back().memory += step.memory;
    } else {
      together.push_back(step);
    }
  }
  return together;
}

bool MemoryTimes::dominates(const MemoryTimes& other) const {
  const std::vector<Step> mine = steps(), its = other.steps();
  std::size_t my_next = 0, its_next = 0;
  Count my_memory = 0, its_memory = 0;  // seen, up to and with the step
  while (my_next < mine.size() && its_next < its.size()) {
    if (mine[my_next].at < its[its_next].at) return false;
    const Count my_end = my_memory + mine[my_next].memory, its_end = its_memory + its[its_next].memory;
    if (my_end <= its_end) {
      my_memory = my_end;
      ++my_next;
    }
    if (its_end <= my_end) {
      its_memory = its_end;
      ++its_next;
    }
  }
  return true;
}

}  // namespace wavewright
