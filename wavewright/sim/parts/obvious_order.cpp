#include "wavewright/sim/parts/obvious_order.h"

#include <algorithm>

namespace wavewright::sim {

namespace {

// The fair order written out, apart from the fast engine's: in 2^-20ths, those below their minimum first.
Key fair(Count held, const Share& share) {
  __extension__ using Wide = __int128;
  if (held < share.minimum) return static_cast<Key>(Wide{held} * (1 << 20) / share.minimum);
  return (Key{1} << 62) + static_cast<Key>(Wide{held} * (1 << 20) * 1000 / share.weight_thousandths);
}

}  // namespace

void ObviousOrder::group(GroupId id, GroupId parent, const Limits& guaranteed, const Limits& max,
                         std::uint64_t sequence) {
  const bool known = groups_.contains(id);
  Group& made = groups_[id];
  made.parent = parent;
  made.guaranteed = guaranteed;
  made.max = max;
  if (!known) made.sequence = sequence;
}

void ObviousOrder::admit(JobIndex job, GroupId group, std::uint64_t sequence) {
  jobs_[job].admitted = true;
  jobs_[job].group = group;
  jobs_[job].sequence = sequence;
}

bool ObviousOrder::inside(GroupId group, GroupId outer) const {
  for (;; group = groups_.at(group).parent) {
    if (group == outer) return true;
    if (group == root_group) return false;
  }
}

Count ObviousOrder::used(GroupId group, const Held& held) const {
  Count sum = 0;
  for (JobIndex job = 0; job < jobs_.size(); ++job) {
    if (jobs_[job].admitted && inside(jobs_[job].group, group)) sum += held(job);
  }
  return sum;
}

Count ObviousOrder::headroom(JobIndex job, const Held& held) const {
  Count least = unlimited;
  for (GroupId id = jobs_[job].group; id != root_group; id = groups_.at(id).parent) {
    const Group& group = groups_.at(id);
    least = std::min(least, group.max.map_slots - used(id, held));
    least = std::min(least, group.guaranteed.map_slots - used(id, held));
  }
  return std::max<Count>(0, least);
}

// Jobs and groups directly in `group` of which something may start.
std::vector<ObviousOrder::Ordered> ObviousOrder::children(GroupId group, Kind kind, const Ready& ready,
                                                          const Held& held) const {
  const Ordering ordering = groups_.at(group).ordering;
  const std::size_t at = index(kind);
  std::vector<Ordered> found;
  for (JobIndex job = 0; job < jobs_.size(); ++job) {
    const Member& member = jobs_[job];
    if (!member.admitted || member.group != group || !ready(job) || held(job) >= member.cap[at]) continue;
    const Place& place = member.place[at];
    const Key key = ordering == Ordering::fair ? fair(held(job), place.share) : place.key;
    found.push_back({{key, member.sequence}, {job}});
  }
  for (const auto& [id, child] : groups_) {
    if (id == root_group || child.parent != group) continue;
    const Count in_use = used(id, held);
    if (in_use >= (kind == Kind::map ? child.max.map_slots : child.max.reduce_slots)) continue;
    const std::vector<Ordered> below = children(id, kind, ready, held);
    if (below.empty()) continue;
    if (ordering == Ordering::by_best) {
      found.insert(found.end(), below.begin(), below.end());
      continue;
    }
    Ordered entry{{child.place[at].key, child.sequence}, {}};
    if (ordering == Ordering::fair) entry.rank.key = fair(in_use, child.place[at].share);
    for (const Ordered& each : below) entry.jobs.insert(entry.jobs.end(), each.jobs.begin(), each.jobs.end());
    found.push_back(std::move(entry));
  }
  std::sort(found.begin(), found.end(), [](const Ordered& a, const Ordered& b) { return a.rank < b.rank; });
  return found;
}

std::vector<JobIndex> ObviousOrder::jobs(Kind kind, const Ready& ready, const Held& held) const {
  std::vector<JobIndex> all;
  for (const Ordered& each : children(root_group, kind, ready, held)) {
    all.insert(all.end(), each.jobs.begin(), each.jobs.end());
  }
  return all;
}

}  // namespace wavewright::sim
