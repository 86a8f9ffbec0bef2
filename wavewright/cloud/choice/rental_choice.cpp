#include "wavewright/cloud/choice/rental_choice.h"

#include <algorithm>
#include <map>

#include "wavewright/cloud/bound/stage_windows.h"
#include "wavewright/cloud/choice/rented_at_once.h"
#include "wavewright/sim/metrics/promises.h"

namespace wavewright {

namespace {

// What is kept of a run.
struct Run {
  Tardiness late;
  LeaseTotals rented;
  RentedAtOnce at_once;
  std::vector<bool> in_time;  // by job
};
using Runs = std::map<std::pair<std::size_t, std::uint64_t>, Run>;  // by option and seed

constexpr double ms_per_hour = 3'600'000;

double share_of_tardy(const Tardiness& late) {
  return late.jobs == 0 ? 0 : static_cast<double>(late.tardy) / static_cast<double>(late.jobs);
}

RentalFigures figures_of(const RentalQuestion& question, std::size_t option, const Runs& runs) {
  RentalFigures figures;
  figures.option = question.options[option];
  std::vector<double> costs, shares, tardy, tardiness;
  for (const std::uint64_t seed : question.seeds) {
    const auto found = runs.find({option, seed});
    if (found == runs.end()) continue;
    const Run& run = found->second;
    costs.push_back(to_usd(run.rented.cost));
    shares.push_back(share_of_tardy(run.late));
    tardy.push_back(static_cast<double>(run.late.tardy));
    tardiness.push_back(static_cast<double>(to_ms(run.late.total)));
    figures.most_machines = std::max(figures.most_machines, run.at_once.most);
    figures.longest_span = std::max(figures.longest_span, run.at_once.span);
    figures.leases += static_cast<double>(run.rented.leases);
    figures.revoked += static_cast<double>(run.rented.revoked);
    figures.machine_hours += static_cast<double>(to_ms(run.rented.machine_time)) / ms_per_hour;
  }
  figures.runs = costs.size();
  if (figures.runs == 0) return figures;
  for (double* sum : {&figures.leases, &figures.revoked, &figures.machine_hours})
    *sum /= static_cast<double>(figures.runs);
  figures.cost_usd = mean_interval(costs);
  figures.tardy = mean_interval(shares);
  figures.tardy_jobs = mean_interval(tardy);
  figures.tardiness_ms = mean_interval(tardiness);
  figures.meets = figures.tardy.mean <= question.late_at_most + 1e-12;
  return figures;
}

// Options must stand by cost, then by share.
void mark_frontier(std::vector<RentalFigures>& options) {
  double least = 2;  // share of tardy jobs so far
  for (RentalFigures& each : options) {
    each.frontier = each.tardy.mean < least;
    least = std::min(least, each.tardy.mean);
  }
}

// The mean bound over the seeds for which `in_time` gives jobs.
template <class InTime>
std::optional<double> mean_bound(const RentalQuestion& question, const Stop& stop, InTime in_time) {
  double sum = 0;
  std::size_t seeds = 0;
  for (const std::uint64_t seed : question.seeds) {
    if (stop.now()) return std::nullopt;
    const Workload workload = question.workload(seed);
    const std::optional<std::vector<bool>> jobs = in_time(seed, workload);
    if (!jobs) return std::nullopt;
    const std::optional<Money> bound = cost_bound(workload, question.cluster, *jobs);
    if (!bound) return std::nullopt;
    sum += to_usd(*bound);
    ++seeds;
  }
  return seeds == 0 ? std::nullopt : std::optional(sum / static_cast<double>(seeds));
}

void add_bounds(const RentalQuestion& question, const Runs& runs, std::size_t best_option, const Stop& stop,
                RentalChoice& choice) {
  using Jobs = std::optional<std::vector<bool>>;
  choice.bound_all_in_time = mean_bound(question, stop, [&](std::uint64_t, const Workload& workload) -> Jobs {
    if (!impossible_deadlines(workload, question.cluster).empty()) return std::nullopt;
    return std::vector<bool>(workload.jobs.size(), true);
  });
  if (!choice.best) return;
  choice.bound_as_best = mean_bound(question, stop, [&](std::uint64_t seed, const Workload&) -> Jobs {
    const auto found = runs.find({best_option, seed});
    return found == runs.end() ? std::nullopt : Jobs(found->second.in_time);
  });
}

RentalChoice chosen(const RentalQuestion& question, const Runs& runs, const Stop& stop) {
  RentalChoice choice;
  choice.partial = runs.size() < question.options.size() * question.seeds.size();
  std::vector<std::pair<RentalFigures, std::size_t>> all;
  for (std::size_t option = 0; option < question.options.size(); ++option) {
    RentalFigures figures = figures_of(question, option, runs);
    if (figures.runs > 0) all.emplace_back(std::move(figures), option);
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first.cost_usd.mean, a.first.tardy.mean) <
           std::pair(b.first.cost_usd.mean, b.first.tardy.mean);
  });
  std::size_t best_option = 0;
  for (std::size_t at = 0; at < all.size(); ++at) {
    const RentalFigures& each = all[at].first;
    if (each.meets && !choice.best) {
      choice.best = at;
      best_option = all[at].second;
    }
    if (!choice.least_tardy || each.tardy.mean < choice.options[*choice.least_tardy].tardy.mean)
      choice.least_tardy = at;
    choice.options.push_back(each);
  }
  mark_frontier(choice.options);
  add_bounds(question, runs, best_option, stop, choice);
  return choice;
}

bool same_lengths(const Job& a, const Job& b) {
  return a.submit == b.submit && a.maps == b.maps && a.reduces == b.reduces &&
         a.first_shuffles == b.first_shuffles && a.shuffles == b.shuffles;
}

Runs simulate_options(const RentalQuestion& question, const std::function<void(std::size_t)>& progress,
                      const Stop& stop) {
  SweepAxes axes;
  axes.workloads = {question.workload};
  axes.clusters = {question.cluster};
  for (const RentalOption& option : question.options) axes.policies.push_back(option.spec);
  axes.seeds = question.seeds;
  axes.registry = question.registry;
  Runs runs;
  run_sweep(
      axes, question.threads, [](const SweepCell&) { return true; },
      [&](const SweepRow& row, const Workload& workload, const SimulationResult& result) {
        runs[{row.cell.policy, row.cell.seed}] = {tardiness_of(workload, result), totals_of(result),
                                                  rented_at_once(workload, result),
                                                  jobs_in_time(workload, result)};
        progress(runs.size());
      },
      stop);
  return runs;
}

}  // namespace

RentalChoice choose_rental(const RentalQuestion& question, const std::function<void(std::size_t)>& progress,
                           const Stop& stop) {
  return chosen(question, simulate_options(question, progress, stop), stop);
}

RentalFigures simulate_option(const RentalQuestion& question, const RentalOption& option, const Stop& stop) {
  RentalQuestion one = question;
  one.options = {option};
  return figures_of(one, 0, simulate_options(one, [](std::size_t) {}, stop));
}

bool draws(const Workload& one, const Workload& other, const Cluster& cluster) {
  if (!std::equal(one.jobs.begin(), one.jobs.end(), other.jobs.begin(), other.jobs.end(), same_lengths))
    return true;
  if (cluster.faults.task_failure > 0 || cluster.faults.straggler > 0 ||
      cluster.reads.kind != Reads::Kind::anywhere)
    return true;
  return std::any_of(cluster.nodes.begin(), cluster.nodes.end(),
                     [](const NodeGroup& group) { return group.task_failure > 0; }) ||
         std::any_of(one.jobs.begin(), one.jobs.end(), [](const Job& job) { return job.task_failure > 0; });
}

}  // namespace wavewright
