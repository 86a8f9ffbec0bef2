#include "wavewright/plan/methods/johnson.h"
#include "wavewright/plan/online/rules.h"

namespace wavewright {

std::vector<JobIndex> johnson_rule(std::span<const WaitingJob> jobs, SlotPool pool) {
  return johnson_order(fluid_times(jobs, pool));
}

}  // namespace wavewright
