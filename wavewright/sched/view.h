// A policy's view: facts of jobs, present counts, estimates. Never the drawn durations.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "wavewright/core/money.h"
#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"
#include "wavewright/sched/event.h"
#include "wavewright/sched/lease.h"
#include "wavewright/sched/resources.h"

namespace wavewright {

// Expected duration of one task, from the job's profile or the workload's nominal values.
struct Estimate {
  Duration mean{};
  Duration max{};
};

// Facts of a job known at its submission. The texts live as long as the run.
struct JobFacts {
  std::string_view id;
  std::string_view name;
  std::string_view user;
  std::string_view queue;
  Time submit{};
  std::optional<Time> deadline;
  std::optional<Money> value;             // if it finished at once [RENT]
  std::optional<Money> delay_cost_per_s;  // value lost each second until it finishes [RENT]
  std::optional<Bytes> input;
  Count maps = 0;
  Count reduces = 0;
  std::span<const JobIndex> predecessors;  // jobs that must finish first
};

// The attempt on a slot, or in a container.
struct Occupant {
  JobIndex job = 0;
  TaskIndex task = 0;
  NodeIndex node = 0;
  Time since{};
  Time until{};  // by the job's mean estimate for the node's class; may be past
};

// Read-only. Each call is O(1) unless it says otherwise. Calls about a job that was never submitted throw
// std::out_of_range.
class View {
 public:
  virtual ~View() = default;
  [[nodiscard]] virtual Time now() const = 0;

  // ---- jobs
  [[nodiscard]] virtual JobFacts facts(JobIndex job) const = 0;
  [[nodiscard]] virtual Count pending(JobIndex job, Kind kind) const = 0;  // not started, ready or not
  // Slots or containers of the job. A single class needs Feature::node_classes.
  [[nodiscard]] virtual Count held(JobIndex job, Kind kind, ClassId node_class) const = 0;
  // Nodes and racks that hold a block of a map that is pending; 0 if blocks have no places. Amortised O(1).
  [[nodiscard]] virtual Count block_places(JobIndex) const { return 0; }
  // True if the job avoids the node after failures there.
  [[nodiscard]] virtual bool blacklisted(JobIndex, NodeIndex) const { return false; }
  // True while the job would start a task if there were room; with containers, while it asks for one.
  [[nodiscard]] virtual bool has_pending_request(JobIndex job) const = 0;
  [[nodiscard]] virtual Estimate estimate(JobIndex job, Kind kind, ClassId node_class) const = 0;
  // The q-quantile of the job's task durations, q from 0 to 1. O(tasks of the job).
  [[nodiscard]] virtual Duration quantile(JobIndex job, Kind kind, ClassId node_class, double q) const = 0;

  // ---- groups and capacity
  [[nodiscard]] virtual Resources used(GroupId group) const = 0;
  [[nodiscard]] virtual Resources capacity(ClassId node_class) const = 0;
  // Smallest allocation: one slot, or the minimum container in MiB.
  [[nodiscard]] virtual Count minimum_allocation() const { return 1; }

  // True if output of finished maps outlives its node.
  [[nodiscard]] virtual bool keeps_map_output() const { return false; }

  // ---- containers
  [[nodiscard]] virtual bool containers() const { return false; }  // jobs have application masters
  // Size of a task of the job, or of its application master: 1 slot, or the MiB of its container.
  [[nodiscard]] virtual Count size(JobIndex, Kind) const { return 1; }
  [[nodiscard]] virtual Cores cores() const { return {}; }

  // Tasks of the job that an empty node of the class holds at once: its slots of the kind, or containers by
  // memory and, if they limit, cores. Of unlike nodes the least. O(rows of the cluster file).
  [[nodiscard]] virtual Count tasks_on_node(JobIndex, Kind, ClassId) const { return 0; }

  // ---- nodes, slots, leases
  [[nodiscard]] virtual std::size_t nodes() const = 0;    // 1 for a flat pool
  [[nodiscard]] virtual std::size_t classes() const = 0;  // 1 for a flat pool
  [[nodiscard]] virtual ClassId node_class(NodeIndex node) const = 0;
  [[nodiscard]] virtual std::string_view class_name(ClassId node_class) const = 0;
  // Number of slots, or of places for containers: the range of occupant(). Needs Feature::occupancy.
  [[nodiscard]] virtual SlotIndex slots(Kind kind) const = 0;
  [[nodiscard]] virtual std::optional<Occupant> occupant(Kind kind, SlotIndex slot) const = 0;
  [[nodiscard]] virtual LeaseOffer lease_offer(ClassId) const { return {}; }
  // Slots of the kind on the node; 0 where nothing may start: it is away, or the market takes it soon. Not
  // for containers.
  [[nodiscard]] virtual Count slots_on(NodeIndex, Kind) const { return 0; }
  // The next three need Feature::node_classes, are not for containers, and hold until the policy returns.
  // Free slots of the kind by node; they do not count where nothing may start (slots_on).
  [[nodiscard]] virtual std::span<const std::uint32_t> free_slots(Kind) const { return {}; }
  // Those that count, by class.
  [[nodiscard]] virtual std::span<const Count> free_slots_of_classes(Kind) const { return {}; }
  // The nodes of the class with some of them: a bit for each node of the cluster, 64 a word, lowest first.
  [[nodiscard]] virtual std::span<const std::uint64_t> free_nodes(ClassId, Kind) const { return {}; }

  // ---- energy, labels, data
  // Energy efficiency of the job's maps on the class, relative to the first class [UNL eq 6.3]. 1 = not
  // known.
  [[nodiscard]] virtual double efficiency(JobIndex, ClassId) const { return 1; }
  // The class's label, as of a YARN node; empty = none. A job that has an entry of its own for a labelled
  // class asks for the label. O(log classes of the job).
  [[nodiscard]] virtual std::string_view class_label(ClassId) const { return {}; }
  [[nodiscard]] virtual bool has_own_entry(JobIndex, ClassId) const { return false; }
  // The nodes that hold the map's block, and whether the map has not started. Only with slots, while the job
  // has pending maps, and where blocks have places.
  [[nodiscard]] virtual std::span<const NodeIndex> block_nodes(JobIndex, TaskIndex) const { return {}; }
  [[nodiscard]] virtual bool map_is_pending(JobIndex, TaskIndex) const { return false; }
};

}  // namespace wavewright
