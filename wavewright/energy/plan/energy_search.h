// The search for a schedule of little energy, of which plan_energy (plan_energy.h) keeps the best: first the
// policies and drafts (draft.h), then changes of the best draft, then what is on the frontier
// (explore_energy.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "wavewright/core/random.h"
#include "wavewright/core/stop.h"
#include "wavewright/energy/plan/draft.h"
#include "wavewright/energy/plan/energy_frontier.h"
#include "wavewright/energy/plan/energy_goal.h"
#include "wavewright/energy/plan/plan_energy.h"

namespace wavewright {

// How far the energy is above a floor that is above 0; none if a job is tardy.
[[nodiscard]] std::optional<double> gap_above(const EnergyValue& value, std::optional<MicroJoules> floor);

class EnergySearch {
 public:
  EnergySearch(const EnergyProblem& problem, const Stop& stop);

  // Once. Infeasible if no schedule does all jobs.
  PlannedEnergy run();

 private:
  // ---- what is known
  void note(const EnergyValue& value, const std::string& method, const Draft* draft);
  [[nodiscard]] EnergyPlan plan_of(const std::string& method, const std::optional<Draft>& draft) const;
  [[nodiscard]] bool stopped();
  [[nodiscard]] bool may_go_on();
  [[nodiscard]] bool is_near_bound(const EnergyValue& value) const;
  [[nodiscard]] bool is_late() const;  // the best at any price is, or there is none yet
  [[nodiscard]] bool is_done() const;
  // For the frontier itself, or for what it has below a limit of price.
  [[nodiscard]] bool explores() const { return problem_.frontier || problem_.most_cost; }
  std::optional<EnergyValue> value_of(const Draft& draft);
  // True if the draft is better than the best so far, or as good.
  bool consider(const Draft& draft, const std::optional<EnergyValue>& value, const char* method);
  bool consider(const Draft& draft, const char* method = "rents") {
    return consider(draft, value_of(draft), method);
  }

  // ---- towards one goal
  void search(const Drafts& drafts);
  void try_policies();
  void try_policy(const std::string& spec, const Cluster& cluster, bool all_on);
  void try_drafts();
  [[nodiscard]] Draft draft_in(std::size_t state, double slack, std::int64_t end) const;
  void try_drafts_in(std::size_t state);
  void try_open(std::size_t state);
  void try_ends(std::size_t state, double slack, std::int64_t makespan, double& best_slack);
  void try_orders();
  void try_machines();
  [[nodiscard]] Draft changed(Draft draft, Duration makespan);
  void change();

  // ---- along the frontier: explore_energy.cpp
  void explore();
  void try_levels();
  void aim_at(const EnergyGoal& goal, std::uint64_t evaluations);
  void change_any();

  void keep_plan();
  void search_exactly(const LeastEnergy& least);

  static constexpr double slacks[] = {0, 0.01, 0.03, 0.1, 0.3, 1, 3, any_slack};

  const EnergyProblem& problem_;
  const Stop& stop_;
  const Workload& batch_;
  Random random_;
  std::uint64_t evaluations_, left_;
  // The limit of price first binds when the plans without it are known: many of these are below it.
  EnergyGoal main_goal_, goal_;
  PlannedEnergy found_;
  EnergyFrontier frontier_;
  std::optional<EnergyFrontier::Point> plan_;          // the best for the main goal
  std::optional<EnergyFrontier::Point> at_any_price_;  // the best without its limit of price
  std::optional<TooMuchEnergy> too_much_;              // a policy took
  const Drafts* drafts_ = nullptr;
  // The best of the search that goes on:
  std::optional<Draft> best_;
  EnergyValue best_value_;
  std::int64_t best_end_ = always;
  bool exploring_ = false;
};

}  // namespace wavewright
