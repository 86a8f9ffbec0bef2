#include "wavewright/energy/efh_jobs.h"

#include <algorithm>

#include <fmt/format.h>

#include "wavewright/energy/relevance.h"

namespace wavewright {

std::optional<Time> EfhJobs::add(JobIndex job, Time arrived, const View& view) {
  if (view.facts(job).maps == 0) return std::nullopt;
  Waiting waiting{job,
                  arrivals_++,
                  options_.threshold ? std::optional(arrived + *options_.threshold) : std::nullopt,
                  Ranking(view, job, relevant_classes(view, job, options_.adaptive)),
                  {},
                  std::vector<Count>(view.classes(), unlimited)};
  const auto maps = static_cast<TaskIndex>(places_ ? view.facts(job).maps : 0);
  for (TaskIndex map = 0; map < maps; ++map) {
    for (const NodeIndex node : view.block_nodes(job, map)) waiting.tasks_on[node].push_back(map);
  }
  const std::optional<Time> patience = waiting.patience;
  jobs_.insert_or_assign(job, std::move(waiting));
  wanting_.insert(job);
  return patience;
}

bool EfhJobs::remove(JobIndex job) {
  for (auto& [node, tasks] : sent_) std::erase_if(tasks, [&](const auto& each) { return each.first == job; });
  wanting_.erase(job);
  std::erase(got_, job);
  return jobs_.erase(job) > 0;
}

void EfhJobs::may_want(JobIndex job) {
  if (jobs_.contains(job)) wanting_.insert(job);
}

void EfhJobs::started(const Event& event) {
  if (event.slot >= on_slot_.size()) on_slot_.resize(std::size_t{event.slot} + 1);
  std::vector<Attempt>& there = on_slot_[event.slot];
  if (there.empty()) containers_.take(event.node);
  there.push_back({event.job, event.task, event.attempt});
}

// A finished map whose output is lost holds no slot any more.
void EfhJobs::left(const Event& event, const View& view) {
  may_want(event.job);
  containers_.refresh(event.node, view);  // it may be leaving
  if (const auto of = jobs_.find(event.job); of != jobs_.end() && event.what == Event::What::lost)
    of->second.first_pending = std::min(of->second.first_pending, event.task);
  if (event.slot >= on_slot_.size()) return;
  std::vector<Attempt>& there = on_slot_[event.slot];
  if (std::erase(there, Attempt{event.job, event.task, event.attempt}) > 0 && there.empty())
    containers_.give(event.node);
}

void EfhJobs::find_turns(const View& view, Decisions& decisions) {
  turns_.clear();
  for (auto each = wanting_.begin(); each != wanting_.end();) {
    const JobIndex job = *each;
    const Count wanted = view.pending(job, Kind::map);
    if (wanted == 0) {
      each = wanting_.erase(each);
      continue;
    }
    ++each;
    Waiting& of = jobs_.at(job);
    Turn turn{&of, wanted, wanted, of.patience && view.now() >= *of.patience};
    const Count all = of.ranking.whole(containers_);
    if (options_.clamp) turn.asked = std::min(wanted, all);
    if (!options_.clamp && wanted > all && !of.named) {
      of.named = true;
      decisions.explain(
          job, {"MoreThanAllContainers",
                fmt::format("It asks for {} containers at once, and {} could run it.", wanted, all)});
    }
    turns_.push_back(std::move(turn));
  }
}

void EfhJobs::grant(Turn& turn, Count count) {
  turn.grants = turn.of->ranking.best_free(containers_, count);
  for (const Grant& each : turn.grants) {
    containers_.take(each.node, each.containers);
    turn.wanted -= each.containers;
  }
}

// [UNL table 6.2 lines 8–38]
void EfhJobs::give_out() {
  for (Turn& turn : turns_) turn.free = turn.of->ranking.free_in_optset(containers_, turn.wanted);
  std::sort(turns_.begin(), turns_.end(), [](const Turn& a, const Turn& b) {
    if (a.waited != b.waited) return a.waited;
    const Count more = a.free * b.wanted, less = b.free * a.wanted;  // r = free / R
    return more != less ? more > less : a.of->arrival < b.of->arrival;
  });
  bool still_wants = false;
  for (Turn& turn : turns_) {
    if (turn.waited) {
      grant(turn, turn.wanted);
      still_wants = still_wants || turn.wanted > 0;
      continue;
    }
    if (still_wants || turn.of->ranking.free(containers_) < turn.asked) break;
    grant(turn, turn.asked);
  }
}

void EfhJobs::round(std::optional<JobIndex> changed, const View& view, Decisions& decisions) {
  sent_.clear();
  find_turns(view, decisions);
  if (containers_.any_free()) give_out();
  for (const Turn& turn : turns_) {
    for (const Grant& each : turn.grants) containers_.give(each.node, each.containers);
  }
  // Other caps are as they should be: a job's holdings rise only by what it got, and fall only by an event.
  std::vector<JobIndex> had = std::move(got_);
  if (changed && jobs_.contains(*changed)) had.push_back(*changed);
  std::sort(had.begin(), had.end());
  had.erase(std::unique(had.begin(), had.end()), had.end());
  got_.clear();
  for (const Turn& turn : turns_) {
    if (turn.grants.empty()) continue;
    got_.push_back(turn.of->job);
    limit(*turn.of, turn.grants, view, decisions);
    if (places_) send_tasks(turn, view);
  }
  std::sort(got_.begin(), got_.end());
  for (const JobIndex job : had) {
    if (!std::binary_search(got_.begin(), got_.end(), job)) limit(jobs_.at(job), {}, view, decisions);
  }
}

// By class: the job may have what it has and what it got.
void EfhJobs::limit(Waiting& of, const std::vector<Grant>& grants, const View& view, Decisions& decisions) {
  std::vector<Count> got(of.capped.size());
  for (const Grant& each : grants) got[containers_.class_of(each.node)] += each.containers;
  for (ClassId c = 0; c < got.size(); ++c) {
    const Count cap = view.held(of.job, Kind::map, c) + got[c];
    if (cap == of.capped[c]) continue;
    of.capped[c] = cap;
    decisions.cap(of.job, Kind::map, c, cap);
  }
}

// The tasks that may be sent: those with a block on a granted node, and as many others as there are
// containers.
std::vector<QueuedTask> EfhJobs::queued(const Turn& turn, Count containers, const View& view) {
  const JobIndex job = turn.of->job;
  std::set<TaskIndex> tasks;
  for (const Grant& each : turn.grants) {
    const auto local = turn.of->tasks_on.find(each.node);
    if (local == turn.of->tasks_on.end()) continue;
    for (const TaskIndex task : local->second) {
      if (view.map_is_pending(job, task)) tasks.insert(task);
    }
  }
  const auto maps = static_cast<TaskIndex>(view.facts(job).maps);
  TaskIndex& first = turn.of->first_pending;
  while (first < maps && !view.map_is_pending(job, first)) ++first;
  Count others = 0;
  for (TaskIndex task = first; task < maps && others < containers; ++task) {
    if (view.map_is_pending(job, task) && tasks.insert(task).second) ++others;
  }
  std::vector<QueuedTask> queue;
  queue.reserve(tasks.size());
  for (const TaskIndex task : tasks) queue.push_back({task, view.block_nodes(job, task)});
  return queue;
}

void EfhJobs::send_tasks(const Turn& turn, const View& view) {
  std::vector<NodeIndex> nodes;
  for (const Grant& each : turn.grants)
    nodes.insert(nodes.end(), static_cast<std::size_t>(each.containers), each.node);
  for (const Dispatched& each : dispatch(queued(turn, static_cast<Count>(nodes.size()), view), nodes))
    sent_[each.node].emplace_back(turn.of->job, each.task);
}

std::optional<TaskIndex> EfhJobs::take(JobIndex job, NodeIndex node, const View& view) {
  const auto found = sent_.find(node);
  if (found == sent_.end()) return std::nullopt;
  auto& tasks = found->second;
  for (auto each = tasks.begin(); each != tasks.end();) {
    if (each->first != job) {
      ++each;
      continue;
    }
    const TaskIndex task = each->second;
    each = tasks.erase(each);
    if (view.map_is_pending(job, task)) return task;
  }
  return std::nullopt;
}

}  // namespace wavewright
