// A library that was built for another version.
#include "wavewright/sched/registry.h"

const char* wavewright_abi() {
  return "Wavewright 0.0.1, gcc 3";
}

void wavewright_register(wavewright::PolicyRegistry&) {}
