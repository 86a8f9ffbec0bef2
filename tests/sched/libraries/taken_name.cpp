// A library whose second policy has the name of another.
#include "wavewright/sched/policies/fifo.h"

WAVEWRIGHT_POLICY_LIBRARY

void wavewright_register(wavewright::PolicyRegistry& registry) {
  wavewright::PolicyEntry entry = wavewright::fifo_entry();
  for (const char* name : {"new", "fair"}) {
    entry.name = name;
    registry.add(entry);
  }
}
