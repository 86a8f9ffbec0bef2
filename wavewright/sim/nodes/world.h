// The state of a simulated cluster of nodes, shared by the parts of the fast engines; also the policy's View.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wavewright/core/error.h"
#include "wavewright/sched/job_facts.h"
#include "wavewright/sched/ledger/ledger.h"
#include "wavewright/sched/ledger/order_tree.h"
#include "wavewright/sim/kernel/arrivals.h"
#include "wavewright/sim/kernel/heartbeat_times.h"
#include "wavewright/sim/model/estimate.h"
#include "wavewright/sim/model/lease_book.h"
#include "wavewright/sim/nodes/job_state.h"
#include "wavewright/sim/nodes/slot_table.h"
#include "wavewright/sim/result.h"

namespace wavewright::sim {

class World final : public View {
 public:
  // All arguments must outlive it. `driver` carries out what the policy decides.
  World(const Workload& work, Policy& of, const NodeModel& on, LedgerDriver& driver)
      : workload(work),
        policy(*of.allocator),
        placer(of.placer.get()),
        model(on),
        arrival_table(work),
        heartbeats(Heartbeats{on.period(), on.topology.size()}),
        launch(on.launch()),
        ledger(policy, placer,
               {.jobs = work.jobs.size(), .classes = on.topology.classes.size(), .containers = on.containers},
               driver),
        maps(on, ledger.order(Kind::map), Kind::map),
        reduces(on, ledger.order(Kind::reduce), Kind::reduce),
        masters(on, ledger.order(Kind::map), Kind::master),
        jobs(work.jobs.size()),
        leases(on),
        allocator_events_(policy.subscribes()),
        placer_events_(placer ? placer->subscribes() : EventSet{}) {
    of_all_rows_ = of_rows(any_class);
    result.nodes = on.topology.names;
    result.jobs.reserve(jobs.size());
    for (const Job& job : work.jobs) {
      JobOutcome& outcome = result.jobs.emplace_back();
      outcome.submit = outcome.start = outcome.maps_done = outcome.finish = job.submit;
    }
    if (maps.ready.keeps_classes()) {
      for (SlotTable* const table : {&maps, &reduces}) {
        table->list_by_class(on);
        table->picks_classes = placer == nullptr;
      }
    }
    if (!ledger.reserves() || maps.ready.keeps_classes()) return;
    maps.count_free_on_classes(on);
    reduces.count_free_on_classes(on);
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  [[nodiscard]] SlotTable& table_of(Kind kind) {
    return kind == Kind::map ? maps : kind == Kind::reduce ? reduces : masters;
  }
  [[nodiscard]] const SlotTable& table_of(Kind kind) const {
    return kind == Kind::map ? maps : kind == Kind::reduce ? reduces : masters;
  }

  [[nodiscard]] const std::string& id(JobIndex job) const { return workload.jobs.at(job).id; }
  NodeJob& known(JobIndex job) {
    if (!ledger.has_arrived(job)) refuse_unknown_job(policy.name(), job);
    return jobs[job];
  }

  // ---- events for the policy
  void tell(Event event) {
    if (!is_told(event.what)) return;
    event.at = now();
    deliver(event);
  }
  void tell_timer(const Timers::Timer& timer) {
    ++timers_sent;
    const Event event{.what = Event::What::timer, .at = now(), .token = timer.token};
    if (timer.part == Part::allocator && allocator_events_.has(Event::What::timer))
      policy.on(event, *this, ledger.allocator());
    if (timer.part == Part::placer && placer_events_.has(Event::What::timer))
      placer->on(event, *this, ledger.placer());
    ledger.decided();
  }
  // Sends an event of the attempt that is, or was last, on the slot.
  void tell(Event::What what, const SlotTable& table, std::uint32_t slot,
            AttemptOutcome outcome = AttemptOutcome::done) {
    if (!is_told(what)) return;
    const Running& attempt = table.on[slot];
    const std::uint64_t lasted = what == Event::What::started ? 0 : now_ms - attempt.since;
    deliver({.what = what,
             .kind = table.kind,
             .outcome = outcome,
             .at = now(),
             .job = attempt.job,
             .task = attempt.task,
             .attempt = attempt.attempt,
             .node = table.node_of[slot],
             .slot = table.number(slot),
             .duration = ms(static_cast<std::int64_t>(lasted))});
  }

  // View
  [[nodiscard]] Time now() const final { return at_ms(static_cast<std::int64_t>(now_ms)); }
  [[nodiscard]] JobFacts facts(JobIndex job) const final {
    return facts_of(workload.jobs.at(job), arrival_table.edges().predecessors(job));
  }
  [[nodiscard]] Count pending(JobIndex job, Kind kind) const final {
    return jobs.at(job).tasks(kind).pending;
  }
  [[nodiscard]] Count block_places(JobIndex job) const final {
    return jobs.at(job).local ? jobs[job].local->places_left() : 0;
  }
  [[nodiscard]] bool blacklisted(JobIndex job, NodeIndex node) const final {
    return jobs.at(job).blacklists && jobs[job].attempts->blacklisted.contains(node);
  }
  [[nodiscard]] Count held(JobIndex job, Kind kind, ClassId node_class) const final {
    // A failed job's slots are being taken away.
    if (jobs.at(job).settled) return 0;
    if (node_class != any_class) return ledger.held_on(job, kind, node_class);
    if (model.containers) return jobs[job].held[static_cast<std::size_t>(kind)];
    return kind == Kind::master ? 0 : table_of(kind).ready.held(job);
  }
  [[nodiscard]] bool has_pending_request(JobIndex job) const final {
    const NodeJob& state = jobs.at(job);
    if (state.settled) return false;
    if (model.containers) return state.asked[0] + state.asked[1] + state.asked[2] > 0;
    return maps.ready.wants(job) || reduces.ready.wants(job);
  }
  [[nodiscard]] bool keeps_map_output() const final { return model.cluster.faults.keeps_map_output; }
  [[nodiscard]] bool containers() const final { return model.containers; }
  [[nodiscard]] Count size(JobIndex job, Kind kind) const final {
    return model.containers ? model.request(workload.jobs.at(job), kind).memory : 1;
  }
  [[nodiscard]] Count tasks_on_node(JobIndex job, Kind kind, ClassId node_class) const final {
    return model.tasks_on_node(workload.jobs.at(job), kind, node_class);
  }
  [[nodiscard]] Cores cores() const final {
    return model.containers ? Cores{free_cores, model.cores_of(Kind::master)} : Cores{};
  }
  [[nodiscard]] Count minimum_allocation() const final { return model.minimum_allocation(); }
  [[nodiscard]] Resources used(GroupId group) const final {
    return {ledger.order(Kind::map).used(group), ledger.order(Kind::reduce).used(group)};
  }
  [[nodiscard]] Resources capacity(ClassId node_class) const final {
    if (node_class == any_class && !model.rents) return of_all_rows_;
    return of_rows(node_class);
  }
  [[nodiscard]] Resources of_rows(ClassId node_class) const {
    Resources sum;
    for (std::size_t row = 0; row < model.cluster.nodes.size(); ++row) {
      if (node_class != any_class && model.topology.node_class[row] != node_class) continue;
      const NodeGroup& group = model.cluster.nodes[row];
      const Resources machine = model.resources_of(group);
      const Count machines = group.rent ? leases.there(row) : group.count;
      sum.map_slots += machines * machine.map_slots;
      sum.reduce_slots += machines * machine.reduce_slots;
    }
    return sum;
  }
  [[nodiscard]] LeaseOffer lease_offer(ClassId node_class) const final {
    return leases.offer(node_class, now_ms);
  }
  [[nodiscard]] Count slots_on(NodeIndex node, Kind kind) const final {
    const bool open = !model.containers && (closed_nodes.empty() || !closed_nodes[node]);
    return open ? model.slots(node, kind) : 0;
  }
  [[nodiscard]] std::span<const std::uint32_t> free_slots(Kind kind) const final {
    return table_of(kind).free;
  }
  [[nodiscard]] std::span<const Count> free_slots_of_classes(Kind kind) const final {
    return table_of(kind).free_on_class;
  }
  [[nodiscard]] std::span<const std::uint64_t> free_nodes(ClassId node_class, Kind kind) const final {
    const SlotTable& table = table_of(kind);
    return table.offering_on.empty() ? std::span<const std::uint64_t>()
                                     : table.offering_on.at(node_class).bits();
  }
  [[nodiscard]] double efficiency(JobIndex job, ClassId node_class) const final {
    return model.power.efficiency(workload.jobs.at(job), node_class);
  }
  [[nodiscard]] std::string_view class_label(ClassId node_class) const final {
    return model.class_label(node_class);
  }
  [[nodiscard]] bool has_own_entry(JobIndex job, ClassId node_class) const final {
    return model.has_own_entry(workload.jobs.at(job), node_class);
  }
  [[nodiscard]] std::span<const NodeIndex> block_nodes(JobIndex job, TaskIndex map) const final {
    return jobs.at(job).local ? jobs[job].local->holders(map) : std::span<const NodeIndex>();
  }
  [[nodiscard]] bool map_is_pending(JobIndex job, TaskIndex map) const final {
    return jobs.at(job).local && jobs[job].local->has(map);
  }
  [[nodiscard]] Estimate estimate(JobIndex job, Kind kind, ClassId node_class) const final {
    const NodeJob& state = jobs.at(job);
    return model.on_class(kind == Kind::map ? state.map : state.reduce, kind, node_class, job_factors(job));
  }
  [[nodiscard]] Duration quantile(JobIndex job, Kind kind, ClassId node_class, double q) const final {
    return model.quantile_on(known_job(workload, job), kind, node_class, job_factors(job), q);
  }
  [[nodiscard]] std::size_t nodes() const final { return model.topology.size(); }
  [[nodiscard]] std::size_t classes() const final { return model.topology.classes.size(); }
  [[nodiscard]] ClassId node_class(NodeIndex node) const final {
    return model.topology.node_class[model.topology.group[node]];
  }
  [[nodiscard]] std::string_view class_name(ClassId node_class) const final {
    return model.topology.classes.at(node_class);
  }
  [[nodiscard]] SlotIndex slots(Kind kind) const final { return table_of(kind).count; }
  [[nodiscard]] std::optional<Occupant> occupant(Kind kind, SlotIndex slot) const final;

  // Containers of all kinds share one order, by the memory that jobs hold: that of the maps.
  [[nodiscard]] OrderTree& tree() { return maps.ready; }
  [[nodiscard]] const OrderTree& tree() const { return maps.ready; }

  // The job takes a slot or container on the node, or gives it back.
  void holds(JobIndex job, Kind kind, NodeIndex node) {
    if (ledger.picks_nodes()) ledger.hold(job, kind, node_class(node));
  }
  void holds_no_more(JobIndex job, Kind kind, NodeIndex node) {
    if (ledger.picks_nodes()) ledger.release(job, kind, node_class(node));
  }

  const Workload& workload;
  Allocator& policy;
  Placer* placer;
  const NodeModel& model;
  const ArrivalTable arrival_table;
  const HeartbeatTimes heartbeats;
  const std::uint64_t launch;  // ms from assignment to the first work
  Ledger<OrderTree> ledger;
  SlotTable maps;
  SlotTable reduces;
  SlotTable masters;  // with containers only
  std::vector<NodeJob> jobs;
  std::uint64_t now_ms = 0;
  // When the last thing happened, if the run is given up after looking on in vain.
  std::optional<std::uint64_t> idle_since_ms;
  LeaseBook leases;
  // By node: maps that ended there, for nodes that may leave. Some may have been lost since, or their job may
  // be over. Empty if all nodes stay.
  struct EndedMap {
    JobIndex job = 0;
    std::uint32_t map = 0;
    friend auto operator<=>(const EndedMap&, const EndedMap&) = default;
  };
  std::vector<std::vector<EndedMap>> ended_maps;
  std::vector<bool> closed_nodes;  // by node: nothing may start there; empty if all nodes stay
  SimulationResult result;
  std::uint64_t stops = 0;  // attempts that did not end by themselves; result.events has them, too
  std::uint64_t timers_sent = 0;
  Count free_cores = 0;  // with containers only

 private:
  [[nodiscard]] bool is_told(Event::What what) const {
    return (allocator_events_ | placer_events_).has(what);
  }
  [[gnu::always_inline]] void deliver(const Event& event) {
    if (allocator_events_.has(event.what)) policy.on(event, *this, ledger.allocator());
    if (placer_events_.has(event.what)) placer->on(event, *this, ledger.placer());
    ledger.decided();
  }
  [[nodiscard]] const std::vector<Factor>& job_factors(JobIndex job) const {
    return jobs[job].own_factors.empty() ? model.group_factor : jobs[job].own_factors;
  }

  const EventSet allocator_events_;
  const EventSet placer_events_;
  Resources of_all_rows_;  // unless machines come and go
};

inline std::optional<Occupant> World::occupant(Kind kind, SlotIndex slot) const {
  const SlotTable& table = table_of(kind);
  if (slot >= table.count) return std::nullopt;
  const std::uint32_t first = table.first_place_of(slot);
  for (std::uint32_t place = first; place < table.end_of_places(first); ++place) {
    if (table.idle.contains(place)) continue;
    const Running& attempt = table.on[place];
    const Time since = at_ms(static_cast<std::int64_t>(attempt.since));
    const NodeIndex node = table.node_of[place];
    return Occupant{attempt.job, attempt.task, node, since,
                    since + estimate(attempt.job, kind, node_class(node)).mean};
  }
  return std::nullopt;
}

}  // namespace wavewright::sim
