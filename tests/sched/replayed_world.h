// A world of a few nodes and jobs under FIFO with a placer, and what happens in it, a line each. The
// plug-in's tests play the same lines in Hadoop's own scheduler (plugins/yarn, DecisionsReplay).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/paths.h"
#include "tests/sched/fake_cluster.h"
#include "wavewright/core/file.h"
#include "wavewright/core/random.h"
#include "wavewright/sched/policies/fifo.h"

namespace wavewright::replay {

constexpr NodeIndex nodes = 4;
constexpr std::size_t jobs = 5;

inline std::string id_of(std::size_t job) {
  return std::string(1, static_cast<char>('A' + job));
}

struct Rules {
  std::string name;         // of the worlds
  bool containers = false;  // the jobs' masters are on one more node
  bool waits = false;       // time passes in lines of its own; else a heartbeat period after each heartbeat
};

class World {
 public:
  World(const Rules& rules, std::uint64_t number, std::unique_ptr<Placer> placer)
      : random_(7, rules.name, number), rules_(rules), cluster_(setup(), {make_fifo(), std::move(placer)}) {}

  std::string play() {
    arrive();
    for (int step = 0; step < 50; ++step) {
      const std::uint64_t what = random_.below(10);
      if (what == 0 && arrived_ < jobs) {
        arrive();
      } else if (what <= 3 && !running_.empty()) {
        end();
      } else {
        beat(any_node());
      }
      if (rules_.waits) wait();
    }
    return text_;
  }

 private:
  FakeSetup setup() {
    FakeSetup setup;
    text_ = "world";
    for (NodeIndex node = 0; node < nodes; ++node) {
      setup.nodes.push_back({.map_slots = random_.integer(1, 3)});
      text_ += fmt::format(" {}", setup.nodes.back().map_slots);
    }
    text_ += '\n';
    for (std::size_t i = 0; i < jobs; ++i) {
      FakeJob job{.id = id_of(i), .maps = random_.integer(1, 6)};
      for (Count map = 0; map < job.maps; ++map) {
        const NodeIndex first = any_node();
        NodeIndex second = any_node();
        while (second == first) second = any_node();
        job.blocks.push_back({first, second});
      }
      setup.jobs.push_back(job);
    }
    blocks_ = setup.jobs;
    if (rules_.containers) {
      setup.container = 1024;
      setup.nodes.push_back({.map_slots = jobs});
    }
    return setup;
  }

  NodeIndex any_node() { return static_cast<NodeIndex>(random_.below(nodes)); }

  void arrive() {
    const FakeJob& job = blocks_[arrived_++];
    text_ += "arrive " + job.id;
    for (const auto& places : job.blocks) text_ += fmt::format(" {}{}", places[0], places[1]);
    text_ += '\n';
    cluster_.arrive(job.id);
    if (rules_.containers) cluster_.start(job.id, Kind::master, nodes);
  }

  // The task that the job has just started.
  [[nodiscard]] TaskIndex started(std::size_t job) {
    for (TaskIndex map = 0;; ++map) {
      if (cluster_.map_is_pending(static_cast<JobIndex>(job), map) || started_[job].at(map)) continue;
      started_[job][map] = true;
      return map;
    }
  }

  void beat(NodeIndex node) {
    text_ += fmt::format("beat {}", node);
    while (cluster_.has_room(Kind::map, node)) {
      const std::string id = cluster_.give(Kind::map, node);
      if (id.empty()) break;
      const auto job = static_cast<std::size_t>(id[0] - 'A');
      const TaskIndex map = started(job);
      running_.push_back({job, map});
      text_ += fmt::format(" {}{}", id, map);
    }
    text_ += '\n';
    if (!rules_.waits) cluster_.advance(ms(3000));
  }

  void wait() {
    const auto time = 100 * random_.integer(1, 15);
    text_ += fmt::format("wait {}\n", time);
    cluster_.advance(ms(time));
  }

  // The map of a job that started first.
  void end() {
    const auto [job, map] = running_[random_.below(running_.size())];
    const auto first =
        std::find_if(running_.begin(), running_.end(), [job](const auto& each) { return each.first == job; });
    text_ += fmt::format("end {}{}\n", id_of(job), first->second);
    cluster_.end(id_of(job), Kind::map);
    running_.erase(first);
  }

  Random random_;
  const Rules rules_;
  std::string text_;
  std::vector<FakeJob> blocks_;
  FakeCluster cluster_;
  std::size_t arrived_ = 0;
  std::vector<std::vector<bool>> started_ = std::vector(jobs, std::vector<bool>(9));
  std::vector<std::pair<std::size_t, TaskIndex>> running_;
};

// The plug-in's file has these worlds; with WAVEWRIGHT_WRITE_DECISIONS=1 it is written anew. `test`: the one
// of the plug-in that plays it.
inline void expect_decisions(const std::string& name, const std::string& test, const std::string& worlds) {
  const std::string file =
      fmt::format("{}/plugins/yarn/src/test/resources/wavewright/yarn/{}-decisions.txt", source_dir(), name);
  const std::string text =
      fmt::format("# Decisions of the simulator's {0}, for {1}. tests/sched/{0}_replay_test.cpp\n", name,
                  test) +
      "# says when they are others, and writes them anew with WAVEWRIGHT_WRITE_DECISIONS=1.\n"
      "#   world SLOTS…             a new world with so many map slots on nodes 0, 1, …\n"
      "#   arrive JOB NODES…        for each map the two nodes with its block\n"
      "#   beat NODE MAPS…          the maps that the node takes at its heartbeat, in this order\n"
      "#   end MAP\n"
      "#   wait MS                  time passes\n" +
      worlds;
  if (std::getenv("WAVEWRIGHT_WRITE_DECISIONS") != nullptr)  // NOLINT(concurrency-mt-unsafe)
    std::ofstream(file) << text;
  EXPECT_EQ(read_file(file), text);
}

}  // namespace wavewright::replay
