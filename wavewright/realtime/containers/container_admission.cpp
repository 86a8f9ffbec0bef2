#include "wavewright/realtime/containers/container_admission.h"

#include <algorithm>

namespace wavewright {

namespace {

constexpr std::int64_t latest = std::int64_t{1} << 60;  // ms: no end is behind it

Time time_of(std::int64_t ms) {
  return ms >= latest ? Time::max() : at_ms(ms);
}

// The vector of a queue's first jobs.
class Placing {
 public:
  Placing(const ContainerStanding& standing, std::span<const ContainerJob* const> queue,
          const ContainerWaits& waits)
      : waits_(waits), now_(to_ms(standing.now)), free_(at_first(standing, queue)) {}

  Time place(const ContainerJob& job) {
    if (job.needs() > free_.memory()) return Time::max();
    const std::int64_t from =
        std::max(now_, job.has_master() ? to_ms(*job.up)
                                        : free_.take(job.master_memory, now_) + to_ms(waits_.of_master()));
    std::int64_t maps_end = from, end = from;
    for (const Time each : job.map_ends) maps_end = std::max(maps_end, to_ms(each));
    maps_end = std::max(
        maps_end, free_.place(job.maps, job.map_memory, to_ms(waits_.of_task(Kind::map, job.map)), from));
    for (const Time each : job.reduce_ends) end = std::max(end, to_ms(each));
    end = std::max(end, free_.place(job.reduces, job.reduce_memory,
                                    to_ms(waits_.of_task(Kind::reduce, job.reduce)), maps_end));
    // The job is over before the last end is reported.
    const std::int64_t over = std::max(from, end - to_ms(waits_.heartbeat)) + to_ms(waits_.finish);
    const std::int64_t gone = std::max(now_, over + to_ms(waits_.stop + waits_.heartbeat));
    if (job.has_master()) {
      free_.put(std::max(gone, free_.latest_taken()), std::max<Count>(0, job.master_memory - over_));
    } else {
      free_.put(gone, job.master_memory);
    }
    if (unit_ > 0 && free_.size() > most_steps_) round_up_again();
    return time_of(over);
  }

  [[nodiscard]] std::size_t steps() const { return free_.size(); }
  // From now on memory is available at about so many instants, the same time or later.
  void round_up(std::size_t instants) {
    unit_ = std::max<std::int64_t>(1, free_.span() / static_cast<std::int64_t>(instants));
    most_steps_ = 2 * instants;
    free_.round_up(unit_);
  }

 private:
  // Each job adds steps.
  void round_up_again() {
    free_.round_up(unit_);
    most_steps_ = std::max(most_steps_, 2 * free_.size());
  }
  // Without the memory of masters that jobs of the queue have.
  MemoryTimes at_first(const ContainerStanding& standing, std::span<const ContainerJob* const> queue) {
    std::vector<MemoryTimes::Step> busy = standing.others;
    Count free = standing.memory;
    for (const ContainerJob* const job : queue) {
      if (job->has_master()) free -= job->master_memory;
      for (const Time at : job->map_ends) busy.push_back({to_ms(at), job->map_memory});
      for (const Time at : job->reduce_ends) busy.push_back({to_ms(at), job->reduce_memory});
    }
    for (MemoryTimes::Step& each : busy) {
      each.at = std::max(each.at, now_);
      free -= each.memory;
    }
    // More may be taken than there is, after a node was lost or a larger container has come. Then what ends
    // first makes no room. Which masters end first is not known yet: so much is taken off of each, too.
    over_ = std::max<Count>(0, -free);
    if (over_ > 0)
      std::sort(busy.begin(), busy.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
    Count left = over_;
    for (MemoryTimes::Step& each : busy) {
      const Count kept = std::min(left, each.memory);
      each.memory -= kept;
      left -= kept;
    }
    busy.push_back({now_, std::max<Count>(0, free)});
    return MemoryTimes(std::move(busy));
  }

  ContainerWaits waits_;
  std::int64_t now_;
  Count over_ = 0;
  MemoryTimes free_;
  std::int64_t unit_ = 0;  // 0: it is not rounded
  std::size_t most_steps_ = 0;
};

}  // namespace

Count ContainerJob::needs() const {
  return (has_master() ? 0 : master_memory) +
         std::max(maps > 0 ? map_memory : 0, reduces > 0 ? reduce_memory : 0);
}

std::vector<Time> surely_ends(const ContainerStanding& standing, std::span<const ContainerJob* const> queue,
                              const ContainerWaits& waits) {
  Placing placing(standing, queue, waits);
  std::vector<Time> ends;
  ends.reserve(queue.size());
  for (const ContainerJob* const job : queue) ends.push_back(placing.place(*job));
  return ends;
}

namespace {

// The ends of a queue's jobs, which are placed as far as somebody asks.
class QueueEnds {
 public:
  QueueEnds(const ContainerStanding& standing, std::span<const ContainerJob* const> queue,
            const ContainerWaits& waits)
      : queue_(queue), placing_(standing, queue, waits) {}

  Time end(std::size_t job) {
    while (ends_.size() <= job) ends_.push_back(placing_.place(*queue_[ends_.size()]));
    return ends_[job];
  }

 private:
  std::span<const ContainerJob* const> queue_;
  Placing placing_;
  std::vector<Time> ends_;
};

// The queue with the job at each place in turn.
class Trials {
 public:
  Trials(const ContainerQuestion& question, const ContainerWaits& waits)
      : asked_(question),
        waits_(waits),
        empty_(question.standing, with(question.queue, question.job), waits),
        ahead_(empty_),
        behind_(empty_) {}

  // The end of the job at this place. O(jobs since the place of the last call, or since the first one if it
  // goes back, + steps).
  Time end_at(std::size_t place) {
    if (place < place_) {
      ahead_ = empty_;
      place_ = 0;
      late_ahead_.reset();
    }
    for (; place_ < place; ++place_) {
      const Time end = ahead_.place(*asked_.queue[place_]);
      if (!late_ahead_ && is_made_late(place_, end)) late_ahead_ = place_;
    }
    behind_ = ahead_;
    return behind_.place(asked_.job);
  }
  // The first of the others that would be late then, and is not without the job. Asked once at a place.
  std::optional<std::size_t> late() {
    if (late_ahead_) return late_ahead_;
    if (is_long(behind_)) {
      Placing rounded = behind_;
      rounded.round_up(instants());
      if (are_in_time(rounded, place_, asked_.queue.size())) return std::nullopt;
    }
    for (std::size_t i = place_; i < asked_.queue.size(); ++i) {
      if (is_made_late(i, behind_.place(*asked_.queue[i]))) return i;
    }
    return std::nullopt;
  }
  // It ends by then at that place, surely in time, and nobody is late. None if it must be looked at closely.
  [[nodiscard]] std::optional<Time> sure_end_at(std::size_t place) const {
    if (!is_long(empty_)) return std::nullopt;
    Placing rounded = empty_;
    rounded.round_up(instants());
    if (!are_in_time(rounded, 0, place)) return std::nullopt;
    const Time end = rounded.place(asked_.job);
    if (end > asked_.job.deadline || end == Time::max()) return std::nullopt;
    return are_in_time(rounded, place, asked_.queue.size()) ? std::optional(end) : std::nullopt;
  }

 private:
  [[nodiscard]] bool is_long(const Placing& placing) const { return placing.steps() > asked_.exact_steps; }
  [[nodiscard]] std::size_t instants() const { return std::max<std::size_t>(1, asked_.exact_steps / 4); }
  // Jobs of the queue, placed one after another.
  [[nodiscard]] bool are_in_time(Placing& placing, std::size_t from, std::size_t to) const {
    const auto jobs = asked_.queue.subspan(from, to - from);
    return std::all_of(jobs.begin(), jobs.end(),
                       [&](const ContainerJob* job) { return placing.place(*job) <= job->deadline; });
  }
  static std::vector<const ContainerJob*> with(std::span<const ContainerJob* const> queue,
                                               const ContainerJob& job) {
    std::vector<const ContainerJob*> all(queue.begin(), queue.end());
    all.push_back(&job);
    return all;
  }
  bool is_made_late(std::size_t job, Time end) {
    const Time deadline = asked_.queue[job]->deadline;
    if (end <= deadline) return false;
    if (!ends_without_) ends_without_.emplace(asked_.without, asked_.queue, waits_);
    return ends_without_->end(job) <= deadline;
  }

  const ContainerQuestion& asked_;
  const ContainerWaits& waits_;
  Placing empty_;          // of no job yet
  Placing ahead_;          // of all jobs ahead of the place
  Placing behind_;         // of the job, too, and of jobs behind it
  std::size_t place_ = 0;  // in the queue
  std::optional<std::size_t> late_ahead_;
  std::optional<QueueEnds> ends_without_;
};

}  // namespace

ContainerAnswer ask_for_place(const ContainerQuestion& question, const ContainerWaits& waits) {
  const std::span<const ContainerJob* const> queue = question.queue;
  Trials trials(question, waits);
  ContainerAnswer answer;
  for (const std::size_t place : question.places) {
    const bool is_first = place == question.places.front();
    if (const auto sure = is_first ? trials.sure_end_at(place) : std::nullopt)
      return {.place = place, .end = *sure};
    const Time end = trials.end_at(place);
    if (is_first) answer.end = end;
    if (end > question.job.deadline) continue;
    const std::optional<std::size_t> late = trials.late();
    if (is_first) answer.late = late;
    if (end < Time::max() && !late) return {.place = place, .end = end};
  }
  // Containers of several sizes may let a job end sooner at a later place. By deadline the deadlines that
  // suit a later place are later, so the first one is the earliest.
  for (std::size_t place = question.first_place; place <= queue.size(); ++place) {
    const Time end = trials.end_at(place);
    const Time deadline = question.by_deadline && place > question.first_place
                              ? std::max(end, queue[place - 1]->deadline)
                              : end;
    if (deadline >= answer.earliest_deadline.value_or(Time::max())) continue;
    if (question.by_deadline && place < queue.size() && deadline >= queue[place]->deadline) continue;
    if (trials.late()) continue;
    answer.earliest_deadline = deadline;
    if (question.by_deadline) break;
  }
  return answer;
}

}  // namespace wavewright
