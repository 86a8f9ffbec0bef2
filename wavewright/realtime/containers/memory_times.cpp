#include "wavewright/realtime/containers/memory_times.h"

#include <algorithm>

namespace wavewright {

MemoryTimes::MemoryTimes(std::vector<Step> steps) {
  std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.at < b.at; });
  for (const Step& step : steps) {
    if (step.memory <= 0) continue;
    memory_ += step.memory;
    if (!steps_.empty() && steps_.back().at == step.at) {
      steps_.back().memory += step.memory;
    } else {
      steps_.push_back(step);
    }
  }
}

std::int64_t MemoryTimes::there_from(Count memory) const {
  Count there = 0;
  for (const Step& step : steps_) {
    there += step.memory;
    if (there >= memory) return step.at;
  }
  return never;
}

void MemoryTimes::drop_first(Count memory) {
  memory_ -= memory;
  std::size_t gone = 0;
  for (; memory > 0; ++gone) {
    latest_taken_ = std::max(latest_taken_, steps_[gone].at);
    const Count taken = std::min(memory, steps_[gone].memory);
    steps_[gone].memory -= taken;
    memory -= taken;
    if (steps_[gone].memory > 0) break;
  }
  steps_.erase(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(gone));
}

std::int64_t MemoryTimes::take(Count memory, std::int64_t from) {
  if (memory > memory_) return never;
  const std::int64_t at = memory == 0 ? from : std::max(from, there_from(memory));
  drop_first(memory);
  return at;
}

void MemoryTimes::put(std::int64_t at, Count memory) {
  if (memory <= 0) return;
  memory_ += memory;
  const auto place = std::lower_bound(steps_.begin(), steps_.end(), at,
                                      [](const Step& step, std::int64_t time) { return step.at < time; });
  if (place != steps_.end() && place->at == at) {
    place->memory += memory;
  } else {
    steps_.insert(place, {at, memory});
  }
}

std::int64_t MemoryTimes::place(Count containers, Count memory, std::int64_t length, std::int64_t from) {
  if (containers == 0) return from;
  if (memory > memory_) return never;
  std::int64_t last = from;
  while (containers > 0) {
    // As many as start together.
    const std::int64_t start = std::max(from, there_from(memory));
    Count there = 0;
    for (const Step& step : steps_) {
      if (step.at > start) break;
      there += step.memory;
    }
    const Count together = std::min(containers, there / memory);
    drop_first(together * memory);
    put(start + length, together * memory);
    containers -= together;
    last = std::max(last, start + length);
  }
  return last;
}

bool MemoryTimes::dominates(const MemoryTimes& other) const {
  std::size_t mine = 0, its = 0;
  Count my_memory = 0, its_memory = 0;  // seen, up to and with the step
  while (mine < steps_.size() && its < other.steps_.size()) {
    if (steps_[mine].at < other.steps_[its].at) return false;
    const Count my_end = my_memory + steps_[mine].memory, its_end = its_memory + other.steps_[its].memory;
    if (my_end <= its_end) {
      my_memory = my_end;
      ++mine;
    }
    if (its_end <= my_end) {
      its_memory = its_end;
      ++its;
    }
  }
  return true;
}

}  // namespace wavewright
