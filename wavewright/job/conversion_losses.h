// Helpers of all conversions: jobs by submission, fields that a format lacks, rows dropped.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/job/job.h"

namespace wavewright {

// Indices into `workload.jobs`; jobs of equal submission keep the order of the file. O(n log n).
[[nodiscard]] std::vector<std::size_t> by_submission(const Workload& workload);

// Fields that a format may lack. Every format has ids, submissions and durations.
enum class JobField : std::uint8_t {
  names,
  users_and_queues,
  shuffles,
  deadlines,
  after,
  bytes,
  splits,
  classes,
  memory,
  processors,
  failures,
  values,
  unknown
};

// One sentence for each field of some job that is not `told` (in the format): `deadlines of 3 jobs`.
[[nodiscard]] std::vector<std::string> fields_lost(const Workload& workload,
                                                   std::initializer_list<JobField> told);

// Counts the unusable rows of a table by reason.
class DroppedRows {
 public:
  // O(number of different reasons), which is small.
  void add(std::string_view reason, std::int64_t line);

  [[nodiscard]] Count rows() const;
  // `3 rows: the job failed (first on line 7)`, in order of first occurrence.
  [[nodiscard]] std::vector<std::string> sentences() const;

 private:
  struct Reason {
    std::string text;
    std::int64_t first_line = 0;
    Count rows = 0;
  };
  std::vector<Reason> reasons_;
};

}  // namespace wavewright
