// The jobs that have a task of one kind ready, lowest rank first, limited only by free slots. The best job is
// outside the heap: a task costs no heap operation, a job costs two.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "wavewright/sched/policy.h"

namespace wavewright {

class RankList {
 public:
  // The best job changes only in add, remove and rank.
  static constexpr bool limited = false;

  RankList(std::size_t jobs, Kind) : ranks_(jobs) {}

  void admit(JobIndex job, GroupId, std::uint64_t sequence) { ranks_[job].sequence = sequence; }
  void add(JobIndex job) {
    ranks_[job].ready = true;
    offer(job);
  }
  void remove(JobIndex job) {  // its last task has started
    ranks_[job].ready = false;
    if (has_best_ && best_ == job) next_best();
  }
  [[nodiscard]] Key rank_of(JobIndex job) const { return ranks_[job].key; }
  void rank(JobIndex job, Key key) {
    if (ranks_[job].key == key) return;
    ranks_[job].key = key;
    if (!ranks_[job].ready) return;
    if (has_best_ && best_ == job) {
      push(job);
      next_best();
    } else {
      offer(job);
    }
  }

  [[nodiscard]] bool any() const { return has_best_; }
  [[nodiscard]] JobIndex best() const { return best_; }
  void started(JobIndex, Count = 1) {}
  void ended(JobIndex, Count = 1) {}

 private:
  struct Rank {
    Key key = 0;
    std::uint64_t sequence = 0;
    bool ready = false;
  };
  struct Entry {
    Key key;
    std::uint64_t sequence;
    JobIndex job;
    friend bool operator>(const Entry& a, const Entry& b) {
      return a.key != b.key ? a.key > b.key : a.sequence > b.sequence;
    }
  };

  [[nodiscard]] Entry entry(JobIndex job) const { return {ranks_[job].key, ranks_[job].sequence, job}; }
  void push(JobIndex job) {
    heap_.push_back(entry(job));
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  }
  void offer(JobIndex job) {
    if (!has_best_) {
      best_ = job;
      has_best_ = true;
    } else if (entry(best_) > entry(job)) {
      push(best_);
      best_ = job;
    } else {
      push(job);
    }
  }
  void next_best() {
    has_best_ = false;
    while (!heap_.empty() && !has_best_) {
      const Entry top = heap_.front();
      std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
      heap_.pop_back();
      // A new rank leaves the job's old entry in the heap; it is dropped here.
      if (ranks_[top.job].ready && ranks_[top.job].key == top.key) {
        best_ = top.job;
        has_best_ = true;
      }
    }
  }

  std::vector<Rank> ranks_;
  std::vector<Entry> heap_;
  JobIndex best_ = 0;
  bool has_best_ = false;
};

}  // namespace wavewright
