#include "wavewright/sched/job_facts.h"

#include <utility>
#include <vector>

namespace wavewright {

JobFacts facts_of(const Job& job, std::span<const JobIndex> predecessors) {
  const auto money = [](const std::optional<double>& usd) {
    return usd ? std::optional(from_usd(*usd)) : std::nullopt;
  };
  return {.id = job.id,
          .name = job.name,
          .user = job.user,
          .queue = job.queue,
          .submit = job.submit,
          .deadline = job.deadline,
          .value = money(job.value),
          .delay_cost_per_s = money(job.delay_cost_per_s),
          .input = job.input,
          .maps = static_cast<Count>(job.maps.size()),
          .reduces = static_cast<Count>(job.reduces.size()),
          .predecessors = predecessors};
}

Duration quantile_of(const Job& job, Kind kind, double q) {
  std::vector<Duration> durations = kind == Kind::map ? job.maps : job.reduces;
  if (durations.empty() || kind == Kind::master) return {};
  if (kind == Kind::reduce) {
    for (std::size_t i = 0; i < durations.size(); ++i) durations[i] = job.longest_reduce(i);
  }
  return order_statistic(std::move(durations), q);
}

}  // namespace wavewright
