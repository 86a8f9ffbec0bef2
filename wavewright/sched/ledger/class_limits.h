// Caps and holdings of jobs on single classes of nodes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/sched/event.h"
#include "wavewright/sched/view.h"

namespace wavewright {

// Caps of jobs: slots or containers of a kind on a class.
class ClassCaps {
 public:
  // Starts to keep caps. O(jobs).
  void track(std::size_t jobs, std::size_t classes) {
    classes_ = classes;
    row_of_.assign(jobs * kinds, none);
  }
  void set(JobIndex job, Kind kind, ClassId node_class, Count count) {
    std::uint32_t& row = row_of_[at(job, kind)];
    if (row == none) row = free_row();
    caps_[row * classes_ + node_class] = count;
  }
  [[nodiscard]] bool any(JobIndex job, Kind kind) const {
    return !row_of_.empty() && row_of_[at(job, kind)] != none;
  }
  [[nodiscard]] Count of(JobIndex job, Kind kind, ClassId node_class) const {
    return any(job, kind) ? caps_[row_of_[at(job, kind)] * classes_ + node_class] : unlimited;
  }
  void forget(JobIndex job) {
    for (std::size_t kind = 0; kind < kinds && !row_of_.empty(); ++kind) {
      std::uint32_t& row = row_of_[std::size_t{job} * kinds + kind];
      if (row != none) spare_.push_back(std::exchange(row, none));
    }
  }

 private:
  static constexpr std::size_t kinds = 3;
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  [[nodiscard]] static std::size_t at(JobIndex job, Kind kind) {
    return std::size_t{job} * kinds + static_cast<std::size_t>(kind);
  }
  // A row of caps that no job has, all unlimited.
  [[nodiscard]] std::uint32_t free_row() {
    if (spare_.empty()) {
      caps_.resize(caps_.size() + classes_, unlimited);
      return static_cast<std::uint32_t>(caps_.size() / classes_ - 1);
    }
    const std::uint32_t row = spare_.back();
    spare_.pop_back();
    std::fill_n(caps_.begin() + static_cast<std::ptrdiff_t>(row * classes_), classes_, unlimited);
    return row;
  }

  std::size_t classes_ = 0;
  std::vector<std::uint32_t> row_of_;  // by job and kind; `none`: nothing is capped
  std::vector<Count> caps_;            // row by row, by class
  std::vector<std::uint32_t> spare_;   // rows of jobs that are over
};

// Slots or containers that each job holds, by kind and class.
class ClassHoldings {
 public:
  // Starts to count. O(jobs · classes).
  void track(std::size_t jobs, std::size_t classes) {
    classes_ = classes;
    held_.assign(jobs * kinds * classes, 0);
  }
  [[nodiscard]] bool tracked() const { return classes_ > 0; }
  void change(JobIndex job, Kind kind, ClassId node_class, std::int32_t by) {
    held_[at(job, kind) + node_class] += by;
  }
  [[nodiscard]] Count of(JobIndex job, Kind kind, ClassId node_class) const {
    if (node_class != any_class) return held_[at(job, kind) + node_class];
    Count sum = 0;
    for (std::size_t i = 0; i < classes_; ++i) sum += held_[at(job, kind) + i];
    return sum;
  }
  [[nodiscard]] std::size_t classes() const { return classes_; }

 private:
  static constexpr std::size_t kinds = 3;
  [[nodiscard]] std::size_t at(JobIndex job, Kind kind) const {
    return (std::size_t{job} * kinds + static_cast<std::size_t>(kind)) * classes_;
  }
  std::size_t classes_ = 0;
  std::vector<std::int32_t> held_;
};

}  // namespace wavewright
