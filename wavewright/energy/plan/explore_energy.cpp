// The part of EnergySearch (energy_search.h) that looks along the frontier of makespan, energy and price.
#include <vector>

#include "wavewright/energy/plan/energy_search.h"
#include "wavewright/sim/metrics/usage.h"

namespace wavewright {

void EnergySearch::explore() {
  exploring_ = true;
  try_levels();
  change_any();
  // The same schedules were tried as without the limit.
  if (problem_.most_cost) aim_at(main_goal_, evaluations_);
}

// Towards less makespan and towards a lower price than the plan's, in levels.
void EnergySearch::try_levels() {
  const bool priced = knows_prices(problem_.cluster);
  constexpr std::int64_t levels = 5;
  const std::uint64_t each = evaluations_ / (static_cast<std::uint64_t>(levels + 1) * (priced ? 2 : 1));
  const EnergyValue plan = at_any_price_->value;
  const auto aim = [&](auto EnergyGoal::* const aimed, auto most) {
    EnergyGoal goal;
    goal.*aimed = most;
    aim_at(goal, each);
  };
  aim(&EnergyGoal::aimed_makespan, Duration{});
  const Duration shortest = best_value_.makespan;
  for (std::int64_t level = 1; level <= levels && plan.makespan > shortest; ++level)
    aim(&EnergyGoal::aimed_makespan, shortest + (plan.makespan - shortest) * level / (levels + 1));
  if (!priced) return;
  aim(&EnergyGoal::aimed_cost, Money{});
  const double cheapest = best_value_.cost_usd;
  for (std::int64_t level = 1; level <= levels && plan.cost_usd > cheapest; ++level) {
    const double part = static_cast<double>(level) / static_cast<double>(levels + 1);
    aim(&EnergyGoal::aimed_cost, from_usd(cheapest + (plan.cost_usd - cheapest) * part));
  }
}

// From the best draft known for the goal.
void EnergySearch::aim_at(const EnergyGoal& goal, std::uint64_t evaluations) {
  goal_ = goal;
  left_ = evaluations;
  best_.reset();
  for (const EnergyFrontier::Point& point : frontier_.points()) {
    if (!point.draft || (best_ && !goal.better(point.value, best_value_))) continue;
    best_ = point.draft;
    best_value_ = point.value;
  }
  if (!best_) {
    best_ = at_any_price_->draft ? *at_any_price_->draft : drafts_->draft(0, always);
    best_value_ = value_of(*best_).value_or(at_any_price_->value);
  }
  const std::int64_t end = to_ms(goal.aimed_makespan.value_or(best_value_.makespan));
  for (std::size_t state = 0; state < drafts_->states(); ++state) {
    for (const double slack : slacks) {
      if (!may_go_on()) return;
      (void)consider(draft_in(state, slack, end));
    }
  }
  change();
}

// Changes of the best plan and, every other time, of any schedule on the frontier.
void EnergySearch::change_any() {
  left_ = evaluations_;
  while (may_go_on()) {
    const std::vector<EnergyFrontier::Point>& points = frontier_.points();
    const EnergyFrontier::Point& from =
        random_.below(2) == 0 ? *at_any_price_ : points[random_.below(points.size())];
    if (!from.draft) {  // of a policy
      --left_;
      continue;
    }
    const Draft draft = changed(*from.draft, from.value.makespan);
    if (const std::optional<EnergyValue> value = value_of(draft)) note(*value, "search", &draft);
  }
}

}  // namespace wavewright
