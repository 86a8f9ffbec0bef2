// Answers of an admission controller that change nothing, and the taking of many jobs at once.
#include <algorithm>
#include <utility>

#include "wavewright/core/error.h"
#include "wavewright/realtime/admission.h"

namespace wavewright {

AdmissionController::Entry AdmissionController::entry_of(const Taken& taken) {
  Entry entry;
  entry.job = taken.job;
  entry.arrived = taken.start.value_or(taken.arrived);
  entry.maps_left = taken.job.maps;
  entry.reduces_left = taken.job.reduces;
  entry.near_left = taken.job.near_maps;
  entry.start = taken.start;
  return entry;
}

void AdmissionController::take_all(std::span<const Taken> jobs) {
  if (options_.order != QueueOrder::deadline || !queue_.empty())
    throw InternalError("many jobs are taken into an empty queue by deadline only");
  queue_.reserve(jobs.size());
  for (const Taken& each : jobs) queue_.push_back(std::make_unique<Entry>(entry_of(each)));
  std::stable_sort(queue_.begin(), queue_.end(),
                   [](const auto& a, const auto& b) { return a->job.deadline < b->job.deadline; });
  number_all();
}

// The first job from the place on that objects behind these vectors.
std::optional<std::size_t> AdmissionController::objecting(Vectors& vectors, std::size_t place,
                                                          std::span<const std::size_t> without,
                                                          const Objects& objects) const {
  auto skipped = std::lower_bound(without.begin(), without.end(), place);
  for (; place < queue_.size(); ++place) {
    if (skipped != without.end() && *skipped == place) {
      ++skipped;
      continue;
    }
    const Entry& next = *queue_[place];
    if (objects(place, this->place(next, next.from, vectors))) return place;
  }
  return std::nullopt;
}

AdmissionController::Trial AdmissionController::try_at(std::size_t place, const Taken& asked,
                                                       std::span<const std::size_t> without,
                                                       const Objects& objects, Time now) const {
  std::size_t from = without.empty() ? place : std::min(place, without.front());
  Vectors vectors = before(from);
  auto skipped = without.begin();
  for (; from < place; ++from) {
    if (skipped != without.end() && *skipped == from) {
      ++skipped;
    } else {
      (void)this->place(*queue_[from], queue_[from]->from, vectors);
    }
  }
  const Entry entry = entry_of(asked);
  Trial trial{.end = this->place(entry, begins(entry, now), vectors)};
  if (trial.end <= asked.job.deadline) trial.objects = objecting(vectors, place, without, objects);
  return trial;
}

std::optional<Time> AdmissionController::earliest_deadline(const Taken& asked, const Objects& objects,
                                                           Time now) const {
  const Entry entry = entry_of(asked);
  Vectors vectors = first_, with;
  for (std::size_t place = 0;; ++place) {
    const bool is_last = place == queue_.size() || queue_[place]->job.deadline == Time::max();
    const Time least = place == 0 ? now : std::max(now, queue_[place - 1]->job.deadline);
    if (is_last || least < queue_[place]->job.deadline) {
      with = vectors;
      const Time deadline = std::max(least, this->place(entry, begins(entry, now), with));
      const bool fits = is_last || deadline < queue_[place]->job.deadline;
      if (fits && deadline <= asked.job.deadline && !objecting(with, place, {}, objects)) return deadline;
    }
    if (is_last) return std::nullopt;
    (void)this->place(*queue_[place], queue_[place]->from, vectors);
  }
}

}  // namespace wavewright
