// The order in which jobs may start tasks, found anew each time by sorting: what ReadyTree is tested against.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "wavewright/sched/policy.h"

namespace wavewright::sim {

class ObviousOrder {
 public:
  explicit ObviousOrder(std::size_t jobs) : jobs_(jobs) { groups_[root_group] = {}; }

  void group(GroupId id, GroupId parent, const Limits& guaranteed, const Limits& max, std::uint64_t sequence);
  void rank_group(GroupId id, Kind kind, Key key) { groups_.at(id).place[index(kind)].key = key; }
  void order(GroupId id, Ordering ordering) { groups_.at(id).ordering = ordering; }
  void share_group(GroupId id, Kind kind, const Share& share) {
    groups_.at(id).place[index(kind)].share = share;
  }

  void admit(JobIndex job, GroupId group, std::uint64_t sequence);
  void rank(JobIndex job, Kind kind, Key key) { jobs_[job].place[index(kind)].key = key; }
  void share(JobIndex job, Kind kind, const Share& share) { jobs_[job].place[index(kind)].share = share; }
  void cap(JobIndex job, Kind kind, Count count) { jobs_[job].cap[index(kind)] = count; }

  // Those of which a task of the kind may start, best first. `ready`: it has one; `held`: how many it holds.
  using Ready = std::function<bool(JobIndex)>;
  using Held = std::function<Count(JobIndex)>;
  [[nodiscard]] std::vector<JobIndex> jobs(Kind kind, const Ready& ready, const Held& held) const;

  // What the jobs of a group and of the groups in it hold.
  [[nodiscard]] Count used(GroupId group, const Held& held) const;

  // What the groups above the job leave of their limits on maps, 0 at least.
  [[nodiscard]] Count headroom(JobIndex job, const Held& held) const;

 private:
  struct Place {
    Key key = 0;
    Share share;
  };
  struct Member {
    Place place[2];
    Count cap[2] = {unlimited, unlimited};
    GroupId group = root_group;
    std::uint64_t sequence = 0;
    bool admitted = false;
  };
  struct Group {
    Place place[2];
    GroupId parent = root_group;
    Limits guaranteed;
    Limits max;
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

  static std::size_t index(Kind kind) { return kind == Kind::map ? 0 : 1; }
  [[nodiscard]] bool inside(GroupId group, GroupId outer) const;
  [[nodiscard]] std::vector<Ordered> children(GroupId group, Kind kind, const Ready& ready,
                                              const Held& held) const;

  std::vector<Member> jobs_;
  std::map<GroupId, Group> groups_;
};

}  // namespace wavewright::sim
