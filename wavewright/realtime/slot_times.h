// Available times of equal slots: the vectors T^m and T^r of [UNL §5.2.1]. Slots that become available
// together are one step, so memory and time go with the number of steps, not of slots.
//
// Times are ms. The vectors are sorted; which slot is which does not matter.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "wavewright/core/quantity.h"

namespace wavewright {

class SlotTimes {
 public:
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  struct Step {
    std::int64_t at = 0;
    Count slots = 0;

    friend bool operator==(const Step&, const Step&) = default;
  };

  // `slots` slots that are available from `at` on.
  explicit SlotTimes(Count slots = 0, std::int64_t at = 0);
  // Slots that are available at these times, in any order.
  explicit SlotTimes(std::vector<std::int64_t> times);
  // A copy has no room of steps that were taken.
  SlotTimes(const SlotTimes& other)
      : slots_(other.slots_), steps_(other.steps().begin(), other.steps().end()) {}
  SlotTimes(SlotTimes&&) = default;
  SlotTimes& operator=(const SlotTimes& other);
  SlotTimes& operator=(SlotTimes&&) = default;
  ~SlotTimes() = default;

  // Places equal tasks one after another, each on the slot that is available first, not before `from`.
  // Returns the end of the last one [UNL Algs 5.2, 5.3]: `from` if there is no task, `never` if there is no
  // slot. O(steps that change + those behind), at most O(steps + min(tasks, slots)).
  std::int64_t place(Count tasks, std::int64_t length, std::int64_t from);
  // The end that place() would return. None if a slot would take two of the tasks. O(steps that would
  // change).
  [[nodiscard]] std::optional<std::int64_t> end_of(Count tasks, std::int64_t length, std::int64_t from) const;
  // One after another, the slot that is available first becomes available at the next of `ends` instead,
  // which are sorted [UNL Alg. 5.6]. O(ends + steps).
  void replace_first(std::span<const std::int64_t> ends);
  void replace_first(std::int64_t end) { replace_first(std::span(&end, 1)); }
  // The same, of so many ends each. O(ends + steps).
  void replace_first(std::span<const Step> ends);

  // The same for one part behind another; each is sorted. O(ends · log ends + steps) for parts that end
  // behind all slots that they take together.
  void replace_first_in_turn(std::span<const std::span<const std::int64_t>> parts);

  // Slots that are available before `at` become available then. O(steps before `at`).
  void raise_to(std::int64_t at);

  // The slots that are available first, which are no longer here; all if there are fewer. O(steps).
  [[nodiscard]] SlotTimes take_first(Count slots);
  // They are here again. O(steps of both).
  void put_back(const SlotTimes& taken);

  // True if the i-th slot is nowhere available before the other's i-th [UNL def. 1]. Both have as many slots.
  // O(steps of both).
  [[nodiscard]] bool dominates(const SlotTimes& other) const;
  // By how much the i-th slot is available after the other's i-th, at most; 0 if none is. Both have as
  // many slots. O(steps of both).
  [[nodiscard]] std::int64_t most_behind(const SlotTimes& other) const;

  // Each slot is available from the next multiple of `unit` on, which is positive. O(steps).
  [[nodiscard]] SlotTimes rounded_up(std::int64_t unit) const;

  [[nodiscard]] Count slots() const { return slots_; }
  [[nodiscard]] std::span<const Step> steps() const { return std::span(steps_).subspan(head_); }  // by time

 private:
  [[nodiscard]] static std::vector<Step>& no_ended();
  static void append(std::vector<Step>& steps, Step step);
  static void add_end(std::vector<Step>& ended, std::size_t next, Step end);
  // From `head` on, which goes on, takes slots that are available by then, so many at most; returns how many.
  Count take_by(std::int64_t at, Count most, std::size_t& head);
  void merge(std::span<const Step> ended);  // by time; O(steps before or behind them, whichever are fewer)
  void merge_from_front(std::span<const Step> ended);
  void merge_from_back(std::span<const Step> ended);

  Count slots_ = 0;
  std::vector<Step> steps_;  // from head_ on
  std::size_t head_ = 0;
};

}  // namespace wavewright
