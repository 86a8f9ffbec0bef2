#include "wavewright/live/promise/promised_targets.h"

#include <algorithm>

namespace wavewright {

namespace {

constexpr Count not_known = -1;

// Tasks that are not done.
struct Undone {
  Count maps = not_known, reduces = not_known;
};

Undone undone(const LiveJob& job, const ProgressByJob& progress) {
  const auto told = progress.find(job.id);
  if (job.state == LiveState::running && told != progress.end() && !job.many_applications) {
    const JobProgress& its = told->second;
    return {its.maps.total - its.maps.done, its.reduces.total - its.reduces.done};
  }
  if (job.bounds) return {job.bounds->maps, job.bounds->reduces};
  return {};
}

bool may_use(const LiveJob& job, const ProgressByJob& progress, Time now) {
  if (job.state == LiveState::held) return now <= *job.deadline;
  const auto told = progress.find(job.id);
  return told == progress.end() || told->second.master_node != MasterNode::lost;
}

// The slots that one job may hold. `free` becomes what it leaves.
Count take(Count& free, Count tasks, bool keeps) {
  const Count most = free;
  if (keeps) free -= tasks == not_known ? free : std::clamp<Count>(tasks, 0, free);
  return most;
}

std::optional<Count> least(const std::optional<Count>& cap, Count most) {
  return std::min(cap.value_or(most), most);
}

}  // namespace

std::vector<TaggedTarget> promised_targets(const LiveBatch& batch, const ProgressByJob& progress,
                                           SlotPool slots, Time now) {
  std::vector<const LiveJob*> jobs;
  for (const LiveJob& job : batch.jobs) {
    if (!has_ended(job.state)) jobs.push_back(&job);
  }
  std::stable_sort(jobs.begin(), jobs.end(), [](const LiveJob* a, const LiveJob* b) {
    const auto due = [](const LiveJob* job) { return job->promise ? *job->deadline : Time::max(); };
    return due(a) < due(b);
  });
  std::vector<TaggedTarget> targets;
  for (const LiveJob* job : jobs) {
    const auto rank = static_cast<std::int64_t>(targets.size());
    const Undone tasks = undone(*job, progress);
    const bool keeps = job->promise ? may_use(*job, progress, now) : has_begun(job->state);
    const LiveTarget planned = job->target.value_or(LiveTarget{});
    const Count maps = take(slots.map_slots, tasks.maps, keeps);
    const Count reduces = take(slots.reduce_slots, tasks.reduces, keeps);
    targets.push_back({job->tag, {rank, rank, least(planned.maps, maps), least(planned.reduces, reduces)}});
  }
  return targets;
}

}  // namespace wavewright
