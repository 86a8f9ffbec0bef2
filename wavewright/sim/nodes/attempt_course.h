// How attempts run in a simulated cluster of nodes: they are launched, read and fetch over the network, work,
// and are written down. What their ends mean to their jobs is job_course.h's matter.
#pragma once

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "wavewright/sim/kernel/flow_network.h"
#include "wavewright/sim/kernel/launch_queue.h"
#include "wavewright/sim/nodes/cluster_state.h"
#include "wavewright/sim/result.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright::sim {

class AttemptCourse : protected ClusterState {
 protected:
  using State = ClusterState;
  using State::jobs_;
  using State::maps_;
  using State::model_;
  using State::now;
  using State::now_;
  using State::reduces_;
  using State::workload_;
  static constexpr std::uint64_t never = NodeJob::never;

  AttemptCourse(const Workload& workload, Policy& policy, const NodeModel& model,
                const ClusterOptions& options)
      : State(workload, policy, model),
        heartbeats_{model.period(), model.topology.size()},
        launch_(model.launch()),
        launches_(model.cluster.launches.processors, model.launch_pools()),
        trace_(options.trace),
        sink_(options.sink),
        last_beat_(model.period() == 0 ? 0 : model.topology.size(), never) {
    result_.nodes = model.topology.names;
    result_.jobs.reserve(jobs_.size());
    for (const Job& job : workload.jobs)
      result_.jobs.push_back({job.submit, job.submit, job.submit, job.submit});
    for (Side* const side : {&maps_, &reduces_}) {
      if (trace_) side->record.resize(side->slots());
      if (model.network.used()) side->transfer.resize(side->slots());
    }
    if (model.network.used()) flows_.emplace(model.network.links());
  }

  // ---- records

  [[nodiscard]] TaskRecord record_of(const Side& side, std::uint32_t slot) const {
    const Running& attempt = side.on[slot];
    const Time start = at_ms(static_cast<std::int64_t>(attempt.since));
    return {.job = attempt.job,
            .kind = side.kind,
            .task = attempt.task,
            .slot = side.number(slot),
            .start = start,
            .end = start,
            .node = side.node_of[slot],
            .locality = attempt.locality,
            .attempt = attempt.attempt,
            .memory = model_.containers ? memory_of(jobs_[attempt.job], side.kind) : 0};
  }
  void begin_records() {
    if (sink_ != nullptr) sink_->begin(result_.nodes);
  }
  // In order of start, where they are kept.
  void begin_record(Side& side, std::uint32_t slot) {
    ++result_.starts;
    if (!trace_) return;
    side.record[slot] = result_.trace.size();
    result_.trace.push_back(record_of(side, slot));
  }
  // Nothing of the attempt changes any more.
  void close_record(Side& side, std::uint32_t slot, std::uint64_t end, AttemptOutcome outcome) {
    side.used(slot, end);
    if (trace_) {
      result_.trace[side.record[slot]].end = at_ms(static_cast<std::int64_t>(end));
      result_.trace[side.record[slot]].outcome = outcome;
    }
    if (sink_ == nullptr) return;
    TaskRecord record = record_of(side, slot);
    record.end = at_ms(static_cast<std::int64_t>(end));
    record.outcome = outcome;
    sink_->add(record);
  }

  // The node's heartbeat at this instant brought or told something.
  void beat(NodeIndex node) {
    if (last_beat_.empty() || last_beat_[node] == now_) return;
    last_beat_[node] = now_;
    ++result_.heartbeats;
  }

  // What the job's container takes, MiB; 0 with slots.
  [[nodiscard]] static std::uint32_t memory_of(const NodeJob& state, Kind kind) {
    return static_cast<std::uint32_t>(state.request[static_cast<std::size_t>(kind)].memory);
  }
  [[nodiscard]] static std::uint64_t length(Duration duration) {
    return static_cast<std::uint64_t>(to_ms(duration));
  }
  [[nodiscard]] Factor speed(JobIndex job, NodeIndex node) const {
    const std::uint32_t row = model_.topology.group[node];
    return jobs_[job].factor[row];
  }

  // ---- launches

  // The attempt's container and JVM are launched from `at` on.
  void launch(Side& side, std::uint32_t slot, std::uint64_t at) {
    Running& attempt = side.on[slot];
    if (!model_.shares_launches(side.kind)) {
      attempt.launched = at;
      return launched(side, slot);
    }
    attempt.launched = never;
    share_processors(side, slot, at, model_.launch_work(side.kind));
  }
  void share_processors(Side& side, std::uint32_t slot, std::uint64_t at, std::uint64_t work) {
    Running& attempt = side.on[slot];
    attempt.shared = launches_.enter(model_.launch_pool(side.node_of[slot]), at, work, now_);
    sharing_[attempt.shared] = {side.kind, slot};
  }
  // What the attempt waits for comes no more.
  void cancel(Side& side, std::uint32_t slot) {
    const Running& attempt = side.on[slot];
    if (attempt.shared != 0) {
      launches_.cancel(attempt.shared, now_);
      sharing_.erase(attempt.shared);
    }
    if (flows_ && side.kind != Kind::master) cancel_flow(side.transfer[slot]);
  }
  // Launches, and work that shares processors with them, that are over at this instant.
  void launches() {
    if (launches_.next() > now_) return;
    launches_.run(now_, [this](LaunchQueue::Id over) {
      const auto [kind, slot] = sharing_.at(over);
      sharing_.erase(over);
      Side& side = State::side_of(kind);
      Running& attempt = side.on[slot];
      attempt.shared = 0;
      if (attempt.launched != never) return ends_at(side, slot, now_);
      attempt.launched = now_;
      launched(side, slot);
    });
  }
  // It is known when the attempt can go to work.
  virtual void launched(Side& side, std::uint32_t slot) {
    const Running& attempt = side.on[slot];
    NodeJob& state = jobs_[attempt.job];
    if (side.kind == Kind::map) {
      const std::uint64_t work =
          scaled(scaled(length(state.map_work[attempt.task]), speed(attempt.job, side.node_of[slot])),
                 model_.locality_factor[static_cast<std::size_t>(attempt.locality)]);
      run(side, slot, attempt.launched, work);
      if (flows_) read_block(side, slot);
    } else if (flows_ && model_.network.shuffles(*state.job)) {
      fetch(slot);
    } else if (state.maps_done_at != never) {
      run_reduce(slot, attempt.launched, attempt.since <= state.maps_done_at);
    } else {
      state.waiting.push_back(slot);
    }
  }

  // The reduce on the slot goes to work at `from`.
  void run_reduce(std::uint32_t slot, std::uint64_t from, bool first_wave) {
    const Running& attempt = reduces_.on[slot];
    const Job& job = workload_.jobs[attempt.job];
    const Duration shuffle = model_.network.shuffles(job) ? model_.network.overhead()
                             : first_wave                 ? job.first_shuffle(attempt.task)
                                                          : job.later_shuffle(attempt.task);
    run(reduces_, slot, from,
        scaled(length(jobs_[attempt.job].reduce_work[attempt.task]),
               speed(attempt.job, reduces_.node_of[slot])),
        length(shuffle));
  }

  // The attempt on the slot works from `from` on, with so long a shuffle before its own work. Its node
  // reports its end then or at its next heartbeat, which is not the one at which the slot was given; a
  // container's end is known to its master at once.
  void run(Side& side, std::uint32_t slot, std::uint64_t from, std::uint64_t own, std::uint64_t shuffle = 0) {
    Running& attempt = side.on[slot];
    const NodeIndex node = side.node_of[slot];
    const std::uint64_t work = shuffle + own;
    NodeModel::Course course{work, work, false};
    if (model_.draws_fates) {
      const NodeJob& state = jobs_[attempt.job];
      course = model_.course(work, state.hash, state.job->task_failure, side.kind, attempt.task,
                             attempt.attempt, node);
    }
    attempt.fails = course.fails;
    attempt.from = from;
    attempt.full = from + course.full;
    if (course.work > shuffle && model_.shares_work(workload_.jobs[attempt.job])) {
      share_processors(side, slot, from + shuffle, course.work - shuffle);
    } else {
      ends_at(side, slot, from + course.work);
    }
  }
  // That is known now.
  void ends_at(Side& side, std::uint32_t slot, std::uint64_t end) {
    Running& attempt = side.on[slot];
    attempt.ends = true;
    attempt.until = end;
    side.use(attempt.since, end);
    expect_report(side, slot);
  }
  // Its node reports the attempt's end, which is known now.
  void expect_report(Side& side, std::uint32_t slot) {
    const NodeIndex node = side.node_of[slot];
    std::uint64_t report = side.on[slot].until;
    if (heartbeats_.period != 0 && !model_.containers) {
      report = std::max(report, now_ + 1);
      if (!model_.cluster.mode.out_of_band) report = heartbeats_.at_or_after(node, report);
    }
    side.queue.set(slot, report);
  }

  // ---- transfers over the network

  // Those that are over at this instant.
  void transfers() {
    if (!flows_) return;
    flows_->run(now_, [this](FlowNetwork::Id over) {
      ++result_.transfers;
      const Place at = flowing_[over];
      Side& side = State::side_of(at.kind);
      Transfer& transfer = side.transfer[at.slot];
      transfer.flow = FlowNetwork::none;
      if (at.kind == Kind::reduce) {
        transfer.fetched = transfer.asked;
        fetch(at.slot);
      } else if (side.on[at.slot].ends && now_ > side.on[at.slot].until && !side.on[at.slot].fails) {
        // Its work was done before.
        side.use(side.on[at.slot].until, now_);
        side.on[at.slot].until = now_;
        expect_report(side, at.slot);
      }
    });
  }
  [[nodiscard]] std::uint64_t next_transfer() { return flows_ ? flows_->next(now_) : never; }

  void flow(Side& side, std::uint32_t slot, const Route& route, std::uint64_t bytes, std::uint64_t at) {
    const FlowNetwork::Id id = flows_->start(route, bytes, at, now_);
    if (id >= flowing_.size()) flowing_.resize(std::size_t{id} + 1);
    flowing_[id] = {side.kind, slot};
    side.transfer[slot].flow = id;
  }
  void cancel_flow(Transfer& transfer) {
    if (transfer.flow != FlowNetwork::none) flows_->cancel(transfer.flow);
    transfer = {};
  }
  // The map's block comes from the nearest node that holds it, while the map works.
  void read_block(Side& side, std::uint32_t slot) {
    const Running& attempt = side.on[slot];
    const NodeJob& state = jobs_[attempt.job];
    if (!model_.network.reads() || attempt.locality == Locality::node) return;
    const NodeIndex node = side.node_of[slot];
    const NodeIndex from = model_.network.nearest(state.local->holders(attempt.task), node);
    flow(side, slot, model_.network.route(from, node), model_.network.block_of(*state.job), attempt.launched);
    // One without work waits for its block from the outset.
    if (!attempt.fails && attempt.until <= now_) side.queue.clear(slot);
  }
  // Whether the map, whose work is done, still waits for its block. One that has failed does not.
  [[nodiscard]] bool still_reads(Side& side, std::uint32_t slot) {
    if (!flows_ || side.transfer[slot].flow == FlowNetwork::none) return false;
    if (side.on[slot].fails) {
      cancel_flow(side.transfer[slot]);
      return false;
    }
    side.queue.clear(slot);
    return true;
  }
  // The reduce fetches what the job's maps have for it by now; once it has all, it goes to work.
  void fetch(std::uint32_t slot) {
    const Running& attempt = reduces_.on[slot];
    NodeJob& state = jobs_[attempt.job];
    Transfer& transfer = reduces_.transfer[slot];
    const std::uint64_t there =
        model_.network.fetchable(*state.job, attempt.task, state.maps.count - state.maps.left);
    const std::uint64_t from = std::max(now_, attempt.launched);
    if (transfer.fetched < there) {
      transfer.asked = there;
      flow(reduces_, slot, model_.network.shuffle_route(reduces_.node_of[slot]), there - transfer.fetched,
           from);
    } else if (state.maps_done_at != never) {
      run_reduce(slot, from, true);
    } else {
      state.waiting.push_back(slot);
    }
  }
  // Of the job's reduces that have fetched all there was, those for which there is more now.
  void fetch_more(NodeJob& state) {
    const std::vector<std::uint32_t> slots = std::exchange(state.waiting, {});
    for (const std::uint32_t slot : slots) fetch(slot);
  }

  const Heartbeats heartbeats_;
  const std::uint64_t launch_;
  struct Place {
    Kind kind = Kind::map;
    std::uint32_t slot = 0;
  };
  LaunchQueue launches_;  // and work, where they share processors
  std::unordered_map<LaunchQueue::Id, Place> sharing_;
  std::optional<FlowNetwork> flows_;  // where transfers share the network
  std::vector<Place> flowing_;        // by flow
  SimulationResult result_;

 private:
  const bool trace_;
  TaskSink* const sink_;
  std::vector<std::uint64_t> last_beat_;  // by node: when one last counted
};

}  // namespace wavewright::sim
