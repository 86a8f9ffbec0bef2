#include "wavewright/realtime/policies.h"

#include "wavewright/realtime/constraint.h"
#include "wavewright/realtime/reservations.h"
#include "wavewright/realtime/rtmr.h"

namespace wavewright {

std::vector<PolicyEntry> realtime_policies() {
  return {rtmr_entry(), constraint_entry(), reservations_entry()};
}

}  // namespace wavewright
