// Counter-offers worked out plainly: each variant of a question is a batch of its own, and how things stand
// in it is worked out from nothing. For tests and benchmarks of live/promise/asked_promise.h.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "wavewright/live/promise/promise_standing.h"

namespace wavewright {

class PlainAsked {
 public:
  PlainAsked(const LiveBatch& batch, const ProgressByJob& progress, const PromiseRules& rules,
             const LiveJob& job, Time now)
      : batch_(batch), progress_(progress), rules_(rules), job_(job), now_(now) {
    for (const PromisedEnd& each :
         PromiseStanding(jobs_of(batch), progress, rules, Readings::old, now).ends())
      before_.emplace(each.job, each);
    for (const PromisedEnd& each : promised_ends(batch, progress, rules, now)) {
      if (each.at_risk) lost_.insert(each.job);
    }
  }

  struct Answer {
    Time end{};
    std::string late = {};  // a promised job that might be late; empty = none
    [[nodiscard]] bool in_time(Time deadline) const { return late.empty() && end <= deadline; }
  };
  [[nodiscard]] Answer try_with(Time deadline) const {
    LiveBatch with = batch_;
    with.jobs.push_back(job_);
    with.jobs.back().deadline = deadline;
    Answer answer;
    for (const PromisedEnd& each :
         PromiseStanding(jobs_of(with), progress_, rules_, Readings::old, now_).ends()) {
      if (each.job == job_.id) answer.end = each.end;
      if (each.job != job_.id && answer.late.empty() && is_harmed(each)) answer.late = each.job;
    }
    return answer;
  }

  // With a deadline between those of two promised jobs it has the place between them.
  [[nodiscard]] std::optional<Time> earliest_deadline() const {
    std::vector<Time> deadlines;
    deadlines.reserve(before_.size());
    for (const auto& [id, end] : before_) deadlines.push_back(end.deadline);
    std::sort(deadlines.begin(), deadlines.end());
    for (std::size_t place = 0; place <= deadlines.size(); ++place) {
      const Time least = place == 0 ? now_ : std::max(now_, deadlines[place - 1]);
      const Answer answer = try_with(least);
      const Time deadline = std::max(answer.end, least);
      const bool fits = place == deadlines.size() || deadline < deadlines[place];
      if (fits && answer.late.empty() && deadline < now_ + never_ends) return deadline;
    }
    return std::nullopt;
  }

  // The fewest further slots of one kind, or of both in proportion to its tasks.
  [[nodiscard]] std::optional<SlotPool> lacks() const {
    const TaskBounds& tasks = *job_.bounds;
    Count maps = tasks.maps, reduces = tasks.reduces;  // of all jobs
    for (const LiveJob& other : batch_.jobs) {
      if (!other.bounds || has_ended(other.state)) continue;
      maps += other.bounds->maps;
      reduces += other.bounds->reduces;
    }
    std::optional<SlotPool> least = fewest(tasks.maps, maps, {1, 0}, 1);
    const Count larger = std::max(tasks.maps, tasks.reduces);
    Count times = 0;
    while (tasks.maps > 0 && tasks.reduces > 0 &&
           (tasks.maps * times < maps || tasks.reduces * times < reduces))
      ++times;
    for (const auto& other : {fewest(tasks.reduces, reduces, {0, 1}, 1),
                              fewest(larger, larger * times, {tasks.maps, tasks.reduces}, larger)}) {
      const auto in_all = [](const SlotPool& slots) { return slots.map_slots + slots.reduce_slots; };
      if (other && (!least || in_all(*other) < in_all(*least))) least = other;
    }
    return least;
  }

  // One promised job, of those that do the one that is due last, or several from the last on.
  [[nodiscard]] std::vector<std::string> give_way() const {
    std::vector<PromisedEnd> by_deadline;
    by_deadline.reserve(before_.size());
    for (const auto& [id, end] : before_) by_deadline.push_back(end);
    std::sort(by_deadline.begin(), by_deadline.end(), [](const PromisedEnd& a, const PromisedEnd& b) {
      return std::pair(a.deadline, a.job) > std::pair(b.deadline, b.job);
    });
    const auto do_it = [&](const std::vector<std::string>& without) {
      LiveBatch fewer = batch_;
      std::erase_if(fewer.jobs, [&](const LiveJob& job) {
        return std::find(without.begin(), without.end(), job.id) != without.end();
      });
      return PlainAsked(fewer, progress_, rules_, job_, now_).is_in_time();
    };
    for (const PromisedEnd& each : by_deadline) {
      if (do_it({each.job})) return {each.job};
    }
    std::vector<std::string> several;
    for (const PromisedEnd& each : by_deadline) {
      several.push_back(each.job);
      if (several.size() > 1 && do_it(several)) break;
    }
    if (several.size() < 2 || !do_it(several)) return {};
    for (std::size_t i = 0; i < several.size();) {
      std::vector<std::string> fewer = several;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (do_it(fewer)) {
        several = std::move(fewer);
      } else {
        ++i;
      }
    }
    return several;
  }

  [[nodiscard]] bool is_in_time() const { return try_with(*job_.deadline).in_time(*job_.deadline); }

 private:
  // The least number of steps, up to `usual` or else to `most`, with which it is in time. A step is that part
  // of `of`, rounded up.
  [[nodiscard]] std::optional<SlotPool> fewest(Count usual, Count most, SlotPool of, Count parts) const {
    const auto part = [&](Count step) {
      return SlotPool{(of.map_slots * step + parts - 1) / parts,
                      (of.reduce_slots * step + parts - 1) / parts};
    };
    const auto do_it = [&](Count step) {
      PromiseRules more = rules_;
      more.slots.map_slots += part(step).map_slots;
      more.slots.reduce_slots += part(step).reduce_slots;
      return PlainAsked(batch_, progress_, more, job_, now_).is_in_time();
    };
    if (most == 0) return std::nullopt;
    Count low = 0, high = std::clamp<Count>(usual, 1, most);
    if (!do_it(high)) {
      low = high;
      high = most;
      if (low == high || !do_it(high)) return std::nullopt;
    }
    while (high - low > 1) {
      const Count middle = low + (high - low) / 2;
      (do_it(middle) ? high : low) = middle;
    }
    return part(high);
  }

  [[nodiscard]] bool is_harmed(const PromisedEnd& now) const {
    const auto before = before_.find(now.job);
    return before != before_.end() && !lost_.contains(now.job) && now.end > now.deadline &&
           now.end > before->second.end;
  }

  const LiveBatch& batch_;
  const ProgressByJob& progress_;
  const PromiseRules& rules_;
  const LiveJob& job_;
  Time now_;
  std::unordered_map<std::string, PromisedEnd> before_;
  std::set<std::string> lost_;
};

}  // namespace wavewright
