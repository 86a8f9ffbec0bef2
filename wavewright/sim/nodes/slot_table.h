// The slots of one kind in a simulated cluster, by node, and the attempts on them.
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "wavewright/core/prefetch.h"
#include "wavewright/sched/ledger/order_tree.h"
#include "wavewright/sim/kernel/flow_network.h"
#include "wavewright/sim/kernel/number_set.h"
#include "wavewright/sim/kernel/slot_queue.h"
#include "wavewright/sim/model/node_model.h"

namespace wavewright::sim {

// The attempt on a slot, in half a cache line: the slots of a large cluster are more than a processor's cache
// holds otherwise.
struct alignas(cache_line / 2) Running {
  static constexpr std::uint32_t alone = ~std::uint32_t{0};
  static constexpr unsigned attempt_bits = 26;

  JobIndex job = 0;
  std::uint32_t task = 0;
  std::uint32_t attempt : attempt_bits = 0;
  bool fails : 1 = false;
  bool ends : 1 = false;    // `until` is known
  bool over : 1 = false;    // containers: ended, and not yet reported by the node
  bool second : 1 = false;  // it is the second attempt of its task
  Locality locality : 2 = Locality::node;
  std::uint32_t twin = alone;  // slot of the task's other attempt
  std::uint64_t since = 0;
  std::uint64_t until = 0;  // its end on the node; `since` while not known

  // Sets each field in its place: a copy from the stack would wait until its bits are written there.
  void begin(JobIndex of, std::uint32_t which, std::uint32_t number, std::uint64_t now,
             Locality where = Locality::node) {
    job = of;
    task = which;
    attempt = number & ((1U << attempt_bits) - 1);
    fails = ends = over = second = false;
    locality = where;
    twin = alone;
    since = until = now;
  }
};
static_assert(sizeof(Running) == cache_line / 2);

// Further facts, which few attempts need.
struct AttemptWork {
  // End of its launch, of a master, of a reduce that waits for maps, or if launches share processors; `never`
  // while not known.
  std::uint64_t launched = 0;
  std::uint64_t shared = 0;  // id of its launch, or work, in the launch queue; 0 = none
  // With speculation:
  std::uint64_t from = 0;  // start of its work; 0 while not known
  std::uint64_t full = 0;  // end of its work if it did not fail; 0 while not known
};

// Network transfer of the attempt on a slot.
struct Transfer {
  FlowNetwork::Id flow = FlowNetwork::none;  // under way
  std::uint64_t fetched = 0;                 // by a reduce, bytes
  std::uint64_t asked = 0;                   // `fetched` after the flow
};

// A slot is one place; on nodes of a data-parallel class it has as many as tasks of a job may share it. The
// numbers here are places' numbers; those in records are slots'.
struct SlotTable {
  // `order`: jobs that want its slots.
  SlotTable(const NodeModel& model, OrderTree& order, Kind which)
      : kind(which),
        per_heartbeat(model.per_heartbeat(which)),
        first_slot(first_slots(model, which)),
        queue(first_slot.back(), model.spread),
        idle(first_slot.back()),
        offering(model.topology.size(), false),
        ready(order),
        free(model.topology.size()),
        node_of(first_slot.back()),
        on(first_slot.back()),
        work(first_slot.back()) {
    for (NodeIndex node = 0; node < model.topology.size(); ++node) {
      places.push_back(model.places_of_slot(node, which));
      free[node] = (first_slot[node + 1] - first_slot[node]) / places[node];
      if (free[node] > 0) offering.insert(node);
      for (std::uint32_t slot = first_slot[node]; slot < first_slot[node + 1]; ++slot) node_of[slot] = node;
    }
    count = first_slot.back();
    if (std::any_of(places.begin(), places.end(), [](std::uint32_t each) { return each > 1; })) share();
  }

  // When the next attempt's end is reported, ms; all bits set if none is known.
  [[nodiscard]] std::uint64_t next_end() const {
    return queue.empty() ? ~std::uint64_t{0} : queue.first_instant();
  }
  // Number of slots, or of their places.
  [[nodiscard]] std::uint32_t slots() const { return first_slot.back(); }
  // True if some slot has more than one place.
  [[nodiscard]] bool shares() const { return !taken.empty(); }

  // Takes the node's lowest free slot; there must be one.
  std::uint32_t occupy(NodeIndex node) {
    const std::uint32_t slot = (shares() ? unused : idle).next(first_slot[node]);
    if (shares()) {
      unused.erase(slot);
      taken[slot] = 1;
    }
    idle.erase(slot);
    if (--free[node] == 0) unlist(node);
    count_free(node, -1);
    return slot;
  }
  // Takes a further place of an occupied slot; there must be one.
  std::uint32_t join(std::uint32_t slot) {
    const std::uint32_t place = idle.next(slot);
    idle.erase(place);
    ++taken[slot];
    return place;
  }
  // Frees the place. True if the slot is free now: nothing runs on its other places.
  bool release(std::uint32_t slot) {
    queue.clear(slot);
    idle.insert(slot);
    if (shares()) {
      if (--taken[first_place(slot)] > 0) return false;
      unused.insert(first_place(slot));
    }
    const NodeIndex node = node_of[slot];
    ++free[node];
    if (is_closed(node)) return true;
    if (free[node] == 1) list(node);
    count_free(node, 1);
    return true;
  }
  [[nodiscard]] bool shared(std::uint32_t slot) const { return shares() && taken[first_place(slot)] > 1; }
  // First place of the slot that the place belongs to.
  [[nodiscard]] std::uint32_t first_place(std::uint32_t slot) const {
    return slot - (slot - first_slot[node_of[slot]]) % places[node_of[slot]];
  }
  [[nodiscard]] std::uint32_t end_of_places(std::uint32_t slot) const {
    return shares() ? first_place(slot) + places[node_of[slot]] : slot + 1;
  }
  // The first place of the slot with this number.
  [[nodiscard]] std::uint32_t first_place_of(std::uint32_t number) const {
    if (!shares()) return number;
    const auto behind = std::upper_bound(first_number.begin(), first_number.end(), number);
    const auto node = static_cast<NodeIndex>(behind - first_number.begin() - 1);
    return first_slot[node] + (number - first_number[node]) * places[node];
  }
  [[nodiscard]] std::uint32_t number(std::uint32_t slot) const {
    if (!shares()) return slot;
    const NodeIndex node = node_of[slot];
    return first_number[node] + (slot - first_slot[node]) / places[node];
  }

  // Slot time in use. `use`: of an attempt, once its end is known. `used`: of a shared slot, whenever an
  // attempt ends; tasks that share it start together, and it is in use until the last of them ends.
  void use(std::uint64_t from, std::uint64_t to) { busy += shares() ? 0 : to - from; }
  void used(std::uint32_t slot, std::uint64_t until) {
    if (!shares()) return;
    std::uint64_t& counted = used_until[first_place(slot)];
    counted = std::max(counted, on[slot].since);
    busy += std::max(counted, until) - counted;
    counted = std::max(counted, until);
  }
  // Prefetches the attempt on the slot.
  void expect(std::uint32_t slot) const {
    if (slot >= on.size()) return;
    __builtin_prefetch(&on[slot]);
    __builtin_prefetch(&node_of[slot]);
  }
  // A node that is away offers nothing; all its slots are free when it leaves and when it joins.
  void withdraw(NodeIndex node) {
    if (is_closed(node)) return;
    unlist(node);
    count_free(node, -Count{free[node]});
  }
  // What runs on the node goes on; its slots are not offered again until it is restored.
  void close(NodeIndex node) {
    withdraw(node);
    closed.resize(free.size());
    closed[node] = true;
  }
  [[nodiscard]] bool is_closed(NodeIndex node) const { return !closed.empty() && closed[node]; }
  void restore(NodeIndex node) {
    if (!closed.empty()) closed[node] = false;
    list(node);
    count_free(node, Count{free[node]});
  }
  // Starts to list the nodes that offer slots by class, too, and to count their slots. O(nodes · classes /
  // 64).
  void list_by_class(const NodeModel& model) {
    know_classes(model.topology);
    offering_on.assign(model.topology.classes.size(), NumberSet(model.topology.size(), false));
    for (NodeIndex node = 0; node < free.size(); ++node) {
      if (offering.contains(node)) offering_on[class_on[node]].insert(node);
    }
    count_free_on_classes(model);
  }
  // Starts to count free slots by class, of nodes that are present. O(nodes).
  void count_free_on_classes(const NodeModel& model) {
    know_classes(model.topology);
    free_on_class.assign(model.topology.classes.size(), 0);
    for (NodeIndex node = 0; node < free.size(); ++node) {
      if (offering.contains(node)) count_free(node, Count{free[node]});
    }
  }
  void count_free(NodeIndex node, Count by) {
    if (!free_on_class.empty()) free_on_class[class_on[node]] += by;
  }

  Kind kind;
  Count per_heartbeat;
  std::vector<std::uint32_t> first_slot;  // by node, plus an end; a node's slots are consecutive
  RollingSlotQueue queue;                 // when each busy slot's end is reported
  NumberSet idle;                         // slots
  NumberSet offering;                     // nodes that are present, not closed, and have a free slot
  std::vector<NumberSet> offering_on;     // the same by class, if a policy needs classes of nodes
  bool picks_classes = false;             // nodes are offered only if their class is open to a job
  OrderTree& ready;                       // jobs that may start something, in the ledger
  std::uint32_t count = 0;                // slots in all
  std::vector<std::uint32_t> free;        // slots, by node
  std::vector<NodeIndex> node_of;         // by slot
  std::vector<Running> on;                // by slot
  std::vector<AttemptWork> work;          // by slot
  std::vector<Transfer> transfer;         // by slot; empty unless the network is simulated
  std::vector<std::size_t> record;        // by slot: index in the trace, if there is one
  std::uint64_t busy = 0;                 // slot time in use, ms
  std::vector<Count> free_on_class;       // their free slots, if a policy reserves some or needs classes
  std::vector<bool> closed;               // by node; empty while none ever was
  // Speculation: second attempts that run, tasks marked for one, and by number of a check the jobs to look at
  // then (unless their own look_at has become later).
  std::size_t seconds = 0;
  std::size_t marked = 0;
  std::map<std::uint64_t, std::vector<JobIndex>> looks;

 private:
  std::vector<ClassId> class_on;  // by node, if its class is asked for
  void know_classes(const Topology& topology) {
    class_on.clear();
    for (const std::uint32_t row : topology.group) class_on.push_back(topology.node_class[row]);
  }
  // The node is present: it offers slots if some are free.
  void list(NodeIndex node) { offer(node, free[node] > 0); }
  void unlist(NodeIndex node) { offer(node, false); }
  void offer(NodeIndex node, bool some) {
    offering.set(node, some);
    if (!offering_on.empty()) offering_on[class_on[node]].set(node, some);
  }
  // Gives every slot its places.
  void share() {
    unused = NumberSet(slots(), false);
    taken.resize(slots());
    used_until.resize(slots());
    count = 0;
    for (NodeIndex node = 0; node < places.size(); ++node) {
      first_number.push_back(count);
      count += free[node];
      for (std::uint32_t slot = first_slot[node]; slot < first_slot[node + 1]; slot += places[node])
        unused.insert(slot);
    }
  }

  std::vector<std::uint32_t> places;  // per slot, by node
  // Empty unless slots are shared:
  NumberSet unused{0};                      // first places of slots on which nothing runs
  std::vector<std::uint32_t> taken;         // places in use, by first place of the slot
  std::vector<std::uint64_t> used_until;    // by first place of the slot
  std::vector<std::uint32_t> first_number;  // of a node's slots, by node

  static std::vector<std::uint32_t> first_slots(const NodeModel& model, Kind kind) {
    std::vector<std::uint32_t> first = {0};
    for (NodeIndex node = 0; node < model.topology.size(); ++node) {
      first.push_back(first.back() +
                      static_cast<std::uint32_t>(model.slots(node, kind)) * model.places_of_slot(node, kind));
    }
    return first;
  }
};

}  // namespace wavewright::sim
