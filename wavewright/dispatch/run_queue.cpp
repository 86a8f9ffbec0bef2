#include "wavewright/dispatch/run_queue.h"

#include <string>
#include <unordered_map>

#include "wavewright/plan/methods/orders.h"

namespace wavewright {

QueueRun run_queue(const Workload& arrivals, DispatchQueue& queue) {
  QueueRun run;
  run.round_of.resize(arrivals.jobs.size());
  std::unordered_map<std::string, JobIndex> positions;
  const auto dispatch = [&](Time now) {
    Round round = queue.decide(now);
    for (const WaitingJob& job : round.jobs) {
      const JobIndex position = positions.at(job.id);
      run.order.push_back(position);
      run.round_of[position] = run.rounds.size();
      run.dispatched.jobs.push_back(arrivals.jobs[position]);
      run.dispatched.jobs.back().submit = now;
    }
    run.rounds.push_back(std::move(round));
  };
  for (const JobIndex next : submission_order(arrivals)) {
    const Job& job = arrivals.jobs[next];
    // A round sees the arrivals of its own instant.
    while (queue.next_decision() && *queue.next_decision() < job.submit) dispatch(*queue.next_decision());
    positions[job.id] = next;
    queue.arrive(job.submit, waiting_job(job));
  }
  while (queue.next_decision()) dispatch(*queue.next_decision());
  return run;
}

std::vector<FinishedJob> finished_jobs(const Workload& arrivals,
                                       const std::vector<std::optional<Time>>& finish) {
  std::vector<FinishedJob> finished;
  for (std::size_t i = 0; i < arrivals.jobs.size(); ++i) {
    const Job& job = arrivals.jobs[i];
    if (finish[i]) finished.push_back({job.submit, *finish[i], job.deadline, delay_weight(job)});
  }
  return finished;
}

double value_of_run(const Workload& arrivals, const std::vector<std::optional<Time>>& finish,
                    Objective objective) {
  return value_of(objective, {.jobs = finished_jobs(arrivals, finish)});
}

}  // namespace wavewright
