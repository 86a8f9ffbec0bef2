// The jobs that may start a task of one kind, where groups have maximum limits and jobs have caps: a tree of
// groups, each with its eligible children in order of rank. A child is eligible while it is below its limit
// and has something to start; each start or end touches the path to the root. O(depth · log children).
#pragma once

#include <set>
#include <tuple>
#include <vector>

#include "wavewright/core/error.h"
#include "wavewright/sched/policy.h"

namespace wavewright::sim {

class ReadyTree {
 public:
  static constexpr bool limited = true;

  ReadyTree(std::size_t jobs, Kind kind) : kind_(kind), jobs_(jobs), groups_(1) { groups_[0].exists = true; }

  void group(GroupId id, GroupId parent, Limits max, std::uint64_t sequence) {
    if (id == root_group || id == parent || parent >= groups_.size() || !groups_[parent].exists) {
      throw Defect("the policy placed group " + std::to_string(id) + " under group " +
                   std::to_string(parent) + ", which does not exist");
    }
    if (id >= groups_.size()) groups_.resize(id + 1);
    Group& group = groups_[id];
    if (group.exists && group.parent != parent) throw Defect("the policy moved group " + std::to_string(id));
    if (!group.exists) group.place.sequence = sequence;
    group.exists = true;
    group.parent = parent;
    group.limit = kind_ == Kind::map ? max.map_slots : max.reduce_slots;
    refresh_group(id);
  }
  void rank_group(GroupId id, Key key) {
    Group& group = known(id);
    if (group.place.listed) unlist(groups_[group.parent], group.place, id, true);
    group.place.key = key;
    refresh_group(id);
  }

  void admit(JobIndex job, GroupId group, std::uint64_t sequence) {
    (void)known(group);
    jobs_[job].group = group;
    jobs_[job].place.sequence = sequence;
  }
  void add(JobIndex job) {
    jobs_[job].ready = true;
    refresh_job(job);
  }
  void remove(JobIndex job) {
    jobs_[job].ready = false;
    refresh_job(job);
  }
  void rank(JobIndex job, Key key) {
    Member& member = jobs_[job];
    if (member.place.listed) unlist(groups_[member.group], member.place, job, false);
    member.place.key = key;
    refresh_job(job);
  }
  void cap(JobIndex job, Count count) {
    jobs_[job].limit = count;
    refresh_job(job);
  }

  [[nodiscard]] bool any() const { return !groups_[root_group].eligible.empty(); }
  [[nodiscard]] JobIndex best() const {
    GroupId at = root_group;
    for (;;) {
      const Entry& first = *groups_[at].eligible.begin();
      if (!std::get<3>(first)) return std::get<2>(first);
      at = std::get<2>(first);
    }
  }
  void started(JobIndex job) { change(job, +1); }
  void ended(JobIndex job) { change(job, -1); }

  [[nodiscard]] Count used(GroupId group) const { return group < groups_.size() ? groups_[group].used : 0; }

 private:
  using Entry = std::tuple<Key, std::uint64_t, std::uint32_t, bool>;  // key, sequence, id, is a group
  struct Place {                                                      // among siblings
    Key key = 0;
    std::uint64_t sequence = 0;
    bool listed = false;
  };
  struct Member {
    Place place;
    GroupId group = root_group;
    Count held = 0;
    Count limit = unlimited;
    bool ready = false;
  };
  struct Group {
    Place place;
    GroupId parent = root_group;
    Count used = 0;
    Count limit = unlimited;
    bool exists = false;
    std::set<Entry> eligible;
  };

  Group& known(GroupId id) {
    if (id >= groups_.size() || !groups_[id].exists) {
      throw Defect("the policy used group " + std::to_string(id) + ", which does not exist");
    }
    return groups_[id];
  }
  static void unlist(Group& parent, Place& place, std::uint32_t id, bool is_group) {
    parent.eligible.erase({place.key, place.sequence, id, is_group});
    place.listed = false;
  }
  static void list(Group& parent, Place& place, std::uint32_t id, bool is_group, bool wanted) {
    if (wanted == place.listed) return;
    if (!wanted) {
      unlist(parent, place, id, is_group);
    } else {
      parent.eligible.insert({place.key, place.sequence, id, is_group});
      place.listed = true;
    }
  }
  void refresh_job(JobIndex job) {
    Member& member = jobs_[job];
    list(groups_[member.group], member.place, job, false, member.ready && member.held < member.limit);
    refresh_group(member.group);
  }
  void refresh_group(GroupId id) {
    for (; id != root_group; id = groups_[id].parent) {
      Group& group = groups_[id];
      list(groups_[group.parent], group.place, id, true, !group.eligible.empty() && group.used < group.limit);
    }
  }
  void change(JobIndex job, Count by) {
    Member& member = jobs_[job];
    member.held += by;
    for (GroupId id = member.group;; id = groups_[id].parent) {
      groups_[id].used += by;
      if (id == root_group) break;
    }
    refresh_job(job);
  }

  Kind kind_;
  std::vector<Member> jobs_;
  std::vector<Group> groups_;
};

}  // namespace wavewright::sim
