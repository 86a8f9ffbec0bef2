#include "wavewright/sim/nodes/node_changes.h"

#include <algorithm>

namespace wavewright::sim {

NodeChanges::NodeChanges(World& world, ResourceManager& resources, JobLifecycle& lifecycle)
    : w_(world),
      resources_(resources),
      lifecycle_(lifecycle),
      away_(world.model.changes.empty() && !world.model.rents ? 0 : world.model.topology.size()),
      noticed_(away_.size()) {
  if (!w_.model.cluster.faults.keeps_map_output) w_.ended_maps.resize(away_.size());
}

void NodeChanges::begin() {
  if (!w_.model.rents) return;
  for (NodeIndex node = 0; node < w_.model.topology.size(); ++node) {
    if (!w_.model.cluster.nodes[w_.model.topology.group[node]].rent) continue;
    away_[node] = 1;
    mark_closed(node, true);
    resources_.withdraw(node);
  }
}

Count NodeChanges::nodes_away() const {
  Count away = 0;
  for (NodeIndex node = 0; node < away_.size(); ++node) {
    const bool rent = w_.model.cluster.nodes[w_.model.topology.group[node]].rent;
    away += is_away(node) && !rent ? 1 : 0;
  }
  return away;
}

void NodeChanges::apply_file() {
  for (; changed_ < w_.model.changes.size() && w_.model.changes[changed_].at == w_.now_ms; ++changed_) {
    const NodeModel::Change& change = w_.model.changes[changed_];
    change.up ? join(change.node, Event::no_lease) : leave(change.node, Event::no_lease);
  }
}

void NodeChanges::apply_due() {
  apply_file();
  while (const auto change = w_.leases.pop(w_.now_ms)) {
    if (change->what == LeaseBook::What::joins) join(change->node, change->lease);
    if (change->what == LeaseBook::What::noticed) notice(*change);
    if (change->what == LeaseBook::What::leaves) leave(change->node, change->lease);
    if (change->what == LeaseBook::What::never_joins)
      w_.tell({.what = Event::What::node_down, .node = change->node, .lease = change->lease});
  }
}

void NodeChanges::notice(const LeaseBook::Change& change) {
  noticed_[change.node] = true;
  mark_closed(change.node, true);
  if (!is_away(change.node)) resources_.close(change.node);
  w_.tell({.what = Event::What::node_notice,
           .node = change.node,
           .duration = change.left,
           .lease = change.lease});
}

void NodeChanges::leave(NodeIndex node, LeaseId lease) {
  if (lease != Event::no_lease) noticed_[node] = false;
  if (away_[node]++ == 0) lose(node, lease);
}

void NodeChanges::join(NodeIndex node, LeaseId lease) {
  if (--away_[node] > 0) return;
  resources_.restore(node);
  mark_closed(node, noticed_[node]);
  if (noticed_[node]) resources_.close(node);  // it was in an outage
  w_.tell({.what = Event::What::node_up, .node = node, .lease = lease});
}

void NodeChanges::lose(NodeIndex node, LeaseId lease) {
  mark_closed(node, true);
  resources_.withdraw(node);
  if (!w_.model.cluster.faults.keeps_map_output) lose_outputs(node);
  w_.tell({.what = Event::What::node_down, .node = node, .lease = lease});
}

void NodeChanges::lose_outputs(NodeIndex node) {
  std::vector<World::EndedMap>& ended = w_.ended_maps[node];
  std::sort(ended.begin(), ended.end());
  std::vector<World::EndedMap> kept;
  for (const World::EndedMap& each : ended) {
    NodeJob& state = w_.jobs[each.job];
    if (state.settled) continue;
    Attempts::OfKind& maps = state.attempts->maps;
    const bool read = state.maps_done_at != NodeJob::never && state.reduces.pending == 0;
    if (!state.admitted || read) {
      kept.push_back(each);  // reduces may have to start again
      continue;
    }
    maps.loses(each.map);
    ++state.maps.left;
    state.maps_done_at = NodeJob::never;
    lifecycle_.give_back(each.job, Kind::map, each.map, AttemptOutcome::lost);
    w_.tell({.what = Event::What::lost,
             .outcome = AttemptOutcome::lost,
             .job = each.job,
             .task = each.map,
             .attempt = maps.tasks[each.map].started - 1,
             .node = node,
             .slot = w_.maps.number(maps.tasks[each.map].slot)});
  }
  ended = std::move(kept);
}

}  // namespace wavewright::sim
