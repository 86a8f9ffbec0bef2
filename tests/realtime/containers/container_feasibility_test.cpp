// RTMR's answers on containers against exact ones, on cases so small that all schedules can be searched.
#include "tests/realtime/containers/container_worlds.h"
#include "tests/realtime/containers/exact_containers.h"
#include "wavewright/core/random.h"

namespace wavewright {
namespace {

using namespace realtime_worlds;  // NOLINT(google-build-using-namespace)

constexpr std::int64_t unit =
    1'000;  // ms: tasks are whole ones, so that a master's waits of 1 ms count for nothing
constexpr std::int64_t spare = 900;  // of each deadline, for these waits

struct OnContainers {
  std::vector<Count> nodes;
  Cluster cluster;
  Workload workload;
};

// `equal`: masters, maps and reduces are of one size.
OnContainers small_case(Random& random, bool equal) {
  OnContainers made;
  const std::int64_t memory = random.integer(3, 6);
  made.nodes.assign(random.below(2) + 1, memory);
  const std::int64_t master = equal ? 1 : random.integer(1, 2), map = equal ? 1 : random.integer(1, 2),
                     reduce = equal ? 1 : random.integer(1, 3);
  made.cluster = parse_cluster(
      fmt::format(
          "[mode]\nkind = \"containers\"\n[masters]\nheartbeat_ms = 1\n[containers]\nmaster_memory_mb = {}\n"
          "map_memory_mb = {}\nreduce_memory_mb = {}\n[[nodes]]\ncount = {}\nmemory_mb = {}\nvcores = 9\n",
          master, map, reduce, made.nodes.size(), memory),
      "cluster.toml");
  std::int64_t at = 0;
  for (int i = 0; i < 5; ++i) {
    at += random.integer(0, 5) * unit;
    const std::vector<Duration> maps(random.below(3) + 1, ms(random.integer(1, 6) * unit));
    const std::vector<Duration> reduces(random.below(3), ms(random.integer(1, 6) * unit));
    const std::int64_t least = to_ms(maps.front()) + (reduces.empty() ? 0 : to_ms(reduces.front()));
    made.workload.jobs.push_back(
        a_job(fmt::format("J{}", i), at, at + least + random.integer(0, 11) * unit + spare, maps, reduces));
  }
  return made;
}

struct ExactAnswers {
  std::size_t accepted = 0, feasible = 0, jobs = 0;
};

// Asks at each arrival whether any schedule of what has not started keeps the new job and the accepted ones
// in time. `rejected`: RTMR's own answers, from a run before.
class AskedExactly {
 public:
  AskedExactly(const OnContainers& made, const std::vector<bool>& rejected)
      : made_(made), rejected_(rejected), masters_(rejected.size(), -1), over_(rejected.size(), false) {}

  void happens(const Event& event) {
    if (event.what == Event::What::started) {
      if (event.kind == Kind::master) {
        masters_[event.job] = static_cast<int>(event.node);
        return;
      }
      const Job& job = made_.workload.jobs[event.job];
      const bool is_map = event.kind == Kind::map;
      const Room room = room_of();
      running_.push_back({to_ms(event.at + (is_map ? job.maps : job.reduces).front()),
                          static_cast<int>(event.node), is_map ? room.map : room.reduce, event.job, is_map});
      tasks_.push_back(event.task);
    }
    if (event.what == Event::What::ended && event.kind != Kind::master) {
      for (std::size_t i = 0; i < running_.size(); ++i) {
        const bool same = running_[i].job == event.job && tasks_[i] == event.task &&
                          running_[i].is_map == (event.kind == Kind::map);
        if (!same) continue;
        running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
        tasks_.erase(tasks_.begin() + static_cast<std::ptrdiff_t>(i));
        break;
      }
    }
    if (event.what == Event::What::finished) over_[event.job] = true;
  }

  [[nodiscard]] bool is_feasible(JobIndex next, const View& view) const {
    const Room room = room_of();
    std::vector<JobOnNodes> jobs;
    std::vector<std::size_t> number(rejected_.size());
    for (JobIndex i = 0; i <= next; ++i) {
      if (over_[i] || (i < next && rejected_[i])) continue;
      const Job& job = made_.workload.jobs[i];
      number[i] = jobs.size();
      jobs.push_back({.master_memory = room.master,
                      .map_memory = room.map,
                      .reduce_memory = room.reduce,
                      .maps = view.pending(i, Kind::map),
                      .reduces = view.pending(i, Kind::reduce),
                      .map = to_ms(job.maps.front()),
                      .reduce = job.reduces.empty() ? 0 : to_ms(job.reduces.front()),
                      .deadline = to_ms(*job.deadline),
                      .master_node = masters_[i]});
    }
    std::vector<OnNode> running;
    for (OnNode each : running_) {
      if (over_[each.job]) continue;
      each.job = number[each.job];
      each.end = std::max(each.end, to_ms(view.now()));
      running.push_back(each);
    }
    return ExactContainers(made_.nodes, jobs, running).in_time(to_ms(view.now()));
  }

 private:
  struct Room {
    Count master = 0, map = 0, reduce = 0;
  };
  [[nodiscard]] Room room_of() const {
    const Containers& containers = made_.cluster.containers;
    return {containers.master.memory.count >> 20, containers.map.memory.count >> 20,
            containers.reduce.memory.count >> 20};
  }

  const OnContainers& made_;
  const std::vector<bool>& rejected_;
  std::vector<int> masters_;
  std::vector<bool> over_;
  std::vector<OnNode> running_;
  std::vector<TaskIndex> tasks_;
};

void compare_on(const OnContainers& made, const std::string& policy, ExactAnswers& answers) {
  std::vector<bool> rejected;
  for (const JobOutcome& job : run(made.workload, policy, made.cluster).jobs)
    rejected.push_back(job.rejected);
  AskedExactly exact(made, rejected);
  Policy again = make_policy_on(policy, made.cluster, policies());
  std::vector<bool> feasible(rejected.size());
  // The exact answer is of how things stand before the job is accepted: nothing of it has started then.
  again.allocator = std::make_unique<LookingOn>(
      std::move(again.allocator), [&](const Event& event, const View& view, ContainerRtmrAllocator&) {
        if (event.what == Event::What::arrived) feasible[event.job] = exact.is_feasible(event.job, view);
        exact.happens(event);
      });
  const SimulationResult result = simulate_cluster(made.workload, again, {made.cluster});
  for (std::size_t i = 0; i < rejected.size(); ++i) {
    if (!rejected[i]) {
      ASSERT_TRUE(feasible[i]) << "what is accepted can be kept";
      ASSERT_LE(result.jobs[i].finish, *made.workload.jobs[i].deadline);
    }
    answers.accepted += rejected[i] ? 0 : 1;
    answers.feasible += feasible[i] ? 1 : 0;
    ++answers.jobs;
  }
}

double part_of(const ExactAnswers& answers) {
  return static_cast<double>(answers.accepted) / static_cast<double>(answers.feasible);
}

// docs/use/real-time.md has these numbers.
TEST(ContainerFeasibility, RtmrAcceptsMostThatSomeScheduleAllows) {
  std::map<std::string, ExactAnswers> equal, unlike;
  const std::vector<std::string> orders{"started", "deadline", "any"};
  for (int i = 0; i < sized(300); ++i) {
    Random random(1, "small containers", static_cast<std::uint64_t>(i));
    const OnContainers one = small_case(random, true), several = small_case(random, false);
    for (const std::string& order : orders) {
      compare_on(one, fmt::format("rtmr(order={})", order), equal[order]);
      compare_on(several, fmt::format("rtmr(order={})", order), unlike[order]);
    }
  }
  for (const auto& [sizes, all] : {std::pair{"one size", equal}, {"several", unlike}}) {
    for (const auto& [order, answers] : all)
      RecordProperty(fmt::format("{}, {}", sizes, order),
                     fmt::format("{} of {} jobs, {} feasible: {:.1f} %", answers.accepted, answers.jobs,
                                 answers.feasible, 100 * part_of(answers)));
  }
  EXPECT_GT(part_of(equal["any"]), 0.97);
  EXPECT_GT(part_of(equal["deadline"]), part_of(equal["started"]));
  EXPECT_GT(part_of(unlike["any"]), 0.8);
  EXPECT_LT(part_of(unlike["any"]), part_of(equal["any"])) << "nobody chooses nodes";
  EXPECT_LT(equal["any"].feasible, equal["any"].jobs) << "else nothing is tried";
}

TEST(ContainerFeasibility, TheSearchIsRightByHand) {
  const auto job = [](Count maps, Count reduces, std::int64_t deadline) {
    return JobOnNodes{.master_memory = 1,
                      .map_memory = 1,
                      .reduce_memory = 2,
                      .maps = maps,
                      .reduces = reduces,
                      .map = 10,
                      .reduce = 20,
                      .deadline = deadline};
  };
  // One node of 3: a master and two maps, or a reduce.
  EXPECT_TRUE(ExactContainers({3}, {job(2, 1, 30)}, {}).in_time(0));
  EXPECT_FALSE(ExactContainers({3}, {job(2, 1, 29)}, {}).in_time(0));
  EXPECT_FALSE(ExactContainers({3}, {job(3, 1, 30)}, {}).in_time(0));
  EXPECT_FALSE(ExactContainers({2}, {job(2, 1, 900)}, {}).in_time(0)) << "a reduce beside a master needs 3";
  // Nodes are chosen: with the master on the one, a reduce has the other to itself.
  EXPECT_TRUE(ExactContainers({2, 2}, {job(2, 1, 30)}, {}).in_time(0));
  // A container that runs until 5 is in the way of the second map only.
  EXPECT_TRUE(ExactContainers({3}, {job(2, 0, 20)}, {{5, 0, 1, 0, true}}).in_time(0));
  EXPECT_FALSE(ExactContainers({3}, {job(2, 0, 14)}, {{5, 0, 1, 0, true}}).in_time(0));
  // B's map waits for A's master, which stays until A's reduce has ended.
  EXPECT_TRUE(ExactContainers({3}, {job(1, 1, 30), job(1, 0, 40)}, {}).in_time(0));
  EXPECT_FALSE(ExactContainers({3}, {job(1, 1, 30), job(1, 0, 39)}, {}).in_time(0));
}

}  // namespace
}  // namespace wavewright
