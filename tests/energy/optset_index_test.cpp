// The ranking of containers and the index of optsets, against a list of all containers that is sorted anew.
#include "wavewright/energy/optset_index.h"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>

#include "tests/property.h"
#include "tests/sched/fake_cluster.h"
#include "wavewright/core/random.h"
#include "wavewright/energy/policies.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {
namespace {

constexpr Count most_slots = 3;

FakeSetup some_setup() {
  FakeSetup setup;
  const auto classes = *rc::gen::inRange<ClassId>(1, 4);
  setup.classes.assign(classes, {});
  const auto nodes = *rc::gen::inRange<NodeIndex>(1, 300);
  Random random(*rc::gen::inRange<std::uint64_t>(0, 1'000'000), "optset");
  for (NodeIndex node = 0; node < nodes; ++node)
    setup.nodes.push_back({.map_slots = random.integer(0, most_slots),
                           .node_class = static_cast<ClassId>(random.below(classes))});
  for (int i = 0; i < 6; ++i) {
    FakeJob job{.id = std::string(1, static_cast<char>('A' + i)), .maps = random.integer(1, 40)};
    const bool blocks = random.below(3) != 0;
    const NodeIndex among = random.below(2) == 0 ? nodes : std::min<NodeIndex>(nodes, 8);
    for (Count map = 0; blocks && map < job.maps; ++map) {
      auto& held = job.blocks.emplace_back();
      for (int copy = 0; copy < 3; ++copy) held.push_back(static_cast<NodeIndex>(random.below(among)));
    }
    // Equal fitness is frequent.
    for (ClassId c = 0; c < classes; ++c) {
      if (random.below(2) == 0) job.efficiency[c] = static_cast<double>(1 + random.below(4)) / 2;
    }
    setup.jobs.push_back(job);
  }
  return setup;
}

// The nodes of all relevant containers, one entry a container, best first.
std::vector<NodeIndex> sorted_containers(const View& view, JobIndex job, const std::vector<bool>& relevant) {
  std::vector<std::tuple<double, double, ClassId, NodeIndex>> keys;
  for (NodeIndex node = 0; node < view.nodes(); ++node) {
    const ClassId c = view.node_class(node);
    if (!relevant[c]) continue;
    std::size_t blocks = 0;
    for (TaskIndex map = 0; map < static_cast<TaskIndex>(view.facts(job).maps); ++map) {
      const auto held = view.block_nodes(job, map);
      blocks += static_cast<std::size_t>(std::count(held.begin(), held.end(), node));
    }
    const double overlap = static_cast<double>(blocks) / static_cast<double>(view.facts(job).maps);
    const double ef = view.efficiency(job, c);
    for (Count i = 0; i < view.slots_on(node, Kind::map); ++i)
      keys.emplace_back(-(ef * overlap), -ef, c, node);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<NodeIndex> nodes;
  nodes.reserve(keys.size());
  for (const auto& key : keys) nodes.push_back(std::get<3>(key));
  return nodes;
}

struct World {
  FakeSetup setup = some_setup();
  FakeCluster cluster{setup, make_policy("efh", {}, PolicyRegistry(energy_policies()))};
  FreeContainers containers;
  OptsetIndex index;
  std::vector<std::unique_ptr<OptsetIndex::Job>> jobs;
  std::vector<std::vector<NodeIndex>> sorted;  // by job

  World() {
    containers.begin(cluster);
    index.begin(containers);
    for (JobIndex job = 0; job < setup.jobs.size(); ++job) {
      cluster.arrive(setup.jobs[job].id);
      std::vector<bool> relevant(cluster.classes());
      for (std::size_t c = 0; c < relevant.size(); ++c) relevant[c] = *rc::gen::inRange(0, 4) != 0;
      jobs.push_back(std::make_unique<OptsetIndex::Job>(job, job, Ranking(cluster, job, relevant)));
      sorted.push_back(sorted_containers(cluster, job, relevant));
    }
  }
  [[nodiscard]] Count free_in_optset(JobIndex job, Count asked) const {
    std::map<NodeIndex, Count> in;
    for (std::size_t i = 0; i < sorted[job].size() && static_cast<Count>(i) < asked; ++i)
      ++in[sorted[job][i]];
    Count sum = 0;
    for (const auto& [node, count] : in) sum += std::min(count, containers.free(node));
    return sum;
  }
  [[nodiscard]] std::vector<Grant> best_free(JobIndex job, Count count) const {
    std::vector<Grant> grants;
    std::map<NodeIndex, Count> taken;
    for (const NodeIndex node : sorted[job]) {
      if (count == 0) break;
      if (taken[node] == containers.free(node)) continue;
      ++taken[node];
      --count;
      if (grants.empty() || grants.back().node != node) grants.push_back({node, 0});
      ++grants.back().containers;
    }
    return grants;
  }
  // True if a watched job has a container of the node in its optset.
  [[nodiscard]] bool in_some_optset(NodeIndex node) const {
    return std::any_of(jobs.begin(), jobs.end(), [&](const auto& job) {
      const std::vector<NodeIndex>& all = sorted[job->job];
      const auto end = all.begin() + std::min(job->asked, static_cast<Count>(all.size()));
      return std::find(all.begin(), end, node) != end;
    });
  }
  void take(NodeIndex node, Count count) {
    containers.take(node, count);
    index.changed(node, containers);
  }
};

TEST(EfhRanking, IsAListOfAllContainersSortedByFitness) {
  holds_always(
      [] {
        World world;
        for (NodeIndex node = 0; node < world.cluster.nodes(); ++node)
          world.take(node, *rc::gen::inRange<Count>(0, world.containers.free(node) + 1));
        for (JobIndex job = 0; job < world.jobs.size(); ++job) {
          const Count asked = *rc::gen::inRange<Count>(1, 200);
          RC_ASSERT(world.jobs[job]->ranking.whole(world.containers) ==
                    static_cast<Count>(world.sorted[job].size()));
          RC_ASSERT(world.jobs[job]->ranking.free_in_optset(world.containers, asked) ==
                    world.free_in_optset(job, asked));
          std::vector<Grant> grants;
          world.jobs[job]->ranking.best_free(world.containers, asked, grants);
          RC_ASSERT(grants == world.best_free(job, asked));
        }
      },
      300);
}

TEST(EfhRanking, TheIndexCountsForTheJobsWithFreeContainersInTheirOptset) {
  holds_always(
      [] {
        World world;
        const auto nodes = static_cast<NodeIndex>(world.cluster.nodes());
        // Most containers are busy, as where jobs wait.
        for (NodeIndex node = 0; node < nodes; ++node) {
          if (*rc::gen::inRange(0, 8) != 0) world.take(node, world.containers.free(node));
        }
        for (int step = 0; step < 40; ++step) {
          const auto node = *rc::gen::inRange<NodeIndex>(0, nodes);
          if (world.containers.free(node) > 0) {
            world.take(node, 1);
          } else if (world.containers.whole(node) > 0) {
            world.take(node, -1);
          }
          OptsetIndex::Job& job = *world.jobs[*rc::gen::inRange<JobIndex>(0, 6)];
          switch (*rc::gen::inRange(0, 6)) {
            case 0:
              world.index.forget(job);
              break;
            case 1:
              world.index.watch(job, *rc::gen::inRange<Count>(1, 60), world.containers);
              break;
            default:  // as where its maps start
              world.index.watch(job, std::max<Count>(1, job.asked - *rc::gen::inRange<Count>(0, 4)),
                                world.containers);
          }
          RC_ASSERT(world.index.concerns(node, world.containers) || !world.in_some_optset(node));
          std::map<JobIndex, Count> expected, counted;
          for (const auto& each : world.jobs) {
            const Count free = world.free_in_optset(each->job, each->asked);
            if (free > 0) expected[each->job] = free;
          }
          std::vector<OptsetIndex::Counted> found;
          world.index.count_anew(world.containers, found);
          world.index.each_kept([&](const OptsetIndex::Counted& each) { found.push_back(each); });
          for (const OptsetIndex::Counted& each : found) counted[each.job->job] = each.free;
          RC_ASSERT(found.size() == counted.size());
          RC_ASSERT(counted == expected);
        }
        for (const auto& job : world.jobs) world.index.forget(*job);
      },
      300);
}

}  // namespace
}  // namespace wavewright
