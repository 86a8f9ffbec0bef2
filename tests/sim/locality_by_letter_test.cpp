// Matchmaking and Hadoop's rule of locality, written down once more as UNL prints them, against the engines.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "tests/property.h"
#include "tests/sim/cluster_worlds.h"
#include "tests/sim/same_result.h"
#include "tests/sim/small_clusters.h"
#include "wavewright/core/random.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {
namespace {

// ---- the rules by letter, on one rack of equal nodes; time in ms

struct Map {
  int duration = 0;
  std::set<int> nodes;  // with its block
};
struct LetterJob {
  int submit = 0;
  std::vector<Map> maps;
};
struct LetterWorld {
  int nodes = 1, slots = 1, heartbeat = 1;
  std::vector<LetterJob> jobs;  // by submission
};
constexpr int far = 3;  // times as long as near
enum class Order { fifo, fair };

using Start = std::tuple<int, int, int, int>;  // instant, node, job, task

class Letter {
 public:
  Letter(const LetterWorld& world, Order order)
      : world_(world), order_(order), busy_(static_cast<std::size_t>(world.nodes)) {
    for (const LetterJob& job : world.jobs) left_.push_back(static_cast<int>(job.maps.size()));
    for (const LetterJob& job : world.jobs) taken_.emplace_back(job.maps.size(), false);
  }
  virtual ~Letter() = default;

  std::set<Start> run() {
    for (now_ = 0; unassigned() > 0; ++now_) {
      for (const LetterJob& job : world_.jobs) {
        if (job.submit == now_) arrival();
      }
      for (int i = 0; i < world_.nodes; ++i) {
        if (!reports(i)) continue;
        std::erase_if(busy_[static_cast<std::size_t>(i)], [&](const Busy& one) { return one.until <= now_; });
      }
      for (int i = 0; i < world_.nodes; ++i) {
        if (reports(i)) heartbeat(i);
      }
    }
    return starts_;
  }

 protected:
  virtual void arrival() {}
  virtual void heartbeat(int i) = 0;

  [[nodiscard]] int free(int i) const {
    return world_.slots - static_cast<int>(busy_[static_cast<std::size_t>(i)].size());
  }
  // Jobs that are there and have an unassigned map: by arrival, or those first that hold the fewest slots.
  [[nodiscard]] std::vector<int> queue() const {
    std::vector<int> jobs;
    for (int j = 0; j < static_cast<int>(left_.size()); ++j) {
      if (left_[static_cast<std::size_t>(j)] > 0 && world_.jobs[static_cast<std::size_t>(j)].submit <= now_)
        jobs.push_back(j);
    }
    if (order_ == Order::fair)
      std::stable_sort(jobs.begin(), jobs.end(), [this](int a, int b) { return held(a) < held(b); });
    return jobs;
  }
  // The job's first unassigned map, of those whose block is on the node or of all; -1 if there is none.
  [[nodiscard]] int unassigned_map(int j, int i, bool local) const {
    const auto& maps = world_.jobs[static_cast<std::size_t>(j)].maps;
    for (std::size_t t = 0; t < maps.size(); ++t) {
      if (!taken_[static_cast<std::size_t>(j)][t] && (!local || maps[t].nodes.contains(i)))
        return static_cast<int>(t);
    }
    return -1;
  }
  void assign(int j, int t, int i) {
    const Map& map = world_.jobs[static_cast<std::size_t>(j)].maps[static_cast<std::size_t>(t)];
    taken_[static_cast<std::size_t>(j)][static_cast<std::size_t>(t)] = true;
    --left_[static_cast<std::size_t>(j)];
    const int until = now_ + map.duration * (map.nodes.contains(i) ? 1 : far);
    busy_[static_cast<std::size_t>(i)].push_back({j, until});
    starts_.emplace(now_, i, j, t);
  }

 private:
  struct Busy {
    int job = 0, until = 0;
  };

  [[nodiscard]] bool reports(int i) const {
    return now_ % world_.heartbeat == i * world_.heartbeat / world_.nodes;
  }
  [[nodiscard]] std::ptrdiff_t held(int j) const {
    std::ptrdiff_t sum = 0;
    for (const std::vector<Busy>& node : busy_)
      sum += std::count_if(node.begin(), node.end(), [j](const Busy& one) { return one.job == j; });
    return sum;
  }
  [[nodiscard]] int unassigned() const {
    int sum = 0;
    for (const int each : left_) sum += each;
    return sum;
  }

  const LetterWorld& world_;
  int now_ = 0;
  Order order_;
  std::vector<std::vector<Busy>> busy_;  // by node: what runs, until the node reports its end
  std::vector<int> left_;
  std::vector<std::vector<bool>> taken_;
  std::set<Start> starts_;
};

// Algorithms 1 and 2 of tables 4.1 and 4.2, line by line.
class LetterMatchmaking final : public Letter {
 public:
  LetterMatchmaking(const LetterWorld& world, Order order, bool printed)
      : Letter(world, order), printed_(printed) {}

 private:
  void arrival() override { marker_.clear(); }
  void heartbeat(int i) override {
    while (free(i) > 0) {
      const std::optional<int> previous = marker(i);
      for (const int j : queue()) {
        const int t = unassigned_map(j, i, true);
        if (t < 0) continue;
        assign(j, t, i);
        marker_[i] = marker(i) ? *marker(i) + 1 : 1;
        break;
      }
      if (previous != marker(i)) continue;  // lines 19 to 26: none was found
      const bool again = !printed_ && marker(i) == 0;
      marker_[i] = 0;
      if (again && !queue().empty()) assign(queue().front(), unassigned_map(queue().front(), i, false), i);
      break;
    }
  }
  [[nodiscard]] std::optional<int> marker(int i) const {
    const auto found = marker_.find(i);
    return found == marker_.end() ? std::nullopt : std::optional(found->second);
  }

  bool printed_;
  std::map<int, int> marker_;  // absent = null
};

// UNL §4.1: local tasks of the first job; else one that is not, and the heartbeat is over.
class LetterOneNonLocal final : public Letter {
 public:
  using Letter::Letter;

 private:
  void heartbeat(int i) override {
    while (free(i) > 0 && !queue().empty()) {
      const int j = queue().front(), t = unassigned_map(j, i, true);
      assign(j, t >= 0 ? t : unassigned_map(j, i, false), i);
      if (t < 0) return;
    }
  }
};

// ---- the same world for the engines

LetterWorld some_letter_world() {
  LetterWorld world;
  world.nodes = *rc::gen::inRange(1, 6);
  world.slots = *rc::gen::inRange(1, 4);
  world.heartbeat = *rc::gen::element(1, 3, 10, 20);
  int submit = 0;
  for (int jobs = *rc::gen::inRange(1, 7); jobs > 0; --jobs) {
    LetterJob job{submit += *rc::gen::element(0, 1, 7, 25), {}};
    for (int maps = *rc::gen::inRange(1, 7); maps > 0; --maps) {
      Map map{*rc::gen::inRange(1, 40), {}};
      for (int copies = *rc::gen::inRange(1, 3); copies > 0; --copies)
        map.nodes.insert(*rc::gen::inRange(0, world.nodes));
      job.maps.push_back(map);
    }
    world.jobs.push_back(job);
  }
  return world;
}

Workload workload_of(const LetterWorld& world) {
  Workload workload;
  for (const LetterJob& each : world.jobs) {
    Job job;
    job.id = fmt::format("J{}", workload.jobs.size());
    job.submit = at_ms(each.submit);
    for (const Map& map : each.maps) {
      job.maps.push_back(ms(map.duration));
      job.splits.emplace_back();
      for (const int node : map.nodes) job.splits.back().push_back(fmt::format("n{}", node));
    }
    workload.jobs.push_back(std::move(job));
  }
  return workload;
}

Cluster cluster_of(const LetterWorld& world) {
  Cluster cluster;
  NodeGroup group;
  for (int node = 0; node < world.nodes; ++node) group.hosts.push_back(fmt::format("n{}", node));
  group.count = world.nodes;
  group.slots = {world.slots, 0};
  cluster.nodes.push_back(group);
  cluster.mode.heartbeat = ms(world.heartbeat);
  cluster.reads = {Reads::Kind::slowdown, far, far};
  return cluster;
}

// `placer`: below FIFO and below Fair.
void follows_the_letter(const std::string& placer,
                        const std::function<std::set<Start>(const LetterWorld&, Order)>& letter) {
  holds_always(
      [&] {
        const LetterWorld world = some_letter_world();
        const Order order = *rc::gen::element(Order::fifo, Order::fair);
        const Cluster cluster = cluster_of(world);
        Policy policy = make_policy_on((order == Order::fifo ? "fifo" : "fair") + placer, cluster);
        const SimulationResult result = simulate_cluster(workload_of(world), policy, {cluster, 1, true});
        std::set<Start> starts;
        for (const TaskRecord& task : result.trace) {
          starts.emplace(static_cast<int>(to_ms(task.start)), static_cast<int>(task.node),
                         static_cast<int>(task.job), static_cast<int>(task.task));
        }
        RC_ASSERT(starts == letter(world, order));
      },
      3'000);
}

TEST(LocalityByLetter, Matchmaking) {
  follows_the_letter("+matchmaking", [](const LetterWorld& world, Order order) {
    return LetterMatchmaking(world, order, false).run();
  });
}
TEST(LocalityByLetter, MatchmakingAsPrinted) {
  follows_the_letter("+matchmaking(reading=printed)", [](const LetterWorld& world, Order order) {
    return LetterMatchmaking(world, order, true).run();
  });
}
TEST(LocalityByLetter, OneNonLocal) {
  follows_the_letter("+one-non-local", [](const LetterWorld& world, Order order) {
    return LetterOneNonLocal(world, order).run();
  });
}

// ---- the fast engine against the reference, in any world with heartbeats

Cluster beating(Cluster cluster) {
  cluster.mode.heartbeat = ms(*rc::gen::element(1, 3, 10, 37));
  cluster.reads = {Reads::Kind::slowdown, *rc::gen::element(1.0, 1.2, 2.0), *rc::gen::element(2.0, 3.7)};
  return cluster;
}

void engines_agree(const std::vector<std::string>& specs, bool faults) {
  holds_always(
      [&] {
        Workload workload = worlds::some_dependent_workload();
        Cluster cluster = beating(faults ? worlds::some_faulty_cluster() : worlds::some_cluster());
        if (!faults) {  // each block has a node that can take its map
          for (Job& job : workload.jobs) job.splits.clear();
          for (NodeGroup& group : cluster.nodes) group.slots.map_slots += 1;
        }
        const std::string spec = *rc::gen::elementOf(specs);
        const PolicyContext context{worlds::some_queues()};
        const ClusterOptions options{cluster, *rc::gen::inRange<std::uint64_t>(0, 50), true};
        Policy a = make_policy(spec, context), b = make_policy(spec, context);
        const auto fast = worlds::unless_stuck([&] { return simulate_cluster(workload, a, options); });
        expect_equal(fast, simulate_cluster_reference(workload, b, options));
      },
      1'500);
}

TEST(LocalityEnginesAgree, UnderMatchmaking) {
  engines_agree({"fifo+matchmaking", "fair+matchmaking", "capacity+matchmaking"}, false);
}
TEST(LocalityEnginesAgree, UnderMatchmakingAsPrinted) {
  engines_agree({"fifo+matchmaking(reading=printed)", "fair(preempt=5ms)+matchmaking(reading=printed)"},
                false);
}
TEST(LocalityEnginesAgree, UnderOneNonLocal) {
  engines_agree({"fifo+one-non-local", "fair+one-non-local(local=rack)", "capacity+one-non-local"}, false);
}
TEST(LocalityEnginesAgree, UnderExpectedWait) {
  engines_agree({"fifo+expected-wait", "fair+expected-wait(margin=0)", "capacity+expected-wait"}, false);
}
// Several jobs come in each round of heartbeats, as few or none do in the worlds above. So markers are
// cleared all the time, and most heartbeats at which a node has no block are of no account.
TEST(LocalityEnginesAgree, WhereJobsComeBetweenHeartbeats) {
  int away = 0;
  holds_always(
      [&] {
        Cluster cluster = slot_nodes(*rc::gen::inRange(2, 7), {*rc::gen::inRange(1, 4), 1});
        cluster.mode.heartbeat = ms(*rc::gen::element(7, 20, 40));
        cluster.mode.maps_per_heartbeat = *rc::gen::inRange(0, 3);
        cluster.hdfs.replication = *rc::gen::inRange(1, 3);
        cluster.reads = {Reads::Kind::slowdown, 1.2, 2};
        Workload workload;
        std::int64_t submit = 0;
        for (int i = *rc::gen::inRange(2, 14); i > 0; --i) {
          submit += *rc::gen::element(0, 1, 3, 6, 7, 20, 40, 41);
          Job job;
          job.id = fmt::format("J{}", i);
          for (int map = *rc::gen::inRange(1, 7); map > 0; --map)
            job.maps.push_back(ms(*rc::gen::inRange(1, 60)));
          job.submit = at_ms(submit);
          workload.jobs.push_back(job);
        }
        const std::string spec = *rc::gen::element<std::string>("fifo+matchmaking", "fair+matchmaking",
                                                                "fifo+matchmaking(reading=printed)");
        const ClusterOptions options{cluster, *rc::gen::inRange<std::uint64_t>(0, 50), true};
        Policy a = make_policy(spec), b = make_policy(spec);
        const SimulationResult fast = simulate_cluster(workload, a, options);
        expect_equal(fast, simulate_cluster_reference(workload, b, options));
        for (const JobOutcome& job : fast.jobs) away += job.off_rack + job.rack_local > 0 ? 1 : 0;
      },
      1'500);
  EXPECT_GT(away, rare(500));
}
// Each node holds hundreds of blocks at first, and few in the end. The engine looks for them in other ways.
TEST(LocalityEnginesAgree, WhereNodesHoldManyBlocks) {
  int away = 0;
  holds_always(
      [&] {
        Cluster cluster = slot_nodes(*rc::gen::inRange(1, 4), {*rc::gen::inRange(1, 4), 1});
        cluster.nodes.push_back(cluster.nodes.front());
        cluster.nodes.front().rack = "/another";
        cluster.mode.heartbeat = ms(*rc::gen::element(7, 20));
        cluster.mode.speculation = *rc::gen::arbitrary<bool>();
        cluster.hdfs.replication = *rc::gen::inRange(1, 4);
        cluster.reads = {Reads::Kind::slowdown, 1.2, 2};
        if (*rc::gen::arbitrary<bool>()) {
          cluster.faults.task_failure = 0.05;
          cluster.faults.blacklist_after = 2;
          cluster.faults.straggler = 0.1;
          cluster.faults.straggler_slowdown = 5;
        }
        Random random(*rc::gen::inRange<std::uint64_t>(0, 1'000), "many_blocks");
        Workload workload;
        for (int i = 0; i < 10; ++i) {
          Job job;
          job.id = fmt::format("J{}", i);
          for (std::uint64_t map = 1 + random.below(60); map > 0; --map)
            job.maps.push_back(ms(1 + static_cast<std::int64_t>(random.below(60))));
          job.submit = at_ms(static_cast<std::int64_t>(random.below(40)));
          workload.jobs.push_back(job);
        }
        const std::string spec = *rc::gen::element<std::string>(
            "fifo+matchmaking", "fair+matchmaking", "fifo+delay(30ms, rack=10ms)", "fair+delay(30ms)",
            "fair(preempt=5ms)+delay(30ms)", "capacity+delay(15ms)", "fair+expected-wait");
        const ClusterOptions options{cluster, *rc::gen::inRange<std::uint64_t>(0, 50), true};
        Policy a = make_policy(spec), b = make_policy(spec);
        const auto fast = worlds::unless_stuck([&] { return simulate_cluster(workload, a, options); });
        expect_equal(fast, simulate_cluster_reference(workload, b, options));
        for (const JobOutcome& job : fast.jobs) away += job.off_rack + job.rack_local > 0 ? 1 : 0;
      },
      300);
  EXPECT_GT(away, rare(300));
}
TEST(LocalityEnginesAgree, WhereAttemptsFailAndNodesGo) {
  engines_agree(
      {"fifo+matchmaking", "fair(preempt=5ms)+matchmaking", "capacity+matchmaking", "fair+one-non-local",
       "capacity+one-non-local", "fifo+expected-wait", "fair(preempt=5ms)+expected-wait(margin=0)"},
      true);
}

}  // namespace
}  // namespace wavewright
