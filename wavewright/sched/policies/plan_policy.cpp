#include "wavewright/sched/policies/plan_policy.h"

#include <algorithm>
#include <unordered_map>

#include "wavewright/core/error.h"
#include "wavewright/sched/plan_file.h"

namespace wavewright {

namespace {

class PlanPolicy final : public Allocator {
 public:
  PlanPolicy(const Plan& plan, std::optional<SlotPool> whole)
      : plan_(plan),
        groups_(plan.pools.size() > 1 || (plan.pools.size() == 1 && plan.pools[0].slots != whole)) {
    place(plan.order, [](Place& p) -> Key& { return p.map; });
    for (auto& [id, p] : places_) p.reduce = p.map;
    if (!plan.map_order.empty()) place(plan.map_order, [](Place& p) -> Key& { return p.map; });
    if (!plan.reduce_order.empty()) place(plan.reduce_order, [](Place& p) -> Key& { return p.reduce; });
    if (!plan.map_turns.empty()) take_turns(plan.map_turns, Kind::map);
    if (!plan.reduce_turns.empty()) take_turns(plan.reduce_turns, Kind::reduce);
    for (const PlanCap& cap : plan.caps) places_[cap.id].cap = &cap;
    if (groups_) {
      for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
        for (const std::string& id : plan.pools[pool].jobs)
          places_[id].group = static_cast<GroupId>(pool + 1);
      }
    }
  }

  [[nodiscard]] std::string name() const override { return "plan"; }
  [[nodiscard]] Features needs() const override {
    Features needed = Features::of(Feature::rank);
    if (!plan_.map_order.empty() || !plan_.reduce_order.empty() || in_turns())
      needed = needed | Features::of(Feature::rank_per_kind);
    if (!plan_.caps.empty()) needed = needed | Features::of(Feature::caps);
    return groups_ ? needed | Features::of(Feature::groups) : needed;
  }
  [[nodiscard]] TaskOrder task_order() const override { return plan_.task_order; }
  [[nodiscard]] EventSet subscribes() const override {
    const EventSet arrivals = EventSet::of(Event::What::arrived);
    if (!in_turns()) return arrivals;
    return arrivals | Event::What::started | Event::What::lost;
  }

  void begin(const View&, Decisions& decisions) override {
    if (!groups_) return;
    for (std::size_t pool = 0; pool < plan_.pools.size(); ++pool) {
      const SlotPool slots = plan_.pools[pool].slots;
      const Limits limits{slots.map_slots, slots.reduce_slots};
      decisions.group(static_cast<GroupId>(pool + 1), root_group, limits, limits);
    }
  }

  void on(const Event& event, const View& view, Decisions& decisions) override {
    const JobFacts facts = view.facts(event.job);
    const auto found = places_.find(std::string(facts.id));
    if (found == places_.end()) {
      throw InputError({}, "the plan does not name job '" + std::string(facts.id) + "'",
                       "make the plan from this workload");
    }
    const Place& place = found->second;
    if (event.what != Event::What::arrived) {
      const Turns& turns = event.kind == Kind::map ? place.maps : place.reduces;
      if (event.kind != Kind::master && turns) rank(event.job, event.kind, turns, view, decisions);
      return;
    }
    decisions.rank(event.job, Kind::map, place.map);
    decisions.rank(event.job, Kind::reduce, place.reduce);
    if (place.maps) rank(event.job, Kind::map, place.maps, view, decisions);
    if (place.reduces) rank(event.job, Kind::reduce, place.reduces, view, decisions);
    if (place.cap != nullptr) {
      if (place.cap->maps) decisions.cap(event.job, Kind::map, any_class, *place.cap->maps);
      if (place.cap->reduces) decisions.cap(event.job, Kind::reduce, any_class, *place.cap->reduces);
    }
    decisions.admit(event.job, place.group);
  }

 private:
  // A job's turns of a kind: each with the number of tasks started at its end, and its rank.
  class Turns {
   public:
    void add(Key rank, Count tasks) { turns_.emplace_back(ends() + tasks, rank); }
    explicit operator bool() const { return !turns_.empty(); }
    [[nodiscard]] Key rank(Count started) const {
      const auto now = std::upper_bound(turns_.begin(), turns_.end(), started,
                                        [](Count tasks, const auto& turn) { return tasks < turn.first; });
      return now == turns_.end() ? turns_.back().second : now->second;
    }

   private:
    [[nodiscard]] Count ends() const { return turns_.empty() ? 0 : turns_.back().first; }
    std::vector<std::pair<Count, Key>> turns_;
  };
  // Counts started tasks from the View, so that a policy made after a restart takes the same turn.
  static void rank(JobIndex job, Kind kind, const Turns& turns, const View& view, Decisions& decisions) {
    const JobFacts facts = view.facts(job);
    const Count tasks = kind == Kind::map ? facts.maps : facts.reduces;
    decisions.rank(job, kind, turns.rank(tasks - view.pending(job, kind)));
  }
  struct Place {
    Key map = 0;
    Key reduce = 0;
    Turns maps, reduces;  // may be empty
    const PlanCap* cap = nullptr;
    GroupId group = root_group;
  };

  template <class Field>
  void place(const std::vector<std::string>& order, Field field) {
    Key key = 0;
    for (const std::string& id : order) field(places_[id]) = key++;
  }

  [[nodiscard]] bool in_turns() const { return !plan_.map_turns.empty() || !plan_.reduce_turns.empty(); }
  void take_turns(const std::vector<PlanTurn>& turns, Kind kind) {
    Key rank = 0;
    for (const PlanTurn& turn : turns) {
      Place& place = places_[turn.id];
      (kind == Kind::map ? place.maps : place.reduces).add(rank++, turn.tasks);
    }
  }

  const Plan& plan_;
  bool groups_;  // some pool is smaller than the whole
  std::unordered_map<std::string, Place> places_;
};

// Owns the plan that the policy executes.
class FilePlan final : public Allocator {
 public:
  explicit FilePlan(Plan plan) : plan_(std::move(plan)), policy_(make_plan_policy(plan_)) {}
  [[nodiscard]] std::string name() const override { return policy_->name(); }
  [[nodiscard]] Features needs() const override { return policy_->needs(); }
  [[nodiscard]] EventSet subscribes() const override { return policy_->subscribes(); }
  [[nodiscard]] TaskOrder task_order() const override { return policy_->task_order(); }
  void begin(const View& view, Decisions& decisions) override { policy_->begin(view, decisions); }
  void on(const Event& event, const View& view, Decisions& decisions) override {
    policy_->on(event, view, decisions);
  }

 private:
  Plan plan_;
  std::unique_ptr<Allocator> policy_;
};

}  // namespace

std::unique_ptr<Allocator> make_plan_policy(const Plan& plan, std::optional<SlotPool> whole) {
  return std::make_unique<PlanPolicy>(plan, whole);
}

PolicyEntry plan_entry() {
  return {.name = "plan",
          .description = "the order and pools of a plan that 'wavewright plan --out FILE' wrote",
          .parameters = {{"file", "FILE", "the plan", true}},
          .allocator = [](Parameters& parameters, const PolicyContext&) {
            return std::make_unique<FilePlan>(read_plan(parameters.file("file")));
          }};
}

}  // namespace wavewright
