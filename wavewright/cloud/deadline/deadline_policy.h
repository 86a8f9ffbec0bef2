// The frame of the deadline policies: slots for each job, admission, order, and machines for the slots
// [CLOUD §4.2, fig. 4.1]. Each policy adds when its jobs begin and which goes first.
//
// Readings where the paper is silent, for all of them:
//  - slots are estimated once, when the job begins; with rented machines the time to boot is taken from the
//    time left, unless `count_boot` is false;
//  - the reduces' slots are needed once the reduces may start (`[mode] slowstart`); the paper says "wait for
//    one of the map tasks to finish";
//  - a job that cannot be in time, even alone with all slots, gets all it can use, or is rejected;
//  - a job without a deadline goes last and needs one slot of each kind;
//  - a lost machine's slots are needed again: machines are rented anew;
//  - with containers, machines are rented for the memory (and cores, if they limit) of the tasks that slots
//    stand for, and of one application master for each job.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "wavewright/cloud/deadline/machines.h"
#include "wavewright/cloud/deadline/needed_slots.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

struct DeadlineOptions {
  SlotEstimator slots;
  bool admission = false;  // reject jobs that cannot be in time
  bool count_boot = true;
  MachineOptions machines;
};

class DeadlinePolicy : public Allocator {
 public:
  DeadlinePolicy(std::string name, const DeadlineOptions& options)
      : name_(std::move(name)), options_(options), machines_(options.machines) {}

  [[nodiscard]] std::string name() const final { return name_; }
  [[nodiscard]] Features needs() const override;
  [[nodiscard]] EventSet subscribes() const override;
  void begin(const View& view, Decisions& decisions) override;
  // O(jobs under way) when a job arrives, becomes ready or ends and when nodes change, if machines are
  // rented; else what the policy's own parts take.
  void on(const Event& event, const View& view, Decisions& decisions) final;

 protected:
  struct Begun {
    NeededSlots needed;
    Count maps = 0, reduces = 0;  // slots that machines are rented for
    bool reduces_ready = false;
  };

  // ---- parts of a policy
  virtual void arrived(const Event& event, const View& view, Decisions& decisions) {
    begin_job(event.job, event.at, view, decisions);
  }
  virtual void placed(JobIndex, Begun&, const View&, Decisions&) {}  // a job begins; reduces may be ready
  virtual void reduces_placed(JobIndex, Begun&, const View&, Decisions&) {}  // its reduces may start
  virtual void changed(const Event&, const View&, Decisions&) {}         // any other event, own timers too
  [[nodiscard]] virtual Key rank(JobIndex job, const View& view) const;  // the deadline
  [[nodiscard]] virtual GroupId group_of(JobIndex, const View&) const { return root_group; }
  // The slots that machines must cover. `gives_back`: a machine is idle, and goes back if the rest covers
  // them.
  [[nodiscard]] virtual Resources need(const View& view, bool gives_back) const;

  // Admits the job with its rank, or rejects it. `from`: when it begins, by which its slots are counted;
  // after a restart this is past.
  void begin_job(JobIndex job, Time from, const View& view, Decisions& decisions);
  // From now on the job's slots are needed as the estimator counted them, whatever was placed.
  void count_in_full(JobIndex job);
  // Slots of the kind that are present; with containers, those of the job's size.
  [[nodiscard]] Count slots_there(JobIndex job, Kind kind, const View& view) const;
  void rank_again(JobIndex job, const View& view, Decisions& decisions) const;
  [[nodiscard]] const std::map<JobIndex, Begun>& under_way() const { return begun_; }
  [[nodiscard]] const Machines& machines() const { return machines_; }
  [[nodiscard]] const DeadlineOptions& options() const { return options_; }
  [[nodiscard]] Duration boot() const;  // that counts
  [[nodiscard]] Resources slots_of(Count machines) const {
    return {machines * machines_.machine().map_slots, machines * machines_.machine().reduce_slots};
  }

 private:
  [[nodiscard]] NeededSlots needed(JobIndex job, Duration left, const View& view) const;
  void reject(JobIndex job, Time earliest, const View& view, Decisions& decisions) const;
  [[nodiscard]] Resources memory_need(const View& view) const;

  std::string name_;
  DeadlineOptions options_;
  Machines machines_;
  std::map<JobIndex, Begun> begun_;  // admitted, not over
  bool more_needed_ = false;         // since machines were last asked for
  bool admitting_ = false;           // the cluster tells what the admission of a job brings about
};

}  // namespace wavewright
