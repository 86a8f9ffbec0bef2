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
    return time_of(over);
  }

 private:
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

  const ContainerWaits& waits_;
  std::int64_t now_;
  Count over_ = 0;
  MemoryTimes free_;
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

// The queue with the job at each place in turn.
class Trials {
 public:
  Trials(const ContainerStanding& standing, std::span<const ContainerJob* const> queue,
         std::span<const Time> without, const ContainerJob& job, const ContainerWaits& waits)
      : standing_(standing), queue_(queue), without_(without), job_(job), waits_(waits) {}

  struct Trial {
    Time end{};
    std::optional<std::size_t> late{};  // the first of the others that would be, and is not without the job
  };
  [[nodiscard]] Trial at(std::size_t place) const {
    std::vector<const ContainerJob*> with(queue_.begin(), queue_.end());
    with.insert(with.begin() + static_cast<std::ptrdiff_t>(place), &job_);
    const std::vector<Time> ends = surely_ends(standing_, with, waits_);
    Trial trial{ends[place]};
    for (std::size_t i = 0; i < queue_.size() && !trial.late; ++i) {
      const Time end = ends[i < place ? i : i + 1], deadline = queue_[i]->deadline;
      if (end > deadline && without_[i] <= deadline) trial.late = i;
    }
    return trial;
  }

 private:
  const ContainerStanding& standing_;
  std::span<const ContainerJob* const> queue_;
  std::span<const Time> without_;  // ends of the queue
  const ContainerJob& job_;
  const ContainerWaits& waits_;
};

}  // namespace

ContainerAnswer ask_for_place(const ContainerStanding& standing, std::span<const ContainerJob* const> queue,
                              std::span<const Time> without, const ContainerJob& job,
                              std::span<const std::size_t> places, std::size_t first_place, bool by_deadline,
                              const ContainerWaits& waits) {
  const Trials trials(standing, queue, without, job, waits);
  ContainerAnswer answer;
  for (const std::size_t place : places) {
    const Trials::Trial trial = trials.at(place);
    if (place == places.front()) {
      answer.end = trial.end;
      if (trial.end <= job.deadline) answer.late = trial.late;
    }
    if (trial.end < Time::max() && trial.end <= job.deadline && !trial.late)
      return {.place = place, .end = trial.end};
  }
  // At later places it ends no sooner.
  for (std::size_t place = first_place; place <= queue.size(); ++place) {
    const Trials::Trial trial = trials.at(place);
    Time deadline = trial.end;
    if (by_deadline && place > first_place) deadline = std::max(deadline, queue[place - 1]->deadline);
    if (deadline == Time::max() || trial.late) continue;
    if (by_deadline && place < queue.size() && deadline >= queue[place]->deadline) continue;
    answer.earliest_deadline = deadline;
    break;
  }
  return answer;
}

}  // namespace wavewright
