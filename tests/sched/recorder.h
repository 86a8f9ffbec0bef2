// Records each decision of a policy as a readable line before it passes it on, and keeps what stands.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "wavewright/sched/decisions.h"

namespace wavewright {

// The decisions of a policy so far, by job and by group.
struct Decided {
  struct Group {
    GroupId parent = root_group;
    Limits guaranteed, max;
  };
  std::vector<std::string> lines;  // every call in order, such as `rank A map 3`
  std::map<GroupId, Group> groups;
  std::map<JobIndex, GroupId> admitted;
  std::map<JobIndex, std::map<std::pair<Kind, ClassId>, Count>> caps;
};

class Recorder final : public Decisions {
 public:
  using NameOf = std::function<std::string(JobIndex)>;
  Recorder(Decisions& next, Decided& decided, NameOf name_of)
      : next_(next), decided_(decided), id_(std::move(name_of)) {}

  void admit(JobIndex job, GroupId group) override;
  void reject(JobIndex job, const Reason& reason) override;
  void explain(JobIndex job, const Reason& reason) override;
  void group(GroupId group, GroupId parent, Limits guaranteed, Limits max) override;
  void rank(JobIndex job, Kind kind, Key key) override;
  void rank_group(GroupId group, Kind kind, Key key) override;
  void order(GroupId group, Ordering ordering) override;
  void share(JobIndex job, Kind kind, Share share) override;
  void share_group(GroupId group, Kind kind, Share share) override;
  void cap(JobIndex job, Kind kind, ClassId node_class, Count count) override;
  void reserve(JobIndex job, Kind kind, ClassId node_class, Count count, Time from, Time to) override;
  void preempt(JobIndex job, Kind kind, ClassId node_class, Count count, Duration grace) override;
  void near_only(JobIndex job, bool only) override;
  void set_timer(Time at, Token token) override;
  void cancel_timer(Token token) override;
  LeaseId rent(const LeaseRequest& request) override;
  void give_back(LeaseId lease) override;

 private:
  Decisions& next_;
  Decided& decided_;
  NameOf id_;
};

}  // namespace wavewright
