// Validates a workload job by job, while a file is read.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/job/job.h"

namespace wavewright {

// Tasks of one kind that one job may hold: engines number them with 32 bits.
inline constexpr Count most_tasks_of_job = (Count{1} << 31) - 1;

// Tasks that the machine's available memory holds, as of the first call: 16 bytes each, for their durations
// and for those of a simulation. More are refused before anything is allocated.
[[nodiscard]] Count most_tasks();

// `more than 1400000000 tasks in one workload, for which the available memory does not suffice`
[[nodiscard]] std::string too_many_tasks(Count most);

// Bytes of a job's command with its arguments. Linux gives a new process at least 128 KiB for them.
inline constexpr std::size_t longest_command = std::size_t{100} << 10;

class WorkloadValidator {
 public:
  // `source` names the workload in errors: a file or a generator.
  explicit WorkloadValidator(std::string source, Count most_tasks = wavewright::most_tasks())
      : source_(std::move(source)), most_tasks_(most_tasks) {}

  // Throws InputError (with `line` if known) if the job itself is invalid, its id occurred before, or the
  // total work so far is too large. O(tasks of the job).
  void add(const Job& job, std::int64_t line = 0);

  // A job of that id is elsewhere: `after` may name it, and no job of the workload may have its id.
  void add_elsewhere(std::string id) { elsewhere_.insert(std::move(id)); }

  // Call after the last job. Throws InputError for unknown or cyclic `after`, and for a job that is due
  // before one that it waits for may be submitted. O(jobs + edges).
  void finish() const;

  [[nodiscard]] Count jobs() const { return static_cast<Count>(lines_.size()); }
  [[nodiscard]] Count tasks() const { return tasks_; }

 private:
  struct Edge {
    std::uint32_t job;  // the job that waits
    std::string after;
  };
  struct JobTimes {
    Time submit{};
    Time deadline = Time::max();
  };
  [[noreturn]] void refuse(const Job& job, std::int64_t line, const std::string& what,
                           const std::string& remedy) const;
  void check_times(const Job& job, std::int64_t line) const;
  void check_tasks(const Job& job, std::int64_t line);
  void check_durations(const Job& job, std::int64_t line, const char* field,
                       const std::vector<Duration>& durations);
  void check_command(const Job& job, std::int64_t line) const;
  void check_classes(const Job& job, std::int64_t line) const;
  [[noreturn]] void refuse_release(std::uint32_t job, std::uint32_t waits_for) const;
  [[nodiscard]] std::string id_of(std::uint32_t job) const;  // O(jobs)

  std::string source_;
  Count most_tasks_;
  std::unordered_map<std::string, std::uint32_t> index_;  // id → position
  std::vector<std::int64_t> lines_;                       // by position
  std::vector<JobTimes> times_;                           // by position
  std::vector<Edge> edges_;
  std::unordered_set<std::string> elsewhere_;
  std::int64_t work_ms_ = 0;
  Count tasks_ = 0;
};

}  // namespace wavewright
