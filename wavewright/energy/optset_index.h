// The jobs whose optsets hold free containers (energy/ranking.h), kept up to date from node to node: a round
// of EFH then counts for few jobs, however many wait.
//
// An optset has R containers, on few nodes. The index knows for each node which jobs' optsets hold containers
// there, and how many. Jobs without blocks have the first containers of their best class: of these only jobs
// with more R than containers stand before the first free one are counted. Jobs that want more than all
// containers of nodes with their blocks are counted each time.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "wavewright/energy/ranking.h"
#include "wavewright/sched/event.h"

namespace wavewright {

class OptsetIndex {
 public:
  // A job that is watched. It must stay where it is, and end unwatched.
  struct Job {
    Job(JobIndex of, std::size_t came, Ranking ranks) : job(of), arrival(came), ranking(std::move(ranks)) {}
    JobIndex job = 0;
    std::size_t arrival = 0;
    Ranking ranking;
    Count asked = 0;  // R; 0 = it is not watched

   private:
    friend class OptsetIndex;
    Count free_ = 0;                // containers of the optset, on nodes with blocks
    std::vector<NodeIndex> nodes_;  // with blocks, in the optset
    std::size_t place_ = 0;         // in `some_` while free_ > 0
    bool without_blocks_ = false, rest_ = false;
  };
  struct Counted {
    Job* job = nullptr;
    Count free = 0;  // of its optset, above 0
  };

  void begin(const FreeContainers& containers);
  // R of the job is now `asked`, above 0, or the containers' version has changed. O(nodes in the optset ·
  // jobs there).
  void watch(Job& job, Count asked, const FreeContainers& containers);
  void forget(Job& job);
  // The node had `before` free containers. O(jobs whose optset holds some of it).
  void changed(NodeIndex node, Count before, const FreeContainers& containers);
  // All watched jobs with free containers in their optset, in no order.
  [[nodiscard]] std::vector<Counted> counted(const FreeContainers& containers) const;

 private:
  struct Entry {
    Job* job = nullptr;
    Count most = 0;  // containers of the node in its optset
  };
  void add(Job& job, Count free);
  [[nodiscard]] static Count before_first_free(const FreeContainers& containers, ClassId node_class);

  std::vector<std::vector<Entry>> on_node_;
  std::vector<Job*> some_;                       // with free_ > 0
  std::set<std::pair<std::size_t, Job*>> rest_;  // that want more than the nodes with blocks have
  std::vector<std::set<std::pair<Count, Job*>>> by_best_class_;  // those without blocks, by R
};

}  // namespace wavewright
