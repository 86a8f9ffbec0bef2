#include "wavewright/cloud/deadline/spare_machines.h"

#include <algorithm>
#include <cmath>

namespace wavewright {

namespace {

constexpr double ms_of_hour = 3'600'000;

Duration in_waves(Count tasks, Duration task, Count slots) {
  return slots == 0 ? longest_duration : task * ((tasks + slots - 1) / slots);
}

}  // namespace

SpareMachines::SpareMachines(Resources machine, Duration boot, Duration memory, Count most)
    : machine_(machine), boot_(boot), memory_(memory), sizes_{0} {
  for (Count size = 1; size < most; size *= 2) {
    sizes_.push_back(size);
    if (size > 1 && size + size / 2 < most) sizes_.push_back(size + size / 2);
  }
  if (most > 0) sizes_.push_back(most);
  lateness_.assign(sizes_.size(), 0);
}

Duration SpareMachines::end(const HurriedJob& job, Count machines) const {
  Duration end{};
  if (job.maps > 0)
    end = std::min(in_waves(job.maps, job.map, machines * machine_.map_slots), boot_ + job.map);
  if (job.reduces > 0) {
    end = std::min(end + in_waves(job.reduces, job.reduce, machines * machine_.reduce_slots),
                   std::max(end, boot_) + job.reduce);
  }
  return end;
}

double SpareMachines::kept(Time now) const {
  return std::exp(-static_cast<double>(to_ms(now - at_)) / static_cast<double>(to_ms(memory_)));
}

void SpareMachines::arrived(Time at, const HurriedJob& job, const LatenessPrice& price) {
  if (!first_) at_ = *(first_ = at);
  const double keeps = kept(at);
  at_ = at;
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    const Duration late = std::max(Duration{}, end(job, sizes_[i]) - job.left);
    lateness_[i] =
        lateness_[i] * keeps + price.of(static_cast<double>(to_ms(late)) / 1000, late > Duration{} ? 1 : 0);
  }
}

Count SpareMachines::best(Time now, double machine_hour_usd) const {
  if (!first_) return 0;
  const double memory = static_cast<double>(to_ms(memory_)), keeps = kept(now);
  const double age = static_cast<double>(to_ms(now - *first_));
  // What the sums stand for, at least an hour: the first job does not come at once again.
  const double hours = std::max(1.0, memory * (1 - std::exp(-age / memory)) / ms_of_hour);
  std::size_t best = 0;
  double least = lateness_[0] * keeps;
  for (std::size_t i = 1; i < sizes_.size(); ++i) {
    const double cost = lateness_[i] * keeps + static_cast<double>(sizes_[i]) * machine_hour_usd * hours;
    if (cost < least) {
      least = cost;
      best = i;
    }
  }
  return sizes_[best];
}

}  // namespace wavewright
