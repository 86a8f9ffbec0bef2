#include "wavewright/realtime/slot_times.h"

#include <algorithm>
#include <utility>

namespace wavewright {

SlotTimes::SlotTimes(Count slots, std::int64_t at) : slots_(slots) {
  if (slots > 0) steps_.push_back({at, slots});
}

SlotTimes::SlotTimes(std::vector<std::int64_t> times) : slots_(static_cast<Count>(times.size())) {
  std::sort(times.begin(), times.end());
  for (const std::int64_t at : times) append(steps_, {at, 1});
}

void SlotTimes::append(std::vector<Step>& steps, Step step) {
  if (!steps.empty() && steps.back().at == step.at) {
    steps.back().slots += step.slots;
  } else {
    steps.push_back(step);
  }
}

std::int64_t SlotTimes::place(Count tasks, std::int64_t length, std::int64_t from) {
  if (tasks == 0) return from;
  if (steps_.empty()) return never;
  // Ends come in order, so old and new steps are two queues.
  std::vector<Step> old = std::move(steps_), ended;
  std::size_t next = 0, next_ended = 0;
  std::int64_t end = from;
  while (tasks > 0) {
    const bool of_old =
        next < old.size() && (next_ended == ended.size() || old[next].at <= ended[next_ended].at);
    Step& first = of_old ? old[next] : ended[next_ended];
    std::int64_t last = ended.size() > next_ended ? ended.back().at : first.at;
    if (next < old.size()) last = std::max(last, old.back().at);
    if (tasks >= slots_ && first.at >= from && last - first.at <= length) {
      // Each slot takes a task before any slot takes a second one, round after round.
      const std::int64_t rounds = tasks / slots_ * length;
      for (std::size_t i = next; i < old.size(); ++i) old[i].at += rounds;
      for (std::size_t i = next_ended; i < ended.size(); ++i) ended[i].at += rounds;
      tasks %= slots_;
      end = last + rounds;
      continue;
    }
    const Count given = std::min(tasks, first.slots);
    end = std::max(first.at, from) + length;
    first.slots -= given;
    tasks -= given;
    if (first.slots == 0) ++(of_old ? next : next_ended);
    if (ended.size() > next_ended && ended.back().at == end) {
      ended.back().slots += given;
    } else {
      ended.push_back({end, given});
    }
  }
  steps_.clear();
  while (next < old.size() || next_ended < ended.size()) {
    const bool of_old =
        next < old.size() && (next_ended == ended.size() || old[next].at <= ended[next_ended].at);
    append(steps_, of_old ? old[next++] : ended[next_ended++]);
  }
  return end;
}

void SlotTimes::replace_first(std::int64_t end) {
  if (steps_.empty()) return;
  if (--steps_.front().slots == 0) steps_.erase(steps_.begin());
  const auto at = std::lower_bound(steps_.begin(), steps_.end(), end,
                                   [](const Step& step, std::int64_t time) { return step.at < time; });
  if (at != steps_.end() && at->at == end) {
    ++at->slots;
  } else {
    steps_.insert(at, {end, 1});
  }
}

bool SlotTimes::dominates(const SlotTimes& other) const {
  std::size_t mine = 0, its = 0;
  Count my_slots = 0, its_slots = 0;  // seen, up to and with the step
  while (mine < steps_.size() && its < other.steps_.size()) {
    if (steps_[mine].at < other.steps_[its].at) return false;
    const Count my_end = my_slots + steps_[mine].slots, its_end = its_slots + other.steps_[its].slots;
    if (my_end <= its_end) {
      my_slots = my_end;
      ++mine;
    }
    if (its_end <= my_end) {
      its_slots = its_end;
      ++its;
    }
  }
  return true;
}

}  // namespace wavewright
