#include "wavewright/energy/plan/energy_plan_policy.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "wavewright/cloud/deadline/machines.h"
#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/core/spec.h"
#include "wavewright/energy/plan/least_energy.h"
#include "wavewright/energy/policies.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {

namespace {

constexpr const char* plan_policy_name = "energy-plan";

constexpr std::array task_kinds{Kind::map, Kind::reduce};

class EnergyPlanPolicy final : public Allocator {
 public:
  explicit EnergyPlanPolicy(EnergyPlan plan) : plan_(std::move(plan)) {
    Key rank = 0;
    for (const std::string& id : plan_.order) jobs_[id].rank = rank++;
    for (const PlannedStarts& starts : plan_.starts) jobs_[starts.id].starts = &starts;
  }

  [[nodiscard]] std::string name() const override { return plan_policy_name; }
  [[nodiscard]] TaskOrder task_order() const override { return plan_.task_order; }
  [[nodiscard]] Features needs() const override {
    Features needed = Features::of(Feature::rank);
    if (!plan_.starts.empty())
      needed = needed | Features::of(Feature::caps) | Feature::node_classes | Feature::timers;
    if (!plan_.machines.empty()) needed = needed | Feature::leases | Feature::node_classes | Feature::timers;
    return needed;
  }
  [[nodiscard]] EventSet subscribes() const override {
    using enum Event::What;
    const EventSet starts = EventSet::of(arrived) | finished | timer;
    if (plan_.machines.empty()) return starts;
    return starts | ready | started | ended | lost | node_up | node_down | node_notice;
  }

  void begin(const View& view, Decisions&) override {
    for (ClassId c = 0; c < view.classes(); ++c) classes_.emplace_back(view.class_name(c));
    for (const PlannedStarts& starts : plan_.starts) {
      for (const auto* until : {&starts.maps, &starts.reduces}) {
        for (const auto& [name, time] : *until) require_class(name);
      }
    }
    for (const PlannedMachines& of : plan_.machines) {
      require_class(of.node_class);
      Rented& rented = rented_.emplace_back(Machines({.market = MachineMarket::on_demand,
                                                      .node_class = of.node_class,
                                                      .most = of.most,
                                                      .until_read = true,
                                                      .keep = std::max(ms(1), of.keep)}));
      rented.machines.begin(view, name());
      rented.most = of.most;
    }
  }

  void on(const Event& event, const View& view, Decisions& decisions) override {
    if (event.what == Event::What::arrived) arrive(event.job, view, decisions);
    if (event.what == Event::What::ready && unfinished_.contains(event.job))
      unfinished_.at(event.job).ready = true;
    if (event.what == Event::What::finished) unfinished_.erase(event.job);
    if (event.what == Event::What::timer && !Machines::owns(event.token)) close(event.token, decisions);
    for (Rented& rented : rented_) hear(rented, event, view, decisions);
  }

 private:
  struct Planned {
    Key rank = 0;
    const PlannedStarts* starts = nullptr;  // null: everywhere, at any time
  };
  struct Unfinished {
    std::array<std::vector<Time>, 2> until;  // by kind (map, reduce) and class: nothing starts from then on
    bool ready = false;                      // its reduces may start
  };
  struct Rented {
    explicit Rented(Machines of) : machines(std::move(of)) {}
    Machines machines;
    Count most = 0;
  };
  struct Closing {
    JobIndex job = 0;
    Kind kind = Kind::map;
    ClassId node_class = 0;
  };

  void require_class(const std::string& name) const {
    if (std::find(classes_.begin(), classes_.end(), name) != classes_.end()) return;
    throw InputError({}, "the plan names node class '" + name + "', which the cluster has not",
                     suggestion(name, classes_));
  }

  void arrive(JobIndex job, const View& view, Decisions& decisions) {
    const std::string id(view.facts(job).id);
    const auto found = jobs_.find(id);
    if (found == jobs_.end()) {
      throw InputError({}, "the plan does not name job '" + id + "'", "make the plan from this workload");
    }
    for (const Kind kind : task_kinds) {
      decisions.rank(job, kind, found->second.rank);
      limit(job, kind, found->second, view, decisions);
    }
    decisions.admit(job, root_group);
  }

  void limit(JobIndex job, Kind kind, const Planned& planned, const View& view, Decisions& decisions) {
    std::vector<Time>& all = unfinished_[job].until[place_of(kind)];
    all.assign(classes_.size(), Time::max());
    if (planned.starts == nullptr) return;
    const std::map<std::string, Time>& named =
        kind == Kind::map ? planned.starts->maps : planned.starts->reduces;
    for (ClassId c = 0; c < classes_.size(); ++c) {
      const auto until = named.find(classes_[c]);
      if (until == named.end()) continue;
      all[c] = until->second;
      if (until->second <= view.now()) {
        decisions.cap(job, kind, c, 0);
      } else {
        decisions.set_timer(until->second, closings_.size());
        closings_.push_back({job, kind, c});
      }
    }
  }

  // The demand grows only where jobs arrive or lose something; starts and ends change nothing.
  void hear(Rented& rented, const Event& event, const View& view, Decisions& decisions) const {
    using enum Event::What;
    if (event.what != timer) rented.machines.hear(event, view, decisions);
    if (event.what == started || event.what == ended || event.what == finished) return;
    const Resources wanted = need(rented, view);
    if (event.what == timer && Machines::owns(event.token))
      rented.machines.timer(event.token, wanted, view, decisions);
    rented.machines.cover(wanted, view, decisions);
  }

  void close(Token token, Decisions& decisions) const {
    const Closing& closing = closings_.at(token);
    if (!unfinished_.contains(closing.job)) return;
    decisions.cap(closing.job, closing.kind, closing.node_class, 0);
  }

  // The slots that tasks want which may start on the class now or run there, at most those of the most
  // machines; and those of all other classes, as Machines counts the slots of the whole cluster.
  [[nodiscard]] Resources need(const Rented& rented, const View& view) const {
    const ClassId c = rented.machines.node_class();
    Count wanted[2] = {0, 0};
    for (const auto& [job, of] : unfinished_) {
      for (const Kind kind : task_kinds) {
        if (view.tasks_on_node(job, kind, c) == 0) continue;
        Count& own = wanted[place_of(kind)];
        own += view.held(job, kind, c);
        if (view.now() < of.until[place_of(kind)][c] && (kind == Kind::map || of.ready))
          own += view.pending(job, kind);
      }
    }
    const Resources all = view.capacity(any_class), here = view.capacity(c);
    const Resources machine = rented.machines.machine();
    // Machines of the class that are there anyhow come first.
    const Count machines = rented.most - rented.machines.there() - rented.machines.leaving();
    const auto of_class = [&](Count here_now, Count of_machine, Count want) {
      return std::min(want, here_now + machines * of_machine) - here_now;
    };
    return {all.map_slots + of_class(here.map_slots, machine.map_slots, wanted[0]),
            all.reduce_slots + of_class(here.reduce_slots, machine.reduce_slots, wanted[1])};
  }

  EnergyPlan plan_;
  std::unordered_map<std::string, Planned> jobs_;
  std::map<JobIndex, Unfinished> unfinished_;
  std::vector<std::string> classes_;
  std::vector<Closing> closings_;  // by token
  std::vector<Rented> rented_;
};

}  // namespace

std::unique_ptr<Allocator> make_energy_plan_policy(EnergyPlan plan) {
  return std::make_unique<EnergyPlanPolicy>(std::move(plan));
}

namespace {

// The plan is the schedule of a policy.
Policy policy_of(const EnergyPlan& plan, const std::filesystem::path& file, const PolicyContext& context) {
  if (plan.policy.starts_with(plan_policy_name)) {
    throw InputError({file.string()}, "its policy is a plan again: '" + shortened(plan.policy) + "'",
                     "write it anew with wavewright plan --objective energy --out FILE");
  }
  PolicyRegistry registry = standard_policies();
  for (PolicyEntry& entry : energy_policies()) registry.add(std::move(entry));
  try {
    return make_policy(plan.policy, context, registry);
  } catch (const UsageError& error) {
    throw InputError({file.string()}, error.problem(), error.remedy());
  }
}

}  // namespace

PolicyEntry energy_plan_entry() {
  return {.name = plan_policy_name,
          .description = "a plan that 'wavewright plan --objective energy --out FILE' wrote",
          .parameters = {{"file", "FILE", "the plan", true}},
          .both = [](Parameters& parameters, const PolicyContext& context) -> Policy {
            const std::filesystem::path file = parameters.file("file");
            EnergyPlan plan = read_energy_plan(file);
            if (!plan.policy.empty()) return policy_of(plan, file, context);
            return {make_energy_plan_policy(std::move(plan)), nullptr};
          }};
}

}  // namespace wavewright
