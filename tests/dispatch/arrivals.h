// Small random streams of jobs: many arrive at once, some just when a round is due.
#pragma once

#include <rapidcheck.h>

#include "tests/sim/worlds.h"

namespace wavewright {

inline Workload some_arrivals() {
  Workload workload = worlds::some_workload({.zero_lengths = false});
  for (Job& job : workload.jobs) {
    job.submit = at_ms(*rc::gen::element(0, 5, 10, 20, 60) + *rc::gen::inRange(0, 3) * 100);
    if (*rc::gen::arbitrary<bool>()) job.deadline = at_ms(*rc::gen::inRange(0, 500));
    if (*rc::gen::arbitrary<bool>()) job.delay_cost_per_s = *rc::gen::inRange(1, 9);
  }
  return workload;
}

inline SlotPool some_pool() {
  return {*rc::gen::inRange(1, 5), *rc::gen::inRange(1, 5)};
}

}  // namespace wavewright
