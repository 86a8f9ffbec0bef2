// The order in which jobs may start tasks, sorted anew each time: the reference for tests of OrderTree.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "wavewright/sched/policy.h"

namespace wavewright::sim {

class SortedOrder {
 public:
  static constexpr bool limited = true;

  SortedOrder(std::size_t jobs, Kind kind) : kind_(kind), jobs_(jobs) { groups_[root_group] = {}; }

  void group(GroupId id, GroupId parent, const Limits& guaranteed, const Limits& max, std::uint64_t sequence);
  void rank_group(GroupId id, Key key) { known(id).place.key = key; }
  void order(GroupId id, Ordering ordering) { known(id).ordering = ordering; }
  void share_group(GroupId id, const Share& share) { known(id).place.share = share; }

  void admit(JobIndex job, GroupId group, std::uint64_t sequence);
  void rank(JobIndex job, Key key) { jobs_[job].place.key = key; }
  [[nodiscard]] Key rank_of(JobIndex job) const { return jobs_[job].place.key; }
  void share(JobIndex job, const Share& share) { jobs_[job].place.share = share; }
  void cap(JobIndex job, Count count) { jobs_[job].cap = count; }

  // Jobs that may start a task, best first. `ready`: it has a task; `held`: what it holds.
  using Ready = std::function<bool(JobIndex)>;
  using Held = std::function<Count(JobIndex)>;
  [[nodiscard]] std::vector<JobIndex> jobs(const Ready& ready, const Held& held) const;

  // What the jobs of a group and of its subgroups hold.
  [[nodiscard]] Count used(GroupId group, const Held& held) const;

  // Do the limits of the groups above the job leave room for that much more?
  [[nodiscard]] bool has_room(JobIndex job, Count amount, const Held& held) const;

  // What the limits of the groups above the job leave; at least 0.
  [[nodiscard]] Count headroom(JobIndex job, const Held& held) const;

 private:
  struct Place {
    Key key = 0;
    Share share;
  };
  struct Member {
    Place place;
    Count cap = unlimited;
    GroupId group = root_group;
    std::uint64_t sequence = 0;
    bool admitted = false;
  };
  struct Group {
    Place place;
    GroupId parent = root_group;
    Count guaranteed = unlimited;
    Count max = unlimited;
    bool last_may_exceed = false;
    std::uint64_t sequence = 0;
    Ordering ordering = Ordering::ranked;
  };
  struct Rank {
    Key key = 0;
    std::uint64_t sequence = 0;
    friend auto operator<=>(const Rank&, const Rank&) = default;
  };
  struct Ordered {  // a child and the jobs under it
    Rank rank;
    std::vector<JobIndex> jobs;
  };

  [[nodiscard]] Group& known(GroupId id);
  [[nodiscard]] bool inside(GroupId group, GroupId outer) const;
  [[nodiscard]] std::vector<Ordered> children(GroupId group, const Ready& ready, const Held& held) const;

  Kind kind_;
  std::vector<Member> jobs_;
  std::map<GroupId, Group> groups_;
};

}  // namespace wavewright::sim
