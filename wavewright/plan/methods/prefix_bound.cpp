#include "wavewright/plan/methods/prefix_bound.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "wavewright/plan/bounds/completion_vector.h"
#include "wavewright/plan/bounds/counting_bound.h"

namespace wavewright {

namespace {

__extension__ using Int = __int128;
constexpr std::int64_t most_rounds = 6;

// The work that slots can do from the instants when they become free.
class Capacity {
 public:
  explicit Capacity(const std::vector<SlotWave>& free) : free_(free) {}

  // Slot time until `instant`.
  [[nodiscard]] std::int64_t by(std::int64_t instant) const {
    std::int64_t sum = 0;
    for (const SlotWave& wave : free_) {
      if (wave.at >= instant) break;
      sum += wave.slots * (instant - wave.at);
    }
    return sum;
  }
  // `work` can be done by (work + came) / slots.
  struct Level {
    std::int64_t slots = 0, came = 0;  // slots at work then, Σ of the instants when they became free
  };
  [[nodiscard]] Level level(std::int64_t work) const {
    Level level;
    for (const SlotWave& wave : free_) {
      if (level.slots > 0 && work + level.came <= wave.at * level.slots) break;
      level.slots += wave.slots;
      level.came += wave.slots * wave.at;
    }
    return level;
  }
  // The earliest end of `work`, rounded up to ms; 0 for no work.
  [[nodiscard]] std::int64_t instant(std::int64_t work) const {
    if (work == 0) return 0;
    const Level at = level(work);
    return divide_up(work + at.came, at.slots);
  }

 private:
  const std::vector<SlotWave>& free_;
};

}  // namespace

PrefixBound::PrefixBound(const Workload& batch, SlotPool pool, Objective objective) : objective_(objective) {
  std::size_t maps = 0, reduces = 0;
  for (const Job& job : batch.jobs) {
    maps += job.maps.size();
    reduces += job.reduces.size();
  }
  const auto used = [](Count slots, std::size_t tasks) {
    return std::max<Count>(1, std::min(slots, static_cast<Count>(tasks)));
  };
  map_slots_ = used(pool.map_slots, maps);
  reduce_slots_ = used(pool.reduce_slots, reduces);
  for (const Job& job : batch.jobs) {
    std::int64_t map_work = 0, reduce_work = 0;
    std::vector<CountedTask> tasks;
    for (const Duration map : job.maps) map_work += to_ms(map);
    std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = 0; i < job.reduces.size(); ++i) {
      tasks.push_back({to_ms(job.least_reduce(i)), 0});
      reduce_work += tasks.back().length;
      shortest = std::min(shortest, tasks.back().length);
    }
    submits_ += to_ms(job.submit);
    if (job.maps.empty()) without_maps_ |= std::uint32_t{1} << map_work_.size();
    map_work_.push_back(map_work);
    reduce_work_.push_back(reduce_work);
    shortest_.push_back(shortest);
    reduces_.push_back(static_cast<std::int64_t>(tasks.size()));
    tails_.push_back(stage_alone(tasks, reduce_slots_));
  }
  by_reduce_.resize(batch.jobs.size());
  std::iota(by_reduce_.begin(), by_reduce_.end(), JobIndex{0});
  by_map_ = by_work_ = johnson_ = by_reduce_;
  std::stable_sort(by_reduce_.begin(), by_reduce_.end(),
                   [&](JobIndex a, JobIndex b) { return shortest_[a] > shortest_[b]; });
  std::stable_sort(by_map_.begin(), by_map_.end(),
                   [&](JobIndex a, JobIndex b) { return map_work_[a] < map_work_[b]; });
  const auto stage = [&](JobIndex job) {  // in a common unit
    return std::pair(static_cast<double>(map_work_[job]) * static_cast<double>(reduce_slots_),
                     static_cast<double>(reduce_work_[job]) * static_cast<double>(map_slots_));
  };
  std::stable_sort(by_work_.begin(), by_work_.end(), [&](JobIndex a, JobIndex b) {
    return stage(a).first + stage(a).second < stage(b).first + stage(b).second;
  });
  std::stable_sort(johnson_.begin(), johnson_.end(), [&](JobIndex a, JobIndex b) {
    const auto [a_map, a_reduce] = stage(a);
    const auto [b_map, b_reduce] = stage(b);
    const bool a_early = a_map <= a_reduce, b_early = b_map <= b_reduce;
    if (a_early != b_early) return a_early;
    return a_early ? a_map < b_map : a_reduce > b_reduce;
  });
}

std::int64_t PrefixBound::of(const Prefix& prefix, std::int64_t enough) const {
  return objective_ == Objective::makespan ? makespan(prefix, enough) : total_completion(prefix, enough);
}

std::int64_t PrefixBound::makespan(const Prefix& prefix, std::int64_t enough) const {
  std::array<std::pair<std::int64_t, std::int64_t>, most_ordered_jobs> reduces{};  // map end, reduce work
  std::int64_t last = prefix.settled_last;
  std::size_t count = 0;
  for (JobIndex job = 0; job < tails_.size(); ++job) {
    if (is_in(prefix.settled, job)) continue;
    last = std::max(last, prefix.map_ends[job] + tails_[job]);
    if (reduce_work_[job] > 0) reduces[count++] = {prefix.map_ends[job], reduce_work_[job]};
  }
  std::sort(reduces.begin(), reduces.begin() + static_cast<std::ptrdiff_t>(count), std::greater<>());
  const Capacity capacity(prefix.reduce_slots);
  std::int64_t work = 0;
  for (std::size_t i = 0; i < count; ++i) {
    work += reduces[i].second;
    last = std::max(last, capacity.instant(capacity.by(reduces[i].first) + work));
  }
  if (last >= enough || prefix.others == 0) return last;
  last = std::max(last, johnson(prefix));
  return last >= enough ? last : std::max(last, counted(prefix.map_ends));
}

std::int64_t PrefixBound::johnson(const Prefix& prefix) const {
  std::array<std::pair<std::int64_t, std::int64_t>, most_ordered_jobs> fixed{};
  std::size_t count = 0;
  const JobIndex first =
      *std::find_if(by_map_.begin(), by_map_.end(), [&](JobIndex job) { return is_in(prefix.others, job); });
  const Capacity::Level level = Capacity(prefix.map_slots).level(map_work_[first]);
  const Int first_end = Int{map_work_[first]} + level.came;  // times level.slots
  for (JobIndex job = 0; job < tails_.size(); ++job) {
    if (!is_in(prefix.others, job) && Int{prefix.map_ends[job]} * level.slots <= first_end)
      fixed[count++] = {prefix.map_ends[job], reduce_work_[job]};
  }
  std::sort(fixed.begin(), fixed.begin() + static_cast<std::ptrdiff_t>(count));
  // In 1/(M·R) ms: exact, because Johnson's order is optimal only without rounding.
  const Int maps = map_slots_, reduces = reduce_slots_;
  Int end = 0, maps_end = first_end * maps * reduces / level.slots - map_work_[first] * reduces;
  for (std::size_t i = 0; i < count; ++i)
    end = std::max(end, fixed[i].first * maps * reduces) + fixed[i].second * maps;
  for (const JobIndex job : johnson_) {
    if (!is_in(prefix.others, job)) continue;
    maps_end += map_work_[job] * reduces;
    end = std::max(end, maps_end) + reduce_work_[job] * maps;
  }
  return static_cast<std::int64_t>((end + maps * reduces - 1) / (maps * reduces));
}

// Counting bound (bounds/counting_bound.h) with each reduce as long as its job's shortest one.
std::int64_t PrefixBound::counted(const JobTimes& map_ends) const {
  std::int64_t best = 0;
  for (JobIndex first = 0; first < tails_.size(); ++first) {
    for (std::int64_t rounds = 2; rounds <= most_rounds; ++rounds) {
      const std::int64_t found = counted_from(map_ends, map_ends[first], rounds);
      if (found == 0) break;
      best = std::max(best, found);
    }
  }
  return best;
}
// The bound from the jobs whose maps end at `threshold` or later; 0 if they have too few reduces.
std::int64_t PrefixBound::counted_from(const JobTimes& map_ends, std::int64_t threshold,
                                       std::int64_t rounds) const {
  std::array<std::pair<JobIndex, std::int64_t>, most_ordered_jobs> counted{};  // job, number of its reduces
  std::size_t jobs = 0;
  std::int64_t missing = (rounds - 1) * reduce_slots_ + 1;
  for (const JobIndex job : by_reduce_) {
    if (map_ends[job] < threshold || missing == 0) continue;
    const std::int64_t count = std::min(missing, reduces_[job]);
    if (count == 0) continue;
    counted[jobs++] = {job, count};
    missing -= count;
  }
  if (missing > 0) return 0;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = 0; i < jobs; ++i) {
    const JobIndex own = counted[i].first;
    std::int64_t sum = map_ends[own] + shortest_[own], others = rounds - 1;
    for (std::size_t other = jobs; other-- > 0 && others > 0;) {  // shortest first
      if (map_ends[counted[other].first] < map_ends[own]) continue;
      const std::int64_t count = std::min(others, counted[other].second - (other == i ? 1 : 0));
      sum += count * shortest_[counted[other].first];
      others -= count;
    }
    if (others == 0) least = std::min(least, sum);
  }
  return least == std::numeric_limits<std::int64_t>::max() ? 0 : least;
}

std::vector<std::int64_t> PrefixBound::map_ends_by_place(const Prefix& prefix) const {
  std::vector<std::int64_t> ends, alone;
  for (JobIndex job = 0; job < tails_.size(); ++job) {
    if (!is_in(prefix.settled, job))
      (is_in(prefix.others, job) ? alone : ends).push_back(prefix.map_ends[job]);
  }
  // The i-th map end of the others: after the i least works on the slots, and the i-th smallest end alone.
  std::sort(alone.begin(), alone.end());
  const Capacity capacity(prefix.map_slots);
  std::int64_t work = 0;
  std::size_t place = 0;
  for (const JobIndex job : by_map_) {
    if (!is_in(prefix.others, job)) continue;
    work += map_work_[job];
    alone[place] = std::max(alone[place], capacity.instant(work));
    ++place;
  }
  ends.insert(ends.end(), alone.begin(), alone.end());
  std::sort(ends.begin(), ends.end());
  return ends;
}

std::int64_t PrefixBound::total_completion(const Prefix& prefix, std::int64_t enough) const {
  std::int64_t simple = prefix.settled_sum - submits_;
  for (JobIndex job = 0; job < tails_.size(); ++job) {
    if (!is_in(prefix.settled, job)) simple += prefix.map_ends[job] + tails_[job];
  }
  if (simple >= enough) return simple;
  const std::vector<std::int64_t> maps = map_ends_by_place(prefix);
  std::vector<std::int64_t> tails, chains, work_by;  // ascending; work_by: slot time before each map end
  std::vector<FluidPart<std::int64_t>> reduces;      // in slot time
  const Capacity capacity(prefix.reduce_slots);
  std::int64_t after_maps = prefix.settled_sum - submits_;
  for (JobIndex job = 0; job < tails_.size(); ++job) {
    if (is_in(prefix.settled, job)) continue;
    const std::int64_t end = prefix.map_ends[job];
    tails.push_back(tails_[job]);
    chains.push_back(end + tails_[job]);
    after_maps += tails_[job];
    reduces.push_back({capacity.by(end), reduce_work_[job], reduce_work_[job]});
  }
  for (const std::int64_t end : maps) {
    after_maps += end;
    work_by.push_back(capacity.by(end));
  }
  simple = std::max(simple, after_maps);
  if (simple >= enough) return simple;
  std::sort(tails.begin(), tails.end());
  std::sort(chains.begin(), chains.end());
  const std::vector<std::int64_t> work_ends = least_ends(work_by, reduces);
  std::int64_t sum = prefix.settled_sum - submits_;
  for (std::size_t place = 0; place < maps.size(); ++place) {
    std::int64_t end = std::max(capacity.instant(work_ends[place]), chains[place]);
    for (std::size_t from = 0; from <= place; ++from) end = std::max(end, maps[from] + tails[place - from]);
    sum += end;
  }
  return std::max(simple, sum);
}

}  // namespace wavewright
