#include "wavewright/plan/bounds/time_window/window_bound.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include "wavewright/job/precedence.h"
#include "wavewright/plan/bounds/time_window/schedule_tree.h"
#include "wavewright/plan/bounds/time_window/time_unit.h"
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
// Partial schedules that a node enumerates, of the same length as so many multiplications; and the share of
// all multiplications that one node may take for it.
constexpr double root_schedules = 30'000, inner_schedules = 5'000;
constexpr double a_schedule = 1'000, of_a_node = 0.1;

// What is known of a plan and of some best schedule. Their value is Σ weight · end.
struct Known {
  double value = 0;     // of the plan
  double last_aim = 0;  // a better schedule than the plan has a smaller value than this
  double unit = 0;      // ms: all ends are multiples of it; 0: any instant
  double latest = std::numeric_limits<double>::infinity();  // ms: no end is later
  bool enumerates = false;                                  // the schedules of small nodes
};

Cells cells_of(double makespan, double unit) {
  const double end = beyond * makespan;
  if (unit <= 0) return {cell_count, end / static_cast<double>(cell_count)};
  const double width = unit * std::max(1.0, std::ceil(end / unit / static_cast<double>(cell_count)));
  return {static_cast<std::size_t>(std::ceil(end / width)), width, unit};
}

class Tree {
 public:
  Tree(const Workload& batch, SlotPool pool, std::vector<WindowJob> jobs, const Known& known, double makespan,
       const Stop& stop)
      : jobs_(std::move(jobs)),
        known_(known),
        cells_(cells_of(makespan, known.unit)),
        ascents_(WindowAscent(batch, pool, jobs_, cells_, stop)),
        schedules_(ScheduleTree(jobs_, pool)) {
    double least = 0;
    for (const WindowJob& job : jobs_) least += job.weight * (job.submit + job.head + job.tail);
    for (const WindowJob& job : jobs_) {
      const double own = job.submit + job.head + job.tail;
      const double latest = std::min((known.value - (least - job.weight * own)) / job.weight, known.latest);
      root_.windows.push_back({job.submit + job.head, latest - job.tail, own, latest});
    }
    root_.prices.assign(3 * cells_.count, 0);
  }

  // A bound on Σ weight · end, at most the last aim.
  double search(double multiplications, const Stop& stop) {
    most_schedules_ = of_a_node * multiplications / a_schedule;
    double left = std::max(1.0, multiplications / ascents_.local().multiplications());  // dual bounds
    double shown = 0;
    shrink_to_units(root_.windows, known_.unit);
    if (known_.enumerates && agree(jobs_, root_.windows)) {
      if (const auto least = enumerate(root_, known_.last_aim, root_schedules, stop)) return *least;
    }
    for (const double gap : aims) {
      const double aim = std::min(known_.value / (1 + gap), known_.last_aim);
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
      if (known_.enumerates && stuck_ < aim) break;  // larger aims prove no more
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
    std::vector<std::optional<double>> found(nodes.size());  // by enumeration
    tbb::parallel_for(std::size_t{0}, nodes.size(), [&](std::size_t i) {
      WindowAscent& ascent = ascents_.local();
      nodes[i].looked = 0;
      is_left[i] = ascent.raise(nodes[i], aim, most, stop);
      if (is_left[i] && known_.enumerates) found[i] = enumerate(nodes[i], aim, inner_schedules, stop);
      if (is_left[i] && !found[i]) halves[i] = ascent.halves(nodes[i]);
    });
    std::size_t looked = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      looked += nodes[i].looked;
      if (found[i]) stuck_ = std::min(stuck_, *found[i]);
      if (!is_left[i] || found[i]) continue;
      if (halves[i].empty()) stuck_ = std::min(stuck_, nodes[i].bound);
      for (WindowNode& half : halves[i]) {
        open_.push_back(std::move(half));
        std::push_heap(open_.begin(), open_.end(), std::greater<>());
      }
    }
    return std::max<std::size_t>(1, looked);
  }
  // The least value in the node's windows, or the aim if it is no less; empty if there are many schedules.
  std::optional<double> enumerate(WindowNode& node, double aim, double most, const Stop& stop) {
    ScheduleTree& schedules = schedules_.local();
    const auto least =
        schedules.least(node.windows, aim, static_cast<std::size_t>(std::min(most, most_schedules_)), stop);
    node.looked += static_cast<std::size_t>(a_schedule * static_cast<double>(schedules.looked()) /
                                            ascents_.local().multiplications());
    return least;
  }

  std::vector<WindowJob> jobs_;
  Known known_;
  Cells cells_;
  tbb::enumerable_thread_specific<WindowAscent> ascents_;
  tbb::enumerable_thread_specific<ScheduleTree> schedules_;
  WindowNode root_;
  std::vector<WindowNode> open_;  // a heap, the lowest bound first
  double most_schedules_ = 0;
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
  Tree tree(batch, pool, window_jobs(batch, pool), {value_of_ends, value_of_ends},
            static_cast<double>(to_ms(makespan)), stop);
  if (stop.now()) return known;
  const double bound = tree.search(multiplications, stop) * (1 - bound_rounding) - submits;
  // Total completion times are whole ms.
  const Duration shown = ms(static_cast<std::int64_t>(std::ceil(bound - 1e-3)));
  return std::clamp(shown, known, value);
}

double weighted_window_bound(const Workload& batch, SlotPool pool, std::span<const double> weights,
                             double known, double value, Duration makespan, double multiplications,
                             const Stop& stop) {
  constexpr double same = 1e-12;  // relative: sums that differ by less count as equal
  if (batch.jobs.empty() || batch.jobs.size() > SetEnds::most_jobs || has_precedence(batch)) return known;
  const auto unit = static_cast<double>(time_unit(batch));
  if (known >= value * (1 - same) || makespan <= Duration{} || unit <= 0 ||
      !(*std::min_element(weights.begin(), weights.end()) > 0))
    return known;
  std::vector<WindowJob> jobs = window_jobs(batch, pool);
  double submits = 0;
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    WindowJob& own = jobs[job];
    own.weight = weights[job];
    for (double* const least : {&own.head, &own.tail}) *least = std::ceil(*least / unit) * unit;
    submits += own.weight * own.submit;
  }
  const double step = unit * weight_unit(weights);
  const double last_aim = step > 0 ? (std::ceil(value * (1 - same) / step) - 0.5) * step : value;
  Tree tree(batch, pool, std::move(jobs),
            {value + submits, last_aim + submits, unit, latest_end(batch, pool), true},
            static_cast<double>(to_ms(makespan)), stop);
  if (stop.now()) return known;
  double bound = tree.search(multiplications, stop) * (1 - bound_rounding) - submits;
  if (step > 0) bound = std::ceil(bound / step - 1e-3) * step;
  if (step != std::floor(step)) bound *= 1 - same;
  return bound >= value * (1 - 2 * same) ? value : std::max(known, bound);
}

}  // namespace wavewright
