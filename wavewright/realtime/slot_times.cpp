#include "wavewright/realtime/slot_times.h"

#include <algorithm>
#include <array>
#include <utility>

namespace wavewright {

namespace {

constexpr std::size_t long_run = 16;  // steps that a merge moves at once

// By their bits from the lowest on, where there are many and they lie close together: O(times).
void sort_times(std::vector<std::int64_t>& times) {
  constexpr std::size_t many = 512;
  constexpr unsigned bits = 11, most_bits = 3 * bits;
  if (times.size() < many) return std::sort(times.begin(), times.end());
  const auto [least, most] = std::minmax_element(times.begin(), times.end());
  const auto from = static_cast<std::uint64_t>(*least);
  const std::uint64_t span = static_cast<std::uint64_t>(*most) - from;
  if ((span >> most_bits) != 0) return std::sort(times.begin(), times.end());
  std::vector<std::int64_t> sorted(times.size());
  for (unsigned shift = 0; (span >> shift) != 0; shift += bits) {
    const auto digit = [&](std::int64_t time) {
      return ((static_cast<std::uint64_t>(time) - from) >> shift) & ((std::uint64_t{1} << bits) - 1);
    };
    std::array<std::uint32_t, std::size_t{1} << bits> place{};
    for (const std::int64_t time : times) ++place[digit(time)];
    std::uint32_t before = 0;
    for (std::uint32_t& each : place) before += std::exchange(each, before);
    for (const std::int64_t time : times) sorted[place[digit(time)]++] = time;
    times.swap(sorted);
  }
}

}  // namespace

SlotTimes::SlotTimes(Count slots, std::int64_t at) : slots_(slots) {
  if (slots > 0) steps_.push_back({at, slots});
}

SlotTimes::SlotTimes(std::vector<std::int64_t> times) : slots_(static_cast<Count>(times.size())) {
  sort_times(times);
  for (const std::int64_t at : times) append(steps_, {at, 1});
}

SlotTimes& SlotTimes::operator=(const SlotTimes& other) {
  if (this == &other) return *this;
  slots_ = other.slots_;
  steps_.assign(other.steps().begin(), other.steps().end());
  head_ = 0;
  return *this;
}

void SlotTimes::append(std::vector<Step>& steps, Step step) {
  if (!steps.empty() && steps.back().at == step.at) {
    steps.back().slots += step.slots;
  } else {
    steps.push_back(step);
  }
}

// Steps of tasks that have ended. Their ends come in order, so they and the steps that are there are two
// queues.
std::vector<SlotTimes::Step>& SlotTimes::no_ended() {
  thread_local std::vector<Step> ended;
  ended.clear();
  return ended;
}

// Behind the ends from `next` on.
void SlotTimes::add_end(std::vector<Step>& ended, std::size_t next, Step end) {
  if (next < ended.size() && ended.back().at == end.at) {
    ended.back().slots += end.slots;
  } else {
    ended.push_back(end);
  }
}

Count SlotTimes::take_by(std::int64_t at, Count most, std::size_t& head) {
  Step* const steps = steps_.data();
  const std::size_t size = steps_.size();
  Count taken = 0;
  while (head < size && steps[head].at <= at && taken + steps[head].slots <= most)
    taken += steps[head++].slots;
  if (taken < most && head < size && steps[head].at <= at) {
    steps[head].slots -= most - taken;
    taken = most;
  }
  return taken;
}

std::int64_t SlotTimes::place(Count tasks, std::int64_t length, std::int64_t from) {
  if (tasks == 0) return from;
  if (slots_ == 0) return never;
  std::vector<Step>& ended = no_ended();
  std::size_t head = head_, next = 0;  // of `steps` and of `ended`
  std::int64_t end = from;
  Step* const steps = steps_.data();
  const std::size_t size = steps_.size();
  // Slots that are available by then end their tasks together, and no such task is over before all are taken.
  if (const Count free = take_by(from, tasks, head); free > 0) {
    end = from + length;
    ended.push_back({end, free});
    tasks -= free;
  }
  while (tasks > 0) {
    const bool is_old = head < size && (next == ended.size() || steps[head].at <= ended[next].at);
    Step& first = is_old ? steps[head] : ended[next];
    if (tasks >= slots_) {
      std::int64_t last = next < ended.size() ? ended.back().at : first.at;
      if (head < size) last = std::max(last, steps[size - 1].at);
      if (last - first.at <= length) {
        // Each slot takes a task before any slot takes a second one, round after round.
        const std::int64_t rounds = tasks / slots_ * length;
        for (std::size_t i = head; i < size; ++i) steps[i].at += rounds;
        for (std::size_t i = next; i < ended.size(); ++i) ended[i].at += rounds;
        tasks %= slots_;
        end = last + rounds;
        continue;
      }
    }
    const Count given = std::min(tasks, first.slots);
    end = first.at + length;
    first.slots -= given;
    tasks -= given;
    if (first.slots == 0) ++(is_old ? head : next);
    add_end(ended, next, {end, given});
  }
  head_ = head;
  merge(std::span(ended).subspan(next));
  return end;
}

// Tasks that end come into play again once they end before the next slot is available.
std::optional<std::int64_t> SlotTimes::end_of(Count tasks, std::int64_t length, std::int64_t from) const {
  if (tasks == 0) return from;
  if (slots_ == 0) return never;
  const std::span<const Step> all = steps();
  const std::int64_t first_end = std::max(all.front().at, from) + length;
  for (const Step& step : all) {
    if (step.at > first_end) break;
    if (step.slots >= tasks) return std::max(step.at, from) + length;
    tasks -= step.slots;
  }
  return std::nullopt;
}

void SlotTimes::merge(std::span<const Step> ended) {
  const bool has_room = head_ >= ended.size() && head_ < steps_.size();
  if (has_room && !ended.empty() && ended.back().at < steps_[head_ + (steps_.size() - head_) / 2].at) {
    merge_from_front(ended);
  } else {
    merge_from_back(ended);
  }
}

// Into the room of steps that were taken: those behind the last that ended are not touched.
void SlotTimes::merge_from_front(std::span<const Step> ended) {
  Step* const steps = steps_.data();
  const std::size_t size = steps_.size(), first = head_ - ended.size();
  std::size_t old = head_, to = first;
  for (const Step& each : ended) {
    std::size_t behind = old;
    while (behind + long_run <= size && steps[behind + long_run - 1].at < each.at) behind += long_run;
    if (behind > old) {
      std::copy(steps + old, steps + behind, steps + to);
      to += behind - old;
      old = behind;
    }
    while (old < size && steps[old].at < each.at) steps[to++] = steps[old++];
    steps[to] = each;
    if (old < size && steps[old].at == each.at) steps[to].slots += steps[old++].slots;
    ++to;
  }
  // Equal times leave a gap behind `to`.
  head_ = first + (old - to);
  if (old > to) std::copy_backward(steps + first, steps + to, steps + old);
}

// Steps before the first that ended are not touched.
void SlotTimes::merge_from_back(std::span<const Step> ended) {
  std::size_t old = steps_.size(), to = old + ended.size();
  steps_.resize(to);
  Step* const steps = steps_.data();
  const std::size_t head = head_;
  for (std::size_t left = ended.size(); left > 0; --left) {
    const Step last = ended[left - 1];
    std::size_t from = old;
    while (from >= head + long_run && steps[from - long_run].at > last.at) from -= long_run;
    if (from < old) {
      std::copy_backward(steps + from, steps + old, steps + to);
      to -= old - from;
      old = from;
    }
    while (old > head && steps[old - 1].at > last.at) steps[--to] = steps[--old];
    steps[--to] = last;
    if (old > head && steps[old - 1].at == last.at) steps[to].slots += steps[--old].slots;
  }
  // Equal times leave a gap before `to`.
  if (to > old)
    steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(old),
                 steps_.begin() + static_cast<std::ptrdiff_t>(to));
  if (head_ > steps_.size() / 2) {
    steps_.erase(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(head_));
    head_ = 0;
  }
}

void SlotTimes::raise_to(std::int64_t at) {
  Count early = 0;
  for (; head_ < steps_.size() && steps_[head_].at <= at; ++head_) early += steps_[head_].slots;
  if (early > 0) steps_[--head_] = {at, early};
}

SlotTimes SlotTimes::rounded_up(std::int64_t unit) const {
  SlotTimes rounded;
  rounded.slots_ = slots_;
  const std::span<const Step> all = steps();
  for (std::size_t i = 0; i < all.size();) {
    const std::int64_t at = (all[i].at + unit - 1) / unit * unit;
    Count slots = 0;
    for (; i < all.size() && all[i].at <= at; ++i) slots += all[i].slots;
    rounded.steps_.push_back({at, slots});
  }
  return rounded;
}

SlotTimes SlotTimes::take_first(Count slots) {
  SlotTimes first;
  first.slots_ = std::min(slots, slots_);
  slots_ -= first.slots_;
  for (Count left = first.slots_; left > 0;) {
    const Count given = std::min(left, steps_[head_].slots);
    first.steps_.push_back({steps_[head_].at, given});
    left -= given;
    if ((steps_[head_].slots -= given) == 0) ++head_;
  }
  return first;
}

void SlotTimes::put_back(const SlotTimes& taken) {
  slots_ += taken.slots_;
  merge(taken.steps());
}

void SlotTimes::replace_first(std::span<const std::int64_t> ends) {
  if (slots_ == 0) return;
  std::vector<Step>& ended = no_ended();
  std::size_t head = head_, next = 0;  // of `steps` and of `ended`
  Step* const steps = steps_.data();
  const std::size_t size = steps_.size();
  // Slots that are available before all ends are taken first.
  const std::int64_t least = ends.empty() ? 0 : ends.front();
  const auto taken = static_cast<std::size_t>(take_by(least, static_cast<Count>(ends.size()), head));
  for (const std::int64_t end : ends.first(taken)) append(ended, {end, 1});
  for (const std::int64_t end : ends.subspan(taken)) {
    const bool is_old = head < size && (next == ended.size() || steps[head].at <= ended[next].at);
    Step& first = is_old ? steps[head] : ended[next];
    if (--first.slots == 0) ++(is_old ? head : next);
    add_end(ended, next, {end, 1});
  }
  head_ = head;
  merge(std::span(ended).subspan(next));
}

void SlotTimes::replace_first(std::span<const Step> ends) {
  if (slots_ == 0) return;
  std::vector<Step>& ended = no_ended();
  std::size_t head = head_, next = 0;  // of `steps` and of `ended`
  Step* const steps = steps_.data();
  const std::size_t size = steps_.size();
  for (const Step& end : ends) {
    for (Count left = end.slots; left > 0;) {
      const bool is_old = head < size && (next == ended.size() || steps[head].at <= ended[next].at);
      Step& first = is_old ? steps[head] : ended[next];
      // A slot that becomes available before all others takes the rest, one after another.
      const bool stays_first = end.at < first.at;
      const Count given = stays_first ? 1 : std::min(left, first.slots);
      left = stays_first ? 0 : left - given;
      first.slots -= given;
      if (first.slots == 0) ++(is_old ? head : next);
      add_end(ended, next, {end.at, given});
    }
  }
  head_ = head;
  merge(std::span(ended).subspan(next));
}

// If parts end behind all slots that they take, each of these slots is the first when it is taken, whichever
// part takes it. So the parts are replaced as one.
void SlotTimes::replace_first_in_turn(std::span<const std::span<const std::int64_t>> parts) {
  std::vector<std::int64_t> together;
  while (!parts.empty()) {
    std::size_t count = 0, behind = head_;  // of parts; the steps before `behind` hold all that they take
    Count tasks = 0, early = 0;             // slots that they take, and that these steps have
    std::int64_t least = never;
    for (; count < parts.size(); ++count) {
      if (parts[count].empty()) continue;
      const std::int64_t first_end = std::min(least, parts[count].front());
      const Count all = tasks + static_cast<Count>(parts[count].size());
      while (early < all && behind < steps_.size()) early += steps_[behind++].slots;
      if (early < all || steps_[behind - 1].at > first_end) break;
      least = first_end;
      tasks = all;
    }
    if (count < 2) {
      replace_first(parts.front());
      parts = parts.subspan(1);
      continue;
    }
    together.clear();
    for (const std::span<const std::int64_t> ends : parts.first(count))
      together.insert(together.end(), ends.begin(), ends.end());
    sort_times(together);
    (void)take_by(never, tasks, head_);
    std::vector<Step>& ended = no_ended();
    for (const std::int64_t end : together) append(ended, {end, 1});
    merge(ended);
    parts = parts.subspan(count);
  }
}

std::int64_t SlotTimes::most_behind(const SlotTimes& other) const {
  std::int64_t most = 0;
  std::size_t mine = 0, its = 0;
  Count my_slots = 0, its_slots = 0;  // seen, up to and with the step
  const std::span<const Step> my_steps = steps(), its_steps = other.steps();
  while (mine < my_steps.size() && its < its_steps.size()) {
    most = std::max(most, my_steps[mine].at - its_steps[its].at);
    const Count my_end = my_slots + my_steps[mine].slots, its_end = its_slots + its_steps[its].slots;
    if (my_end <= its_end) {
      my_slots = my_end;
      ++mine;
    }
    if (its_end <= my_end) {
      its_slots = its_end;
      ++its;
    }
  }
  return most;
}

bool SlotTimes::dominates(const SlotTimes& other) const {
  return other.most_behind(*this) == 0;
}

}  // namespace wavewright
