// Searches all schedules of containers on nodes for one with all jobs in time. Nothing waits for heartbeats,
// and the search chooses each container's node. For few tasks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "wavewright/core/quantity.h"

namespace wavewright::realtime_worlds {

struct JobOnNodes {
  Count master_memory = 0, map_memory = 0, reduce_memory = 0;
  Count maps = 0, reduces = 0;  // not started
  std::int64_t map = 0, reduce = 0;
  std::int64_t deadline = 0;
  int master_node = -1;  // -1: it has not started
};
// A container that runs.
struct OnNode {
  std::int64_t end = 0;
  int node = 0;
  Count memory = 0;
  std::size_t job = 0;
  bool is_map = true;

  friend auto operator<=>(const OnNode&, const OnNode&) = default;
};

// Containers start at once or when another one ends: in any schedule that is in time they may be moved there.
class ExactContainers {
 public:
  ExactContainers(std::vector<Count> nodes, std::vector<JobOnNodes> jobs, std::vector<OnNode> running)
      : free_(std::move(nodes)), jobs_(std::move(jobs)), running_(std::move(running)) {
    for (const OnNode& each : running_) free_[static_cast<std::size_t>(each.node)] -= each.memory;
    for (const JobOnNodes& job : jobs_) {
      if (job.master_node >= 0) free_[static_cast<std::size_t>(job.master_node)] -= job.master_memory;
    }
    over_.assign(jobs_.size(), false);
  }

  [[nodiscard]] bool in_time(std::int64_t now) {
    leave_if_over();
    return search(now);
  }

 private:
  using Key = std::vector<std::int64_t>;

  [[nodiscard]] Key key(std::int64_t now) const {
    Key key{now};
    key.insert(key.end(), free_.begin(), free_.end());
    for (const JobOnNodes& job : jobs_) key.insert(key.end(), {job.maps, job.reduces, job.master_node});
    std::vector<OnNode> running = running_;
    std::sort(running.begin(), running.end());
    for (const OnNode& each : running)
      key.insert(key.end(),
                 {each.end, each.node, each.memory, static_cast<std::int64_t>(each.job), each.is_map});
    return key;
  }

  [[nodiscard]] bool runs(std::size_t job, bool is_map) const {
    return std::any_of(running_.begin(), running_.end(),
                       [&](const OnNode& each) { return each.job == job && each.is_map == is_map; });
  }
  [[nodiscard]] bool cannot_be_in_time(std::int64_t now) const {
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      const JobOnNodes& job = jobs_[i];
      std::int64_t maps_end = now + (job.maps > 0 ? job.map : 0), end = 0;
      for (const OnNode& each : running_) {
        if (each.job == i) (each.is_map ? maps_end : end) = std::max(each.is_map ? maps_end : end, each.end);
      }
      const bool left = !over_[i];
      if (left && std::max(end, maps_end + (job.reduces > 0 ? job.reduce : 0)) > job.deadline) return true;
    }
    return false;
  }
  void leave_if_over() {
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      const JobOnNodes& job = jobs_[i];
      if (over_[i] || job.maps + job.reduces > 0 || runs(i, true) || runs(i, false)) continue;
      over_[i] = true;
      if (job.master_node >= 0) free_[static_cast<std::size_t>(job.master_node)] += job.master_memory;
    }
  }

  bool search(std::int64_t now) {
    if (std::all_of(over_.begin(), over_.end(), [](bool over) { return over; })) return true;
    if (cannot_be_in_time(now) || !seen_.insert(key(now)).second) return false;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      for (int node = 0; node < static_cast<int>(free_.size()); ++node) {
        if (start(i, node, now)) return true;
      }
    }
    return wait();
  }

  // The job's next container, on the node.
  bool start(std::size_t i, int node, std::int64_t now) {
    JobOnNodes& job = jobs_[i];
    Count& free = free_[static_cast<std::size_t>(node)];
    if (over_[i]) return false;
    if (job.master_node < 0) {
      if (free < job.master_memory) return false;
      job.master_node = node;
      free -= job.master_memory;
      const bool found = search(now);
      free += job.master_memory;
      job.master_node = -1;
      return found;
    }
    const bool is_map = job.maps > 0;
    if (!is_map && (job.reduces == 0 || runs(i, true))) return false;
    const Count memory = is_map ? job.map_memory : job.reduce_memory;
    if (free < memory) return false;
    Count& left = is_map ? job.maps : job.reduces;
    --left;
    free -= memory;
    running_.push_back({now + (is_map ? job.map : job.reduce), node, memory, i, is_map});
    const bool found = search(now);
    running_.pop_back();
    free += memory;
    ++left;
    return found;
  }

  // Until the next end.
  bool wait() {
    if (running_.empty()) return false;
    const auto before_free = free_;
    const auto before_running = running_;
    const auto before_over = over_;
    const std::int64_t next = std::min_element(running_.begin(), running_.end())->end;
    for (const OnNode& each : running_) {
      if (each.end == next) free_[static_cast<std::size_t>(each.node)] += each.memory;
    }
    std::erase_if(running_, [&](const OnNode& each) { return each.end == next; });
    leave_if_over();
    const bool found = search(next);
    free_ = before_free;
    running_ = before_running;
    over_ = before_over;
    return found;
  }

  std::vector<Count> free_;
  std::vector<JobOnNodes> jobs_;
  std::vector<OnNode> running_;
  std::vector<bool> over_;
  std::set<Key> seen_;
};

}  // namespace wavewright::realtime_worlds
