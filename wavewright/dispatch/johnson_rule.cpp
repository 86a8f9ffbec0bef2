#include "wavewright/dispatch/rules.h"
#include "wavewright/plan/methods/johnson.h"

namespace wavewright {

std::vector<JobIndex> johnson_rule(std::span<const WaitingJob> jobs, SlotPool pool) {
  return johnson_order(fluid_times(jobs, pool));
}

}  // namespace wavewright
