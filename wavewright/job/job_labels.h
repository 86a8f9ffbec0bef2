// What people read for a job: its name. Ids are for programs.
#pragma once

#include <string>
#include <vector>

#include "wavewright/job/job.h"

namespace wavewright {

// A job's label is its name. Jobs that share one are told apart by what their ids do not share, without the
// separator before it: `word count (0003)`; by the whole id where that is not enough. A job without a name
// has its id. Labels are unique where ids and names differ. O(jobs · log jobs · length).
class JobLabels {
 public:
  // `ids`: every label is the id.
  explicit JobLabels(const std::vector<Job>& jobs, bool ids = false);

  [[nodiscard]] const std::string& operator[](std::size_t job) const { return labels_[job]; }

 private:
  std::vector<std::string> labels_;
};

}  // namespace wavewright
