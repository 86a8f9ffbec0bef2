#include "wavewright/live/promise/promise_standing.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace wavewright {

namespace {

Duration longer(Duration bound, const std::optional<double>& drift) {
  const double factor = std::max(1.0, drift.value_or(1));
  return std::min(never_ends, ms(std::llround(std::ceil(static_cast<double>(bound.count()) * factor))));
}

// A task that has run longer than its bound may be one that was lost and starts anew. YARN's master waits for
// minutes for a node that does not answer, and counts as running what it gave to that node.
void add_starts(const StageProgress& stage, Duration bound, Time at, std::vector<Time>& starts) {
  for (const SeenTask& task : stage.tasks) {
    if (task.done || static_cast<Count>(starts.size()) >= stage.running) continue;
    starts.push_back(task.length > bound ? at : at - task.length);
  }
  starts.resize(static_cast<std::size_t>(std::max<Count>(0, stage.running)), at);
}

TasksOfJob left_of(const LiveJob& job, const TaskBounds& bounds, const JobProgress* progress) {
  if (progress == nullptr) return {.maps = bounds.maps, .reduces = bounds.reduces};
  const StageProgress &maps = progress->maps, &reduces = progress->reduces;
  TasksOfJob left{.maps = std::max<Count>(0, maps.total - maps.done - maps.running),
                  .reduces = std::max<Count>(0, reduces.total - reduces.done - reduces.running)};
  add_starts(maps, bounds.map, progress->at, left.running_maps);
  const bool maps_done = maps.done >= maps.total;
  if (maps_done) {
    add_starts(reduces, bounds.reduce, progress->at, left.running_reduces);
    left.ready = progress->maps_done.value_or(progress->at);
  } else {
    // Its end depends on that of the maps.
    const Time end = job.promise && job.deadline ? *job.deadline : progress->at + never_ends;
    left.running_reduces.assign(static_cast<std::size_t>(std::max<Count>(0, reduces.running)),
                                std::max(progress->at, end - bounds.reduce));
  }
  if (maps.done + maps.running + reduces.done + reduces.running > 0)
    left.start = progress->started.value_or(progress->at);
  return left;
}

RealtimeJob asked_of(const LiveJob& job, const TaskBounds& known) {
  return {.deadline = job.promise ? *job.deadline : Time::max(),
          .maps = known.maps,
          .reduces = known.reduces,
          .map = longer(known.map, job.map_drift),
          .reduce = longer(known.reduce, job.reduce_drift)};
}

AdmissionController::Options options(const PromiseRules& rules, Readings readings) {
  return {.feedback = Feedback::tasks,
          .delays = rules.delays,
          .order = QueueOrder::deadline,
          .last_to_end = readings == Readings::old};
}

TasksLeft tasks_left(const TasksOfJob& left) {
  return {left.maps, left.reduces, left.running_maps, left.running_reduces, left.ready};
}

}  // namespace

LiveJobs jobs_of(const LiveBatch& batch) {
  LiveJobs jobs;
  jobs.reserve(batch.jobs.size());
  for (const LiveJob& job : batch.jobs) jobs.push_back(&job);
  return jobs;
}

bool is_there(const LiveJob& job) {
  return job.state == LiveState::running || job.state == LiveState::accepted;
}

PromiseStanding::PromiseStanding(const LiveJobs& jobs, const ProgressByJob& progress,
                                 const PromiseRules& rules, Readings readings, Time now)
    : rules_(rules), now_(now), controller_(rules.slots, options(rules, readings)) {
  for (const LiveJob* const job : jobs) {
    if (has_ended(job->state) || (!job->promise && !is_there(*job))) continue;
    const auto told = job->state == LiveState::running ? progress.find(job->id) : progress.end();
    add(*job, told != progress.end() && !job->many_applications ? &told->second : nullptr);
  }
  if (readings == Readings::old) {
    add_unseen(Kind::map, rules.slots.map_slots);
    add_unseen(Kind::reduce, rules.slots.reduce_slots);
  }
  take_all();
  controller_.replan(rules_.slots, [this](JobIndex job) { return tasks_left(entries_[job].left); }, now_);
}

std::vector<PromisedEnd> PromiseStanding::ends() const {
  const AssignmentDelays& delays = rules_.delays;
  const Duration waits = delays.first + std::max(delays.map, delays.reduce);
  const LiveJobs jobs = queue();
  const std::vector<JobIndex> places = controller_.queue();
  const std::vector<Time> ends = controller_.estimates();
  std::vector<PromisedEnd> found;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (jobs[i] == nullptr || !jobs[i]->promise) continue;
    const Time deadline = *jobs[i]->deadline;
    const bool overdue = deadline + waits < now_;
    const bool is_lost = entries_[places[i]].is_lost;
    found.push_back({jobs[i]->id, deadline, overdue ? std::max(ends[i], now_) : ends[i],
                     overdue || is_lost || ends[i] - waits > deadline, is_lost});
  }
  return found;
}

LiveJobs PromiseStanding::queue() const {
  LiveJobs jobs;
  for (const JobIndex job : controller_.queue()) jobs.push_back(entries_[job].job);
  return jobs;
}

AdmissionController::Taken PromiseStanding::taken(const LiveJob& job) const {
  return {asked_of(job, job.bounds.value_or(TaskBounds{})), asks_from(job)};
}

void PromiseStanding::add(const LiveJob& job, const JobProgress* progress) {
  TaskBounds known =
      job.bounds.value_or(TaskBounds{job.maps.tasks, job.reduces.tasks, never_ends, never_ends});
  if (known.maps + known.reduces == 0)  // nobody knows how many: as many as there can be
    known = {rules_.slots.map_slots, rules_.slots.reduce_slots, known.map, known.reduce};
  if (!job.bounds) unbounded_ = job.id;
  Entry entry{.job = &job, .asked = asked_of(job, known)};
  if (progress != nullptr) entry.seen = progress->at;
  entry.left = left_of(job, {known.maps, known.reduces, entry.asked.map, entry.asked.reduce}, progress);
  if (progress != nullptr && progress->master_node != MasterNode::answers) {
    // What runs on other nodes goes on to its end, and is to be done again.
    entry.is_lost = true;
    entry.left.maps += static_cast<Count>(entry.left.running_maps.size());
    entry.left.reduces += static_cast<Count>(entry.left.running_reduces.size());
  }
  if (is_there(job)) {
    entry.waiting_maps = entry.left.maps;
    // More than two waves of maps do not end between two readings.
    if (entry.left.maps <= 2 * rules_.slots.map_slots) entry.waiting_reduces = entry.left.reduces;
  }
  if (!job.promise) entry.left.maps = entry.left.reduces = 0;  // they give way
  entries_.push_back(std::move(entry));
}

// A waiting task may have started in each slot: in one that seems free, or, where a reading is old, in one
// whose task has ended since. The controller counts those that end last. Waiting tasks of a single job are
// its own; of several, nobody knows whose.
void PromiseStanding::add_unseen(Kind kind, Count slots) {
  const bool maps = kind == Kind::map;
  const auto running = [maps](Entry& entry) -> std::vector<Time>& {
    return maps ? entry.left.running_maps : entry.left.running_reduces;
  };
  const auto length = [maps](const Entry& entry) { return maps ? entry.asked.map : entry.asked.reduce; };
  const auto is_old = [this](const Entry& entry) { return entry.seen && *entry.seen < now_; };
  Entry unseen{.left = {.start = now_}};
  Duration& longest = maps ? unseen.asked.map : unseen.asked.reduce;
  Count waiting = 0, seen = 0, old = 0;
  std::size_t jobs = 0, one = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const auto its_running = static_cast<Count>(running(entries_[i]).size());
    seen += its_running;
    if (is_old(entries_[i])) old += its_running;
    const Count its = maps ? entries_[i].waiting_maps : entries_[i].waiting_reduces;
    if (its == 0) continue;
    waiting += its;
    longest = std::max(longest, length(entries_[i]));
    one = i;
    ++jobs;
  }
  const Count free = std::max<Count>(0, slots - seen);
  std::vector<Time> starts(static_cast<std::size_t>(std::min(waiting, free + old)), now_);
  if (starts.empty()) return;
  // A reduce may have started since only if the maps have ended, which is as little known; and so may a
  // task of a job whose master is not known to be there.
  if (jobs == 1 && entries_[one].job->state == LiveState::running && (maps || entries_[one].left.ready)) {
    Entry& its = entries_[one];
    auto own = starts.end();
    if (its.job->promise) {
      // Each of its own slots goes on with the job's next task, before other jobs have it.
      std::vector<Time> ends;
      if (is_old(its)) {
        for (const Time start : running(its)) ends.push_back(std::max(now_, start + length(its)));
      }
      std::sort(ends.begin(), ends.end());
      const auto from = std::min(starts.size(), static_cast<std::size_t>(free)),
                 to = std::min(starts.size(), from + ends.size());
      own = starts.begin() + static_cast<std::ptrdiff_t>(to);
      std::copy_n(ends.begin(), to - from, starts.begin() + static_cast<std::ptrdiff_t>(from));
    }
    running(its).insert(running(its).end(), starts.begin(), own);
    Count& left = maps ? its.left.maps : its.left.reduces;
    left = std::max<Count>(0, left - static_cast<Count>(own - starts.begin()));
    if (!its.left.start) its.left.start = now_;
    starts.erase(starts.begin(), own);
    if (starts.empty()) return;
  }
  unseen.asked.deadline = Time::max();
  running(unseen) = std::move(starts);
  entries_.push_back(std::move(unseen));
}

// A job that was submitted late, or is still to be, asks later than it was to.
Time PromiseStanding::asks_from(const LiveJob& job) const {
  const Time planned = job.promise->tasks_from;
  if (job.state == LiveState::waiting || job.state == LiveState::held)
    return std::max(planned, now_ + rules_.lead);
  if (job.state == LiveState::submitting && job.submitting_since)
    return std::max(planned, *job.submitting_since + rules_.lead);
  return planned;
}

void PromiseStanding::take_all() {
  std::vector<AdmissionController::Taken> all;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    entry.asked.job = static_cast<JobIndex>(i);
    const bool promised = entry.job != nullptr && entry.job->promise;
    if (!promised && !entry.left.start) continue;
    const bool waits = promised && !entry.left.start;
    all.push_back({entry.asked, waits ? asks_from(*entry.job) : now_, entry.left.start});
  }
  controller_.take_all(all);
}

}  // namespace wavewright
