// The order in which the tasks of a job start. A slot that becomes free for the job takes the first task that
// has not started.
//
// - as listed: maps and reduces in the order of the workload file;
// - longest first: by descending length, ties as listed. This is Graham's LPT rule [1969] within a job.
// Hadoop
//   does the same with input: it sorts a job's splits by size. Lengths are the expected ones where those of
//   the workload were drawn.
//
// A reduce's length includes its later-wave shuffle.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wavewright/job/job.h"

namespace wavewright {

enum class TaskOrder : std::uint8_t { as_listed, longest_first };

[[nodiscard]] std::string to_string(TaskOrder order);               // `as-listed`, `longest-first`
[[nodiscard]] TaskOrder parse_task_order(const std::string& name);  // throws UsageError

// Where a workload's tasks stand in a task order, by job: the listed number of the task at each place. Empty
// for a stage whose tasks stand as listed.
class TaskPlaces {
 public:
  // O(tasks · log tasks); O(tasks) if nothing moves.
  TaskPlaces(const Workload& listed, TaskOrder order);

  [[nodiscard]] bool moves() const { return moves_; }  // false: every task stands as listed
  // Puts the tasks of a listed workload in their places; their lengths may differ from the first one's, their
  // numbers may not. O(tasks).
  void arrange(Workload& workload) const;
  // The listed number of the map or reduce at a place.
  [[nodiscard]] std::uint32_t listed_map(std::size_t job, std::uint32_t place) const {
    return listed(jobs_[job].maps, place);
  }
  [[nodiscard]] std::uint32_t listed_reduce(std::size_t job, std::uint32_t place) const {
    return listed(jobs_[job].reduces, place);
  }

 private:
  using Places = std::vector<std::uint32_t>;
  struct OfJob {
    Places maps, reduces;
  };
  static std::uint32_t listed(const Places& places, std::uint32_t place) {
    return places.empty() ? place : places[place];
  }

  std::vector<OfJob> jobs_;
  bool moves_ = false;
};

// A copy of the workload with its tasks in that order.
[[nodiscard]] Workload in_task_order(Workload listed, TaskOrder order);

}  // namespace wavewright
