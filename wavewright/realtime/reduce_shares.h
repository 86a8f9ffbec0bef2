// Which reduces may start: a reduce starts only while more slots are free than the jobs before it, whose maps
// have not ended, have reduces [UNL Alg. 5.4, for all free slots at once]. A job's cap is what it holds and
// may start.
//
// Example: three slots are free; A waits for its maps and has two reduces, B behind it may start five. B gets
// one slot.
#pragma once

#include <span>
#include <vector>

#include "wavewright/realtime/admission.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

class ReduceShares {
 public:
  // ---- what happens; share() is due after each
  void accepted(JobIndex job, const View& view, Decisions& decisions);
  void ready(JobIndex job);  // its reduces may start
  void ended(JobIndex job);  // one of its reduces
  void lost(JobIndex job, const View& view);
  void over(JobIndex job);
  void order_changed() { order_changed_ = true; }  // of the queue
  // A reduce has started. share() is not due, for the job starts one fewer from now on.
  void started(const Event& event, const View& view);

  // True if a second attempt has started: it holds a slot, but leaves the job as many reduces to start.
  [[nodiscard]] bool second_started() const { return second_started_; }

  // Sets the caps. `slots`: for reduces, of nodes where they may start. `limited`: jobs have limits in the
  // queue. O(jobs for which something has changed) while
  // all can start what they have, else O(jobs until no slot is left).
  void share(const AdmissionController& queue, Count slots, bool limited, const View& view,
             Decisions& decisions);

 private:
  struct Job {
    bool known = false, ready = false;
    Count pending = 0;
    Count cap = 0;
    std::uint64_t given_in = 0;  // the number of the last sharing that let it start some
  };
  [[nodiscard]] Job* find(JobIndex job) {
    return job < jobs_.size() && jobs_[job].known ? &jobs_[job] : nullptr;
  }
  void count_pending(JobIndex job, Job& its, const View& view);
  void list_in_order(const AdmissionController& queue);
  void let_all_start(const View& view, Decisions& decisions);
  void share_few(Count free, std::span<const JobIndex> jobs, std::span<const SlotPool> limits,
                 const View& view, Decisions& decisions);
  void set_cap(JobIndex job, Count cap, Decisions& decisions);

  std::vector<Job> jobs_;           // by number
  Count demand_ = 0;                // reduces that have not started, of all
  std::vector<JobIndex> in_order_;  // jobs with such reduces, and some without
  bool order_changed_ = false;
  bool second_started_ = false;
  bool all_start_ = true;            // all that are ready could start all of theirs when last shared
  std::vector<JobIndex> changed_;    // jobs since then
  std::vector<JobIndex> may_start_;  // unless all could: whose caps were above what they held
  std::uint64_t sharings_ = 0;
};

}  // namespace wavewright
