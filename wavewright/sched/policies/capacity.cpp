#include "wavewright/sched/policies/capacity.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "wavewright/core/error.h"
#include "wavewright/sched/placers/locality_delay.h"
#include "wavewright/sched/policies/master_limit.h"
#include "wavewright/sched/policies/queue_groups.h"

namespace wavewright {

namespace {

class Capacity final : public Allocator {
 public:
  Capacity(const std::vector<Queue>& queues, const std::optional<CapacityPreemptionOptions>& preemption)
      : one_queue_(queues.empty()),
        queues_(one_queue_ ? std::vector<Queue>{{.name = "default", .capacity = 100}} : queues, true) {
    if (preemption) preemption_.emplace(*preemption);
  }

  [[nodiscard]] std::string name() const override { return "capacity"; }
  [[nodiscard]] Features needs() const override {
    const Features plain = Features::of(Feature::groups) | Features::of(Feature::shares);
    return preemption_ ? plain | Features::of(Feature::preemption) | Features::of(Feature::timers) : plain;
  }
  [[nodiscard]] EventSet subscribes() const override {
    const EventSet plain = Event::What::arrived | Event::What::started | Event::What::ended |
                           Event::What::lost | Event::What::ready;
    return preemption_ ? plain | Event::What::timer : plain;
  }

  [[nodiscard]] NodeReservations node_reservations() const override { return {.queues = true}; }
  void begin(const View& view, Decisions& decisions) override {
    whole_ = view.capacity(any_class);
    leaves_[root_group].share = 1;
    decisions.order(root_group, Ordering::fair);
    for (const QueueGroups::Made& made : queues_.describe_all()) make(made, decisions);
  }

  void on(const Event& event, const View& view, Decisions& decisions) override {
    if (event.what == Event::What::arrived) {
      arrive(event.job, view, decisions);
      return;
    }
    if (event.what == Event::What::timer) {
      next_round_ = preemption_->round(view, decisions);
      if (next_round_) decisions.set_timer(*next_round_, 0);
      return;
    }
    if (preemption_ && event.what == Event::What::ready && event.kind == Kind::reduce)
      preemption_->ready(event.job);
    if (event.what == Event::What::ended && event.kind == Kind::master) {
      for (const JobIndex job : masters_.ended(event.job)) activate(job, view, decisions);
    }
    Placed& placed = placed_.at(event.job);
    if (const bool wants = view.has_pending_request(event.job); wants != placed.wants) want(placed, wants);
    limit_users(*placed.leaf, view, decisions);
  }

 private:
  struct User {
    GroupId group = root_group;
    Count jobs = 0;  // with a pending request
  };
  struct Leaf {  // also for a queue above others
    GroupId group = root_group;
    double share = 0;  // of the cluster, 0 to 1
    Resources guaranteed;
    double maximum = 1;
    Queue queue;
    std::map<std::string, User> users;
    Count active = 0;             // users with such jobs
    std::optional<Limits> limit;  // last one decided for each user; none when a user is new
  };

  struct Placed {
    Leaf* leaf = nullptr;
    User* user = nullptr;
    bool wants = false;  // has a pending request, as last seen
  };

  void make(const QueueGroups::Made& made, Decisions& decisions) {
    const Leaf& parent = leaves_.at(made.parent);
    Leaf leaf;
    leaf.group = made.group;
    if (made.queue != nullptr) leaf.queue = *made.queue;
    constexpr double whole = 100;
    leaf.share = parent.share * leaf.queue.capacity / whole;
    leaf.guaranteed = {static_cast<Count>(static_cast<double>(whole_.map_slots) * leaf.share),
                       static_cast<Count>(static_cast<double>(whole_.reduce_slots) * leaf.share)};
    leaf.maximum = parent.maximum * leaf.queue.maximum / whole;
    decisions.group(made.group, made.parent, {}, part_of_whole(leaf.maximum));
    if (made.parent != root_group) decisions.order(made.parent, Ordering::fair);
    decisions.order(made.group, Ordering::by_best);
    const auto weight = std::max<std::int64_t>(1, std::llround(leaf.queue.capacity * 1000));
    decisions.share_group(made.group, Kind::map, {0, weight});
    decisions.share_group(made.group, Kind::reduce, {0, weight});
    masters_.queue(made.group, static_cast<Count>(static_cast<double>(part_of_whole(leaf.maximum).map_slots) *
                                                  leaf.queue.maximum_masters / whole));
    if (preemption_) {
      preemption_->queue(made.group, made.parent, leaf.queue.capacity / whole, leaf.queue.maximum / whole);
    }
    leaves_.emplace(made.group, std::move(leaf));
  }

  // At least one slot, so that a queue with a small share can run.
  [[nodiscard]] Limits part_of_whole(double share) const {
    const auto part = [share](Count slots) {
      constexpr double tolerance = 1e-9;
      return std::max<Count>(1,
                             static_cast<Count>(std::floor(static_cast<double>(slots) * share + tolerance)));
    };
    return {part(whole_.map_slots), part(whole_.reduce_slots)};
  }

  void arrive(JobIndex job, const View& view, Decisions& decisions) {
    const QueueGroups::Found found =
        queues_.find(one_queue_ ? std::string() : std::string(view.facts(job).queue));
    for (const QueueGroups::Made& made : found.made) make(made, decisions);
    Leaf& leaf = leaves_.at(found.group);
    User& user = leaf.users[std::string(view.facts(job).user)];
    if (user.group == root_group) {
      user.group = queues_.another();
      decisions.group(user.group, found.group, {}, {});
      leaf.limit.reset();
    }
    if (placed_.size() <= job) placed_.resize(std::size_t{job} + 1);
    placed_[job] = {&leaf, &user, false};
    if (!view.containers() || masters_.starts(found.group, job, view.size(job, Kind::master)))
      activate(job, view, decisions);
  }

  void activate(JobIndex job, const View& view, Decisions& decisions) {
    Placed& placed = placed_.at(job);
    want(placed, true);
    limit_users(*placed.leaf, view, decisions);
    decisions.admit(job, placed.user->group);
    if (!preemption_) return;
    preemption_->admitted(placed.leaf->group, job);
    if (next_round_) return;
    next_round_ = view.now() + preemption_->interval();
    decisions.set_timer(*next_round_, 0);
  }

  static void want(Placed& placed, bool wants) {
    placed.wants = wants;
    const bool before = placed.user->jobs > 0;
    placed.user->jobs += wants ? 1 : -1;
    const bool after = placed.user->jobs > 0;
    if (before != after) placed.leaf->active += after ? 1 : -1;
  }

  void limit_users(Leaf& leaf, const View& view, Decisions& decisions) const {
    const Resources used = view.used(leaf.group);
    const auto limit_of = [&](Count part, Count in_use) {
      return user_limit(leaf.queue, part, in_use, leaf.active, view);
    };
    const Limits limit{.map_slots = limit_of(leaf.guaranteed.map_slots, used.map_slots),
                       .reduce_slots = limit_of(leaf.guaranteed.reduce_slots, used.reduce_slots),
                       .last_may_exceed = true};
    if (leaf.limit && leaf.limit->map_slots == limit.map_slots &&
        leaf.limit->reduce_slots == limit.reduce_slots)
      return;
    leaf.limit = limit;
    for (const auto& [name, user] : leaf.users) decisions.group(user.group, leaf.group, {}, limit);
  }

  // YARN rounds the limit up to whole containers and refuses only users above it, hence the + 1.
  [[nodiscard]] static Count user_limit(const Queue& queue, Count guaranteed, Count used, Count active,
                                        const View& view) {
    const Count step = view.minimum_allocation();
    const Count current = used < guaranteed ? guaranteed : used + step;
    constexpr double whole = 100;
    const auto least =
        static_cast<Count>(std::ceil(static_cast<double>(current) * queue.minimum_user_limit / whole - 1e-9));
    const Count fair = std::max(divide_up(current, std::max<Count>(1, active)), least);
    const auto most =
        static_cast<Count>(std::floor(static_cast<double>(guaranteed) * queue.user_limit_factor));
    const Count limit = std::max<Count>(1, guaranteed == 0 ? fair : std::min(fair, most));
    return view.containers() ? divide_up(limit, step) * step + 1 : limit;
  }

  bool one_queue_;  // no queue is described: all jobs share one
  QueueGroups queues_;
  Resources whole_;
  std::map<GroupId, Leaf> leaves_;  // Placed points into it
  std::vector<Placed> placed_;      // by job
  MasterLimit masters_;
  std::optional<CapacityPreemption> preemption_;
  std::optional<Time> next_round_;  // of preemption; the timer is set
};

std::unique_ptr<Placer> locality_delay_from(Parameters& parameters, const PolicyContext& context) {
  LocalityDelay delay;
  const bool off = parameters.text("node_locality_delay", "") == "off";
  if (!off) delay.node = parameters.whole("node_locality_delay", delay.node, {.least = 0, .also = "off"});
  if (context.placer &&
      (parameters.given("node_locality_delay") || parameters.given("rack_locality_additional_delay"))) {
    throw UsageError("policy 'capacity' has locality delays, and a placer besides",
                     "leave one of them out: only the placer would count");
  }
  const Count additional = parameters.whole("rack_locality_additional_delay", -1, {.least = -1});
  if (additional >= 0) delay.rack_additional = additional;
  return context.containers && context.places && !off ? make_locality_delay(delay) : nullptr;
}

std::unique_ptr<Allocator> capacity_from(Parameters& parameters, const PolicyContext& context) {
  CapacityPreemptionOptions preemption;
  const bool preempts = parameters.given("preempt");
  if (preempts && !context.containers)
    throw UsageError("policy 'capacity' preempts containers only", "leave out 'preempt'");
  if (preempts) preemption.interval = parameters.duration("preempt");
  if (preempts && preemption.interval <= Duration{})
    throw UsageError("policy 'capacity': 'preempt' of 0", "give the time between two rounds, like 3s");
  preemption.wait = parameters.duration("max_wait_before_kill", preemption.wait);
  preemption.per_round = parameters.share("total_preemption_per_round", preemption.per_round);
  preemption.ignored = parameters.share("max_ignored_over_capacity", preemption.ignored);
  preemption.natural = parameters.share("natural_termination_factor", preemption.natural);
  for (const char* const name : {"max_wait_before_kill", "total_preemption_per_round",
                                 "max_ignored_over_capacity", "natural_termination_factor"}) {
    if (!preempts && parameters.given(name))
      throw UsageError(std::string("policy 'capacity': '") + name + "' without 'preempt'", "add preempt=3s");
  }
  return make_capacity(context.queues, preempts ? std::optional(preemption) : std::nullopt);
}

}  // namespace

std::unique_ptr<Allocator> make_capacity(const std::vector<Queue>& queues,
                                         std::optional<CapacityPreemptionOptions> preemption) {
  return std::make_unique<Capacity>(queues, preemption);
}

PolicyEntry capacity_entry() {
  return {
      .name = "capacity",
      .description = "queues with guarantees, maxima and user limits",
      .parameters = {{"node_locality_delay", "N|off", "of containers: offers let go for a node's block (40)"},
                     {"rack_locality_additional_delay", "N",
                      "then for its rack; -1: as many as maps wait (-1)"},
                     {"preempt", "TIME", "containers are preempted in rounds, so far apart (YARN: 3s)"},
                     {"max_wait_before_kill", "TIME", "from the choice of a container to its kill (15s)"},
                     {"total_preemption_per_round", "SHARE", "most that a round takes, of the cluster (10%)"},
                     {"max_ignored_over_capacity", "SHARE", "a queue that little above is left alone (10%)"},
                     {"natural_termination_factor", "SHARE", "part of what is due that a round takes (20%)"}},
      .allocator = capacity_from,
      .own_placer = locality_delay_from};
}

}  // namespace wavewright
