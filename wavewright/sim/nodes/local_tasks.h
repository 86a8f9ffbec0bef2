// The maps of one job by where their blocks lie: which is closest to a node that has a slot free.
//
// Of a job of a few blocks every one is looked at: that takes less than building an index and asking it. Any
// other has its blocks sorted by node and by rack; a question then costs O(log blocks) and, over a
// job's life, O(blocks) for what has been taken in the meantime.
#pragma once

#include <optional>
#include <vector>

#include "wavewright/cluster/topology.h"
#include "wavewright/sched/policy.h"
#include "wavewright/sim/nodes/blocks.h"

namespace wavewright::sim {

class LocalTasks {
 public:
  struct Choice {
    std::uint32_t task = 0;
    Locality locality = Locality::node;
  };

  // `index_from`: blocks from which on an index is built. The topology must outlive it.
  LocalTasks(Blocks blocks, const Topology& topology, std::size_t index_from = 48);

  // The lowest-numbered task among those closest to the node; none where none lies as close as `at_most`.
  [[nodiscard]] std::optional<Choice> closest(NodeIndex node, Locality at_most);
  [[nodiscard]] Locality locality(std::uint32_t task, NodeIndex node) const;
  [[nodiscard]] bool has(std::uint32_t task) const { return task < taken_.size() && taken_[task] == 0; }
  void take(std::uint32_t task);
  void give_back(std::uint32_t task);  // it must be run again. O(blocks)

 private:
  // The tasks at each place (node or rack).
  class Places {
   public:
    void build(const Blocks& blocks, std::vector<std::uint32_t> place_of, bool index);
    // The lowest-numbered task that is left at the place.
    [[nodiscard]] std::optional<std::uint32_t> first(std::uint32_t place,
                                                     const std::vector<std::uint8_t>& taken);
    void take(const Blocks& blocks, std::uint32_t task);
    void give_back(const Blocks& blocks, std::uint32_t task);

   private:
    struct Range {  // of `tasks_`, ascending; `next` moves past those taken
      std::uint32_t place = 0;
      std::uint32_t begin = 0;
      std::uint32_t next = 0;
      std::uint32_t end = 0;
    };
    [[nodiscard]] std::optional<std::uint32_t> first_in_index(std::uint32_t place,
                                                              const std::vector<std::uint8_t>& taken);

    std::vector<std::uint32_t> place_of_;  // by block
    std::vector<std::uint32_t> left_;      // the same without what is taken; empty where there is an index
    std::vector<std::uint32_t> owner_;     // by block: its task
    std::vector<Range> ranges_;            // by place
    std::vector<std::uint32_t> tasks_;
  };

  const Topology& topology_;
  Blocks blocks_;
  Places by_node_;
  Places by_rack_;
  std::vector<std::uint8_t> taken_;
  std::uint32_t first_ = 0;  // none below it is left
};

}  // namespace wavewright::sim
