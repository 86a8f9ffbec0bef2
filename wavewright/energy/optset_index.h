// The jobs whose optsets hold free containers (energy/ranking.h), kept up to date from node to node: a round
// of EFH then counts for few jobs, however many wait.
//
// An optset has R containers, on few nodes. The index knows for each node which jobs' optsets hold containers
// there, and how many. Jobs without blocks have the first containers of their best class, so that the free
// ones among these are counted once for all of them. Jobs that want more than all containers of nodes with
// their blocks, or of their best class, are counted each time, and so are jobs that avoid nodes.
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
    bool waited = false;  // longer than the threshold
    std::size_t arrival = 0;
    Count asked = 0;  // R; 0 = it is not watched

   private:
    friend class OptsetIndex;
    static constexpr std::size_t nowhere = ~std::size_t{0};
    // First what a comparison of jobs looks at.
    std::size_t place_ = nowhere;  // in `some_`, while the shares have free containers
    bool rest_ = false;
    std::size_t place_of_class_ = nowhere;  // in `by_best_class_`, if it has no blocks
    std::uint64_t version_ = 0;             // of the containers, when shares_ were made
    std::vector<Grant> shares_;             // its optset: nodes with blocks, best first

   public:
    Ranking ranking;
  };
  struct Counted {
    Job* job = nullptr;
    Count free = 0;  // of its optset, above 0
  };

  void begin(const FreeContainers& containers);
  // R of the job is now `asked`, above 0, or the containers' version has changed. O(jobs that share nodes
  // with blocks that enter or leave the optset).
  void watch(Job& job, Count asked, const FreeContainers& containers);
  void forget(Job& job);
  // False if no optset of a watched job holds a container of the node. O(classes + log nodes).
  [[nodiscard]] bool concerns(NodeIndex node, const FreeContainers& containers) const;
  // False if no optset of a watched job holds the node, or any node, for its blocks: then the index need not
  // be told of changes.
  [[nodiscard]] bool counts(NodeIndex node) const { return entries_ > 0 && !on_node_[node].empty(); }
  // Other containers of the node may be free than before. O(jobs whose optset holds some of it).
  void changed(NodeIndex node, const FreeContainers& containers) {
    if (counts(node)) recount(node, containers.free(node));
  }
  // All watched jobs with free containers in their optset, in no order: those whose count is kept, and those
  // that are counted anew, which are appended.
  template <class Visit>
  void each_kept(Visit visit) const {
    for (const Counted& each : some_) {
      if (!each.job->rest_) visit(each);
    }
  }
  void count_anew(const FreeContainers& containers, std::vector<Counted>& into);

 private:
  struct Entry {
    Job* job = nullptr;
    Count most = 0;  // containers of the node in its optset
  };
  struct WithoutBlocks {
    std::vector<Job*> jobs;
    Count most = 0;  // none of them has a larger R
  };
  void add(Job& job, Count free);
  void recount(NodeIndex node, Count after);
  void shrink(Job& job, Count asked);
  void set_share(Job& job, const Grant& share, Count now);
  void count(const FreeContainers& containers, Job& job, std::vector<Counted>& into) const;
  void count_without_blocks(const FreeContainers& containers, ClassId node_class, std::vector<Counted>& into);

  std::vector<std::vector<Entry>> on_node_;
  std::vector<Count> free_;                      // by node with entries: free containers, as counted
  std::size_t entries_ = 0;                      // of on_node_
  std::vector<Counted> some_;                    // with free containers on nodes with blocks
  std::set<std::pair<std::size_t, Job*>> rest_;  // that are counted each time
  std::vector<WithoutBlocks> by_best_class_;
  std::size_t without_blocks_ = 0;  // jobs of by_best_class_
  // The first free containers of a class: how many containers stand before those of a node, how many of it
  // are free, and how many are free before it.
  struct FreeNode {
    Count before = 0, free = 0, free_before = 0;
  };
  std::vector<FreeNode> first_free_;
};

}  // namespace wavewright
