#include "wavewright/sim/model/ramp_up.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/sched/policy.h"

namespace wavewright::sim {

namespace {

// A resource that the master counts: memory or cores.
struct Resource {
  Count of_map = 1;
  Count of_reduce = 1;
  Count headroom = 0;
};

std::vector<Resource> resources(const RampUp& job) {
  std::vector<Resource> all = {{job.map_memory, job.reduce_memory, job.headroom}};
  if (job.cores && job.cores->of_map > 0 && job.cores->of_reduce > 0)
    all.push_back({job.cores->of_map, job.cores->of_reduce, job.cores->headroom});
  return all;
}

Count total(const RampUp& job, const Resource& resource) {
  return resource.headroom + job.maps_held * resource.of_map + job.reduces_held * resource.of_reduce;
}

Count part_of(Count memory, double part) {
  return static_cast<Count>(std::floor(static_cast<double>(memory) * part));
}

}  // namespace

Count reduces_to_ask(const RampUp& job) {
  const Count unasked = job.reduces_wanted - job.reduces_asked;
  if (unasked <= 0) return job.reduces_wanted;
  if (job.maps_asked == 0) return job.reduces_wanted;
  const double done = job.maps == 0 ? 1 : static_cast<double>(job.maps_done) / static_cast<double>(job.maps);
  const auto for_reduces = [&](const Resource& each) {
    return part_of(total(job, each), std::min(done, job.limit));
  };
  const auto left_by_maps = [&](const Resource& each) {
    return total(job, each) - for_reduces(each) - (job.maps_asked + job.maps_held) * each.of_map;
  };
  const std::vector<Resource> all = resources(job);
  const bool maps_leave_some =
      std::all_of(all.begin(), all.end(), [&](const Resource& each) { return left_by_maps(each) >= 0; });
  Count more = unlimited;
  for (const Resource& each : all) {
    const Count most = for_reduces(each) + (maps_leave_some ? left_by_maps(each) : 0);
    more = std::min(more, (most - (job.reduces_asked + job.reduces_held) * each.of_reduce) / each.of_reduce);
  }
  return more > 0 ? job.reduces_asked + std::min(more, unasked)
                  : job.reduces_asked - std::min(-more, job.reduces_asked);
}

std::optional<Count> reduces_to_stop(const RampUp& job) {
  constexpr double most_part = 0.5;  // of the job's total [mapreduce.job.reduce.preemption limit]
  if (job.maps_held > 0 || job.maps_asked == 0) return std::nullopt;
  const std::vector<Resource> all = resources(job);
  const bool room = std::all_of(all.begin(), all.end(), [&](const Resource& each) {
    return each.headroom - job.reduces_asked * each.of_reduce >= each.of_map;
  });
  const Count starving = job.maps_overdue > 0 ? job.maps_overdue : room ? 0 : job.maps_delayed;
  if (starving == 0) return std::nullopt;
  Count one_map = 0, by_limit = 0, all_maps = 0;
  for (const Resource& each : all) {
    one_map = std::max(one_map, divide_up(each.of_map, each.of_reduce));
    by_limit = std::max(by_limit, divide_up(part_of(total(job, each), most_part), each.of_reduce));
    all_maps = std::max(all_maps, divide_up(each.of_map * starving, each.of_reduce));
  }
  return std::min({std::max(one_map, by_limit), all_maps, job.reduces_held});
}

void refuse_stopped_in_vain(const std::string& job) {
  throw Infeasible(
      fmt::format("job '{}' can never be placed: its reduces were stopped {} times for maps that "
                  "get no container all the same",
                  job, StoppedInVain::most_rounds),
      "give its queue or the nodes room for a map beside the application master");
}

}  // namespace wavewright::sim
