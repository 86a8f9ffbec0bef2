#include "wavewright/energy/policies.h"

#include "wavewright/energy/efh.h"
#include "wavewright/energy/ideal.h"

namespace wavewright {

std::vector<PolicyEntry> energy_policies() {
  return {efh_entry(), ideal_entry()};
}

}  // namespace wavewright
