// Jobs to predict: the papers' and random ones.
#pragma once

#include <rapidcheck.h>

#include "wavewright/predict/statistics.h"

namespace wavewright {

// Anagram on D1 (2 GB), tables 3.1 and 3.2 of CLOUD, in ms; later waves like the first.
inline JobStatistics anagram_24_24(Count maps) {
  JobStatistics job;
  job.maps = maps;
  job.reduces = 24;
  job.map = {94'000, 144'000, 186'000};
  job.first_shuffle = job.shuffle = {121'000, 136'000, 152'000};
  job.reduce = {16'000, 24'500, 33'000};
  return job;
}
inline JobStatistics anagram_48_24(Count maps) {
  JobStatistics job = anagram_24_24(maps);
  job.map = {94'000, 133'000, 170'000};
  job.first_shuffle = job.shuffle = {122'000, 137'000, 152'000};
  job.reduce = {15'000, 26'000, 37'000};
  return job;
}

// A draw of rapidcheck.
inline PhaseStatistics any_phase(int longest) {
  PhaseStatistics phase;
  phase.min_ms = *rc::gen::inRange(0, longest);
  phase.avg_ms = phase.min_ms + *rc::gen::inRange(0, longest);
  phase.max_ms = phase.avg_ms + *rc::gen::inRange(0, longest);
  return phase;
}
inline JobStatistics any_job() {
  JobStatistics job;
  job.maps = *rc::gen::inRange<Count>(0, 60);
  job.reduces = *rc::gen::inRange<Count>(0, 40);
  job.map = any_phase(300);
  job.first_shuffle = any_phase(100);
  job.shuffle = any_phase(200);
  job.reduce = any_phase(300);
  job.overhead_ms = *rc::gen::inRange(0, 50);
  return job;
}

}  // namespace wavewright
