// The vectors behind each job: how its tasks are placed, and which vectors are kept.
#include <algorithm>
#include <utility>

#include "wavewright/realtime/admission.h"

namespace wavewright {

AdmissionController::Vectors AdmissionController::before(std::size_t place) const {
  Vectors vectors;
  set_before(place, vectors);
  return vectors;
}

void AdmissionController::set_before(std::size_t place, Vectors& vectors) const {
  std::size_t from = std::min(place, dirty_);  // what is kept behind that is of before
  while (from > 0 && !queue_[from - 1]->kept) --from;
  vectors = from == 0 ? first_ : *queue_[from - 1]->kept;
  while (from < place) {
    const std::size_t behind = place_fed_back(from, place, vectors);
    if (behind == from) (void)this->place(*queue_[from], queue_[from]->from, vectors);
    from = std::max(behind, from + 1);
  }
}

std::size_t AdmissionController::place_fed_back(std::size_t place, std::size_t to, Vectors& vectors) const {
  std::size_t behind = place;
  while (behind < to && queue_[behind]->fed_back && queue_[behind]->limit == no_limit) ++behind;
  if (behind < place + 2) return place;
  std::vector<std::span<const std::int64_t>> maps, reduces;
  maps.reserve(behind - place);
  reduces.reserve(behind - place);
  for (std::size_t i = place; i < behind; ++i) {
    maps.emplace_back(queue_[i]->map_ends);
    reduces.emplace_back(queue_[i]->reduce_ends);
  }
  vectors.maps.replace_first_in_turn(maps);
  vectors.reduces.replace_first_in_turn(reduces);
  return behind;
}

Time AdmissionController::place_within(SlotPool limit, const Entry& entry, Time from,
                                       Vectors& vectors) const {
  if (limit.map_slots >= vectors.maps.slots() && limit.reduce_slots >= vectors.reduces.slots())
    return place_on(entry, from, vectors);
  Vectors its{vectors.maps.take_first(limit.map_slots), vectors.reduces.take_first(limit.reduce_slots)};
  const Time end = place_on(entry, from, its);
  vectors.maps.put_back(its.maps);
  vectors.reduces.put_back(its.reduces);
  return end;
}

// Vectors that stay as they are.
struct AdmissionController::Ends {
  struct Times {
    const SlotTimes& times;
    bool is_asked = false, is_known = true;

    std::int64_t place(Count tasks, std::int64_t length, std::int64_t from) {
      if (tasks == 0) return from;
      const std::optional<std::int64_t> end = times.end_of(tasks, length, from);
      is_known = is_known && end && !is_asked;  // what comes behind the first tasks is not known
      is_asked = true;
      return end.value_or(from);
    }
  };
  Times maps, reduces;
};

// [UNL Algs 5.2, 5.3], or [UNL Alg. 5.6] where the actual ends are known.
Time AdmissionController::place_on(const Entry& entry, Time from, Vectors& vectors) const {
  if (entry.fed_back) {
    vectors.maps.replace_first(entry.map_ends);
    vectors.reduces.replace_first(entry.reduce_ends);
    return entry.end;
  }
  return place_tasks(entry, from, vectors);
}

template <class Slots>
Time AdmissionController::place_tasks(const Entry& entry, Time from, Slots& vectors) const {
  const AssignmentDelays& delays = options_.delays;
  const bool has_tasks = entry.job.maps + entry.job.reduces > 0;
  const std::int64_t first = has_tasks ? to_ms(delays.first) : 0;
  const std::int64_t begin = to_ms(from + delays.setup + entry.blocks_maps) + first;
  const std::int64_t begin_reduces = to_ms(from + delays.setup + entry.blocks_reduces) + first;
  const bool has_maps = entry.maps_left > 0 || entry.maps_end > 0;
  std::int64_t maps_end = has_maps ? entry.maps_end : begin;
  const Count near = std::min(entry.near_left, entry.maps_left);
  const auto place_maps = [&](Count maps, Duration length) {
    if (maps > 0) maps_end = std::max(maps_end, vectors.maps.place(maps, to_ms(length), begin));
  };
  place_maps(near, near_map_of(entry.job));
  place_maps(entry.maps_left - near, map_of(entry.job));
  if (maps_end >= latest) return time_of(maps_end);  // no slot
  const std::int64_t ready =
      has_maps ? std::max(maps_end + to_ms(delays.ready), begin_reduces) : begin_reduces;
  const std::int64_t end = vectors.reduces.place(entry.reduces_left, to_ms(reduce_of(entry.job)), ready);
  return time_of(std::max(entry.reduces_end, entry.reduces_left > 0 ? std::min(end, latest) : maps_end) +
                 to_ms(delays.commit));
}

std::optional<Time> AdmissionController::end_behind(const Entry& entry, Time from,
                                                    const Vectors& vectors) const {
  if (entry.fed_back || entry.limit != no_limit) return std::nullopt;
  Ends ends{{vectors.maps}, {vectors.reduces}};
  const Time end = place_tasks(entry, from, ends);
  return ends.maps.is_known && ends.reduces.is_known ? std::optional(end) : std::nullopt;
}

const AdmissionController::Vectors* AdmissionController::kept_before(std::size_t place) const {
  if (place == 0) return &first_;
  const std::optional<Vectors>& kept = queue_[place - 1]->kept;
  return place <= dirty_ && kept ? &*kept : nullptr;
}

void AdmissionController::keep_some(std::size_t place, const Vectors& vectors, std::size_t& since_kept) {
  // If feedback waits, vectors are needed mostly behind the jobs that have started: evaluate() keeps those.
  const bool is_far = options_.defers && place < started_;
  if (++since_kept >= (is_far ? most_between_far : most_between)) {
    queue_[place]->kept = vectors;
    since_kept = 0;
  } else {
    queue_[place]->kept.reset();
  }
}

void AdmissionController::estimate_from(std::size_t place, Time now) {
  set_from(place, now);
  evaluate_from(place);
}

void AdmissionController::evaluate(std::size_t place, std::size_t to) {
  Vectors& vectors = evaluated_;  // whose memory serves each time
  set_before(place, vectors);
  std::size_t since_kept = 0;
  while (since_kept < place && !queue_[place - 1 - since_kept]->kept) ++since_kept;
  for (; place < to; ++place) {
    const std::size_t behind = place_fed_back(place, to, vectors);
    if (behind > place) {
      since_kept += behind - 1 - place;
      for (; place < behind - 1; ++place) queue_[place]->kept.reset();
    } else {
      Entry& entry = *queue_[place];
      entry.end = this->place(entry, entry.from, vectors);
    }
    keep_some(place, vectors, since_kept);
  }
  // Behind them begins the next answer.
  if (options_.defers && to > 0 && !queue_[to - 1]->kept) queue_[to - 1]->kept = vectors;
}

void AdmissionController::estimate_until(std::size_t place) {
  if (dirty_ >= place) return;
  evaluate(dirty_, place);
  dirty_ = place < queue_.size() ? place : none;
}

void AdmissionController::estimate_rest() {
  if (dirty_ != none) evaluate_from(std::exchange(dirty_, none));
}

}  // namespace wavewright
