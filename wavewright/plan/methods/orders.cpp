#include "wavewright/plan/methods/orders.h"

#include <algorithm>
#include <numeric>

#include "wavewright/core/random.h"
#include "wavewright/job/precedence.h"
#include "wavewright/plan/evaluate.h"
#include "wavewright/plan/methods/critical_path.h"
#include "wavewright/plan/methods/johnson.h"

namespace wavewright {

namespace {

std::vector<JobIndex> all_jobs(const Workload& batch) {
  std::vector<JobIndex> order(batch.jobs.size());
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

class OrderPlanner final : public Planner {
 public:
  using MakeOrder = std::vector<JobIndex> (*)(const PlanningProblem&);

  enum class Of { batches, workflows };

  OrderPlanner(std::string name, std::string description, MakeOrder make, Of of)
      : name_(std::move(name)), description_(std::move(description)), make_(make), of_(of) {}

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::string description() const override { return description_; }
  [[nodiscard]] bool searches() const override { return false; }
  [[nodiscard]] std::string refuses(const PlanningProblem& problem) const override {
    return of_ == Of::workflows && !has_precedence(*problem.batch) ? "no job waits for another ('after')"
                                                                   : "";
  }
  [[nodiscard]] Plan plan(const PlanningProblem& problem, const Stop&) const override {
    const auto began = Stop::Clock::now();
    Plan plan = plan_of_order(problem, name_, make_(problem));
    value_plan(plan, problem);
    plan.seconds = std::chrono::duration<double>(Stop::Clock::now() - began).count();
    return plan;
  }

 private:
  std::string name_, description_;
  MakeOrder make_;
  Of of_;
};

}  // namespace

std::vector<JobIndex> submission_order(const Workload& batch) {
  std::vector<JobIndex> order = all_jobs(batch);
  std::stable_sort(order.begin(), order.end(),
                   [&](JobIndex a, JobIndex b) { return batch.jobs[a].submit < batch.jobs[b].submit; });
  return order;
}

std::vector<JobIndex> random_order(const Workload& batch, std::uint64_t seed) {
  std::vector<JobIndex> order = all_jobs(batch);
  Random(seed, "plan/random").shuffle(std::span<JobIndex>(order));
  return order;
}

std::vector<JobIndex> shortest_first_order(const Workload& batch, SlotPool pool) {
  std::vector<double> length;
  for (const Job& job : batch.jobs) {
    double maps = 0, reduces = 0;
    for (const Duration map : job.maps) maps += static_cast<double>(to_ms(map));
    for (std::size_t i = 0; i < job.reduces.size(); ++i) {
      reduces += static_cast<double>(to_ms(job.least_reduce(i)));
    }
    length.push_back(maps / static_cast<double>(std::max<Count>(pool.map_slots, 1)) +
                     reduces / static_cast<double>(std::max<Count>(pool.reduce_slots, 1)));
  }
  std::vector<JobIndex> order = all_jobs(batch);
  std::stable_sort(order.begin(), order.end(), [&](JobIndex a, JobIndex b) { return length[a] < length[b]; });
  return order;
}

std::vector<JobIndex> johnson_order(const Workload& batch, SlotPool pool) {
  std::vector<StageTimes> times;
  times.reserve(batch.jobs.size());
  for (const Job& job : batch.jobs) times.push_back(stage_times(job, pool));
  return johnson_order(times);
}

std::vector<std::unique_ptr<Planner>> make_order_planners() {
  std::vector<std::unique_ptr<Planner>> planners;
  const auto add = [&](const char* name, const char* description, OrderPlanner::MakeOrder make,
                       OrderPlanner::Of of = OrderPlanner::Of::batches) {
    planners.push_back(std::make_unique<OrderPlanner>(name, description, make, of));
  };
  add("submission", "jobs in order of submission",
      [](const PlanningProblem& problem) { return submission_order(*problem.batch); });
  add("johnson", "Johnson's rule on stage durations [HP Alg. 1, CLOUD Alg. 3]",
      [](const PlanningProblem& problem) { return johnson_order(*problem.batch, problem.cluster.pool); });
  add("reverse-johnson", "Johnson's order reversed, the papers' worst case [HP §IV-B]",
      [](const PlanningProblem& problem) {
        std::vector<JobIndex> order = johnson_order(*problem.batch, problem.cluster.pool);
        std::reverse(order.begin(), order.end());
        return order;
      });
  add("spt", "shortest processing time first, for total completion time [ORDER Alg. 4]",
      [](const PlanningProblem& problem) {
        return shortest_first_order(*problem.batch, problem.cluster.pool);
      });
  add(
      "critical-path", "of workflows: the longest remaining chain of jobs first",
      [](const PlanningProblem& problem) {
        return critical_path_order(*problem.batch, problem.cluster.pool);
      },
      OrderPlanner::Of::workflows);
  add("random", "a seeded random order",
      [](const PlanningProblem& problem) { return random_order(*problem.batch, problem.seed); });
  return planners;
}

}  // namespace wavewright
