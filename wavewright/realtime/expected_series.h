// Series of jobs whose later instances are promised before they come.
#pragma once

#include <deque>
#include <limits>
#include <string_view>
#include <vector>

#include "wavewright/core/time.h"
#include "wavewright/realtime/admission.h"
#include "wavewright/realtime/series.h"

namespace wavewright {

class ExpectedSeries {
 public:
  struct Promised {
    Series series;
    bool begun = false;                  // its first instance has come
    std::deque<RealtimeJob> expected{};  // by release
  };

  explicit ExpectedSeries(const std::vector<Series>& all);

  // The series of jobs of that name; null if there is none.
  [[nodiscard]] Promised* of(std::string_view name);
  // Is this the number of an instance that has not come? No job of a run has such a number.
  [[nodiscard]] bool expects(JobIndex job) const { return job > next_; }

  // Asks for the first instance, which has come, and all others. Without a deadline there is nothing to
  // promise: not accepted.
  AdmissionAnswer admit_all(const RealtimeJob& first, Promised& series, AdmissionController& admission,
                            Time now);
  // Instances that did not come in time are expected no more.
  void forget_missed(AdmissionController& admission, Time now);
  // True if the job is the next instance as it was promised.
  bool came_as_expected(const RealtimeJob& job, Promised& series, AdmissionController& admission, Time now);

 private:
  std::vector<Promised> series_;
  JobIndex next_ = std::numeric_limits<JobIndex>::max();  // numbers above it are of expected instances
};

}  // namespace wavewright
