#include "wavewright/energy/efh_jobs.h"

#include <algorithm>

#include <fmt/format.h>

#include "wavewright/energy/relevance.h"

namespace wavewright {

void EfhJobs::begin(const View& view) {
  containers_.begin(view);
  index_.begin(containers_);
  version_ = containers_.version();
}

std::optional<Time> EfhJobs::add(JobIndex job, Time arrived, const View& view) {
  if (view.facts(job).maps == 0) return std::nullopt;
  (void)remove(job);
  const auto [entry, added] = jobs_.try_emplace(
      job, Waiting{{job, arrivals_++, Ranking(view, job, relevant_classes(view, job, options_.adaptive))},
                   options_.threshold ? std::optional(arrived + *options_.threshold) : std::nullopt,
                   {},
                   std::vector<Count>(view.classes(), unlimited)});
  const auto maps = static_cast<TaskIndex>(places_ ? view.facts(job).maps : 0);
  for (TaskIndex map = 0; map < maps; ++map) {
    for (const NodeIndex node : view.block_nodes(job, map)) entry->second.tasks_on[node].push_back(map);
  }
  changed_.push_back(job);
  return entry->second.patience;
}

bool EfhJobs::remove(JobIndex job) {
  for (auto& [node, tasks] : sent_) std::erase_if(tasks, [&](const auto& each) { return each.first == job; });
  const auto of = jobs_.find(job);
  if (of == jobs_.end()) return false;
  leave_queues(of->second);
  std::erase(got_, job);
  jobs_.erase(of);
  return true;
}

void EfhJobs::node_changed(NodeIndex node, const View& view) {
  const Count before = containers_.free(node);
  containers_.refresh(node, view);
  index_.changed(node, before, containers_);
}

void EfhJobs::started(const Event& event) {
  changed_.push_back(event.job);
  if (event.slot >= on_slot_.size()) on_slot_.resize(std::size_t{event.slot} + 1);
  std::vector<Attempt>& there = on_slot_[event.slot];
  if (there.empty()) {
    const Count before = containers_.free(event.node);
    containers_.take(event.node);
    index_.changed(event.node, before, containers_);
  }
  there.push_back({event.job, event.task, event.attempt});
}

// A finished map whose output is lost holds no slot any more.
void EfhJobs::left(const Event& event, const View& view) {
  changed_.push_back(event.job);
  node_changed(event.node, view);  // it may be leaving
  if (const auto of = jobs_.find(event.job); of != jobs_.end() && event.what == Event::What::lost)
    of->second.first_pending = std::min(of->second.first_pending, event.task);
  if (event.slot >= on_slot_.size()) return;
  std::vector<Attempt>& there = on_slot_[event.slot];
  if (std::erase(there, Attempt{event.job, event.task, event.attempt}) == 0 || !there.empty()) return;
  const Count before = containers_.free(event.node);
  containers_.give(event.node);
  index_.changed(event.node, before, containers_);
}

// Notes the wishes of all jobs, and those whose wait is over.
void EfhJobs::update(const View& view) {
  if (version_ != containers_.version()) {
    version_ = containers_.version();
    for (const Queue* const queue : {&waited_, &regular_}) {
      for (const auto& [arrival, of] : *queue) changed_.push_back(of->job());
    }
  }
  std::sort(changed_.begin(), changed_.end());
  changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
  for (const JobIndex job : changed_) update(job, view);
  changed_.clear();
  while (!impatient_.empty() && impatient_.begin()->first <= view.now()) {
    waited_.insert(regular_.extract(impatient_.begin()->second));
    impatient_.erase(impatient_.begin());
  }
}

void EfhJobs::update(JobIndex job, const View& view) {
  const auto found = jobs_.find(job);
  if (found == jobs_.end()) return;
  Waiting& of = found->second;
  const Count wanted = view.pending(job, Kind::map);
  if (wanted == 0) return leave_queues(of);
  const bool queued = of.wanted() > 0;
  index_.watch(of.in_optset, wanted, containers_);
  if (queued) return;
  regular_.emplace(of.in_optset.arrival, &of);
  if (of.patience) impatient_.emplace(*of.patience, of.in_optset.arrival);
}

void EfhJobs::leave_queues(Waiting& of) {
  index_.forget(of.in_optset);
  waited_.erase(of.in_optset.arrival);
  if (regular_.erase(of.in_optset.arrival) > 0 && of.patience)
    impatient_.erase({*of.patience, of.in_optset.arrival});
}

void EfhJobs::name_oversized(const View& view, Decisions& decisions) {
  for (auto& [job, of] : jobs_) {
    const Count wanted = view.pending(job, Kind::map), all = of.in_optset.ranking.whole(containers_);
    if (of.named || wanted <= all) continue;
    of.named = true;
    decisions.explain(job,
                      {"MoreThanAllContainers",
                       fmt::format("It asks for {} containers at once, and {} could run it.", wanted, all)});
  }
}

// Those that have waited, then the others; most r first.
std::vector<EfhJobs::Ready> EfhJobs::ready() const {
  std::vector<Ready> found;
  for (const OptsetIndex::Counted& each : index_.counted(containers_)) {
    const Queue::const_iterator waited = waited_.find(each.job->arrival);
    const bool has_waited = waited != waited_.end();
    found.push_back({has_waited ? waited->second : regular_.at(each.job->arrival), each.free, has_waited});
  }
  std::sort(found.begin(), found.end(), [](const Ready& a, const Ready& b) {
    if (a.waited != b.waited) return a.waited;
    const Count more = a.free * b.of->wanted(), less = b.free * a.of->wanted();  // r = free / R
    return more != less ? more > less : a.of->in_optset.arrival < b.of->in_optset.arrival;
  });
  return found;
}

// True if it got all that it wants.
bool EfhJobs::serve(Waiting& of, Count count) {
  of.round = rounds_;
  Turn turn{&of, of.wanted()};
  turn.grants = of.in_optset.ranking.best_free(containers_, count);
  for (const Grant& each : turn.grants) {
    containers_.take(each.node, each.containers);
    turn.wanted -= each.containers;
  }
  turns_.push_back(std::move(turn));
  return turns_.back().wanted == 0;
}

// [UNL table 6.2 lines 8–38] Jobs with no free container in their optset have r = 0: they follow, by arrival.
void EfhJobs::give_out() {
  const std::vector<Ready> ready_ones = ready();
  bool still_wants = false;
  auto next = ready_ones.begin();
  for (; next != ready_ones.end() && next->waited; ++next) {
    if (!containers_.any_free()) return;
    still_wants = !serve(*next->of, next->of->wanted()) || still_wants;
  }
  for (const auto& [arrival, of] : waited_) {
    if (!containers_.any_free()) return;
    if (of->round != rounds_) still_wants = !serve(*of, of->wanted()) || still_wants;
  }
  if (still_wants) return;
  const auto serve_whole = [&](Waiting& of) {
    const Ranking& ranking = of.in_optset.ranking;
    const Count asked = options_.clamp ? std::min(of.wanted(), ranking.whole(containers_)) : of.wanted();
    if (ranking.free(containers_) < asked) return false;
    (void)serve(of, asked);
    return true;
  };
  for (; next != ready_ones.end(); ++next) {
    if (!serve_whole(*next->of)) return;
  }
  for (const auto& [arrival, of] : regular_) {
    if (!containers_.any_free()) return;
    if (of->round != rounds_ && !serve_whole(*of)) return;
  }
}

void EfhJobs::round(std::optional<JobIndex> changed, const View& view, Decisions& decisions) {
  if (!sent_.empty()) sent_.clear();  // it may have many empty buckets
  update(view);
  if (!options_.clamp) name_oversized(view, decisions);
  turns_.clear();
  ++rounds_;
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
    got_.push_back(turn.of->job());
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
    const Count cap = view.held(of.job(), Kind::map, c) + got[c];
    if (cap == of.capped[c]) continue;
    of.capped[c] = cap;
    decisions.cap(of.job(), Kind::map, c, cap);
  }
}

// The tasks that may be sent: those with a block on a granted node, and as many others as there are
// containers.
std::vector<QueuedTask> EfhJobs::queued(const Turn& turn, Count containers, const View& view) {
  const JobIndex job = turn.of->job();
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
    sent_[each.node].emplace_back(turn.of->job(), each.task);
}

bool EfhJobs::sent_to(NodeIndex node) const {
  const auto found = sent_.find(node);
  return found != sent_.end() && !found->second.empty();
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
