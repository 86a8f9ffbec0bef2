#include "wavewright/energy/free_containers.h"

namespace wavewright {

Count FreeContainers::Sums::before(std::size_t position) const {
  Count sum = 0;
  for (std::size_t i = position; i > 0; i -= i & (~i + 1)) sum += tree_[i];
  return sum;
}

void FreeContainers::begin(const View& view) {
  nodes_.assign(view.nodes(), {});
  free_ = 0;
  classes_.assign(view.classes(), {});
  whole_sums_.assign(classes_.size(), {});
  free_sums_.assign(classes_.size(), {});
  for (NodeIndex node = 0; node < nodes_.size(); ++node) {
    nodes_[node].node_class = view.node_class(node);
    std::vector<NodeIndex>& members = classes_[nodes_[node].node_class].members;
    nodes_[node].position = static_cast<std::uint32_t>(members.size());
    members.push_back(node);
  }
  for (ClassId c = 0; c < classes_.size(); ++c) {
    whole_sums_[c].resize(classes_[c].members.size());
    free_sums_[c].resize(classes_[c].members.size() / block + 1);
    classes_[c].open = sim::NumberSet(static_cast<NodeIndex>(nodes_.size()), false);
  }
  for (NodeIndex node = 0; node < nodes_.size(); ++node) refresh(node, view);
}

void FreeContainers::refresh(NodeIndex node, const View& view) {
  Node& of = nodes_[node];
  const Count whole = view.slots_on(node, Kind::map), more = whole - of.whole, free_before = of.free();
  if (more == 0) return;
  of.whole = static_cast<std::int32_t>(whole);
  whole_sums_[of.node_class].add(of.position, more);
  classes_[of.node_class].whole += more;
  recount(node, of, free_before);
  ++version_;
}

Count FreeContainers::whole_before(ClassId node_class, std::size_t position) const {
  return whole_sums_[node_class].before(position);
}

Count FreeContainers::free_before(ClassId node_class, std::size_t position) const {
  const std::vector<NodeIndex>& members = classes_[node_class].members;
  std::size_t member = position / block * block;
  Count sum = free_sums_[node_class].before(position / block);
  for (; member < position; ++member) sum += nodes_[members[member]].free();
  return sum;
}

}  // namespace wavewright
