#include "wavewright/plan/bounds/time_window/window_bound.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include "wavewright/job/precedence.h"
#include "wavewright/plan/bounds/time_window/window_ascent.h"

namespace wavewright {

namespace {

constexpr std::size_t cell_count = 240;
constexpr double beyond = 1.05;                               // times the plan's makespan: end of the prices
constexpr std::size_t most_tree_nodes = 50'000;               // about 12 kB each; the search then ends
constexpr std::size_t at_once = 8;                            // nodes in a round, on any machine
constexpr std::size_t root_rounds = 300, inner_rounds = 100;  // most dual bounds of a node
constexpr std::array<double, 4> aims = {0.03, 0.01, 0.005, 0};  // gaps, tried in this order
constexpr double bound_rounding = 1e-9;                         // relative margin for rounding

class Tree {
 public:
  Tree(const Workload& batch, SlotPool pool, double value, double makespan, const Stop& stop)
      : jobs_(window_jobs(batch, pool)),
        value_(value),
        ascents_(WindowAscent(batch, pool, jobs_,
                              {cell_count, beyond * makespan / static_cast<double>(cell_count)}, stop)) {
    double least = 0;
    for (const WindowJob& job : jobs_) least += job.submit + job.head + job.tail;
    for (const WindowJob& job : jobs_) {
      const double own = job.submit + job.head + job.tail, latest = value - (least - own);
      root_.windows.push_back({job.submit + job.head, latest - job.tail, own, latest});
    }
    root_.prices.assign(3 * cell_count, 0);
  }

  // A bound on Σ ends.
  double search(double multiplications, const Stop& stop) {
    double left = std::max(1.0, multiplications / ascents_.local().multiplications());  // dual bounds
    double shown = 0;
    for (const double gap : aims) {
      const double aim = value_ / (1 + gap);
      open_.clear();
      stuck_ = aim;
      WindowNode root = root_;
      if (agree(jobs_, root.windows)) open_.push_back(std::move(root));
      bool first = true;
      while (!open_.empty()) {
        if (left < 1 || open_.size() > most_tree_nodes || stop.now()) return std::max(shown, least_bound());
        const auto most = std::min(static_cast<double>(first ? root_rounds : inner_rounds), left);
        left -= static_cast<double>(round(aim, static_cast<std::size_t>(most), stop));
        if (std::exchange(first, false) && !open_.empty()) {
          root_.prices = open_.front().prices;
          root_.cuts = open_.front().cuts;
        }
      }
      shown = std::max(shown, stuck_);
    }
    return shown;
  }

 private:
  // Closed nodes have no schedule below the aim.
  [[nodiscard]] double least_bound() const {
    double least = stuck_;
    for (const WindowNode& node : open_) least = std::min(least, node.bound);
    return least;
  }
  // Explores the lowest nodes. Returns the number of dual bounds computed, at least 1.
  std::size_t round(double aim, std::size_t most, const Stop& stop) {
    std::vector<WindowNode> nodes;
    while (nodes.size() < at_once && !open_.empty()) {
      std::pop_heap(open_.begin(), open_.end(), std::greater<>());
      nodes.push_back(std::move(open_.back()));
      open_.pop_back();
    }
    std::vector<std::vector<WindowNode>> halves(nodes.size());
    std::vector<char> is_left(nodes.size(), 1);
    tbb::parallel_for(std::size_t{0}, nodes.size(), [&](std::size_t i) {
      WindowAscent& ascent = ascents_.local();
      nodes[i].looked = 0;
      is_left[i] = ascent.raise(nodes[i], aim, most, stop);
      if (is_left[i]) halves[i] = ascent.halves(nodes[i]);
    });
    std::size_t looked = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      looked += nodes[i].looked;
      if (!is_left[i]) continue;
      if (halves[i].empty()) stuck_ = std::min(stuck_, nodes[i].bound);
      for (WindowNode& half : halves[i]) {
        open_.push_back(std::move(half));
        std::push_heap(open_.begin(), open_.end(), std::greater<>());
      }
    }
    return std::max<std::size_t>(1, looked);
  }

  std::vector<WindowJob> jobs_;
  double value_;
  tbb::enumerable_thread_specific<WindowAscent> ascents_;
  WindowNode root_;
  std::vector<WindowNode> open_;  // a heap, the lowest bound first
  double stuck_ = 0;  // the lowest bound of nodes with windows too narrow to split; at most the aim
};

}  // namespace

bool has_time_window_bound(const Workload& batch) {
  return batch.jobs.size() >= 2 && batch.jobs.size() <= SetEnds::most_jobs && !has_precedence(batch);
}

Duration time_window_bound(const Workload& batch, SlotPool pool, Duration known, Duration value,
                           Duration makespan, double multiplications, const Stop& stop) {
  if (!has_time_window_bound(batch) || known >= value || makespan <= Duration{}) return known;
  double submits = 0;
  for (const Job& job : batch.jobs) submits += static_cast<double>(to_ms(job.submit));
  const double value_of_ends = static_cast<double>(to_ms(value)) + submits;
  Tree tree(batch, pool, value_of_ends, static_cast<double>(to_ms(makespan)), stop);
  if (stop.now()) return known;
  const double bound = tree.search(multiplications, stop) * (1 - bound_rounding) - submits;
  // Total completion times are whole ms.
  const Duration shown = ms(static_cast<std::int64_t>(std::ceil(bound - 1e-3)));
  return std::clamp(shown, known, value);
}

}  // namespace wavewright
