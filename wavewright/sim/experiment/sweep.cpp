#include "wavewright/sim/experiment/sweep.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include <boost/math/distributions/students_t.hpp>

#include "wavewright/cluster/power.h"
#include "wavewright/sim/metrics/map_locality.h"
#include "wavewright/sim/metrics/promises.h"
#include "wavewright/sim/metrics/task_sinks.h"
#include "wavewright/sim/metrics/usage.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {

namespace {

// Hands out cells. Cells of one workload and seed are a batch. A thread stays with its batch, so workloads
// are made at the same time and none is made twice. Threads share a batch if no other is left.
class Agenda {
 public:
  explicit Agenda(const SweepAxes& axes)
      : axes_(axes),
        batch_size_(axes.clusters.size() * axes.policies.size()),
        taken_(axes.workloads.size() * axes.seeds.size(), 0) {}

  // The batch that a thread works on; none at first.
  using Batch = std::optional<std::size_t>;

  [[nodiscard]] std::optional<SweepCell> next(Batch& batch) {
    if (!batch || taken_[*batch] == batch_size_) batch = opened_ < taken_.size() ? opened_++ : largest();
    if (!batch) return std::nullopt;
    return at(*batch, taken_[*batch]++);
  }

 private:
  // The opened batch with the most cells left.
  [[nodiscard]] Batch largest() {
    while (finished_ < taken_.size() && taken_[finished_] == batch_size_) ++finished_;
    const auto least =
        std::min_element(taken_.begin() + static_cast<std::ptrdiff_t>(finished_), taken_.end());
    if (least == taken_.end()) return std::nullopt;
    return static_cast<std::size_t>(least - taken_.begin());
  }
  [[nodiscard]] SweepCell at(std::size_t batch, std::size_t place) const {
    SweepCell cell;
    cell.policy = place % axes_.policies.size();
    cell.cluster = place / axes_.policies.size();
    cell.seed = axes_.seeds[batch % axes_.seeds.size()];
    cell.workload = batch / axes_.seeds.size();
    return cell;
  }

  const SweepAxes& axes_;
  std::size_t batch_size_;
  std::vector<std::size_t> taken_;  // cells handed out, by batch
  std::size_t opened_ = 0;          // number of batches opened, from the first on
  std::size_t finished_ = 0;        // number of batches finished, from the first on
};

// Makes each workload once per seed and keeps it while a thread works on it.
class Workloads {
 public:
  explicit Workloads(const SweepAxes& axes) : axes_(axes) {}

  [[nodiscard]] std::shared_ptr<const Workload> get(const SweepCell& cell) {
    const std::shared_ptr<Entry> entry = entry_of({cell.workload, cell.seed});
    const std::scoped_lock lock(entry->mutex);
    std::shared_ptr<const Workload> workload = entry->workload.lock();
    if (!workload) {
      workload = std::make_shared<const Workload>(axes_.workloads[cell.workload](cell.seed));
      entry->workload = workload;
    }
    return workload;
  }

 private:
  struct Entry {
    std::mutex mutex;
    std::weak_ptr<const Workload> workload;
  };
  std::shared_ptr<Entry> entry_of(std::pair<std::size_t, std::uint64_t> key) {
    const std::scoped_lock lock(mutex_);
    std::shared_ptr<Entry>& entry = entries_[key];
    if (!entry) entry = std::make_shared<Entry>();
    return entry;
  }

  const SweepAxes& axes_;
  std::mutex mutex_;
  std::map<std::pair<std::size_t, std::uint64_t>, std::shared_ptr<Entry>> entries_;
};

class Sweep {
 public:
  Sweep(const SweepAxes& axes, const std::function<bool(const SweepCell&)>& wanted, const SweepDone& done,
        const Stop& stop)
      : axes_(axes), workloads_(axes), wanted_(wanted), done_(done), stop_(stop), agenda_(axes) {}

  void run(unsigned threads) {
    std::vector<std::thread> others;
    for (unsigned i = 1; i < threads; ++i) others.emplace_back([this] { work(); });
    work();
    for (std::thread& each : others) each.join();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void work() {
    std::shared_ptr<const Workload> workload;  // kept from one cell to the next
    Agenda::Batch batch;
    try {
      while (const std::optional<SweepCell> cell = take(batch)) {
        workload = workloads_.get(*cell);
        SimulationResult result;
        const SweepRow row = simulate_cell(*cell, *workload, result);
        const std::scoped_lock lock(mutex_);
        if (!error_) done_(row, *workload, result);
      }
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!error_) error_ = std::current_exception();
    }
  }

  std::optional<SweepCell> take(Agenda::Batch& batch) {
    const std::scoped_lock lock(mutex_);
    while (!error_ && !stop_.now()) {
      const std::optional<SweepCell> cell = agenda_.next(batch);
      if (!cell || wanted_(*cell)) return cell;
    }
    return std::nullopt;
  }

  // What tasks add up to is summed up as they end, so that none is kept.
  [[nodiscard]] SweepRow simulate_cell(const SweepCell& cell, const Workload& workload,
                                       SimulationResult& result) const {
    const Cluster& cluster = axes_.clusters[cell.cluster];
    std::optional<NodeUsageSums> use;
    std::optional<MapLocalitySums> maps;
    std::optional<JobSlotTimes> slot_times;
    TaskSinks sinks;
    if (knows_power(cluster) || knows_prices(cluster)) sinks.all.push_back(&use.emplace(cluster, &workload));
    if (cluster.reads.kind != Reads::Kind::anywhere) sinks.all.push_back(&maps.emplace());
    if (has_deadlines(workload)) sinks.all.push_back(&slot_times.emplace());
    Policy policy = make_policy_on(axes_.policies[cell.policy], cluster, *axes_.registry);
    result = simulate_on(workload, policy, {.cluster = cluster, .seed = cell.seed, .sink = sinks.or_none()});
    SweepRow row = summarise(cell, workload, cluster, result);
    if (use) {
      const UsageTotals used = totals_of(use->finish(result));
      if (knows_power(cluster)) row.energy_j = used.energy_j;
      if (knows_prices(cluster)) row.cost_usd = used.cost_usd;
    }
    if (maps) {
      const MapLocality found = maps->finish(result, workload);
      row.locality_rate = found.rate();
      row.map_response_ms = found.response_ms();
    }
    if (slot_times) {
      const SlotPool slots = cluster.total_slots();
      const AdmissionTotals totals =
          admission_of(workload, result, slots.map_slots + slots.reduce_slots, &*slot_times);
      row.accept_ratio = totals.accept_ratio();
      row.success_ratio = totals.success_ratio();
      row.utilisation = totals.utilisation;
      row.utilisation_of_all = totals.utilisation_of_all;
    }
    return row;
  }

  const SweepAxes& axes_;
  Workloads workloads_;
  const std::function<bool(const SweepCell&)>& wanted_;
  const SweepDone& done_;
  const Stop& stop_;
  std::mutex mutex_;  // guards what follows, and calls to `wanted_` and `done_`
  Agenda agenda_;
  std::exception_ptr error_;
};

}  // namespace

void run_sweep(const SweepAxes& axes, unsigned threads, const std::function<bool(const SweepCell&)>& wanted,
               const SweepDone& done, const Stop& stop) {
  if (axes.size() > 0) Sweep(axes, wanted, done, stop).run(std::max(1U, threads));
}

SweepRow summarise(const SweepCell& cell, const Workload& workload, const Cluster& cluster,
                   const SimulationResult& result) {
  SweepRow row;
  row.cell = cell;
  row.counts = counts_of(result);
  row.makespan = result.makespan;
  row.mean_completion_ms = mean_completion_ms(result);
  std::vector<Duration> completions;
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    const JobOutcome& job = result.jobs[i];
    if (is_done(job)) completions.push_back(job.finish - job.submit);
    const std::optional<Time>& deadline = workload.jobs[i].deadline;
    if (deadline && (!is_done(job) || job.finish > *deadline)) ++row.late;
  }
  if (!completions.empty()) {
    const auto at = static_cast<std::ptrdiff_t>((completions.size() * 95 + 99) / 100 - 1);  // nearest rank
    std::nth_element(completions.begin(), completions.begin() + at, completions.end());
    row.p95_completion = completions[static_cast<std::size_t>(at)];
  }
  row.map_utilisation = result.map_utilisation(cluster.total_slots());
  row.reduce_utilisation = result.reduce_utilisation(cluster.total_slots());
  row.memory_utilisation = result.memory_utilisation(cluster.total_memory());
  row.events = result.events;
  row.engine_seconds = result.engine_seconds;
  return row;
}

MeanInterval mean_interval(const std::vector<double>& values) {
  if (values.empty()) return {};
  const auto n = static_cast<double>(values.size());
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  if (values.size() > 1 && *least == *most) return {*least, 0};  // rounding would leave an interval
  double sum = 0;
  for (const double value : values) sum += value;
  const double mean = sum / n;
  if (values.size() == 1) return {mean, std::numeric_limits<double>::infinity()};
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  constexpr double upper = 0.975;
  const boost::math::students_t_distribution<double> student(n - 1);
  return {mean, boost::math::quantile(student, upper) * std::sqrt(squares / (n - 1) / n)};
}

}  // namespace wavewright
