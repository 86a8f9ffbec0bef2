// The state that both reference engines keep, in the simplest form: jobs, and the View of policies.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "wavewright/job/precedence.h"
#include "wavewright/sched/job_facts.h"
#include "wavewright/sched/ledger/ledger.h"
#include "wavewright/sim/model/lease_book.h"
#include "wavewright/sim/model/node_model.h"
#include "wavewright/sim/reference/reference_flows.h"
#include "wavewright/sim/reference/sorted_order.h"
#include "wavewright/sim/result.h"

namespace wavewright::sim {

class ReferenceWorld : protected View, protected LedgerDriver {
 protected:
  enum class TaskState : std::uint8_t { pending, running, done };
  struct TaskInfo {
    bool doubled = false;
    TaskState state = TaskState::pending;
    std::uint32_t attempts = 0;
    Count failures = 0;
    NodeIndex ran_on = 0;             // node of the attempt that is done
    std::uint32_t ran_in = 0;         // its slot
    Duration took{};                  // its length
    std::optional<Time> asked_again;  // with containers: when a map that runs again was asked for
  };
  // Arrays of three are by Kind.
  struct JobState {
    bool arrived = false, admitted = false, begun = false, started = false, reduces_ready = false;
    bool rejected = false, failed = false, finished = false;
    std::vector<TaskInfo> tasks_of[3];
    std::optional<Time> maps_done;
    Blocks blocks;
    std::map<NodeIndex, Count> failures_on;
    std::set<NodeIndex> blacklisted;
    std::vector<std::uint32_t> marked_of[3];  // tasks to get a second attempt
    std::vector<std::uint32_t> failed_maps;   // with containers: failed or lost with a node, to run again
    // With containers only:
    Count asked_of[3] = {0, 0, 0};
    Count decided = 0;  // reduces that its master asks for, of which YARN learns at its next heartbeat
    Count cap[3] = {unlimited, unlimited, unlimited};
    std::optional<Time> up;  // when its master came up
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
    [[nodiscard]] Count asked_in_all() const { return asked_of[0] + asked_of[1] + asked_of[2]; }
    [[nodiscard]] Count count(Kind kind, TaskState state) const;
    [[nodiscard]] bool all_done(Kind kind) const {
      return count(kind, TaskState::done) == static_cast<Count>(tasks(kind).size());
    }
    // Some tasks are not wanted any more.
    void ask_less(Kind kind) {
      asked(kind) = std::min(asked(kind), wanted(kind));
      if (kind == Kind::reduce) decided = std::min(decided, wanted(kind));
    }
    // Tasks that could start: pending ones, and those to be doubled.
    [[nodiscard]] Count wanted(Kind kind) const {
      return count(kind, TaskState::pending) + static_cast<Count>(marked(kind).size());
    }
  };

  ReferenceWorld(const Workload& workload, Policy& policy, const NodeModel& model);

  [[nodiscard]] const Job& job(JobIndex index) const { return workload_.jobs[index]; }
  [[nodiscard]] const std::string& id(JobIndex index) const { return job(index).id; }
  [[nodiscard]] Duration period() const { return model_.cluster.mode.heartbeat; }
  [[nodiscard]] bool beats(NodeIndex node, Time at) const;
  // When the job arrives: set up after submission and the end of all predecessors; none if one is not done.
  [[nodiscard]] std::optional<Time> there_from(JobIndex index) const;
  void arrivals();
  void tell(Event event);
  void timers();
  // The next timer, preemption, change of a lease, or begin or end of a reservation.
  [[nodiscard]] std::optional<Time> next_decided();
  void apply_node_changes();
  void apply_file_changes();
  void drop(JobIndex index, const Reason& reason);
  void drop_successors(JobIndex index);
  [[nodiscard]] bool ready_for_reduces(JobIndex index) const;  // by slow-start
  [[nodiscard]] Locality locality(JobIndex index, std::size_t map, NodeIndex node) const;
  [[nodiscard]] Factor speed_factor(JobIndex index, NodeIndex node) const;
  [[nodiscard]] Duration map_work(JobIndex index, std::uint32_t task, NodeIndex node, Locality where) const;
  [[nodiscard]] Duration reduce_work(JobIndex index, std::uint32_t task, NodeIndex node) const;
  // True if the job may not start a task there: blacklist, cap of the class, other jobs' reservations.
  [[nodiscard]] bool refused(JobIndex index, Kind kind, NodeIndex node) const;
  [[nodiscard]] Count lacking(const Reservation& reservation) const;
  [[nodiscard]] bool is_away(NodeIndex node) const {
    const auto found = away_.find(node);
    return found != away_.end() && found->second > 0;
  }
  // True if nothing may start on the node: it is away, or the market takes it soon.
  [[nodiscard]] bool is_closed(NodeIndex node) const { return is_away(node) || noticed_.contains(node); }
  void count_failure(JobIndex index, NodeIndex node);  // of an attempt, for blacklists
  void count_place(JobIndex index, Locality where);    // of a map, if block places are known

  // Reads the map's block over the network from `at` on, if it is not on the node. The flow; 0 = none.
  [[nodiscard]] ReferenceFlows::Id read_block(JobIndex index, std::uint32_t map, NodeIndex node, Time at);
  // Bytes that the job's finished maps have for the reduce.
  [[nodiscard]] std::uint64_t fetchable(JobIndex index, std::uint32_t reduce) const;

  // The first of the job's closest tasks that can start there; none if none is as close as `at_most`.
  [[nodiscard]] std::optional<TaskChoice> closest(JobIndex index, NodeIndex node, Kind kind,
                                                  Locality at_most) const;

  // Slots or containers of the kind that the job has.
  [[nodiscard]] virtual Count holds(JobIndex index, Kind kind) const = 0;
  [[nodiscard]] virtual Count holds_on(JobIndex index, Kind kind, ClassId node_class) const = 0;
  [[nodiscard]] virtual Count free_on(Kind kind,
                                      ClassId node_class) const = 0;         // of nodes that are not closed
  [[nodiscard]] virtual Count size_of(JobIndex index, Kind kind) const = 0;  // 1, or MiB
  [[nodiscard]] virtual bool runs_on(NodeIndex node, JobIndex index, Kind kind, std::uint32_t task) const = 0;
  virtual void node_closes(NodeIndex) {}           // nothing starts there from now on
  virtual void lose_attempts(NodeIndex node) = 0;  // everything on a node that leaves

  // View
  [[nodiscard]] Time now() const override { return now_; }
  [[nodiscard]] JobFacts facts(JobIndex index) const override {
    return facts_of(job(index), precedence_.predecessors(index));
  }
  [[nodiscard]] Count pending(JobIndex index, Kind kind) const override {
    return jobs_[index].count(kind, TaskState::pending);
  }
  [[nodiscard]] Count block_places(JobIndex index) const override;
  [[nodiscard]] bool blacklisted(JobIndex index, NodeIndex node) const override {
    return jobs_[index].blacklisted.contains(node);
  }
  [[nodiscard]] Count held(JobIndex index, Kind kind, ClassId node_class) const override {
    if (jobs_[index].settled()) return 0;  // a failed job's slots are being taken away
    return node_class == any_class ? holds(index, kind) : holds_on(index, kind, node_class);
  }
  [[nodiscard]] bool keeps_map_output() const override { return model_.cluster.faults.keeps_map_output; }
  [[nodiscard]] bool containers() const override { return model_.containers; }
  [[nodiscard]] Count size(JobIndex index, Kind kind) const override {  // of a container in MiB; 1 for slots
    return model_.containers ? model_.request(job(index), kind).memory : 1;
  }
  [[nodiscard]] Count tasks_on_node(JobIndex index, Kind kind, ClassId node_class) const override {
    return model_.tasks_on_node(job(index), kind, node_class);
  }
  [[nodiscard]] Count slots_on(NodeIndex node, Kind kind) const override {
    return model_.containers || is_closed(node) ? 0 : model_.slots(node, kind);
  }
  [[nodiscard]] double efficiency(JobIndex index, ClassId node_class) const override {
    return model_.power.efficiency(job(index), node_class);
  }
  [[nodiscard]] std::string_view class_label(ClassId node_class) const override {
    return model_.class_label(node_class);
  }
  [[nodiscard]] bool has_own_entry(JobIndex index, ClassId node_class) const override {
    return model_.has_own_entry(job(index), node_class);
  }
  [[nodiscard]] std::span<const NodeIndex> block_nodes(JobIndex index, TaskIndex map) const override {
    const Blocks& blocks = jobs_.at(index).blocks;
    return blocks.empty() ? std::span<const NodeIndex>() : blocks.of(map);
  }
  [[nodiscard]] bool map_is_pending(JobIndex index, TaskIndex map) const override {
    const JobState& state = jobs_.at(index);
    return !state.blocks.empty() && state.tasks(Kind::map).at(map).state == TaskState::pending;
  }
  [[nodiscard]] Count minimum_allocation() const override { return model_.minimum_allocation(); }
  [[nodiscard]] Estimate estimate(JobIndex index, Kind kind, ClassId node_class) const override;
  [[nodiscard]] std::size_t nodes() const override { return model_.topology.size(); }
  [[nodiscard]] std::size_t classes() const override { return model_.topology.classes.size(); }
  [[nodiscard]] ClassId node_class(NodeIndex node) const override {
    return model_.topology.node_class[model_.topology.group[node]];
  }

  [[nodiscard]] Duration quantile(JobIndex index, Kind kind, ClassId node_class, double q) const override;
  [[nodiscard]] std::string_view class_name(ClassId node_class) const override {
    return model_.topology.classes.at(node_class);
  }
  [[nodiscard]] SlotIndex slots(Kind kind) const override;

  // LedgerDriver
  void admitted(JobIndex index) override { jobs_[index].admitted = true; }
  void rejected(JobIndex index, const Reason& reason) override { drop(index, reason); }
  LeaseId rent(const LeaseRequest& request) override {
    return leases_.rent(request, static_cast<std::uint64_t>(to_ms(now_)), policy_.name());
  }
  void give_back(LeaseId lease) override {
    leases_.give_back(lease, static_cast<std::uint64_t>(to_ms(now_)), policy_.name());
  }
  [[nodiscard]] LeaseOffer lease_offer(ClassId node_class) const override {
    return leases_.offer(node_class, static_cast<std::uint64_t>(to_ms(now_)));
  }
  // True if the node counts towards the capacity: it is not for rent, or is rented and present.
  [[nodiscard]] bool counts(NodeIndex node) const {
    return !model_.cluster.nodes[model_.topology.group[node]].rent || !is_closed(node);
  }
  void leave(NodeIndex node, LeaseId lease);
  void notice(const LeaseBook::Change& change);
  void join(NodeIndex node, LeaseId lease);
  void bill();
  void explained(JobIndex index, const Reason& reason) override {
    result_.remarks.push_back({now_, index, reason});
  }

  virtual void submitted() {}  // a job has come
  void arrive(JobIndex index);
  void lose_outputs(NodeIndex node);
  // The task of an attempt that ended like this must run again.
  void run_again(JobIndex index, Kind kind, std::uint32_t task, AttemptOutcome after);

  const Workload& workload_;
  Allocator& policy_;
  Placer* placer_;
  const NodeModel& model_;
  std::vector<JobState> jobs_;
  ReferenceFlows flows_;
  const Precedence precedence_;
  Ledger<SortedOrder> ledger_;
  LeaseBook leases_;
  std::map<NodeIndex, int> away_;  // number of reasons to be away
  std::set<NodeIndex> noticed_;    // rented nodes that the market takes soon
  std::size_t changed_ = 0;        // number of model_.changes applied
  Time now_{};
  bool began_ = false;
  SimulationResult result_;
};

}  // namespace wavewright::sim
