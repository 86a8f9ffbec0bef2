#include "apps/commands/run_energy.h"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/policies.h"
#include "apps/table.h"
#include "wavewright/cluster/topology.h"
#include "wavewright/core/error.h"
#include "wavewright/energy/plan/energy_plan.h"
#include "wavewright/energy/plan/energy_plan_policy.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright::app {

namespace {

// A node class of the cluster file.
struct PlacedClass {
  std::string name, label;
  SlotPool slots;  // of all its nodes
};

std::vector<PlacedClass> classes_of(const Cluster& cluster, const Topology& topology) {
  std::vector<PlacedClass> classes;
  for (const std::string& name : topology.classes) {
    PlacedClass each{name, {}, {}};
    const auto of = cluster.classes.find(name);
    if (of != cluster.classes.end()) each.label = of->second.label;
    for (const NodeGroup& group : cluster.nodes) {
      if (group.node_class != name) continue;
      each.slots.map_slots += group.count * group.slots.map_slots;
      each.slots.reduce_slots += group.count * group.slots.reduce_slots;
    }
    classes.push_back(std::move(each));
  }
  return classes;
}

// Time that a stage of a job has tasks on nodes of each class.
using TimeByClass = std::vector<Duration>;
struct StageTimes {
  TimeByClass maps, reduces;
};

std::vector<StageTimes> times_of(const SimulationResult& result, const Topology& topology, std::size_t jobs) {
  const TimeByClass none(topology.classes.size());
  std::vector<StageTimes> times(jobs, StageTimes{none, none});
  for (const TaskRecord& record : result.trace) {
    if (record.kind == Kind::master || record.outcome != AttemptOutcome::done) continue;
    StageTimes& of = times[record.job];
    const std::uint32_t node_class = topology.node_class[topology.group[record.node]];
    // Tasks without length count, too.
    TimeByClass& stage = record.kind == Kind::map ? of.maps : of.reduces;
    stage[node_class] += std::max(ms(1), record.end - record.start);
  }
  return times;
}

// The label under which a stage spends most of its time.
struct ChosenLabel {
  std::string label;
  Duration there{}, all{};

  [[nodiscard]] double elsewhere() const {  // share of the time
    return static_cast<double>((all - there).count()) / static_cast<double>(all.count());
  }
};

// None for a stage without tasks. Of equal times, those of the class that the cluster file names first.
std::optional<ChosenLabel> choose_label(const TimeByClass& times, const std::vector<PlacedClass>& classes) {
  ChosenLabel chosen;
  for (const PlacedClass& one : classes) {
    Duration there{};
    for (std::size_t c = 0; c < classes.size(); ++c) {
      if (classes[c].label == one.label) there += times[c];
    }
    if (there > chosen.there) {
      chosen.label = one.label;
      chosen.there = there;
    }
  }
  chosen.all = std::accumulate(times.begin(), times.end(), Duration{});
  return chosen.all > Duration{} ? std::optional(chosen) : std::nullopt;
}

std::set<std::string, std::less<>> with_other_labels(const std::vector<PlacedClass>& classes,
                                                     const std::string& label) {
  std::set<std::string, std::less<>> others;
  for (const PlacedClass& each : classes) {
    if (each.label != label) others.insert(each.name);
  }
  return others;
}

[[noreturn]] void refuse_alike(const std::string& file, const std::string& what, const PlacedClass& one,
                               const PlacedClass& other) {
  throw InputError(
      {file},
      fmt::format("{} '{}' and '{}', and {}", what, harmless(one.name), harmless(other.name),
                  one.label.empty() ? "neither has a node label"
                                    : fmt::format("both have node label '{}'", harmless(one.label))),
      fmt::format("give one a label: 'label' in [classes.{}] of the cluster file, and for its nodes "
                  "yarn rmadmin -addToClusterNodeLabels LABEL, yarn rmadmin -replaceLabelsOnNode HOST=LABEL",
                  harmless(other.name)));
}

void refuse_unknown_policy(const EnergyPlan& plan, const Cluster& cluster, const std::string& file) {
  if (plan.policy.empty()) return;
  try {
    (void)make_policy_on(plan.policy, cluster, command_policies());
  } catch (const UsageError& error) {
    throw InputError({file}, error.problem(), error.remedy());
  }
}

// YARN cannot tell classes apart that have the same label, or both none.
void refuse_inseparable(const EnergyPlan& plan, const std::vector<PlacedClass>& classes,
                        const std::string& file) {
  const auto closed = [](const std::map<std::string, Time>& until, const PlacedClass& on) {
    const auto found = until.find(on.name);
    return found != until.end() && found->second == Time{};
  };
  for (std::size_t b = 1; b < classes.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      const PlacedClass& one = classes[a];
      const PlacedClass& other = classes[b];
      if (one.label != other.label) continue;
      if (!plan.policy.empty() && plan.policy != "fifo")
        refuse_alike(file, fmt::format("its schedule, that of {}, chooses between classes", plan.policy), one,
                     other);
      for (const PlannedStarts& of : plan.starts) {
        const bool maps = one.slots.map_slots > 0 && other.slots.map_slots > 0 &&
                          closed(of.maps, one) != closed(of.maps, other);
        const bool reduces = one.slots.reduce_slots > 0 && other.slots.reduce_slots > 0 &&
                             closed(of.reduces, one) != closed(of.reduces, other);
        if (maps || reduces)
          refuse_alike(file,
                       fmt::format("it keeps {} of job '{}' on one of classes", maps ? "maps" : "reduces",
                                   harmless(of.id)),
                       one, other);
      }
    }
  }
}

SimulationResult simulate_plan(const EnergyPlan& plan, const Workload& workload, const Cluster& cluster,
                               std::uint64_t seed) {
  Policy policy;
  if (plan.policy.empty()) {
    policy.allocator = make_energy_plan_policy(plan);
  } else {
    policy = make_policy_on(plan.policy, cluster, command_policies());
  }
  ClusterOptions how;
  how.cluster = cluster;
  how.seed = seed;
  how.trace = true;
  return simulate_cluster(in_task_order(workload, policy.allocator->task_order()), policy, how);
}

// The jobs as they start tasks in the schedule of a policy.
std::vector<std::string> order_of_starts(const SimulationResult& result, const Workload& workload) {
  std::vector<JobIndex> jobs(workload.jobs.size());
  std::iota(jobs.begin(), jobs.end(), JobIndex{0});
  std::stable_sort(jobs.begin(), jobs.end(),
                   [&](JobIndex a, JobIndex b) { return result.jobs[a].start < result.jobs[b].start; });
  std::vector<std::string> order;
  order.reserve(jobs.size());
  for (const JobIndex job : jobs) order.push_back(workload.jobs[job].id);
  return order;
}

// The work that runs elsewhere than in the plan, as each stage of a job has one label.
class WorkElsewhere {
 public:
  void add(const std::string& id, const char* stage, const std::optional<ChosenLabel>& chosen) {
    if (!chosen || chosen->there == chosen->all) return;
    constexpr std::size_t most_shown = 3;
    if (++stages_ > most_shown) return;
    shown_.push_back(fmt::format("{:.0f} % of the {} of {}", std::max(1.0, 100 * chosen->elsewhere()), stage,
                                 harmless(id)));
  }
  [[nodiscard]] std::string text() const {
    if (stages_ == 0) return {};
    const std::size_t more = stages_ - shown_.size();
    return fmt::format("work on nodes of a second label ({}{})", fmt::join(shown_, "; "),
                       more > 0 ? fmt::format("; and of {} more", more) : std::string());
  }

 private:
  std::vector<std::string> shown_;
  std::size_t stages_ = 0;
};

void add_not_applied(const EnergyPlan& plan, const WorkElsewhere& elsewhere, EnergyOrder& into) {
  if (const std::string text = elsewhere.text(); !text.empty()) into.not_applied.push_back(text);
  const bool closes = std::any_of(plan.starts.begin(), plan.starts.end(), [](const PlannedStarts& of) {
    const auto later = [](const auto& until) { return until.second > Time{}; };
    return std::any_of(of.maps.begin(), of.maps.end(), later) ||
           std::any_of(of.reduces.begin(), of.reduces.end(), later);
  });
  if (closes) into.not_applied.emplace_back("the instants from which classes are closed");
  if (!plan.machines.empty()) into.not_applied.emplace_back("machines that are switched on and off");
}

}  // namespace

bool is_energy_plan(const std::string& file) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored) && holds_energy_plan(file);
}

EnergyOrder energy_order(const std::string& file, const Workload& workload,
                         const std::optional<Cluster>& cluster, std::uint64_t seed) {
  if (!cluster || cluster->mode.kind != ClusterMode::Kind::slots)
    throw UsageError(fmt::format("{} is a plan for energy, whose node classes are those of a cluster file {}",
                                 file, cluster ? "with slots" : "that is not named"),
                     "add --cluster FILE, with the file that the plan was made for");
  if (workload.tasks() == 0)
    throw UsageError("no job has tasks, so the plan for energy has none to place",
                     "name their profiles, or list their tasks (docs/formats/workload-file.md)");
  const EnergyPlan plan = read_energy_plan(file);
  EnergyOrder made;
  check_energy_plan(plan, workload, *cluster, file);
  if (plan.policy.empty()) made.order = plan.order;
  const Topology topology = expand(*cluster);
  const std::vector<PlacedClass> classes = classes_of(*cluster, topology);
  refuse_unknown_policy(plan, *cluster, file);
  refuse_inseparable(plan, classes, file);
  const SimulationResult result = simulate_plan(plan, workload, *cluster, seed);
  if (!plan.policy.empty()) made.order = order_of_starts(result, workload);
  const std::vector<StageTimes> times = times_of(result, topology, workload.jobs.size());
  WorkElsewhere elsewhere;
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    const std::string& id = workload.jobs[i].id;
    const std::optional<ChosenLabel> maps = choose_label(times[i].maps, classes);
    const std::optional<ChosenLabel> reduces = choose_label(times[i].reduces, classes);
    elsewhere.add(id, "maps", maps);
    elsewhere.add(id, "reduces", reduces);
    EnergyPlacement& placed = made.jobs[id];
    if (maps) placed.map_label = maps->label;
    placed.reduce_label = reduces ? reduces->label : placed.map_label;
    if (!maps) placed.map_label = placed.reduce_label;
    if (maps) placed.no_maps = with_other_labels(classes, placed.map_label);
    if (reduces) placed.no_reduces = with_other_labels(classes, placed.reduce_label);
  }
  add_not_applied(plan, elsewhere, made);
  return made;
}

}  // namespace wavewright::app
