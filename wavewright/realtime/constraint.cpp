#include "wavewright/realtime/constraint.h"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "wavewright/realtime/need_slots.h"
#include "wavewright/realtime/slots_there.h"
#include "wavewright/sched/promises_deadlines.h"

namespace wavewright {

namespace {

class Constraint final : public Allocator, public PromisesDeadlines {
 public:
  explicit Constraint(const ConstraintOptions& options) : options_(options) {
    if (!by_interval()) options_.delays = {};
  }

  [[nodiscard]] std::string name() const override { return "constraint"; }
  [[nodiscard]] bool promises_deadlines() const override { return by_interval(); }
  [[nodiscard]] Features needs() const override {
    const Features always = Feature::rank | Feature::caps;
    return by_interval() ? always | Feature::timers : always;
  }
  [[nodiscard]] EventSet subscribes() const override {
    using enum Event::What;
    return arrived | finished | timer;
  }
  void begin(const View&, Decisions&) override {}
  void on(const Event& event, const View& view, Decisions& decisions) override {
    using enum Event::What;
    if (event.what == arrived) return arrive(event, view, decisions);
    if (event.what == finished) {
      accepted_.erase(event.job);
    } else {
      start_reduces(static_cast<JobIndex>(event.token), view, decisions);
    }
  }

 private:
  struct Promise {
    Count map_slots = 0;  // while maps run
    Count reduces = 0;    // that run from `reduces_start` to `deadline`
    Time reduces_start{}, deadline{};
  };

  [[nodiscard]] bool by_interval() const { return options_.check == ConstraintOptions::Check::interval; }

  void arrive(const Event& event, const View& view, Decisions& decisions) {
    const JobFacts facts = view.facts(event.job);
    const bool told_again = event.at < view.now();  // accepted before a restart
    Promise promise;
    const std::optional<Reason> refused = promised(event.job, facts, event.at, view, promise);
    if (refused && !told_again) return decisions.reject(event.job, *refused);
    accepted_.insert_or_assign(event.job, promise);
    for (const Kind kind : {Kind::map, Kind::reduce})
      decisions.rank(event.job, kind, to_ms(facts.deadline.value_or(Time::max())));
    if (promise.map_slots > 0) decisions.cap(event.job, Kind::map, any_class, promise.map_slots);
    if (by_interval() && facts.reduces > 0) {
      const bool waits = promise.reduces_start > view.now();
      decisions.cap(event.job, Kind::reduce, any_class, waits ? 0 : facts.reduces);
      if (waits) decisions.set_timer(promise.reduces_start, event.job);
    }
    decisions.admit(event.job, root_group);
  }

  void start_reduces(JobIndex job, const View& view, Decisions& decisions) const {
    if (accepted_.contains(job)) decisions.cap(job, Kind::reduce, any_class, view.facts(job).reduces);
  }

  // What the job would be promised, and why it is not. O(accepted jobs).
  [[nodiscard]] std::optional<Reason> promised(JobIndex job, const JobFacts& facts, Time from,
                                               const View& view, Promise& promise) const {
    if (!facts.deadline)
      return Reason{"NoDeadline", "It has no deadline, and slots are held for deadlines only."};
    if (!facts.predecessors.empty())
      return Reason{"StartNotKnown", "It waits for other jobs, so that its end cannot be promised."};
    const AssignmentDelays& delays = options_.delays;
    if (facts.maps + facts.reduces == 0 && from + delays.setup + delays.commit <= *facts.deadline)
      return std::nullopt;
    RealtimeJob lengths{.job = job, .map = options_.bound.length(view, job, Kind::map)};
    options_.reads.set(lengths, view);
    const Duration map = lengths.map + delays.launch + delays.map;
    const Duration reduce = facts.reduces == 0 ? Duration{}
                                               : options_.bound.length(view, job, Kind::reduce) +
                                                     delays.launch + delays.reduce + delays.ready;
    promise.deadline = *facts.deadline - delays.commit;
    promise.reduces_start = promise.deadline - reduce;
    promise.reduces = facts.reduces;
    const Duration left = promise.reduces_start - from - delays.setup - delays.first;
    promise.map_slots = map_slots(facts.maps, map, left);
    if (left < Duration{} || (facts.maps > 0 && promise.map_slots == unlimited))
      return Reason{"DeadlineTooTight", too_tight(facts, promise, from)};
    const SlotPool there = slots_there(view);
    Count free_maps = there.map_slots;
    for (const auto& [other, its] : accepted_) {
      if (has_maps_left(other, view)) free_maps -= its.map_slots;
    }
    // A job without maps or reduces needs none, also where more are promised than there are.
    if (promise.map_slots > std::max<Count>(0, free_maps))
      return Reason{"NoMapSlots",
                    fmt::format("It needs {} map slots for its deadline, and {} are not promised.",
                                promise.map_slots, std::max<Count>(0, free_maps))};
    const Count free_reduces = there.reduce_slots - most_reduces(promise.reduces_start, promise.deadline);
    if (promise.reduces > std::max<Count>(0, free_reduces))
      return Reason{
          "NoReduceSlots",
          fmt::format("Its {} reduces are to run at once from {} on, and {} slots are not promised.",
                      promise.reduces, format_duration(promise.reduces_start - Time{}),
                      std::max<Count>(0, free_reduces))};
    return std::nullopt;
  }

  static std::string too_tight(const JobFacts& facts, const Promise& promise, Time from) {
    if (facts.reduces == 0)
      return facts.maps == 0 ? "Its deadline is too early." : "Its deadline is too early for its maps.";
    if (facts.maps == 0 || promise.reduces_start < from) return "Its deadline is too early for its reduces.";
    return fmt::format("Its reduces must start at {}, which is too early for its maps.",
                       format_duration(promise.reduces_start - Time{}));
  }

  // Slow-start, at which reduces become ready, is no end of maps.
  [[nodiscard]] static bool has_maps_left(JobIndex job, const View& view) {
    return view.pending(job, Kind::map) + view.held(job, Kind::map, any_class) > 0;
  }

  // `unlimited`: none is enough.
  [[nodiscard]] Count map_slots(Count maps, Duration map, Duration left) const {
    if (maps == 0) return 0;
    if (map == Duration{}) return 1;
    if (left < (by_interval() ? map : ms(1))) return unlimited;
    if (by_interval()) {
      const Count waves = left / map;
      return (maps + waves - 1) / waves;
    }
    return (maps * to_ms(map) + to_ms(left) - 1) / to_ms(left);
  }

  // Reduce slots that are promised: at `from`, or the most at once from then until `to`.
  [[nodiscard]] Count most_reduces(Time from, Time to) const {
    const auto at = [&](Time instant) {
      Count sum = 0;
      for (const auto& [job, its] : accepted_) {
        if (its.reduces_start <= instant && instant < its.deadline) sum += its.reduces;
      }
      return sum;
    };
    Count most = at(from);
    if (!by_interval()) return most;
    for (const auto& [job, its] : accepted_) {
      if (its.reduces_start > from && its.reduces_start < to) most = std::max(most, at(its.reduces_start));
    }
    return most;
  }

  ConstraintOptions options_;
  std::map<JobIndex, Promise> accepted_;  // not over
};

}  // namespace

std::unique_ptr<Allocator> make_constraint(const ConstraintOptions& options) {
  return std::make_unique<Constraint>(options);
}

PolicyEntry constraint_entry() {
  return {.name = "constraint",
          .description = "jobs are accepted if the slots for their deadlines are free when they arrive",
          .parameters = {{"check", "instant|interval", "interval: accepted jobs are in time (instant)"},
                         task_bound_parameter()},
          .allocator = [](Parameters& parameters, const PolicyContext& context) {
            need_slots("constraint", context);
            ConstraintOptions options;
            options.bound = read_task_bound(parameters);
            options.check = parameters.word("check", {"instant", "interval"}, "instant") == "instant"
                                ? ConstraintOptions::Check::instant
                                : ConstraintOptions::Check::interval;
            options.delays = context.delays;
            options.delays.setup = {};  // over when a job arrives
            const bool promises = options.check == ConstraintOptions::Check::interval;
            if (promises) {
              need_no_placer("constraint", context, "write it without a placer, or with check=instant");
              need_all_starts("constraint", "check=interval", context, "write check=instant");
            }
            options.reads = {promises ? BlockReads::Of::far : BlockReads::Of::near, context.off_rack};
            return make_constraint(options);
          }};
}

}  // namespace wavewright
