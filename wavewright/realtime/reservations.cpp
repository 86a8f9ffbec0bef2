#include "wavewright/realtime/reservations.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "wavewright/realtime/need_slots.h"
#include "wavewright/realtime/slots_there.h"
#include "wavewright/sched/promises_deadlines.h"

namespace wavewright {

namespace {

class Reservations final : public Allocator, public PromisesDeadlines {
 public:
  explicit Reservations(const ReservationOptions& options)
      : options_(options), plan_(options.step, options.forgets) {}

  [[nodiscard]] std::string name() const override { return "reservations"; }
  [[nodiscard]] bool promises_deadlines() const override { return true; }
  [[nodiscard]] Features needs() const override { return Feature::rank | Feature::caps | Feature::timers; }
  [[nodiscard]] EventSet subscribes() const override {
    using enum Event::What;
    return arrived | ended | lost | finished | timer;
  }
  void begin(const View&, Decisions&) override {}
  void on(const Event& event, const View& view, Decisions& decisions) override {
    using enum Event::What;
    if (event.what == arrived) return arrive(event, view, decisions);
    const JobIndex job = event.what == timer ? static_cast<JobIndex>(event.token) : event.job;
    const auto accepted = accepted_.find(job);
    if (accepted == accepted_.end()) return;
    if (event.what == finished) {
      plan_.remove(accepted->second, view.now());
      accepted_.erase(accepted);
      return;
    }
    set_caps(job, accepted->second, view, decisions);
    if (event.what == timer) set_timer(job, accepted->second, view, decisions);
  }

 private:
  using Reservation = ReservationPlan::Reservation;

  void arrive(const Event& event, const View& view, Decisions& decisions) {
    const JobIndex job = event.job;
    const JobFacts facts = view.facts(job);
    const bool told_again = event.at < view.now();  // accepted before a restart
    if (!told_again && !facts.deadline)
      return decisions.reject(
          job, {"NoDeadline", "It has no deadline, and slots are reserved for deadlines only."});
    if (!told_again && !facts.predecessors.empty())
      return decisions.reject(
          job, {"StartNotKnown", "It waits for other jobs, so that its end cannot be promised."});
    std::optional<Reservation> found = room(job, facts, view);
    if (!found && !told_again) return decisions.reject(job, no_room(job, facts, view));
    for (const Kind kind : {Kind::map, Kind::reduce})
      decisions.rank(job, kind, to_ms(facts.deadline.value_or(Time::max())));
    if (found) {
      plan_.add(*found);
      const Reservation& reservation = accepted_.insert_or_assign(job, std::move(*found)).first->second;
      set_caps(job, reservation, view, decisions);
      set_timer(job, reservation, view, decisions);
    }
    decisions.admit(job, root_group);
  }

  [[nodiscard]] std::optional<Reservation> room(JobIndex job, const JobFacts& facts, const View& view) {
    if (!facts.deadline) return std::nullopt;
    plan_.forget_before(view.now());
    const AssignmentDelays& delays = options_.delays;
    const auto stage = [&](Kind kind, Duration waits) -> ReservationPlan::Stage {
      const Count tasks = view.pending(job, kind) + view.held(job, kind, any_class);
      if (tasks == 0) return {};
      const Duration length = options_.bound.length(view, job, kind);
      RealtimeJob maps{.job = job, .map = length};
      options_.reads.set(maps, view);
      return {tasks, (kind == Kind::map ? maps.map : length) + delays.launch + waits};
    };
    const SlotPool there = slots_there(view);
    return plan_.find(options_.agent, there, stage(Kind::map, delays.first + delays.map),
                      stage(Kind::reduce, delays.ready + delays.reduce), view.now() + delays.setup,
                      *facts.deadline - delays.commit);
  }

  [[nodiscard]] Reason no_room(JobIndex job, const JobFacts& facts, const View& view) const {
    const SlotPool there = slots_there(view);
    const bool maps = view.pending(job, Kind::map) > 0 && there.map_slots == 0;
    if (maps || (view.pending(job, Kind::reduce) > 0 && there.reduce_slots == 0))
      return {"NoSlots", fmt::format("The cluster has no slot for its {}.", maps ? "maps" : "reduces")};
    const Duration left = std::max(Duration{}, *facts.deadline - view.now());
    if (left < options_.step)
      return {"NoRoom", fmt::format("Its deadline is in {}, and the plan has steps of {}.",
                                    format_duration(left), format_duration(options_.step))};
    return {"NoRoom", fmt::format("The plan has no room for its tasks until {}.",
                                  format_duration(*facts.deadline - Time{}))};
  }

  // As many as have begun, less those that have ended. After a restart those that ended before count, too.
  static void set_caps(JobIndex job, const Reservation& reservation, const View& view, Decisions& decisions) {
    for (const Kind kind : {Kind::map, Kind::reduce}) {
      Count begun = 0, all = 0;
      for (const ReservationPlan::Block& block : kind == Kind::map ? reservation.maps : reservation.reduces) {
        all += block.slots;
        if (block.from <= view.now()) begun += block.slots;
      }
      const Count left = view.pending(job, kind) + view.held(job, kind, any_class);
      if (all > 0) decisions.cap(job, kind, any_class, std::max<Count>(0, begun - (all - left)));
    }
  }

  static void set_timer(JobIndex job, const Reservation& reservation, const View& view,
                        Decisions& decisions) {
    Time next = Time::max();
    for (const auto* blocks : {&reservation.maps, &reservation.reduces}) {
      for (const ReservationPlan::Block& block : *blocks) {
        if (block.from > view.now()) next = std::min(next, block.from);
      }
    }
    if (next != Time::max()) decisions.set_timer(next, job);
  }

  ReservationOptions options_;
  ReservationPlan plan_;
  std::map<JobIndex, Reservation> accepted_;  // not over
};

}  // namespace

std::unique_ptr<Allocator> make_reservations(const ReservationOptions& options) {
  return std::make_unique<Reservations>(options);
}

PolicyEntry reservations_entry() {
  return {
      .name = "reservations",
      .description = "YARN's ReservationSystem: jobs are accepted if its plan has room, and run by the plan",
      .parameters = {{"agent", "greedy|aligned", "how room is found (greedy)"},
                     {"forgets", "yes|no", "no: greedy knows what it has placed for the stage (yes)"},
                     {"step", "TIME", "times of the plan are multiples of it (1s)"},
                     task_bound_parameter()},
      .allocator = [](Parameters& parameters, const PolicyContext& context) {
        need_slots("reservations", context);
        need_no_placer("reservations", context);
        ReservationOptions options;
        options.agent = parameters.word("agent", {"greedy", "aligned"}, "greedy") == "greedy"
                            ? ReservationAgent::greedy
                            : ReservationAgent::aligned;
        options.forgets = parameters.word("forgets", {"yes", "no"}, "yes") == "yes";
        options.step = parameters.duration("step", options.step, {.least = Duration{}, .above = true});
        options.bound = read_task_bound(parameters);
        options.delays = context.delays;
        options.reads = {BlockReads::Of::far, context.off_rack};
        return make_reservations(options);
      }};
}

}  // namespace wavewright
