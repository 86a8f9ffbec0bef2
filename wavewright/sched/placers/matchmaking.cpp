#include "wavewright/sched/placers/matchmaking.h"

#include <vector>

#include "wavewright/sched/heartbeats.h"
#include "wavewright/sched/placers/forgets_passes.h"

namespace wavewright {

namespace {

class Matchmaking final : public Placer, public ForgetsPasses {
 public:
  explicit Matchmaking(const MatchmakingOptions& options) : options_(options) {}

  [[nodiscard]] std::string name() const override { return "matchmaking"; }
  [[nodiscard]] Features needs() const override { return Features::of(Feature::placement); }
  [[nodiscard]] EventSet subscribes() const override { return EventSet::of(Event::What::arrived); }
  [[nodiscard]] bool searches_nodes() const override { return true; }
  void on(const Event&, const View&, Decisions&) override { ++arrivals_; }  // clears all markers

  [[nodiscard]] std::optional<TaskChoice> place(const Offer& offer, Candidates& candidates, const View&,
                                                Decisions&) override {
    if (offer.kind == Kind::reduce) return first_of(candidates, Locality::off_rack);
    if (heartbeats_.over(offer)) return std::nullopt;
    std::uint64_t& zero_since = zero_since_.at(offer.node);
    const bool is_zero = zero_since == arrivals_;
    if (const auto local = candidates.first_local()) {
      zero_since = never;
      return local;
    }
    zero_since = arrivals_;
    heartbeats_.end(offer);
    if (!is_zero || options_.printed) return std::nullopt;
    return first_of(candidates, Locality::off_rack);
  }

 private:
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  MatchmakingOptions options_;
  std::uint64_t arrivals_ = 0;
  PerNode<std::uint64_t> zero_since_{never};  // the number of arrivals when the marker became 0
  HeartbeatEnds heartbeats_;
};

}  // namespace

std::unique_ptr<Placer> make_matchmaking(const MatchmakingOptions& options) {
  return std::make_unique<Matchmaking>(options);
}

PolicyEntry matchmaking_entry() {
  return {.name = "matchmaking",
          .description = "a node takes a map from elsewhere once two heartbeats found none near",
          .parameters = {{"reading", "corrected|printed", "of the paper's algorithm; as printed: never"}},
          .placer = [](Parameters& parameters, const PolicyContext& context) {
            need_heartbeats("matchmaking", context);
            need_slots_for("matchmaking", context);
            return make_matchmaking(
                {.printed = parameters.word("reading", {"corrected", "printed"}, "corrected") == "printed"});
          }};
}

}  // namespace wavewright
