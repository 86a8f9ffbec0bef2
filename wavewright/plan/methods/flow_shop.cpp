#include "wavewright/plan/methods/flow_shop.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <tuple>

#include "wavewright/core/error.h"
#include "wavewright/core/random.h"

namespace wavewright {

namespace {

constexpr std::uint64_t stop_every_sets = 64;
constexpr int first_rounds = 400, rounds_a_set = 12;
constexpr int perturbations = 60;

using Order = std::vector<std::uint32_t>;

// Moves each job to its best position in turn, until none moves.
void descend(std::span<const FlowJob> jobs, Order& order, std::int64_t& total) {
  for (bool better = true; better;) {
    better = false;
    for (std::size_t from = 0; from < order.size(); ++from) {
      Order tried = order;
      const std::uint32_t job = tried[from];
      tried.erase(tried.begin() + static_cast<std::ptrdiff_t>(from));
      for (std::size_t to = 0; to < order.size(); ++to) {
        tried.insert(tried.begin() + static_cast<std::ptrdiff_t>(to), job);
        const std::int64_t found = flow_shop_total(jobs, tried);
        if (found < total) {
          total = found;
          order = tried;
          better = true;
        }
        tried.erase(tried.begin() + static_cast<std::ptrdiff_t>(to));
      }
      if (better) break;
    }
  }
}

// Iterated descent: from shortest first, then from the best order with some jobs swapped.
Order local_search(std::span<const FlowJob> jobs, std::uint64_t seed, const Stop& stop) {
  Order best(jobs.size());
  std::iota(best.begin(), best.end(), 0U);
  std::stable_sort(best.begin(), best.end(), [&](std::uint32_t a, std::uint32_t b) {
    return jobs[a].map + jobs[a].reduce < jobs[b].map + jobs[b].reduce;
  });
  std::int64_t least = flow_shop_total(jobs, best);
  descend(jobs, best, least);
  Random random(seed, "plan/flow_shop");
  for (int again = 0; again < perturbations && jobs.size() > 2 && !stop.now(); ++again) {
    Order order = best;
    for (int change = 0; change < 3; ++change)
      std::swap(order[random.below(order.size())], order[random.below(order.size())]);
    std::int64_t total = flow_shop_total(jobs, order);
    descend(jobs, order, total);
    if (total < least) {
      least = total;
      best = order;
    }
  }
  return best;
}

struct State {
  std::int64_t end = 0;  // end of the second machine
  std::int64_t total = 0;
  std::uint32_t set = 0;
  std::uint32_t before = 0;  // index of the previous state in its layer
  std::uint32_t last = 0;
};

class SequenceSearch {
 public:
  SequenceSearch(std::span<const FlowJob> jobs, std::uint64_t most_states, Order start, const Stop& stop)
      : jobs_(jobs), most_states_(most_states), stop_(stop), bound_(jobs) {
    all_ = jobs.empty() ? 0 : ~std::uint32_t{0} >> (32 - jobs.size());
    best_.order = std::move(start);
    best_.total = flow_shop_total(jobs, best_.order);
    by_map_.resize(jobs.size());
    std::iota(by_map_.begin(), by_map_.end(), 0U);
    by_reduce_ = by_map_;
    std::sort(by_map_.begin(), by_map_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return jobs_[a].map < jobs_[b].map; });
    std::sort(by_reduce_.begin(), by_reduce_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return jobs_[a].reduce < jobs_[b].reduce; });
  }

  FlowShopOrder run() {
    bound_.improve(all_, 0, best_.total, first_rounds);
    best_.bound = bound_.of(bound_.assigned(all_), all_, 0);
    layers_.assign(1, {State{}});
    bool whole = true;
    for (std::size_t size = 0; size < jobs_.size() && whole; ++size) whole = extend_layer();
    if (whole) {
      // Dominance leaves at most one state of the whole set.
      for (const State& state : layers_.back()) {
        if (state.total < best_.total) take(state);
      }
      best_.bound = best_.total;
      best_.complete = true;
    }
    return best_;
  }

 private:
  // Builds the states of sets with one more job. False if stopped or out of states.
  bool extend_layer() {
    std::vector<State> next;
    std::vector<State>& layer = layers_.back();
    std::vector<State> kept;
    std::int64_t least = best_.total;  // lower bound over the states of this layer
    std::uint64_t sets = 0;
    for (std::size_t first = 0; first < layer.size();) {
      std::size_t end = first;
      while (end < layer.size() && layer[end].set == layer[first].set) ++end;
      const std::size_t from = kept.size();
      least = std::min(least, keep_promising(std::span(layer).subspan(first, end - first), kept));
      for (std::size_t state = from; state < kept.size(); ++state) extend(kept, state, next);
      first = end;
      best_.stopped = sets++ % stop_every_sets == 0 && stop_.now();
      if (best_.stopped || best_.states + kept.size() + next.size() > most_states_)
        return false;  // best_.bound stays that of the layer before
    }
    best_.bound = std::max(best_.bound, least);
    best_.states += kept.size();
    layer = std::move(kept);
    filter(next);
    layers_.push_back(std::move(next));
    return true;
  }

  // Keeps the states of one set whose bound is below the best total. Returns the least bound.
  std::int64_t keep_promising(std::span<const State> states, std::vector<State>& kept) {
    const std::uint32_t left = all_ & ~states.front().set;
    const std::int64_t maps = maps_of(states.front().set), count = std::popcount(left);
    if (left == 0) return keep_last(states, kept);
    const std::vector<std::int64_t> multipliers = bound_.multipliers();
    const std::int64_t assigned = bound_.assigned(left);
    const auto of = [&](const State& state, std::int64_t cost) {
      return state.total + count * maps + bound_.of(cost, left, state.end - maps);
    };
    const auto lowest = std::min_element(states.begin(), states.end(), [&](const State& a, const State& b) {
      return of(a, assigned) < of(b, assigned);
    });
    std::vector<std::int64_t> bounds;
    for (const State& state : states) bounds.push_back(of(state, assigned));
    if (of(*lowest, assigned) < best_.total) {  // improve the multipliers for the lowest state
      bound_.improve(left, lowest->end - maps, best_.total - lowest->total - count * maps, rounds_a_set);
      const std::int64_t improved = bound_.assigned(left);
      for (std::size_t i = 0; i < states.size(); ++i)
        bounds[i] = std::max(bounds[i], of(states[i], improved));
    }
    bound_.use(multipliers);
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (bounds[i] >= best_.total) continue;
      least = std::min(least, bounds[i]);
      kept.push_back(states[i]);
    }
    return least;
  }
  std::int64_t keep_last(std::span<const State> states, std::vector<State>& kept) const {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const State& state : states) {
      least = std::min(least, state.total);
      if (state.total < best_.total) kept.push_back(state);
    }
    return least;
  }

  void extend(const std::vector<State>& kept, std::size_t at, std::vector<State>& next) const {
    const State state = kept[at];
    const std::int64_t maps = maps_of(state.set);
    for (std::uint32_t job = 0; job < jobs_.size(); ++job) {
      if ((state.set >> job & 1) != 0 || like_an_earlier_one(job, state.set)) continue;
      State after{0, 0, state.set | std::uint32_t{1} << job, static_cast<std::uint32_t>(at), job};
      const std::int64_t mapped = maps + jobs_[job].map;
      after.end = std::max(state.end, mapped) + jobs_[job].reduce;
      after.total = state.total + after.end;
      if (after.total + alone(after, mapped) < best_.total) next.push_back(after);
    }
  }

  // A lower bound on Σ of the ends to come: each machine alone, shortest first.
  [[nodiscard]] std::int64_t alone(const State& state, std::int64_t mapped) const {
    std::int64_t first = mapped, by_maps = 0, second = state.end, by_reduces = 0, shortest = 0;
    for (const std::uint32_t job : by_map_) {
      if ((state.set >> job & 1) != 0) continue;
      if (shortest == 0) second = std::max(second, mapped + (shortest = jobs_[job].map));
      first += jobs_[job].map;
      by_maps += first + jobs_[job].reduce;
    }
    for (const std::uint32_t job : by_reduce_) {
      if ((state.set >> job & 1) == 0) by_reduces += second += jobs_[job].reduce;
    }
    return std::max(by_maps, by_reduces);
  }

  // Sorts the states by set and removes dominated ones (flow_shop.h).
  void filter(std::vector<State>& states) const {
    std::sort(states.begin(), states.end(), [](const State& a, const State& b) {
      return std::tie(a.set, a.end, a.total, a.last) < std::tie(b.set, b.end, b.total, b.last);
    });
    std::size_t kept = 0;
    for (const State& state : states) {
      const std::int64_t count = std::popcount(all_ & ~state.set);
      const auto same_set = [&] { return kept > 0 && states[kept - 1].set == state.set; };
      if (same_set() && states[kept - 1].total <= state.total) continue;
      while (same_set() && state.total + count * (state.end - states[kept - 1].end) <= states[kept - 1].total)
        --kept;
      states[kept++] = state;
    }
    states.resize(kept);
  }

  // Of two equal jobs, the first one goes first.
  [[nodiscard]] bool like_an_earlier_one(std::uint32_t job, std::uint32_t set) const {
    for (std::uint32_t other = 0; other < job; ++other) {
      if ((set >> other & 1) == 0 && jobs_[other].map == jobs_[job].map &&
          jobs_[other].reduce == jobs_[job].reduce)
        return true;
    }
    return false;
  }
  [[nodiscard]] std::int64_t maps_of(std::uint32_t set) const {
    std::int64_t sum = 0;
    for (; set != 0; set &= set - 1) sum += jobs_[static_cast<std::size_t>(std::countr_zero(set))].map;
    return sum;
  }

  void take(const State& last) {
    best_.total = last.total;
    best_.order.assign(jobs_.size(), 0);
    State state = last;
    for (std::size_t place = jobs_.size(); place-- > 0;) {
      best_.order[place] = state.last;
      state = layers_[place][state.before];
    }
  }

  const std::span<const FlowJob> jobs_;
  const std::uint64_t most_states_;
  const Stop& stop_;
  PositionBound bound_;
  std::uint32_t all_ = 0;
  Order by_map_, by_reduce_;
  std::vector<std::vector<State>> layers_;
  FlowShopOrder best_;
};

}  // namespace

std::int64_t flow_shop_total(std::span<const FlowJob> jobs, std::span<const std::uint32_t> order) {
  std::int64_t maps = 0, end = 0, total = 0;
  for (const std::uint32_t job : order) {
    maps += jobs[job].map;
    end = std::max(end, maps) + jobs[job].reduce;
    total += end;
  }
  return total;
}

std::optional<std::vector<FlowJob>> as_flow_shop(const Workload& batch, SlotPool pool) {
  // Σ of the waves' lengths; empty unless the tasks fill whole waves of equal length.
  const auto waves = [](std::size_t tasks, Count slots, auto&& length_of) {
    std::int64_t sum = 0;
    const auto wave = static_cast<std::size_t>(std::max<Count>(1, slots));
    bool whole = tasks > 0 && tasks % wave == 0;
    for (std::size_t task = 0; whole && task < tasks; ++task) {
      whole = length_of(task) > 0 && length_of(task) == length_of(task - task % wave);
      if (task % wave == 0) sum += length_of(task);
    }
    return whole ? std::optional(sum) : std::nullopt;
  };
  std::vector<FlowJob> jobs;
  for (const Job& job : batch.jobs) {
    bool plain = job.submit == Time{} && job.after.empty();
    for (std::size_t i = 0; i < job.reduces.size(); ++i)
      plain = plain && job.first_shuffle(i) == job.later_shuffle(i);
    const auto maps =
        waves(job.maps.size(), pool.map_slots, [&](std::size_t task) { return to_ms(job.maps[task]); });
    const auto reduces = waves(job.reduces.size(), pool.reduce_slots,
                               [&](std::size_t task) { return to_ms(job.least_reduce(task)); });
    if (!plain || !maps || !reduces) return std::nullopt;
    jobs.push_back({*maps, *reduces});
  }
  return jobs;
}

FlowShopOrder least_total_flow_shop(std::span<const FlowJob> jobs, std::uint64_t most_states,
                                    std::uint64_t seed, const Stop& stop,
                                    std::span<const std::uint32_t> start) {
  if (jobs.size() > PositionBound::most_jobs) throw InternalError("too many jobs for a search over sets");
  Order order = start.empty() ? local_search(jobs, seed, stop) : Order(start.begin(), start.end());
  return SequenceSearch(jobs, most_states, std::move(order), stop).run();
}

}  // namespace wavewright
