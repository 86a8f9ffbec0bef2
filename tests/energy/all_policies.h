// The registry of the standard policies and those of energy.
#pragma once

#include <utility>

#include "wavewright/energy/policies.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {

inline const PolicyRegistry& all_policies() {
  static const PolicyRegistry all = [] {
    PolicyRegistry made = standard_policies();
    for (PolicyEntry& entry : energy_policies()) made.add(std::move(entry));
    return made;
  }();
  return all;
}

}  // namespace wavewright
