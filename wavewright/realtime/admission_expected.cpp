// Admission beside jobs that are expected: a new job behind one of them may block it, so that all that waits
// is placed anew for each place that is tried.
#include "wavewright/realtime/admission.h"

#include <algorithm>
#include <utility>

#include "wavewright/core/error.h"

namespace wavewright {

bool AdmissionController::expects(Time now) const {
  return std::any_of(queue_.begin(), queue_.end(),
                     [&](const auto& entry) { return entry->job.release > now; });
}

void AdmissionController::set_blocks(Time now) {
  struct Longest {
    Duration map{}, reduce{};
  };
  std::vector<Longest> behind(1);  // by series; those that are there count to 0
  for (auto each = queue_.rbegin(); each != queue_.rend(); ++each) {
    Entry& entry = **each;
    const bool is_expected = entry.job.release > now;
    const std::uint32_t series = is_expected ? entry.job.series : 0;
    if (series >= behind.size()) behind.resize(series + std::size_t{1});
    entry.blocks_maps = entry.blocks_reduces = Duration{};
    for (std::size_t other = 0; is_expected && other < behind.size(); ++other) {
      if (other == series && series != 0) continue;  // they come after it
      entry.blocks_maps = std::max(entry.blocks_maps, behind[other].map);
      entry.blocks_reduces = std::max(entry.blocks_reduces, behind[other].reduce);
    }
    Longest& own = behind[series];
    if (entry.maps_left > 0) own.map = std::max(own.map, map_of(entry.job));
    if (entry.reduces_left > 0) own.reduce = std::max(own.reduce, reduce_of(entry.job));
  }
}

std::optional<JobIndex> AdmissionController::late(Time now, std::vector<Time>& ends) const {
  ends.clear();
  Vectors vectors = first_;
  std::optional<JobIndex> first;
  for (const auto& each : queue_) {
    const Entry& entry = *each;
    ends.push_back(place(entry, begins(entry, now), vectors));
    const bool is_late = ends.back() > entry.job.deadline;
    if (!first && is_late && (!entry.is_placed || is_promised(entry))) first = entry.job.job;
  }
  return first;
}

void AdmissionController::settle(const std::vector<Time>& ends, Time now) {
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    Entry& entry = *queue_[i];
    entry.end = ends[i];
    entry.from = begins(entry, now);
    entry.kept.reset();
    if (!std::exchange(entry.is_placed, true)) entry.promised = entry.end;
  }
}

AdmissionAnswer AdmissionController::admit_expected(std::span<const RealtimeJob> jobs, Time now) {
  if (options_.order == QueueOrder::started)
    throw InternalError("jobs are expected where started jobs do not give way");
  catch_up();
  for (const RealtimeJob& job : jobs) {
    auto entry = std::make_unique<Entry>(entry_of({job, std::max(now, job.release), {}}));
    entry->is_placed = false;
    const std::size_t place = place_for(job.deadline);
    put(place, std::move(entry));
  }
  set_blocks(now);
  std::vector<Time> ends;
  AdmissionAnswer answer;
  answer.late = late(now, ends);
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    if (!queue_[i]->is_placed) answer.end = std::max(answer.end, ends[i]);
  }
  answer.accepted = !answer.late;
  if (answer.accepted) {
    settle(ends, now);
    return answer;
  }
  std::erase_if(queue_, [](const auto& entry) { return !entry->is_placed; });
  number_all();
  set_blocks(now);
  return answer;
}

void AdmissionController::came(JobIndex expected, const RealtimeJob& job, Time now) {
  catch_up();
  const std::size_t place = place_of(expected);
  Entry& entry = *queue_[place];
  entry.job = job;
  numbers_[place] = job.job;
  entry.arrived = now;
  entry.maps_left = job.maps;
  entry.reduces_left = job.reduces;
  entry.near_left = job.near_maps;
}

AdmissionController::Placed AdmissionController::placed_at(std::size_t place, std::unique_ptr<Entry>& entry,
                                                           Time now, bool stays) {
  put(place, std::move(entry));
  set_blocks(now);
  std::vector<Time> ends;
  Placed placed{.late = late(now, ends)};
  placed.end = ends[place];
  if (placed.end >= time_of(latest)) {  // no slot
    placed.end = Time::max();
    placed.late = queue_[place]->job.job;
  }
  if (stays && !placed.late) {
    settle(ends, now);
    return placed;
  }
  entry = take_out(place);
  set_blocks(now);
  return placed;
}

std::optional<Time> AdmissionController::earliest_beside_expected(std::unique_ptr<Entry>& entry, Time now) {
  const bool any = options_.order == QueueOrder::any;
  entry->job.deadline = Time::max();  // late it is not
  for (std::size_t place = 0; place <= queue_.size(); ++place) {
    const Placed placed = placed_at(place, entry, now, false);
    Time deadline = placed.end;
    if (place > 0 && !any) deadline = std::max(deadline, queue_[place - 1]->job.deadline);
    if (placed.end == Time::max()) return std::nullopt;
    const bool fits = any || place == queue_.size() || deadline < queue_[place]->job.deadline;
    if (fits && !placed.late) return deadline;
  }
  return std::nullopt;
}

AdmissionAnswer AdmissionController::admit_beside_expected(std::unique_ptr<Entry> entry, Time now) {
  entry->is_placed = false;
  const JobIndex job = entry->job.job;
  const std::size_t by_deadline = place_for(entry->job.deadline);
  const Placed placed = placed_at(by_deadline, entry, now, true);
  AdmissionAnswer answer{.accepted = !placed.late, .end = placed.end, .late = placed.late};
  if (answer.late == job) answer.late.reset();
  for (std::size_t place = 0; entry && options_.order == QueueOrder::any && place <= queue_.size(); ++place) {
    const Placed other = placed_at(place, entry, now, true);
    if (!entry) return {.accepted = true, .end = other.end};
  }
  if (!answer.accepted && options_.tells_deadline)
    answer.earliest_deadline = earliest_beside_expected(entry, now);
  return answer;
}

}  // namespace wavewright
