// How long a job's maps take by where their blocks are: near ones, on a node with the block, as long as the
// estimate; others longer by a factor.
#pragma once

#include "wavewright/core/parameters.h"
#include "wavewright/realtime/admission.h"
#include "wavewright/sched/registry.h"
#include "wavewright/sched/view.h"

namespace wavewright {

struct BlockReads {
  enum class Of {
    far,     // each map may be far from its block
    blocks,  // the first ones that start are near, as long as each node has blocks of the job
    near,    // each map is near: no promise if one is not
  };
  Of of = Of::near;
  double factor = 1;  // of a map far from its block

  // Sets the lengths of a job's maps, whose `map` is that of near ones. With `blocks`, O(blocks · replicas +
  // nodes).
  void set(RealtimeJob& job, const View& view) const;
};

// A lower bound of the maps that are near, if each free slot takes the closest map of the job. A map that is
// not near starts only on a node without a block of a map that waits. So all maps with a block there have
// started before, and each start before the first that is not near was near: at least as many as the node has
// that has fewest. Of nodes that have map slots now; 0 where places of blocks are not known.
[[nodiscard]] Count surely_near(const View& view, JobIndex job, Count maps);

// Of `reads=far|blocks|near`.
[[nodiscard]] BlockReads read_block_reads(Parameters& parameters, const PolicyContext& context);
[[nodiscard]] Parameter block_reads_parameter();

}  // namespace wavewright
