#include "wavewright/energy/free_containers.h"

namespace wavewright {

Count FreeContainers::Sums::before(std::size_t position) const {
  Count sum = 0;
  for (std::size_t i = position; i > 0; i -= i & (~i + 1)) sum += tree_[i];
  return sum;
}

void FreeContainers::begin(const View& view) {
  nodes_.assign(view.nodes(), {});
  taken_.assign(nodes_.size(), 0);
  classes_.assign(view.classes(), {});
  taken_of_class_.assign(classes_.size(), 0);
  given_of_class_.assign(classes_.size(), 0);
  whole_sums_.assign(classes_.size(), {});
  for (NodeIndex node = 0; node < nodes_.size(); ++node) {
    nodes_[node].node_class = view.node_class(node);
    std::vector<NodeIndex>& members = classes_[nodes_[node].node_class].members;
    nodes_[node].position = static_cast<std::uint32_t>(members.size());
    members.push_back(node);
    std::vector<std::uint64_t>& bits = classes_[nodes_[node].node_class].bits;
    bits.resize((nodes_.size() + 63) / 64);
    bits[node / 64] |= std::uint64_t{1} << (node % 64);
  }
  for (ClassId c = 0; c < classes_.size(); ++c) whole_sums_[c].resize(classes_[c].members.size());
  for (NodeIndex node = 0; node < nodes_.size(); ++node) refresh(node, view);
  see(view);
}

void FreeContainers::refresh(NodeIndex node, const View& view) {
  Node& of = nodes_[node];
  const Count whole = view.slots_on(node, Kind::map), more = whole - of.whole;
  if (more == 0) return;
  of.whole = whole;
  whole_sums_[of.node_class].add(of.position, more);
  classes_[of.node_class].whole += more;
  ++version_;
}

Count FreeContainers::whole_before(ClassId node_class, std::size_t position) const {
  return whole_sums_[node_class].before(position);
}

}  // namespace wavewright
