#include "wavewright/sched/placers/matchmaking.h"

#include <unordered_set>
#include <utility>

#include "wavewright/sched/heartbeats.h"
#include "wavewright/sched/placers/forgets_passes.h"

namespace wavewright {

namespace {

class LocalityMarkers {
 public:
  void clear() { ++arrivals_; }  // all; a cleared one is not 0
  void found_near(NodeIndex node) { zero_since_.at(node) = never; }
  [[nodiscard]] bool over(const Offer& offer) { return heartbeats_.over(offer); }
  // Ends the heartbeat; the marker becomes 0. True if it was.
  bool searched_in_vain(const Offer& offer) {
    heartbeats_.end(offer);
    return std::exchange(zero_since_.at(offer.node), arrivals_) == arrivals_;
  }

 private:
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  std::uint64_t arrivals_ = 0;
  PerNode<std::uint64_t> zero_since_{never};  // the number of arrivals when the marker became 0
  HeartbeatEnds heartbeats_;
};

class Matchmaking final : public Placer, public ForgetsPasses {
 public:
  explicit Matchmaking(const MatchmakingOptions& options) : options_(options) {}

  [[nodiscard]] std::string name() const override { return "matchmaking"; }
  [[nodiscard]] Features needs() const override { return Features::of(Feature::placement); }
  [[nodiscard]] EventSet subscribes() const override { return EventSet::of(Event::What::arrived); }
  [[nodiscard]] bool searches_nodes() const override { return true; }
  void on(const Event&, const View&, Decisions&) override { markers_.clear(); }

  [[nodiscard]] std::optional<TaskChoice> place(const Offer& offer, Candidates& candidates, const View&,
                                                Decisions&) override {
    if (offer.kind == Kind::reduce) return first_of(candidates, Locality::off_rack);
    if (markers_.over(offer)) return std::nullopt;
    if (const auto local = candidates.first_local()) {
      markers_.found_near(offer.node);
      return local;
    }
    if (!markers_.searched_in_vain(offer) || options_.printed) return std::nullopt;
    return first_of(candidates, Locality::off_rack);
  }

 private:
  MatchmakingOptions options_;
  LocalityMarkers markers_;
};

// Jobs are offered one by one.
class MatchmakingByTurns final : public Placer {
 public:
  explicit MatchmakingByTurns(const MatchmakingOptions& options) : options_(options) {}

  [[nodiscard]] std::string name() const override { return "matchmaking"; }
  [[nodiscard]] Features needs() const override { return Features::of(Feature::placement); }
  [[nodiscard]] EventSet subscribes() const override { return {}; }
  void on(const Event&, const View&, Decisions&) override {}
  [[nodiscard]] bool reserves(const Offer&, JobIndex, Locality closest, const View&) override {
    return closest == Locality::node;
  }

  [[nodiscard]] std::optional<TaskChoice> place(const Offer& offer, Candidates& candidates, const View&,
                                                Decisions&) override {
    if (offer.kind == Kind::reduce) return first_of(candidates, Locality::off_rack);
    const std::optional<JobIndex> job = candidates.next();
    if (!job) return std::nullopt;
    if (arrived_.insert(*job).second) markers_.clear();
    if (takes_other_) {
      const auto other = candidates.closest(*job, Locality::off_rack);
      takes_other_ = !other;
      return other;
    }
    if (markers_.over(offer)) return std::nullopt;
    const auto local = candidates.closest(*job, Locality::node);
    if (local) markers_.found_near(offer.node);
    return local;
  }
  [[nodiscard]] bool again(const Offer& offer) override {
    takes_other_ = !markers_.over(offer) && markers_.searched_in_vain(offer) && !options_.printed;
    return takes_other_;
  }

 private:
  MatchmakingOptions options_;
  LocalityMarkers markers_;
  std::unordered_set<JobIndex> arrived_;
  bool takes_other_ = false;  // this is a second round
};

}  // namespace

std::unique_ptr<Placer> make_matchmaking(const MatchmakingOptions& options) {
  if (options.containers) return std::make_unique<MatchmakingByTurns>(options);
  return std::make_unique<Matchmaking>(options);
}

PolicyEntry matchmaking_entry() {
  return {.name = "matchmaking",
          .description = "a node takes a map from elsewhere once two searches found none near",
          .parameters = {{"reading", "corrected|printed", "of the paper's algorithm; as printed: never"}},
          .placer = [](Parameters& parameters, const PolicyContext& context) {
            need_heartbeats("matchmaking", context);
            const std::string reading = parameters.word("reading", {"corrected", "printed"}, "corrected");
            return make_matchmaking({.printed = reading == "printed", .containers = context.containers});
          }};
}

}  // namespace wavewright
