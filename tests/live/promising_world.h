// A cluster whose daemon promises deadlines: jobs come and are asked about, masters come up when they like
// until they must, tasks take any time up to their bounds, readings of progress are up to `reading` old, and
// containers are given each second by the targets that the daemon told a second before.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wavewright/core/random.h"
#include "wavewright/live/promise/promised_targets.h"
#include "wavewright/live/promise/promises.h"

namespace wavewright {

class PromisingWorld {
 public:
  int promised = 0, refused = 0;
  std::string late;          // promised jobs that ended behind their deadlines
  std::string wrong_offers;  // counter-offers that would not have been taken

  explicit PromisingWorld(std::uint64_t seed) : random_(seed, "promises") {
    rules_.slots = {random_.integer(1, 6), random_.integer(1, 4)};
    rules_.delays.first = rules_.delays.ready = step;
    rules_.delays.map = rules_.delays.reduce = step + reading + step;  // targets are a step old
    coming_ = random_.integer(2, 9);
  }

  void play() {
    for (int steps = 0; steps < 4'000 && (coming_ > 0 || anything_left()); ++steps) {
      end_tasks();
      if (coming_ > 0 && random_.below(15) == 0) come();
      for (auto& [id, job] : jobs_) {
        if (!job.up && now_ >= job.up_at) job.up = true;
      }
      read();
      give();
      now_ += step;
    }
  }

 private:
  static constexpr Duration step = ms(1'000), reading = ms(5'000);

  struct Task {
    Time start{};
    Duration length{};
  };
  struct OfJob {
    bool up = false, seen_up = false;
    Time up_at{}, read_at{};
    std::optional<Time> started{}, maps_done{};
    std::vector<Duration> maps, reduces;  // actual lengths of those that wait
    Count all_maps = 0, all_reduces = 0;
    std::vector<Task> running_maps, running_reduces;
    Count done_maps = 0, done_reduces = 0;
  };

  [[nodiscard]] bool anything_left() const {
    return std::any_of(batch_.jobs.begin(), batch_.jobs.end(),
                       [](const LiveJob& job) { return !has_ended(job.state); });
  }

  std::vector<Duration> lengths(Count count, Duration bound) {
    std::vector<Duration> made;
    for (Count i = 0; i < count; ++i) {
      const double share = random_.below(3) == 0 ? 1 : random_.uniform(0.1, 1);
      made.push_back(ms(std::max<std::int64_t>(1, std::llround(share * static_cast<double>(bound.count())))));
    }
    return made;
  }

  void come() {
    --coming_;
    LiveJob job;
    job.id = job.tag = std::string(1, static_cast<char>('A' + batch_.jobs.size()));
    job.state = LiveState::accepted;
    job.bounds = TaskBounds{random_.integer(0, 8), random_.integer(0, 4), ms(random_.integer(1, 60'000)),
                            ms(random_.integer(1, 60'000))};
    if (job.bounds->maps + job.bounds->reduces == 0) job.bounds->maps = 1;
    const Time from = now_ + ms(random_.integer(0, 20'000));
    if (random_.below(4) != 0 && !ask(job, from)) return;
    OfJob its;
    its.maps = lengths(its.all_maps = job.bounds->maps, job.bounds->map);
    its.reduces = lengths(its.all_reduces = job.bounds->reduces, job.bounds->reduce);
    its.up_at = random_.below(2) == 0 ? from : now_ + (from - now_) * random_.integer(0, 10) / 10;
    if (its.all_maps == 0) its.maps_done = now_;
    if (!job.promise && random_.below(6) == 0) job.bounds.reset();
    batch_.jobs.push_back(job);
    jobs_[job.id] = its;
  }

  // Is it promised, by its own deadline or by the one that is offered instead?
  bool ask(LiveJob& job, Time from) {
    job.promise = DeadlinePromise{from, {}, "max"};
    job.deadline = from + ms(random_.integer(1, 240'000));
    const auto refusal = ask_for_promise(batch_, readings_, rules_, job, now_);
    if (!refusal) return ++promised;
    ++refused;
    check_offers(job, *refusal);
    if (!refusal->earliest_deadline || random_.below(2) == 0) return false;
    job.deadline = refusal->earliest_deadline;
    return !ask_for_promise(batch_, readings_, rules_, job, now_) && ++promised;
  }

  void check_offers(const LiveJob& job, const PromiseRefusal& refusal) {
    const auto taken = [&](LiveJob asked, const LiveBatch& batch, const PromiseRules& rules) {
      return !ask_for_promise(batch, readings_, rules, asked, now_);
    };
    const auto expect = [&](bool good, const char* what) {
      if (!good) wrong_offers += fmt::format("{} at {}: {}; ", job.id, to_ms(now_), what);
    };
    LiveJob other = job;
    if (refusal.earliest_deadline) {
      other.deadline = refusal.earliest_deadline;
      expect(taken(other, batch_, rules_), "the earliest deadline");
      *other.deadline -= ms(1);
      expect(!taken(other, batch_, rules_), "an earlier one would do");
    }
    if (refusal.lacks) {
      PromiseRules more = rules_;
      more.slots.map_slots += refusal.lacks->map_slots;
      more.slots.reduce_slots += refusal.lacks->reduce_slots;
      expect(taken(job, batch_, more), "slots");
    }
    if (!refusal.give_way.empty()) {
      LiveBatch without = batch_;
      std::erase_if(without.jobs, [&](const LiveJob& each) {
        return std::find(refusal.give_way.begin(), refusal.give_way.end(), each.id) != refusal.give_way.end();
      });
      expect(taken(job, without, rules_), "giving way");
    }
  }

  // Returns the end of the last of those that are over by now.
  std::optional<Time> end(std::vector<Task>& running, Count& done) const {
    std::optional<Time> last;
    std::erase_if(running, [&](const Task& task) {
      const Time at = task.start + task.length;
      if (at > now_) return false;
      last = std::max(last.value_or(at), at);
      ++done;
      return true;
    });
    return last;
  }

  void end_tasks() {
    for (LiveJob& job : batch_.jobs) {
      if (has_ended(job.state)) continue;
      OfJob& its = jobs_.at(job.id);
      auto last = end(its.running_maps, its.done_maps);
      if (last && its.done_maps == its.all_maps) its.maps_done = now_;
      if (const auto reduce = end(its.running_reduces, its.done_reduces)) last = reduce;
      if (!last || its.done_maps < its.all_maps || its.done_reduces < its.all_reduces) continue;
      job.state = LiveState::done;
      if (job.promise && *last > *job.deadline)
        late += fmt::format("{} by {}; ", job.id, (*last - *job.deadline).count());
    }
  }

  StageProgress seen(const std::vector<Task>& running, Count all, Count done) const {
    StageProgress stage{.total = all, .done = done, .running = static_cast<Count>(running.size())};
    for (const Task& task : running) stage.tasks.push_back({.length = now_ - task.start});
    return stage;
  }

  void read() {
    for (LiveJob& job : batch_.jobs) {
      OfJob& its = jobs_.at(job.id);
      if (has_ended(job.state) || !its.up) continue;
      if (job.state != LiveState::running && !std::exchange(its.seen_up, true)) continue;  // a step later
      if (job.state != LiveState::running) its.read_at = now_ + ms(1'000 * random_.integer(0, 4));
      job.state = LiveState::running;
      if (now_ < its.read_at) continue;
      its.read_at = now_ + ms(1'000 * random_.integer(1, reading / step));
      readings_[job.id] = {.at = now_,
                           .started = its.started,
                           .maps_done = its.maps_done,
                           .maps = seen(its.running_maps, its.all_maps, its.done_maps),
                           .reduces = seen(its.running_reduces, its.all_reduces, its.done_reduces)};
    }
  }

  // Free slots to the job of the lowest rank that may hold more.
  void give() {
    std::vector<TaggedTarget> targets =
        std::exchange(told_, promised_targets(batch_, readings_, rules_.slots, now_));
    std::sort(targets.begin(), targets.end(), [](const TaggedTarget& a, const TaggedTarget& b) {
      return a.target.map_rank < b.target.map_rank;
    });
    Count maps = rules_.slots.map_slots, reduces = rules_.slots.reduce_slots;
    for (const auto& [id, its] : jobs_) {
      maps -= static_cast<Count>(its.running_maps.size());
      reduces -= static_cast<Count>(its.running_reduces.size());
    }
    for (const TaggedTarget& each : targets) {
      OfJob& its = jobs_.at(each.tag);
      if (!its.up) continue;
      start(its, its.maps, its.running_maps, each.target.maps, maps);
      if (its.maps_done) start(its, its.reduces, its.running_reduces, each.target.reduces, reduces);
    }
  }

  void start(OfJob& job, std::vector<Duration>& waiting, std::vector<Task>& running,
             const std::optional<Count>& most, Count& free) const {
    while (free > 0 && !waiting.empty() && static_cast<Count>(running.size()) < most.value_or(free + 99)) {
      if (!job.started) job.started = now_;
      running.push_back({now_, waiting.back()});
      waiting.pop_back();
      --free;
    }
  }

  Random random_;
  PromiseRules rules_;
  LiveBatch batch_;
  ProgressByJob readings_;
  std::vector<TaggedTarget> told_;
  std::map<std::string, OfJob> jobs_;
  Time now_ = at_ms(1'790'000'000'000);
  std::int64_t coming_ = 0;
};

}  // namespace wavewright
