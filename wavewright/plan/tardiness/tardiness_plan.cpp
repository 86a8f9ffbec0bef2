#include "wavewright/plan/tardiness/tardiness_plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "wavewright/core/random.h"
#include "wavewright/job/objective.h"
#include "wavewright/plan/methods/orders.h"
#include "wavewright/plan/schedule/any_schedule.h"
#include "wavewright/plan/tardiness/tardiness_bound.h"

namespace wavewright {

namespace {

constexpr double usual_task_steps = 2e9;  // about some seconds
constexpr std::uint64_t most_usual = 200'000;
constexpr double never = 1e18;

using Order = std::vector<JobIndex>;

class Search {
 public:
  Search(const TardinessProblem& problem, const Stop& stop)
      : batch_(*problem.batch),
        problem_(problem),
        stop_(stop),
        weights_(tardiness_weights(batch_)),
        schedule_(batch_, problem.cluster),
        random_(problem.seed, "tardiness") {
    budget_ = problem.evaluations;
    const double tasks = static_cast<double>(std::max<std::uint64_t>(1, schedule_.tasks()));
    if (budget_ == 0)
      budget_ = std::min(most_usual, static_cast<std::uint64_t>(usual_task_steps / tasks / 10) + 50);
  }

  [[nodiscard]] TardinessPlan run() {
    rules();
    const TardinessBound bound(batch_, problem_.cluster.pool, weights_);
    best_.bound = std::min(best_.value, bound.best(best_.ends));
    if (open() && batch_.jobs.size() <= exhaustive_jobs) {
      exhaust();
    } else if (open()) {
      anneal();
      best_.bound = std::min(best_.value, std::max(best_.bound, bound.best(best_.ends)));
    }
    best_.proved_optimal = !open();
    best_.best_single_order = best_.best_single_order || best_.proved_optimal;
    return std::move(best_);
  }

 private:
  // Is there anything left to gain?
  [[nodiscard]] bool open() const { return best_.value > best_.bound + 1e-6; }
  [[nodiscard]] bool stopped() {
    best_.partial = best_.partial || stop_.now();
    return best_.partial;
  }

  double value_of(const Order& order) {
    const PlanValue value = schedule_.value(order);
    ++best_.evaluated;
    double sum = 0;
    for (std::size_t job = 0; job < batch_.jobs.size(); ++job) sum += cost_of(job);
    makespan_ = value.makespan;
    total_completion_ = value.total_completion;
    return sum;
  }
  // In the last schedule.
  [[nodiscard]] double cost_of(std::size_t job) const {
    const std::optional<Time>& deadline = batch_.jobs[job].deadline;
    if (!deadline) return 0;
    return weights_[job] *
           static_cast<double>(std::max<std::int64_t>(0, schedule_.ends()[job] - to_ms(*deadline)));
  }
  // The order is the one of the last schedule.
  bool keep(const Order& order, double value, const char* method) {
    if (!best_.order.empty() && value >= best_.value) return false;
    best_.order = order;
    best_.value = value;
    best_.method = method;
    best_.ends.assign(schedule_.ends().begin(), schedule_.ends().end());
    best_.makespan = makespan_;
    best_.total_completion = total_completion_;
    return true;
  }
  void attempt(const Order& order, const char* method) { keep(order, value_of(order), method); }

  // ---- rules

  [[nodiscard]] double time_alone(std::size_t job) const {
    const Job& of = batch_.jobs[job];
    const SlotPool pool = problem_.cluster.pool;
    double maps = 0, reduces = 0;
    for (const Duration map : of.maps) maps += static_cast<double>(to_ms(map));
    for (std::size_t i = 0; i < of.reduces.size(); ++i)
      reduces += static_cast<double>(to_ms(of.least_reduce(i)));
    return maps / static_cast<double>(std::max<Count>(1, pool.map_slots)) +
           reduces / static_cast<double>(std::max<Count>(1, pool.reduce_slots));
  }
  [[nodiscard]] double deadline_of(std::size_t job) const {
    const std::optional<Time>& deadline = batch_.jobs[job].deadline;
    return deadline ? static_cast<double>(to_ms(*deadline)) : never;
  }
  template <class Key>
  [[nodiscard]] Order sorted(Key key) const {
    Order order(batch_.jobs.size());
    std::iota(order.begin(), order.end(), JobIndex{0});
    std::stable_sort(order.begin(), order.end(), [&](JobIndex a, JobIndex b) { return key(a) < key(b); });
    return order;
  }

  void rules() {
    attempt(sorted([&](JobIndex job) { return deadline_of(job); }), "earliest-deadline");
    attempt(sorted([&](JobIndex job) { return deadline_of(job) - time_alone(job); }), "least-slack");
    attempt(shortest_first_order(batch_, problem_.cluster.pool), "spt");
    constexpr std::size_t most_jobs = 3'000;  // the rule takes time in their square
    if (batch_.jobs.size() > most_jobs) return;
    for (const double ahead : {0.5, 1.0, 2.0, 4.0, 8.0}) {
      if (stopped()) return;
      attempt(apparent_cost(ahead), "apparent-tardiness-cost");
    }
  }

  // The job goes next whose weight over work is largest, less the more slack it has.
  [[nodiscard]] Order apparent_cost(double ahead) const {
    Order left(batch_.jobs.size());
    std::iota(left.begin(), left.end(), JobIndex{0});
    double mean = 0;
    for (const JobIndex job : left) mean += time_alone(job) / static_cast<double>(left.size());
    std::vector<double> alone;
    for (const JobIndex job : left) alone.push_back(std::max(1.0, time_alone(job)));
    Order order;
    double now = 0;
    while (!left.empty()) {
      std::size_t best = 0;
      double highest = -never;
      for (std::size_t i = 0; i < left.size(); ++i) {
        const JobIndex job = left[i];
        const auto submit = static_cast<double>(to_ms(batch_.jobs[job].submit));
        const double slack = std::max(0.0, deadline_of(job) - alone[job] - now);
        double index = weights_[job] / alone[job] * std::exp(-slack / (ahead * std::max(1.0, mean)));
        if (submit > now) index = -submit;  // only if none is there: the next to come
        if (index <= highest) continue;
        highest = index;
        best = i;
      }
      order.push_back(left[best]);
      now += alone[left[best]];
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
    }
    return order;
  }

  // ---- searches

  void exhaust() {
    Order order(batch_.jobs.size());
    std::iota(order.begin(), order.end(), JobIndex{0});
    do {
      if (stopped() || !open()) return;
      attempt(order, "exhaustive");
    } while (std::next_permutation(order.begin(), order.end()));
    best_.best_single_order = true;
  }

  void anneal() {
    Order order = best_.order;
    double value = best_.value;
    double warmth = std::max(1.0, 0.1 * value / static_cast<double>(order.size()));
    const double cooling = std::pow(1e-3, 1.0 / static_cast<double>(budget_));
    while (best_.evaluated < budget_ && open() && !stopped()) {
      Order next = order;
      move_one(next);
      const double found = value_of(next);
      keep(next, found, "annealing");
      warmth *= cooling;
      if (found > value && random_.unit() >= std::exp((value - found) / warmth)) continue;
      order = std::move(next);
      value = found;
    }
  }

  // Three of four times a job that is tardy in the best plan goes forward; else any job goes anywhere.
  void move_one(Order& order) {
    std::size_t from = random_.below(order.size()), to = random_.below(order.size());
    if (random_.below(4) > 0) {
      for (int tries = 0; tries < 20; ++tries) {
        from = random_.below(order.size());
        if (from > 0 && static_cast<double>(best_.ends[order[from]]) > deadline_of(order[from])) break;
      }
      if (from > 0) to = random_.below(from);
    }
    const auto at = [&](std::size_t place) { return order.begin() + static_cast<std::ptrdiff_t>(place); };
    if (from < to) {
      std::rotate(at(from), at(from + 1), at(to + 1));
    } else {
      std::rotate(at(to), at(from), at(from + 1));
    }
  }

  const Workload& batch_;
  const TardinessProblem& problem_;
  const Stop& stop_;
  std::vector<double> weights_;
  AnySchedule schedule_;
  Random random_;
  std::uint64_t budget_ = 0;
  TardinessPlan best_;
  Duration makespan_{}, total_completion_{};
};

}  // namespace

std::vector<double> tardiness_weights(const Workload& batch) {
  std::vector<double> weights;
  weights.reserve(batch.jobs.size());
  for (const Job& job : batch.jobs) weights.push_back(delay_weight(job));
  return weights;
}

TardinessPlan plan_tardiness(const TardinessProblem& problem, const Stop& stop) {
  return Search(problem, stop).run();
}

}  // namespace wavewright
