// Allocators that promise deadlines.
#pragma once

namespace wavewright {

class PromisesDeadlines {
 public:
  virtual ~PromisesDeadlines() = default;
  // True if each job that it accepts is in time, as long as no task takes longer than its estimate. Such a
  // policy is not made for a cluster whose tasks slow one another down (make_policy_on()).
  [[nodiscard]] virtual bool promises_deadlines() const = 0;
};

}  // namespace wavewright
