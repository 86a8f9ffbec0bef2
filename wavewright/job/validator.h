// Validates a workload job by job, while a file is read.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/job/job.h"

namespace wavewright {

// Tasks that one workload may hold; more are refused before anything is allocated.
inline constexpr Count max_tasks = 100'000'000;

class WorkloadValidator {
 public:
  // `source` names the workload in errors: a file or a generator.
  explicit WorkloadValidator(std::string source) : source_(std::move(source)) {}

  // Throws InputError (with `line` if known) if the job itself is invalid, its id occurred before, or the
  // total work so far is too large. O(tasks of the job).
  void add(const Job& job, std::int64_t line = 0);

  // Call after the last job. Throws InputError for unknown or cyclic `after`. O(jobs + edges).
  void finish() const;

  [[nodiscard]] Count jobs() const { return static_cast<Count>(lines_.size()); }
  [[nodiscard]] Count tasks() const { return tasks_; }

 private:
  struct Edge {
    std::uint32_t job;  // the job that waits
    std::string after;
  };
  [[noreturn]] void refuse(const Job& job, std::int64_t line, const std::string& what,
                           const std::string& remedy) const;
  void check_times(const Job& job, std::int64_t line);
  void check_durations(const Job& job, std::int64_t line, const char* field,
                       const std::vector<Duration>& durations);
  void check_classes(const Job& job, std::int64_t line) const;

  std::string source_;
  std::unordered_map<std::string, std::uint32_t> index_;  // id → position
  std::vector<std::int64_t> lines_;                       // by position
  std::vector<Edge> edges_;
  std::int64_t work_ms_ = 0;
  Count tasks_ = 0;
};

}  // namespace wavewright
