#include "wavewright/plan/bounds/window_bound.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include "wavewright/job/precedence.h"
#include "wavewright/plan/bounds/counting_bound.h"
#include "wavewright/plan/bounds/set_ends.h"
#include "wavewright/plan/bounds/window_dual.h"

namespace wavewright {

namespace {

constexpr std::size_t cells = 240;
constexpr double beyond = 1.05;                         // of the plan's makespan: so far prices reach
constexpr std::size_t most_lengths = 12;                // of a job and stage; others count as a shorter one
constexpr std::size_t most_nodes = 50'000;              // kept, of some 12 kB each; then it ends
constexpr std::size_t at_once = 8;                      // nodes, on any machine
constexpr std::size_t root_rounds = 1500, rounds = 80;  // of the volume algorithm
constexpr std::array<double, 7> aims = {0.05,  0.03,   0.02, 0.01,
                                        0.005, 0.0025, 0};  // gaps, one after the other
constexpr double rounding = 1e-9;                           // of a bound
constexpr double closest = 0.2;                             // of a window: no part of it is smaller
constexpr double narrowest = 1.0 / 16;                      // of a cell: no window narrower is halved

// By length; of many lengths, neighbours count as the shortest of them.
std::vector<AlikeTasks> alike_tasks(const std::vector<CountedTask>& counted) {
  std::map<std::int64_t, double> counts;
  std::vector<std::int64_t> lengths;
  for (const CountedTask& task : counted) {
    if (task.length == 0) continue;
    ++counts[task.length];
    lengths.push_back(task.length);
  }
  std::vector<AlikeTasks> tasks;
  if (counts.size() <= most_lengths) {
    for (const auto& [length, count] : counts) tasks.push_back({static_cast<double>(length), count});
    return tasks;
  }
  std::sort(lengths.begin(), lengths.end());
  for (std::size_t part = 0; part < most_lengths; ++part) {
    const std::size_t begin = part * lengths.size() / most_lengths;
    const std::size_t end = (part + 1) * lengths.size() / most_lengths;
    tasks.push_back({static_cast<double>(lengths[begin]), static_cast<double>(end - begin)});
  }
  return tasks;
}

std::vector<WindowJob> window_jobs(const Workload& batch, SlotPool pool) {
  std::vector<WindowJob> jobs;
  jobs.reserve(batch.jobs.size());
  for (const Job& job : batch.jobs) {
    const std::vector<CountedTask> maps = counted_maps(job), reduces = counted_reduces(job);
    jobs.push_back({alike_tasks(maps), alike_tasks(reduces), static_cast<double>(to_ms(job.submit)),
                    static_cast<double>(stage_alone(maps, std::max<Count>(1, pool.map_slots))),
                    static_cast<double>(stage_alone(reduces, std::max<Count>(1, pool.reduce_slots)))});
  }
  return jobs;
}

struct Node {
  double bound = 0;  // on Σ ends
  std::vector<Windows> windows;
  std::vector<SetCut> cuts;
  std::vector<double> prices;  // of WindowDual
  std::size_t looked = 0;      // bounds of the dual

  friend bool operator>(const Node& a, const Node& b) { return a.bound > b.bound; }
};

// Mean and variance of what the dual's solutions choose, the last ones the most.
class Mean {
 public:
  void add(double value, double share) {
    mean_ += share * (value - mean_);
    square_ += share * (value * value - square_);
  }
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double spread() const { return std::sqrt(std::max(0.0, square_ - mean_ * mean_)); }

 private:
  double mean_ = 0, square_ = 0;
};

// Raises a node's bound, by the volume algorithm.
class Ascent {
 public:
  Ascent(const Workload& batch, SlotPool pool, const std::vector<WindowJob>& jobs, Cells at, const Stop& stop)
      : jobs_(jobs), cells_(at), sets_(batch, pool, jobs, stop), dual_(jobs, pool, at) {}

  [[nodiscard]] double multiplications() const { return dual_.multiplications(); }

  // Up to the aim; windows lose what would be no better than the value. Whether anything is left.
  bool raise(Node& node, double aim, double value, std::size_t most, const Stop& stop) {
    if (!sets_.narrow(node.windows)) return false;
    carry_prices(node);
    maps_.assign(jobs_.size(), {});
    ends_.assign(jobs_.size(), {});
    std::vector<double> tried = node.prices, direction(node.prices.size());
    std::vector<double> mean_excess(node.prices.size());
    double best = -std::numeric_limits<double>::infinity(), before = best, step = first_step;
    std::size_t worse = 0;
    for (std::size_t round = 0; round < most && !stop.now(); ++round) {
      ++node.looked;
      const double bound = dual_.bound(tried, node.cuts, node.windows);
      if (bound >= value) return false;
      if (round % narrow_every == narrow_every - 1 || round + 1 == most) {
        if (!dual_.narrow(node.windows, value) || !agree(jobs_, node.windows)) return false;
      }
      take_means(mean_excess, std::max(least_share, 1 / static_cast<double>(round + 1)));
      if (bound > best) {
        best = bound;
        node.prices = tried;
        worse = 0;
        step = std::min(longest_step, step * 1.05);
      } else if (++worse == patience) {
        worse = 0;
        step = std::max(shortest_step, step * 0.7);
      }
      if (best >= aim) break;
      if (round % look_every == look_every - 1) {
        if (most <= rounds && best - before < least_gain * (aim - best)) break;
        before = best;
      }
      double norm = 0;
      for (std::size_t i = 0; i < direction.size(); ++i) {
        direction[i] = mean_excess[i] < 0 && node.prices[i] <= 0 ? 0 : mean_excess[i];
        norm += direction[i] * direction[i];
      }
      if (norm < 1e-12) break;
      const double by = step * (std::max(aim, best * 1.001) - best) / norm;
      for (std::size_t i = 0; i < direction.size(); ++i)
        tried[i] = std::max(0.0, node.prices[i] + by * direction[i]);
    }
    node.bound = std::max(node.bound, best);
    return true;
  }

  // The two halves of the node looked at last, at the window whose ends differ most.
  [[nodiscard]] std::vector<Node> halves(const Node& node) const {
    std::size_t which = 0;
    bool of_maps = false;
    double most = -1;
    const auto look = [&](std::size_t job, bool maps, double width, double spread) {
      if (width < narrowest * cells_.width || spread <= most) return;
      most = spread;
      which = job;
      of_maps = maps;
    };
    for (std::size_t job = 0; job < jobs_.size(); ++job) {
      const Windows& own = node.windows[job];
      look(job, true, own.maps_to - own.maps_from, of_map_ends * maps_[job].spread());
      look(job, false, own.to - own.from, ends_[job].spread());
    }
    if (most < 0) return {};
    const auto from = of_maps ? &Windows::maps_from : &Windows::from;
    const auto to = of_maps ? &Windows::maps_to : &Windows::to;
    const double begin = node.windows[which].*from, end = node.windows[which].*to;
    const double middle = std::clamp((of_maps ? maps_ : ends_)[which].mean(), begin + closest * (end - begin),
                                     end - closest * (end - begin));
    std::vector<Node> two = {node, node};
    two[0].windows[which].*to = middle;
    two[1].windows[which].*from = middle;
    std::erase_if(two, [&](Node& half) { return !agree(jobs_, half.windows); });
    return two;
  }

 private:
  static constexpr double first_step = 0.5, shortest_step = 1e-3, longest_step = 1.5;
  static constexpr double least_share = 0.1, least_gain = 2e-3, of_map_ends = 0.5;
  static constexpr std::size_t patience = 10, narrow_every = 10, look_every = 40;

  void take_means(std::vector<double>& mean_excess, double share) {
    const std::span<const double> excess = dual_.excess();
    for (std::size_t i = 0; i < excess.size(); ++i) mean_excess[i] += share * (excess[i] - mean_excess[i]);
    for (std::size_t job = 0; job < jobs_.size(); ++job) {
      maps_[job].add(dual_.ends()[job].maps, share);
      ends_[job].add(dual_.ends()[job].all, share);
    }
  }
  // The cuts of its windows; each takes over what those had that it implies.
  void carry_prices(Node& node) const {
    std::vector<SetCut> cuts = sets_.cuts(cells_);
    const std::size_t of_cells = 2 * cells_.count;
    std::vector<double> prices(node.prices.begin(),
                               node.prices.begin() + static_cast<std::ptrdiff_t>(of_cells));
    std::multimap<std::pair<std::size_t, bool>, std::pair<std::uint32_t, double>> old;
    for (std::size_t cut = 0; cut < node.cuts.size(); ++cut) {
      const double price = node.prices[of_cells + cut];
      if (price > 0) old.insert({{node.cuts[cut].cell, node.cuts[cut].maps}, {node.cuts[cut].jobs, price}});
    }
    for (const SetCut& cut : cuts) {
      double price = 0;
      const auto [begin, end] = old.equal_range({cut.cell, cut.maps});
      for (auto each = begin; each != end; ++each) {
        if ((each->second.first & cut.jobs) == cut.jobs) price += std::exchange(each->second.second, 0);
      }
      prices.push_back(price);
    }
    node.cuts = std::move(cuts);
    node.prices = std::move(prices);
  }

  const std::vector<WindowJob>& jobs_;
  Cells cells_;
  SetEnds sets_;
  WindowDual dual_;
  std::vector<Mean> maps_, ends_;
};

class Tree {
 public:
  Tree(const Workload& batch, SlotPool pool, double value, double makespan, const Stop& stop)
      : jobs_(window_jobs(batch, pool)),
        value_(value),
        ascents_(Ascent(batch, pool, jobs_, {cells, beyond * makespan / static_cast<double>(cells)}, stop)) {
    Node root;
    double least = 0;
    for (const WindowJob& job : jobs_) least += job.submit + job.head + job.tail;
    for (const WindowJob& job : jobs_) {
      const double own = job.submit + job.head + job.tail, latest = value - (least - own);
      root.windows.push_back({job.submit + job.head, latest - job.tail, own, latest});
    }
    root.prices.assign(2 * cells, 0);
    if (agree(jobs_, root.windows)) open_.push_back(std::move(root));
  }

  // A bound on Σ ends.
  double search(double multiplications, const Stop& stop) {
    double left = std::max(1.0, multiplications / ascents_.local().multiplications());  // bounds of the dual
    bool root = true;
    for (const double gap : aims) {
      const double aim = gap > 0 ? value_ / (1 + gap) : value_;
      std::move(reached_.begin(), reached_.end(), std::back_inserter(open_));
      reached_.clear();
      std::make_heap(open_.begin(), open_.end(), std::greater<>());
      while (!open_.empty()) {
        const std::size_t kept = open_.size() + reached_.size() + stuck_.size();
        if (left < 1 || kept > most_nodes || stop.now()) return least_bound();
        const auto most = std::min(static_cast<double>(root ? root_rounds : rounds), left);
        left -= static_cast<double>(round(aim, static_cast<std::size_t>(most), stop));
        root = false;
      }
    }
    return least_bound();
  }

 private:
  // What nothing is left of has no schedule that is better than the value.
  [[nodiscard]] double least_bound() const {
    double least = value_;
    for (const auto* nodes : {&open_, &reached_, &stuck_}) {
      for (const Node& node : *nodes) least = std::min(least, node.bound);
    }
    return least;
  }
  // How many bounds of the dual it took.
  std::size_t round(double aim, std::size_t most, const Stop& stop) {
    std::vector<Node> nodes;
    while (nodes.size() < at_once && !open_.empty()) {
      std::pop_heap(open_.begin(), open_.end(), std::greater<>());
      nodes.push_back(std::move(open_.back()));
      open_.pop_back();
    }
    std::vector<std::vector<Node>> halves(nodes.size());
    std::vector<char> is_left(nodes.size(), 1);
    tbb::parallel_for(std::size_t{0}, nodes.size(), [&](std::size_t i) {
      if (nodes[i].bound >= aim) return;
      Ascent& ascent = ascents_.local();
      nodes[i].looked = 0;
      is_left[i] = ascent.raise(nodes[i], aim, value_, most, stop);
      if (is_left[i] && nodes[i].bound < aim) halves[i] = ascent.halves(nodes[i]);
    });
    std::size_t looked = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      looked += nodes[i].looked;
      if (!is_left[i]) continue;
      if (nodes[i].bound >= aim) {
        reached_.push_back(std::move(nodes[i]));
      } else if (halves[i].empty()) {
        stuck_.push_back(std::move(nodes[i]));
      }
      for (Node& half : halves[i]) {
        open_.push_back(std::move(half));
        std::push_heap(open_.begin(), open_.end(), std::greater<>());
      }
    }
    return std::max<std::size_t>(1, looked);
  }

  std::vector<WindowJob> jobs_;
  double value_;
  tbb::enumerable_thread_specific<Ascent> ascents_;
  std::vector<Node> open_;     // a heap, the lowest bound first
  std::vector<Node> reached_;  // the aim
  std::vector<Node> stuck_;    // with windows too narrow to be halved
};

}  // namespace

bool has_window_bound(const Workload& batch) {
  return batch.jobs.size() >= 2 && batch.jobs.size() <= SetEnds::most_jobs && !has_precedence(batch);
}

Duration window_bound(const Workload& batch, SlotPool pool, Duration known, Duration value, Duration makespan,
                      double multiplications, const Stop& stop) {
  if (!has_window_bound(batch) || known >= value || makespan <= Duration{}) return known;
  double submits = 0;
  for (const Job& job : batch.jobs) submits += static_cast<double>(to_ms(job.submit));
  const double value_of_ends = static_cast<double>(to_ms(value)) + submits;
  Tree tree(batch, pool, value_of_ends, static_cast<double>(to_ms(makespan)), stop);
  if (stop.now()) return known;
  const double bound = tree.search(multiplications, stop) * (1 - rounding) - submits;
  // Sums are whole ms.
  const Duration shown = ms(static_cast<std::int64_t>(std::ceil(bound - 1e-3)));
  return std::clamp(shown, known, value);
}

}  // namespace wavewright
