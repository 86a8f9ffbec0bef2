#include "wavewright/sched/delay.h"

#include <unordered_map>

namespace wavewright {

namespace {

class Delay final : public Placer {
 public:
  explicit Delay(const DelayOptions& options) : options_(options) {}

  [[nodiscard]] std::string name() const override { return "delay"; }
  [[nodiscard]] Features needs() const override {
    return Features::of(Feature::placement) | Features::of(Feature::timers);
  }
  [[nodiscard]] EventSet subscribes() const override { return {}; }
  void on(const Event&, const View&, Decisions&) override {}

  [[nodiscard]] std::optional<TaskChoice> place(const Offer& offer, Candidates& candidates, const View&,
                                                Decisions& decisions) override {
    while (const std::optional<JobIndex> job = candidates.next()) {
      if (offer.kind == Kind::reduce) {  // no choice if all reduces left must run on other nodes
        if (const auto choice = candidates.closest(*job, Locality::off_rack)) return choice;
        continue;
      }
      if (auto choice = candidates.closest(*job, allowed(*job, offer.at))) {
        if (choice->locality == Locality::node) waits_since_.erase(*job);
        return choice;
      }
      const auto [since, first] = waits_since_.emplace(*job, offer.at);
      if (first) {
        decisions.set_timer(offer.at + options_.node, Token{*job} * 2);
        if (options_.rack > Duration{})
          decisions.set_timer(offer.at + options_.node + options_.rack, Token{*job} * 2 + 1);
      }
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] Locality allowed(JobIndex job, Time at) const {
    const auto since = waits_since_.find(job);
    const Duration waited = since == waits_since_.end() ? Duration{} : at - since->second;
    if (since == waits_since_.end() ? options_.node > Duration{} : waited < options_.node)
      return Locality::node;
    return waited < options_.node + options_.rack ? Locality::rack : Locality::off_rack;
  }

  DelayOptions options_;
  std::unordered_map<JobIndex, Time> waits_since_;  // when the job first passed on a node without its blocks
};

}  // namespace

std::unique_ptr<Placer> make_delay(const DelayOptions& options) {
  return std::make_unique<Delay>(options);
}

PolicyEntry delay_entry() {
  return {.name = "delay",
          .description = "jobs wait so long for a node with their block, then for its rack",
          .parameters = {{"node", "NODE", "wait for a node that holds the block (3s)", true},
                         {"rack", "TIME", "then for its rack (0)"}},
          .placer = [](Parameters& parameters, const PolicyContext&) {
            DelayOptions options;
            options.node = parameters.duration("node", options.node);
            options.rack = parameters.duration("rack", options.rack);
            return make_delay(options);
          }};
}

}  // namespace wavewright
