#include "wavewright/realtime/block_reads.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "wavewright/core/factor.h"

namespace wavewright {

namespace {

// As the simulator does.
Duration times(Duration length, double factor) {
  return ms(static_cast<std::int64_t>(scaled(static_cast<std::uint64_t>(to_ms(length)), factor_of(factor))));
}

}  // namespace

void BlockReads::set(RealtimeJob& job, const View& view) const {
  if (of == Of::near || factor <= 1) return;
  job.near_map = job.map;
  job.map = times(job.map, factor);
  if (of == Of::blocks) job.near_maps = surely_near(view, job.job, job.maps);
}

Count surely_near(const View& view, JobIndex job, Count maps) {
  std::vector<Count> blocks(view.nodes(), 0);
  for (TaskIndex map = 0; static_cast<Count>(map) < maps; ++map) {
    for (const NodeIndex node : view.block_nodes(job, map)) ++blocks[node];
  }
  Count fewest = maps;
  for (NodeIndex node = 0; node < blocks.size(); ++node) {
    if (view.slots_on(node, Kind::map) > 0) fewest = std::min(fewest, blocks[node]);
  }
  return fewest;
}

BlockReads read_block_reads(Parameters& parameters, const PolicyContext& context) {
  const std::string text = parameters.word("reads", {"far", "blocks", "near"}, "far");
  return {text == "far"      ? BlockReads::Of::far
          : text == "blocks" ? BlockReads::Of::blocks
                             : BlockReads::Of::near,
          context.off_rack};
}

Parameter block_reads_parameter() {
  return {"reads", "far|blocks|near",
          "maps that promises take to be far from their blocks: all, those that may be, or none (far)"};
}

}  // namespace wavewright
