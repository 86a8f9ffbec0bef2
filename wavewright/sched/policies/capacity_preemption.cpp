#include "wavewright/sched/policies/capacity_preemption.h"

#include <algorithm>
#include <cmath>

#include "wavewright/sched/policies/fair_shares.h"
#include "wavewright/sched/policies/job_demand.h"

namespace wavewright {

namespace {

constexpr double rounding = 1e-6;  // MiB

}  // namespace

void CapacityPreemption::queue(GroupId queue, GroupId parent, double capacity, double maximum) {
  Queue& made = queues_[queue];
  made.parent = parent;
  made.capacity = capacity;
  made.maximum = maximum;
  queues_[parent].children.push_back(queue);
  order_.push_back(queue);
}

void CapacityPreemption::admitted(GroupId queue, JobIndex job) {
  queues_[queue].jobs.push_back(job);
}

std::optional<Time> CapacityPreemption::round(const View& view, Decisions& decisions) {
  if (!forget_finished(view)) {
    chosen_since_.clear();
    return std::nullopt;
  }
  count_demand(view);
  const auto cluster = static_cast<double>(view.capacity(any_class).map_slots);
  Queue& root = queues_[root_group];
  root.guaranteed = root.most = root.ideal = cluster;
  share(root, cluster);
  for (const GroupId queue : order_) share(queues_[queue], cluster);
  std::map<Held, Count> chosen;
  double allowed = options_.per_round * cluster;
  for (const GroupId queue : order_) choose(queues_[queue], view, allowed, chosen);
  kill(chosen, view, decisions);
  return view.now() + options_.interval;
}

bool CapacityPreemption::forget_finished(const View& view) {
  bool some = false;
  for (auto& [id, queue] : queues_) {
    std::erase_if(queue.jobs, [&](JobIndex job) {
      if (!is_over(job, view)) return false;
      reduces_ready_.erase(job);
      return true;
    });
    some = some || !queue.jobs.empty();
  }
  return some;
}

// What each queue uses, and with what its jobs and children wait for.
void CapacityPreemption::count_demand(const View& view) {
  for (auto queue = order_.rbegin(); queue != order_.rend(); ++queue) {
    Queue& own = queues_[*queue];
    own.used = view.used(*queue).map_slots;
    own.demand = own.used;
    for (const JobIndex job : own.jobs) own.demand += lacked_memory(job, reduces_ready_.contains(job), view);
    for (const GroupId child : own.children) own.demand += queues_[child].demand - queues_[child].used;
  }
}

// The children's ideal amounts, and what each of them gives up in this round.
void CapacityPreemption::share(Queue& parent, double cluster) {
  std::vector<Claim> claims;
  for (const GroupId child : parent.children) {
    Queue& own = queues_[child];
    own.guaranteed = parent.guaranteed * own.capacity;
    own.most = parent.most * own.maximum;
    const double most = std::floor(std::min(own.most, static_cast<double>(own.demand)));
    const double least = std::min({own.guaranteed, static_cast<double>(own.used), most});
    constexpr double thousandths = 1e5;  // of a per cent
    claims.push_back(
        {{static_cast<Count>(least), std::max<std::int64_t>(1, std::llround(thousandths * own.capacity))},
         static_cast<Count>(most)});
  }
  const std::vector<double> ideal = fair_shares(claims, static_cast<Count>(parent.ideal));
  double needed = 0;
  for (std::size_t i = 0; i < ideal.size(); ++i) {
    Queue& own = queues_[parent.children[i]];
    own.ideal = ideal[i];
    own.above = std::max(0.0, static_cast<double>(own.used) - own.ideal);
    needed += own.above;
  }
  const double allowed = options_.per_round * cluster;
  if (needed <= allowed) return;
  for (const GroupId child : parent.children) queues_[child].above *= allowed / needed;
}

void CapacityPreemption::choose(const Queue& queue, const View& view, double& allowed,
                                std::map<Held, Count>& chosen) const {
  if (static_cast<double>(queue.used) <= queue.guaranteed * (1 + options_.ignored)) return;
  double left = queue.above * options_.natural;
  for (auto job = queue.jobs.rbegin(); job != queue.jobs.rend(); ++job) {
    for (const Kind kind : {Kind::map, Kind::reduce}) {
      const auto size = static_cast<double>(view.size(*job, kind));
      for (Count held = view.held(*job, kind, any_class); held > 0 && left > rounding; --held) {
        if (size > allowed + rounding) break;
        ++chosen[{*job, kind}];
        left -= size;
        allowed -= size;
      }
    }
  }
}

// Those that have been chosen for long enough; the others wait on.
void CapacityPreemption::kill(const std::map<Held, Count>& chosen, const View& view, Decisions& decisions) {
  std::erase_if(chosen_since_, [&](const auto& entry) { return !chosen.contains(entry.first); });
  for (const auto& [held, count] : chosen) {
    std::vector<Time>& since = chosen_since_[held];
    since.resize(static_cast<std::size_t>(count), view.now());
    const auto waiting = std::find_if(since.begin(), since.end(),
                                      [&](Time from) { return from + options_.wait > view.now(); });
    const Count due = waiting - since.begin();
    since.erase(since.begin(), waiting);
    if (due > 0) decisions.preempt(held.first, held.second, any_class, due, Duration{});
  }
}

}  // namespace wavewright
