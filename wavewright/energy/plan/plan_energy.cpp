#include "wavewright/energy/plan/plan_energy.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "wavewright/cloud/bound/stage_windows.h"
#include "wavewright/cluster/power.h"
#include "wavewright/core/error.h"
#include "wavewright/core/random.h"
#include "wavewright/energy/plan/draft.h"
#include "wavewright/energy/plan/energy_plan_policy.h"
#include "wavewright/job/task_order.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {

namespace {

constexpr const char* rivals[] = {"efh", "efh(adaptive=no)", "efh(threshold=never)", "ideal", "fifo"};

std::uint64_t usual_evaluations(const Workload& batch) {
  constexpr std::uint64_t tasks_in_all = 1'500'000, least = 100, most = 1'500;
  return std::clamp(tasks_in_all / std::max<std::uint64_t>(1, batch.tasks()), least, most);
}

std::optional<double> gap_of(const EnergyValue& value, const std::optional<EnergyBound>& bound) {
  if (!bound || bound->energy <= 0 || value.tardy > 0) return std::nullopt;
  return static_cast<double>(value.energy.total() - bound->energy) / static_cast<double>(bound->energy);
}

class Search {
 public:
  Search(const EnergyProblem& problem, const Stop& stop)
      : problem_(problem),
        stop_(stop),
        batch_(*problem.batch),
        random_(problem.seed, "energy-plan"),
        left_(problem.evaluations > 0 ? problem.evaluations : usual_evaluations(batch_)) {}

  PlannedEnergy run() {
    try_policies();
    const std::vector<ImpossibleDeadline> impossible = impossible_deadlines(batch_, problem_.cluster);
    // Where a deadline cannot be kept, the classes are chosen as if there were no deadlines.
    Workload any = batch_;
    if (!impossible.empty()) {
      for (Job& job : any.jobs) job.deadline.reset();
    }
    const LeastEnergy least = least_energy(any, problem_.cluster);
    const std::optional<EnergyBound> bound = energy_bound(least, problem_.cluster);
    if (impossible.empty()) found_.bound = bound;
    if (bound) {
      const Drafts drafts(any, problem_.cluster, least, *bound);
      drafts_ = &drafts;
      try_drafts();
      if (best_) {
        try_orders();
        try_machines();
        change();
      }
      if (best_ && (!has_value_ || best_value_.better_than(found_.value))) {
        found_.plan = drafts.plan(*best_, problem_.task_order);
        found_.value = best_value_;
        found_.method = changed_ ? "search" : "rents";
        has_value_ = true;
      }
    }
    if (!has_value_)
      throw Infeasible("no plan does all jobs on this cluster",
                       "each job needs a class with slots of its kinds, on or for rent");
    return std::move(found_);
  }

 private:
  void try_policies() {
    const Cluster on = all_machines_on(problem_.cluster);
    const bool rents = std::any_of(problem_.cluster.nodes.begin(), problem_.cluster.nodes.end(),
                                   [](const NodeGroup& group) { return group.rent; });
    for (const char* const spec : rivals) try_policy(spec, problem_.cluster, false);
    if (!rents) return;
    for (const char* const spec : rivals) try_policy(spec, on, true);
  }
  void try_policy(const std::string& spec, const Cluster& cluster, bool all_on) {
    if (stopped()) return;
    Policy policy = make_policy_on(spec, cluster, *problem_.registry);
    ++found_.evaluated;
    EnergyRival rival{spec, all_on, evaluate_energy(batch_, cluster, policy, problem_.seed)};
    if (!all_on && rival.value && (!has_value_ || rival.value->better_than(found_.value))) {
      has_value_ = true;
      found_.value = *rival.value;
      found_.method = spec;
      found_.plan = {.policy = spec, .order = {}, .starts = {}, .machines = {}};
    }
    found_.rivals.push_back(std::move(rival));
  }

  // At least one draft is tried, whatever the limit.
  [[nodiscard]] bool stopped() {
    if (!stop_.now()) return false;
    found_.partial = true;
    return has_value_;
  }
  [[nodiscard]] bool may_go_on() {
    constexpr double near = 1e-5;  // the bound itself is not searched for more closely
    const std::optional<double> gap = best_ ? gap_of(best_value_, found_.bound) : std::nullopt;
    return left_ > 0 && !(gap && *gap <= near) && !stopped();
  }

  std::optional<EnergyValue> value_of(const Draft& draft) {
    Policy policy{make_energy_plan_policy(drafts_->plan(draft, problem_.task_order)), nullptr};
    ++found_.evaluated;
    if (left_ > 0) --left_;
    return evaluate_energy(batch_, problem_.cluster, policy, problem_.seed);
  }
  // True if the draft is better than the best so far, or as good.
  bool consider(const Draft& draft) {
    const std::optional<EnergyValue> value = value_of(draft);
    if (!value || (best_ && best_value_.better_than(*value))) return false;
    best_value_ = *value;
    best_ = draft;
    return true;
  }

  void try_drafts() {
    constexpr double slacks[] = {0, 0.01, 0.03, 0.1, 0.3, 1, 3, 1e9};
    double best_slack = 0;
    std::set<std::vector<std::vector<std::int64_t>>> seen;
    for (const double slack : slacks) {
      if (!may_go_on() && best_) return;
      const Draft draft = drafts_->draft(slack, always);
      if (!seen.insert(draft.until[0]).second && slack > 0) continue;
      if (consider(draft)) best_slack = slack;
      if (best_) try_ends(slack, to_ms(best_value_.makespan), best_slack);
    }
    if (!best_) return;
    // Closer around the best end.
    for (double width = 0.04; width > 0.004; width /= 2) {
      for (const double factor : {1 - width, 1 + width}) {
        if (!may_go_on()) return;
        const auto end = static_cast<std::int64_t>(static_cast<double>(best_end_) * factor);
        if (best_end_ != always && consider(drafts_->draft(best_slack, end))) best_end_ = end;
      }
    }
  }
  void try_ends(double slack, std::int64_t makespan, double& best_slack) {
    for (const double factor : {1.05, 1.0, 0.95, 0.9, 0.8, 0.7}) {
      if (!may_go_on()) return;
      const auto end = static_cast<std::int64_t>(static_cast<double>(makespan) * factor);
      if (!consider(drafts_->draft(slack, end))) continue;
      best_end_ = end;
      best_slack = slack;
    }
  }

  // The usual orders of jobs.
  void try_orders() {
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
  }

  // Fewer machines for rent, class by class, and how long idle ones stay on.
  void try_machines() {
    for (std::size_t i = 0; i < best_->machines.size(); ++i) {
      for (Count most = best_->machines[i].there; most > 0; most /= 2) {
        if (!may_go_on()) return;
        Draft draft = *best_;
        draft.machines[i].most = most / 2;
        (void)consider(draft);
      }
      if (!may_go_on()) return;
      Draft draft = *best_;
      draft.machines[i].keep = ms(1);
      (void)consider(draft);
    }
  }

  void change() {
    while (may_go_on()) {
      Draft draft = *best_;
      const std::uint64_t changes = 1 + random_.below(2);
      for (std::uint64_t i = 0; i < changes; ++i) change(draft);
      const EnergyValue before = best_value_;
      if (consider(draft) && best_value_.better_than(before)) changed_ = true;
    }
  }
  void change(Draft& draft) {
    const std::uint64_t what = random_.below(draft.machines.empty() ? 4 : 6);
    if (what <= 2 && drafts_->classes() > 1 && !drafts_->stages().empty()) return change_class(draft);
    if (what >= 4) return change_machines(draft);
    if (draft.order.size() < 2) return;
    const std::size_t from = random_.below(draft.order.size()), to = random_.below(draft.order.size());
    const JobIndex job = draft.order[from];
    draft.order.erase(draft.order.begin() + static_cast<std::ptrdiff_t>(from));
    draft.order.insert(draft.order.begin() + static_cast<std::ptrdiff_t>(to), job);
  }
  void change_class(Draft& draft) {
    const std::size_t stage = random_.below(drafts_->stages().size());
    const auto c = static_cast<ClassId>(random_.below(drafts_->classes()));
    const std::int64_t now = until(draft, stage)[c];
    const std::int64_t latest = drafts_->closing(stage, c, to_ms(best_value_.makespan));
    std::int64_t next = 0;
    switch (random_.below(4)) {
      case 0:
        next = now == 0 ? always : 0;
        break;
      case 1:
        next = always;
        break;
      case 2:
        next = latest;
        break;
      default: {
        const double time = drafts_->time_of(stage, c),
                     from = static_cast<double>(now == always ? latest : now);
        if (std::isinf(time)) return;
        next = std::max<std::int64_t>(0, std::llround(from + random_.uniform(-2, 2) * time));
      }
    }
    // For this job, or for all that are alike.
    const bool all = random_.below(2) == 0;
    for (std::size_t other = 0; other < drafts_->stages().size(); ++other) {
      if (other != stage && !(all && drafts_->type_of(other) == drafts_->type_of(stage))) continue;
      if (!std::isinf(drafts_->time_of(other, c))) until(draft, other)[c] = next;
    }
  }
  [[nodiscard]] std::vector<std::int64_t>& until(Draft& draft, std::size_t stage) const {
    const TaskStage& of = drafts_->stages()[stage];
    return draft.until[of.kind == Kind::map ? 0 : 1][of.job];
  }
  void change_machines(Draft& draft) {
    Draft::Machines& of = draft.machines[random_.below(draft.machines.size())];
    switch (random_.below(4)) {
      case 0:
        of.most = static_cast<Count>(random_.below(static_cast<std::uint64_t>(of.there) + 1));
        break;
      case 1:
        of.most = std::max<Count>(0, of.most - 1);
        break;
      case 2:
        of.most = std::min(of.there, of.most + 1);
        break;
      default: {
        const Duration keeps[] = {ms(1), of.even, of.even * 3};
        of.keep = std::min(longest_duration, keeps[random_.below(3)]);
      }
    }
  }

  const EnergyProblem& problem_;
  const Stop& stop_;
  const Workload& batch_;
  Random random_;
  std::uint64_t left_;
  PlannedEnergy found_;
  bool has_value_ = false;  // `found_` has a plan
  const Drafts* drafts_ = nullptr;
  std::optional<Draft> best_;
  EnergyValue best_value_;
  std::int64_t best_end_ = always;
  bool changed_ = false;  // a change by chance made the best draft better
};

}  // namespace

std::optional<double> PlannedEnergy::gap() const {
  return gap_of(value, bound);
}

PlannedEnergy plan_energy(const EnergyProblem& problem, const Stop& stop) {
  if (problem.cluster.mode.kind != ClusterMode::Kind::slots)
    throw UsageError("plans for energy need a cluster of slots", "write [mode] kind = \"slots\"");
  if (!knows_power(problem.cluster))
    throw UsageError("the cluster file gives no powers", "see docs/use/energy.md: power_idle_w, power_map_w");
  return Search(problem, stop).run();
}

}  // namespace wavewright
