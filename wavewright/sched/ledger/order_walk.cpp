// The walk over the eligible jobs of an order tree. At each level of groups it keeps the places of heaps that
// it may go to next, best first.
#include <algorithm>

#include "wavewright/sched/ledger/order_tree.h"

namespace wavewright {

void OrderTree::Walk::restart(Classes classes) {
  classes_ = tree_.keeps_classes() ? classes : every_class;
  depth_ = 0;
  if (tree_.any()) enter(root_group);
}

void OrderTree::Walk::enter(GroupId group) {
  if (depth_ == frames_.size()) frames_.emplace_back();
  Frame& frame = frames_[depth_++];
  frame.frontier.clear();
  reach(frame, group, 0);
}

void OrderTree::Walk::reach(Frame& frame, GroupId group, std::size_t position) const {
  if (position >= tree_.groups_[group].children.size() || !takes(tree_.open_below(group, position))) return;
  frame.frontier.push_back({group, static_cast<std::uint32_t>(position)});
  std::push_heap(frame.frontier.begin(), frame.frontier.end(),
                 [this](const auto& a, const auto& b) { return entry(b) < entry(a); });
}

std::optional<JobIndex> OrderTree::Walk::next() {
  while (depth_ > 0) {
    Frame& frame = frames_[depth_ - 1];
    if (frame.frontier.empty()) {
      --depth_;
      continue;
    }
    std::pop_heap(frame.frontier.begin(), frame.frontier.end(),
                  [this](const auto& a, const auto& b) { return entry(b) < entry(a); });
    const Frame::At at = frame.frontier.back();
    frame.frontier.pop_back();
    for (std::size_t below = 4 * std::size_t{at.position} + 1; below < 4 * std::size_t{at.position} + 5;
         ++below)
      reach(frame, at.group, below);
    const std::uint32_t child = entry(at).child;
    if ((child & group_bit) == 0) {
      if (classes_ == every_class || takes(tree_.open_to_child(child))) return child;
    } else if (tree_.groups_[at.group].ordering == Ordering::by_best) {
      reach(frame, child & ~group_bit, 0);
    } else {
      enter(child & ~group_bit);
    }
  }
  return std::nullopt;
}

}  // namespace wavewright
