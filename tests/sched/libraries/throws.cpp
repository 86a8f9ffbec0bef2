// A library that fails while it registers.
#include <stdexcept>

#include "wavewright/sched/registry.h"

WAVEWRIGHT_POLICY_LIBRARY

void wavewright_register(wavewright::PolicyRegistry&) {
  throw std::runtime_error("not today");
}
