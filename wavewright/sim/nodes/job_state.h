// State of one job in a simulated cluster of nodes.
#pragma once

#include <memory>
#include <queue>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "wavewright/core/prefetch.h"
#include "wavewright/job/job.h"
#include "wavewright/sim/model/local_tasks.h"
#include "wavewright/sim/model/node_model.h"
#include "wavewright/sim/nodes/slot_table.h"

namespace wavewright::sim {

// A job's attempts, kept if tasks may need more than one.
struct Attempts {
  using Returned = std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>>;

  struct Task {
    std::uint32_t started = 0;  // attempts
    std::uint32_t slot = 0;     // of the attempt that is done, else of the newest one
  };
  // One bit per task, for 64 tasks.
  struct Flags {
    std::uint64_t running = 0;  // includes all running tasks
    std::uint64_t done = 0;
    std::uint64_t doubled = 0;  // it had a second attempt, or was marked for one
  };
  // Fields that every start and end needs come first, in one cache line.
  struct alignas(cache_line) OfKind {
    std::vector<Task> tasks;
    std::vector<Flags> flags;
    std::vector<std::uint32_t> marked;    // running tasks that wait for a second attempt
    Returned returned;                    // tasks to run again, lowest first
    std::vector<std::uint32_t> failures;  // by task; empty until there is one
    std::vector<std::uint64_t>
        took;  // LATE: ms of the attempt that is done, by task; empty until there is one

    void renew(std::size_t count) {
      tasks.assign(count, {});
      flags.assign((count + 63) / 64, {});
      marked.clear();
      while (!returned.empty()) returned.pop();
      failures.clear();
      took.clear();
    }

    [[nodiscard]] static std::uint64_t bit(std::uint32_t task) { return std::uint64_t{1} << (task % 64); }
    [[nodiscard]] bool is_done(std::uint32_t task) const { return (flags[task / 64].done & bit(task)) != 0; }
    [[nodiscard]] bool was_doubled(std::uint32_t task) const {
      return (flags[task / 64].doubled & bit(task)) != 0;
    }
    void starts(std::uint32_t task, std::uint32_t slot) {
      tasks[task].slot = slot;
      flags[task / 64].running |= bit(task);
    }
    void ends(std::uint32_t task, std::uint32_t slot) {
      tasks[task].slot = slot;
      flags[task / 64].running &= ~bit(task);
      flags[task / 64].done |= bit(task);
    }
    void took_so_long(std::uint32_t task, std::uint64_t time) {
      if (took.empty()) took.resize(tasks.size());
      took[task] = time;
    }
    void loses(std::uint32_t task) { flags[task / 64].done &= ~bit(task); }
    std::uint32_t fails(std::uint32_t task) {  // returns its failures so far
      if (failures.empty()) failures.resize(tasks.size());
      return ++failures[task];
    }
  };
  // With containers: maps to run again because an attempt failed or its node was lost, oldest first. Their
  // requests go before those for reduces [RMContainerAllocator: fast-fail maps].
  std::vector<std::uint32_t> failed_maps;
  std::unordered_map<std::uint32_t, std::uint64_t>
      asked_again;                            // likewise: when maps to run again were asked for
  std::unordered_set<NodeIndex> blacklisted;  // nodes on which the job failed too often
  OfKind maps;
  OfKind reduces;
  std::unordered_map<NodeIndex, Count> failures_on;

  // For a job that has not started.
  void renew(const Job& job) {
    maps.renew(job.maps.size());
    reduces.renew(job.reduces.size());
    failed_maps.clear();
    asked_again.clear();
    blacklisted.clear();
    failures_on.clear();
  }

  [[nodiscard]] OfKind& of(Kind kind) { return kind == Kind::map ? maps : reduces; }
};

// Fields that every start and end needs come first, in two cache lines.
struct alignas(cache_line) NodeJob {
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  // Tasks of one kind. A task that has not ended is pending or on a slot.
  struct Tasks {
    std::uint32_t count = 0;
    std::uint32_t left = 0;         // not ended
    std::uint32_t pending = 0;      // not ended and not running
    std::uint32_t next = 0;         // the lowest-numbered that never started, if tasks start in order
    std::uint64_t look_at = never;  // before then no attempt can be slow enough for a second one
  };

  Tasks maps;
  Tasks reduces;
  const Job* job = nullptr;
  const Duration* map_work = nullptr;     // by task
  const Duration* reduce_work = nullptr;  // by task
  const Factor* factor = nullptr;         // by row of Cluster::nodes
  std::uint64_t maps_done_at = never;
  std::unique_ptr<LocalTasks> local;   // if maps have block places
  std::unique_ptr<Attempts> attempts;  // if tasks may need more than one
  std::uint32_t ready_after = 0;       // map ends before its reduces may start
  bool arrived : 1 = false;
  bool admitted : 1 = false;
  bool started : 1 = false;
  bool reduces_ready : 1 = false;
  bool settled : 1 = false;  // finished, failed or rejected
  bool rejected : 1 = false;
  bool blacklists : 1 = false;   // some node, see Attempts
  bool failed_maps : 1 = false;  // some wait, see Attempts

  std::uint64_t hash = 0;              // of its id
  std::vector<std::uint32_t> waiting;  // slots whose reduces wait for maps
  std::vector<Factor> own_factors;     // if the job has speeds of its own
  // Containers, by Kind: requested and not yet given, held, most that it may hold, size of each.
  Count asked[3] = {0, 0, 0};
  Count decided = 0;  // reduces that its master asks for, of which YARN learns at its next heartbeat
  Count held[3] = {0, 0, 0};
  Count cap[3] = {unlimited, unlimited, unlimited};
  NodeModel::Room request[3];
  Count reserved = 0;  // nodes reserved for it until one of its requests fits
  std::uint32_t masters_started = 0;
  bool begun = false;               // a master of it has been up
  std::uint64_t master_up = never;  // when its application master came up; its heartbeats count from then
  std::uint64_t review = never;     // when the master next reviews its requests
  std::uint32_t master = Running::alone;  // its slot in the masters' table
  NominalEstimate map;
  NominalEstimate reduce;

  [[nodiscard]] Tasks& tasks(Kind kind) { return kind == Kind::map ? maps : reduces; }
  [[nodiscard]] const Tasks& tasks(Kind kind) const { return kind == Kind::map ? maps : reduces; }
  static constexpr std::size_t hot = 2 * cache_line;  // bytes, from the front
  [[nodiscard]] bool done() const { return maps_done_at != never && reduces.left == 0; }
};

}  // namespace wavewright::sim
