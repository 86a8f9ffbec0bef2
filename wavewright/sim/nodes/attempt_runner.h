// Runs attempts on a simulated cluster of nodes: launch, transfers over the network, work, and records.
// job_lifecycle.h handles what their ends mean to their jobs.
#pragma once

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "wavewright/sim/kernel/flow_network.h"
#include "wavewright/sim/kernel/launch_queue.h"
#include "wavewright/sim/nodes/resource_manager.h"
#include "wavewright/sim/nodes/world.h"
#include "wavewright/sim/result.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright::sim {

class AttemptRunner {
 public:
  static constexpr std::uint64_t never = NodeJob::never;

  AttemptRunner(World& world, ResourceManager& resources, const ClusterOptions& options)
      : w_(world),
        resources_(resources),
        launches_(world.model.cluster.launches.processors, world.model.launch_pools()),
        speculates_(world.model.cluster.mode.speculation),
        trace_(options.trace),
        sink_(options.sink),
        last_beat_(world.model.period() == 0 ? 0 : world.model.topology.size(), never) {
    for (SlotTable* const table : {&w_.maps, &w_.reduces}) {
      if (trace_) table->record.resize(table->slots());
      if (w_.model.network.used()) table->transfer.resize(table->slots());
    }
    if (w_.model.network.used()) flows_.emplace(w_.model.network.links());
  }

  // ---- records

  [[nodiscard]] TaskRecord record_of(const SlotTable& table, std::uint32_t slot) const {
    const Running& attempt = table.on[slot];
    const Time start = at_ms(static_cast<std::int64_t>(attempt.since));
    return {.job = attempt.job,
            .kind = table.kind,
            .task = attempt.task,
            .slot = table.number(slot),
            .start = start,
            .end = start,
            .node = table.node_of[slot],
            .locality = attempt.locality,
            .attempt = attempt.attempt,
            .memory = w_.model.containers ? memory_of(w_.jobs[attempt.job], table.kind) : 0};
  }
  void begin_records() {
    if (sink_ != nullptr) sink_->begin(w_.result.nodes);
  }
  // Keeps records in order of start, if a trace is asked for.
  void begin_record(SlotTable& table, std::uint32_t slot) {
    ++w_.result.starts;
    if (!trace_) return;
    table.record[slot] = w_.result.trace.size();
    w_.result.trace.push_back(record_of(table, slot));
  }
  // Call when nothing of the attempt changes any more.
  void close_record(SlotTable& table, std::uint32_t slot, std::uint64_t end, AttemptOutcome outcome) {
    table.used(slot, end);
    if (trace_) {
      w_.result.trace[table.record[slot]].end = at_ms(static_cast<std::int64_t>(end));
      w_.result.trace[table.record[slot]].outcome = outcome;
    }
    if (sink_ == nullptr) return;
    TaskRecord record = record_of(table, slot);
    record.end = at_ms(static_cast<std::int64_t>(end));
    record.outcome = outcome;
    sink_->add(record);
  }

  // Counts the node's heartbeat at this instant, once: it assigned a task or reported an end.
  void heartbeat(NodeIndex node) {
    if (last_beat_.empty()) return;
    w_.result.heartbeats += std::exchange(last_beat_[node], w_.now_ms) != w_.now_ms ? 1U : 0U;
  }

  // Memory of the job's container, MiB; 0 with slots.
  [[nodiscard]] static std::uint32_t memory_of(const NodeJob& state, Kind kind) {
    return static_cast<std::uint32_t>(state.request[static_cast<std::size_t>(kind)].memory);
  }
  [[nodiscard]] static std::uint64_t length(Duration duration) {
    return static_cast<std::uint64_t>(to_ms(duration));
  }
  [[nodiscard]] Factor speed(JobIndex job, NodeIndex node) const {
    const std::uint32_t row = w_.model.topology.group[node];
    return w_.jobs[job].factor[row];
  }

  // ---- launches

  // Launches the attempt's container and JVM from `at` on.
  void launch(SlotTable& table, std::uint32_t slot, std::uint64_t at) {
    if (speculates_) table.work[slot].from = table.work[slot].full = 0;
    if (!w_.model.shares_launches(table.kind)) return launched(table, slot, at);
    table.work[slot].launched = never;
    share_processors(table, slot, at, w_.model.launch_work(table.kind));
  }
  void share_processors(SlotTable& table, std::uint32_t slot, std::uint64_t at, std::uint64_t work) {
    std::uint64_t& shared = table.work[slot].shared;
    shared = launches_.enter(w_.model.launch_pool(table.node_of[slot]), at, work, w_.now_ms);
    sharing_[shared] = {table.kind, slot};
  }
  // A job has come: its client shares processors with launches.
  void submitted() {
    if (const std::uint64_t work = w_.model.submit_work(); work > 0)
      launches_.enter(0, w_.now_ms, work, w_.now_ms);
  }
  // Cancels the attempt's launch, shared work and transfer.
  void cancel(SlotTable& table, std::uint32_t slot) {
    if (!sharing_.empty() && table.work[slot].shared != 0) {
      const LaunchQueue::Id shared = std::exchange(table.work[slot].shared, 0);
      launches_.cancel(shared, w_.now_ms);
      sharing_.erase(shared);
    }
    if (flows_ && table.kind != Kind::master) cancel_flow(table.transfer[slot]);
  }
  // Handles launches, and work that shares processors with them, that end at this instant.
  void launches() {
    if (launches_.next() > w_.now_ms) return;
    launches_.run(w_.now_ms, [this](LaunchQueue::Id over) {
      const auto found = sharing_.find(over);
      if (found == sharing_.end()) return;  // a client
      const auto [kind, slot] = found->second;
      sharing_.erase(found);
      SlotTable& table = w_.table_of(kind);
      AttemptWork& work = table.work[slot];
      work.shared = 0;
      if (work.launched != never) return ends_at(table, slot, w_.now_ms);
      work.launched = w_.now_ms;
      launched(table, slot, w_.now_ms);
    });
  }
  // Called when the end of the launch is known: starts the work, the fetch or the wait for maps.
  void launched(SlotTable& table, std::uint32_t slot, std::uint64_t at) {
    if (table.kind == Kind::master) {
      table.work[slot].launched = at;
      return resources_.master_launched(slot);
    }
    const Running& attempt = table.on[slot];
    NodeJob& state = w_.jobs[attempt.job];
    if (table.kind == Kind::map) {
      const std::uint64_t work =
          scaled(scaled(length(state.map_work[attempt.task]), speed(attempt.job, table.node_of[slot])),
                 w_.model.locality_factor[static_cast<std::size_t>(attempt.locality)]);
      run(table, slot, at, work);
      if (flows_) read_block(table, slot, at);
    } else if (flows_ && w_.model.network.shuffles(*state.job)) {
      table.work[slot].launched = at;
      fetch(slot);
    } else if (state.maps_done_at != never) {
      run_reduce(slot, at, attempt.since <= state.maps_done_at);
    } else {
      table.work[slot].launched = at;
      state.waiting.push_back(slot);
    }
  }

  // Starts the work of the reduce on the slot at `from`.
  void run_reduce(std::uint32_t slot, std::uint64_t from, bool first_wave) {
    const Running& attempt = w_.reduces.on[slot];
    const Job& job = w_.workload.jobs[attempt.job];
    const Duration shuffle = w_.model.network.shuffles(job) ? w_.model.network.overhead()
                             : first_wave                   ? job.first_shuffle(attempt.task)
                                                            : job.later_shuffle(attempt.task);
    run(w_.reduces, slot, from,
        scaled(length(w_.jobs[attempt.job].reduce_work[attempt.task]),
               speed(attempt.job, w_.reduces.node_of[slot])),
        length(shuffle));
  }

  // Runs the attempt on the slot from `from` on: `shuffle` ms, then `own` ms of work. Its node reports the
  // end at once, or at a heartbeat after the one that gave the slot; a container's master knows it at once.
  void run(SlotTable& table, std::uint32_t slot, std::uint64_t from, std::uint64_t own,
           std::uint64_t shuffle = 0) {
    Running& attempt = table.on[slot];
    const NodeIndex node = table.node_of[slot];
    const std::uint64_t work = shuffle + own;
    NodeModel::DrawnOutcome outcome{work, work, false};
    if (w_.model.draws_fates) {
      const NodeJob& state = w_.jobs[attempt.job];
      outcome = w_.model.outcome(work, state.hash, state.job->task_failure, table.kind, attempt.task,
                                 attempt.attempt, node);
    }
    attempt.fails = outcome.fails;
    if (speculates_) {
      table.work[slot].from = from;
      table.work[slot].full = from + outcome.full;
    }
    if (outcome.work > shuffle && w_.model.shares_work(w_.workload.jobs[attempt.job])) {
      share_processors(table, slot, from + shuffle, outcome.work - shuffle);
    } else {
      ends_at(table, slot, from + outcome.work);
    }
  }
  // Sets the attempt's end, which is known now.
  void ends_at(SlotTable& table, std::uint32_t slot, std::uint64_t end) {
    Running& attempt = table.on[slot];
    attempt.ends = true;
    attempt.until = end;
    table.use(attempt.since, end);
    expect_report(table, slot);
  }
  // Plans the report of the attempt's end by its node.
  void expect_report(SlotTable& table, std::uint32_t slot) {
    const NodeIndex node = table.node_of[slot];
    std::uint64_t report = table.on[slot].until;
    if (w_.heartbeats.period != 0 && !w_.model.containers) {
      report = std::max(report, w_.now_ms + 1);
      if (!w_.model.cluster.mode.out_of_band) report = w_.heartbeats.at_or_after(node, report);
    }
    table.queue.set(slot, report);
  }

  // ---- transfers over the network

  // Handles transfers that end at this instant.
  void transfers() {
    if (!flows_) return;
    flows_->run(w_.now_ms, [this](FlowNetwork::Id over) {
      ++w_.result.transfers;
      const Place at = flowing_[over];
      SlotTable& table = w_.table_of(at.kind);
      Transfer& transfer = table.transfer[at.slot];
      transfer.flow = FlowNetwork::none;
      if (at.kind == Kind::reduce) {
        transfer.fetched = transfer.asked;
        fetch(at.slot);
      } else if (table.on[at.slot].ends && w_.now_ms > table.on[at.slot].until && !table.on[at.slot].fails) {
        // The map's work was done before its transfer.
        table.use(table.on[at.slot].until, w_.now_ms);
        table.on[at.slot].until = w_.now_ms;
        expect_report(table, at.slot);
      }
    });
  }
  [[nodiscard]] std::uint64_t next_transfer() { return flows_ ? flows_->next(w_.now_ms) : never; }

  void flow(SlotTable& table, std::uint32_t slot, const Route& route, std::uint64_t bytes, std::uint64_t at) {
    const FlowNetwork::Id id = flows_->start(route, bytes, at, w_.now_ms);
    if (id >= flowing_.size()) flowing_.resize(std::size_t{id} + 1);
    flowing_[id] = {table.kind, slot};
    table.transfer[slot].flow = id;
  }
  void cancel_flow(Transfer& transfer) {
    if (transfer.flow != FlowNetwork::none) flows_->cancel(transfer.flow);
    transfer = {};
  }
  // From `at` on, reads the map's block from the nearest node that holds it, while the map works.
  void read_block(SlotTable& table, std::uint32_t slot, std::uint64_t at) {
    const Running& attempt = table.on[slot];
    const NodeJob& state = w_.jobs[attempt.job];
    if (!w_.model.network.reads() || attempt.locality == Locality::node) return;
    const NodeIndex node = table.node_of[slot];
    const NodeIndex from = w_.model.network.nearest(state.local->holders(attempt.task), node);
    flow(table, slot, w_.model.network.route(from, node), w_.model.network.block_of(*state.job), at);
    // A map without work waits for its block from the start.
    if (!attempt.fails && attempt.until <= w_.now_ms) table.queue.clear(slot);
  }
  // True if the map, whose work is done, still waits for its block. A failed map does not wait.
  [[nodiscard]] bool still_reads(SlotTable& table, std::uint32_t slot) {
    if (!flows_ || table.transfer[slot].flow == FlowNetwork::none) return false;
    if (table.on[slot].fails) {
      cancel_flow(table.transfer[slot]);
      return false;
    }
    table.queue.clear(slot);
    return true;
  }
  // Fetches what the job's maps have for the reduce by now; once it has everything, it works.
  void fetch(std::uint32_t slot) {
    const Running& attempt = w_.reduces.on[slot];
    NodeJob& state = w_.jobs[attempt.job];
    Transfer& transfer = w_.reduces.transfer[slot];
    const std::uint64_t there =
        w_.model.network.fetchable(*state.job, attempt.task, state.maps.count - state.maps.left);
    const std::uint64_t from = std::max(w_.now_ms, w_.reduces.work[slot].launched);
    const Route route = w_.model.network.shuffle_route(w_.reduces.node_of[slot]);
    if (transfer.fetched < there && route.size > 0) {
      transfer.asked = there;
      flow(w_.reduces, slot, route, there - transfer.fetched, from);
    } else if (state.maps_done_at != never) {
      run_reduce(slot, from, true);
    } else {
      state.waiting.push_back(slot);
    }
  }
  // Lets the job's reduces that have fetched everything so far fetch more.
  void fetch_more(NodeJob& state) {
    const std::vector<std::uint32_t> slots = std::exchange(state.waiting, {});
    for (const std::uint32_t slot : slots) fetch(slot);
  }

  [[nodiscard]] std::uint64_t next_launch() const { return launches_.next(); }
  [[nodiscard]] bool shares_network() const { return flows_.has_value(); }
  // True while launches, transfers, or work that shares processors, are under way.
  [[nodiscard]] bool busy() const { return !sharing_.empty() || (flows_ && !flows_->empty()); }
  // True while the attempt has a transfer under way.
  [[nodiscard]] bool transfers(const SlotTable& table, std::uint32_t slot) const {
    return flows_ && table.kind != Kind::master && table.transfer[slot].flow != FlowNetwork::none;
  }

 private:
  World& w_;
  ResourceManager& resources_;
  struct Place {
    Kind kind = Kind::map;
    std::uint32_t slot = 0;
  };
  LaunchQueue launches_;  // and work that shares processors
  std::unordered_map<LaunchQueue::Id, Place> sharing_;
  std::optional<FlowNetwork> flows_;  // if transfers share the network
  std::vector<Place> flowing_;        // by flow
  const bool speculates_;
  const bool trace_;
  TaskSink* const sink_;
  std::vector<std::uint64_t> last_beat_;  // by node: the last one counted
};

}  // namespace wavewright::sim
