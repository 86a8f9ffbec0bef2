#include "wavewright/plan/schedule/simulated_schedule.h"

#include "wavewright/sched/policies/ranked_order.h"

namespace wavewright {

SimulatedSchedule::SimulatedSchedule(const Workload& batch, SlotCluster cluster)
    : tasks_(std::make_shared<const TaskTable>(batch)),
      cluster_(cluster),
      count_(batch.tasks()),
      map_ends_(batch.jobs.size()),
      ends_(batch.jobs.size()) {}

PlanValue SimulatedSchedule::value(std::span<const JobIndex> maps, std::span<const JobIndex> reduces) {
  const auto policy = make_ranked_orders(maps, reduces);
  const SimulationResult result = simulate(*tasks_, *policy, {cluster_.pool, cluster_.slowstart, false});
  for (JobIndex job = 0; job < ends_.size(); ++job) {
    map_ends_[job] = to_ms(result.jobs[job].maps_done);
    ends_[job] = to_ms(result.jobs[job].finish);
  }
  return {result.makespan, result.total_completion};
}

}  // namespace wavewright
