// The queue of an admission controller, and what it tells of it.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/realtime/admission.h"

namespace wavewright {

void AdmissionController::put(std::size_t place, std::unique_ptr<Entry> entry) {
  open_ += entry->is_from_final ? 0 : 1;
  numbers_.insert(numbers_.begin() + static_cast<std::ptrdiff_t>(place), entry->job.job);
  queue_.insert(queue_.begin() + static_cast<std::ptrdiff_t>(place), std::move(entry));
}

std::unique_ptr<AdmissionController::Entry> AdmissionController::take_out(std::size_t place) {
  std::unique_ptr<Entry> entry = std::move(queue_[place]);
  open_ -= entry->is_from_final ? 0 : 1;
  numbers_.erase(numbers_.begin() + static_cast<std::ptrdiff_t>(place));
  queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(place));
  return entry;
}

void AdmissionController::number_all() {
  numbers_.clear();
  open_ = 0;
  for (const auto& entry : queue_) {
    numbers_.push_back(entry->job.job);
    open_ += entry->is_from_final ? 0 : 1;
  }
}

std::size_t AdmissionController::place_of(JobIndex job) const {
  // Mostly it came lately, and many of those before it are over.
  const auto found = std::find(numbers_.rbegin(), numbers_.rend(), job);
  if (found == numbers_.rend()) throw InternalError(fmt::format("job {} was not accepted", job));
  return static_cast<std::size_t>(numbers_.rend() - found) - 1;
}

std::vector<JobIndex> AdmissionController::queue() const {
  std::vector<JobIndex> jobs;
  for (const auto& entry : queue_)
    if (!entry->ended) jobs.push_back(entry->job.job);
  return jobs;
}

SlotPool AdmissionController::tasks_of_queue() const {
  SlotPool tasks;
  for (const auto& entry : queue_) {
    if (entry->ended) continue;
    tasks.map_slots += entry->job.maps;
    tasks.reduce_slots += entry->job.reduces;
  }
  return tasks;
}

std::vector<Time> AdmissionController::estimates() const {
  need_caught_up();
  std::vector<Time> ends;
  for (const auto& entry : queue_)
    if (!entry->ended) ends.push_back(entry->end);
  return ends;
}

std::vector<JobIndex> AdmissionController::at_risk() const {
  need_caught_up();
  std::vector<JobIndex> jobs;
  for (const auto& entry : queue_)
    if (!entry->ended && entry->end > entry->job.deadline) jobs.push_back(entry->job.job);
  return jobs;
}

Time AdmissionController::estimate(JobIndex job) const {
  need_caught_up();
  return queue_[place_of(job)]->end;
}
SlotTimes AdmissionController::maps(JobIndex job) const {
  need_caught_up();
  return before(place_of(job) + 1).maps;
}
SlotTimes AdmissionController::reduces(JobIndex job) const {
  need_caught_up();
  return before(place_of(job) + 1).reduces;
}

std::size_t AdmissionController::steps() const {
  const auto of = [](const Vectors& vectors) {
    return vectors.maps.steps().size() + vectors.reduces.steps().size();
  };
  std::size_t sum = of(first_);
  for (const auto& entry : queue_) sum += entry->kept ? of(*entry->kept) : 0;
  return sum;
}

}  // namespace wavewright
