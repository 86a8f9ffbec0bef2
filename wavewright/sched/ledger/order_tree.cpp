#include "wavewright/sched/ledger/order_tree.h"

#include <algorithm>
#include <utility>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

void check(const Share& share) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  if (share.minimum < 0 || share.weight_thousandths < 1 || share.weight_thousandths > most) {
    throw InternalError("the policy gave a share with a minimum of " + std::to_string(share.minimum) +
                        " and a weight of " + std::to_string(share.weight_thousandths) + " thousandths");
  }
}

}  // namespace

OrderTree::OrderTree(std::size_t jobs, Kind kind)
    : kind_(kind), jobs_(jobs), positions_(jobs, absent), groups_(1) {
  groups_[root_group].exists = true;
}

OrderTree::Group& OrderTree::known(GroupId id) {
  if (id >= groups_.size() || !groups_[id].exists) {
    throw InternalError("the policy used group " + std::to_string(id) + ", which does not exist");
  }
  return groups_[id];
}

OrderTree::Child& OrderTree::job(JobIndex index) {
  return jobs_[index];
}

void OrderTree::group(GroupId id, GroupId parent, const Limits& guaranteed, const Limits& max,
                      std::uint64_t sequence) {
  if (id == root_group || id == parent || id >= group_bit || parent >= groups_.size() ||
      !groups_[parent].exists) {
    throw InternalError("the policy placed group " + std::to_string(id) + " under group " +
                        std::to_string(parent) + ", which does not exist");
  }
  if (id >= groups_.size()) groups_.resize(std::size_t{id} + 1);
  Group& group = groups_[id];
  if (group.exists && group.self.parent != parent)
    throw InternalError("the policy moved group " + std::to_string(id));
  if (!group.exists) group.self.sequence = sequence;
  group.exists = true;
  group.self.parent = parent;
  group.guaranteed = kind_ == Kind::map ? guaranteed.map_slots : guaranteed.reduce_slots;
  group.self.limit = kind_ == Kind::map ? max.map_slots : max.reduce_slots;
  group.last_may_exceed = max.last_may_exceed;
  refresh(id | group_bit);
}

void OrderTree::rank_group(GroupId id, Key key) {
  known(id).self.key = key;
  refresh(id | group_bit);
}

void OrderTree::order(GroupId id, Ordering ordering) {
  Group& group = known(id);
  if (group.ordering == ordering) return;
  group.ordering = ordering;
  found_for_ = 0;
  std::vector<Entry> listed;
  std::swap(listed, group.children);
  group.open.clear();
  for (const Entry& each : listed) position(each.child) = absent;
  for (const Entry& each : listed) settle(each.child);
  if (id != root_group) refresh(id | group_bit);
}

void OrderTree::share_group(GroupId id, const Share& share) {
  check(share);
  known(id).self.share = share;
  if (id != root_group) refresh(id | group_bit);
}

void OrderTree::admit(JobIndex index, GroupId group, std::uint64_t sequence) {
  (void)known(group);
  Child& child = job(index);
  child.parent = group;
  child.sequence = sequence;
}

void OrderTree::rank(JobIndex index, Key key) {
  if (job(index).key == key) return;
  job(index).key = key;
  refresh(index);
}

void OrderTree::share(JobIndex index, const Share& share) {
  check(share);
  job(index).share = share;
  refresh(index);
}

void OrderTree::cap(JobIndex index, Count count) {
  job(index).limit = count;
  refresh(index);
}

void OrderTree::keep_classes(std::size_t classes) {
  all_classes_ = classes < distinct_classes ? (Classes{1} << classes) - 1 : every_class;
  open_.assign(jobs_.size(), all_classes_);
  for (Group& group : groups_) group.open.assign(group.children.size(), all_classes_);
}

void OrderTree::open(JobIndex index, Classes classes) {
  if (open_[index] == classes) return;
  open_[index] = classes;
  renew_open(index);
}

void OrderTree::hide(JobIndex index, bool hidden) {
  if (!may_hide_ || is_hidden(index) == hidden) return;
  if (hidden_.empty()) hidden_.assign(jobs_.size(), 0);
  if (!keeps_classes()) keep_classes();
  hidden_[index] = hidden ? 1 : 0;
  renew_open(index);
}

void OrderTree::renew_open(JobIndex index) {
  if (positions_[index] != absent) renew_open(jobs_[index].parent, positions_[index], positions_[index]);
}

OrderTree::Classes OrderTree::open_to_child(std::uint32_t id) const {
  if ((id & group_bit) == 0) return is_hidden(id) ? 0 : open_[id];
  const std::vector<Classes>& below = groups_[id & ~group_bit].open;
  return below.empty() ? 0 : below.front();
}

// Computes the open classes anew, from the place `deepest` of the group's heap up. `highest`, above it or the
// same, is the last place whose entry or classes changed. Goes on in the groups above as long as theirs
// change.
void OrderTree::renew_open(GroupId id, std::size_t deepest, std::size_t highest) {
  found_for_ = 0;
  for (std::size_t at = deepest;;) {
    Group& group = groups_[id];
    Classes open = open_to_child(group.children[at].child);
    const std::size_t below = std::min(4 * at + 1, group.open.size());
    const std::size_t end = std::min(below + 4, group.open.size());
    for (std::size_t each = below; each < end; ++each) open |= group.open[each];
    if (std::exchange(group.open[at], open) == open && at <= highest) return;
    if (at > 0) {
      at = (at - 1) / 4;
    } else {
      if (id == root_group || group.position == absent) return;
      at = highest = group.position;
      id = group.self.parent;
    }
  }
}

void OrderTree::add(JobIndex index) {
  job(index).ready = true;
  refresh(index);
}

void OrderTree::remove(JobIndex index) {
  job(index).ready = false;
  refresh(index);
}

JobIndex OrderTree::best() const {
  GroupId at = root_group;
  for (;;) {
    const std::uint32_t first = groups_[at].children.front().child;
    if ((first & group_bit) == 0) return first;
    at = first & ~group_bit;
  }
}

JobIndex OrderTree::find_first(Classes classes) const {
  if (!keeps_classes()) return best();
  for (GroupId at = root_group;;) {
    const Group& group = groups_[at];
    if (group.ordering == Ordering::by_best) {
      Walk walk(*this);
      walk.restart(classes);
      return *walk.next();
    }
    const Entry* first = nullptr;
    find_first(group, 0, classes, first);
    if ((first->child & group_bit) == 0) return first->child;
    at = first->child & ~group_bit;
  }
}

// The first child, at the place of the heap or below it, to which one of the classes is open. It stays if
// it goes before that one.
void OrderTree::find_first(const Group& group, std::size_t position, Classes classes,
                           const Entry*& first) const {
  if (position >= group.children.size() || (group.open[position] & classes) == 0) return;
  const Entry& here = group.children[position];
  if (first != nullptr && !(here < *first)) return;
  if ((open_to_child(here.child) & classes) != 0) {
    first = &here;
    return;
  }
  for (std::size_t below = 4 * position + 1; below < 4 * position + 5; ++below)
    find_first(group, below, classes, first);
}

bool OrderTree::eligible(JobIndex index) const {
  if (positions_[index] == absent) return false;
  for (GroupId id = jobs_[index].parent; id != root_group; id = groups_[id].self.parent) {
    if (groups_[id].position == absent) return false;
  }
  return true;
}

std::size_t OrderTree::depth(GroupId group) const {
  std::size_t depth = 0;
  for (; group != root_group; group = groups_[group].self.parent) ++depth;
  return depth;
}

// In a `by_best` group the children of its child groups are compared as if they were its own.
void OrderTree::go_up(Ascent& at) const {
  const Group& below = groups_[at.group];
  at.group = below.self.parent;
  if (groups_[at.group].ordering != Ordering::by_best) at.entry = &groups_[at.group].children[below.position];
}

bool OrderTree::before(JobIndex a, JobIndex b) const {
  Ascent one = ascent(a), other = ascent(b);
  if (one.group != other.group) {
    std::size_t depth_of_one = depth(one.group), depth_of_other = depth(other.group);
    for (; depth_of_one > depth_of_other; --depth_of_one) go_up(one);
    for (; depth_of_other > depth_of_one; --depth_of_other) go_up(other);
    while (one.group != other.group) {
      go_up(one);
      go_up(other);
    }
  }
  return *one.entry < *other.entry;
}

bool OrderTree::has_room(JobIndex index, Count amount) const {
  for (GroupId id = jobs_[index].parent; id != root_group; id = groups_[id].self.parent) {
    const Group& group = groups_[id];
    if (!group.last_may_exceed && group.self.limit - group.self.held < amount) return false;
  }
  return true;
}

Count OrderTree::headroom(JobIndex index) const {
  Count least = unlimited;
  for (GroupId id = jobs_[index].parent; id != root_group; id = groups_[id].self.parent) {
    const Group& group = groups_[id];
    least = std::min(least, std::min(group.self.limit, group.guaranteed) - group.self.held);
  }
  return std::max<Count>(0, least);
}

OrderTree::Entry OrderTree::entry(const Child& child, std::uint32_t id) const {
  const Group& parent = groups_[child.parent];
  switch (parent.ordering) {
    case Ordering::fair:
      return {fair_key(child.held, child.share), child.sequence, id};
    case Ordering::by_best:
      if ((id & group_bit) != 0) {
        const Entry& best = groups_[id & ~group_bit].children.front();
        return {best.key, best.sequence, id};
      }
      break;
    case Ordering::ranked:
      break;
  }
  return {child.key, child.sequence, id};
}

bool OrderTree::eligible(const Child& child, std::uint32_t id) const {
  const bool has_something = (id & group_bit) != 0 ? !groups_[id & ~group_bit].children.empty() : child.ready;
  return has_something && child.held < child.limit;
}

// Inserts, moves or removes the child in its parent's heap. True if the parent's own place may change.
bool OrderTree::settle(std::uint32_t id) {
  const Child& member = child(id);
  Group& parent = groups_[member.parent];
  const bool wanted = eligible(member, id);
  const std::uint32_t where = position(id);
  const bool listed = where != absent;
  if (!wanted && !listed) return false;
  const bool at_top = where == 0;
  if (!wanted) {
    take_out(member.parent, where);
  } else {
    const Entry now = entry(member, id);
    if (listed && parent.children[where] == now) return false;
    if (!listed) parent.children.emplace_back();
    if (!listed && keeps_classes()) parent.open.push_back(0);
    sift(member.parent, listed ? where : parent.children.size() - 1, now);
  }
  return at_top || position(id) == 0;
}

// Settles the child and its ancestors until nothing changes.
void OrderTree::refresh(std::uint32_t id) {
  while (settle(id)) {
    const GroupId parent = child(id).parent;
    if (parent == root_group) return;
    id = parent | group_bit;
  }
}

// Most policies rank jobs by other things than what they hold: then nothing moves.
void OrderTree::change(JobIndex index, Count by) {
  Child& member = job(index);
  member.held += by;
  bool moves = depends_on_held(member);
  if (moves) settle(index);
  for (GroupId id = member.parent; id != root_group;) {
    Child& group = groups_[id].self;
    group.held += by;
    if (moves || (moves = depends_on_held(group))) settle(id | group_bit);
    id = group.parent;
  }
  groups_[root_group].self.held += by;
}

// Sifts the entry up or down from the hole at `position`.
void OrderTree::sift(GroupId id, std::size_t position, const Entry& entry) {
  Group& group = groups_[id];
  std::vector<Entry>& heap = group.children;
  const std::size_t from = position;
  found_for_ = 0;
  while (position > 0) {
    const std::size_t above = (position - 1) / 4;
    if (!(entry < heap[above])) break;
    put(group, position, heap[above]);
    position = above;
  }
  for (;;) {
    const std::size_t first = 4 * position + 1;
    if (first >= heap.size()) break;
    const std::size_t end = std::min(first + 4, heap.size());
    std::size_t least = first;
    for (std::size_t each = first + 1; each < end; ++each) {
      if (heap[each] < heap[least]) least = each;
    }
    if (!(heap[least] < entry)) break;
    put(group, position, heap[least]);
    position = least;
  }
  put(group, position, entry);
  if (keeps_classes()) renew_open(id, std::max(from, position), std::min(from, position));
}

void OrderTree::take_out(GroupId id, std::size_t position) {
  Group& group = groups_[id];
  found_for_ = 0;
  this->position(group.children[position].child) = absent;
  const Entry last = group.children.back();
  group.children.pop_back();
  const std::size_t left = group.children.size();
  if (keeps_classes()) {
    group.open.pop_back();
    if (left > 0) renew_open(id, (left - 1) / 4, (left - 1) / 4);
  }
  if (position < left) sift(id, position, last);
}

}  // namespace wavewright
