// RTMR's answers against exact ones, on cases so small that all schedules can be searched.
#include <map>
#include <utility>

#include <fmt/format.h>

#include "tests/realtime/exact_feasibility.h"
#include "tests/realtime/worlds.h"
#include "wavewright/core/random.h"

namespace wavewright {
namespace {

using namespace realtime_worlds;  // NOLINT(google-build-using-namespace)

struct SmallWorld {
  SlotPool slots;
  Workload workload;  // maps of a job are equally long, and reduces: estimates are true
};

SmallWorld small_world(Random& random, int jobs) {
  SmallWorld world;
  world.slots = {random.integer(1, 3), random.integer(1, 2)};
  const std::int64_t room = 30 + 20 * random.integer(0, 3), gap = random.below(2) == 0 ? 8 : 20;
  std::int64_t at = 0;
  for (int i = 0; i < jobs; ++i) {
    at += random.integer(0, gap - 1);
    const std::vector<Duration> maps(random.below(3) + 1, ms(random.integer(2, 14)));
    const std::vector<Duration> reduces(random.below(3), ms(random.integer(2, 14)));
    const std::int64_t least = to_ms(maps.front()) + (reduces.empty() ? 0 : to_ms(reduces.front()));
    world.workload.jobs.push_back(
        a_job(fmt::format("J{}", i), at, at + least + random.integer(0, room - 1), maps, reduces));
  }
  return world;
}

TwoStages stages_of(const Job& job) {
  return {.maps = static_cast<Count>(job.maps.size()),
          .map = job.maps.empty() ? 0 : to_ms(job.maps.front()),
          .release = to_ms(job.submit),
          .maps_end = to_ms(job.submit),
          .reduces = static_cast<Count>(job.reduces.size()),
          .reduce = job.reduces.empty() ? 0 : to_ms(job.reduces.front()),
          .deadline = to_ms(*job.deadline)};
}

// Tasks that have started by some instant stay; the rest may be placed anew.
class Present {
 public:
  Present(const SmallWorld& world, std::int64_t now)
      : now_(now),
        maps_(static_cast<std::size_t>(world.slots.map_slots), now),
        reduces_(static_cast<std::size_t>(world.slots.reduce_slots), now) {}

  // A task of the job that has started: which ends then, now or before.
  void started(TwoStages& job, bool is_map, std::int64_t end) {
    --(is_map ? job.maps : job.reduces);
    (is_map ? job.maps_end : job.reduces_end) = std::max(is_map ? job.maps_end : job.reduces_end, end);
    if (end <= now_) return;
    auto& slots = is_map ? maps_ : reduces_;
    *std::min_element(slots.begin(), slots.end()) = end;
  }
  void add(TwoStages job) {
    job.release = now_;
    job.maps_end = std::max(job.maps_end, now_);
    if (job.maps + job.reduces > 0) jobs_.push_back(job);
  }
  [[nodiscard]] std::optional<std::vector<StageStart>> schedule() const {
    return ExactFeasibility(maps_, reduces_, jobs_).schedule();
  }

 private:
  std::int64_t now_;
  std::vector<std::int64_t> maps_, reduces_;  // when slots are free
  std::vector<TwoStages> jobs_;
};

// Accepts each job that some schedule allows, and follows the schedule that was found.
std::size_t accepted_exactly(const SmallWorld& world) {
  struct Started {
    std::size_t job;
    bool is_map;
    std::int64_t at;
  };
  std::vector<Started> plan;  // of all accepted
  std::vector<std::size_t> accepted;
  for (std::size_t next = 0; next < world.workload.jobs.size(); ++next) {
    const std::int64_t now = to_ms(world.workload.jobs[next].submit);
    std::erase_if(plan, [&](const Started& each) { return each.at >= now; });
    Present present(world, now);
    std::vector<std::size_t> placed;  // the jobs that are placed anew
    std::vector<std::size_t> all = accepted;
    all.push_back(next);
    for (const std::size_t job : all) {
      TwoStages left = stages_of(world.workload.jobs[job]);
      for (const Started& each : plan) {
        if (each.job == job)
          present.started(left, each.is_map, each.at + (each.is_map ? left.map : left.reduce));
      }
      if (left.maps + left.reduces > 0) placed.push_back(job);
      present.add(left);
    }
    const auto found = present.schedule();
    if (!found) continue;  // goes on as before
    accepted = all;
    for (const StageStart& each : *found) plan.push_back({placed[each.job], each.is_map, each.at});
  }
  return accepted.size();
}

// The most jobs that can be in time, if all that will come is known.
std::size_t accepted_offline(const SmallWorld& world) {
  std::size_t most = 0;
  const std::size_t jobs = world.workload.jobs.size();
  for (std::size_t set = 1; set < (std::size_t{1} << jobs); ++set) {
    const auto size = static_cast<std::size_t>(__builtin_popcountll(set));
    if (size <= most) continue;
    std::vector<TwoStages> chosen;
    for (std::size_t i = 0; i < jobs; ++i) {
      if ((set >> i & 1U) != 0) chosen.push_back(stages_of(world.workload.jobs[i]));
    }
    const std::vector<std::int64_t> maps(static_cast<std::size_t>(world.slots.map_slots), 0),
        reduces(static_cast<std::size_t>(world.slots.reduce_slots), 0);
    if (ExactFeasibility(maps, reduces, chosen).schedule()) most = size;
  }
  return most;
}

// RTMR, with the exact answer to each arrival beside: whether any schedule of what has not started keeps the
// new job and the accepted ones in time. `rejected`: RTMR's own answers, from a run before.
class Watched final : public Allocator {
 public:
  Watched(std::unique_ptr<Allocator> inner, const SmallWorld& world, std::vector<bool> rejected,
          std::vector<bool>& feasible)
      : inner_(std::move(inner)), world_(world), rejected_(std::move(rejected)), feasible_(feasible) {}

  [[nodiscard]] std::string name() const override { return inner_->name(); }
  [[nodiscard]] Features needs() const override { return inner_->needs(); }
  [[nodiscard]] EventSet subscribes() const override { return inner_->subscribes(); }
  void begin(const View& view, Decisions& decisions) override { inner_->begin(view, decisions); }
  void on(const Event& event, const View& view, Decisions& decisions) override {
    if (event.what == Event::What::arrived) answer(event.job, to_ms(view.now()));
    if (event.what == Event::What::started) starts_[event.job].emplace_back(event.kind, to_ms(event.at));
    inner_->on(event, view, decisions);
  }

 private:
  void answer(JobIndex next, std::int64_t now) {
    Present present(world_, now);
    for (JobIndex job = 0; job <= next; ++job) {
      if (job < next && rejected_[job]) continue;
      TwoStages left = stages_of(world_.workload.jobs[job]);
      for (const auto& [kind, at] : starts_[job])
        present.started(left, kind == Kind::map, at + (kind == Kind::map ? left.map : left.reduce));
      present.add(left);
    }
    feasible_[next] = present.schedule().has_value();
  }

  std::unique_ptr<Allocator> inner_;
  const SmallWorld& world_;
  std::vector<bool> rejected_;
  std::vector<bool>& feasible_;
  std::map<JobIndex, std::vector<std::pair<Kind, std::int64_t>>> starts_;
};

struct Answers {
  std::size_t accepted = 0, feasible = 0;  // of all arrivals
};

void compare(const SmallWorld& world, const std::string& policy, Answers& answers) {
  const Cluster cluster =
      nodes(1, static_cast<int>(world.slots.map_slots), static_cast<int>(world.slots.reduce_slots));
  std::vector<bool> rejected, feasible(world.workload.jobs.size());
  for (const JobOutcome& job : run(world.workload, policy, cluster).jobs) rejected.push_back(job.rejected);
  Policy made = make_policy_on(policy, cluster, policies());
  made.allocator = std::make_unique<Watched>(std::move(made.allocator), world, rejected, feasible);
  const SimulationResult result = simulate_cluster(world.workload, made, {cluster});
  for (std::size_t i = 0; i < rejected.size(); ++i) {
    ASSERT_EQ(result.jobs[i].rejected, rejected[i]);
    if (!rejected[i]) {
      ASSERT_TRUE(feasible[i]) << "what is accepted can be kept";
      ASSERT_LE(result.jobs[i].finish, *world.workload.jobs[i].deadline);
    }
    answers.accepted += rejected[i] ? 0 : 1;
    answers.feasible += feasible[i] ? 1 : 0;
  }
}

double share(std::size_t part, std::size_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

// docs/use/real-time.md has these numbers.
TEST(Feasibility, RtmrAcceptsNearlyAllThatSomeScheduleAllows) {
  Answers started, deadline, any;
  std::size_t exactly = 0, offline = 0, jobs = 0;
  for (int i = 0; i < sized(400); ++i) {
    Random random(1, "small", static_cast<std::uint64_t>(i));
    const SmallWorld world = small_world(random, 6);
    jobs += world.workload.jobs.size();
    compare(world, "rtmr(feedback=tasks)", started);
    compare(world, "rtmr(feedback=tasks, order=deadline)", deadline);
    compare(world, "rtmr(feedback=tasks, order=any)", any);
    exactly += accepted_exactly(world);
    const std::size_t most = accepted_offline(world);
    offline += most;
  }
  RecordProperty("jobs", std::to_string(jobs));
  for (const auto& [name, answers] : {std::pair{"started", started}, {"deadline", deadline}, {"any", any}})
    RecordProperty(name,
                   fmt::format("{} accepted, {} of which some schedule allows {} more", answers.accepted,
                               answers.feasible, answers.feasible - answers.accepted));
  RecordProperty("exactly", std::to_string(exactly));
  RecordProperty("offline", std::to_string(offline));
  EXPECT_LT(share(started.accepted, started.feasible), 0.97) << "as in the paper";
  EXPECT_GT(share(deadline.accepted, deadline.feasible), 0.97);
  EXPECT_GT(share(any.accepted, any.feasible), 0.99);
  EXPECT_GT(share(any.accepted, exactly), 0.97);
  EXPECT_LE(exactly, offline);
  EXPECT_LT(offline, jobs) << "else nothing is tried";
  EXPECT_LT(any.feasible, jobs);
}

TEST(Feasibility, TheSearchIsRightByHand) {
  // A's reduce must wait for its map, B's map for the slot: A first is the only way.
  const std::vector<TwoStages> both{{.maps = 1, .map = 10, .reduces = 1, .reduce = 40, .deadline = 50},
                                    {.maps = 1, .map = 20, .deadline = 30}};
  EXPECT_TRUE(ExactFeasibility({0}, {0}, both).schedule());
  std::vector<TwoStages> tighter = both;
  tighter[1].deadline = 29;
  EXPECT_FALSE(ExactFeasibility({0}, {0}, tighter).schedule());
  EXPECT_FALSE(ExactFeasibility({1}, {0}, both).schedule()) << "a slot that is taken until 1";
  EXPECT_FALSE(ExactFeasibility({0}, {11}, both).schedule());
  EXPECT_TRUE(ExactFeasibility({0}, {10}, both).schedule());
  // The slot is kept free for the job that comes at 5: nothing else will do.
  const std::vector<TwoStages> waits{{.maps = 1, .map = 10, .release = 5, .deadline = 15},
                                     {.maps = 1, .map = 10, .deadline = 25}};
  EXPECT_TRUE(ExactFeasibility({0}, {}, waits).schedule());
  std::vector<TwoStages> none = waits;
  none[1].deadline = 24;
  EXPECT_FALSE(ExactFeasibility({0}, {}, none).schedule());
  EXPECT_FALSE(ExactFeasibility({}, {}, waits).schedule()) << "no slot";
}

}  // namespace
}  // namespace wavewright
