// Admission of jobs with deadlines [UNL §5.2]: a job is accepted if it and all jobs accepted before surely
// end in time.
//
// The queue: jobs by deadline, but none is put before one that has started (QueueOrder has others). Free
// slots go to its first job with a task (rtmr.h tells which reduces must wait). Each job has two vectors:
// when slots become available once it and all jobs before it are placed.
//
// The promise [UNL proofs 1–4]: if no task takes longer than its bound and no reduce starts before its job's
// last map has ended, an accepted job ends at its estimate at the latest. By induction over the tasks in the
// order of their starts: once a job's task k is the first of the queue and the slot is there that is
// available first, it starts, and a vector stays above another if its first entry is replaced by one that is
// not below that which replaces any entry of the other.
//
// The order of the queue is free in this proof. So a job that has started may give way, if all that runs and
// waits is placed anew before each admission: from then on the proof begins with the slots as they are.
//
// With heartbeats, what is placed anew may end later by estimate than it was promised, for its tasks seem to
// wait for reports once more. It must still not be overtaken if it could be late then (is_promised).
//
// Expected jobs come later: instances of a series that is promised as a whole. Such a job has a place in the
// queue before it has come. Then each slot may run a task of a job behind it, at most the longest of those:
// b. Later instances of its own series are none of them, as they come after it. So its tasks are placed not
// before its release + b, for maps and for reduces. The proof holds: the tasks of jobs ahead of it count as
// before, no task behind it starts once it has come, and one that has started ends by then.
//
// With heartbeats every H, a free slot waits until its node reports. Let a node have s slots of a kind and
// start c of them a heartbeat, and r = ⌈s / c⌉. The slots of a node are alike, so let each start take the one
// that has been free longest. While a task waits that may start, each heartbeat of a node starts c tasks or
// fills all its slots. So a slot that is free at a heartbeat is taken within r heartbeats, this one counted.
//
// Let a task be placed at t. At most slots − 1 tasks ahead of it have not ended by t, as they end by their
// vectors. So more slots are free at t than tasks ahead of it wait, for those behind leave them that many.
// Each of these slots is taken within r heartbeats, by these tasks or by this one. So it has started then.
// - Maps wait for nothing else. Each such slot had the first of these heartbeats by t: when its end was told,
//   or within H after the job came. So a map starts by t + (r − 1) · H, with H counted once for the first
//   maps of its job (`first`). Its end is told within H: `map` is r · H.
// - Reduces may become ready just before t, and take the slot that was free longest. The others' nodes report
//   within H more. So a reduce starts by t + r · H. Its end is told within H: `reduce` is (r + 1) · H.
// This holds for tasks of any length: one that is over sooner leaves its slot sooner.
//
// A setup delays a job's first tasks. The proof needs then that nothing behind it takes its slots from its
// arrival on, as where targets keep them (live/promise/promised_targets.h), or that it arrives once the setup
// is over, as in the simulator.
//
// With a limit of k slots a job's tasks are placed on the k slots that are available first, and the others
// stay as they are. Nothing behind it takes a slot while it holds fewer and has tasks; then each slot that it
// leaves is its own again, unless one ahead of it takes that, which was placed before. This needs that the
// jobs behind it have not started when one is put before them, and so order `started` with vectors that are
// not placed anew: replan() lifts all limits. It also needs that each heartbeat fills all free slots of a
// node (r = 1): where a node starts fewer, the job takes starts on its slot as often as its tasks end, and
// the node's other slots may never have their turn.
//
// Readings where the paper is silent or errs: jobs without maps keep their place when one behind them starts
// its maps (put behind it, they would be late); the job before the first one in the queue is the last that
// was started, even if it has ended; a started job's tasks are placed not before its start, a waiting job's
// not before now; without reduces a job ends with its maps; a refusal changes nothing.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "wavewright/cluster/assignment_delays.h"
#include "wavewright/realtime/slot_times.h"
#include "wavewright/sched/event.h"
#include "wavewright/sched/resources.h"

namespace wavewright {

struct RealtimeJob {
  JobIndex job = 0;
  Time deadline = Time::max();  // max: none
  Count maps = 0, reduces = 0;
  Duration map{}, reduce{};  // bounds: no task takes longer
  Time release{};            // of an expected job: when it comes
  // Likewise: it comes after those of its series that are expected before; 0: it may come at any time.
  std::uint32_t series = 0;
  // So many maps, the first that start, take `near_map` at most: their blocks are near.
  Count near_maps = 0;
  Duration near_map{};
};

enum class Feedback {
  none,   // estimates stay those of admission
  jobs,   // when a job ends, its actual ends replace the estimates [UNL Algs 5.5, 5.6]
  tasks,  // before each admission, all tasks that have not ended are placed anew (replan)
};

enum class QueueOrder {
  started,   // by deadline, none before one that has started [UNL §5.2.1]
  deadline,  // by deadline: a job that has started leaves the next slots to one that is due before it
  any,       // a new job by deadline; if a job is late then, at the first place where none is
};

// The rest of a job that has started.
struct TasksLeft {
  Count maps = 0, reduces = 0;                          // not running
  std::span<const Time> running_maps, running_reduces;  // their starts, in any order
  std::optional<Time> ready{};                          // since when its reduces may start
  Count near_maps = 0;                                  // of those not running
  std::span<const Time> running_near{};                 // beside running_maps: that are near
};

struct AdmissionAnswer {
  bool accepted = false;
  Time end{};  // the job surely ends by then, at its place in the queue; max: no slot can hold its tasks
  // If it was refused: the first accepted job that would be late; none if it is the job itself.
  std::optional<JobIndex> late{};
  std::optional<Time> earliest_deadline{};  // if it was refused: accepted with this one; none = with none
};

// Not for concurrent use.
class AdmissionController {
 public:
  struct Options {
    Feedback feedback = Feedback::jobs;
    Duration threshold{};  // ends that differ by less are not fed back [UNL ΔT]
    AssignmentDelays delays{};
    QueueOrder order = QueueOrder::started;  // the others need replan() before each admit()
    bool fewest_slots = false;  // a job gets no more slots than it needs; in order `started` without `tasks`
    // After a node was lost, or where readings differ in age, more tasks may run than there are slots. Then
    // the last to end hold the slots; without this flag the first.
    bool last_to_end = false;
    // Ends of jobs are fed back when an answer needs it (admission_deferred.cpp): the same answers, sooner.
    // But where a job is accepted, its `end` is not told. Only for order `started` with `jobs`, without
    // threshold. With `tasks`, estimates are made when an answer needs them, and most are given behind
    // vectors of fewer steps (admission_coarse.cpp): the same answers, sooner, but an accepted job may be
    // told a later `end`.
    bool defers = false;
    std::size_t exact_steps = 256;  // vectors with more steps get about a quarter of these first
    bool tells_deadline = true;     // a refusal tells the earliest deadline
  };
  AdmissionController(SlotPool slots, Options options);

  // Accepts the job or changes nothing [UNL Alg. 5.1]. O(accepted jobs · steps); a refusal also looks for the
  // earliest deadline, and order `any` for a place, at most O(accepted jobs² · steps).
  AdmissionAnswer admit(const RealtimeJob& job, Time now);
  // Accepts jobs that are expected at their releases, all or none, which changes nothing. Their numbers are
  // of no other job. Not in order `started`. O((accepted jobs + jobs) · steps).
  AdmissionAnswer admit_expected(std::span<const RealtimeJob> jobs, Time now);
  // The expected job has come, at its release or before, and is this one. It asks for no more than that.
  void came(JobIndex expected, const RealtimeJob& job, Time now);
  // Accepts the job whatever becomes late. With `start`, it has started: it goes behind the started jobs with
  // the same or an earlier deadline, for the order of their starts is not known any more after a restart.
  void take(const RealtimeJob& job, Time now, std::optional<Time> start = {});
  struct Taken {
    RealtimeJob job;
    Time arrived{};
    std::optional<Time> start{};
  };
  // Takes each, in that order, into an empty queue of order `deadline`; estimates come with the next
  // replan(). O(jobs · log jobs).
  void take_all(std::span<const Taken> jobs);
  // The job's first task started: in order `started` no other job overtakes it any more, nor those before it.
  // Returns those for which that is new, in order.
  std::vector<JobIndex> started(JobIndex job, Time now);
  // The job is over. The ends of its tasks, in any order; a job that failed has fewer.
  void finished(JobIndex job, std::span<const Time> maps, std::span<const Time> reduces, Time now);
  // From now on there are `slots`; all tasks that have not ended are placed anew. `left(job)` is asked for
  // each job that has started and is not over. O(running tasks · log running tasks + accepted jobs · steps).
  void replan(SlotPool slots, const std::function<TasksLeft(JobIndex)>& left, Time now);

  // ---- what if (admission_trial.cpp): nothing changes. In order `deadline`, with no job expected or over
  struct Trial {
    Time end{};
    std::optional<std::size_t> objects{};  // the first place whose job objects
  };
  // Does the job at that place of queue() object to that end?
  using Objects = std::function<bool(std::size_t place, Time end)>;
  // A job before that of a place, without those at the places `without`, which are sorted. Nobody is asked if
  // it ends behind its deadline. O(steps) for each job from the first of these places to the one that
  // objects.
  [[nodiscard]] Trial try_at(std::size_t place, const Taken& asked, std::span<const std::size_t> without,
                             const Objects& objects, Time now) const;
  // The earliest deadline by which the job ends, at its place by deadline, so that nobody objects. None if
  // there is none up to its own. O(jobs · steps), and as much for each place where somebody objects.
  [[nodiscard]] std::optional<Time> earliest_deadline(const Taken& asked, const Objects& objects,
                                                      Time now) const;

  // A copy as if these jobs had never held a slot. It needs a replan() before anything else, and its refusals
  // tell no deadline. O(jobs · log jobs).
  [[nodiscard]] AdmissionController without(std::span<const JobIndex> gone) const;

  // Feeds back what waits. Before estimates are asked for, if it defers them.
  void catch_up();

  // From now on it is not sure of any map that its block will be near. Before a replan().
  void forget_near();

  // Jobs that are not over, in their order.
  [[nodiscard]] std::vector<JobIndex> queue() const;
  [[nodiscard]] SlotPool tasks_of_queue() const;        // as many as they had when they came
  [[nodiscard]] std::vector<Time> estimates() const;    // of these, O(jobs)
  [[nodiscard]] std::vector<JobIndex> at_risk() const;  // may be late, by their vectors
  [[nodiscard]] Time estimate(JobIndex job) const;      // its end, by the vectors
  // For each job of queue(): so many slots it may hold at once.
  [[nodiscard]] std::vector<SlotPool> limits() const;
  [[nodiscard]] SlotTimes maps(JobIndex job) const;     // T^m
  [[nodiscard]] SlotTimes reduces(JobIndex job) const;  // T^r
  [[nodiscard]] std::size_t steps() const;              // of the vectors that are kept: what memory goes with

 private:
  static constexpr SlotPool no_limit{unlimited, unlimited};
  struct Vectors {
    SlotTimes maps, reduces;
  };
  struct Entry {
    RealtimeJob job;
    Time arrived{};
    std::optional<Time> start;
    Count maps_left = 0, reduces_left = 0;       // to place behind the vectors before
    Count near_left = 0;                         // of the maps
    SlotPool limit = no_limit;                   // of what it holds at once
    std::int64_t maps_end = 0, reduces_end = 0;  // bounds of the ends of those that run, ms
    Duration blocks_maps{}, blocks_reduces{};    // if it is expected: for how long jobs behind it may
    bool ended = false, fed_back = false;
    bool is_placed = true;  // its end is known
    // Estimates.
    Time from{};                 // no task is placed before
    bool is_from_final = false;  // it has started, and been placed since
    Time bound_from{};           // as `from` in the bound
    Time end{};
    Time promised{};              // `end` when it was accepted
    Duration within{};            // if it waits: behind the bound it ends so long after now (within_holds_)
    std::optional<Vectors> kept;  // T^m and T^r of some jobs; those between are made again from them
    std::vector<std::int64_t> map_ends, reduce_ends;  // sorted, once fed back
    // These in steps of the bound, once it needs them.
    std::vector<SlotTimes::Step> bound_maps, bound_reduces;
  };
  // The entry as it would become.
  struct Tried {
    Time end{};
    SlotPool limit = no_limit;
    std::optional<Vectors> kept;
  };

  static constexpr std::int64_t latest = std::int64_t{1} << 60;  // ms: no estimate is behind it
  [[nodiscard]] static Time time_of(std::int64_t ms) { return at_ms(std::min(ms, latest)); }

  // How long a slot is taken by a task, at most.
  [[nodiscard]] Duration map_of(const RealtimeJob& job) const {
    return job.map + options_.delays.launch + options_.delays.map;
  }
  [[nodiscard]] Duration near_map_of(const RealtimeJob& job) const {
    return job.near_map + options_.delays.launch + options_.delays.map;
  }
  [[nodiscard]] Duration reduce_of(const RealtimeJob& job) const {
    return job.reduce + options_.delays.launch + options_.delays.reduce;
  }
  // From when on its delays count: from its arrival, or the one that is expected, so that they are over some
  // day. But no task is placed before now or, if the job has started, before its start.
  [[nodiscard]] Time begins(const Entry& entry, Time now) const {
    return std::max(entry.arrived, entry.start.value_or(now) - options_.delays.setup - options_.delays.first);
  }
  // True if its deadline must be kept. Of a job that is placed anew, the estimate may be later than at first
  // by what its tasks wait for reports at most: each task that runs, and each slot that is free, may have
  // waited before. What is late by more is late for other reasons, and holds up no other job.
  [[nodiscard]] bool is_promised(const Entry& entry) const { return is_promised(entry.job, entry.end); }
  [[nodiscard]] bool is_promised(const RealtimeJob& job, Time end) const {
    const AssignmentDelays& delays = options_.delays;
    return end - delays.first - std::max(delays.map, delays.reduce) <= job.deadline;
  }
  // ---- vectors (admission_vectors.cpp)
  static constexpr std::size_t most_between = 16,
                               most_between_far = 256;  // jobs between two that keep theirs
  // Vectors of the job before the place. O(steps + what some jobs change).
  [[nodiscard]] Vectors before(std::size_t place) const;
  void set_before(std::size_t place, Vectors& vectors) const;
  // Places the jobs from that place on, and before `to`, that have been fed back, if they are two or more.
  // Returns the place behind them.
  std::size_t place_fed_back(std::size_t place, std::size_t to, Vectors& vectors) const;
  // Places the job's tasks, none before `from`; its end.
  Time place(const Entry& entry, Time from, Vectors& vectors) const {
    return entry.limit == no_limit ? place_on(entry, from, vectors)
                                   : place_within(entry.limit, entry, from, vectors);
  }
  Time place_within(SlotPool limit, const Entry& entry, Time from, Vectors& vectors) const;
  Time place_on(const Entry& entry, Time from, Vectors& vectors) const;  // on all slots of the vectors
  template <class Slots>
  Time place_tasks(const Entry& entry, Time from, Slots& vectors) const;  // the same, if it is not fed back
  // The end that place() would return. None if it cannot be found without changing the vectors.
  struct Ends;
  [[nodiscard]] std::optional<Time> end_behind(const Entry& entry, Time from, const Vectors& vectors) const;
  // Vectors of the job before the place, if they are kept; until estimates are made anew.
  [[nodiscard]] const Vectors* kept_before(std::size_t place) const;
  // ---- limits (admission_limits.cpp)
  // The fewest slots with which it ends in time behind these vectors; no_limit if it does not.
  [[nodiscard]] SlotPool fewest_slots(const Entry& entry, Time from, const Vectors& vectors) const;
  // Its limit, or if it is late with that, the fewest slots.
  [[nodiscard]] SlotPool limit_behind(const Entry& entry, Time from, const Vectors& vectors) const;
  void estimate_from(std::size_t place, Time now);
  void evaluate_from(std::size_t place) { evaluate(place, queue_.size()); }
  void evaluate(std::size_t place, std::size_t to);  // those from the place on, before `to`
  // Makes the estimates that are not made: those before the place, or all.
  void estimate_until(std::size_t place);
  void estimate_rest();
  void set_from(std::size_t place, Time now);
  void keep_some(std::size_t place, const Vectors& vectors, std::size_t& since_kept);
  [[nodiscard]] std::size_t place_for(Time deadline, bool has_started = false) const;
  // The answer at that place, behind `vectors`, which become those of the job itself.
  [[nodiscard]] AdmissionAnswer answer_at(std::size_t place, Entry& entry, Vectors& vectors, Time now);
  // The first place where the job and all others are in time, with the job's vectors there.
  [[nodiscard]] std::optional<std::size_t> any_place(Entry& entry, Vectors& vectors, Time now);
  // The first job from the place on that would be late behind these vectors, though it is not now; none if
  // all are in time. Leaves what they would become in tried_.
  [[nodiscard]] std::optional<JobIndex> delays(Vectors vectors, std::size_t place, Time now);
  // True if, by bounds alone, delays() would find none: if it is placed behind `vectors`, and the estimates
  // are made behind `ahead`. O(steps + jobs behind).
  [[nodiscard]] bool surely_delays_none(const Vectors& vectors, const Vectors& ahead, std::size_t place,
                                        Time now) const;
  // By how much slots are available later than in `ahead`, at most.
  [[nodiscard]] static Duration most_later(const Vectors& vectors, const Vectors& ahead) {
    return ms(std::max(vectors.maps.most_behind(ahead.maps), vectors.reduces.most_behind(ahead.reduces)));
  }
  // ---- where jobs are expected (admission_expected.cpp): everything is placed anew each time
  [[nodiscard]] bool expects(Time now) const;
  void set_blocks(Time now);
  // The ends of all jobs in the queue; the first that is late, though it was not or is new.
  [[nodiscard]] std::optional<JobIndex> late(Time now, std::vector<Time>& ends) const;
  void settle(const std::vector<Time>& ends, Time now);
  struct Placed {
    Time end{};
    std::optional<JobIndex> late{};
  };
  // With the job at that place, which it leaves again unless `stays` and none is late.
  Placed placed_at(std::size_t place, std::unique_ptr<Entry>& entry, Time now, bool stays);
  AdmissionAnswer admit_beside_expected(std::unique_ptr<Entry> entry, Time now);
  [[nodiscard]] std::optional<Time> earliest_beside_expected(std::unique_ptr<Entry>& entry, Time now);

  // ---- feedback that waits (admission_deferred.cpp)
  void need_caught_up() const;
  void defer_from(std::size_t place);
  void close(Entry& entry);
  bool catch_up_started();  // only the jobs that have started; true if the bound was made anew
  void renew_bound();
  void fix_in_bound(std::size_t place, Time now);
  void raise_bound(Time now);
  [[nodiscard]] bool is_within_bound(const Entry& entry) const;
  // `places_all`: those behind the job are placed if bounds of their ends do not answer.
  [[nodiscard]] bool admit_within_bound(std::unique_ptr<Entry>& entry, std::size_t place, Time now,
                                        bool places_all);
  [[nodiscard]] bool end_in_time_behind(Vectors& vectors, std::size_t place, Time now);
  [[nodiscard]] bool surely_end_in_time(std::size_t place, Duration later, Time now) const;
  void lengthen_within(std::size_t place, Duration later);  // of the jobs from the place on

  // ---- fewer steps (admission_coarse.cpp)
  // True if it surely ends in time at that place, and all others do.
  [[nodiscard]] bool admit_coarsely(std::unique_ptr<Entry>& entry, std::size_t place, Time now);
  void make_coarse();
  // As before(), or later; none where estimates are made or steps are few.
  [[nodiscard]] std::optional<Vectors> coarse_before(std::size_t place) const;
  // True if delays() would find none: if the job is placed behind `ahead`.
  [[nodiscard]] bool surely_delays_none_coarsely(const Entry& entry, Vectors ahead, std::size_t place,
                                                 Time now);
  void bound_ends(Time now);  // of the jobs in the queue, where their estimates are not made
  // Without estimates: true if is_promised() surely holds, and if the jobs from the place on surely end in
  // time, also later by so much.
  [[nodiscard]] bool is_surely_promised(std::size_t place) const;
  [[nodiscard]] bool surely_end_in_time_coarsely(std::size_t place, Duration later) const {
    return place < least_room_.size() && later <= least_room_[place];
  }

  void put(std::size_t place, std::unique_ptr<Entry> entry);
  std::unique_ptr<Entry> take_out(std::size_t place);
  void number_all();
  void insert(std::unique_ptr<Entry> entry, std::size_t place, const Vectors& vectors, Time now);
  [[nodiscard]] std::optional<Time> earliest_deadline(const Entry& entry, Time now);
  [[nodiscard]] static Entry entry_of(const Taken& taken);
  [[nodiscard]] std::optional<std::size_t> objecting(Vectors& vectors, std::size_t place,
                                                     std::span<const std::size_t> without,
                                                     const Objects& objects) const;
  [[nodiscard]] std::size_t place_of(JobIndex job) const;
  void drop_ended();

  Options options_;
  Vectors first_;                              // before the queue's first job
  std::vector<std::unique_ptr<Entry>> queue_;  // none is put before the first started_
  std::vector<JobIndex> numbers_;              // of its jobs
  std::size_t started_ = 0;
  std::vector<Tried> tried_;
  std::size_t open_ = 0;  // entries whose `from` is not final
  static constexpr std::size_t none = ~std::size_t{0};
  static constexpr std::size_t most_deferred = 1024;  // more jobs than last time, and as many again
  std::size_t dirty_ = none;                          // the first place whose estimate is not made
  std::size_t caught_up_ = 0;                         // jobs in the queue when those of the started were
  bool bound_holds_ = false;
  bool within_holds_ = false;  // Entry::within tells of the bound as it is
  Vectors bound_, beyond_bound_, ahead_, evaluated_;
  bool leaves_estimates_ = false;        // of `tasks`, until an answer needs them
  std::optional<Vectors> coarse_first_;  // as first_, or later, with fewer steps; none if it has few
  // During an answer, by place and where it needs them: bounds of the jobs' ends; and by how much all jobs
  // from there on may end later, at most.
  std::vector<Time> end_bounds_;
  std::vector<Duration> least_room_;
};

}  // namespace wavewright
