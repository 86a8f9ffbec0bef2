#include "wavewright/dispatch/search.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>

#include "wavewright/plan/methods/exhaustive.h"
#include "wavewright/plan/schedule/list_schedule.h"
#include "wavewright/sched/policies/ranked_order.h"
#include "wavewright/sim/simulate.h"

namespace wavewright {

namespace {

constexpr std::uint64_t stop_every = 256;  // orders

bool has_planner(const OrderingEngine& engine) {
  return !engine.own && is_planned(engine.objective);
}

class Model {
 public:
  Model(const OrderingEngine& engine, std::span<const WaitingJob> jobs, Time now)
      : engine_(engine), now_(now), batch_(batch_of(jobs)) {
    for (const WaitingJob& job : jobs) finished_.push_back(finished(job, now));
    if (ListSchedule::models(batch_, {engine.pool})) {
      schedule_.emplace(batch_, engine.pool);
    } else {
      tasks_.emplace(batch_);
    }
  }

  [[nodiscard]] double value(std::span<const JobIndex> order) {
    ++evaluated_;
    if (schedule_) {
      (void)schedule_->value(order);
      for (std::size_t job = 0; job < finished_.size(); ++job)
        finished_[job].finish = now_ + ms(schedule_->ends()[job]);
    } else {
      const auto policy = make_ranked_order(order);
      const SimulationResult result = simulate(*tasks_, *policy, {.pool = engine_.pool});
      for (std::size_t job = 0; job < finished_.size(); ++job)
        finished_[job].finish = now_ + (result.jobs[job].finish - Time{});
    }
    return engine_.own ? engine_.own->value(finished_) : value_of(engine_.objective, {.jobs = finished_});
  }

  [[nodiscard]] const Workload& batch() const { return batch_; }
  [[nodiscard]] std::uint64_t evaluated() const { return evaluated_; }

 private:
  const OrderingEngine& engine_;
  Time now_;
  Workload batch_;
  std::vector<FinishedJob> finished_;
  std::optional<ListSchedule> schedule_;
  std::optional<TaskTable> tasks_;
  std::uint64_t evaluated_ = 0;
};

void keep_better(SearchedOrder& best, Model& model, const std::vector<JobIndex>& order) {
  const double value = model.value(order);
  if (value >= best.value) return;
  best.value = value;
  best.order = order;
}

void try_every_order(SearchedOrder& best, Model& model, std::size_t jobs, const Stop& stop) {
  std::vector<JobIndex> order(jobs);
  std::iota(order.begin(), order.end(), JobIndex{0});
  do {
    if (model.evaluated() % stop_every == 0 && stop.now()) {
      best.stopped = true;
      return;
    }
    keep_better(best, model, order);
  } while (std::next_permutation(order.begin(), order.end()));
}

// Ids of `batch_of` are positions.
std::vector<JobIndex> positions(const std::vector<std::string>& ids) {
  std::vector<JobIndex> order;
  order.reserve(ids.size());
  for (const std::string& id : ids) order.push_back(static_cast<JobIndex>(std::stoul(id)));
  return order;
}

}  // namespace

std::size_t most_jobs_searched(const OrderingEngine& engine) {
  return has_planner(engine) ? most_searched : most_permuted;
}

SearchedOrder search_orders(const OrderingEngine& engine, std::span<const WaitingJob> jobs, Time now,
                            const std::vector<JobIndex>& start, const Stop& stop) {
  Model model(engine, jobs, now);
  SearchedOrder best{start, model.value(start)};
  const auto planned = [&] {
    if (!has_planner(engine)) return false;
    const PlanningProblem problem{
        .batch = shared(model.batch()), .cluster = {engine.pool}, .objective = engine.objective};
    const std::unique_ptr<Planner> exhaustive = make_exhaustive();
    if (!exhaustive->refuses(problem).empty()) return false;
    const Plan plan = exhaustive->plan(problem, stop);
    keep_better(best, model, positions(plan.order));
    best.evaluated = static_cast<std::uint64_t>(plan.evaluated);
    best.stopped = plan.partial;
    return true;
  };
  if (jobs.size() > 1 && !planned()) try_every_order(best, model, jobs.size(), stop);
  best.evaluated += model.evaluated();
  return best;
}

double value_of_order(const OrderingEngine& engine, std::span<const WaitingJob> jobs, Time now,
                      std::span<const JobIndex> order) {
  return Model(engine, jobs, now).value(order);
}

}  // namespace wavewright
