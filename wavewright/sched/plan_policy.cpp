#include "wavewright/sched/plan_policy.h"

#include <unordered_map>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

class PlanPolicy final : public Allocator {
 public:
  PlanPolicy(const Plan& plan, std::optional<SlotPool> whole)
      : plan_(plan),
        limited_(plan.pools.size() > 1 || (plan.pools.size() == 1 && plan.pools[0].slots != whole)) {
    place(plan.order, [](Place& p) -> Key& { return p.map; });
    for (auto& [id, p] : places_) p.reduce = p.map;
    if (!plan.map_order.empty()) place(plan.map_order, [](Place& p) -> Key& { return p.map; });
    if (!plan.reduce_order.empty()) place(plan.reduce_order, [](Place& p) -> Key& { return p.reduce; });
    if (limited_) {
      for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
        for (const std::string& id : plan.pools[pool].jobs)
          places_[id].group = static_cast<GroupId>(pool + 1);
      }
    }
  }

  [[nodiscard]] std::string name() const override { return "plan"; }
  [[nodiscard]] Features needs() const override {
    Features needed = Features::of(Feature::rank);
    if (!plan_.map_order.empty() || !plan_.reduce_order.empty())
      needed = needed | Features::of(Feature::rank_per_kind);
    return limited_ ? needed | Features::of(Feature::groups) : needed;
  }
  [[nodiscard]] EventSet subscribes() const override { return EventSet::of(Event::What::arrived); }

  void begin(const View&, Decisions& decisions) override {
    if (!limited_) return;
    for (std::size_t pool = 0; pool < plan_.pools.size(); ++pool) {
      const SlotPool slots = plan_.pools[pool].slots;
      const Limits limits{slots.map_slots, slots.reduce_slots};
      decisions.group(static_cast<GroupId>(pool + 1), root_group, limits, limits);
    }
  }

  void on(const Event& event, const View& view, Decisions& decisions) override {
    const auto found = places_.find(view.id(event.job));
    if (found == places_.end()) {
      throw InputError({}, "the plan does not name job '" + view.id(event.job) + "'",
                       "make the plan from this workload");
    }
    decisions.rank(event.job, Kind::map, found->second.map);
    decisions.rank(event.job, Kind::reduce, found->second.reduce);
    decisions.admit(event.job, found->second.group);
  }

 private:
  struct Place {
    Key map = 0;
    Key reduce = 0;
    GroupId group = root_group;
  };

  template <class Field>
  void place(const std::vector<std::string>& order, Field field) {
    Key key = 0;
    for (const std::string& id : order) field(places_[id]) = key++;
  }

  const Plan& plan_;
  bool limited_;  // some pool is smaller than the whole
  std::unordered_map<std::string, Place> places_;
};

}  // namespace

std::unique_ptr<Allocator> make_plan_policy(const Plan& plan, std::optional<SlotPool> whole) {
  return std::make_unique<PlanPolicy>(plan, whole);
}

}  // namespace wavewright
