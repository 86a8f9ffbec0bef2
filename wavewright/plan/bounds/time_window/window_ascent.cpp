#include "wavewright/plan/bounds/time_window/window_ascent.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace wavewright {

namespace {

constexpr std::size_t narrow_every = 4, look_every = 20;  // dual bounds
constexpr double least_gain = 0.02, least_promise = 0.1;  // of the distance to the aim; less of both ends it
constexpr double of_map_ends = 0.5;                       // weight of the spread of map ends
constexpr double closest = 0.2;                           // of a window: the smallest part of a split
constexpr double narrowest = 1.0 / 16;                    // of a cell: narrower windows are not split

struct Mean {
  double sum = 0, squares = 0;

  void add(double value, double share) {
    sum += share * value;
    squares += share * value * value;
  }
  [[nodiscard]] double spread() const { return std::sqrt(std::max(0.0, squares - sum * sum)); }
};

}  // namespace

WindowAscent::WindowAscent(const Workload& batch, SlotPool pool, const std::vector<WindowJob>& jobs, Cells at,
                           const Stop& stop)
    : jobs_(jobs),
      cells_(at),
      sets_(batch, pool, jobs, stop),
      busy_(jobs, pool, at),
      dual_(jobs, pool, at),
      bundle_(jobs.size()) {}

double WindowAscent::multiplications() const {
  return dual_.multiplications() +
         static_cast<double>(jobs_.size() * Bundle::most_functions * Bundle::most_sweeps * cells_.count);
}

bool WindowAscent::raise(WindowNode& node, double aim, std::size_t most, const Stop& stop) {
  for (int round = 0; round < 2; ++round) {
    if (!busy_.narrow(node.windows) || !sets_.narrow(node.windows) || !shrink(node)) return false;
  }
  carry_prices(node);
  bundle_.begin(node.prices, dual_.limits(node.cuts), aim);
  std::vector<double> prices = node.prices;
  double before = -std::numeric_limits<double>::infinity();
  for (std::size_t round = 0; round < most && !stop.now(); ++round) {
    ++node.looked;
    const double bound = dual_.bound(prices, node.cuts, node.windows);
    if (bound >= aim) return false;
    bundle_.see(bound, dual_.choices(node.cuts));
    if ((round % narrow_every == narrow_every - 1 || round + 1 == most) && !narrow(node, aim)) return false;
    const auto next = bundle_.next();
    if (bundle_.done()) break;
    if (round % look_every == look_every - 1) {
      const double left = aim - bundle_.best();
      if (bundle_.best() - before < least_gain * left && bundle_.promise() < least_promise * left) break;
      before = bundle_.best();
    }
    prices.assign(next.begin(), next.end());
  }
  node.bound = std::max(node.bound, bundle_.best());
  node.prices.assign(bundle_.best_prices().begin(), bundle_.best_prices().end());
  return true;
}

bool WindowAscent::narrow(WindowNode& node, double aim) {
  if (!dual_.narrow(node.windows, aim) || !agree(jobs_, node.windows)) return false;
  if (!busy_.narrow(node.windows) || !shrink(node)) return false;
  for (std::size_t job = 0; job < jobs_.size(); ++job) {
    bundle_.forget(job, [&](const Bundle::Linear& choice) {
      const Windows& own = node.windows[job];
      return choice.maps < own.maps_from || choice.maps > own.maps_to || choice.all < own.from ||
             choice.all > own.to;
    });
  }
  return true;
}

bool WindowAscent::shrink(WindowNode& node) const {
  shrink_to_units(node.windows, cells_.unit);
  return agree(jobs_, node.windows);
}

std::vector<WindowNode> WindowAscent::halves(const WindowNode& node) const {
  std::size_t which = 0;
  bool of_maps = false;
  double most = -1, mean = 0;
  const auto look = [&](std::size_t job, bool maps, double width, double spread, double own_mean) {
    if (width < narrowest * cells_.width || width < cells_.unit || spread <= most) return;
    most = spread;
    mean = own_mean;
    which = job;
    of_maps = maps;
  };
  for (std::size_t job = 0; job < jobs_.size(); ++job) {
    Mean maps, all;
    for (const Bundle::Linear& choice : bundle_.functions(job)) {
      maps.add(choice.maps, choice.share);
      all.add(choice.all, choice.share);
    }
    const Windows& own = node.windows[job];
    look(job, true, own.maps_to - own.maps_from, jobs_[job].weight * of_map_ends * maps.spread(), maps.sum);
    look(job, false, own.to - own.from, jobs_[job].weight * all.spread(), all.sum);
  }
  if (most < 0) return {};
  const auto from = of_maps ? &Windows::maps_from : &Windows::from;
  const auto to = of_maps ? &Windows::maps_to : &Windows::to;
  const double begin = node.windows[which].*from, end = node.windows[which].*to;
  double middle = std::clamp(mean, begin + closest * (end - begin), end - closest * (end - begin));
  if (cells_.unit > 0)
    middle = std::clamp(std::floor(middle / cells_.unit) * cells_.unit, begin, end - cells_.unit);
  std::vector<WindowNode> two = {node, node};
  two[0].windows[which].*to = middle;
  two[1].windows[which].*from = middle + cells_.unit;
  std::erase_if(two, [&](WindowNode& half) { return !agree(jobs_, half.windows); });
  return two;
}

// Computes the cuts of the node's windows. Each old cut's price goes to a new cut that implies it.
void WindowAscent::carry_prices(WindowNode& node) const {
  std::vector<SetCut> cuts = sets_.cuts(cells_);
  const std::size_t of_cells = 3 * cells_.count;
  std::vector<double> prices(node.prices.begin(),
                             node.prices.begin() + static_cast<std::ptrdiff_t>(of_cells));
  prices.resize(of_cells + cuts.size());
  for (std::size_t cut = 0; cut < node.cuts.size(); ++cut) {
    const SetCut& old = node.cuts[cut];
    const double price = node.prices[of_cells + cut];
    if (price <= 0) continue;
    // The largest set whose cut implies the old one.
    std::size_t heir = cuts.size();
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      const bool implies =
          cuts[i].maps == old.maps && cuts[i].cell >= old.cell && (cuts[i].jobs & old.jobs) == cuts[i].jobs;
      if (implies && (heir == cuts.size() || std::popcount(cuts[i].jobs) > std::popcount(cuts[heir].jobs)))
        heir = i;
    }
    if (heir < cuts.size()) prices[of_cells + heir] += price;
  }
  node.cuts = std::move(cuts);
  node.prices = std::move(prices);
}

}  // namespace wavewright
