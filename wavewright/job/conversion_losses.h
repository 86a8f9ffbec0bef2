// What conversions share: jobs in order of submission, the fields that a format lacks, and the rows dropped.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/job/job.h"

namespace wavewright {

// Positions in `workload.jobs`; equal submissions stay in the order of the file. O(n log n).
[[nodiscard]] std::vector<std::size_t> by_submission(const Workload& workload);

// What a format may lack, besides ids, submission and durations.
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

// A sentence for each field that some job has and that is not among those told: `deadlines of 3 jobs`.
[[nodiscard]] std::vector<std::string> fields_lost(const Workload& workload,
                                                   std::initializer_list<JobField> told);

// Rows of a table that cannot be used, by reason.
class DroppedRows {
 public:
  // O(number of different reasons), of which there are few.
  void add(std::string_view reason, std::int64_t line);

  [[nodiscard]] Count rows() const;
  // `3 rows: the job failed (first on line 7)`, in the order in which the reasons came up.
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
