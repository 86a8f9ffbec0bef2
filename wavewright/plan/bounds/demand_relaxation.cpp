#include "wavewright/plan/bounds/demand_relaxation.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wavewright {

namespace {

constexpr std::size_t parts = 4;  // of a row's width, for the lines in between

double positive(double x) {
  return std::max(0.0, x);
}

#if defined(__x86_64__)
#define WAVEWRIGHT_WIDE [[gnu::target_clones("avx2", "default")]]
#else
#define WAVEWRIGHT_WIDE
#endif

// values += x·a + y·b, and values += x·a: most of the time goes here. To the last bit the same on every
// processor.
WAVEWRIGHT_WIDE void add(double* __restrict values, std::size_t count, double x, const double* a, double y,
                         const double* b) {
  for (std::size_t i = 0; i < count; ++i) values[i] += x * a[i] + y * b[i];
}
WAVEWRIGHT_WIDE void add(double* __restrict values, std::size_t count, double x, const double* a) {
  for (std::size_t i = 0; i < count; ++i) values[i] += x * a[i];
}

}  // namespace

void DemandPrices::scale() {
  double sum = 0;
  for (std::size_t row = 0; row < maps.size(); ++row) sum += maps[row] + reduces[row];
  for (std::size_t row = 0; row < maps.size(); ++row) maps[row] /= sum, reduces[row] /= sum;
}

DemandPrices DemandPrices::on(std::size_t rows) const {
  DemandPrices prices(rows, 0);
  const double apart = static_cast<double>(maps.size() - 1) / static_cast<double>(rows);
  for (std::size_t row = 0; row <= rows; ++row) {
    const double at = apart * static_cast<double>(row);
    const auto before = std::min(static_cast<std::size_t>(at), maps.size() - 2);
    const double part = at - static_cast<double>(before);
    prices.maps[row] = (1 - part) * maps[before] + part * maps[before + 1];
    prices.reduces[row] = (1 - part) * reduces[before] + part * reduces[before + 1];
  }
  prices.scale();
  return prices;
}

DemandRelaxation::DemandRelaxation(std::span<const DemandJob> jobs, SlotPool pool, double furthest,
                                   std::size_t rows)
    : jobs_(jobs),
      rows_(rows),
      map_slots_(static_cast<double>(std::max<Count>(pool.map_slots, 1))),
      reduce_slots_(static_cast<double>(std::max<Count>(pool.reduce_slots, 1))),
      step_(furthest / static_cast<double>(rows)),
      late_(jobs.size()),
      early_(jobs.size()),
      soonest_(jobs.size() * (rows_ + 1)),
      intervals_(jobs.size()),
      cost_(jobs.size() * most_candidates) {
  first_ = std::numeric_limits<double>::max();
  for (const DemandJob& job : jobs) first_ = std::min(first_, static_cast<double>(job.submit));
}

void DemandRelaxation::set(double makespan) {
  makespan_ = makespan;
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    const DemandJob& job = jobs_[j];
    const double deadline = makespan - static_cast<double>(job.tail);
    // Interval k is deadline − (k + 1)·step … deadline − k·step; one more, shorter, has the earliest end.
    const double room = positive(deadline - static_cast<double>(job.earliest));
    intervals_[j] = std::min(rows_, static_cast<std::size_t>(room / step_));
    const double last = deadline - static_cast<double>(intervals_[j] + 1) * step_;
    const std::size_t points = 2 * rows_ + 3, fine = parts * (points - 1) + 1;
    const double width = step_ / parts, furthest = static_cast<double>(points - 1) * step_;
    own_maps_.clear(deadline - furthest, width, fine);
    own_reduces_.clear(-deadline, width, fine);
    own_soonest_.clear(-std::max(last, static_cast<double>(job.earliest)), step_, rows_ + 1);
    own_maps_.add_in_order(job.maps);
    for (const std::int64_t length : job.reduces) {
      own_reduces_.add(static_cast<double>(length), static_cast<double>(length));
      own_soonest_.add(static_cast<double>(length), static_cast<double>(length));
    }
    own_maps_.each_line(parts, map_slots_, [&](std::size_t before, double at, double begin) {
      const std::size_t u = points - 1 - before;  // rows go forwards, maps' ends backwards
      late_[j].maps[u] = at;
      if (u > 0) early_[j].maps[u - 1] = begin;
    });
    own_reduces_.each_line(parts, reduce_slots_, [&](std::size_t u, double at, double begin) {
      late_[j].reduces[u] = begin;
      if (u > 0) early_[j].reduces[u - 1] = at;
    });
    own_soonest_.each(reduce_slots_,
                      [&](std::size_t u, double demand) { soonest_[j * (rows_ + 1) + u] = demand; });
  }
}

void DemandRelaxation::price(const DemandPrices& prices) {
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    const std::size_t intervals = intervals_[j];
    double *const late = &cost_[j * most_candidates], *const early = late + intervals;
    std::fill(late, early + intervals + 1, 0.0);
    double& last = early[intervals];
    for (std::size_t row = 0; row <= rows_; ++row) {
      const double map = prices.maps[row], reduce = prices.reduces[row];
      const double *const late_maps = &late_[j].maps[row], *const late_reduces = &late_[j].reduces[row],
                          *const early_maps = &early_[j].maps[row],
                          *const early_reduces = &early_[j].reduces[row];
      add(late, intervals, map, late_maps, reduce, late_reduces);
      add(early, intervals, map, early_maps, reduce, early_reduces);
      last += map * late_maps[intervals] + reduce * soonest_[j * (rows_ + 1) + row];
    }
  }
}

double DemandRelaxation::least_cost(std::size_t job) const {
  return *std::min_element(costs(job), costs(job) + candidates(job));
}

double DemandRelaxation::excess(const DemandPrices& prices) const {
  double sum = -supply(prices);
  for (std::size_t j = 0; j < jobs_.size(); ++j) sum += least_cost(j);
  return sum;
}

double DemandRelaxation::soft_excess(const DemandPrices& prices, double softness, DemandPrices& lacks) const {
  for (std::size_t row = 0; row <= rows_; ++row) {
    lacks.maps[row] = -map_supply(row);
    lacks.reduces[row] = -reduce_supply(row);
  }
  double sum = -supply(prices);
  Shares share;
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    sum += soft_least(j, softness, share);
    for (std::size_t i = 0; i < candidates(j); ++i) {
      if (share[i] == 0) continue;
      const auto [k, end] = candidate(j, i);
      const Demand& asked = end == End::earlier ? early_[j] : late_[j];
      add(lacks.maps.data(), rows_ + 1, share[i], &asked.maps[k]);
      add(lacks.reduces.data(), rows_ + 1, share[i],
          end == End::last ? &soonest_[j * (rows_ + 1)] : &asked.reduces[k]);
    }
  }
  return sum;
}

std::vector<std::int64_t> DemandRelaxation::mean_ends(double softness) const {
  std::vector<std::int64_t> means;
  means.reserve(jobs_.size());
  Shares share;
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    (void)soft_least(j, softness, share);
    const double deadline = makespan_ - static_cast<double>(jobs_[j].tail);
    double sum = 0;
    for (std::size_t i = 0; i < candidates(j); ++i) {
      const auto [k, end] = candidate(j, i);
      const double into = end == End::later ? 0 : end == End::earlier ? 1 : 0.5;
      sum += share[i] * (deadline - (static_cast<double>(k) + into) * step_);
    }
    means.push_back(std::llround(sum));
  }
  return means;
}

double DemandRelaxation::soft_least(std::size_t job, double softness, Shares& share) const {
  constexpr double negligible = 14;  // e^-14
  const double* const cost = costs(job);
  const std::size_t count = candidates(job);
  const double least = *std::min_element(cost, cost + count);
  double whole = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const double above = (cost[k] - least) / softness;
    whole += share[k] = above < negligible ? std::exp(-above) : 0;
  }
  for (std::size_t k = 0; k < count; ++k) share[k] /= whole;
  return least - softness * std::log(whole);
}

double DemandRelaxation::map_supply(std::size_t row) const {
  return positive(static_cast<double>(row) * step_ - first_);
}

double DemandRelaxation::reduce_supply(std::size_t row) const {
  return positive(makespan_ - static_cast<double>(row) * step_);
}

double DemandRelaxation::supply(const DemandPrices& prices) const {
  double sum = 0;
  for (std::size_t row = 0; row <= rows_; ++row)
    sum += prices.maps[row] * map_supply(row) + prices.reduces[row] * reduce_supply(row);
  return sum;
}

}  // namespace wavewright
