// The slots of one kind of a simulated cluster, by node, and the attempts on them.
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

// The attempt on a slot.
struct Running {
  static constexpr std::uint32_t alone = ~std::uint32_t{0};

  JobIndex job = 0;
  std::uint32_t task = 0;
  std::uint32_t attempt = 0;
  bool fails = false;
  bool ends = false;           // `until` is known
  bool over = false;           // its container waits for the node's report (containers)
  bool second = false;         // its task has, or had, another running
  std::uint32_t twin = alone;  // the slot of that one
  std::uint64_t since = 0;
  std::uint64_t launched = 0;  // its container and JVM are there, or will be; `never` while that is not known
  std::uint64_t shared =
      0;  // the number of its launch, or its work, among those that share processors; 0 = none
  Locality locality = Locality::node;
  std::uint64_t from = 0;   // its work begins, or will; 0 while that is not known
  std::uint64_t full = 0;   // its work ends, were it not to fail
  std::uint64_t until = 0;  // its end on the node; `since` while that is not known
};

// What the attempt on a slot moves over the network.
struct Transfer {
  FlowNetwork::Id flow = FlowNetwork::none;  // under way
  std::uint64_t fetched = 0;                 // by a reduce, bytes
  std::uint64_t asked = 0;                   // what that will be after the flow
};

// Where no node class is data-parallel, a slot is one place. Otherwise a node's slots have as many places
// each as tasks of a job may share one: the numbers here are places', those in records slots'.
struct SlotTable {
  // `order`: of the jobs that want its slots.
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
        on(first_slot.back()) {
    for (NodeIndex node = 0; node < model.topology.size(); ++node) {
      places.push_back(model.places_of_slot(node, which));
      free[node] = (first_slot[node + 1] - first_slot[node]) / places[node];
      if (free[node] > 0) offering.insert(node);
      for (std::uint32_t slot = first_slot[node]; slot < first_slot[node + 1]; ++slot) node_of[slot] = node;
    }
    count = first_slot.back();
    if (std::any_of(places.begin(), places.end(), [](std::uint32_t each) { return each > 1; })) share();
  }

  // When the next attempt's end is reported, ms; all bits set where none is known.
  [[nodiscard]] std::uint64_t next_end() const {
    return queue.empty() ? ~std::uint64_t{0} : queue.first_instant();
  }
  // Numbers that slots, or their places, have.
  [[nodiscard]] std::uint32_t slots() const { return first_slot.back(); }
  // Whether some slot has more than one place.
  [[nodiscard]] bool shares() const { return !taken.empty(); }

  // The node's lowest free slot; it has one.
  std::uint32_t occupy(NodeIndex node) {
    const std::uint32_t slot = (shares() ? unused : idle).next(first_slot[node]);
    if (shares()) {
      unused.erase(slot);
      taken[slot] = 1;
    }
    idle.erase(slot);
    if (--free[node] == 0) offering.erase(node);
    count_free(node, -1);
    return slot;
  }
  // A further place of the slot that was occupied; it has one.
  std::uint32_t join(std::uint32_t slot) {
    const std::uint32_t place = idle.next(slot);
    idle.erase(place);
    ++taken[slot];
    return place;
  }
  // Whether the slot is free with that: nothing runs on another place of it.
  bool release(std::uint32_t slot) {
    queue.clear(slot);
    idle.insert(slot);
    if (shares()) {
      if (--taken[first_place(slot)] > 0) return false;
      unused.insert(first_place(slot));
    }
    if (free[node_of[slot]]++ == 0) offering.insert(node_of[slot]);
    count_free(node_of[slot], 1);
    return true;
  }
  [[nodiscard]] bool shared(std::uint32_t slot) const { return shares() && taken[first_place(slot)] > 1; }
  // Of the slot that the place belongs to.
  [[nodiscard]] std::uint32_t first_place(std::uint32_t slot) const {
    return slot - (slot - first_slot[node_of[slot]]) % places[node_of[slot]];
  }
  [[nodiscard]] std::uint32_t end_of_places(std::uint32_t slot) const {
    return shares() ? first_place(slot) + places[node_of[slot]] : slot + 1;
  }
  // The first place of the slot of that number.
  [[nodiscard]] std::uint32_t first_place_of(std::uint32_t number) const {
    if (!shares()) return number;
    const auto behind = std::upper_bound(first_number.begin(), first_number.end(), number);
    const auto node = static_cast<NodeIndex>(behind - first_number.begin() - 1);
    return first_slot[node] + (number - first_number[node]) * places[node];
  }
  // The slot's number among those of the kind.
  [[nodiscard]] std::uint32_t number(std::uint32_t slot) const {
    if (!shares()) return slot;
    const NodeIndex node = node_of[slot];
    return first_number[node] + (slot - first_slot[node]) / places[node];
  }

  // Slot time in use: an attempt's, as far as it is known, from its slot's taking on. Tasks that share a slot
  // begin together, and it is in use until the last of them ends: that is counted when one ends.
  void use(std::uint64_t from, std::uint64_t to) { busy += shares() ? 0 : to - from; }
  void used(std::uint32_t slot, std::uint64_t until) {
    if (!shares()) return;
    std::uint64_t& counted = used_until[first_place(slot)];
    counted = std::max(counted, on[slot].since);
    busy += std::max(counted, until) - counted;
    counted = std::max(counted, until);
  }
  // The attempt on the slot will be looked at soon.
  void expect(std::uint32_t slot) const {
    if (slot >= on.size()) return;
    prefetch(&on[slot], sizeof(Running));
    __builtin_prefetch(&node_of[slot]);
  }
  // A node that is away offers nothing; all its slots are free when it goes and when it comes.
  void withdraw(NodeIndex node) {
    if (free[node] > 0) offering.erase(node);
    count_free(node, -Count{free[node]});
  }
  void restore(NodeIndex node) {
    if (free[node] > 0) offering.insert(node);
    count_free(node, Count{free[node]});
  }
  // From now on free slots are counted by class, of nodes that are there. O(nodes).
  void count_free_on_classes(const NodeModel& model) {
    class_of = &model.topology;
    free_on_class.assign(model.topology.classes.size(), 0);
    for (NodeIndex node = 0; node < free.size(); ++node) {
      if (offering.contains(node)) count_free(node, Count{free[node]});
    }
  }
  void count_free(NodeIndex node, Count by) {
    if (!free_on_class.empty()) free_on_class[class_of->node_class[class_of->group[node]]] += by;
  }

  Kind kind;
  Count per_heartbeat;
  std::vector<std::uint32_t> first_slot;  // by node, and one more: slots of a node stand in a row
  RollingSlotQueue queue;                 // when each busy slot's attempt is reported
  NumberSet idle;                         // slots
  NumberSet offering;                     // nodes that are there and have a free slot
  OrderTree& ready;                       // jobs that may start something, in the ledger
  std::uint32_t count = 0;                // slots in all
  std::vector<std::uint32_t> free;        // slots, by node
  std::vector<NodeIndex> node_of;         // by slot
  std::vector<Running> on;                // by slot
  std::vector<Transfer> transfer;         // of the attempt on each slot, where the network is simulated
  std::vector<std::size_t> record;        // of the attempt on each slot, where a trace is kept
  std::uint64_t busy = 0;                 // slot time in use, ms
  std::vector<Count> free_on_class;       // free slots by class, where a policy reserves some
  // Where slow tasks are doubled: second attempts that run, tasks marked to have one, and at which
  // check jobs whose tasks have all started are next looked at (unless their own look_at has become later).
  std::size_t seconds = 0;
  std::size_t marked = 0;
  std::map<std::uint64_t, std::vector<JobIndex>> looks;

 private:
  const Topology* class_of = nullptr;
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

  std::vector<std::uint32_t> places;  // of a slot, by node
  // Where slots are shared, and empty otherwise:
  NumberSet unused{0};                      // first places of slots on which nothing runs
  std::vector<std::uint32_t> taken;         // places in use, by their slot's first
  std::vector<std::uint64_t> used_until;    // by their slot's first place
  std::vector<std::uint32_t> first_number;  // of slots, by node

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
