#include "tests/sim/container_laws.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "wavewright/sim/metrics/run_counts.h"

namespace wavewright {

namespace {

constexpr Time for_ever = Time::max();
struct Away {
  Time from{}, to = for_ever;
};
struct LawNode {
  Count memory = 0, vcores = 0;
  double speed = 1;
  std::vector<Away> away;
};
struct Asked {
  Count memory = 0, vcores = 0;
};

// An attempt, and until when its room is taken.
struct Held {
  const TaskRecord* record;
  Time until{};
};

class Laws {
 public:
  Laws(const Workload& workload, const Cluster& cluster, const SimulationResult& result)
      : workload_(workload), cluster_(cluster), result_(result) {
    refuse_others();
    make_nodes();
    for (const TaskRecord& record : result.trace) of_job_[record.job].push_back(&record);
  }

  std::vector<std::string> broken() {
    nodes_give_what_they_have();
    for (JobIndex job = 0; job < workload_.jobs.size(); ++job) {
      masters(job);
      tasks(job);
      outcome(job);
      failed_maps_first(job);
    }
    totals();
    return std::move(broken_);
  }

 private:
  using Records = std::vector<const TaskRecord*>;

  void refuse_others() const {
    const bool other = cluster_.faults.straggler > 0 || cluster_.mode.speculation ||
                       cluster_.launches.work > Duration{} || cluster_.network.shuffle ||
                       cluster_.reads.kind == Reads::Kind::network || result_.stopped ||
                       std::any_of(cluster_.nodes.begin(), cluster_.nodes.end(),
                                   [](const NodeGroup& group) { return group.bid || group.rent; }) ||
                       std::any_of(workload_.jobs.begin(), workload_.jobs.end(),
                                   [](const Job& job) { return !job.classes.empty(); });
    if (other) throw std::invalid_argument("the laws do not cover this world");
  }
  void make_nodes() {
    for (const NodeGroup& group : cluster_.nodes) {
      const Count count = group.hosts.empty() ? group.count : static_cast<Count>(group.hosts.size());
      for (Count i = 0; i < count; ++i) {
        LawNode node{group.memory.count >> 20, group.vcores, group.speed, {}};
        if (group.join > Time{}) node.away.push_back({Time::min(), group.join});
        if (group.leave) node.away.push_back({*group.leave, for_ever});
        for (const Outage& outage : cluster_.outages) {
          if (outage.node == result_.nodes.at(nodes_.size()))
            node.away.push_back({outage.from, outage.to.value_or(for_ever)});
        }
        nodes_.push_back(node);
      }
    }
  }

  void complain(const TaskRecord& record, const std::string& what) {
    broken_.push_back(fmt::format("{} {} of '{}', attempt {}, {} to {} on {}: {}", name_of(record.kind),
                                  record.task, workload_.jobs[record.job].id, record.attempt,
                                  to_ms(record.start), to_ms(record.end), result_.nodes[record.node], what));
  }
  void complain(JobIndex job, const std::string& what) {
    broken_.emplace_back("'" + workload_.jobs[job].id + "': " + what);
  }

  [[nodiscard]] Asked asked(JobIndex job, Kind kind) const {
    const JobMemory& own = workload_.jobs[job].memory;
    const Containers& all = cluster_.containers;
    const auto& mine = kind == Kind::master ? own.master : kind == Kind::map ? own.map : own.reduce;
    const ContainerRequest& usual = kind == Kind::master ? all.master
                                    : kind == Kind::map  ? all.map
                                                         : all.reduce;
    const auto mib = [](Bytes bytes) { return (bytes.count + (1 << 20) - 1) >> 20; };
    Count memory = mib(mine.value_or(usual.memory));
    if (cluster_.limits.min_memory) {
      const Count step = mib(*cluster_.limits.min_memory);
      memory = (std::max<Count>(memory, 1) + step - 1) / step * step;
    }
    return {memory, cluster_.containers.count_vcores ? usual.vcores : 0};
  }

  // ---- nodes

  // The first heartbeat of the node at or after an instant.
  [[nodiscard]] Time heartbeat(NodeIndex node, Time at) const {
    const std::int64_t period = to_ms(cluster_.mode.heartbeat);
    const std::int64_t first =
        static_cast<std::int64_t>(node) * period / static_cast<std::int64_t>(nodes_.size());
    const std::int64_t since = std::max<std::int64_t>(0, to_ms(at) - first);
    return at_ms(first + (since + period - 1) / period * period);
  }
  // A container that ended by itself keeps its room until its node reports, which is not at the heartbeat
  // that gave it; a node that goes loses it.
  [[nodiscard]] Time room_free(const TaskRecord& record) const {
    const bool by_itself = record.outcome == AttemptOutcome::done || record.outcome == AttemptOutcome::failed;
    if (!by_itself || cluster_.mode.heartbeat == Duration{}) return record.end;
    Time until = std::max(record.end, record.start + ms(1));
    if (!cluster_.mode.out_of_band) until = heartbeat(record.node, until);
    for (const Away& away : nodes_[record.node].away) {
      if (away.from >= record.end) until = std::min(until, away.from);
    }
    return until;
  }
  void nodes_give_what_they_have() {
    std::vector<std::vector<Held>> on(nodes_.size());
    for (const TaskRecord& record : result_.trace) on[record.node].push_back({&record, room_free(record)});
    for (NodeIndex node = 0; node < nodes_.size(); ++node) one_node(node, on[node]);
  }
  void one_node(NodeIndex node, const std::vector<Held>& held) {
    std::multimap<Time, Asked> ends;
    Count memory = 0, vcores = 0;
    for (const Held& each : held) {  // in order of start
      const TaskRecord& record = *each.record;
      while (!ends.empty() && ends.begin()->first <= record.start) {
        memory -= ends.begin()->second.memory;
        vcores -= ends.begin()->second.vcores;
        ends.erase(ends.begin());
      }
      const Asked size = asked(record.job, record.kind);
      if (record.memory != static_cast<std::uint32_t>(size.memory))
        complain(record, fmt::format("has {} MiB, asks for {}", record.memory, size.memory));
      memory += size.memory;
      vcores += size.vcores;
      ends.emplace(each.until, size);
      if (memory > nodes_[node].memory ||
          (cluster_.containers.count_vcores && vcores > nodes_[node].vcores)) {
        complain(record, fmt::format("the node gives {} MiB and {} vcores of {} and {}", memory, vcores,
                                     nodes_[node].memory, nodes_[node].vcores));
      }
      for (const Away& away : nodes_[node].away) {
        // Nothing is simulated once the last task has ended.
        const bool in_time = away.from < Time{} + result_.makespan - cluster_.masters.finish;
        if (in_time && record.start < away.to && record.end > away.from) complain(record, "its node is away");
      }
      const bool in_turn = cluster_.mode.heartbeat == Duration{} || cluster_.mode.out_of_band ||
                           heartbeat(node, record.start) == record.start;
      if (!in_turn) complain(record, "its node has no heartbeat then");
    }
  }
  [[nodiscard]] bool goes_away(NodeIndex node, Time from, Time to) const {
    return std::any_of(nodes_[node].away.begin(), nodes_[node].away.end(),
                       [&](const Away& away) { return from <= away.from && away.from <= to; });
  }

  // ---- masters

  [[nodiscard]] Time is_up(const TaskRecord& master) const {
    return master.start + cluster_.mode.launch + cluster_.masters.start;
  }
  [[nodiscard]] const TaskRecord* master_at(JobIndex job, Time instant) const {
    for (const TaskRecord* record : records(job)) {
      if (record->kind == Kind::master && is_up(*record) <= instant && instant <= record->end) return record;
    }
    return nullptr;
  }
  // Its first heartbeat after an instant, at which it fetches what it was given.
  [[nodiscard]] Time fetched(const TaskRecord& master, Time given) const {
    const Duration period = cluster_.masters.heartbeat;
    return is_up(master) + ((given - is_up(master)) / period + 1) * period;
  }
  void masters(JobIndex job) {
    Time from = workload_.jobs[job].submit;
    for (const std::string& other : workload_.jobs[job].after) {
      const auto found = std::find_if(workload_.jobs.begin(), workload_.jobs.end(),
                                      [&](const Job& each) { return each.id == other; });
      from = std::max(from, result_.jobs[static_cast<std::size_t>(found - workload_.jobs.begin())].finish);
    }
    for (const TaskRecord* record : records(job)) {
      if (record->kind != Kind::master) continue;
      if (record->start < from) complain(*record, "before it may, or while another one runs");
      if (record->outcome == AttemptOutcome::lost && !goes_away(record->node, record->end, record->end))
        complain(*record, "lost on a node that stays");
      from = record->end;
    }
  }

  // ---- tasks

  void tasks(JobIndex job) {
    std::map<std::pair<Kind, std::uint32_t>, Records> of_task;
    for (const TaskRecord* record : records(job)) {
      if (record->kind == Kind::master) continue;
      of_task[{record->kind, record->task}].push_back(record);
      const TaskRecord* const master = master_at(job, record->start);
      if (master == nullptr || record->end > master->end) {
        complain(*record, "without its master");
      } else if (record->outcome == AttemptOutcome::done) {
        length(*record, *master);
      }
      if (record->outcome == AttemptOutcome::lost && !goes_away(record->node, record->end, record->end))
        complain(*record, "lost on a node that stays");
      if (record->kind == Kind::reduce) slow_start(*record);
    }
    for (const auto& [which, attempts] : of_task) one_task(attempts);
    if (result_.jobs[job].failed || result_.jobs[job].rejected) return;
    const Job& has = workload_.jobs[job];
    if (of_task.size() != has.maps.size() + has.reduces.size()) complain(job, "not all of its tasks ran");
  }
  // Attempts follow each other. The last one is done; an earlier one that was done is a map whose node went.
  void one_task(const Records& attempts) {
    const JobOutcome& job = result_.jobs[attempts.front()->job];
    Count failures = 0;
    for (std::size_t i = 0; i < attempts.size(); ++i) {
      const TaskRecord& record = *attempts[i];
      failures += record.outcome == AttemptOutcome::failed ? 1 : 0;
      if (record.attempt != i) complain(record, "is not numbered in order");
      if (i + 1 == attempts.size()) {
        if (record.outcome != AttemptOutcome::done && !job.failed) complain(record, "the task is never done");
        break;
      }
      if (attempts[i + 1]->start < record.end) complain(*attempts[i + 1], "runs beside the one before");
      const bool lost_after =
          record.kind == Kind::map && goes_away(record.node, record.end, attempts[i + 1]->start);
      if (record.outcome == AttemptOutcome::done && !lost_after) complain(record, "is done and runs again");
    }
    if (failures >= cluster_.faults.max_attempts && !job.failed)
      complain(*attempts.back(), "the task failed too often for its job to go on");
  }
  void length(const TaskRecord& record, const TaskRecord& master) {
    const std::vector<Time> may_end = ends_of(record, master);
    if (std::find(may_end.begin(), may_end.end(), record.end) != may_end.end()) return;
    complain(record, may_end.empty() ? "ends before the maps of its job"
                                     : fmt::format("ends at {} by its length", to_ms(may_end.front())));
  }
  // When an attempt that is done may end: one instant, unless maps of its job were done twice.
  [[nodiscard]] std::vector<Time> ends_of(const TaskRecord& record, const TaskRecord& master) const {
    const Job& job = workload_.jobs[record.job];
    const double speed = nodes_[record.node].speed;
    const auto scaled = [](Duration length, double factor) {
      return ms(std::llround(static_cast<double>(to_ms(length)) * factor));
    };
    const Time works = fetched(master, record.start) + cluster_.mode.launch;
    if (record.kind == Kind::map) {
      const bool near = cluster_.reads.kind == Reads::Kind::anywhere || record.locality == Locality::node;
      const double distance = near                                ? 1
                              : record.locality == Locality::rack ? cluster_.reads.rack
                                                                  : cluster_.reads.off_rack;
      return {works + scaled(scaled(job.maps[record.task], 1 / speed), distance)};
    }
    const auto shuffle = [&](const std::vector<Duration>& lengths) {
      return lengths.empty() ? Duration{} : lengths[record.task];
    };
    const Duration work = scaled(job.reduces[record.task], 1 / speed);
    std::vector<Time> ends;
    for (const Time maps_done : all_maps_done(record)) {
      const bool waited = record.start <= maps_done;
      ends.push_back((waited ? std::max(works, maps_done) : works) +
                     shuffle(waited ? job.first_shuffles : job.shuffles) + work);
    }
    return ends;
  }
  // Until the end of the reduce: the instant at which every map was done for the first time, and those at
  // which one was done again. A job without maps: when it was ready.
  [[nodiscard]] std::vector<Time> all_maps_done(const TaskRecord& reduce) const {
    std::set<std::uint32_t> done;
    std::vector<Time> instants;
    const std::size_t maps = workload_.jobs[reduce.job].maps.size();
    if (maps == 0) return {result_.jobs[reduce.job].maps_done};
    Records ends = records(reduce.job);
    std::stable_sort(ends.begin(), ends.end(),
                     [](const TaskRecord* a, const TaskRecord* b) { return a->end < b->end; });
    for (const TaskRecord* record : ends) {
      if (record->kind != Kind::map || record->outcome != AttemptOutcome::done || record->end > reduce.end)
        continue;
      done.insert(record->task);
      if (done.size() == maps) instants.push_back(record->end);
    }
    return instants;
  }
  void slow_start(const TaskRecord& reduce) {
    const Job& job = workload_.jobs[reduce.job];
    std::set<std::uint32_t> done;
    for (const TaskRecord* record : records(reduce.job)) {
      const bool map_done = record->kind == Kind::map && record->outcome == AttemptOutcome::done;
      if (map_done && record->end <= reduce.start) done.insert(record->task);
    }
    const double least = std::ceil(cluster_.mode.slowstart * static_cast<double>(job.maps.size()) - 1e-9);
    if (static_cast<double>(done.size()) < least) complain(reduce, "starts before slow-start");
  }

  // A map that failed or was lost, and that its master has asked for anew, goes before the job's reduces
  // wherever a reduce fits.
  void failed_maps_first(JobIndex job) {
    const Asked map = asked(job, Kind::map), reduce = asked(job, Kind::reduce);
    if (map.memory > reduce.memory || map.vcores > reduce.vcores) return;
    for (const TaskRecord* failed : records(job)) {
      if (failed->kind != Kind::map) continue;
      if (failed->outcome != AttemptOutcome::failed && failed->outcome != AttemptOutcome::lost) continue;
      const TaskRecord* const master = master_at(job, failed->end);
      if (master == nullptr || failed->end == master->end) continue;
      const Time asks = fetched(*master, failed->end - ms(1));
      Time again = std::min(master->end, result_.jobs[job].finish);
      for (const TaskRecord* next : records(job)) {
        if (next->kind == Kind::map && next->task == failed->task && next->attempt == failed->attempt + 1)
          again = std::min(again, next->start);
      }
      for (const TaskRecord* other : records(job)) {
        if (other->kind == Kind::reduce && asks <= other->start && other->start < again)
          complain(*other, fmt::format("before map {}, which failed or was lost", failed->task));
      }
    }
  }

  // ---- totals

  void outcome(JobIndex job) {
    const JobOutcome& told = result_.jobs[job];
    Time start = for_ever, maps_done = Time::min(), last = Time::min();
    std::uint32_t failed = 0, lost = 0, killed = 0;
    for (const TaskRecord* record : records(job)) {
      failed += record->outcome == AttemptOutcome::failed ? 1 : 0;
      lost += record->outcome == AttemptOutcome::lost ? 1 : 0;
      killed += record->outcome == AttemptOutcome::killed ? 1 : 0;
      if (record->kind == Kind::master) continue;
      start = std::min(start, record->start);
      if (record->outcome != AttemptOutcome::done) continue;
      last = std::max(last, record->end);
      if (record->kind == Kind::map) maps_done = std::max(maps_done, record->end);
    }
    if (told.unfinished) complain(job, "is not over");
    if (told.failed_attempts != failed || told.lost_attempts != lost || told.killed_attempts != killed)
      complain(job,
               fmt::format("{} attempts failed, {} were lost, {} killed; the outcome says {}, {}, {}", failed,
                           lost, killed, told.failed_attempts, told.lost_attempts, told.killed_attempts));
    if (told.failed || told.rejected || last == Time::min()) return;
    if (told.start != start) complain(job, "starts when no task does");
    if (told.maps_done != maps_done && maps_done != Time::min())
      complain(job, "its last map ends at another time");
    if (told.finish != last + cluster_.masters.finish) complain(job, "does not finish with its last task");
    const TaskRecord* const master = master_at(job, last);
    const bool ends_with_it = master != nullptr && (master->end == told.finish + cluster_.masters.stop ||
                                                    goes_away(master->node, master->end, master->end));
    if (!ends_with_it) complain(job, "its master does not end with it");
  }
  void totals() {
    if (result_.starts != result_.trace.size())
      broken_.push_back(fmt::format("{} starts, {} attempts", result_.starts, result_.trace.size()));
    RunCounts counted;
    Time last{};
    for (const JobOutcome& job : result_.jobs) {
      Count& state = job.failed ? counted.failed : job.rejected ? counted.rejected : counted.done;
      ++state;
      last = std::max(last, job.rejected ? Time{} : job.finish);
    }
    for (const TaskRecord& record : result_.trace) {
      counted.failed_attempts += record.outcome == AttemptOutcome::failed ? 1 : 0;
      counted.lost_attempts += record.outcome == AttemptOutcome::lost ? 1 : 0;
      counted.killed_attempts += record.outcome == AttemptOutcome::killed ? 1 : 0;
    }
    if (counted != counts_of(result_)) broken_.emplace_back("other counts than the records give");
    if (Time{} + result_.makespan != last) broken_.emplace_back("the makespan is not the last finish");
  }

  [[nodiscard]] const Records& records(JobIndex job) const {
    static const Records none;
    const auto found = of_job_.find(job);
    return found == of_job_.end() ? none : found->second;
  }

  const Workload& workload_;
  const Cluster& cluster_;
  const SimulationResult& result_;
  std::vector<LawNode> nodes_;
  std::map<JobIndex, Records> of_job_;
  std::vector<std::string> broken_;
};

}  // namespace

std::vector<std::string> broken_laws(const Workload& workload, const Cluster& cluster,
                                     const SimulationResult& result) {
  return Laws(workload, cluster, result).broken();
}

}  // namespace wavewright
