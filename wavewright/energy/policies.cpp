#include "wavewright/energy/policies.h"

#include "wavewright/energy/efh.h"
#include "wavewright/energy/ideal.h"
#include "wavewright/energy/plan/energy_plan_policy.h"

namespace wavewright {

std::vector<PolicyEntry> energy_policies() {
  return {efh_entry(), ideal_entry(), energy_plan_entry()};
}

}  // namespace wavewright
