// RTMR by the letter of the paper [UNL Algs 5.1–5.4], without heartbeats and feedback, and with each mend of
// it that can be left out. Every task takes as long as its bound. Slow: it looks at every ms.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace wavewright::realtime_worlds {

struct PaperJob {
  std::int64_t arrival = 0, deadline = 0;  // ms, both from the run's start
  int maps = 0, reduces = 0;
  std::int64_t map = 0, reduce = 0;  // lengths
};

struct PaperRules {
  bool zeros_at_head = false;        // the first that waits is placed on slots that are all free
  bool overtakes = false;            // earliest deadline first, also before jobs that have started
  bool reserves = true;              // slots for reduces of jobs before whose maps have not ended
  bool may_take_last = false;        // Alg. 5.4, line 10, with > as printed, not ≥
  bool falls_behind = false;         // a job without maps falls behind one that starts its maps
  bool gives_way = false;            // not the paper's: all is placed anew by deadline at each arrival
  bool reduces_start_early = false;  // by slow-start, once a map has ended
};

class PaperRtmr {
 public:
  PaperRtmr(std::vector<PaperJob> jobs, int map_slots, int reduce_slots, const PaperRules& rules)
      : jobs_(std::move(jobs)),
        rules_(rules),
        map_slots_(map_slots),
        reduce_slots_(reduce_slots),
        free_maps_(map_slots),
        free_reduces_(reduce_slots),
        states_(jobs_.size()) {
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      states_[i].maps = jobs_[i].maps;
      states_[i].reduces = jobs_[i].reduces;
    }
    for (; now_ < 100 && !is_over(); ++now_) {
      end_tasks();
      for (; arrived_ < jobs_.size() && jobs_[arrived_].arrival <= now_; ++arrived_) arrive(arrived_);
      start_maps();
      while (start_a_reduce()) {
      }
    }
  }

  [[nodiscard]] bool accepted(std::size_t job) const { return states_[job].accepted; }
  // Accepted, and not done by its deadline.
  [[nodiscard]] bool late(std::size_t job) const {
    const State& its = states_[job];
    return its.accepted && (!its.finish || *its.finish > jobs_[job].deadline);
  }
  [[nodiscard]] bool keeps_all() const {
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      if (late(i)) return false;
    }
    return true;
  }

 private:
  using Times = std::vector<std::int64_t>;
  struct Vectors {
    Times maps, reduces;
    std::int64_t end = 0;
  };
  struct State {
    bool accepted = false;
    int maps = 0, reduces = 0;                   // that have not started
    Times map_ends, reduce_ends, reduce_starts;  // of those that run; an end of 0 is not known yet
    int maps_done = 0, reduces_done = 0;
    std::optional<std::int64_t> start, finish;
    Vectors vectors;
  };

  [[nodiscard]] bool is_over() const {
    return arrived_ == jobs_.size() && std::all_of(states_.begin(), states_.end(), [](const State& its) {
             return !its.accepted || its.finish;
           });
  }

  void end_tasks() {
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      State& its = states_[i];
      const auto maps = std::erase(its.map_ends, now_);
      its.maps_done += static_cast<int>(maps);
      free_maps_ += static_cast<int>(maps);
      if (maps > 0 &&
          its.maps_done == jobs_[i].maps)  // reduces that started early take their time from now on
        std::replace(its.reduce_ends.begin(), its.reduce_ends.end(), std::int64_t{0}, now_ + jobs_[i].reduce);
      for (std::size_t k = its.reduce_ends.size(); k-- > 0;) {
        if (its.reduce_ends[k] != now_) continue;
        its.reduce_ends.erase(its.reduce_ends.begin() + static_cast<std::ptrdiff_t>(k));
        its.reduce_starts.erase(its.reduce_starts.begin() + static_cast<std::ptrdiff_t>(k));
        ++its.reduces_done;
        ++free_reduces_;
      }
      if (its.accepted && !its.finish && its.maps_done == jobs_[i].maps &&
          its.reduces_done == jobs_[i].reduces)
        its.finish = now_;
    }
  }

  static std::int64_t take_first(Times& slots, std::int64_t from, std::int64_t length) {
    const auto first = std::min_element(slots.begin(), slots.end());
    return *first = std::max(*first, from) + length;
  }
  // Algs 5.2 and 5.3.
  [[nodiscard]] Vectors placed(std::size_t job, Vectors behind, std::int64_t from) const {
    std::int64_t maps_end = from;
    for (int k = 0; k < jobs_[job].maps; ++k) maps_end = take_first(behind.maps, from, jobs_[job].map);
    behind.end = maps_end;
    for (int k = 0; k < jobs_[job].reduces; ++k)
      behind.end = take_first(behind.reduces, maps_end, jobs_[job].reduce);
    return behind;
  }

  // Alg. 5.1.
  void arrive(std::size_t job) {
    if (rules_.gives_way) return arrive_anew(job);
    std::size_t place = rules_.overtakes ? 0 : started_;
    while (place < queue_.size() && jobs_[queue_[place]].deadline <= jobs_[job].deadline) ++place;
    const bool free = place == 0 || (rules_.zeros_at_head && place == started_);
    Vectors vectors = free ? Vectors{Times(static_cast<std::size_t>(map_slots_)),
                                     Times(static_cast<std::size_t>(reduce_slots_))}
                           : states_[queue_[place - 1]].vectors;
    std::vector<std::size_t> with = queue_;
    with.insert(with.begin() + static_cast<std::ptrdiff_t>(place), job);
    std::vector<Vectors> made;
    for (std::size_t i = place; i < with.size(); ++i) {
      vectors = placed(with[i], vectors, states_[with[i]].start.value_or(now_));
      if (vectors.end > jobs_[with[i]].deadline) return;
      made.push_back(vectors);
    }
    for (std::size_t i = place; i < with.size(); ++i) states_[with[i]].vectors = made[i - place];
    states_[job].accepted = true;
    queue_ = std::move(with);
    if (place < started_) ++started_;
  }

  // Running tasks end by their bounds, counted from their starts. All waiting ones are placed behind them by
  // deadline.
  void arrive_anew(std::size_t job) {
    Times maps, reduces;
    std::vector<std::size_t> with;
    for (const std::size_t each : queue_) {
      const State& its = states_[each];
      if (its.finish) continue;
      with.push_back(each);
      maps.insert(maps.end(), its.map_ends.begin(), its.map_ends.end());
      for (const std::int64_t start : its.reduce_starts)
        reduces.push_back(std::max(now_, start + jobs_[each].reduce));
    }
    maps.resize(static_cast<std::size_t>(map_slots_), now_);
    reduces.resize(static_cast<std::size_t>(reduce_slots_), now_);
    const auto place = std::find_if(with.begin(), with.end(), [&](std::size_t each) {
      return jobs_[each].deadline > jobs_[job].deadline;
    });
    with.insert(place, job);
    for (const std::size_t each : with) {
      const State& its = states_[each];
      std::int64_t end = now_;
      for (const std::int64_t map : its.map_ends) end = std::max(end, map);
      for (int k = 0; k < its.maps; ++k) end = std::max(end, take_first(maps, now_, jobs_[each].map));
      const std::int64_t maps_end = end;
      for (const std::int64_t start : its.reduce_starts) end = std::max(end, start + jobs_[each].reduce);
      for (int k = 0; k < its.reduces; ++k)
        end = std::max(end, take_first(reduces, maps_end, jobs_[each].reduce));
      if (end > jobs_[each].deadline) return;
    }
    states_[job].accepted = true;
    queue_ = std::move(with);
  }

  void start(std::size_t job) {
    if (states_[job].start) return;
    states_[job].start = now_;
    if (rules_.gives_way) return;
    const auto place = std::find(queue_.begin(), queue_.end(), job);
    if (!rules_.falls_behind) {
      started_ = std::max(started_, static_cast<std::size_t>(place - queue_.begin()) + 1);
      return;
    }
    queue_.erase(place);
    queue_.insert(queue_.begin() + static_cast<std::ptrdiff_t>(started_++), job);
  }

  void start_maps() {
    while (free_maps_ > 0) {
      const auto first = std::find_if(queue_.begin(), queue_.end(),
                                      [&](std::size_t each) { return states_[each].maps > 0; });
      if (first == queue_.end()) return;
      const std::size_t job = *first;
      --states_[job].maps;
      --free_maps_;
      states_[job].map_ends.push_back(now_ + jobs_[job].map);
      start(job);
    }
  }

  // Alg. 5.4, lines 6 to 20.
  bool start_a_reduce() {
    if (free_reduces_ == 0) return false;
    int reserved = 0;
    for (const std::size_t job : queue_) {
      if (rules_.may_take_last ? reserved > free_reduces_ : reserved >= free_reduces_) return false;
      State& its = states_[job];
      if (its.reduces == 0) continue;
      const int needed = rules_.reduces_start_early ? std::min(1, jobs_[job].maps) : jobs_[job].maps;
      if (its.maps_done < needed) {
        reserved += rules_.reserves ? its.reduces : 0;
        continue;
      }
      --its.reduces;
      --free_reduces_;
      const bool ready = its.maps_done == jobs_[job].maps;
      its.reduce_ends.push_back(ready ? now_ + jobs_[job].reduce : 0);
      its.reduce_starts.push_back(now_);
      start(job);
      return true;
    }
    return false;
  }

  std::vector<PaperJob> jobs_;
  PaperRules rules_;
  int map_slots_, reduce_slots_, free_maps_, free_reduces_;
  std::vector<State> states_;
  std::vector<std::size_t> queue_;
  std::size_t started_ = 0;  // the first of the queue, which nobody overtakes
  std::size_t arrived_ = 0;
  std::int64_t now_ = 0;
};

}  // namespace wavewright::realtime_worlds
