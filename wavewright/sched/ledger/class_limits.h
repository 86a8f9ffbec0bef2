// Caps and holdings of jobs on single classes of nodes.
#pragma once

#include <unordered_map>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/sched/event.h"
#include "wavewright/sched/view.h"

namespace wavewright {

// Caps of jobs: slots or containers of a kind on a class.
class ClassCaps {
 public:
  void set(JobIndex job, Kind kind, ClassId node_class, Count count) {
    std::vector<Count>& caps = caps_[key(job, kind)];
    if (caps.size() <= node_class) caps.resize(std::size_t{node_class} + 1, unlimited);
    caps[node_class] = count;
  }
  [[nodiscard]] Count of(JobIndex job, Kind kind, ClassId node_class) const {
    if (caps_.empty()) return unlimited;
    const auto found = caps_.find(key(job, kind));
    return found == caps_.end() || node_class >= found->second.size() ? unlimited : found->second[node_class];
  }
  void forget(JobIndex job) {
    for (const Kind kind : {Kind::master, Kind::map, Kind::reduce}) caps_.erase(key(job, kind));
  }

 private:
  static std::uint64_t key(JobIndex job, Kind kind) {
    return (std::uint64_t{job} << 2) | static_cast<std::uint64_t>(kind);
  }
  std::unordered_map<std::uint64_t, std::vector<Count>> caps_;  // by job and kind, then by class
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
