#include "wavewright/plan/bounds/precedence_times.h"

#include <algorithm>
#include <numeric>
#include <queue>

#include "wavewright/job/precedence.h"
#include "wavewright/plan/bounds/counting_bound.h"

namespace wavewright {

namespace {

constexpr std::size_t most_loads = 1000;  // jobs

struct StageAlone {
  std::int64_t share = 0;  // work / slots, rounded down
  std::int64_t least = 0;  // least time alone on the slots

  StageAlone(const std::vector<CountedTask>& tasks, Count slots, bool thorough) {
    slots = std::max<Count>(slots, 1);
    std::int64_t work = 0;
    for (const CountedTask& task : tasks) {
      work += task.length;
      least = std::max(least, task.length);
    }
    share = work / slots;
    if (thorough) least = std::max(least, stage_alone(tasks, slots));
  }
};

struct JobAlone {
  StageAlone maps, reduces;

  [[nodiscard]] std::int64_t length() const { return maps.least + reduces.least; }
};

std::vector<JobAlone> jobs_alone(const Workload& workload, SlotPool pool, bool thorough) {
  std::vector<JobAlone> alone;
  alone.reserve(workload.jobs.size());
  for (const Job& job : workload.jobs) {
    alone.push_back(
        {{counted_maps(job), pool.map_slots, thorough}, {counted_reduces(job), pool.reduce_slots, thorough}});
  }
  return alone;
}

class Times {
 public:
  Times(const Workload& workload, SlotPool pool, bool thorough)
      : jobs_(workload.jobs.size()),
        behind_(workload),
        before_(jobs_),
        order_(behind_.in_order(jobs_)),
        alone_(jobs_alone(workload, pool, thorough)),
        loads_(thorough && jobs_ <= most_loads) {
    for (std::uint32_t job = 0; job < jobs_; ++job) {
      for (const std::uint32_t next : behind_.successors(job)) before_[next].push_back(job);
      found_.heads.push_back(to_ms(workload.jobs[job].submit));
    }
    found_.tails.assign(jobs_, 0);
  }

  PrecedenceTimes run() {
    for (const std::uint32_t job : order_) raise_head(job);
    for (std::size_t at = jobs_; at-- > 0;) raise_tail(order_[at]);
    std::vector<HeadedWork> maps, reduces;
    for (std::uint32_t job = 0; job < jobs_; ++job) {
      const std::int64_t head = found_.heads[job], tail = found_.tails[job];
      found_.makespan = std::max(found_.makespan, head + alone_[job].length() + tail);
      add(maps, reduces, job, head, tail);
    }
    found_.makespan =
        std::max({found_.makespan, end_of_tails(std::move(maps)), end_of_tails(std::move(reduces))});
    return std::move(found_);
  }

 private:
  void raise_head(std::uint32_t job) {
    std::int64_t& head = found_.heads[job];
    for (const std::uint32_t other : before_[job])
      head = std::max(head, found_.heads[other] + alone_[other].length());
    if (!loads_ || before_[job].empty()) return;
    // The longest chain between each earlier job and this one, nearest jobs first.
    std::vector<std::int64_t> between(jobs_, unrelated);
    std::vector<HeadedWork> maps, reduces;
    for (const std::uint32_t other : before_[job]) between[other] = 0;
    for (std::size_t at = jobs_; at-- > 0;) {
      const std::uint32_t other = order_[at];
      if (between[other] == unrelated) continue;
      add(maps, reduces, other, found_.heads[other], between[other]);
      for (const std::uint32_t earlier : before_[other])
        between[earlier] = std::max(between[earlier], between[other] + alone_[other].length());
    }
    head = std::max({head, end_of_tails(std::move(maps)), end_of_tails(std::move(reduces))});
  }
  void raise_tail(std::uint32_t job) {
    std::int64_t& tail = found_.tails[job];
    for (const std::uint32_t other : behind_.successors(job))
      tail = std::max(tail, alone_[other].length() + found_.tails[other]);
    if (!loads_ || behind_.successors(job).empty()) return;
    std::vector<std::int64_t> between(jobs_, unrelated);
    std::vector<HeadedWork> maps, reduces;
    for (const std::uint32_t other : behind_.successors(job)) between[other] = 0;
    for (const std::uint32_t other : order_) {
      if (between[other] == unrelated) continue;
      add(maps, reduces, other, between[other], found_.tails[other]);
      for (const std::uint32_t later : behind_.successors(other))
        between[later] = std::max(between[later], between[other] + alone_[other].length());
    }
    tail = std::max({tail, end_of_tails(std::move(maps)), end_of_tails(std::move(reduces))});
  }
  // Adds the job's stages: the maps are ready at `head`; `tail` must pass after the job's end.
  void add(std::vector<HeadedWork>& maps, std::vector<HeadedWork>& reduces, std::uint32_t job,
           std::int64_t head, std::int64_t tail) const {
    const JobAlone& alone = alone_[job];
    maps.push_back({head, alone.maps.share, alone.reduces.least + tail});
    reduces.push_back({head + alone.maps.least, alone.reduces.share, tail});
  }

  static constexpr std::int64_t unrelated = -1;

  std::size_t jobs_;
  Precedence behind_;
  std::vector<std::vector<std::uint32_t>> before_;
  std::vector<std::uint32_t> order_;
  std::vector<JobAlone> alone_;
  bool loads_;
  PrecedenceTimes found_;
};

}  // namespace

std::int64_t end_of_tails(std::vector<HeadedWork> parts) {
  std::sort(parts.begin(), parts.end(),
            [](const HeadedWork& a, const HeadedWork& b) { return a.head < b.head; });
  const auto shorter = [](const HeadedWork& a, const HeadedWork& b) { return a.tail < b.tail; };
  std::priority_queue<HeadedWork, std::vector<HeadedWork>, decltype(shorter)> there(shorter);
  std::int64_t clock = 0, end = 0;
  for (std::size_t next = 0; next < parts.size() || !there.empty();) {
    if (there.empty()) clock = std::max(clock, parts[next].head);
    for (; next < parts.size() && parts[next].head <= clock; ++next) there.push(parts[next]);
    HeadedWork first = there.top();
    there.pop();
    const std::int64_t free = clock + first.work;
    clock = next < parts.size() ? std::min(free, parts[next].head) : free;
    first.work = free - clock;
    if (first.work > 0) {
      there.push(first);
    } else {
      end = std::max(end, clock + first.tail);
    }
  }
  return end;
}

PrecedenceTimes precedence_times(const Workload& workload, SlotPool pool, bool thorough) {
  return Times(workload, pool, thorough).run();
}

Workload released(const Workload& workload, std::span<const std::int64_t> heads) {
  Workload made = without_precedence(workload);
  for (std::size_t job = 0; job < made.jobs.size(); ++job) made.jobs[job].submit = at_ms(heads[job]);
  return made;
}

}  // namespace wavewright
