#include "wavewright/energy/plan/draft.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "wavewright/cluster/power.h"

namespace wavewright {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// Idling for so long takes what a wake-up does.
Duration break_even(const NodePower& power) {
  const Milliwatts saved = power.idle - power.off;
  return saved <= 0 ? longest_duration : std::min(longest_duration, ms(power.wake / saved));
}

}  // namespace

Drafts::Drafts(const Workload& batch, const Cluster& cluster, const LeastEnergy& least,
               const EnergyBound& bound, TaskOrder task_order, const std::vector<StateClasses>& sets)
    : batch_(batch), least_(least), task_order_(task_order), topology_(expand(cluster)) {
  count_costs(bound);
  number_types();
  const PowerModel model(cluster);
  std::map<ClassId, Draft::Machines> rented;
  for (std::size_t row = 0; row < cluster.nodes.size(); ++row) {
    if (!cluster.nodes[row].rent) continue;
    Draft::Machines& of = rented[topology_.node_class[row]];
    of.node_class = topology_.node_class[row];
    of.there += cluster.nodes[row].count;
    of.most = of.there;
    of.keep = of.even = break_even(model.of_row(row));
  }
  for (const auto& [node_class, of] : rented) machines_.push_back(of);
  for (const StateClasses& states : sets) {
    std::vector<std::size_t>& set = sets_.emplace_back();
    for (const std::string& name : states) {
      const auto found = std::find_if(machines_.begin(), machines_.end(), [&](const Draft::Machines& of) {
        return topology_.classes[of.node_class] == name;
      });
      set.push_back(static_cast<std::size_t>(found - machines_.begin()));
    }
  }
}

std::size_t Drafts::states() const {
  std::size_t most = 1;
  for (const std::vector<std::size_t>& set : sets_) most = std::max(most, set.size());
  return most;
}

void Drafts::switch_to(std::size_t state, Draft& draft) const {
  for (const std::vector<std::size_t>& set : sets_) {
    for (std::size_t i = 0; i < set.size(); ++i) {
      Draft::Machines& of = draft.machines[set[i]];
      of.most = i == std::min(state, set.size() - 1) ? of.there : 0;
    }
  }
}

void Drafts::make_room(std::size_t kept, Draft& draft) const {
  for (const std::vector<std::size_t>& set : sets_) {
    if (std::find(set.begin(), set.end(), kept) == set.end()) continue;
    Count left = draft.machines[kept].there - draft.machines[kept].most;
    for (const std::size_t other : set) {
      if (other == kept) continue;
      Draft::Machines& of = draft.machines[other];
      of.most = std::min(of.most, left);
      left -= of.most;
    }
  }
}

void Drafts::count_costs(const EnergyBound& bound) {
  for (const TaskStage& stage : least_.stages) {
    const std::vector<double>& asked = bound.asked[costs_.size()];
    Costs& costs = costs_.emplace_back();
    count_costs(stage, asked, costs);
    // The reduces of a job follow its maps in the list.
    if (stage.kind == Kind::reduce && costs_.size() > 1 && least_.stages[costs_.size() - 2].job == stage.job)
      costs_[costs_.size() - 2].after = *std::min_element(costs.time.begin(), costs.time.end());
  }
}

// Takes the row of a class that costs least.
void Drafts::count_costs(const TaskStage& stage, const std::vector<double>& asked, Costs& costs) const {
  costs.time.assign(classes(), infinite);
  costs.energy.assign(classes(), infinite);
  costs.fits_all.assign(classes(), false);
  for (std::size_t row = 0; row < stage.rows.size(); ++row) {
    const TasksOnRow& on = stage.rows[row];
    double time = 0, tasks = 0;
    bool fits_all = true;
    for (const TaskStage::Tasks& each : stage.tasks) {
      const double one = stage.time_on(on, each), count = static_cast<double>(each.count);
      fits_all = fits_all && !std::isinf(one);
      if (std::isinf(one)) continue;
      time += one * count;
      tasks += count;
    }
    if (tasks == 0) continue;
    const double energy = time * on.share * (on.power + asked[row]) / tasks;
    const ClassId c = topology_.node_class[row];
    costs.fits_all[c] = costs.fits_all[c] || fits_all;
    if (!(energy < costs.energy[c]) && !std::isinf(costs.time[c])) continue;
    costs.energy[c] = energy;
    costs.time[c] = time / tasks;
  }
}

std::vector<bool> Drafts::open_classes(const Costs& costs, double slack) const {
  const bool none_fits =
      std::find(costs.fits_all.begin(), costs.fits_all.end(), true) == costs.fits_all.end();
  std::vector<bool> open(classes());
  double cheapest = infinite;
  for (ClassId c = 0; c < classes(); ++c) {
    open[c] = !std::isinf(costs.time[c]) && (costs.fits_all[c] || none_fits || slack >= any_slack);
    if (open[c]) cheapest = std::min(cheapest, costs.energy[c]);
  }
  for (ClassId c = 0; c < classes(); ++c) open[c] = open[c] && costs.energy[c] <= cheapest * (1 + slack);
  return open;
}

// Mean lengths differ from job to job; costs relative to the first possible class need not.
void Drafts::number_types() {
  std::map<std::vector<std::int64_t>, std::size_t> known;
  for (std::size_t stage = 0; stage < costs_.size(); ++stage) {
    Costs& costs = costs_[stage];
    const double least = *std::min_element(costs.energy.begin(), costs.energy.end());
    std::vector<std::int64_t> key{static_cast<std::int64_t>(place_of(least_.stages[stage].kind))};
    constexpr double steps = 20;  // to 5 %
    for (const double energy : costs.energy)
      key.push_back(std::isinf(energy) || least <= 0 ? -1 : std::llround(steps * energy / least));
    costs.type = known.emplace(key, known.size()).first->second;
  }
}

std::int64_t Drafts::closing(std::size_t stage, ClassId node_class, std::int64_t end) const {
  const Costs& costs = costs_[stage];
  if (std::isinf(costs.time[node_class])) return 0;
  const Job& job = batch_.jobs[least_.stages[stage].job];
  if (job.deadline) end = std::min(end, to_ms(*job.deadline));
  if (end == always) return always;
  const double closes = static_cast<double>(end) - costs.time[node_class] - costs.after;
  return closes <= static_cast<double>(to_ms(job.submit)) ? 0 : std::llround(closes);
}

Draft Drafts::draft(double slack, std::int64_t end) const {
  Draft draft;
  draft.task_order = task_order_;
  draft.machines = machines_;
  switch_to(0, draft);
  draft.order.resize(batch_.jobs.size());
  std::iota(draft.order.begin(), draft.order.end(), JobIndex{0});
  std::stable_sort(draft.order.begin(), draft.order.end(),
                   [&](JobIndex a, JobIndex b) { return batch_.jobs[a].submit < batch_.jobs[b].submit; });
  for (auto& until : draft.until)
    until.assign(batch_.jobs.size(), std::vector<std::int64_t>(classes(), always));
  for (std::size_t stage = 0; stage < costs_.size(); ++stage) {
    const Costs& costs = costs_[stage];
    const std::vector<bool> open = open_classes(costs, slack);
    ClassId home = 0;  // the fastest that is open
    double fastest = infinite;
    for (ClassId c = 0; c < classes(); ++c) {
      if (!open[c] || !(costs.time[c] < fastest)) continue;
      fastest = costs.time[c];
      home = c;
    }
    std::vector<std::int64_t>& until =
        draft.until[place_of(least_.stages[stage].kind)][least_.stages[stage].job];
    for (ClassId c = 0; c < classes(); ++c)
      until[c] = !open[c] ? 0 : c == home ? always : closing(stage, c, end);
  }
  return draft;
}

void Drafts::open_all(Draft& draft) const {
  for (std::size_t stage = 0; stage < costs_.size(); ++stage) {
    const TaskStage& of = least_.stages[stage];
    std::vector<std::int64_t>& until = draft.until[place_of(of.kind)][of.job];
    for (ClassId c = 0; c < classes(); ++c)
      if (!std::isinf(costs_[stage].time[c])) until[c] = always;
  }
}

void Drafts::close(ClassId node_class, std::int64_t until, Draft& draft) const {
  for (const TaskStage& stage : least_.stages) {
    std::int64_t& own = draft.until[place_of(stage.kind)][stage.job][node_class];
    own = std::min(own, until);
  }
}

EnergyPlan Drafts::plan(const Draft& draft) const {
  EnergyPlan plan;
  plan.task_order = draft.task_order;
  for (const JobIndex job : draft.order) plan.order.push_back(batch_.jobs[job].id);
  for (const JobIndex job : draft.order) {
    PlannedStarts starts{batch_.jobs[job].id, {}, {}};
    for (ClassId c = 0; c < classes(); ++c) {
      for (std::size_t kind = 0; kind < draft.until.size(); ++kind) {
        const std::int64_t until = draft.until[kind][job][c];
        if (until != always) (kind == 0 ? starts.maps : starts.reduces)[topology_.classes[c]] = at_ms(until);
      }
    }
    if (!starts.maps.empty() || !starts.reduces.empty()) plan.starts.push_back(std::move(starts));
  }
  for (const Draft::Machines& of : draft.machines) {
    if (of.most > 0) plan.machines.push_back({topology_.classes[of.node_class], of.most, of.keep});
  }
  return plan;
}

}  // namespace wavewright
