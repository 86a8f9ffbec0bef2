#include "wavewright/energy/free_containers.h"

namespace wavewright {

void FreeContainers::Sums::add(std::size_t at, Count by) {
  for (std::size_t i = at + 1; i < tree_.size(); i += i & (~i + 1)) tree_[i] += by;
}

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
  const Count whole = view.slots_on(node, Kind::map);
  if (whole == nodes_[node].whole) return;
  set(node, whole, nodes_[node].busy);
  ++version_;
}

void FreeContainers::change(NodeIndex node, Count busy) {
  set(node, nodes_[node].whole, nodes_[node].busy + busy);
}

void FreeContainers::set(NodeIndex node, Count whole, Count busy) {
  Node& of = nodes_[node];
  Class& its_class = classes_[of.node_class];
  const Count whole_before = of.whole, free_before = of.free();
  of.whole = static_cast<std::int32_t>(whole);
  of.busy = static_cast<std::int32_t>(busy);
  if (whole != whole_before) whole_sums_[of.node_class].add(of.position, whole - whole_before);
  its_class.whole += whole - whole_before;
  const Count more = of.free() - free_before;
  if (more == 0) return;
  free_sums_[of.node_class].add(of.position / block, more);
  its_class.free += more;
  free_ += more;
  if (of.free() == 0) its_class.open.erase(node);
  if (free_before == 0) its_class.open.insert(node);
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
