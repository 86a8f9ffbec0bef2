// What the obvious engines of slots and of containers have in common: where jobs stand, kept in the plainest
// way, and what policies see and decide of them.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "wavewright/sim/nodes/model.h"
#include "wavewright/sim/parts/obvious_flows.h"
#include "wavewright/sim/parts/obvious_order.h"
#include "wavewright/sim/result.h"

namespace wavewright::sim {

class ObviousWorld : protected View, protected Decisions {
 protected:
  enum class TaskState : std::uint8_t { pending, running, done };
  struct TaskInfo {
    bool doubled = false;
    TaskState state = TaskState::pending;
    std::uint32_t attempts = 0;
    Count failures = 0;
    NodeIndex ran_on = 0;  // of one that is done
  };
  // Lists of three are by Kind.
  struct JobState {
    bool arrived = false, admitted = false, begun = false, started = false, reduces_ready = false;
    bool rejected = false, failed = false, finished = false;
    std::vector<TaskInfo> tasks_of[3];
    std::optional<Time> maps_done;
    Blocks blocks;
    std::map<NodeIndex, Count> failures_on;
    std::set<NodeIndex> barred;
    std::vector<std::uint32_t> marked_of[3];  // to have a second attempt
    // Of containers:
    Count asked_of[3] = {0, 0, 0};
    Count cap[3] = {unlimited, unlimited, unlimited};
    std::optional<Time> up;  // its master asks since then
    std::uint32_t masters = 0;

    [[nodiscard]] bool settled() const { return rejected || failed || finished; }
    [[nodiscard]] std::vector<TaskInfo>& tasks(Kind kind) { return tasks_of[static_cast<std::size_t>(kind)]; }
    [[nodiscard]] const std::vector<TaskInfo>& tasks(Kind kind) const {
      return tasks_of[static_cast<std::size_t>(kind)];
    }
    [[nodiscard]] std::vector<std::uint32_t>& marked(Kind kind) {
      return marked_of[static_cast<std::size_t>(kind)];
    }
    [[nodiscard]] const std::vector<std::uint32_t>& marked(Kind kind) const {
      return marked_of[static_cast<std::size_t>(kind)];
    }
    [[nodiscard]] Count& asked(Kind kind) { return asked_of[static_cast<std::size_t>(kind)]; }
    [[nodiscard]] Count count(Kind kind, TaskState state) const;
    [[nodiscard]] bool all_done(Kind kind) const {
      return count(kind, TaskState::done) == static_cast<Count>(tasks(kind).size());
    }
    // Tasks that could start: those that do not run, and those to be doubled.
    [[nodiscard]] Count wanted(Kind kind) const {
      return count(kind, TaskState::pending) + static_cast<Count>(marked(kind).size());
    }
  };

  ObviousWorld(const Workload& workload, Policy& policy, const NodeModel& model);

  [[nodiscard]] const Job& job(JobIndex index) const { return workload_.jobs[index]; }
  [[nodiscard]] Duration period() const { return model_.cluster.mode.heartbeat; }
  [[nodiscard]] bool beats(NodeIndex node, Time at) const;
  // When it is there: set up once it is submitted and all predecessors are done; none while one is not.
  [[nodiscard]] std::optional<Time> there_from(JobIndex index) const;
  void arrivals();
  void tell(Event::What what, JobIndex index, Kind kind, NodeIndex node);
  void timers();
  void come_and_go();
  void drop(JobIndex index);
  void drop_successors(JobIndex index);
  [[nodiscard]] bool ready_for_reduces(JobIndex index) const;  // by slow-start
  [[nodiscard]] Locality locality(JobIndex index, std::size_t map, NodeIndex node) const;
  [[nodiscard]] Factor speed_factor(JobIndex index, NodeIndex node) const;
  [[nodiscard]] Duration map_work(JobIndex index, std::uint32_t task, NodeIndex node, Locality where) const;
  [[nodiscard]] Duration reduce_work(JobIndex index, std::uint32_t task, NodeIndex node) const;
  [[nodiscard]] bool barred(JobIndex index, NodeIndex node) const {
    return jobs_[index].barred.contains(node);
  }
  void count_failure(JobIndex index, NodeIndex node);  // of an attempt, towards blacklists
  void count_place(JobIndex index, Locality where);    // of a map, where places are known

  // The map's block comes over the network from `at` on, if it lies elsewhere. The flow; 0 = none.
  [[nodiscard]] ObviousFlows::Id read_block(JobIndex index, std::uint32_t map, NodeIndex node, Time at);
  // Bytes of the reduce that the job's maps that are done have for it.
  [[nodiscard]] std::uint64_t fetchable(JobIndex index, std::uint32_t reduce) const;

  // Of the tasks of the job that can start there, the first in their order among the closest.
  [[nodiscard]] std::optional<TaskChoice> closest(JobIndex index, NodeIndex node, Kind kind,
                                                  Locality at_most) const;

  // Slots or containers of the kind that the job has, and what is made of its admission and caps.
  [[nodiscard]] virtual Count holds(JobIndex index, Kind kind) const = 0;
  virtual void admitted(JobIndex index) = 0;
  virtual void capped(JobIndex index, Kind kind, Count count) = 0;
  [[nodiscard]] virtual bool runs_on(NodeIndex node, JobIndex index, Kind kind, std::uint32_t task) const = 0;
  virtual void lose_attempts(NodeIndex node) = 0;  // all that runs on a node that goes away

  // View
  [[nodiscard]] Time now() const override { return now_; }
  [[nodiscard]] const std::string& id(JobIndex index) const override { return job(index).id; }
  [[nodiscard]] const std::string& queue(JobIndex index) const override { return job(index).queue; }
  [[nodiscard]] const std::string& user(JobIndex index) const override { return job(index).user; }
  [[nodiscard]] Count pending(JobIndex index, Kind kind) const override {
    return jobs_[index].count(kind, TaskState::pending);
  }
  [[nodiscard]] Count held(JobIndex index, Kind kind, ClassId) const override {
    return jobs_[index].settled() ? 0 : holds(index, kind);  // what a failed job has is being taken from it
  }
  [[nodiscard]] bool containers() const override { return model_.containers; }
  [[nodiscard]] Count master(JobIndex index) const override {
    return model_.containers ? model_.request(job(index), Kind::master).memory : 0;
  }
  [[nodiscard]] Count step() const override { return model_.step(); }
  [[nodiscard]] Estimate estimate(JobIndex index, Kind kind, ClassId node_class) const override;
  [[nodiscard]] std::size_t nodes() const override { return model_.topology.size(); }
  [[nodiscard]] std::size_t classes() const override { return model_.topology.classes.size(); }
  [[nodiscard]] ClassId node_class(NodeIndex node) const override {
    return model_.topology.node_class[model_.topology.group[node]];
  }

  // Decisions
  void group(GroupId id, GroupId parent, Limits guaranteed, Limits max) override {
    order_.group(id, parent, guaranteed, max, sequence_++);
  }
  void rank_group(GroupId id, Kind kind, Key key) override { order_.rank_group(id, kind, key); }
  void order(GroupId id, Ordering ordering) override { order_.order(id, ordering); }
  void share(JobIndex index, Kind kind, Share share) override { order_.share(index, kind, share); }
  void share_group(GroupId id, Kind kind, Share share) override { order_.share_group(id, kind, share); }
  void admit(JobIndex index, GroupId group) override;
  void reject(JobIndex index, const std::string&) override { drop(index); }
  void rank(JobIndex index, Kind kind, Key key) override { order_.rank(index, kind, key); }
  void cap(JobIndex index, Kind kind, ClassId, Count count) override { capped(index, kind, count); }
  void reserve(JobIndex, Kind, ClassId, Count, Time, Time) override;
  void reclaim(JobIndex, Kind, Count, Duration) override;
  void wake(Time at, Token token) override { timers_.insert({std::max(at, now_ + ms(1)), token}); }
  void explain(JobIndex, const std::string&) override {}

  void arrive(JobIndex index);
  void lose_outputs(NodeIndex node);

  const Workload& workload_;
  Allocator& policy_;
  Placer* placer_;
  const NodeModel& model_;
  std::vector<JobState> jobs_;
  ObviousFlows flows_;
  ObviousOrder order_;
  std::map<NodeIndex, int> away_;  // outages that each is in
  std::size_t changed_ = 0;        // of model_.changes
  std::multimap<Time, Token> timers_;
  Time now_{};
  bool began_ = false;
  std::uint64_t sequence_ = 0;
  SimulationResult result_;
};

}  // namespace wavewright::sim
