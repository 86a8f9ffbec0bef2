#include "wavewright/sched/policies/fair.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "wavewright/core/error.h"
#include "wavewright/sched/policies/fair_headroom.h"
#include "wavewright/sched/policies/fair_masters.h"
#include "wavewright/sched/policies/queue_groups.h"

namespace wavewright {

namespace {

class Fair final : public Allocator {
 public:
  explicit Fair(const FairOptions& options) : options_(options), queues_(options.queues) {
    if (options.preemption) preemption_.emplace(*options.preemption);
    if (options.masters) masters_.emplace(*options.masters);
  }

  [[nodiscard]] std::string name() const override { return "fair"; }
  [[nodiscard]] Features needs() const override {
    Features plain = Features::of(Feature::groups) | Features::of(Feature::shares);
    if (masters_) plain = plain | Features::of(Feature::caps);
    return preemption_ ? plain | Features::of(Feature::preemption) | Features::of(Feature::timers) : plain;
  }
  [[nodiscard]] EventSet subscribes() const override {
    EventSet plain = Event::What::arrived | Event::What::finished;
    if (masters_) {
      plain = plain | Event::What::started | Event::What::ended | Event::What::lost | Event::What::node_up |
              Event::What::node_down | Event::What::node_notice;
    }
    return preemption_ ? plain | Event::What::ready | Event::What::timer : plain;
  }

  [[nodiscard]] NodeReservations node_reservations() const override {
    constexpr Count least_multiple = 2;  // [yarn.scheduler.reservation-threshold.increment-multiple]
    return {.by_capacity = false, .nodes = options_.reservable_nodes, .least_multiple = least_multiple};
  }

  void begin(const View&, Decisions& decisions) override {
    decisions.order(root_group, Ordering::fair);
    for (const QueueGroups::Made& made : queues_.describe_all()) make(made, decisions);
  }
  void on(const Event& event, const View& view, Decisions& decisions) override {
    if (event.what == Event::What::started || event.what == Event::What::ended ||
        event.what == Event::What::lost) {
      if (event.kind == Kind::master) master(event);
    } else if (event.what == Event::What::finished) {
      if (view.containers()) headroom_.finished(event.job, view, decisions);
    } else if (event.what == Event::What::ready) {
      if (event.kind == Kind::reduce) {
        preemption_->ready(event.job, view);
        check_soon(view, decisions);
      }
    } else if (event.what == Event::What::timer) {
      next_check_ = preemption_->check(view, decisions);
      if (next_check_) decisions.set_timer(*next_check_, 0);
    } else if (event.what == Event::What::arrived) {
      arrive(event, view, decisions);
    }
    if (masters_) masters_->review(headroom_, view, decisions);
  }

 private:
  void master(const Event& event) {
    if (event.what == Event::What::started) masters_->started(event.job);
    if (event.what == Event::What::ended) masters_->ended(event.job);
    if (event.what == Event::What::lost) masters_->lost(event.job);
  }
  void arrive(const Event& event, const View& view, Decisions& decisions) {
    const QueueGroups::Found found = queues_.find(
        std::string(options_.by_user ? view.facts(event.job).user : view.facts(event.job).queue));
    for (const QueueGroups::Made& made : found.made) make(made, decisions);
    if (view.containers()) headroom_.arrived(event.job, found.group, view, decisions);
    decisions.admit(event.job, found.group);
    if (masters_) masters_->arrived(event.job, found.group, view);
    if (!preemption_) return;
    preemption_->joined(top_of_.at(found.group), event.job, view);
    check_soon(view, decisions);
  }
  // Checks before any clock that begins now is over.
  void check_soon(const View& view, Decisions& decisions) {
    Duration wait = options_.preemption->check;
    for (const auto& timeout : {options_.preemption->minimum_timeout, options_.preemption->share_timeout})
      wait = std::min(wait, timeout.value_or(wait));
    if (next_check_ && *next_check_ <= view.now() + wait) return;
    next_check_ = view.now() + wait;
    decisions.set_timer(*next_check_, 0);
  }

  void make(const QueueGroups::Made& made, Decisions& decisions) {
    top_of_[made.group] = made.parent == root_group ? made.group : top_of_.at(made.parent);
    decisions.group(made.group, made.parent, {}, {});
    decisions.order(made.group, options_.fifo_within ? Ordering::ranked : Ordering::fair);
    if (made.parent != root_group) decisions.order(made.parent, Ordering::fair);
    headroom_.queue(made.group, made.parent, made.queue == nullptr ? Share{} : share_of(*made.queue).first);
    if (made.queue == nullptr) return;
    const auto [maps, reduces] = share_of(*made.queue);
    decisions.share_group(made.group, Kind::map, maps);
    decisions.share_group(made.group, Kind::reduce, reduces);
    if (!preemption_ || made.parent != root_group) return;
    preemption_->queue(made.group, Kind::map, maps);
    preemption_->queue(made.group, Kind::reduce, reduces);
  }

  // For maps and for reduces.
  [[nodiscard]] static std::pair<Share, Share> share_of(const Queue& queue) {
    constexpr double thousandths = 1000;
    const auto weight =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(std::llround(queue.weight * thousandths)));
    return {{queue.minimum.map_slots, weight}, {queue.minimum.reduce_slots, weight}};
  }

  FairOptions options_;
  QueueGroups queues_;
  FairHeadroom headroom_;  // with containers
  std::optional<FairMasters> masters_;
  std::optional<FairPreemption> preemption_;
  std::map<GroupId, GroupId> top_of_;  // by queue: its ancestor below the root, or itself
  std::optional<Time> next_check_;     // for preemption; the timer is set
};

// The part of a queue's fair share for masters, 0 to 1; none = unlimited.
std::optional<double> masters_part(Parameters& parameters) {
  constexpr double usual = 50, whole = 100;  // per cent
  if (parameters.text("masters", "") == "any") return std::nullopt;
  return parameters.number("masters", usual,
                           {.least = 0, .most = whole, .above = true, .noun = "percentage", .also = "any"}) /
         whole;
}

std::unique_ptr<Allocator> fair_from(Parameters& parameters, const PolicyContext& context) {
  FairOptions options;
  options.queues = context.queues;
  options.fifo_within = parameters.word("within", {"fair", "fifo"}, "fair") == "fifo";
  options.by_user = parameters.word("pools", {"queues", "users"}, "queues") == "users";
  if (parameters.given("preempt") || parameters.given("preempt_share")) {
    PreemptionOptions& preemption = options.preemption.emplace();
    if (parameters.given("preempt")) preemption.minimum_timeout = parameters.duration("preempt");
    if (parameters.given("preempt_share")) preemption.share_timeout = parameters.duration("preempt_share");
    preemption.grace =
        context.containers ? ms(15'000) : Duration{};  // [yarn.scheduler.fair.waitTimeBeforeKill]
    preemption.grace = parameters.duration("kill_after", preemption.grace);
  }
  const std::optional<double> masters = masters_part(parameters);
  options.reservable_nodes = parameters.share("reservable_nodes", options.reservable_nodes);
  if (context.containers) options.masters = masters;
  return make_fair(options);
}

}  // namespace

std::unique_ptr<Allocator> make_fair(const FairOptions& options) {
  return std::make_unique<Fair>(options);
}

PolicyEntry fair_entry() {
  return {
      .name = "fair",
      .description = "slots shared by weight and minimum",
      .parameters = {{"within", "fair|fifo", "order of the jobs of a queue (fair)"},
                     {"pools", "queues|users", "who shares (queues)"},
                     {"preempt", "TIME", "slots are preempted for a queue that lacks its minimum so long"},
                     {"preempt_share", "TIME", "likewise for one that lacks half of its share"},
                     {"kill_after", "TIME", "from that decision to the kill (0s; containers: 15s)"},
                     {"masters", "PERCENT|any", "of a queue's share that masters may have (50)"},
                     {"reservable_nodes", "SHARE", "nodes that a job may reserve for containers (5%)"}},
      .allocator = fair_from};
}

}  // namespace wavewright
