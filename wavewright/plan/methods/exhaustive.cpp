#include "wavewright/plan/methods/exhaustive.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "wavewright/plan/evaluate.h"
#include "wavewright/plan/methods/orders.h"
#include "wavewright/plan/schedule/stage_slots.h"

namespace wavewright {

namespace {

constexpr std::size_t most_jobs = 12;
constexpr std::uint64_t stop_every = 1'024;  // prefixes
constexpr std::int64_t most_rounds = 6;

class Search {
 public:
  Search(const PlanningProblem& problem, const Stop& stop)
      : problem_(problem), stop_(stop), schedule_(problem.batch, problem.pool) {
    const std::size_t jobs = problem.batch.jobs.size();
    map_ends_.resize(jobs);
    std::size_t maps = 0;
    for (const Job& job : problem.batch.jobs) {
      std::int64_t work = 0, longest = 0, shortest = std::numeric_limits<std::int64_t>::max();
      for (std::size_t i = 0; i < job.reduces.size(); ++i) {
        const std::int64_t length = to_ms(job.least_reduce(i));
        work += length;
        longest = std::max(longest, length);
        shortest = std::min(shortest, length);
      }
      reduce_work_.push_back(work);
      shortest_.push_back(shortest);
      by_reduce_.push_back(static_cast<JobIndex>(by_reduce_.size()));
      const Count slots = std::max<Count>(1, problem.pool.reduce_slots);
      tails_.push_back(std::max(longest, (work + slots - 1) / slots));
      maps += job.maps.size();
      auto& runs = maps_.emplace_back();
      for (const Duration map : job.maps) {
        if (runs.empty() || runs.back().first != to_ms(map)) runs.emplace_back(to_ms(map), 0);
        ++runs.back().second;
      }
    }
    std::stable_sort(by_reduce_.begin(), by_reduce_.end(),
                     [&](JobIndex a, JobIndex b) { return shortest_[a] > shortest_[b]; });
    free_.resize(jobs + 1);
    free_[0].reset(static_cast<std::uint32_t>(std::clamp<std::size_t>(
        static_cast<std::size_t>(problem.pool.map_slots), 1, std::max<std::size_t>(1, maps))));
    const std::vector<JobIndex> start = johnson_order(problem.batch, problem.pool);
    consider(start, schedule_.value(start));
  }

  // Looks at every order that may be better.
  void run() { extend((std::uint32_t{1} << map_ends_.size()) - 1); }

  [[nodiscard]] const std::vector<JobIndex>& best() const { return best_; }
  [[nodiscard]] std::uint64_t evaluations() const { return evaluations_; }
  [[nodiscard]] bool stopped() const { return stopped_; }

 private:
  void consider(const std::vector<JobIndex>& order, Value value) {
    ++evaluations_;
    const std::int64_t cost = to_ms(value.of(problem_.objective));
    if (cost >= least_) return;
    least_ = cost;
    best_ = order;
  }

  // The order so far, and then the jobs of the set in every order.
  void extend(std::uint32_t left) {
    if (left == 0) return consider(order_, schedule_.value_of_reduces(order_, map_ends_));
    if ((++prefixes_ % stop_every == 0 && stop_.now()) || stopped_) {
      stopped_ = true;
      return;
    }
    const std::size_t depth = order_.size();
    std::array<std::int64_t, most_jobs> ends{};  // of the maps of each job, were it the next
    for (JobIndex job = 0; job < map_ends_.size(); ++job) {
      if ((left >> job & 1) != 0) ends[job] = map_end(job, free_[depth]);
    }
    if (bound(left, ends) >= least_) return;
    for (JobIndex job = 0; job < map_ends_.size(); ++job) {
      if ((left >> job & 1) == 0 || like_an_earlier_one(job, left)) continue;
      free_[depth + 1] = free_[depth];
      map_ends_[job] = place_maps(job, free_[depth + 1]);
      order_.push_back(job);
      extend(left & ~(std::uint32_t{1} << job));
      order_.pop_back();
    }
  }

  // Nothing that begins with the order so far is worth less: the maps of those left end no sooner than if
  // each were the next.
  [[nodiscard]] std::int64_t bound(std::uint32_t left,
                                   const std::array<std::int64_t, most_jobs>& ends) const {
    std::array<std::pair<std::int64_t, std::int64_t>, most_jobs> reduces{};  // from when, work
    std::size_t count = 0;
    std::int64_t sum = 0, last = 0;
    for (JobIndex job = 0; job < map_ends_.size(); ++job) {
      const std::int64_t from = (left >> job & 1) != 0 ? ends[job] : map_ends_[job];
      sum += from + tails_[job];
      last = std::max(last, from + tails_[job]);
      reduces[count++] = {from, reduce_work_[job]};
    }
    if (problem_.objective == Objective::total_completion) return sum;
    if (left != 0) last = std::max(last, counted(left, ends));
    std::sort(reduces.begin(), reduces.begin() + static_cast<std::ptrdiff_t>(count), std::greater<>());
    std::int64_t work = 0;
    const Count slots = std::max<Count>(1, problem_.pool.reduce_slots);
    for (std::size_t i = 0; i < count; ++i) {
      work += reduces[i].second;
      last = std::max(last, reduces[i].first + (work + slots - 1) / slots);
    }
    return last;
  }

  // Of k·R + 1 reduces some slot takes k + 1, after the maps of one of their jobs (plan/counting_bound.h);
  // here every reduce of a job is as long as its shortest.
  [[nodiscard]] std::int64_t counted(std::uint32_t left,
                                     const std::array<std::int64_t, most_jobs>& ends) const {
    std::array<std::int64_t, most_jobs> heads{};
    for (JobIndex job = 0; job < map_ends_.size(); ++job)
      heads[job] = (left >> job & 1) != 0 ? ends[job] : map_ends_[job];
    std::int64_t best = 0;
    for (JobIndex first = 0; first < map_ends_.size(); ++first) {
      for (std::int64_t rounds = 2; rounds <= most_rounds; ++rounds) {
        const std::int64_t found = counted_from(heads, heads[first], rounds);
        if (found == 0) break;
        best = std::max(best, found);
      }
    }
    return best;
  }
  // Of the jobs whose maps end at `threshold` or later; 0 where they have too few reduces.
  [[nodiscard]] std::int64_t counted_from(const std::array<std::int64_t, most_jobs>& heads,
                                          std::int64_t threshold, std::int64_t rounds) const {
    std::array<std::pair<JobIndex, std::int64_t>, most_jobs> counted{};  // and how many of its reduces
    std::size_t jobs = 0;
    std::int64_t missing = (rounds - 1) * std::max<Count>(1, problem_.pool.reduce_slots) + 1;
    for (const JobIndex job : by_reduce_) {
      if (heads[job] < threshold || missing == 0) continue;
      const auto count =
          std::min(missing, static_cast<std::int64_t>(problem_.batch.jobs[job].reduces.size()));
      if (count == 0) continue;
      counted[jobs++] = {job, count};
      missing -= count;
    }
    if (missing > 0) return 0;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = 0; i < jobs; ++i) {
      const JobIndex own = counted[i].first;
      std::int64_t sum = heads[own] + shortest_[own], others = rounds - 1;
      for (std::size_t other = jobs; other-- > 0 && others > 0;) {  // the shortest first
        if (heads[counted[other].first] < heads[own]) continue;
        const std::int64_t count = std::min(others, counted[other].second - (other == i ? 1 : 0));
        sum += count * shortest_[counted[other].first];
        others -= count;
      }
      if (others == 0) least = std::min(least, sum);
    }
    return least == std::numeric_limits<std::int64_t>::max() ? 0 : least;
  }

  // Of two jobs alike the first goes first.
  [[nodiscard]] bool like_an_earlier_one(JobIndex job, std::uint32_t left) const {
    const Job& own = problem_.batch.jobs[job];
    for (JobIndex other = 0; other < job; ++other) {
      const Job& before = problem_.batch.jobs[other];
      if ((left >> other & 1) != 0 && before.maps == own.maps && before.reduces == own.reduces &&
          before.first_shuffles == own.first_shuffles && before.shuffles == own.shuffles)
        return true;
    }
    return false;
  }

  [[nodiscard]] std::int64_t map_end(JobIndex job, const WaveSlots& free) {
    scratch_ = free;
    return place_maps(job, scratch_);
  }
  // Each map to the slot that is free first; when the last of them ends.
  std::int64_t place_maps(JobIndex job, WaveSlots& free) const {
    std::int64_t last = 0;
    for (const auto& [length, count] : maps_[job]) {
      for (std::uint32_t left = count; left > 0;) {
        const std::int64_t end = free.first() + length;
        last = std::max(last, end);
        left -= free.give(left, end);
      }
    }
    return last;
  }

  const PlanningProblem& problem_;
  const Stop& stop_;
  ListSchedule schedule_;
  std::vector<std::int64_t> tails_, reduce_work_, shortest_;  // by job; `shortest_`: reduce
  std::vector<JobIndex> by_reduce_;                           // the longest first
  std::vector<WaveSlots> free_;                               // map slots, after each prefix
  WaveSlots scratch_;
  std::vector<std::vector<std::pair<std::int64_t, std::uint32_t>>> maps_;  // by job: lengths in runs
  std::vector<std::int64_t> map_ends_;
  std::vector<JobIndex> order_, best_;
  std::int64_t least_ = std::numeric_limits<std::int64_t>::max();
  std::uint64_t prefixes_ = 0, evaluations_ = 0;
  bool stopped_ = false;
};

class Exhaustive final : public Planner {
 public:
  [[nodiscard]] std::string name() const override { return "exhaustive"; }
  [[nodiscard]] std::string description() const override {
    return "the best single order of up to 12 jobs [ORDER Alg. 3]";
  }
  [[nodiscard]] std::string refuses(const PlanningProblem& problem) const override {
    if (problem.batch.jobs.size() > most_jobs)
      return fmt::format("it tries the orders of up to {} jobs, these are {}", most_jobs,
                         problem.batch.jobs.size());
    const bool together = std::all_of(problem.batch.jobs.begin(), problem.batch.jobs.end(),
                                      [](const Job& job) { return job.submit == Time{}; });
    if (!together) return "it takes jobs that are all there at time 0";
    if (!ListSchedule::models(problem.batch, problem.pool, problem.slowstart))
      return "it takes slow-start 1 and tasks that take time";
    return {};
  }
  [[nodiscard]] Plan plan(const PlanningProblem& problem, const Stop& stop) const override {
    const auto began = Stop::Clock::now();
    Search search(problem, stop);
    search.run();
    Plan plan = plan_of_order(problem, name(), search.best());
    value_plan(plan, problem);
    plan.evaluated = static_cast<Count>(search.evaluations());
    plan.partial = search.stopped();
    plan.seconds = std::chrono::duration<double>(Stop::Clock::now() - began).count();
    return plan;
  }
};

}  // namespace

std::unique_ptr<Planner> make_exhaustive() {
  return std::make_unique<Exhaustive>();
}

}  // namespace wavewright
