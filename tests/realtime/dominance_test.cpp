// The vectors promised dominate the actual ones after each dispatch [UNL def. 1, proofs 1-4]: sorted by time,
// no slot becomes available later than its entry says. This holds for each feedback, order and number of
// starts a heartbeat, and with `reads=blocks`.
//
// Where all is placed anew, jobs that are over are in no vector any more. So times before the dispatch count
// as the dispatch. With `series` nothing is claimed: until an instance comes, its slots may run tasks of jobs
// behind it. There the ends of jobs are promised (series_test.cpp).
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/realtime/worlds.h"
#include "wavewright/cluster/assignment_delays.h"
#include "wavewright/realtime/admission.h"
#include "wavewright/realtime/block_reads.h"
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
  Time at{};
  SlotTimes promised;
};
struct Dispatches {
  std::vector<SlotUse> uses;  // by their begin
  std::vector<Dispatch> all;
  std::vector<bool> accepted;  // by job
};

// How RTMR promises, as the policy says and as its admission controller is told.
struct Rules {
  std::string policy;
  Feedback feedback = Feedback::jobs;
  QueueOrder order = QueueOrder::started;
  BlockReads::Of reads = BlockReads::Of::near;
  TaskBound::Of bound = TaskBound::Of::max;
};

// RTMR, and beside it an admission controller that is told the same, whose vectors can be asked for.
class WithVectors final : public Allocator {
 public:
  WithVectors(std::unique_ptr<Allocator> inner, const Rules& rules, const Cluster& cluster,
              Dispatches& dispatches)
      : inner_(std::move(inner)),
        bound_{rules.bound},
        reads_{rules.reads, cluster.reads.off_rack},
        options_{.feedback = rules.feedback, .delays = assignment_delays(cluster), .order = rules.order},
        dispatches_(dispatches) {
    options_.delays.setup = {};  // over when a job arrives
  }

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
    std::vector<Time> starts, ends;  // of those that run, and of those that ended
  };
  struct Accepted {
    bool started = false, over = false;
    Count all_maps = 0, near_left = 0;
    std::optional<Time> ready{};
    Tasks maps, reduces;
    std::vector<Time> near_starts;  // beside maps.starts
    std::vector<TaskIndex> near;    // of these
  };

  void arrive(JobIndex job, const View& view) {
    const JobFacts facts = view.facts(job);
    RealtimeJob asked{.job = job,
                      .deadline = facts.deadline.value_or(Time::max()),
                      .maps = facts.maps,
                      .reduces = facts.reduces,
                      .map = bound_.length(view, job, Kind::map),
                      .reduce = bound_.length(view, job, Kind::reduce)};
    reads_.set(asked, view);
    if (options_.feedback == Feedback::tasks) place_anew(view);
    if (dispatches_.accepted.size() <= job) dispatches_.accepted.resize(std::size_t{job} + 1);
    dispatches_.accepted[job] = controller_->admit(asked, view.now()).accepted;
    if (!dispatches_.accepted[job]) return;
    Accepted& its = jobs_[job];
    its.all_maps = asked.maps;
    its.near_left = asked.near_maps;
    if (asked.maps == 0) its.ready = view.now();
  }
  void place_anew(const View& view) {
    const auto left = [&](JobIndex job) {
      const Accepted& its = jobs_.at(job);
      return TasksLeft{view.pending(job, Kind::map),
                       view.pending(job, Kind::reduce),
                       its.maps.starts,
                       its.reduces.starts,
                       its.ready,
                       its.near_left,
                       its.near_starts};
    };
    controller_->replan(slots_there(view), left, view.now());
  }
  void start(const Event& event) {
    Accepted& its = jobs_.at(event.job);
    if (!std::exchange(its.started, true) && !controller_->started(event.job, event.at).empty())
      last_ = event.job;
    if (event.kind == Kind::map && its.near_left > 0) {
      --its.near_left;
      its.near_starts.push_back(event.at);
      its.near.push_back(event.task);
    } else {
      (event.kind == Kind::map ? its.maps : its.reduces).starts.push_back(event.at);
    }
    open_[{event.kind, event.slot}] = dispatches_.uses.size();
    dispatches_.uses.push_back({event.kind, event.slot, event.job, {}});
    dispatches_.all.push_back(
        {event.kind, dispatches_.uses.size(), event.at,
         event.kind == Kind::map ? controller_->maps(event.job) : controller_->reduces(last_begun())});
  }
  // Maps go by the queue. Reduces of a job behind may have started before, up to the last job that has
  // started.
  [[nodiscard]] JobIndex last_begun() const {
    if (options_.feedback != Feedback::tasks) return last_;
    JobIndex last = 0;
    for (const JobIndex job : controller_->queue()) {
      if (const Accepted& its = jobs_.at(job); its.started && !its.over) last = job;
    }
    return last;
  }
  void end(const Event& event) {
    Accepted& its = jobs_.at(event.job);
    Tasks& tasks = event.kind == Kind::map ? its.maps : its.reduces;
    const auto near = std::find(its.near.begin(), its.near.end(), event.task);
    const bool is_near = event.kind == Kind::map && near != its.near.end();
    if (is_near) its.near.erase(near);
    std::vector<Time>& starts = is_near ? its.near_starts : tasks.starts;
    if (const auto begun = std::find(starts.begin(), starts.end(), event.at - event.duration);
        begun != starts.end())
      starts.erase(begun);
    tasks.ends.push_back(event.at + options_.delays.first);
    if (std::ssize(its.maps.ends) == its.all_maps && !its.ready) its.ready = event.at;
    dispatches_.uses[open_.at({event.kind, event.slot})].until = event.at;
  }
  void finish(const Event& event, const View& view) {
    if (!dispatches_.accepted[event.job]) return;
    Accepted& its = jobs_.at(event.job);
    its.over = true;
    const Time known = event.at + options_.delays.first;
    std::vector<Time> maps = its.maps.ends, reduces = its.reduces.ends;  // some are told after the job's
    maps.insert(maps.end(), its.maps.starts.size() + its.near_starts.size(), known);
    reduces.insert(reduces.end(), its.reduces.starts.size(), known);
    controller_->finished(event.job, maps, reduces, view.now());
  }

  std::unique_ptr<Allocator> inner_;
  TaskBound bound_;
  BlockReads reads_;
  AdmissionController::Options options_;
  Dispatches& dispatches_;
  std::optional<AdmissionController> controller_;
  std::map<JobIndex, Accepted> jobs_;
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

// After how many dispatches some slot is available later than promised. Adds the dispatches to `seen`.
int above_promise(const World& world, const Rules& rules, int& seen) {
  Policy made = make_policy_on(rules.policy, world.cluster, policies());
  Dispatches dispatches;
  made.allocator = std::make_unique<WithVectors>(std::move(made.allocator), rules, world.cluster, dispatches);
  const SimulationResult result = simulate_cluster(world.workload, made, {world.cluster});
  for (std::size_t i = 0; i < result.jobs.size(); ++i)
    RC_ASSERT(dispatches.accepted.at(i) == !result.jobs[i].rejected);
  const SlotPool slots = world.cluster.total_slots();
  int above = 0;
  for (const Dispatch& each : dispatches.all) {
    const Count count = each.kind == Kind::map ? slots.map_slots : slots.reduce_slots;
    RC_ASSERT(each.promised.slots() == count);
    ++seen;
    SlotTimes promised = each.promised, came = actual(dispatches, each, count, result);
    if (rules.feedback == Feedback::tasks) {
      promised.raise_to(to_ms(each.at));
      came.raise_to(to_ms(each.at));
    }
    above += promised.dominates(came) ? 0 : 1;
  }
  return above;
}

// With or without heartbeats, at which a node fills all its slots.
World filling_world() {
  World world = some_world();
  world.cluster.mode.maps_per_heartbeat = world.cluster.mode.reduces_per_heartbeat = 0;
  return world;
}

TEST(Dominance, TheVectorsPromisedDominateTheActualOnesAfterEachDispatch) {
  int seen = 0;
  holds_always(
      [&] {
        const bool feeds_back = *rc::gen::arbitrary<bool>();
        const Rules rules =
            feeds_back ? Rules{"rtmr", Feedback::jobs} : Rules{"rtmr(feedback=none)", Feedback::none};
        RC_ASSERT(above_promise(filling_world(), rules, seen) == 0);
      },
      1'000);
  EXPECT_GT(seen, rare(5'000));
}

// Nodes that start one or two tasks a heartbeat, or all; tasks of any length, also ones that are over before
// their node's other slots had their turn.
TEST(Dominance, HoldsForEachFeedbackOrderAndNumberOfStartsAHeartbeat) {
  const std::vector<Rules> all{
      {"rtmr(feedback=none)", Feedback::none},
      {"rtmr", Feedback::jobs},
      {"rtmr(feedback=tasks)", Feedback::tasks},
      {"rtmr(feedback=tasks, order=deadline)", Feedback::tasks, QueueOrder::deadline},
      {"rtmr(feedback=tasks, order=any)", Feedback::tasks, QueueOrder::any}};
  std::vector<int> seen(all.size(), 0);
  int in_turns = 0;
  holds_always(
      [&] {
        const World world = some_world();
        const std::size_t which = *rc::gen::inRange<std::size_t>(0, all.size());
        RC_LOG() << all[which].policy << "\n" << to_toml(world.cluster);
        const int before = seen[which];
        RC_ASSERT(above_promise(world, all[which], seen[which]) == 0);
        const AssignmentDelays delays = assignment_delays(world.cluster);
        if (delays.map > delays.first || delays.reduce > 2 * delays.first) in_turns += seen[which] - before;
      },
      2'000);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_GT(seen[i], rare(400)) << all[i].policy;
  EXPECT_GT(in_turns, rare(200)) << "nodes that fill some slots a heartbeat";
}

TEST(Dominance, HoldsWhereBlocksTellWhichMapsAreNear) {
  const std::vector<Rules> all{
      {"rtmr(feedback=none, reads=blocks)", Feedback::none, QueueOrder::started, BlockReads::Of::blocks},
      {"rtmr(reads=blocks)", Feedback::jobs, QueueOrder::started, BlockReads::Of::blocks},
      {"rtmr(feedback=tasks, reads=blocks)", Feedback::tasks, QueueOrder::started, BlockReads::Of::blocks},
      {"rtmr(feedback=tasks, order=any, reads=blocks)", Feedback::tasks, QueueOrder::any,
       BlockReads::Of::blocks}};
  int seen = 0;
  holds_always(
      [&] {
        World world = some_world_with_blocks();
        const Rules& rules = all[*rc::gen::inRange<std::size_t>(0, all.size())];
        RC_LOG() << rules.policy << "\n" << to_toml(world.cluster);
        RC_ASSERT(above_promise(world, rules, seen) == 0);
      },
      1'000);
  EXPECT_GT(seen, rare(1'000));
}

// The control: tasks may take longer than promised, and the comparison finds vectors that do not dominate.
TEST(Dominance, FailsWhereTasksTakeLongerThanTheirBounds) {
  int seen = 0, above = 0, above_anew = 0;
  holds_always(
      [&] {
        above += above_promise(filling_world(),
                               {.policy = "rtmr(estimate=mean)", .bound = TaskBound::Of::mean}, seen);
        above_anew += above_promise(filling_world(),
                                    {.policy = "rtmr(estimate=mean, feedback=tasks, order=any)",
                                     .feedback = Feedback::tasks,
                                     .order = QueueOrder::any,
                                     .bound = TaskBound::Of::mean},
                                    seen);
      },
      400);
  EXPECT_GT(above, rare(100));
  EXPECT_GT(above_anew, rare(20));
}

}  // namespace
}  // namespace wavewright
