// A cluster for tests of policies. The test says which jobs arrive, which tasks start and end, and moves the
// clock; a real ledger enforces what the policy decides, and each decision is recorded as a line.
//
//   FakeCluster cluster({.nodes = {{.map_slots = 4}}, .jobs = {{.id = "A", .maps = 9}, {.id = "B", .maps =
//   9}}},
//                       make_policy("fair"));
//   cluster.arrive("A");
//   cluster.arrive("B");
//   EXPECT_EQ(cluster.fill(Kind::map), "A A B B");
//
// Reduces are ready when all maps of their job are done. A job whose tasks are all done finishes by itself.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/sched/recorder.h"
#include "wavewright/sched/ledger/ledger.h"
#include "wavewright/sched/ledger/order_tree.h"

namespace wavewright {

struct FakeJob {
  std::string id;
  Count maps = 0;
  Count reduces = 0;
  std::string queue = "default";
  std::string user = "ann";
  Duration map = ms(1000);  // the estimate of each task on the first class
  Duration reduce = ms(1000);
  std::optional<Time> deadline{};
  std::vector<std::vector<NodeIndex>>
      blocks{};                            // the nodes with each map's block; none = they lie everywhere
  std::map<ClassId, double> efficiency{};  // of classes that it has an entry of its own for
};
struct FakeNode {
  Count map_slots = 0;  // with containers: how many of them
  Count reduce_slots = 0;
  ClassId node_class = 0;
};
struct FakeClass {
  std::string name = "standard";
  std::int64_t percent = 100;  // of a task's estimate
  std::string label{};
  FakeNode machine{};  // one that is rented
  LeaseOffer offer{};
};
struct FakeSetup {
  std::vector<FakeNode> nodes{};
  std::vector<FakeJob> jobs{};
  std::vector<FakeClass> classes = {{}};
  Count container = 0;   // memory of every container and master, MiB; each takes a core. 0 = slots
  bool preempts = true;  // attempts that a policy preempts are killed
};

class FakeCluster final : public View, private LedgerDriver {
 public:
  FakeCluster(FakeSetup setup, Policy policy);
  // The same cluster after a restart: the policy, made anew, is told the present state as policy.h says.
  FakeCluster(const FakeCluster& before, Policy policy);

  // ---- what happens
  void arrive(const std::string& id);
  void start(const std::string& id, Kind kind);  // on the first node that has room
  void start(const std::string& id, Kind kind, NodeIndex node);
  void end(const std::string& id, Kind kind);  // the attempt that started first is done
  // The attempt that started last is over and its task waits again.
  void lose(const std::string& id, Kind kind, AttemptOutcome outcome = AttemptOutcome::lost);
  void end(std::size_t attempt);  // as running() counts them; a master ends with its job only
  void lose(std::size_t attempt, AttemptOutcome outcome = AttemptOutcome::lost);
  void advance(Duration by);  // timers go off, rented machines join, preempted attempts are killed

  // ---- whose turn it is
  [[nodiscard]] std::string order(Kind kind) const;  // the jobs that may start a task, such as `B A`
  [[nodiscard]] std::string next(Kind kind) const;   // the first of them, or ``
  // The next job starts a task on the node, if the placer and what is reserved and capped there let one.
  std::string give(Kind kind, NodeIndex node);
  std::string fill(Kind kind);  // every free slot in turn, as long as something starts; who got them

  // ---- what was decided and told
  [[nodiscard]] const std::vector<std::string>& decisions() const { return decided_.lines; }
  [[nodiscard]] std::size_t count(const std::string& beginning) const;  // decisions that begin so
  [[nodiscard]] std::size_t told(Part part, Event::What what) const;
  [[nodiscard]] std::string standing() const;  // orders, caps and limits of the jobs that are not over
  [[nodiscard]] std::string standing_of(const std::string& id) const;  // `waiting`, `admitted`, `rejected`…
  [[nodiscard]] std::size_t running() const { return attempts_.size(); }
  [[nodiscard]] std::size_t arrivals_left() const;
  [[nodiscard]] bool has_room(Kind kind, NodeIndex node) const { return free_place(kind, node).has_value(); }

  // ---- View
  [[nodiscard]] Time now() const override { return now_; }
  [[nodiscard]] JobFacts facts(JobIndex job) const override;
  [[nodiscard]] Count pending(JobIndex job, Kind kind) const override;
  [[nodiscard]] Count block_places(JobIndex job) const override;  // each node is a rack of its own
  [[nodiscard]] Count held(JobIndex job, Kind kind, ClassId node_class) const override;
  [[nodiscard]] bool has_pending_request(JobIndex job) const override;
  [[nodiscard]] Estimate estimate(JobIndex job, Kind kind, ClassId node_class) const override;
  [[nodiscard]] Duration quantile(JobIndex job, Kind kind, ClassId node_class, double q) const override;
  [[nodiscard]] Resources used(GroupId group) const override;
  [[nodiscard]] Resources capacity(ClassId node_class) const override;
  [[nodiscard]] Count minimum_allocation() const override { return unit(); }
  [[nodiscard]] bool containers() const override { return setup_.container > 0; }
  [[nodiscard]] Count size(JobIndex, Kind) const override { return unit(); }
  [[nodiscard]] Cores cores() const override;
  [[nodiscard]] std::size_t nodes() const override { return nodes_.size(); }
  [[nodiscard]] std::size_t classes() const override { return setup_.classes.size(); }
  [[nodiscard]] ClassId node_class(NodeIndex node) const override { return nodes_.at(node).what.node_class; }
  [[nodiscard]] std::string_view class_name(ClassId node_class) const override;
  [[nodiscard]] SlotIndex slots(Kind kind) const override;
  [[nodiscard]] std::optional<Occupant> occupant(Kind kind, SlotIndex slot) const override;
  [[nodiscard]] LeaseOffer lease_offer(ClassId node_class) const override;
  [[nodiscard]] Count slots_on(NodeIndex node, Kind kind) const override;
  [[nodiscard]] std::span<const std::uint32_t> free_slots(Kind kind) const override;
  [[nodiscard]] std::span<const Count> free_slots_of_classes(Kind kind) const override;
  [[nodiscard]] std::span<const std::uint64_t> free_nodes(ClassId node_class, Kind kind) const override;
  [[nodiscard]] double efficiency(JobIndex job, ClassId node_class) const override;
  [[nodiscard]] std::string_view class_label(ClassId node_class) const override;
  [[nodiscard]] bool has_own_entry(JobIndex job, ClassId node_class) const override;
  [[nodiscard]] std::span<const NodeIndex> block_nodes(JobIndex job, TaskIndex map) const override;
  [[nodiscard]] bool map_is_pending(JobIndex job, TaskIndex map) const override;

 private:
  enum class TaskState : std::uint8_t { waiting, running, done };
  struct JobState {
    bool arrived = false, admitted = false, over = false;
    Time arrived_at{}, ready_at{};
    std::size_t arrival = 0;                      // so many came before
    std::array<std::vector<TaskState>, 3> tasks;  // by kind; one master, with containers
    std::array<std::vector<std::uint32_t>, 3> attempts;
    std::array<Count, 3> caps{unlimited, unlimited, unlimited};
    bool told_ready = false;
  };
  struct Node {
    FakeNode what;
    LeaseId lease = Event::no_lease;
    bool up = true;
  };
  struct Attempt {
    JobIndex job = 0;
    Kind kind = Kind::map;
    TaskIndex task = 0;
    std::uint32_t number = 0;
    NodeIndex node = 0;
    SlotIndex slot = 0;
    Time since{};
  };
  struct Place {  // a slot or the place of a container
    NodeIndex node = 0;
    bool busy = false;
  };
  struct Rented {
    ClassId node_class = 0;
    Time joins{};
    std::optional<NodeIndex> node{};
    bool over = false;
  };
  class Shortlist;

  [[nodiscard]] JobIndex index(const std::string& id) const;
  [[nodiscard]] Count unit() const { return containers() ? setup_.container : 1; }
  [[nodiscard]] Kind pool(Kind kind) const { return containers() ? Kind::map : kind; }
  [[nodiscard]] std::vector<Place>& places(Kind kind) { return places_[pool(kind) == Kind::map ? 0 : 1]; }
  [[nodiscard]] const std::vector<Place>& places(Kind kind) const {
    return places_[pool(kind) == Kind::map ? 0 : 1];
  }
  [[nodiscard]] JobState& state(JobIndex job) { return jobs_.at(job); }
  [[nodiscard]] const JobState& state(JobIndex job) const { return jobs_.at(job); }
  [[nodiscard]] Count in_state(JobIndex job, Kind kind, TaskState state) const;
  [[nodiscard]] bool wants(JobIndex job, Kind kind) const;
  [[nodiscard]] std::optional<SlotIndex> free_place(Kind kind, NodeIndex node) const;
  [[nodiscard]] std::vector<JobIndex> eligible(Kind kind) const;
  [[nodiscard]] bool may_take(JobIndex job, Kind kind, NodeIndex node) const;
  [[nodiscard]] Kind next_kind(JobIndex job, Kind kind) const;
  [[nodiscard]] std::optional<TaskChoice> choose(const std::vector<JobIndex>& jobs, Kind kind,
                                                 NodeIndex node);
  [[nodiscard]] std::optional<std::size_t> attempt_of(JobIndex job, Kind kind, bool last) const;

  void join(const FakeNode& what, LeaseId lease);
  void leave(NodeIndex node);
  void start(JobIndex job, Kind kind, TaskIndex task, NodeIndex node);
  void over(std::size_t attempt, AttemptOutcome outcome);
  void finish_if_done(JobIndex job);
  void hold(const Attempt& attempt, bool takes);
  void recover();
  [[nodiscard]] std::optional<Time> next_due();
  void fire();
  void preempt(const Preemption& preemption);
  void tell(Event event);
  [[nodiscard]] static Event event_of(const Attempt& attempt, Event::What what, AttemptOutcome outcome,
                                      Time at);
  void deliver(const Event& event, Part part);
  void settle();
  void refresh(JobIndex job);

  void admitted(JobIndex job) override;
  void rejected(JobIndex job, const Reason& reason) override;
  void capped(JobIndex job, Kind kind, Count count) override;
  LeaseId rent(const LeaseRequest& request) override;
  void give_back(LeaseId lease) override;

  FakeSetup setup_;
  Time now_{};
  std::vector<JobState> jobs_;
  std::vector<Node> nodes_;
  std::array<std::vector<Place>, 2> places_;
  std::vector<Attempt> attempts_;  // running, in order of start
  std::vector<Rented> rented_;
  std::vector<NodeIndex> leaving_;
  std::size_t arrivals_ = 0;

  Policy policy_;
  Ledger<OrderTree> ledger_;
  Decided decided_;
  Recorder allocator_;
  Recorder placer_;
  std::deque<Event> untold_;
  bool telling_ = false;
  std::map<std::pair<Part, Event::What>, std::size_t> told_;
  // What the View showed last, by kind; and by class:
  mutable std::map<Kind, std::vector<std::uint32_t>> free_slots_;
  mutable std::map<Kind, std::vector<Count>> free_of_classes_;
  mutable std::map<std::pair<Kind, ClassId>, std::vector<std::uint64_t>> free_nodes_;
};

}  // namespace wavewright
