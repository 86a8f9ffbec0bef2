// A policy that uses all of the contract and remembers all that it was told: for tests that hold engines
// against each other.
#pragma once

#include <string>
#include <vector>

#include "wavewright/sched/policy.h"

namespace wavewright {

// Every event's fields and what the View then says go into a digest, which it tells as a remark whenever a
// job ends. Equal remarks mean that two engines told the same events in the same order and showed the same
// state.
class Lively final : public Allocator {
 public:
  enum class On : std::uint8_t { pool, nodes, containers };
  explicit Lively(On on) : on_(on) {}

  [[nodiscard]] std::string name() const override { return "lively"; }
  [[nodiscard]] Features needs() const override {
    Features features = (Feature::groups | Feature::shares) | Feature::caps | Feature::occupancy;
    if (on_ != On::containers) features = features | Feature::rank_per_kind;
    if (on_ == On::pool) return features;
    return features | Feature::rank | Feature::reservations | Feature::preemption | Feature::timers |
           Feature::node_classes | Feature::leases;
  }
  [[nodiscard]] EventSet subscribes() const override {
    EventSet all;
    for (auto what = 0U; what <= static_cast<unsigned>(Event::What::timer); ++what)
      all = all | EventSet::of(static_cast<Event::What>(what));
    return all;
  }
  void begin(const View&, Decisions& decisions) override {
    decisions.group(1, root_group, {}, {});
    decisions.order(root_group, Ordering::fair);
    decisions.share_group(1, Kind::map, {1, 1700});
  }
  void on(const Event& event, const View& view, Decisions& decisions) override {
    remember(event);
    look(event, view);
    decide(event, view, decisions);
  }

 private:
  void remember(const Event& event) {
    for (const auto value :
         {static_cast<std::uint64_t>(event.what), static_cast<std::uint64_t>(event.kind),
          static_cast<std::uint64_t>(event.outcome), static_cast<std::uint64_t>(to_ms(event.at)),
          std::uint64_t{event.job}, std::uint64_t{event.task}, std::uint64_t{event.attempt},
          std::uint64_t{event.node}, std::uint64_t{event.slot},
          static_cast<std::uint64_t>(to_ms(event.duration)), event.token, std::uint64_t{event.lease}})
      mix(value);
  }
  void look(const Event& event, const View& view) {
    mix(static_cast<std::uint64_t>(to_ms(view.now())));
    mix(static_cast<std::uint64_t>(view.capacity(any_class).map_slots));
    for (const Kind kind : {Kind::map, Kind::reduce}) {
      for (SlotIndex slot = 0; slot < std::min<SlotIndex>(view.slots(kind), 20); ++slot) {
        const auto occupant = view.occupant(kind, slot);
        mix(occupant ? std::uint64_t{occupant->job} * 1000 + occupant->task : 999'999);
        if (occupant) mix(static_cast<std::uint64_t>(to_ms(occupant->until) + to_ms(occupant->since)));
      }
    }
    if (event.what == Event::What::timer || event.what == Event::What::node_up ||
        event.what == Event::What::node_down || event.what == Event::What::node_notice)
      return;
    look_at_nodes(event, view);
    const JobFacts facts = view.facts(event.job);
    mix(static_cast<std::uint64_t>(facts.maps * 100 + facts.reduces) + facts.predecessors.size() * 10'000);
    mix(view.has_pending_request(event.job) ? 1 : 0);
    for (const Kind kind : {Kind::map, Kind::reduce}) {
      mix(static_cast<std::uint64_t>(view.pending(event.job, kind)));
      mix(static_cast<std::uint64_t>(to_ms(view.quantile(event.job, kind, 0, 0.7))));
      mix(static_cast<std::uint64_t>(to_ms(view.estimate(event.job, kind, any_class).max)));
      mix(static_cast<std::uint64_t>(view.held(event.job, kind, any_class)));
      for (ClassId each = 0; each < view.classes() && on_ != On::pool; ++each)
        mix(static_cast<std::uint64_t>(view.held(event.job, kind, each)));
    }
  }
  void look_at_nodes(const Event& event, const View& view) {
    for (NodeIndex node = 0; node < view.nodes() && on_ != On::pool; ++node)
      mix(static_cast<std::uint64_t>(view.slots_on(node, event.kind)));
    for (ClassId each = 0; each < view.classes() && on_ != On::pool; ++each) {
      mix(static_cast<std::uint64_t>(1000 * view.efficiency(event.job, each)));
      mix(view.class_label(each).size() * 2 + (view.has_own_entry(event.job, each) ? 1 : 0));
    }
    if (on_ == On::containers || view.pending(event.job, Kind::map) == 0) return;
    for (TaskIndex map = 0; map < static_cast<TaskIndex>(view.facts(event.job).maps); ++map) {
      const std::span<const NodeIndex> blocks = view.block_nodes(event.job, map);
      for (const NodeIndex node : blocks) mix(node);
      if (!blocks.empty()) mix(view.map_is_pending(event.job, map) ? 1 : 0);
    }
  }
  void decide(const Event& event, const View& view, Decisions& decisions) {
    const JobIndex job = event.job;
    const auto other_class = static_cast<ClassId>(view.classes() - 1);
    switch (event.what) {
      case Event::What::arrived:
        decisions.admit(job, job % 2);
        if (on_ == On::pool) break;
        decisions.cap(job, Kind::map, other_class, 1 + job % 2);
        if (job % 3 == 0) {
          decisions.reserve(job, Kind::reduce, any_class, 1, event.at + ms(2), event.at + ms(40));
          decisions.reserve(job, Kind::map, other_class, 1 + job % 2, event.at, event.at + ms(25));
        }
        decisions.set_timer(event.at + ms(3), job % 2);  // moves the one of the job before
        rent(view, decisions);
        break;
      case Event::What::timer:
        if (event.token == 0 && ++timers_ < 9) decisions.set_timer(event.at + ms(7), 0);
        break;
      case Event::What::started:
        if (on_ != On::containers) decisions.rank(job, event.kind, static_cast<Key>(digest_ % 5));
        if (on_ != On::pool && event.kind != Kind::master && digest_ % 7 == 0 && ++preempted_ < 6) {
          decisions.preempt(job, event.kind, digest_ % 2 == 0 ? other_class : any_class, 1,
                            ms(static_cast<std::int64_t>(digest_ % 3)));
        }
        break;
      case Event::What::ended:
        decisions.share(job, Kind::map, {static_cast<Count>(digest_ % 3), 900});
        decisions.cap(job, Kind::reduce, any_class, 1 + static_cast<Count>(digest_ % 4));
        break;
      case Event::What::node_up:
        if (event.lease != Event::no_lease && digest_ % 3 != 0) rented_.push_back(event.lease);
        break;
      case Event::What::node_notice:
        if (digest_ % 2 == 0) rent(view, decisions);
        break;
      case Event::What::node_down:
        std::erase(rented_, event.lease);
        break;
      case Event::What::finished:
        if (!rented_.empty() && digest_ % 2 == 0) {
          decisions.give_back(rented_.back());
          rented_.pop_back();
        }
        decisions.explain(job, {"Digest", std::to_string(digest_)});
        break;
      default:
        break;
    }
  }
  void rent(const View& view, Decisions& decisions) {
    for (ClassId each = 0; each < view.classes(); ++each) {
      const LeaseOffer offer = view.lease_offer(each);
      mix(static_cast<std::uint64_t>(offer.machines));
      if (offer.machines == 0) continue;
      const bool bids = offer.spot.has_value() && digest_ % 2 == 0;
      (void)decisions.rent({.node_class = each,
                            .machines = 1 + static_cast<Count>(digest_ % 2) * (offer.machines - 1),
                            .bid = bids ? std::optional(from_usd(0.3)) : std::nullopt});
    }
  }
  void mix(std::uint64_t value) { digest_ = (digest_ ^ value) * 0x100000001b3 ^ (digest_ >> 29); }

  On on_;
  std::uint64_t digest_ = 0xcbf29ce484222325;
  int timers_ = 0, preempted_ = 0;
  std::vector<LeaseId> rented_;
};

}  // namespace wavewright
