#include "wavewright/plan/methods/annealing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "wavewright/plan/methods/late_ends.h"

namespace wavewright {

namespace {

// Start temperatures, in shares of the target.
constexpr double warmest_makespan = 1e-4, warmest_total = 5e-4;
constexpr double coldest_total = 1e-3;      // of the start temperature: the last one
constexpr double of_gap = 0.01;             // the same, as a share of the gap to the target
constexpr std::uint64_t round_of = 10'000;  // evaluations a job in a round; each starts from the best so far
constexpr std::array<double, 3> warmer = {1, 10, 100};  // factors of the temperature, by round
constexpr std::uint64_t stop_every_evaluations = 16;
constexpr std::uint64_t of_jobs = 16, of_late_jobs = 4;  // of 16 moves, 4 change a job that ends late
constexpr double furthest = 0.05;                        // of the makespan: largest change of a due time
constexpr double beside = 0.03;         // of the makespan: largest distance to another job's due time
constexpr double right_beside = 5e-4;   // of the makespan: the same, in both stages
constexpr std::uint64_t rarely = 64;    // one of so many moves changes caps or pools
constexpr std::uint64_t sometimes = 8;  // one of so many changes steps
// Of `of` changes of due times, `both` are in both stages and `reduces` in reduces alone; the rest are in
// maps. Both stages are better if jobs are small, maps if stages are long.
struct Kinds {
  std::uint64_t of, both, reduces;
};
constexpr Kinds kinds_makespan{32, 8, 2}, kinds_places{32, 28, 2}, kinds_total{8, 4, 2};

}  // namespace

Annealing::Annealing(PrioritySchedule& schedule, Objective objective, std::uint64_t seed, Moves moves)
    : schedule_(schedule), objective_(objective), moves_(moves), random_(seed, "plan/ranking_search") {}

double Annealing::cost(PlanValue value) const {
  if (objective_ == Objective::total_completion)
    return static_cast<double>(to_ms(value.total_completion)) / target_;
  return cost_of_late_ends(schedule_.ends(), target_);
}

double Annealing::evaluate(const PriorityRule& rule, double most) {
  ++evaluations_;
  const auto [latest, total] = limits_of(most);
  const std::optional<PlanValue> found = schedule_.value_within(rule, latest, total);
  if (!found || to_ms(found->of(other_objective(objective_))) > other_at_most_)
    return std::numeric_limits<double>::max();
  const PlanValue value = *found;
  const auto key = [&](const PlanValue& of) {
    return objective_ == Objective::makespan ? std::pair(of.makespan, of.total_completion)
                                             : std::pair(of.total_completion, of.makespan);
  };
  if (!has_best_ || key(value) < key(best_value_)) {
    has_best_ = true;
    best_ = rule;
    best_value_ = value;
  }
  return cost(value);
}

// The makespan and the total completion time, ms, beyond which a rule costs more than `most`.
std::pair<std::int64_t, std::int64_t> Annealing::limits_of(double most) const {
  constexpr double largest = 1e17;
  const bool of_total = objective_ == Objective::total_completion;
  const double limit = of_total ? most * target_ : (nearly_late + most) * target_;
  const std::int64_t own = limit < largest ? static_cast<std::int64_t>(limit) + 1 : no_time;
  return of_total ? std::pair(other_at_most_, own) : std::pair(own, other_at_most_);
}

const PriorityRule& Annealing::run(std::span<const PriorityRule> starts, const SearchLimits& limits,
                                   const Stop& stop) {
  other_at_most_ = limits.other_at_most ? to_ms(*limits.other_at_most) : no_time;
  for (const PriorityRule& start : starts) {
    evaluate(start);
    if (has_best_ && best_value_.of(objective_) <= limits.target) return best_;
  }
  target_ = static_cast<double>(std::max<std::int64_t>(
      1, to_ms(limits.target > Duration{} ? limits.target : best_value_.of(objective_))));
  span_ = static_cast<double>(std::max<std::int64_t>(1, to_ms(best_value_.makespan)));
  if (best_.jobs() < 2) return best_;
  const double warmest = objective_ == Objective::makespan ? warmest_makespan : warmest_total;
  for (std::size_t round = 0; going_on(limits); ++round) {
    const double gap = static_cast<double>(to_ms(best_value_.of(objective_))) / target_ - 1;
    const double warm = (gap > 0 ? std::min(warmest, of_gap * gap) : warmest) * warmer[round % warmer.size()];
    anneal(warm, std::min(limits.evaluations, evaluations_ + round_of * best_.jobs()), limits, stop);
  }
  return best_;
}

bool Annealing::going_on(const SearchLimits& limits) const {
  return !stopped_ && evaluations_ < limits.evaluations && best_value_.of(objective_) > limits.target;
}

// One run from the best rule so far, until `until` evaluations in all.
void Annealing::anneal(double warm, std::uint64_t until, const SearchLimits& limits, const Stop& stop) {
  const auto began = Stop::Clock::now();
  const std::uint64_t from = evaluations_;
  PriorityRule now = best_, tried;
  double cost_now = evaluate(now), time_gone = 0;
  find_late();
  schedule_.keep(now);
  others_changed_ = true;
  for (std::uint64_t step = 0; going_on(limits) && evaluations_ < until; ++step) {
    if (step % stop_every_evaluations == 0) {
      if (stop.now()) {
        stopped_ = true;
        return;
      }
      time_gone = stop.gone(began);
    }
    if (others_changed_) {
      tried = now;
    } else {
      tried.maps.due = now.maps.due;
      tried.reduces.due = now.reduces.due;
    }
    others_changed_ = false;
    const bool must_gain = change(tried);
    const double tries_gone = static_cast<double>(evaluations_ - from) / static_cast<double>(until - from);
    const double left = 1 - std::max(time_gone, tries_gone);
    const double warmth = objective_ == Objective::makespan ? std::max(1e-12, warm * left * left)
                                                            : warm * std::pow(coldest_total, 1 - left);
    // Accepted with probability exp((now − tried) / warmth).
    const double most = must_gain ? cost_now : cost_now - warmth * std::log(random_.unit());
    const double cost_tried = evaluate(tried, most);
    if (must_gain ? cost_tried < cost_now : cost_tried <= most) {
      std::swap(now, tried);
      cost_now = cost_tried;
      find_late();
      schedule_.keep(now);
    }
  }
}

void Annealing::find_late() {
  late_.clear();
  if (objective_ != Objective::makespan) return;
  for (std::size_t job = 0; job < schedule_.ends().size(); ++job) {
    if (static_cast<double>(schedule_.ends()[job]) > nearly_late * target_) late_.push_back(job);
  }
}

bool Annealing::change(PriorityRule& rule) {
  if (moves_ == Moves::all && random_.below(rarely) == 0) {
    others_changed_ = true;
    if (random_.below(2) == 0) return change_cap(rule);
    change_pools(rule);
    return true;
  }
  const std::size_t job = late_.empty() || random_.below(of_jobs) >= of_late_jobs
                              ? random_.below(rule.jobs())
                              : late_[random_.below(late_.size())];
  if (moves_ == Moves::all && random_.below(sometimes) == 0) {
    others_changed_ = true;
    change_steps(rule, static_cast<JobIndex>(job));
    return false;
  }
  const Kinds kinds = objective_ == Objective::total_completion ? kinds_total
                      : moves_ == Moves::due_times              ? kinds_places
                                                                : kinds_makespan;
  const std::uint64_t which = random_.below(kinds.of);
  const bool both = which < kinds.both, reduces = which < kinds.both + kinds.reduces;
  if (both) {
    change_place(rule, job);
  } else {
    change_due(reduces ? rule.reduces : rule.maps, job);
  }
  return false;
}

// In both stages, swaps the job's due time with another job's, or moves it next to that one.
void Annealing::change_place(PriorityRule& rule, std::size_t job) {
  const std::size_t other = random_.below(rule.jobs());
  const bool swaps = random_.below(2) == 0;
  const auto by = std::llround(right_beside * (2 * random_.unit() - 1) * span_);
  for (auto* const due : {&rule.maps.due, &rule.reduces.due}) {
    if (swaps) {
      std::swap((*due)[job], (*due)[other]);
    } else {
      (*due)[job] = (*due)[other] + by;
    }
  }
}

void Annealing::change_due(PriorityRule::Stage& stage, std::size_t job) {
  const std::size_t other = random_.below(stage.due.size());
  const double unit = 2 * random_.unit() - 1;
  const double by = unit * unit * unit * span_;  // mostly small
  const std::uint64_t how = random_.below(4);
  if (how == 0) return std::swap(stage.due[job], stage.due[other]);
  stage.due[job] =
      how == 1 ? stage.due[other] + std::llround(beside * by) : stage.due[job] + std::llround(furthest * by);
}

// Adds, changes or removes the job's steps. Width: the number of slots or a random number. Lead: the length
// of the longest task or a random time.
void Annealing::change_steps(PriorityRule& rule, JobIndex job) {
  const bool maps = random_.below(2) == 0;
  const StageTasks& tasks = maps ? schedule_.maps() : schedule_.reduces();
  PriorityRule::Stage& stage = maps ? rule.maps : rule.reduces;
  PriorityRule::Stage::Steps& steps = stage.steps[job];
  const std::uint32_t count = tasks.tasks_of(job);
  if (count < 2) return;
  const std::uint64_t how = random_.below(4);
  if (how == 0) {
    steps = {};
    return;
  }
  std::int64_t longest = 0;
  for (const StageTasks::Run& run : tasks.of(job)) longest = std::max(longest, run.later);
  const bool fresh = steps.width == PriorityRule::uncapped;
  if (fresh || how == 1) {
    const SlotPool& pool = rule.pools[rule.pool_of[job]];
    const auto slots =
        static_cast<std::uint64_t>(std::max<Count>(1, maps ? pool.map_slots : pool.reduce_slots));
    steps.width = static_cast<std::uint32_t>(
        slots < count && random_.below(2) == 0 ? slots : 1 + random_.below(count - 1));
  }
  if (fresh || how == 2) {
    const double unit = random_.unit();
    steps.lead = random_.below(2) == 0 ? longest : std::llround(furthest * unit * unit * span_);
  }
  if (!fresh && how == 3) steps.lead = std::llround((0.5 + random_.unit()) * static_cast<double>(steps.lead));
  steps.lead = std::min<std::int64_t>(steps.lead, std::llround(span_));
}

bool Annealing::change_cap(PriorityRule& rule) {
  const auto job = static_cast<JobIndex>(random_.below(rule.jobs()));
  const bool maps = random_.below(2) == 0;
  std::uint64_t tasks = 0;
  for (const StageTasks::Run& run : (maps ? schedule_.maps() : schedule_.reduces()).of(job))
    tasks += run.count;
  std::uint32_t& cap = (maps ? rule.maps : rule.reduces).cap[job];
  if (cap != PriorityRule::uncapped || tasks < 2) {
    cap = PriorityRule::uncapped;
    return false;
  }
  const SlotPool& pool = rule.pools[rule.pool_of[job]];
  const auto slots =
      static_cast<std::uint64_t>(std::max<Count>(2, maps ? pool.map_slots : pool.reduce_slots));
  cap = static_cast<std::uint32_t>(1 + random_.below(std::min(tasks, slots) - 1));
  return true;
}

void Annealing::change_pools(PriorityRule& rule) {
  const std::uint64_t which = random_.below(8);
  if (rule.pools.size() == 1 || which == 0) {
    split(rule);
  } else if (which == 1) {
    join_last(rule);
  } else if (which < 5) {
    shift_slots(rule);
  } else {
    const std::uint64_t job = random_.below(rule.jobs()), to = random_.below(rule.pools.size());
    const SlotPool& slots = rule.pools[to];
    if (slots.map_slots > 0 && slots.reduce_slots > 0) rule.pool_of[job] = static_cast<std::uint32_t>(to);
  }
}

// Splits off a pool: a random part of a pool's slots, and each of its jobs with the same probability.
void Annealing::split(PriorityRule& rule) {
  const auto from = static_cast<std::uint32_t>(random_.below(rule.pools.size()));
  const double part = random_.unit();
  SlotPool& whole = rule.pools[from];
  if (whole.map_slots < 2 || whole.reduce_slots < 2) return;
  const auto of = [&](Count slots) {
    return std::clamp<Count>(std::llround(part * static_cast<double>(slots)), 1, slots - 1);
  };
  const SlotPool own{of(whole.map_slots), of(whole.reduce_slots)};
  whole.map_slots -= own.map_slots;
  whole.reduce_slots -= own.reduce_slots;
  for (std::uint32_t& pool : rule.pool_of) {
    if (pool == from && random_.unit() < part) pool = static_cast<std::uint32_t>(rule.pools.size());
  }
  rule.pools.push_back(own);
}

void Annealing::shift_slots(PriorityRule& rule) {
  SlotPool& from = rule.pools[random_.below(rule.pools.size())];
  SlotPool& to = rule.pools[random_.below(rule.pools.size())];
  Count SlotPool::* const kind = random_.below(2) == 0 ? &SlotPool::map_slots : &SlotPool::reduce_slots;
  const Count most = from.*kind - 1;
  if (most < 1) return;
  const auto by =
      static_cast<Count>(1 + random_.below(static_cast<std::uint64_t>(std::max<Count>(1, most / 8))));
  from.*kind -= by;
  to.*kind += by;
}

// Moves the last pool's slots and jobs to another pool.
void Annealing::join_last(PriorityRule& rule) {
  const SlotPool last = rule.pools.back();
  const auto gone = static_cast<std::uint32_t>(rule.pools.size() - 1);
  const auto into = static_cast<std::uint32_t>(random_.below(gone));
  rule.pools.pop_back();
  rule.pools[into].map_slots += last.map_slots;
  rule.pools[into].reduce_slots += last.reduce_slots;
  for (std::uint32_t& pool : rule.pool_of) {
    if (pool == gone) pool = into;
  }
}

PriorityRule with_slack(const PriorityRule& rule, PrioritySchedule& schedule) {
  (void)schedule.value(rule);
  PriorityRule slack = rule;
  slack.maps.due.assign(schedule.map_ends().begin(), schedule.map_ends().end());
  std::fill(slack.reduces.due.begin(), slack.reduces.due.end(), 0);
  return slack;
}

PriorityRule without_needless_caps(const PriorityRule& rule, PrioritySchedule& schedule,
                                   Objective objective) {
  constexpr std::uint64_t most_placements = 100'000'000;
  const Duration value = schedule.value(rule).of(objective);
  const std::uint64_t tasks = schedule.maps().tasks + schedule.reduces().tasks;
  std::uint64_t placed = 0;
  PriorityRule simple = rule;
  for (PriorityRule::Stage* const stage : {&simple.maps, &simple.reduces}) {
    for (std::uint32_t& cap : stage->cap) {
      if (cap == PriorityRule::uncapped) continue;
      if ((placed += tasks) > most_placements) return simple;
      const std::uint32_t was = std::exchange(cap, PriorityRule::uncapped);
      if (schedule.value(simple).of(objective) > value) cap = was;
    }
  }
  return simple;
}

}  // namespace wavewright
