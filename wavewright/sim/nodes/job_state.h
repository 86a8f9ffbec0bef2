// Where one job stands in a simulated cluster of nodes.
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

// What must be remembered of a job's attempts where tasks may need more than one.
struct Attempts {
  using Returned = std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>>;

  struct Task {
    std::uint32_t started = 0;  // attempts
    std::uint32_t slot = 0;     // of the attempt that is done, else of the newest
  };
  // Bits of 64 tasks.
  struct Flags {
    std::uint64_t running = 0;  // those that run are among them
    std::uint64_t done = 0;
    std::uint64_t doubled = 0;  // it had a second attempt, or was marked for one
  };
  // What every start and end needs stands in the first line of the cache.
  struct alignas(cache_line) OfKind {
    std::vector<Task> tasks;
    std::vector<Flags> flags;
    std::vector<std::uint32_t> marked;    // tasks that run and are to have a second attempt
    Returned returned;                    // to be run again, lowest first
    std::vector<std::uint32_t> failures;  // by task; empty until there is one

    void renew(std::size_t count) {
      tasks.assign(count, {});
      flags.assign((count + 63) / 64, {});
      marked.clear();
      while (!returned.empty()) returned.pop();
      failures.clear();
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
    void loses(std::uint32_t task) { flags[task / 64].done &= ~bit(task); }
    std::uint32_t fails(std::uint32_t task) {  // how often it has by now
      if (failures.empty()) failures.resize(tasks.size());
      return ++failures[task];
    }
  };
  std::unordered_set<NodeIndex> blacklisted;  // nodes on which it failed too often
  OfKind maps;
  OfKind reduces;
  std::unordered_map<NodeIndex, Count> failures_on;

  // For a job of which nothing has started.
  void renew(const Job& job) {
    maps.renew(job.maps.size());
    reduces.renew(job.reduces.size());
    blacklisted.clear();
    failures_on.clear();
  }

  [[nodiscard]] OfKind& of(Kind kind) { return kind == Kind::map ? maps : reduces; }
};

// What every start and end needs stands in the first two lines of the cache.
struct alignas(cache_line) NodeJob {
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  // One kind's tasks. Those that have not ended are pending or held by a slot.
  struct Tasks {
    std::uint32_t count = 0;
    std::uint32_t left = 0;         // not ended
    std::uint32_t pending = 0;      // not ended and not running
    std::uint32_t next = 0;         // the lowest-numbered that never started, where tasks start in order
    std::uint64_t look_at = never;  // before then none of its attempts can be slow enough to be doubled
  };

  Tasks maps;
  Tasks reduces;
  const Job* job = nullptr;
  const Duration* map_work = nullptr;     // by task
  const Duration* reduce_work = nullptr;  // likewise
  const Factor* factor = nullptr;         // by row of Cluster::nodes
  std::uint64_t maps_done_at = never;
  std::unique_ptr<LocalTasks> local;   // where maps have places
  std::unique_ptr<Attempts> attempts;  // where tasks may need more than one
  std::uint32_t ready_after = 0;       // ends of maps before its reduces may start
  bool arrived : 1 = false;
  bool admitted : 1 = false;
  bool started : 1 = false;
  bool reduces_ready : 1 = false;
  bool settled : 1 = false;  // finished, failed or rejected
  bool rejected : 1 = false;
  bool blacklists : 1 = false;  // some node, see Attempts

  std::uint64_t hash = 0;              // of its id
  std::vector<std::uint32_t> waiting;  // slots whose reduces wait for the last map
  std::vector<Factor> own_factors;     // where the job has speeds of its own
  // Containers, by Kind: those asked for and not given, those held, the most it may hold, what each takes.
  Count asked[3] = {0, 0, 0};
  Count held[3] = {0, 0, 0};
  Count cap[3] = {unlimited, unlimited, unlimited};
  NodeModel::Room request[3];
  Count reserved = 0;  // nodes that are kept for it until one of its requests fits
  std::uint32_t masters_started = 0;
  bool begun = false;               // a master of it has been up
  std::uint64_t master_up = never;  // since then its application master asks, and every so often from then on
  std::uint64_t review = never;     // when it next has something to ask
  std::uint32_t master = Running::alone;  // its slot in the masters' table
  Estimate map;                           // nominal, at speed 1
  Estimate reduce;                        // with the later-wave shuffle

  [[nodiscard]] Tasks& tasks(Kind kind) { return kind == Kind::map ? maps : reduces; }
  [[nodiscard]] const Tasks& tasks(Kind kind) const { return kind == Kind::map ? maps : reduces; }
  static constexpr std::size_t hot = 2 * cache_line;  // bytes, from the front on
  [[nodiscard]] bool done() const { return maps_done_at != never && reduces.left == 0; }
};

}  // namespace wavewright::sim
