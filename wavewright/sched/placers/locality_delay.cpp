#include "wavewright/sched/placers/locality_delay.h"

#include <algorithm>
#include <unordered_map>

namespace wavewright {

namespace {

class MissedOpportunities final : public Placer {
 public:
  explicit MissedOpportunities(const LocalityDelay& delay) : delay_(delay) {}

  [[nodiscard]] std::string name() const override { return "capacity"; }
  [[nodiscard]] Features needs() const override { return Features::of(Feature::placement); }
  [[nodiscard]] EventSet subscribes() const override { return EventSet::of(Event::What::finished); }
  void on(const Event& event, const View&, Decisions&) override { opportunities_.erase(event.job); }

  [[nodiscard]] bool reserves(const Offer&, JobIndex job, Locality closest, const View& view) override {
    return closest <= allowed(job, ++opportunities_[job], view);
  }

  [[nodiscard]] std::optional<TaskChoice> place(const Offer& offer, Candidates& candidates, const View& view,
                                                Decisions&) override {
    while (const std::optional<JobIndex> job = candidates.next()) {
      const Locality at_most =
          offer.kind == Kind::reduce ? Locality::off_rack : allowed(*job, ++opportunities_[*job], view);
      const auto choice = candidates.closest(*job, at_most);
      if (!choice) continue;
      if (offer.kind == Kind::map && choice->locality != Locality::off_rack) opportunities_[*job] = 0;
      return choice;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] Locality allowed(JobIndex job, Count opportunities, const View& view) const {
    const auto nodes = static_cast<Count>(view.nodes());
    const Count places = view.block_places(job);
    if (places == 0) return Locality::off_rack;
    const auto waiting = static_cast<double>(view.pending(job, Kind::map));
    const double part = std::min(static_cast<double>(places) / static_cast<double>(nodes), 1.0);
    const double any_node = delay_.rack_additional
                                ? static_cast<double>(std::min(nodes, delay_.node + *delay_.rack_additional))
                                : std::min(static_cast<double>(nodes), waiting * part);
    if (static_cast<double>(opportunities) > any_node) return Locality::off_rack;
    return opportunities > std::min(nodes, delay_.node) ? Locality::rack : Locality::node;
  }

  LocalityDelay delay_;
  std::unordered_map<JobIndex, Count> opportunities_;
};

}  // namespace

std::unique_ptr<Placer> make_locality_delay(const LocalityDelay& delay) {
  return std::make_unique<MissedOpportunities>(delay);
}

}  // namespace wavewright
