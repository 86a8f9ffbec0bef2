#include "wavewright/plan/bounds/demand_relaxation.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wavewright {

namespace {

constexpr std::size_t pieces = 2;  // line pieces of a part
constexpr double negligible = 14;  // e^-14

double positive(double x) {
  return std::max(0.0, x);
}

#if defined(__x86_64__)
#define WAVEWRIGHT_WIDE [[gnu::target_clones("avx2", "default")]]
#else
#define WAVEWRIGHT_WIDE
#endif

// values += x·a + y·b, and values += x·a. The hot loop. Bit-identical on every processor.
WAVEWRIGHT_WIDE void add(double* __restrict values, std::size_t count, double x, const double* a, double y,
                         const double* b) {
  for (std::size_t i = 0; i < count; ++i) values[i] += x * a[i] + y * b[i];
}
WAVEWRIGHT_WIDE void add(double* __restrict values, std::size_t count, double x, const double* a) {
  for (std::size_t i = 0; i < count; ++i) values[i] += x * a[i];
}

// Bit-identical on every processor.
WAVEWRIGHT_WIDE double dot(std::size_t count, const double* a, const double* b) {
  constexpr std::size_t lanes = 8;
  double sum[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) sum[lane] += a[i + lane] * b[i + lane];
  }
  for (; i < count; ++i) sum[0] += a[i] * b[i];
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
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

void DemandRelaxation::Lines::resize(std::size_t points) {
  for (auto* const of : {&late_maps, &late_reduces, &early_maps, &early_reduces}) of->resize(points);
}

DemandRelaxation::DemandRelaxation(std::span<const DemandJob> jobs, SlotPool pool, double furthest,
                                   std::size_t rows)
    : jobs_(jobs),
      rows_(rows),
      map_slots_(static_cast<double>(std::max<Count>(pool.map_slots, 1))),
      reduce_slots_(static_cast<double>(std::max<Count>(pool.reduce_slots, 1))),
      step_(furthest / static_cast<double>(rows)),
      own_(jobs.size()),
      late_(rows),
      early_(rows) {
  const std::size_t points = 2 * rows_ + 3;
  for (Own& own : own_) {
    own.soonest.resize(rows_ + 1);
    own.whole.resize(points);
    for (Lines& lines : own.part) lines.resize(points);
  }
  first_ = std::numeric_limits<double>::max();
  for (const DemandJob& job : jobs) first_ = std::min(first_, static_cast<double>(job.submit));
}

void DemandRelaxation::set(double makespan) {
  makespan_ = makespan;
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    Own& own = own_[j];
    own.deadline = makespan - static_cast<double>(jobs_[j].tail);
    own.earliest = static_cast<double>(jobs_[j].earliest);
    // Interval k is deadline − (k + 1)·step … deadline − k·step; a last, shorter one contains `earliest`.
    const double room = positive(own.deadline - own.earliest) / step_;
    own.intervals = std::min(rows_, static_cast<std::size_t>(room));
    const double behind = (room - static_cast<double>(own.intervals)) * static_cast<double>(parts);
    own.last_parts = std::min(parts - 1, static_cast<std::size_t>(behind));
    set_lines(jobs_[j], own);
  }
}

void DemandRelaxation::set_lines(const DemandJob& job, Own& own) {
  constexpr std::size_t of_step = parts * pieces;
  const std::size_t steps = 2 * rows_ + 2, fine = of_step * steps + 1;
  const double width = step_ / static_cast<double>(of_step);
  const double last = own.deadline - static_cast<double>(own.intervals + 1) * step_;
  maps_.clear(own.deadline - static_cast<double>(steps) * step_, width, fine);
  reduces_.clear(-own.deadline, width, fine);
  soonest_.clear(-std::max(last, own.earliest), step_, rows_ + 1);
  maps_.add_in_order(job.maps);
  for (const std::int64_t length : job.reduces) {
    reduces_.add(static_cast<double>(length), static_cast<double>(length));
    soonest_.add(static_cast<double>(length), static_cast<double>(length));
  }
  soonest_.each(reduce_slots_, [&](std::size_t row, double demand) { own.soonest[row] = demand; });
  // Numbers lines from the latest; each step has `each_step` lines.
  const auto lay = [&](std::size_t pieces_each, std::size_t each_step, auto lines_of) {
    // Rows go forwards in time, map ends backwards.
    maps_.each_line(pieces_each, map_slots_, [&](std::size_t before, double at, double begin) {
      const std::size_t v = each_step * steps - before;
      lines_of(v % each_step).late_maps[v / each_step] = at;
      if (v > 0) lines_of((v - 1) % each_step).early_maps[(v - 1) / each_step] = begin;
    });
    reduces_.each_line(pieces_each, reduce_slots_, [&](std::size_t v, double at, double begin) {
      lines_of(v % each_step).late_reduces[v / each_step] = begin;
      if (v > 0) lines_of((v - 1) % each_step).early_reduces[(v - 1) / each_step] = at;
    });
  };
  lay(of_step, 1, [&](std::size_t) -> Lines& { return own.whole; });
  lay(pieces, parts, [&](std::size_t part) -> Lines& { return own.part[part]; });
}

void DemandRelaxation::price(const DemandPrices& prices, double softness) {
  softness_ = softness;
  for (Own& own : own_) price(prices, own);
}

void DemandRelaxation::price(const DemandPrices& prices, Own& own) {
  constexpr double gone = std::numeric_limits<double>::max();
  const double margin = negligible * softness_;
  price_whole(prices, own);
  own.near.clear();
  own.least = gone;
  price_last(prices, own);
  for (std::size_t looked = 0; looked < most_in_parts; ++looked) {
    std::size_t cheapest = own.intervals;
    double cost = own.least + margin;
    for (std::size_t k = 0; k < own.intervals; ++k) {
      const double own_cost = std::min(late_[k], early_[k]);
      if (own_cost < cost) cost = own_cost, cheapest = k;
    }
    if (cheapest == own.intervals) break;
    price_parts(prices, own, cheapest, parts);
    late_[cheapest] = early_[cheapest] = gone;
  }
  for (std::size_t k = 0; k < own.intervals; ++k) own.least = std::min({own.least, late_[k], early_[k]});
  for (std::size_t k = 0; k < own.intervals; ++k) {
    const double end = own.deadline - static_cast<double>(k) * step_;
    const Lines& whole = own.whole;
    if (late_[k] <= own.least + margin)
      own.near.push_back({late_[k], &whole.late_maps[k], &whole.late_reduces[k], end});
    if (early_[k] <= own.least + margin)
      own.near.push_back({early_[k], &whole.early_maps[k], &whole.early_reduces[k], end - step_});
  }
}

void DemandRelaxation::price_whole(const DemandPrices& prices, const Own& own) {
  std::fill_n(late_.begin(), own.intervals, 0.0);
  std::fill_n(early_.begin(), own.intervals, 0.0);
  const Lines& whole = own.whole;
  for (std::size_t row = 0; row <= rows_; ++row) {
    const double map = prices.maps[row], reduce = prices.reduces[row];
    add(late_.data(), own.intervals, map, &whole.late_maps[row], reduce, &whole.late_reduces[row]);
    add(early_.data(), own.intervals, map, &whole.early_maps[row], reduce, &whole.early_reduces[row]);
  }
}

void DemandRelaxation::price_parts(const DemandPrices& prices, Own& own, std::size_t interval,
                                   std::size_t count) {
  const double width = step_ / static_cast<double>(parts);
  double end = own.deadline - static_cast<double>(interval) * step_;
  for (std::size_t i = 0; i < count; ++i, end -= width) {
    const Lines& part = own.part[i];
    add_priced(prices, own, end, &part.late_maps[interval], &part.late_reduces[interval]);
    add_priced(prices, own, end - width, &part.early_maps[interval], &part.early_reduces[interval]);
  }
}

// The last, shorter interval: its whole parts; the rest as if the maps ended at its latest and the reduces
// began at its earliest instant.
void DemandRelaxation::price_last(const DemandPrices& prices, Own& own) {
  price_parts(prices, own, own.intervals, own.last_parts);
  const double into = static_cast<double>(own.last_parts) / static_cast<double>(parts);
  const double latest = own.deadline - (static_cast<double>(own.intervals) + into) * step_;
  add_priced(prices, own, (latest + std::clamp(own.earliest, latest - step_, latest)) / 2,
             &own.part[own.last_parts].late_maps[own.intervals], own.soonest.data());
}

void DemandRelaxation::add_priced(const DemandPrices& prices, Own& own, double end, const double* maps,
                                  const double* reduces) {
  const double cost =
      dot(rows_ + 1, prices.maps.data(), maps) + dot(rows_ + 1, prices.reduces.data(), reduces);
  own.near.push_back({cost, maps, reduces, end});
  own.least = std::min(own.least, cost);
}

double DemandRelaxation::least_cost(std::size_t job) const {
  return own_[job].least;
}

double DemandRelaxation::excess(const DemandPrices& prices) const {
  double sum = -supply(prices);
  for (const Own& own : own_) sum += own.least;
  return sum;
}

double DemandRelaxation::soft_excess(const DemandPrices& prices, DemandPrices& lacks) {
  for (std::size_t row = 0; row <= rows_; ++row) {
    lacks.maps[row] = -map_supply(row);
    lacks.reduces[row] = -reduce_supply(row);
  }
  double sum = -supply(prices);
  for (const Own& own : own_) {
    sum += soft_least(own);
    for (std::size_t i = 0; i < own.near.size(); ++i) {
      if (share_[i] == 0) continue;
      add(lacks.maps.data(), rows_ + 1, share_[i], own.near[i].maps);
      add(lacks.reduces.data(), rows_ + 1, share_[i], own.near[i].reduces);
    }
  }
  return sum;
}

std::vector<std::int64_t> DemandRelaxation::mean_ends() {
  std::vector<std::int64_t> means;
  means.reserve(own_.size());
  for (const Own& own : own_) {
    (void)soft_least(own);
    double sum = 0;
    for (std::size_t i = 0; i < own.near.size(); ++i) sum += share_[i] * own.near[i].end;
    means.push_back(std::llround(sum));
  }
  return means;
}

double DemandRelaxation::soft_least(const Own& own) {
  double whole = 0;
  share_.clear();
  for (const Candidate& each : own.near) {
    const double above = (each.cost - own.least) / softness_;
    share_.push_back(above < negligible ? std::exp(-above) : 0);
    whole += share_.back();
  }
  for (double& share : share_) share /= whole;
  return own.least - softness_ * std::log(whole);
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
