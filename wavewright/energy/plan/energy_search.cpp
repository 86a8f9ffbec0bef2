#include "wavewright/energy/plan/energy_search.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "wavewright/cloud/bound/stage_windows.h"
#include "wavewright/cluster/power.h"
#include "wavewright/core/error.h"
#include "wavewright/energy/plan/draft_changes.h"
#include "wavewright/energy/plan/energy_plan_policy.h"
#include "wavewright/energy/plan/openings.h"
#include "wavewright/job/task_order.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {

namespace {

constexpr const char* rivals[] = {"efh", "efh(adaptive=no)", "efh(threshold=never)", "ideal", "fifo"};

std::uint64_t usual_evaluations(const Workload& batch) {
  constexpr std::uint64_t tasks_in_all = 1'500'000, least = 100, most = 1'500;
  return std::clamp(tasks_in_all / std::max<std::uint64_t>(1, batch.tasks()), least, most);
}

void turn_tasks(Draft& draft) {
  draft.task_order =
      draft.task_order == TaskOrder::as_listed ? TaskOrder::longest_first : TaskOrder::as_listed;
}

}  // namespace

std::optional<double> gap_above(const EnergyValue& value, std::optional<MicroJoules> floor) {
  if (!floor || *floor <= 0 || value.tardy > 0) return std::nullopt;
  return static_cast<double>(value.energy.total() - *floor) / static_cast<double>(*floor);
}

EnergySearch::EnergySearch(const EnergyProblem& problem, const Stop& stop)
    : problem_(problem),
      stop_(stop),
      batch_(*problem.batch),
      random_(problem.seed, "energy-plan"),
      evaluations_(problem.evaluations > 0 ? problem.evaluations : usual_evaluations(batch_)),
      left_(evaluations_),
      main_goal_{.most_cost = problem.most_cost, .aimed_makespan = {}, .aimed_cost = {}} {}

PlannedEnergy EnergySearch::run() {
  try_policies();
  const std::vector<ImpossibleDeadline> impossible = impossible_deadlines(batch_, problem_.cluster);
  const auto drafts_of = [&](const Workload& batch, const LeastEnergy& least, const EnergyBound& bound) {
    return Drafts(batch, problem_.cluster, least, bound, problem_.task_order, problem_.states);
  };
  std::optional<LeastEnergy> least, least_of_any;
  std::optional<Drafts> drafts, without_deadlines;
  if (impossible.empty()) {
    least = least_energy(batch_, problem_.cluster);
    found_.bound = energy_bound(*least, problem_.cluster);
  }
  if (found_.bound) search(drafts.emplace(drafts_of(batch_, *least, *found_.bound)));
  // Where a deadline cannot be kept, the classes are chosen as if there were no deadlines.
  Workload any = batch_;
  if (!impossible.empty() || (is_late() && !stopped())) {
    for (Job& job : any.jobs) job.deadline.reset();
    least_of_any = least_energy(any, problem_.cluster);
    if (const auto bound = energy_bound(*least_of_any, problem_.cluster)) {
      left_ = evaluations_;
      search(without_deadlines.emplace(drafts_of(any, *least_of_any, *bound)));
    }
  }
  if (best_ && explores() && !is_done()) explore();
  keep_plan();
  if (found_.bound) search_exactly(*least);
  return std::move(found_);
}

// From the best draft so far, if there is one.
void EnergySearch::search(const Drafts& drafts) {
  drafts_ = &drafts;
  try_drafts();
  if (!best_) return;
  try_openings(
      drafts, batch_,
      [&](const Draft& draft) {
        const std::optional<EnergyValue> value = value_of(draft);
        (void)consider(draft, value, "rents");
        return value;
      },
      [&] { return left_ > evaluations_ / 2 && may_go_on(); });
  try_orders();
  try_machines();
  change();
}

void EnergySearch::try_policies() {
  const Cluster on = all_machines_on(in_first_states(problem_.cluster, problem_.states));
  const bool rents = std::any_of(problem_.cluster.nodes.begin(), problem_.cluster.nodes.end(),
                                 [](const NodeGroup& group) { return group.rent; });
  std::vector<std::string> specs(std::begin(rivals), std::end(rivals));
  for (const std::string& spec : problem_.candidates) {
    if (std::find(specs.begin(), specs.end(), spec) == specs.end()) specs.push_back(spec);
  }
  for (const std::string& spec : specs) try_policy(spec, problem_.cluster, false);
  if (!rents) return;
  for (const std::string& spec : specs) try_policy(spec, on, true);
}

void EnergySearch::try_policy(const std::string& spec, const Cluster& cluster, bool all_on) {
  if (stopped()) return;
  Policy policy = make_policy_on(spec, cluster, *problem_.registry);
  ++found_.evaluated;
  EnergyRival rival{spec, all_on, std::nullopt};
  try {
    rival.value = evaluate_energy(batch_, cluster, policy, problem_.seed, &rival.reason);
  } catch (const TooMuchEnergy& error) {
    rival.reason = error.what();
    too_much_ = error;
  }
  if (!all_on && rival.value) note(*rival.value, spec, nullptr);
  found_.rivals.push_back(std::move(rival));
}

// A schedule that may be the plan, or on the frontier. `draft`: null for a policy's.
void EnergySearch::note(const EnergyValue& value, const std::string& method, const Draft* draft) {
  if (explores()) frontier_.add(value, method, draft);
  const auto keep_better = [&](std::optional<EnergyFrontier::Point>& best, const EnergyGoal& goal) {
    if (best && !goal.better(value, best->value)) return;
    best = {value, method, draft == nullptr ? std::nullopt : std::optional(*draft)};
  };
  keep_better(plan_, main_goal_);
  keep_better(at_any_price_, {});
}

EnergyPlan EnergySearch::plan_of(const std::string& method, const std::optional<Draft>& draft) const {
  if (draft) return drafts_->plan(*draft);
  return {.policy = method, .order = {}, .starts = {}, .machines = {}};
}

// At least one draft is tried, whatever the limit.
bool EnergySearch::stopped() {
  if (!stop_.now()) return false;
  found_.partial = true;
  return plan_.has_value();
}

bool EnergySearch::may_go_on() {
  if (left_ == 0 || stopped()) return false;
  return exploring_ || !best_ || !is_near_bound(best_value_);
}

// The bound itself is not searched for more closely.
bool EnergySearch::is_near_bound(const EnergyValue& value) const {
  constexpr double near = 1e-5;
  if (!found_.bound) return false;
  const std::optional<double> gap = gap_above(value, found_.bound->energy);
  return gap && *gap <= near;
}

bool EnergySearch::is_late() const {
  const bool has_deadlines = std::any_of(batch_.jobs.begin(), batch_.jobs.end(),
                                         [](const Job& job) { return job.deadline.has_value(); });
  return has_deadlines && (!at_any_price_ || at_any_price_->value.tardy > 0);
}

bool EnergySearch::is_done() const {
  const EnergyValue& value = plan_->value;
  return !problem_.frontier && main_goal_.affords(value) && value.tardy == 0 && found_.bound &&
         value.energy.total() <= found_.bound->energy;
}

std::optional<EnergyValue> EnergySearch::value_of(const Draft& draft) {
  Policy policy{make_energy_plan_policy(drafts_->plan(draft)), nullptr};
  ++found_.evaluated;
  if (left_ > 0) --left_;
  try {
    return evaluate_energy(batch_, problem_.cluster, policy, problem_.seed);
  } catch (const TooMuchEnergy&) {  // a machine that stays on where a job waits for ever
    return std::nullopt;
  }
}

bool EnergySearch::consider(const Draft& draft, const std::optional<EnergyValue>& value, const char* method) {
  if (!value) return false;
  note(*value, method, &draft);
  if (best_ && goal_.better(best_value_, *value)) return false;
  best_value_ = *value;
  best_ = draft;
  return true;
}

void EnergySearch::try_drafts() {
  for (std::size_t state = 0; state < drafts_->states(); ++state) try_drafts_in(state);
}

Draft EnergySearch::draft_in(std::size_t state, double slack, std::int64_t end) const {
  Draft draft = drafts_->draft(slack, end);
  drafts_->switch_to(state, draft);
  return draft;
}

void EnergySearch::try_drafts_in(std::size_t state) {
  double best_slack = 0;
  bool open = false;
  std::set<std::vector<std::vector<std::int64_t>>> seen;
  for (const double slack : slacks) {
    if (!may_go_on() && best_) return;
    const Draft draft = draft_in(state, slack, always);
    if (!seen.insert(draft.until[0]).second && slack > 0) continue;
    if (consider(draft)) best_slack = slack;
    if (slack == 0 && (!best_ || best_value_.tardy > 0)) {
      try_open(state);
      open = true;
    }
    if (best_) try_ends(state, slack, to_ms(best_value_.makespan), best_slack);
  }
  if (!open && may_go_on()) try_open(state);
  if (!best_) return;
  // Closer around the best end.
  for (double width = 0.04; width > 0.004; width /= 2) {
    for (const double factor : {1 - width, 1 + width}) {
      if (!may_go_on()) return;
      const auto end = static_cast<std::int64_t>(static_cast<double>(best_end_) * factor);
      if (best_end_ != always && consider(draft_in(state, best_slack, end))) best_end_ = end;
    }
  }
}

// All classes on which a task can be in time, for as long as the batch goes on. Beside the schedules to
// try, as those of policies are.
void EnergySearch::try_open(std::size_t state) {
  ++left_;
  Draft draft = draft_in(state, any_slack, always);
  drafts_->open_all(draft);
  (void)consider(draft);
}

void EnergySearch::try_ends(std::size_t state, double slack, std::int64_t makespan, double& best_slack) {
  for (const double factor : {1.05, 1.0, 0.95, 0.9, 0.8, 0.7}) {
    if (!may_go_on()) return;
    const auto end = static_cast<std::int64_t>(static_cast<double>(makespan) * factor);
    if (!consider(draft_in(state, slack, end))) continue;
    best_end_ = end;
    best_slack = slack;
  }
}

// The usual orders of jobs.
void EnergySearch::try_orders() {
  std::vector<double> work(batch_.jobs.size(), 0), deadline(batch_.jobs.size());
  for (std::size_t i = 0; i < work.size(); ++i) {
    for (const Duration map : batch_.jobs[i].maps) work[i] += static_cast<double>(to_ms(map));
    const std::optional<Time>& due = batch_.jobs[i].deadline;
    deadline[i] = due ? static_cast<double>(to_ms(*due)) : static_cast<double>(always);
  }
  const auto by = [&](const auto& key) {
    if (!may_go_on()) return;
    Draft draft = *best_;
    std::stable_sort(draft.order.begin(), draft.order.end(),
                     [&](JobIndex a, JobIndex b) { return key(a) < key(b); });
    (void)consider(draft);
  };
  by([&](JobIndex job) { return -work[job]; });
  by([&](JobIndex job) { return work[job]; });
  by([&](JobIndex job) { return deadline[job]; });
  if (!problem_.choose_order || !may_go_on()) return;
  Draft draft = *best_;
  turn_tasks(draft);
  (void)consider(draft);
}

// Fewer machines for rent, class by class, and how long idle ones stay on.
void EnergySearch::try_machines() {
  for (std::size_t i = 0; i < best_->machines.size(); ++i) {
    for (Count most = best_->machines[i].there; most > 0; most /= 2) {
      if (!may_go_on()) return;
      Draft draft = *best_;
      draft.machines[i].most = most / 2;
      drafts_->make_room(i, draft);
      (void)consider(draft);
    }
    if (!may_go_on()) return;
    Draft draft = *best_;
    draft.machines[i].keep = ms(1);
    (void)consider(draft);
  }
}

// One or two small changes.
Draft EnergySearch::changed(Draft draft, Duration makespan) {
  DraftChanges changes(*drafts_, random_);
  const std::uint64_t several = 1 + random_.below(2);
  for (std::uint64_t i = 0; i < several; ++i) changes.change(draft, to_ms(makespan));
  if (problem_.choose_order && random_.below(8) == 0) turn_tasks(draft);
  return draft;
}

void EnergySearch::change() {
  while (may_go_on()) (void)consider(changed(*best_, best_value_.makespan), "search");
}

// While the drafts are there.
void EnergySearch::keep_plan() {
  if (!plan_ && too_much_) throw *too_much_;
  if (!plan_)
    throw Infeasible("no plan does all jobs on this cluster",
                     "each job needs a class with slots of its kinds, on or for rent");
  found_.plan = plan_of(plan_->method, plan_->draft);
  found_.method = plan_->method;
  found_.value = plan_->value;
  found_.affordable = main_goal_.affords(plan_->value);
  if (!problem_.frontier) return;
  for (const EnergyFrontier::Point* const point : frontier_.at_most(plan_->value.tardiness))
    found_.frontier.push_back({plan_of(point->method, point->draft), point->method, point->value});
}

void EnergySearch::search_exactly(const LeastEnergy& least) {
  if (batch_.tasks() > most_exact_tasks || problem_.exact_steps == 0) return;
  ExactLimits limits{.known = {}, .steps = problem_.exact_steps};
  if (found_.in_time()) limits.known = found_.value.energy.total();
  const auto exact = exact_energy(batch_, problem_.cluster, least, *found_.bound, limits, stop_);
  found_.none_in_time = exact && !exact->in_time;
  if (exact && exact->in_time) found_.exact = exact;
}

}  // namespace wavewright
