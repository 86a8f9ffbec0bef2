// The kind `batch-methods`.
#include <algorithm>
#include <functional>
#include <mutex>

#include <tbb/parallel_for.h>

#include "apps/reproduce/online.h"
#include "wavewright/core/error.h"
#include "wavewright/plan/bounds/lower_bound.h"
#include "wavewright/plan/methods/johnson.h"
#include "wavewright/plan/planner.h"

namespace wavewright::app {

namespace {

double hours(Duration duration) {
  return static_cast<double>(to_ms(duration)) / 3.6e6;
}

// Makespan if each stage serves one job at a time and its idle slots stay idle: the model of Johnson's rule.
// For one pool, and for the best two pools with the small jobs (by maps) in one of them.
struct InTurn {
  double one_pool = 0, two_pools = 0;  // h
};

InTurn in_turn(const Workload& batch, Count slots) {
  constexpr Count sizes = 16;         // of the first pool, evenly over all slots
  constexpr std::size_t splits = 25;  // of the jobs
  std::vector<const Job*> jobs;
  jobs.reserve(batch.jobs.size());
  for (const Job& job : batch.jobs) jobs.push_back(&job);
  std::stable_sort(jobs.begin(), jobs.end(),
                   [](const Job* a, const Job* b) { return a->maps.size() < b->maps.size(); });
  const auto makespan = [](std::span<const StageTimes> times) {
    return hours(two_stage_makespan(times, johnson_order(times)));
  };
  InTurn result;
  result.one_pool = result.two_pools = makespan(stage_times(jobs, {slots, slots}));
  for (Count size = 1; size < std::min(sizes, slots); ++size) {
    const Count own = std::max<Count>(1, slots * size / sizes);
    const std::vector<StageTimes> first = stage_times(jobs, {own, own});
    const std::vector<StageTimes> second = stage_times(jobs, {slots - own, slots - own});
    for (std::size_t split = 1; split < splits; ++split) {
      const std::size_t at = jobs.size() * split / splits;
      const double both =
          std::max(makespan(std::span(first).first(at)), makespan(std::span(second).subspan(at)));
      result.two_pools = std::min(result.two_pools, both);
    }
  }
  return result;
}

// Of a batch: tasks of each kind per job, and their mean length.
struct Drawn {
  double maps_per_job = 0, reduces_per_job = 0, map_s = 0, reduce_s = 0;
};

Drawn drawn(const Workload& batch) {
  double maps = 0, reduces = 0, map_s = 0, reduce_s = 0;
  for (const Job& job : batch.jobs) {
    maps += static_cast<double>(job.maps.size());
    reduces += static_cast<double>(job.reduces.size());
    for (const Duration map : job.maps) map_s += static_cast<double>(to_ms(map)) / 1000;
    for (const Duration reduce : job.reduces) reduce_s += static_cast<double>(to_ms(reduce)) / 1000;
  }
  const auto jobs = static_cast<double>(batch.jobs.size());
  return {maps / jobs, reduces / jobs, map_s / std::max(1.0, maps), reduce_s / std::max(1.0, reduces)};
}

struct Run {
  Drawn drawn;
  std::vector<double> makespans;  // h, by method
  double bound = 0;               // h
  InTurn in_turn;
};

struct Methods {
  std::vector<std::string> names;
  std::uint64_t placements = 0;  // limit of placed tasks for each search; 0 = none
  TaskOrder task_order = TaskOrder::as_listed;
};

// Methods that take so little time that they plan `times` as many batches, to know their means better.
struct Often {
  Methods methods;
  std::uint64_t times = 1;
};

Methods read_methods(const Json& inputs, const Json& names) {
  Methods methods{names.get<std::vector<std::string>>(), inputs.value("placements_each", std::uint64_t{0}),
                  parse_task_order(inputs.value("task_order", to_string(TaskOrder::as_listed)))};
  for (const std::string& name : methods.names) (void)planner(name);
  return methods;
}

Often read_often(const Json& inputs) {
  if (!inputs.contains("often")) return {};
  const Json& often = inputs.at("often");
  const auto times = often.at("times").get<Count>();
  if (times < 1 || static_cast<std::uint64_t>(times) > most_replications) {
    throw InputError({"reproduce"}, fmt::format("{} times as many batches", times),
                     fmt::format("give 1 to {}", most_replications));
  }
  return {read_methods(inputs, often.at("methods")), static_cast<std::uint64_t>(times)};
}

PlanningProblem problem_of(const Workload& batch, SlotPool pool, const Methods& methods, std::uint64_t seed) {
  PlanningProblem problem{
      shared(in_task_order(batch, methods.task_order)), {pool}, Objective::makespan, seed};
  problem.task_order = methods.task_order;
  return problem;
}

Run run(const Workload& batch, SlotPool pool, const Methods& methods, std::uint64_t seed, const Stop& stop) {
  PlanningProblem problem = problem_of(batch, pool, methods, seed);
  problem.lower_bound = lower_bound(batch, pool, problem.objective);
  if (methods.placements > 0) {
    const std::uint64_t tasks = 1 + batch.tasks();
    problem.evaluations = 1 + methods.placements / tasks;
  }
  Run result;
  result.drawn = drawn(batch);
  for (const std::string& name : methods.names) {
    const Plan plan = plan_by(name, problem, stop);
    result.makespans.push_back(hours(plan.makespan));
    result.bound = std::max(result.bound, hours(plan.lower_bound));
  }
  if (methods.placements == 0) result.in_turn = in_turn(batch, pool.map_slots);
  return result;
}

// Relative decrease from `above` to `below`, in percent of `above`.
double decrease(double above, double below) {
  return 100 * (above - below) / above;
}

// True if the method never is worse than the other one: Johnson's order in one pool is among its plans.
bool never_worse(const std::string& method, const std::string& other) {
  return other == "johnson" && (method.starts_with("balanced-pools") || method == "best");
}

using RunsBySize = std::vector<std::vector<Run>>;  // by number of slots, then by replication

// Adds `W.S.KEY`, the mean of `value` for each number of slots S, and `W.KEY.…` over all of them.
void measure_over(const std::string& workload, const std::vector<Count>& slots, const RunsBySize& runs,
                  const std::string& key, Scale scale, const std::function<double(const Run&)>& value,
                  Measurements& measured) {
  std::vector<std::vector<double>> by_size;
  for (std::size_t size = 0; size < slots.size(); ++size) {
    std::vector<double> values;
    values.reserve(runs[size].size());
    for (const Run& each : runs[size]) values.push_back(value(each));
    measured[fmt::format("{}.{}.{}", workload, slots[size], key)] = mean_of(values, scale);
    by_size.push_back(std::move(values));
  }
  sum_up_nested(workload + "." + key, by_size, scale, measured);
}

// By how much each method is below each other one.
void measure_pairs(const std::string& workload, const std::vector<Count>& slots, const Methods& methods,
                   const RunsBySize& runs, Measurements& measured) {
  for (std::size_t i = 0; i < methods.names.size(); ++i) {
    for (std::size_t other = 0; other < methods.names.size(); ++other) {
      if (other == i) continue;
      const bool never = never_worse(methods.names[i], methods.names[other]);
      measure_over(
          workload, slots, runs, methods.names[i] + ".below." + methods.names[other],
          never ? Scale::logarithmic : Scale::linear,
          [i, other](const Run& each) { return decrease(each.makespans[other], each.makespans[i]); },
          measured);
    }
  }
}

// Measurements of one workload.
void measure(const std::string& workload, const std::vector<Count>& slots, const Methods& methods,
             const RunsBySize& runs, Measurements& measured) {
  const auto over = [&](const std::string& key, Scale scale, const std::function<double(const Run&)>& value) {
    measure_over(workload, slots, runs, key, scale, value, measured);
  };
  const auto of_batches = [&](const std::string& key, double Drawn::* number) {
    std::vector<double> values;
    for (const Run& each : runs.front()) values.push_back(each.drawn.*number);
    measured[workload + "." + key] = mean_of(values, Scale::logarithmic);
  };
  of_batches("maps-per-job", &Drawn::maps_per_job);
  of_batches("reduces-per-job", &Drawn::reduces_per_job);
  of_batches("map", &Drawn::map_s);
  of_batches("reduce", &Drawn::reduce_s);
  constexpr Scale positive = Scale::logarithmic;
  if (methods.placements == 0) {
    over("in-turn", positive, [](const Run& each) { return each.in_turn.one_pool; });
    over("in-turn.pools-below-one", positive,
         [](const Run& each) { return decrease(each.in_turn.one_pool, each.in_turn.two_pools); });
  }
  for (std::size_t i = 0; i < methods.names.size(); ++i) {
    over(methods.names[i], positive, [i](const Run& each) { return each.makespans[i]; });
    over(methods.names[i] + ".gap", positive,
         [i](const Run& each) { return 100 * (each.makespans[i] - each.bound) / each.bound; });
  }
  measure_pairs(workload, slots, methods, runs, measured);
}

double least_gap(const Run& run) {
  return 100 * (*std::min_element(run.makespans.begin(), run.makespans.end()) - run.bound) / run.bound;
}

}  // namespace

Measurements measure_batch_methods(const Json& inputs, const ExperimentRun& experiment) {
  const Methods methods = read_methods(inputs, inputs.at("methods"));
  const Often often = read_often(inputs);
  const auto slots = inputs.at("slots").get<std::vector<Count>>();
  const std::uint64_t replications = read_replications(inputs);
  Measurements measured;
  std::vector<std::vector<double>> gaps;  // by workload and slots, then by replication
  std::mutex telling;
  for (const auto& [name, workload] : inputs.at("workloads").items()) {
    const auto plan_all = [&, &input = workload, &title = name](std::uint64_t batches, const auto& plan_one) {
      RunsBySize runs(slots.size(), std::vector<Run>(batches));
      tbb::parallel_for(std::size_t{0}, slots.size() * batches, [&](std::size_t i) {
        if (experiment.stop.now()) return;
        const std::uint64_t own = experiment.seed + i / slots.size();
        const Workload batch = read_stream(input, input.at("jobs").get<Count>(), own);
        const Count count = slots[i % slots.size()];
        runs[i % slots.size()][i / slots.size()] = plan_one(batch, SlotPool{count, count}, own);
        const std::scoped_lock lock(telling);
        experiment.progress(fmt::format("{}, {} slots, seed {} done", title, count, own));
      });
      return runs;
    };
    const RunsBySize runs =
        plan_all(replications, [&](const Workload& batch, SlotPool pool, std::uint64_t seed) {
          return run(batch, pool, methods, seed, experiment.stop);
        });
    if (experiment.stop.now()) return measured;
    measure(name, slots, methods, runs, measured);
    if (!often.methods.names.empty()) {
      const RunsBySize more =
          plan_all(std::min(replications * often.times, most_replications),
                   [&](const Workload& batch, SlotPool pool, std::uint64_t seed) {
                     PlanningProblem problem = problem_of(batch, pool, often.methods, seed);
                     problem.lower_bound = Duration{};  // none is asked for
                     Run result;
                     for (const std::string& method : often.methods.names)
                       result.makespans.push_back(hours(plan_by(method, problem, experiment.stop).makespan));
                     return result;
                   });
      if (experiment.stop.now()) return measured;
      measure_pairs(name, slots, often.methods, more, measured);
    }
    for (const auto& size : runs) {
      gaps.emplace_back();
      for (const Run& each : size) gaps.back().push_back(least_gap(each));
    }
  }
  Measurements all;
  if (!gaps.empty()) sum_up_nested("gap", gaps, Scale::logarithmic, all);
  measured["gap.mean"] = all["gap.mean"];
  measured["gap.most"] = all["gap.most-in-one-run"];
  return measured;
}

}  // namespace wavewright::app
