// How many machines should be there for jobs whose deadline is too near to wait for a machine to boot, from
// the lateness that k machines at once would have saved such jobs so far: a newsvendor's choice.
//
// With k machines of m map and r reduce slots, and others after the boot, a job of maps M·a and reduces R·b
// is taken to end its maps by t = min(⌈M / km⌉·a, boot + a), and its reduces by min(t + ⌈R / kr⌉·b, max(t,
// boot) + b). Its lateness is priced; what happened is forgotten exponentially.
#pragma once

#include <optional>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"
#include "wavewright/sched/resources.h"

namespace wavewright {

struct LatenessPrice {
  double hour = 1;  // USD for each hour by which a job is tardy
  double job = 0;   // USD for each tardy job

  [[nodiscard]] double of(double seconds, Count jobs) const {
    return hour * seconds / 3600 + job * static_cast<double>(jobs);
  }
};

struct HurriedJob {
  Count maps = 0, reduces = 0;
  Duration map{}, reduce{};  // length of a task
  Duration left{};           // time until the deadline
};

class SpareMachines {
 public:
  // `memory`: after that time what happened counts 1/e. `most`: machines.
  SpareMachines(Resources machine, Duration boot, Duration memory, Count most);

  void arrived(Time at, const HurriedJob& job, const LatenessPrice& price);  // O(log most)
  // The number for which machines and lateness cost least; 0 before any job arrived. O(log most).
  [[nodiscard]] Count best(Time now, double machine_hour_usd) const;

 private:
  [[nodiscard]] Duration end(const HurriedJob& job, Count machines) const;
  [[nodiscard]] double kept(Time now) const;  // of the sums

  Resources machine_;
  Duration boot_, memory_;
  std::vector<Count> sizes_;      // 0, 1, 2, 3, 4, 6, 8, 12, 16, …, most
  std::vector<double> lateness_;  // by size, USD, decayed to `at_`
  std::optional<Time> first_;
  Time at_{};
};

}  // namespace wavewright
