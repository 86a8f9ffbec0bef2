#include "wavewright/sim/reference/sorted_order.h"

#include <algorithm>
#include <string>

#include "wavewright/core/error.h"

namespace wavewright::sim {

namespace {

// The fair order, independent of the fast engine's: in units of 2^-20, those below their minimum first.
Key fair(Count held, const Share& share) {
  __extension__ using Wide = __int128;
  if (held < share.minimum) return static_cast<Key>(Wide{held} * (1 << 20) / share.minimum);
  return (Key{1} << 62) + static_cast<Key>(Wide{held} * (1 << 20) * 1000 / share.weight_thousandths);
}

}  // namespace

SortedOrder::Group& SortedOrder::known(GroupId id) {
  if (!groups_.contains(id))
    throw InternalError("the policy used group " + std::to_string(id) + ", which does not exist");
  return groups_.at(id);
}

void SortedOrder::group(GroupId id, GroupId parent, const Limits& guaranteed, const Limits& max,
                        std::uint64_t sequence) {
  const bool known = groups_.contains(id);
  Group& made = groups_[id];
  made.parent = parent;
  made.guaranteed = kind_ == Kind::map ? guaranteed.map_slots : guaranteed.reduce_slots;
  made.max = kind_ == Kind::map ? max.map_slots : max.reduce_slots;
  made.last_may_exceed = max.last_may_exceed;
  if (!known) made.sequence = sequence;
}

void SortedOrder::admit(JobIndex job, GroupId group, std::uint64_t sequence) {
  (void)known(group);
  jobs_[job].admitted = true;
  jobs_[job].group = group;
  jobs_[job].sequence = sequence;
}

bool SortedOrder::inside(GroupId group, GroupId outer) const {
  for (;; group = groups_.at(group).parent) {
    if (group == outer) return true;
    if (group == root_group) return false;
  }
}

Count SortedOrder::used(GroupId group, const Held& held) const {
  Count sum = 0;
  for (JobIndex job = 0; job < jobs_.size(); ++job) {
    if (jobs_[job].admitted && inside(jobs_[job].group, group)) sum += held(job);
  }
  return sum;
}

bool SortedOrder::has_room(JobIndex job, Count amount, const Held& held) const {
  for (GroupId id = jobs_[job].group; id != root_group; id = groups_.at(id).parent) {
    const Group& group = groups_.at(id);
    if (!group.last_may_exceed && used(id, held) + amount > group.max) return false;
  }
  return true;
}

Count SortedOrder::headroom(JobIndex job, const Held& held) const {
  Count least = unlimited;
  for (GroupId id = jobs_[job].group; id != root_group; id = groups_.at(id).parent) {
    const Group& group = groups_.at(id);
    least = std::min(least, group.max - used(id, held));
    least = std::min(least, group.guaranteed - used(id, held));
  }
  return std::max<Count>(0, least);
}

// Jobs and groups directly in `group` that may start something, in order.
std::vector<SortedOrder::Ordered> SortedOrder::children(GroupId group, const Ready& ready,
                                                        const Held& held) const {
  const Ordering ordering = groups_.at(group).ordering;
  std::vector<Ordered> found;
  for (JobIndex job = 0; job < jobs_.size(); ++job) {
    const Member& member = jobs_[job];
    if (!member.admitted || member.group != group || !ready(job) || held(job) >= member.cap) continue;
    const Place& place = member.place;
    const Key key = ordering == Ordering::fair ? fair(held(job), place.share) : place.key;
    found.push_back({{key, member.sequence}, {job}});
  }
  for (const auto& [id, child] : groups_) {
    if (id == root_group || child.parent != group) continue;
    const Count in_use = used(id, held);
    if (in_use >= child.max) continue;
    const std::vector<Ordered> below = children(id, ready, held);
    if (below.empty()) continue;
    if (ordering == Ordering::by_best) {
      found.insert(found.end(), below.begin(), below.end());
      continue;
    }
    Ordered entry{{child.place.key, child.sequence}, {}};
    if (ordering == Ordering::fair) entry.rank.key = fair(in_use, child.place.share);
    for (const Ordered& each : below) entry.jobs.insert(entry.jobs.end(), each.jobs.begin(), each.jobs.end());
    found.push_back(std::move(entry));
  }
  std::sort(found.begin(), found.end(), [](const Ordered& a, const Ordered& b) { return a.rank < b.rank; });
  return found;
}

std::vector<JobIndex> SortedOrder::jobs(const Ready& ready, const Held& held) const {
  std::vector<JobIndex> all;
  for (const Ordered& each : children(root_group, ready, held)) {
    all.insert(all.end(), each.jobs.begin(), each.jobs.end());
  }
  return all;
}

}  // namespace wavewright::sim
