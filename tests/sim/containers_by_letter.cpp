#include "tests/sim/containers_by_letter.h"

#include <algorithm>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <stdexcept>

namespace wavewright {

namespace {

using Ms = std::int64_t;
constexpr Ms unknown = -1;

struct Size {
  Count memory = 0, vcores = 0;
  [[nodiscard]] bool holds(const Size& other) const {
    return memory >= other.memory && vcores >= other.vcores;
  }
};

struct LetterContainer {
  GivenContainer given;
  Ms works = unknown;  // from here on
  bool over = false;   // its master knows the end
  bool freed = false;  // its node reported it
};

struct LetterJob {
  std::optional<std::size_t> arrival;  // its place among the arrivals
  Ms up = unknown, maps_done = unknown, finish = unknown;
  bool decided = false;  // at an earlier heartbeat: to ask for its reduces
  Count asked[3] = {0, 0, 0};
  Count begun[3] = {0, 0, 0};  // tasks that got a container
  Count done[3] = {0, 0, 0};
};

std::size_t at(Kind kind) {
  return static_cast<std::size_t>(kind);
}

class Letter {
 public:
  Letter(const Workload& workload, const Cluster& cluster, bool fair)
      : workload_(workload), cluster_(cluster), fair_(fair), jobs_(workload.jobs.size()) {
    for (const NodeGroup& group : cluster.nodes) {
      for (Count i = 0; i < group.count; ++i) {
        nodes_.push_back({group.memory.count >> 20, group.vcores});
        speed_.push_back(group.speed);
      }
    }
    reserved_.resize(nodes_.size());
  }

  LetterRun run(Ms most) {
    for (now_ = 0; !all_over(); ++now_) {
      if (now_ > most) throw std::runtime_error("not over");
      reporting_.clear();
      changed_ = false;
      arrive();
      ends();
      reports();
      arrive();
      for (LetterJob& job : jobs_) ask(job);
      do {
        unreserved_ = false;
        for (NodeIndex node = 0; node < nodes_.size(); ++node) {
          if (offers(node)) give(node);
        }
      } while (unreserved_ && cluster_.mode.heartbeat == Duration{});
    }
    LetterRun result;
    for (const LetterContainer& each : containers_) result.containers.push_back(each.given);
    for (const LetterJob& job : jobs_) result.finish.push_back(job.finish);
    return result;
  }

 private:
  [[nodiscard]] bool all_over() const {
    return std::all_of(jobs_.begin(), jobs_.end(),
                       [](const LetterJob& job) { return job.finish != unknown; });
  }
  [[nodiscard]] Size size(Kind kind) const {
    const Containers& of = cluster_.containers;
    const ContainerRequest& asked = kind == Kind::master ? of.master : kind == Kind::map ? of.map : of.reduce;
    const Count step = cluster_.limits.min_memory->count;
    const Count memory = (asked.memory.count + step - 1) / step * step;
    return {memory >> 20, of.count_vcores ? asked.vcores : 0};
  }
  [[nodiscard]] Count tasks(std::size_t job, Kind kind) const {
    const Job& has = workload_.jobs[job];
    return static_cast<Count>(kind == Kind::map ? has.maps.size() : has.reduces.size());
  }
  [[nodiscard]] Ms length(Duration of, NodeIndex node) const {
    return static_cast<Ms>(static_cast<double>(to_ms(of)) / speed_[node] + 0.5);
  }

  // ---- jobs arrive, work ends, nodes report

  void arrive() {
    for (std::size_t index = 0; index < jobs_.size(); ++index) {
      if (jobs_[index].arrival || to_ms(workload_.jobs[index].submit) > now_) continue;
      const std::vector<std::string>& after = workload_.jobs[index].after;
      const bool may = std::all_of(after.begin(), after.end(), [&](const std::string& id) {
        for (std::size_t other = 0; other < jobs_.size(); ++other) {
          const Ms finish = jobs_[other].finish;
          if (workload_.jobs[other].id == id) return finish != unknown && finish <= now_;
        }
        return false;
      });
      if (!may) continue;
      changed_ = true;
      jobs_[index].arrival = arrivals_++;
      jobs_[index].asked[at(Kind::master)] = 1;
    }
  }
  void ends() {
    for (const Kind kind : {Kind::master, Kind::map, Kind::reduce}) {
      for (LetterContainer& each : containers_) {
        if (each.given.kind != kind || each.over) continue;
        if (kind == Kind::master && each.works == now_) master_is_up(each.given.job);
        if (each.given.end == now_) end(each);
      }
    }
  }
  void master_is_up(std::size_t index) {
    LetterJob& job = jobs_[index];
    changed_ = true;
    job.up = now_;
    if (tasks(index, Kind::map) == 0) maps_are_done(index);
  }
  void maps_are_done(std::size_t index) {
    jobs_[index].maps_done = now_;
    if (tasks(index, Kind::reduce) == 0) finish(index);
  }
  void finish(std::size_t index) {
    jobs_[index].finish = now_ + to_ms(cluster_.masters.finish);
    for (LetterContainer& each : containers_) {
      if (each.given.job == index && each.given.kind == Kind::master)
        each.given.end = jobs_[index].finish + to_ms(cluster_.masters.stop);
    }
  }
  void end(LetterContainer& each) {
    changed_ = each.over = true;
    LetterJob& job = jobs_[each.given.job];
    const Count done = ++job.done[at(each.given.kind)];
    if (each.given.kind == Kind::master || done < tasks(each.given.job, each.given.kind)) return;
    if (each.given.kind == Kind::map) {
      maps_are_done(each.given.job);
    } else {
      finish(each.given.job);
    }
  }
  [[nodiscard]] bool beats(NodeIndex node) const {
    const Ms period = to_ms(cluster_.mode.heartbeat);
    const Ms first = static_cast<Ms>(node) * period / static_cast<Ms>(nodes_.size());
    return period == 0 || (now_ >= first && (now_ - first) % period == 0);
  }
  void reports() {
    for (LetterContainer& each : containers_) {
      const bool given_now = cluster_.mode.heartbeat > Duration{} && each.given.start == now_;
      if (!each.over || each.freed || given_now) continue;
      if (!cluster_.mode.out_of_band && !beats(each.given.node)) continue;
      each.freed = true;
      reporting_.push_back(each.given.node);
    }
  }

  // ---- masters ask

  void ask(LetterJob& job) {
    if (job.up == unknown || job.finish != unknown) return;
    if ((now_ - job.up) % to_ms(cluster_.masters.heartbeat) != 0) return;
    const auto index = static_cast<std::size_t>(&job - jobs_.data());
    const Count before = asks(job);
    job.asked[at(Kind::map)] = tasks(index, Kind::map) - job.begun[at(Kind::map)];
    if (job.decided) job.asked[at(Kind::reduce)] = tasks(index, Kind::reduce) - job.begun[at(Kind::reduce)];
    job.decided = job.maps_done != unknown;
    changed_ = changed_ || asks(job) != before;
  }

  // ---- nodes give

  // Without heartbeats: when anything has changed.
  [[nodiscard]] bool offers(NodeIndex node) const {
    if (cluster_.mode.heartbeat == Duration{}) return changed_;
    return beats(node) || (cluster_.mode.out_of_band &&
                           std::find(reporting_.begin(), reporting_.end(), node) != reporting_.end());
  }
  [[nodiscard]] Size free(NodeIndex node) const {
    Size room = nodes_[node];
    for (const LetterContainer& each : containers_) {
      if (each.given.node != node || each.freed) continue;
      room.memory -= size(each.given.kind).memory;
      room.vcores -= size(each.given.kind).vcores;
    }
    return room;
  }
  [[nodiscard]] static Count asks(const LetterJob& job) { return job.asked[0] + job.asked[1] + job.asked[2]; }
  [[nodiscard]] static Kind next(const LetterJob& job) {
    return job.asked[at(Kind::master)] > 0   ? Kind::master
           : job.asked[at(Kind::reduce)] > 0 ? Kind::reduce
                                             : Kind::map;
  }
  [[nodiscard]] Count held(std::size_t index) const {
    Count memory = 0;
    for (const LetterContainer& each : containers_)
      memory += each.given.job == index && !each.freed ? size(each.given.kind).memory : 0;
    return memory;
  }
  // Those that ask. FIFO: by arrival. Fair: who holds least memory, then by arrival.
  [[nodiscard]] std::vector<std::size_t> in_turn() const {
    std::vector<std::size_t> order;
    for (std::size_t index = 0; index < jobs_.size(); ++index) {
      if (asks(jobs_[index]) > 0) order.push_back(index);
    }
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const Count of_a = fair_ ? held(a) : 0, of_b = fair_ ? held(b) : 0;
      return std::pair(of_a, *jobs_[a].arrival) < std::pair(of_b, *jobs_[b].arrival);
    });
    return order;
  }
  // Under Fair a job reserves 5 % of the nodes, rounded up, and none for a container of the smallest size.
  [[nodiscard]] bool may_reserve(std::size_t index) const {
    if (!fair_) return wants_more(index) && size(next(jobs_[index])).memory <= beside_reserved({});
    if (mine(index) >= asks(jobs_[index])) return false;
    const bool small = size(next(jobs_[index])).memory < 2 * (cluster_.limits.min_memory->count >> 20);
    return !small && 20 * mine(index) < static_cast<Count>(nodes_.size());
  }
  // A node with less than the smallest allocation gives none, and is not reserved; under Fair one without
  // room for the smallest container. What a node was reserved for is all it gives at a heartbeat.
  void give(NodeIndex node) {
    const Count least =
        fair_ ? std::min({size(Kind::master).memory, size(Kind::map).memory, size(Kind::reduce).memory})
              : cluster_.limits.min_memory->count >> 20;
    while (free(node).memory >= least && !done_.contains({node, now_})) {
      const std::optional<std::size_t> job = choose(node);
      if (!job) return;
      start(*job, node);
      if (from_reservation_ && cluster_.mode.heartbeat != Duration{}) done_.insert({node, now_});
    }
  }
  [[nodiscard]] std::optional<std::size_t> choose(NodeIndex node) {
    from_reservation_ = false;
    if (const std::optional<std::size_t> job = reserved_[node]) {
      const Size needs = size(next(jobs_[*job]));
      if (nodes_[node].holds(needs) && !free(node).holds(needs)) {
        if (cluster_.mode.heartbeat != Duration{}) ++small_again_[*job];
        return std::nullopt;
      }
      const bool again = unreserved_;
      end_reservation(node);
      unreserved_ = again;
      from_reservation_ = nodes_[node].holds(needs);
      if (from_reservation_) return job;
    }
    for (const std::size_t job : in_turn()) {
      const Size needs = size(next(jobs_[job]));
      if (!nodes_[node].holds(needs)) continue;
      if (!fair_ && needs.memory > beside_reserved(job)) return std::nullopt;
      if (free(node).holds(needs)) {
        const bool gives_up =
            !fair_ && mine(job) > 0 && (!wants_more(job) || needs.memory > beside_reserved({}));
        if (gives_up) end_reservation(oldest_.at(job).front());
        return job;
      }
      if (!may_reserve(job)) continue;
      reserved_[node] = job;
      kept_[node] = needs.memory;
      oldest_[job].push_back(node);
      return std::nullopt;
    }
    return std::nullopt;
  }

  // ---- what is reserved counts as used

  // Free memory of all nodes without what is reserved, but for that job.
  [[nodiscard]] Count beside_reserved(std::optional<std::size_t> but) const {
    Count memory = 0;
    for (NodeIndex node = 0; node < nodes_.size(); ++node) {
      memory += free(node).memory;
      if (reserved_[node] && reserved_[node] != but) memory -= kept_.at(node);
    }
    return memory;
  }
  [[nodiscard]] Count mine(std::size_t job) const {
    return std::count(reserved_.begin(), reserved_.end(), std::optional(job));
  }
  // The longer its nodes stay too small, the more may be reserved.
  [[nodiscard]] bool wants_more(std::size_t job) const {
    const Count has = mine(job);
    if (has == 0) return asks(jobs_[job]) > 0;
    Count largest = 0;
    for (const Size& each : nodes_) largest = std::max(largest, each.memory);
    const double share = static_cast<double>(size(next(jobs_[job])).memory) / static_cast<double>(largest);
    const double least =
        static_cast<double>(cluster_.limits.min_memory->count >> 20) / static_cast<double>(largest);
    const auto found = small_again_.find(job);
    const double again = found == small_again_.end() ? 0 : static_cast<double>(found->second);
    return has < asks(jobs_[job]) +
                     static_cast<Count>(again / static_cast<double>(has) * (1 - std::min(share, 1 - least)));
  }
  void end_reservation(NodeIndex node) {
    const std::size_t job = *reserved_[node];
    reserved_[node].reset();
    small_again_.erase(job);
    std::erase(oldest_[job], node);
    unreserved_ = true;
  }
  // The job asks for nothing more.
  void unreserve(std::size_t index) {
    for (NodeIndex node = 0; node < nodes_.size(); ++node) {
      if (reserved_[node] == index) end_reservation(node);
    }
  }
  void start(std::size_t index, NodeIndex node) {
    LetterJob& job = jobs_[index];
    const Kind kind = next(job);
    if (--job.asked[at(kind)] == 0 && asks(job) == 0) unreserve(index);
    const auto task = static_cast<std::uint32_t>(job.begun[at(kind)]++);
    LetterContainer container{
        {static_cast<JobIndex>(index), kind, task, node, now_, unknown}, 0, false, false};
    if (kind == Kind::master) {
      container.works = now_ + to_ms(cluster_.mode.launch) + to_ms(cluster_.masters.start);
    } else {
      const Ms period = to_ms(cluster_.masters.heartbeat);
      const Ms fetched = job.up + ((now_ - job.up) / period + 1) * period;
      container.works = fetched + to_ms(cluster_.mode.launch);
      container.given.end = container.works + work(index, kind, task, node);
    }
    containers_.push_back(container);
    if (kind == Kind::master && container.works == now_) master_is_up(index);
  }
  // With slow-start 1 all maps are done before a reduce is asked for.
  [[nodiscard]] Ms work(std::size_t index, Kind kind, std::uint32_t task, NodeIndex node) const {
    const Job& job = workload_.jobs[index];
    if (kind == Kind::map) return length(job.maps[task], node);
    const std::vector<Duration>& shuffles =
        now_ <= jobs_[index].maps_done ? job.first_shuffles : job.shuffles;
    return (shuffles.empty() ? 0 : to_ms(shuffles[task])) + length(job.reduces[task], node);
  }

  const Workload& workload_;
  const Cluster& cluster_;
  const bool fair_;
  std::vector<LetterJob> jobs_;
  std::vector<Size> nodes_;
  std::vector<double> speed_;
  std::vector<std::optional<std::size_t>> reserved_;
  bool from_reservation_ = false;
  std::set<std::pair<NodeIndex, Ms>> done_;               // nodes that give nothing more at that instant
  std::map<NodeIndex, Count> kept_;                       // memory, MiB
  std::map<std::size_t, std::vector<NodeIndex>> oldest_;  // of each job, in order
  std::map<std::size_t, Count> small_again_;  // reports of its nodes, since one of its reservations ended
  std::vector<LetterContainer> containers_;
  std::vector<NodeIndex> reporting_;
  std::size_t arrivals_ = 0;
  bool changed_ = false;
  bool unreserved_ = false;
  Ms now_ = 0;
};

}  // namespace

std::ostream& operator<<(std::ostream& out, const GivenContainer& each) {
  const char* const kind = each.kind == Kind::master ? "master" : each.kind == Kind::map ? "map" : "reduce";
  return out << kind << ' ' << each.task << " of job " << each.job << " on node " << each.node << ", "
             << each.start << " to " << each.end;
}

LetterRun containers_by_letter(const Workload& workload, const Cluster& cluster, bool fair,
                               std::int64_t most) {
  return Letter(workload, cluster, fair).run(most);
}

}  // namespace wavewright
