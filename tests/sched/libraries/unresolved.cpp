// A library that calls a function that the command has not.
#include "wavewright/sched/registry.h"

void removed_since();

WAVEWRIGHT_POLICY_LIBRARY

void wavewright_register(wavewright::PolicyRegistry&) {
  removed_since();
}
