#include "wavewright/sched/placers/delay.h"

#include <unordered_map>

#include "wavewright/sched/heartbeats.h"

namespace wavewright {

namespace {

class Delay final : public Placer {
 public:
  explicit Delay(const DelayOptions& options) : options_(options) {}

  [[nodiscard]] std::string name() const override { return "delay"; }
  [[nodiscard]] Features needs() const override {
    return Features::of(Feature::placement) | Features::of(Feature::timers);
  }
  [[nodiscard]] EventSet subscribes() const override {
    return options_.skip > Duration{} ? EventSet{} : EventSet::of(Event::What::timer);
  }
  [[nodiscard]] bool searches_nodes() const override { return options_.skip == Duration{}; }
  void on(const Event& event, const View&, Decisions& decisions) override {
    if (event.token % 2 == 0) decisions.near_only(static_cast<JobIndex>(event.token / 2), false);
  }

  [[nodiscard]] bool reserves(const Offer& offer, JobIndex job, Locality closest, const View&) override {
    return closest <= allowed(waiting_of(job), offer.at);
  }

  [[nodiscard]] std::optional<TaskChoice> place(const Offer& offer, Candidates& candidates, const View&,
                                                Decisions& decisions) override {
    while (const std::optional<JobIndex> job = candidates.next()) {
      if (offer.kind == Kind::reduce) {  // no choice if all reduces left must run on other nodes
        if (const auto choice = candidates.closest(*job, Locality::off_rack)) return choice;
        continue;
      }
      const Waiting waiting = waiting_of(*job);
      if (auto choice = candidates.closest(*job, allowed(waiting, offer.at))) {
        launched(*job, waiting, choice->locality, decisions);
        return choice;
      }
      if (options_.skip > Duration{}) {
        count_skip(*job, waiting, offer.at);
      } else if (!waiting.since) {
        skip(*job, waiting.level, offer.at, decisions);
      }
    }
    return std::nullopt;
  }

 private:
  // [Zaharia et al. 2010, Alg. 2]: j.level and j.wait.
  struct Waiting {
    Locality level = Locality::node;  // of the job's last launch
    std::optional<Time> since{};      // when it was first passed over after that; by `skip`: last
    Duration counted{};               // by `skip`: for heartbeats before `since`
  };

  [[nodiscard]] Waiting waiting_of(JobIndex job) const {
    const auto found = waiting_.find(job);
    return found == waiting_.end() ? Waiting{} : found->second;
  }
  // The time until the job may start at the locality, from the instant at which it was passed over.
  [[nodiscard]] Duration delay(const Waiting& waiting, Locality locality) const {
    if (locality <= waiting.level) return {};
    const Duration for_rack = waiting.level == Locality::node ? options_.node : Duration{};
    return locality == Locality::rack ? for_rack : for_rack + options_.rack;
  }
  [[nodiscard]] Duration waited(const Waiting& waiting, Time at) const {
    if (!waiting.since) return {};
    if (options_.skip == Duration{}) return at - *waiting.since;
    return waiting.counted + (*waiting.since < at ? options_.skip : Duration{});
  }
  [[nodiscard]] Locality allowed(const Waiting& waiting, Time at) const {
    const Duration waited = this->waited(waiting, at);
    if (waited >= delay(waiting, Locality::off_rack)) return Locality::off_rack;
    return waited >= delay(waiting, Locality::rack) ? Locality::rack : Locality::node;
  }
  void launched(JobIndex job, const Waiting& before, Locality level, Decisions& decisions) {
    if (before.since && options_.skip == Duration{}) decisions.near_only(job, false);
    if (level == Locality::node) {
      waiting_.erase(job);  // as at first
    } else {
      waiting_[job] = {level, std::nullopt, {}};
    }
  }
  // A heartbeat counts once, however many slots of the node are free.
  void count_skip(JobIndex job, const Waiting& before, Time at) {
    waiting_[job] = {before.level, at, waited(before, at)};
  }
  // Sets timers for the instants at which the job may start farther away. Until the first one only nodes
  // with its blocks matter.
  void skip(JobIndex job, Locality level, Time at, Decisions& decisions) {
    const Waiting& waiting = waiting_[job] = {level, at, {}};
    const Duration rack = delay(waiting, Locality::rack), off_rack = delay(waiting, Locality::off_rack);
    if (rack > Duration{}) {
      decisions.set_timer(at + rack, Token{job} * 2);
      decisions.near_only(job, true);
    }
    if (off_rack > rack) decisions.set_timer(at + off_rack, Token{job} * 2 + 1);
  }

  DelayOptions options_;
  std::unordered_map<JobIndex, Waiting> waiting_;  // jobs that wait, or last launched off their node
};

}  // namespace

std::unique_ptr<Placer> make_delay(const DelayOptions& options) {
  return std::make_unique<Delay>(options);
}

PolicyEntry delay_entry() {
  return {.name = "delay",
          .description = "jobs wait so long for a node with their block, then for its rack",
          .parameters = {{"node", "NODE", "wait for a node that holds the block (3s)", true},
                         {"rack", "TIME", "then for its rack (0)"},
                         {"skip", "TIME", "what a heartbeat counts that a job let go; 0 = real time"}},
          .placer = [](Parameters& parameters, const PolicyContext& context) {
            DelayOptions options;
            if (context.allocator == "capacity" && finite_number(parameters.text("node", ""))) {
              parameters.refuse(
                  "node", "time with its unit",
                  "give 40s, or count offers as Capacity does: capacity(node_locality_delay=40)");
            }
            options.node = parameters.duration("node", options.node);
            options.rack = parameters.duration("rack", options.rack);
            options.skip = parameters.duration("skip", options.skip);
            if (options.skip > Duration{}) need_heartbeats("delay(skip=…)", context);
            return make_delay(options);
          }};
}

}  // namespace wavewright
