// Which task goes to which container, and which nodes hold blocks of a job.
#include "wavewright/energy/dispatcher.h"

#include <algorithm>
#include <map>
#include <set>

#include <gmock/gmock.h>

#include "tests/property.h"
#include "tests/sched/fake_cluster.h"
#include "wavewright/energy/blocks_by_node.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {
namespace {

struct Tasks {
  std::vector<std::vector<NodeIndex>> blocks;
  [[nodiscard]] std::vector<QueuedTask> queue() const {
    std::vector<QueuedTask> queue;
    for (TaskIndex task = 0; task < blocks.size(); ++task) queue.push_back({task, blocks[task]});
    return queue;
  }
};

using Assigned = std::vector<Dispatched>;

Assigned dispatch(const std::vector<QueuedTask>& tasks, const std::vector<NodeIndex>& containers) {
  Dispatcher dispatcher(10);
  dispatcher.obtain(containers);
  const auto assigned = dispatcher.assign(tasks);
  return {assigned.begin(), assigned.end()};
}

// Algorithm 2 as it is printed: one queue, and the first container that has the block.
Assigned dispatch_by_letter(const std::vector<QueuedTask>& tasks, std::vector<NodeIndex> left) {
  const auto holds = [](const QueuedTask& task, NodeIndex node) {
    return std::find(task.blocks.begin(), task.blocks.end(), node) != task.blocks.end();
  };
  std::vector<std::pair<QueuedTask, std::size_t>> queue;  // and L_k; none = behind all others
  for (const QueuedTask& task : tasks) {
    const auto local =
        std::count_if(left.begin(), left.end(), [&](NodeIndex node) { return holds(task, node); });
    queue.emplace_back(task, local == 0 ? ~std::size_t{0} : static_cast<std::size_t>(local));
  }
  std::stable_sort(queue.begin(), queue.end(),
                   [](const auto& a, const auto& b) { return a.second < b.second; });
  Assigned assigned;
  for (std::size_t i = 0; i < queue.size() && !left.empty(); ++i) {
    const auto [task, local] = queue[i];
    auto container = left.begin();
    if (local != ~std::size_t{0})
      container = std::find_if(left.begin(), left.end(), [&](NodeIndex node) { return holds(task, node); });
    if (container == left.end()) {
      queue.emplace_back(task, ~std::size_t{0});
      continue;
    }
    assigned.push_back({task.task, *container});
    left.erase(container);
  }
  return assigned;
}

// The example of [UNL §6.2.2]: A has one local container, B two; B does not take A's.
TEST(Dispatcher, ATaskWithFewerLocalContainersGoesFirst) {
  const Tasks tasks{{{0, 1}, {0}}};  // B is task 0, A task 1
  EXPECT_EQ(dispatch(tasks.queue(), std::vector<NodeIndex>{0, 1}), (Assigned{{1, 0}, {0, 1}}));
}

TEST(Dispatcher, TasksWithoutALocalContainerAreLastAndTakeTheBestThatIsLeft) {
  const Tasks tasks{{{7}, {2}, {}, {3}}};
  EXPECT_EQ(dispatch(tasks.queue(), std::vector<NodeIndex>{5, 3, 2, 4}),
            (Assigned{{1, 2}, {3, 3}, {0, 5}, {2, 4}}));
}

// Both want the only container of node 1: the second goes behind the task that never had one.
TEST(Dispatcher, ATaskWhoseContainersAreTakenGoesToTheEnd) {
  const Tasks tasks{{{1}, {1}, {9}}};
  EXPECT_EQ(dispatch(tasks.queue(), std::vector<NodeIndex>{1, 4, 5}), (Assigned{{0, 1}, {2, 4}, {1, 5}}));
}

TEST(Dispatcher, ANodesContainersCountOneByOne) {
  // Task 0 has L = 2 (two containers of node 1), task 1 L = 1.
  const Tasks tasks{{{1}, {2}}};
  EXPECT_EQ(dispatch(tasks.queue(), std::vector<NodeIndex>{1, 1, 2}), (Assigned{{1, 2}, {0, 1}}));
}

TEST(Dispatcher, NothingWithoutTasksOrContainers) {
  EXPECT_TRUE(dispatch({}, std::vector<NodeIndex>{1}).empty());
  EXPECT_TRUE(dispatch(Tasks{{{1}}}.queue(), {}).empty());
}

TEST(Dispatcher, UsesEachTaskAndEachContainerOnceAndLeavesNoneOver) {
  Dispatcher kept(6);
  holds_always([&] {
    Tasks tasks;
    for (int i = *rc::gen::inRange(0, 9); i > 0; --i)
      tasks.blocks.push_back(*rc::gen::container<std::vector<NodeIndex>>(rc::gen::inRange<NodeIndex>(0, 6)));
    const auto containers = *rc::gen::container<std::vector<NodeIndex>>(rc::gen::inRange<NodeIndex>(0, 6));
    const Assigned assigned = dispatch(tasks.queue(), containers);
    RC_ASSERT(assigned == dispatch_by_letter(tasks.queue(), containers));
    kept.obtain(containers);
    const auto queue = tasks.queue();
    const auto again = kept.assign(queue);
    RC_ASSERT(assigned == Assigned(again.begin(), again.end()));
    RC_ASSERT(assigned.size() == std::min(tasks.blocks.size(), containers.size()));
    std::set<TaskIndex> seen;
    std::map<NodeIndex, int> left;
    for (const NodeIndex node : containers) ++left[node];
    for (const Dispatched& each : assigned) {
      RC_ASSERT(seen.insert(each.task).second);
      RC_ASSERT(left[each.node]-- > 0);
    }
    // A task that went elsewhere has no container of its own left.
    for (const Dispatched& each : assigned) {
      const auto& blocks = tasks.blocks[each.task];
      if (std::find(blocks.begin(), blocks.end(), each.node) != blocks.end()) continue;
      for (const NodeIndex node : blocks) RC_ASSERT(left[node] == 0);
    }
  });
}

// More nodes than a byte can number.
TEST(BlocksByNode, ListsNodesAndTheirMapsInAscendingOrder) {
  FakeSetup setup;
  setup.nodes.assign(300, {.map_slots = 1});
  setup.jobs = {{.id = "A", .maps = 4, .blocks = {{299, 2}, {2}, {257, 299}, {}}}, {.id = "B", .maps = 1}};
  FakeCluster cluster(setup, make_policy("fifo"));
  cluster.arrive("A");
  cluster.arrive("B");
  const BlocksByNode blocks(cluster, 0);
  const auto maps = [&](NodeIndex node) {
    const auto held = blocks.maps(blocks.place(node).value());
    return std::vector<TaskIndex>(held.begin(), held.end());
  };
  EXPECT_EQ(std::vector<NodeIndex>(blocks.nodes().begin(), blocks.nodes().end()),
            (std::vector<NodeIndex>{2, 257, 299}));
  EXPECT_EQ(maps(2), (std::vector<TaskIndex>{0, 1}));
  EXPECT_EQ(maps(257), (std::vector<TaskIndex>{2}));
  EXPECT_EQ(maps(299), (std::vector<TaskIndex>{0, 2}));
  for (const NodeIndex without : {0U, 1U, 258U}) EXPECT_FALSE(blocks.place(without)) << without;
  EXPECT_TRUE(BlocksByNode(cluster, 1).nodes().empty()) << "its blocks have no places";
}

}  // namespace
}  // namespace wavewright
