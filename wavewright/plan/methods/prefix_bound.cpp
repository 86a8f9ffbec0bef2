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

bool is_in(std::uint32_t set, JobIndex job) {
  return (set >> job & 1) != 0;
}
// When slots that come as `free` says can have done some work: in place of works that only grow.
class Filling {
 public:
  explicit Filling(std::span<const SlotWave> free) : free_(free) {}

  // The slots at work then, and Σ of when each of them was free: the instant is (work + came) / slots.
  struct Level {
    std::int64_t slots = 0, came = 0;
  };
  Level level(std::int64_t work) {
    while (next_ < free_.size() &&
           (level_.slots == 0 || work + level_.came > free_[next_].at * level_.slots)) {
      level_.slots += free_[next_].slots;
      level_.came += free_[next_].slots * free_[next_].at;
      ++next_;
    }
    return level_;
  }

 private:
  std::span<const SlotWave> free_;
  std::size_t next_ = 0;
  Level level_;
};

std::int64_t rounded_up(std::int64_t work, std::int64_t slots) {
  return (work + slots - 1) / slots;
}

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
    tails_.push_back(std::max(counting_bound(tasks, reduce_slots_), rounded_up(reduce_work, reduce_slots_)));
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

std::int64_t PrefixBound::of(std::uint32_t others, const JobTimes& map_ends, std::span<const SlotWave> free,
                             std::int64_t enough) const {
  others &= ~without_maps_;
  return objective_ == Objective::makespan ? makespan(others, map_ends, free)
                                           : total_completion(others, map_ends, free, enough);
}

std::int64_t PrefixBound::makespan(std::uint32_t others, const JobTimes& map_ends,
                                   std::span<const SlotWave> free) const {
  std::array<std::pair<std::int64_t, std::int64_t>, most_ordered_jobs> reduces{};  // from when, work
  std::int64_t last = others == 0 ? 0 : std::max(counted(map_ends), johnson(others, map_ends, free));
  const std::size_t jobs = tails_.size();
  for (JobIndex job = 0; job < jobs; ++job) {
    last = std::max(last, map_ends[job] + tails_[job]);
    reduces[job] = {map_ends[job], reduce_work_[job]};
  }
  std::sort(reduces.begin(), reduces.begin() + static_cast<std::ptrdiff_t>(jobs), std::greater<>());
  std::int64_t work = 0;
  for (std::size_t i = 0; i < jobs; ++i) {
    work += reduces[i].second;
    last = std::max(last, reduces[i].first + rounded_up(work, reduce_slots_));
  }
  return last;
}

std::int64_t PrefixBound::johnson(std::uint32_t others, const JobTimes& map_ends,
                                  std::span<const SlotWave> free) const {
  std::array<std::pair<std::int64_t, std::int64_t>, most_ordered_jobs> fixed{};
  std::size_t count = 0;
  const JobIndex first =
      *std::find_if(by_map_.begin(), by_map_.end(), [&](JobIndex job) { return is_in(others, job); });
  const Filling::Level level = Filling(free).level(map_work_[first]);
  const Int first_end = Int{map_work_[first]} + level.came;  // over level.slots
  for (JobIndex job = 0; job < tails_.size(); ++job) {
    if (!is_in(others, job) && map_ends[job] * level.slots <= first_end)
      fixed[count++] = {map_ends[job], reduce_work_[job]};
  }
  std::sort(fixed.begin(), fixed.begin() + static_cast<std::ptrdiff_t>(count));
  // Exact, as Johnson's order is the best of all only before rounding: in 1/(M·R) ms.
  const Int maps = map_slots_, reduces = reduce_slots_;
  Int end = 0, maps_end = first_end * maps * reduces / level.slots - map_work_[first] * reduces;
  for (std::size_t i = 0; i < count; ++i)
    end = std::max(end, fixed[i].first * maps * reduces) + fixed[i].second * maps;
  for (const JobIndex job : johnson_) {
    if (!is_in(others, job)) continue;
    maps_end += map_work_[job] * reduces;
    end = std::max(end, maps_end) + reduce_work_[job] * maps;
  }
  return static_cast<std::int64_t>((end + maps * reduces - 1) / (maps * reduces));
}

// Of k·R + 1 reduces some slot takes k + 1, after the maps of one of their jobs (bounds/counting_bound.h);
// here every reduce of a job is as long as its shortest.
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
// Of the jobs whose maps end at `threshold` or later; 0 where they have too few reduces.
std::int64_t PrefixBound::counted_from(const JobTimes& map_ends, std::int64_t threshold,
                                       std::int64_t rounds) const {
  std::array<std::pair<JobIndex, std::int64_t>, most_ordered_jobs> counted{};  // and how many of its reduces
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
    for (std::size_t other = jobs; other-- > 0 && others > 0;) {  // the shortest first
      if (map_ends[counted[other].first] < map_ends[own]) continue;
      const std::int64_t count = std::min(others, counted[other].second - (other == i ? 1 : 0));
      sum += count * shortest_[counted[other].first];
      others -= count;
    }
    if (others == 0) least = std::min(least, sum);
  }
  return least == std::numeric_limits<std::int64_t>::max() ? 0 : least;
}

std::int64_t PrefixBound::total_completion(std::uint32_t others, const JobTimes& map_ends,
                                           std::span<const SlotWave> free, std::int64_t enough) const {
  const std::size_t jobs = tails_.size();
  std::int64_t chains = 0, tails = 0;
  for (JobIndex job = 0; job < jobs; ++job) {
    chains += map_ends[job] + tails_[job];
    tails += tails_[job];
  }
  if (chains - submits_ >= enough) return chains - submits_;
  std::vector<std::int64_t> fixed, alone;
  for (JobIndex job = 0; job < jobs; ++job) (is_in(others, job) ? alone : fixed).push_back(map_ends[job]);
  // The i-th of the others' maps to end: the i least works on the slots, and the i-th of the ends alone.
  std::sort(alone.begin(), alone.end());
  Filling filling(free);
  std::int64_t work = 0, sum = 0;
  std::size_t place = 0;
  for (const JobIndex job : by_map_) {
    if (!is_in(others, job)) continue;
    work += map_work_[job];
    const Filling::Level level = filling.level(work);
    alone[place] = std::max(alone[place], rounded_up(work + level.came, level.slots));
    ++place;
  }
  std::vector<std::int64_t> ends = fixed;
  ends.insert(ends.end(), alone.begin(), alone.end());
  for (const std::int64_t end : ends) sum += end;
  const std::int64_t simple = std::max(chains, sum + tails) - submits_;
  if (simple >= enough) return simple;
  std::sort(ends.begin(), ends.end());
  for (std::int64_t& end : ends) end *= reduce_slots_;
  std::vector<FluidPart<std::int64_t>> reduces;  // in 1/R ms
  for (JobIndex job = 0; job < jobs; ++job)
    reduces.push_back({map_ends[job] * reduce_slots_, reduce_work_[job], tails_[job] * reduce_slots_});
  return std::max(simple, rounded_up(least_total_completion(ends, reduces), reduce_slots_) - submits_);
}

}  // namespace wavewright
