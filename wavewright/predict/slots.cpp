#include "wavewright/predict/slots.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

Count usable(Count tasks, const std::optional<Count>& limit) {
  if (limit && *limit <= 0 && tasks > 0) throw UsageError("no slots to choose from", "allow at least one");
  return std::clamp<Count>(limit.value_or(tasks), 0, tasks);
}

// `job` must outlive it.
SlotSearch search_for(const JobStatistics& job, Duration deadline, TimeModel model, const SlotLimit& limit) {
  check(job);
  if (deadline <= Duration{}) throw UsageError("the deadline is not a positive length of time", "like 8min");
  SlotSearch search;
  search.time_ms = [&job, model](SlotPool slots) {
    return map_stage_ms(job, slots.map_slots, model) + reduce_stage_ms(job, slots.reduce_slots, model) +
           job.overhead_ms;
  };
  search.deadline_ms = static_cast<double>(deadline.count());
  search.most = {usable(job.maps, limit.map_slots), usable(job.reduces, limit.reduce_slots)};
  search.fewest = {std::min<Count>(1, job.maps), std::min<Count>(1, job.reduces)};
  const double fastest = search.time_ms(search.most);
  if (fastest <= search.deadline_ms) return search;
  throw Infeasible(
      fmt::format("no slots meet {}: even {} map and {} reduce slots take {} ({} model)",
                  format_duration(deadline), search.most.map_slots, search.most.reduce_slots,
                  format_duration(ms(static_cast<std::int64_t>(std::ceil(fastest)))), to_string(model)),
      limit.map_slots || limit.reduce_slots ? "allow more slots or a later deadline"
                                            : "allow a later deadline");
}

}  // namespace

SlotChoice fewest_slots(const JobStatistics& job, Duration deadline, TimeModel model,
                        const SlotLimit& limit) {
  return fewest_in(search_for(job, deadline, model, limit));
}

std::vector<SlotChoice> allocation_curve(const JobStatistics& job, Duration deadline, TimeModel model,
                                         const SlotLimit& limit) {
  return curve_in(search_for(job, deadline, model, limit));
}

SlotChoice slots_beside(const JobStatistics& job, Duration deadline, Count reduce_slots, TimeModel model) {
  const SlotSearch search = search_for(job, deadline, model, {.reduce_slots = reduce_slots});
  const Count most = search.most.map_slots;
  return search.choice({search.maps_beside(search.most.reduce_slots, most).value_or(most), reduce_slots});
}

double map_slots_beside(const JobStatistics& job, Duration deadline, Count reduce_slots) {
  const SlotSearch search = search_for(job, deadline, TimeModel::simple, {.reduce_slots = reduce_slots});
  const SimpleForm form = simple_form(job);
  if (job.maps == 0) return 0;
  const Count reduces = search.most.reduce_slots;
  const double reduce_ms = reduces > 0 ? form.b / static_cast<double>(reduces) : 0;
  return form.a / (static_cast<double>(deadline.count()) - form.c - reduce_ms);
}

LagrangeSlots lagrange_slots(const JobStatistics& job, Duration deadline) {
  const SlotSearch search = search_for(job, deadline, TimeModel::simple, {});
  const SimpleForm form = simple_form(job);
  const double room = static_cast<double>(deadline.count()) - form.c;  // positive: the question has an answer
  const double root_sum = std::sqrt(form.a) + std::sqrt(form.b);
  const auto maps = static_cast<double>(job.maps);
  const auto reduces = static_cast<double>(job.reduces);
  LagrangeSlots slots;
  slots.map_slots = std::sqrt(form.a) * root_sum / room;
  slots.reduce_slots = std::sqrt(form.b) * root_sum / room;
  if (slots.map_slots > maps) {
    slots = {maps, form.b / (room - (maps > 0 ? form.a / maps : 0)), true, {}, {}};
  } else if (slots.reduce_slots > reduces) {
    slots = {form.a / (room - (reduces > 0 ? form.b / reduces : 0)), reduces, true, {}, {}};
  }
  const auto rounded = [](double real, Count up, Count tasks) {
    // Up to tasks·2⁻⁴⁰ is rounding of the formula itself.
    const double below = std::floor(real + std::ldexp(static_cast<double>(tasks), -40));
    return std::clamp(static_cast<Count>(below) + (real > below ? up : 0), std::min<Count>(1, tasks), tasks);
  };
  const SlotPool ceiled = {rounded(slots.map_slots, 1, job.maps),
                           rounded(slots.reduce_slots, 1, job.reduces)};
  slots.ceiled = slots.corner = search.choice(ceiled);
  for (const Count map_up : {0, 1}) {
    for (const Count reduce_up : {0, 1}) {
      const SlotPool corner = {rounded(slots.map_slots, map_up, job.maps),
                               rounded(slots.reduce_slots, reduce_up, job.reduces)};
      const SlotChoice candidate = search.choice(corner);
      if (search.meets(corner) && std::pair(candidate.total(), candidate.completion_ms) <
                                      std::pair(slots.corner.total(), slots.corner.completion_ms)) {
        slots.corner = candidate;
      }
    }
  }
  return slots;
}

}  // namespace wavewright
