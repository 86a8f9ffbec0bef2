// The vectors promised dominate the actual ones after each dispatch [UNL def. 1, proofs 1-4]: sorted by time,
// no slot becomes available later than its entry says.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/realtime/worlds.h"
#include "wavewright/realtime/admission.h"
#include "wavewright/realtime/slots_there.h"
#include "wavewright/realtime/task_bound.h"

namespace wavewright {
namespace {

using namespace realtime_worlds;  // NOLINT(google-build-using-namespace)

struct SlotUse {
  Kind kind = Kind::map;
  SlotIndex slot = 0;
  JobIndex job = 0;
  std::optional<Time> until{};  // when its end was told; none if the run was over before
};
struct Dispatch {
  Kind kind = Kind::map;
  std::size_t uses = 0;  // that have begun, with its own
  SlotTimes promised;
};
struct Dispatches {
  std::vector<SlotUse> uses;  // by their begin
  std::vector<Dispatch> all;
  std::vector<bool> accepted;  // by job
};

// RTMR, and beside it an admission controller that is told the same, whose vectors can be asked for.
class WithVectors final : public Allocator {
 public:
  WithVectors(std::unique_ptr<Allocator> inner, TaskBound bound, AdmissionController::Options options,
              Dispatches& dispatches)
      : inner_(std::move(inner)), bound_(bound), options_(options), dispatches_(dispatches) {}

  [[nodiscard]] std::string name() const override { return inner_->name(); }
  [[nodiscard]] Features needs() const override { return inner_->needs(); }
  [[nodiscard]] EventSet subscribes() const override { return inner_->subscribes(); }
  void begin(const View& view, Decisions& decisions) override {
    controller_.emplace(slots_there(view), options_);
    inner_->begin(view, decisions);
  }
  void on(const Event& event, const View& view, Decisions& decisions) override {
    if (event.what == Event::What::arrived) arrive(event.job, view);
    if (event.what == Event::What::started) start(event);
    if (event.what == Event::What::ended) end(event);
    if (event.what == Event::What::finished) finish(event, view);
    inner_->on(event, view, decisions);
  }

 private:
  struct Tasks {
    std::size_t running = 0;
    std::vector<Time> ends;
  };
  struct Begun {
    Tasks maps, reduces;
  };

  void arrive(JobIndex job, const View& view) {
    const JobFacts facts = view.facts(job);
    const RealtimeJob asked{.job = job,
                            .deadline = facts.deadline.value_or(Time::max()),
                            .maps = facts.maps,
                            .reduces = facts.reduces,
                            .map = bound_.length(view, job, Kind::map),
                            .reduce = bound_.length(view, job, Kind::reduce)};
    if (dispatches_.accepted.size() <= job) dispatches_.accepted.resize(std::size_t{job} + 1);
    dispatches_.accepted[job] = controller_->admit(asked, view.now()).accepted;
  }
  void start(const Event& event) {
    if (!begun_.contains(event.job) && !controller_->started(event.job, event.at).empty()) last_ = event.job;
    Begun& begun = begun_[event.job];
    ++(event.kind == Kind::map ? begun.maps : begun.reduces).running;
    open_[{event.kind, event.slot}] = dispatches_.uses.size();
    dispatches_.uses.push_back({event.kind, event.slot, event.job, {}});
    // Maps go by the queue. Reduces of a job behind may have started before, up to the last job that has
    // started.
    dispatches_.all.push_back(
        {event.kind, dispatches_.uses.size(),
         event.kind == Kind::map ? controller_->maps(event.job) : controller_->reduces(last_)});
  }
  void end(const Event& event) {
    Begun& begun = begun_[event.job];
    Tasks& tasks = event.kind == Kind::map ? begun.maps : begun.reduces;
    tasks.ends.push_back(event.at + options_.delays.first);
    if (tasks.running > 0) --tasks.running;
    dispatches_.uses[open_.at({event.kind, event.slot})].until = event.at;
  }
  void finish(const Event& event, const View& view) {
    if (!dispatches_.accepted[event.job]) return;
    Begun& begun = begun_[event.job];
    for (Tasks* const tasks : {&begun.maps, &begun.reduces})  // whose ends are told after the job's
      tasks->ends.insert(tasks->ends.end(), std::exchange(tasks->running, 0U),
                         event.at + options_.delays.first);
    controller_->finished(event.job, begun.maps.ends, begun.reduces.ends, view.now());
  }

  std::unique_ptr<Allocator> inner_;
  TaskBound bound_;
  AdmissionController::Options options_;
  Dispatches& dispatches_;
  std::optional<AdmissionController> controller_;
  std::map<JobIndex, Begun> begun_;
  std::map<std::pair<Kind, SlotIndex>, std::size_t> open_;  // the last use of each slot
  JobIndex last_ = 0;  // of the jobs that have started, the last in the queue
};

// When each slot is available after the dispatch, as it came out.
SlotTimes actual(const Dispatches& dispatches, const Dispatch& dispatch, Count slots,
                 const SimulationResult& result) {
  std::vector<std::int64_t> times(static_cast<std::size_t>(slots), 0);
  for (std::size_t i = 0; i < dispatch.uses; ++i) {
    const SlotUse& use = dispatches.uses[i];
    if (use.kind == dispatch.kind)
      times.at(use.slot) = to_ms(use.until.value_or(result.jobs[use.job].finish));
  }
  return SlotTimes(std::move(times));
}

// In a world with or without heartbeats, at which a node fills all its slots: after how many dispatches some
// slot is available later than promised. Adds the dispatches to `seen`.
int above_promise(const std::string& policy, TaskBound bound, Feedback feedback, int& seen) {
  World world = some_world();
  world.cluster.mode.maps_per_heartbeat = world.cluster.mode.reduces_per_heartbeat = 0;
  AdmissionController::Options options{.feedback = feedback, .delays = assignment_delays(world.cluster)};
  options.delays.setup = {};  // over when a job arrives
  Policy made = make_policy_on(policy, world.cluster, policies());
  Dispatches dispatches;
  made.allocator = std::make_unique<WithVectors>(std::move(made.allocator), bound, options, dispatches);
  const SimulationResult result = simulate_cluster(world.workload, made, {world.cluster});
  for (std::size_t i = 0; i < result.jobs.size(); ++i)
    RC_ASSERT(dispatches.accepted.at(i) == !result.jobs[i].rejected);
  const SlotPool slots = world.cluster.total_slots();
  int above = 0;
  for (const Dispatch& each : dispatches.all) {
    const Count count = each.kind == Kind::map ? slots.map_slots : slots.reduce_slots;
    RC_ASSERT(each.promised.slots() == count);
    ++seen;
    above += each.promised.dominates(actual(dispatches, each, count, result)) ? 0 : 1;
  }
  return above;
}

TEST(Dominance, TheVectorsPromisedDominateTheActualOnesAfterEachDispatch) {
  int seen = 0;
  holds_always(
      [&] {
        const bool feeds_back = *rc::gen::arbitrary<bool>();
        const std::string policy = feeds_back ? "rtmr" : "rtmr(feedback=none)";
        const Feedback feedback = feeds_back ? Feedback::jobs : Feedback::none;
        RC_ASSERT(above_promise(policy, {TaskBound::Of::max}, feedback, seen) == 0);
      },
      1'000);
  EXPECT_GT(seen, rare(5'000));
}

// The control: tasks may take longer than promised, and the comparison finds vectors that do not dominate.
TEST(Dominance, FailsWhereTasksTakeLongerThanTheirBounds) {
  int seen = 0, above = 0;
  holds_always(
      [&] { above += above_promise("rtmr(estimate=mean)", {TaskBound::Of::mean}, Feedback::jobs, seen); },
      400);
  EXPECT_GT(above, rare(100));
}

}  // namespace
}  // namespace wavewright
