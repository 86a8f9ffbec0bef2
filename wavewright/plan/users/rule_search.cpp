#include "wavewright/plan/users/rule_search.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace wavewright {

namespace {

constexpr std::size_t rule_history = 200;  // earlier costs that a new one is compared with
constexpr std::uint64_t rounds = 4;        // each from the best rule so far
constexpr std::uint64_t looks_between_stops = 16;

class RuleMoves {
 public:
  RuleMoves(const PrioritySchedule& schedule, Random& random) : schedule_(schedule), random_(random) {
    for (const StageTasks* const stage : {&schedule.maps(), &schedule.reduces()}) {
      for (const StageTasks::Run& run : stage->runs) longest_ = std::max(longest_, run.later);
    }
  }

  // Changes the rule in one to three places.
  void change(PriorityRule& rule, std::int64_t span) {
    for (std::uint64_t left = 1 + random_.below(3); left > 0; --left) {
      const std::uint64_t which = random_.below(16);
      const std::size_t job = random_.below(rule.jobs());
      if (which < 10) {
        change_due(rule, job, span);
      } else if (which < 12) {
        change_steps(rule, static_cast<JobIndex>(job));
      } else if (which < 14) {
        change_cap(rule, static_cast<JobIndex>(job));
      } else {
        change_pools(rule, job);
      }
    }
  }

 private:
  void change_due(PriorityRule& rule, std::size_t job, std::int64_t span) {
    const std::size_t other = random_.below(rule.jobs());
    const std::uint64_t how = random_.below(3), stages = random_.below(3);
    const double unit = 2 * random_.unit() - 1;
    const auto by = std::llround(
        (how == 1 ? static_cast<double>(longest_) * unit : static_cast<double>(span) * unit * unit * unit));
    for (const std::uint64_t stage : {0U, 1U}) {
      if (stages != 2 && stages != stage) continue;
      std::vector<std::int64_t>& due = stage == 0 ? rule.maps.due : rule.reduces.due;
      if (how == 0) {
        std::swap(due[job], due[other]);
      } else {
        due[job] = (how == 1 ? due[other] : due[job]) + by;
      }
    }
  }
  // One task a turn, or all again.
  void change_steps(PriorityRule& rule, JobIndex job) {
    PriorityRule::Stage::Steps& steps = stage_of(rule).steps[job];
    if (steps.width != PriorityRule::uncapped && random_.below(2) == 0) {
      steps = {};
    } else {
      steps = {1 + static_cast<std::uint32_t>(random_.below(2)),
               std::llround(random_.unit() * static_cast<double>(longest_))};
    }
  }
  void change_cap(PriorityRule& rule, JobIndex job) {
    const bool maps = random_.below(2) == 0;
    const std::uint32_t tasks = (maps ? schedule_.maps() : schedule_.reduces()).tasks_of(job);
    std::uint32_t& cap = (maps ? rule.maps : rule.reduces).cap[job];
    if (cap != PriorityRule::uncapped || tasks < 2) {
      cap = PriorityRule::uncapped;
    } else {
      cap = 1 + static_cast<std::uint32_t>(random_.below(tasks - 1));
    }
  }
  // Splits off a pool of one slot or more of each kind with this job, joins two pools, or moves the job.
  void change_pools(PriorityRule& rule, std::size_t job) {
    const std::size_t from = random_.below(rule.pools.size()), to = random_.below(rule.pools.size());
    SlotPool& whole = rule.pools[from];
    const std::uint64_t how = random_.below(3);
    if (how == 0 && whole.map_slots > 1 && whole.reduce_slots > 1) {
      const SlotPool own{some_of(whole.map_slots), some_of(whole.reduce_slots)};
      whole.map_slots -= own.map_slots;
      whole.reduce_slots -= own.reduce_slots;
      rule.pools.push_back(own);
      rule.pool_of[job] = static_cast<std::uint32_t>(rule.pools.size() - 1);
    } else if (how == 1) {
      rule.pool_of[job] = static_cast<std::uint32_t>(to);
    } else if (rule.pools.size() > 1) {
      const SlotPool last = rule.pools.back();
      rule.pools.pop_back();
      const std::size_t into = random_.below(rule.pools.size());
      rule.pools[into].map_slots += last.map_slots;
      rule.pools[into].reduce_slots += last.reduce_slots;
      for (std::uint32_t& pool : rule.pool_of) {
        if (pool == rule.pools.size()) pool = static_cast<std::uint32_t>(into);
      }
    }
  }
  // 1 to all but one.
  Count some_of(Count slots) {
    return 1 + static_cast<Count>(random_.below(static_cast<std::uint64_t>(slots - 1)));
  }
  PriorityRule::Stage& stage_of(PriorityRule& rule) {
    return random_.below(2) == 0 ? rule.maps : rule.reduces;
  }

  const PrioritySchedule& schedule_;
  Random& random_;
  std::int64_t longest_ = 1;  // task, ms
};

}  // namespace

RuleSearchResult search_rules(const PriorityRule& start, PrioritySchedule& schedule, const EndsCost& cost,
                              std::uint64_t evaluations, Random& random, const Stop& stop) {
  RuleSearchResult found{start, 0, 1};
  if (start.jobs() == 0) return found;
  const auto cost_of = [&](const PriorityRule& rule) {
    (void)schedule.value(rule);
    return cost(schedule.ends());
  };
  found.cost = cost_of(start);
  const std::int64_t span =
      std::max<std::int64_t>(1, *std::max_element(schedule.ends().begin(), schedule.ends().end()));
  RuleMoves moves(schedule, random);
  PriorityRule now, tried;
  for (std::uint64_t round = 1; round <= rounds; ++round) {
    now = found.best;
    double cost_now = found.cost;
    std::vector<double> before(rule_history, cost_now * (round % 2 == 0 ? 1.1 : 1.02));
    for (std::uint64_t step = 0; found.evaluations < evaluations * round / rounds; ++step) {
      if (step % looks_between_stops == 0 && stop.now()) {
        found.stopped = true;
        return found;
      }
      tried = now;
      moves.change(tried, span);
      const double cost_tried = cost_of(tried);
      ++found.evaluations;
      double& earlier = before[step % rule_history];
      if (cost_tried <= cost_now || cost_tried < earlier) {
        std::swap(now, tried);
        cost_now = cost_tried;
        if (cost_now < found.cost) {
          found.best = now;
          found.cost = cost_now;
        }
      }
      earlier = std::min(earlier, cost_now);
    }
  }
  return found;
}

}  // namespace wavewright
