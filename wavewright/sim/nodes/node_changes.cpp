#include "wavewright/sim/nodes/node_changes.h"

namespace wavewright::sim {

void NodeChanges::lose(NodeIndex node) {
  resources_.withdraw(node);
  for (JobIndex index = 0; index < w_.jobs.size(); ++index) {
    NodeJob& state = w_.jobs[index];
    if (!state.admitted || state.settled || state.reduces.count == 0) continue;
    if (state.maps_done_at != NodeJob::never && state.reduces.pending == 0) continue;
    Attempts::OfKind& maps = state.attempts->maps;
    for (std::uint32_t map = 0; map < state.maps.count; ++map) {
      if (!maps.is_done(map) || w_.maps.node_of[maps.tasks[map].slot] != node) continue;
      maps.loses(map);
      ++state.maps.left;
      state.maps_done_at = NodeJob::never;
      lifecycle_.give_back(index, Kind::map, map);
      w_.tell({.what = Event::What::lost,
               .outcome = AttemptOutcome::lost,
               .job = index,
               .task = map,
               .attempt = maps.tasks[map].started - 1,
               .node = node,
               .slot = w_.maps.number(maps.tasks[map].slot)});
    }
  }
  w_.tell({.what = Event::What::node_down, .node = node});
}

}  // namespace wavewright::sim
