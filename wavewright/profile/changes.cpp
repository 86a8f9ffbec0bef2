#include "wavewright/profile/changes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <future>
#include <limits>
#include <numeric>
#include <utility>

#include "wavewright/core/random.h"

namespace wavewright {

namespace {

constexpr std::size_t least_side = 3;  // least runs on each side of a change
constexpr int permutations = 999;

struct Cut {
  std::size_t place = 0;
  double statistic = 0;  // |difference of means| / √(1/n + 1/m), up to a constant of the values
};

Cut best_cut(std::span<const double> values) {
  const double total = std::accumulate(values.begin(), values.end(), 0.0);
  const auto count = static_cast<double>(values.size());
  Cut best;
  double before = 0;
  for (std::size_t i = 1; i + least_side <= values.size(); ++i) {
    before += values[i - 1];
    if (i < least_side) continue;
    const auto n = static_cast<double>(i);
    const double distance = std::abs(before - n * total / count);
    const double statistic = distance * std::sqrt(count / (n * (count - n)));
    if (best.place == 0 || statistic > best.statistic) best = {i, statistic};
  }
  return best;
}

// Fisher–Yates with 16 random bits per step (Lemire's multiplication), or 32 for many values: permutation
// tests do little else.
class Shuffler {
 public:
  explicit Shuffler(Random& random) : random_(random) {}

  // Calls `placed(i, value)` as soon as the value at i has its place, for each i > 0, from the end.
  template <class Placed>
  void operator()(std::span<double> values, Placed placed) {
    Bits bits = bits_;  // in registers
    const auto place = [&](std::size_t i, std::size_t from) {
      const double value = values[from];
      values[from] = values[i];
      values[i] = value;
      placed(i, value);
    };
    std::size_t i = values.size();
    for (; i > std::numeric_limits<std::uint16_t>::max(); --i)
      place(i - 1, bits.below<std::uint32_t, std::uint64_t>(static_cast<std::uint32_t>(i), random_));
    for (; i > 1; --i)
      place(i - 1, bits.below<std::uint16_t, std::uint32_t>(static_cast<std::uint16_t>(i), random_));
    bits_ = bits;
  }

 private:
  struct Bits {
    std::uint64_t held = 0;
    unsigned left = 0;  // of `held`

    template <class Part>
    Part next(Random& random) {
      constexpr unsigned width = std::numeric_limits<Part>::digits;
      if (left < width) {
        held = random.bits();
        left = 64;
      }
      const auto part = static_cast<Part>(held);
      held >>= width;
      left -= width;
      return part;
    }

    // [0, bound), unbiased
    template <class Part, class Product>
    Part below(Part bound, Random& random) {
      Product product = Product{next<Part>(random)} * bound;
      if (static_cast<Part>(product) < bound) {
        const auto rejected = static_cast<Part>(static_cast<Part>(-bound) % bound);
        while (static_cast<Part>(product) < rejected) product = Product{next<Part>(random)} * bound;
      }
      return static_cast<Part>(product >> unsigned{std::numeric_limits<Part>::digits});
    }
  };

  Random& random_;
  Bits bits_;
};

// Draws orders of the values; does one have a cut with at least this statistic? Limits are precomputed by
// cut.
class Orders {
 public:
  Orders(std::span<const double> values, double statistic, Random& random)
      : order_(values.begin(), values.end()),
        shuffle_(random),
        mean_(std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size())),
        distances_(values.size(), std::numeric_limits<double>::infinity()) {
    const auto count = static_cast<double>(values.size());
    for (std::size_t i = least_side; i + least_side <= values.size(); ++i) {
      const auto n = static_cast<double>(i);
      distances_[i] = statistic / std::sqrt(count / (n * (count - n)));
    }
  }

  // Of the next order.
  bool next_reaches() {
    double off = 0;  // deviation of the sum of the last values from its expectation: less that of the others
    bool reaches = false;
    shuffle_(order_, [&](std::size_t i, double value) {
      off += value - mean_;
      reaches |= std::abs(off) >= distances_[i];
    });
    return reaches;
  }

 private:
  std::vector<double> order_;
  Shuffler shuffle_;
  double mean_;
  std::vector<double> distances_;
};

// Share of orders with a statistic at least as large; stops early once it is certainly above `alarm`.
double permutation_p(std::span<const double> values, double statistic, double alarm, Random& random) {
  Orders orders(values, statistic - 1e-9 * std::abs(statistic), random);
  int larger = 1;  // counts the observed order
  int tried = 1;
  for (int i = 0; i < permutations; ++i) {
    ++tried;
    if (orders.next_reaches()) ++larger;
    if (larger > 2 * alarm * (permutations + 1) + 10) break;
  }
  return static_cast<double>(larger) / tried;
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

struct Search {
  double alarm;
  double least_difference;
  Random random;
  std::vector<Shift> found;

  void cut(std::span<const double> values, std::size_t offset) {
    if (values.size() < 2 * least_side) return;
    const Cut best = best_cut(values);
    if (best.place == 0) return;
    const double difference = mean(values.subspan(best.place)) - mean(values.first(best.place));
    if (std::abs(difference) < least_difference || best.statistic <= 0) return;
    const double p = permutation_p(values, best.statistic, alarm, random);
    if (p > alarm) return;
    cut(values.first(best.place), offset);
    found.push_back({offset + best.place, difference, p});
    cut(values.subspan(best.place), offset + best.place);
  }
};

double mean_ms(const std::vector<Duration>& durations) {
  double sum = 0;
  for (const Duration duration : durations) sum += static_cast<double>(duration.count());
  return durations.empty() ? 0 : sum / static_cast<double>(durations.size());
}

// Bytes per task; 1 if some run's bytes are unknown, so that only lengths count.
double share(const std::optional<Bytes>& bytes, Count tasks, bool told) {
  return told && tasks > 0 ? static_cast<double>(bytes->count) / static_cast<double>(tasks) : 1;
}

struct Sequence {
  const char* phase;
  std::vector<double> values;
  std::vector<std::size_t> places;
};

std::pair<Sequence, Sequence> sequences_of(const std::vector<const RunPhases*>& runs) {
  const bool told =
      std::all_of(runs.begin(), runs.end(), [](const RunPhases* run) { return run->has_input(); });
  Sequence maps{"map", {}, {}};
  Sequence reduces{"reduce", {}, {}};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const RunPhases& run = *runs[i];
    const double map = mean_ms(run.map);
    const double reduce = mean_ms(run.first_shuffle) + mean_ms(run.shuffle) + mean_ms(run.reduce);
    const auto add = [&](Sequence& sequence, double length, Count tasks) {
      if (length <= 0) return;
      sequence.values.push_back(std::log(length / share(run.map_input, tasks, told)));
      sequence.places.push_back(i);
    };
    add(maps, map, run.maps);
    add(reduces, reduce, run.reduces);
  }
  return {std::move(maps), std::move(reduces)};
}

}  // namespace

std::vector<Shift> find_shifts(std::span<const double> values, double alarm, std::uint64_t seed,
                               double least_difference) {
  Search search{alarm, least_difference, Random(seed, "changes"), {}};
  search.cut(values, 0);
  return std::move(search.found);
}

std::vector<Change> find_changes(std::span<const RunPhases> runs, const ChangeOptions& options) {
  std::vector<const RunPhases*> ordered;
  for (const RunPhases& run : runs) {
    if (run.state == RunState::succeeded && run.submit) ordered.push_back(&run);
  }
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const RunPhases* a, const RunPhases* b) { return *a->submit < *b->submit; });
  if (ordered.size() > options.runs_at_most) {
    ordered.erase(ordered.begin(), ordered.end() - static_cast<std::ptrdiff_t>(options.runs_at_most));
  }
  const auto [maps, reduces] = sequences_of(ordered);
  const auto shifts = [&](const Sequence& sequence) {
    return find_shifts(sequence.values, options.alarm / 2, options.seed, std::log(1.1));
  };
  // Neither depends on the other, and their tests take most of a profile's time.
  constexpr std::size_t worth_a_thread = 200;  // runs
  const bool together = maps.values.size() >= worth_a_thread && reduces.values.size() >= worth_a_thread;
  auto of_maps = std::async(together ? std::launch::async : std::launch::deferred, shifts, std::cref(maps));
  const std::vector<Shift> of_reduces = shifts(reduces);
  std::vector<Change> changes;
  const auto add = [&](const Sequence& sequence, const std::vector<Shift>& found) {
    for (const Shift& shift : found) {
      const std::size_t place = sequence.places[shift.place];
      changes.push_back({place, ordered[place]->id, ordered[place]->submit, sequence.phase,
                         std::exp(shift.difference), shift.p_value});
    }
  };
  add(maps, of_maps.get());
  add(reduces, of_reduces);
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.place < b.place; });
  return changes;
}

std::vector<RunPhases> runs_since(const Change& change, std::span<const RunPhases> runs) {
  std::vector<RunPhases> since;
  for (const RunPhases& run : runs) {
    if (run.submit && change.when && *run.submit >= *change.when) since.push_back(run);
  }
  return since;
}

}  // namespace wavewright
