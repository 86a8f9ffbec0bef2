#include "wavewright/sched/placers/one_non_local.h"

#include "wavewright/sched/heartbeats.h"

namespace wavewright {

namespace {

class OneNonLocal final : public Placer {
 public:
  explicit OneNonLocal(const OneNonLocalOptions& options) : options_(options) {}

  [[nodiscard]] std::string name() const override { return "one-non-local"; }
  [[nodiscard]] Features needs() const override { return Features::of(Feature::placement); }
  [[nodiscard]] EventSet subscribes() const override { return {}; }
  void on(const Event&, const View&, Decisions&) override {}

  [[nodiscard]] std::optional<TaskChoice> place(const Offer& offer, Candidates& candidates, const View&,
                                                Decisions&) override {
    if (offer.kind == Kind::map && heartbeats_.over(offer)) return std::nullopt;
    const std::optional<TaskChoice> choice = first_of(candidates, Locality::off_rack);
    if (offer.kind == Kind::map && choice && choice->locality > options_.local) heartbeats_.end(offer);
    return choice;
  }

 private:
  OneNonLocalOptions options_;
  HeartbeatEnds heartbeats_;
};

}  // namespace

std::unique_ptr<Placer> make_one_non_local(const OneNonLocalOptions& options) {
  return std::make_unique<OneNonLocal>(options);
}

PolicyEntry one_non_local_entry() {
  return {.name = "one-non-local",
          .description = "a node takes at most one map from elsewhere at a heartbeat (Hadoop 1)",
          .parameters = {{"local", "node|rack", "what counts as near (node)"}},
          .placer = [](Parameters& parameters, const PolicyContext& context) {
            need_heartbeats("one-non-local", context);
            const std::string local = parameters.word("local", {"node", "rack"}, "node");
            return make_one_non_local({.local = local == "rack" ? Locality::rack : Locality::node});
          }};
}

}  // namespace wavewright
