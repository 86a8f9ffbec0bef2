#include "wavewright/predict/slots.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

// The least value in [low, high] for which `holds`, which must be monotone and true at `high`.
template <class Predicate>
Count least(Count low, Count high, Predicate holds) {
  while (low < high) {
    const Count middle = low + (high - low) / 2;
    if (holds(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

class Question {
 public:
  Question(const JobStatistics& job, Duration deadline, TimeModel model, const SlotLimit& limit)
      : job_(job), model_(model), deadline_ms_(static_cast<double>(deadline.count())) {
    check(job);
    if (deadline <= Duration{})
      throw UsageError("the deadline is not a positive length of time", "like 8min");
    most_ = {usable(job.maps, limit.map_slots), usable(job.reduces, limit.reduce_slots)};
    fewest_ = {std::min<Count>(1, job.maps), std::min<Count>(1, job.reduces)};
    const double fastest = time(most_);
    if (!(fastest <= deadline_ms_)) {
      throw Infeasible(
          fmt::format("no slots meet {}: even {} map and {} reduce slots take {} ({} model)",
                      format_duration(deadline), most_.map_slots, most_.reduce_slots,
                      format_duration(ms(static_cast<std::int64_t>(std::ceil(fastest)))), to_string(model)),
          limit.map_slots || limit.reduce_slots ? "allow more slots or a later deadline"
                                                : "allow a later deadline");
    }
  }

  [[nodiscard]] double time(SlotPool slots) const {
    return map_stage_ms(job_, slots.map_slots, model_) + reduce_stage_ms(job_, slots.reduce_slots, model_) +
           job_.overhead_ms;
  }
  [[nodiscard]] bool meets(SlotPool slots) const { return time(slots) <= deadline_ms_; }
  [[nodiscard]] SlotChoice choice(SlotPool slots) const { return {slots, time(slots)}; }
  [[nodiscard]] SlotPool most() const { return most_; }
  [[nodiscard]] SlotPool fewest() const { return fewest_; }

  // Fewest map slots for `reduce_slots`; absent if no number is enough.
  [[nodiscard]] std::optional<Count> maps_beside(Count reduce_slots) const {
    if (!meets({most_.map_slots, reduce_slots})) return std::nullopt;
    return least(fewest_.map_slots, most_.map_slots, [&](Count maps) { return meets({maps, reduce_slots}); });
  }
  // Fewest reduce slots for `map_slots`; `enough` of them must do.
  [[nodiscard]] Count reduces_beside(Count map_slots, Count enough) const {
    return least(fewest_.reduce_slots, enough, [&](Count reduces) { return meets({map_slots, reduces}); });
  }

 private:
  static Count usable(Count tasks, const std::optional<Count>& limit) {
    if (limit && *limit <= 0 && tasks > 0) throw UsageError("no slots to choose from", "allow at least one");
    return std::clamp<Count>(limit.value_or(tasks), 0, tasks);
  }

  const JobStatistics& job_;
  TimeModel model_;
  double deadline_ms_;
  SlotPool most_;
  SlotPool fewest_;
};

// Searches ranges of reduce slots, the most promising half first.
class FewestSearch {
 public:
  explicit FewestSearch(const Question& question) : question_(question) {}

  SlotChoice best() {
    const Count low = question_.reduces_beside(question_.most().map_slots, question_.most().reduce_slots);
    const Count high = question_.most().reduce_slots;
    take(low);
    const Count maps_at_high = take(high);
    if (low < high) search(low, high, maps_at_high);
    return best_;
  }

 private:
  Count take(Count reduces) {
    const Count maps = question_.maps_beside(reduces).value_or(question_.most().map_slots);
    const SlotChoice found = question_.choice({maps, reduces});
    const auto key = [](const SlotChoice& c) {
      return std::tuple(c.total(), c.completion_ms, c.slots.map_slots);
    };
    if (!found_ || key(found) < key(best_)) best_ = found;
    found_ = true;
    return maps;
  }

  // Both ends were taken already; `maps_at_high` belongs to `high`.
  void search(Count low, Count high, Count maps_at_high) {
    if (high - low < 2 || low + 1 + maps_at_high > best_.total()) return;
    const Count middle = low + (high - low) / 2;
    const Count maps_at_middle = take(middle);
    if (middle + maps_at_high < low + maps_at_middle) {
      search(middle, high, maps_at_high);
      search(low, middle, maps_at_middle);
    } else {
      search(low, middle, maps_at_middle);
      search(middle, high, maps_at_high);
    }
  }

  const Question& question_;
  bool found_ = false;
  SlotChoice best_;
};

}  // namespace

SlotChoice fewest_slots(const JobStatistics& job, Duration deadline, TimeModel model,
                        const SlotLimit& limit) {
  const Question question(job, deadline, model, limit);
  return FewestSearch(question).best();
}

std::vector<SlotChoice> allocation_curve(const JobStatistics& job, Duration deadline, TimeModel model,
                                         const SlotLimit& limit) {
  const Question question(job, deadline, model, limit);
  std::vector<SlotChoice> curve;
  Count reduces = question.most().reduce_slots;
  for (;;) {
    const std::optional<Count> maps = question.maps_beside(reduces);
    if (!maps) break;
    reduces = question.reduces_beside(*maps, reduces);
    curve.push_back(question.choice({*maps, reduces}));
    if (reduces <= question.fewest().reduce_slots) break;
    --reduces;
  }
  return curve;
}

SlotChoice slots_beside(const JobStatistics& job, Duration deadline, Count reduce_slots, TimeModel model) {
  const Question question(job, deadline, model, {.reduce_slots = reduce_slots});
  return question.choice(
      {question.maps_beside(question.most().reduce_slots).value_or(question.most().map_slots), reduce_slots});
}

double map_slots_beside(const JobStatistics& job, Duration deadline, Count reduce_slots) {
  const Question question(job, deadline, TimeModel::simple, {.reduce_slots = reduce_slots});
  const SimpleForm form = simple_form(job);
  if (job.maps == 0) return 0;
  const Count usable = question.most().reduce_slots;
  const double reduce_ms = usable > 0 ? form.b / static_cast<double>(usable) : 0;
  return form.a / (static_cast<double>(deadline.count()) - form.c - reduce_ms);
}

LagrangeSlots lagrange_slots(const JobStatistics& job, Duration deadline) {
  const Question question(job, deadline, TimeModel::simple, {});
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
  slots.ceiled = slots.corner = question.choice(ceiled);
  for (const Count map_up : {0, 1}) {
    for (const Count reduce_up : {0, 1}) {
      const SlotPool corner = {rounded(slots.map_slots, map_up, job.maps),
                               rounded(slots.reduce_slots, reduce_up, job.reduces)};
      const SlotChoice candidate = question.choice(corner);
      if (question.meets(corner) && std::pair(candidate.total(), candidate.completion_ms) <
                                        std::pair(slots.corner.total(), slots.corner.completion_ms)) {
        slots.corner = candidate;
      }
    }
  }
  return slots;
}

}  // namespace wavewright
