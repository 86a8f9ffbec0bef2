#include "wavewright/sim/containers/ramp_up.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright::sim {

namespace {

Count total_memory(const RampUp& job) {
  return job.headroom + job.maps_held * job.map_memory + job.reduces_held * job.reduce_memory;
}

Count part_of(Count memory, double part) {
  return static_cast<Count>(std::floor(static_cast<double>(memory) * part));
}

Count divide_up(Count a, Count b) {
  return (a + b - 1) / b;
}

}  // namespace

Count reduces_to_ask(const RampUp& job) {
  const Count unasked = job.reduces_wanted - job.reduces_asked;
  if (unasked <= 0) return job.reduces_wanted;
  if (job.maps_asked == 0) return job.reduces_wanted;
  const Count total = total_memory(job);
  const double done = job.maps == 0 ? 1 : static_cast<double>(job.maps_done) / static_cast<double>(job.maps);
  const Count for_reduces = part_of(total, std::min(done, job.limit));
  const Count left_by_maps = total - for_reduces - (job.maps_asked + job.maps_held) * job.map_memory;
  const Count most = for_reduces + std::max<Count>(0, left_by_maps);
  const Count more = (most - (job.reduces_asked + job.reduces_held) * job.reduce_memory) / job.reduce_memory;
  return more > 0 ? job.reduces_asked + std::min(more, unasked)
                  : job.reduces_asked - std::min(-more, job.reduces_asked);
}

Count reduces_to_stop(const RampUp& job) {
  constexpr double most_part = 0.5;  // of the memory [mapreduce.job.reduce.preemption limit]
  if (job.maps_held > 0 || job.maps_asked == 0 || job.headroom >= job.map_memory) return 0;
  const Count one_map = divide_up(job.map_memory, job.reduce_memory);
  const Count by_limit = divide_up(part_of(total_memory(job), most_part), job.reduce_memory);
  const Count all_maps = divide_up(job.map_memory * job.maps_asked, job.reduce_memory);
  return std::min({std::max(one_map, by_limit), all_maps, job.reduces_held});
}

void refuse_stopped_in_vain(const std::string& job) {
  throw NoAnswer(fmt::format("job '{}' can never be placed: its reduces were stopped {} times for maps that "
                             "get no container all the same",
                             job, StoppedInVain::most_rounds),
                 "give its queue or the nodes room for a map beside the application master");
}

}  // namespace wavewright::sim
