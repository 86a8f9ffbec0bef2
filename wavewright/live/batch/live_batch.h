// A batch on a live cluster: its jobs, how far each is, and the log of what happened.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wavewright/core/time.h"
#include "wavewright/dispatch/ordering_engine.h"

namespace wavewright {

// Instants of a live batch count from 1970, by the clock of the machine that runs it.

enum class LiveState : std::uint8_t {
  waiting,     // in the queue
  held,        // likewise, until it is released
  submitting,  // its command was to be started: it may have reached the cluster or not
  accepted,    // the cluster has an application of it
  running,     // one of its applications runs
  done,
  failed,     // it ended on the cluster, or its command ended without an application
  cancelled,  // by the user, or because a job before it was not done
  unknown     // it may have run, and neither its command nor the cluster can tell
};

// `waiting`, `submitting`, …; the second throws InputError with `source` for another text.
[[nodiscard]] std::string_view to_string(LiveState state);
[[nodiscard]] LiveState parse_live_state(std::string_view text, const std::string& source);

[[nodiscard]] constexpr bool has_ended(LiveState state) {
  return state >= LiveState::done;
}
[[nodiscard]] constexpr bool has_begun(LiveState state) {
  return state >= LiveState::submitting && state <= LiveState::running;
}

// Shows later whether the cluster's list of applications can lack one (live/batch/cluster_driver.h).
struct ListMark {
  std::int64_t incarnation = 0;  // changes when the cluster restarts and forgets its applications
  std::int64_t ended = 0;        // applications that have ended in it
  std::int64_t kept = std::numeric_limits<std::int64_t>::max();  // so many of the last of them are listed
  std::int64_t began = 0;   // when the ResourceManager did that counts them; the next one counts anew
  std::int64_t listed = 0;  // of those that have ended; fewer than `kept` = none was ever dropped

  // Is the other one of the same ResourceManager, which has run all the time between?
  [[nodiscard]] bool same_run_as(const ListMark& other) const {
    return incarnation == other.incarnation && began == other.began;
  }
  friend bool operator==(const ListMark&, const ListMark&) = default;
};

// How the plug-in of the ResourceManager treats a job (live/yarn/targets.h).
struct LiveTarget {
  std::int64_t map_rank = 0, reduce_rank = 0;                        // the lowest is first
  std::optional<Count> maps = std::nullopt, reduces = std::nullopt;  // containers at once; absent = no limit

  friend bool operator==(const LiveTarget&, const LiveTarget&) = default;
};

// How many tasks a job has, and that none takes longer, so far as its profile or its list of tasks tells.
struct TaskBounds {
  Count maps = 0, reduces = 0;
  Duration map{}, reduce{};

  friend bool operator==(const TaskBounds&, const TaskBounds&) = default;
};

// The deadline was promised when the job was added (live/promise/promises.h).
struct DeadlinePromise {
  Time tasks_from{};            // by then its application master asks for tasks
  Time end{};                   // by then it surely ends, as it was seen then
  std::string confidence = {};  // of the bounds: `max`, `p90`
  bool at_risk = false;         // as things stand now it may not be kept

  friend bool operator==(const DeadlinePromise&, const DeadlinePromise&) = default;
};

// Words of a command, which copies share. They never change: a queue of thousands of jobs is held several
// times.
class SharedWords {
 public:
  SharedWords() = default;
  SharedWords(std::vector<std::string> words)  // NOLINT(google-explicit-constructor): these words, shared
      : words_(std::make_shared<const std::vector<std::string>>(std::move(words))) {}
  SharedWords(std::initializer_list<std::string> words) : SharedWords(std::vector<std::string>(words)) {}

  [[nodiscard]] const std::vector<std::string>& words() const {
    static const std::vector<std::string> none;
    return words_ ? *words_ : none;
  }
  friend bool operator==(const SharedWords& a, const SharedWords& b) {
    return a.words_ == b.words_ || a.words() == b.words();
  }

 private:
  std::shared_ptr<const std::vector<std::string>> words_;
};

struct LiveJob {
  std::string id;  // unique in the batch
  std::string name = {};
  std::string profile = {};             // stored job whose profile it has; empty = none
  std::string queue = {};               // of the cluster; empty = its default
  std::vector<std::string> after = {};  // ids of jobs that must be done first
  Time not_before{};
  SharedWords command = {};        // as it is submitted; no shell reads it
  std::string directory = {};      // that it works in; empty = the batch's
  std::string account = {};        // that it runs under; empty = that of whoever starts it
  std::string seal = {};           // by which that is believed (live/submission/start_rules.h)
  std::string tag = {};            // by which the cluster finds its applications; unique for ever
  bool many_applications = false;  // one command may start several, one after another, or has done so
  // By which the dispatching queue orders it, as `waiting_job` gives them (dispatch/waiting_job.h).
  StageWork maps = {}, reduces = {};
  std::optional<Time> deadline = std::nullopt;
  double weight = 1;
  JobMemory memory = {};  // of its containers, for forecasts; absent = as the cluster gives
  std::optional<LiveTarget> target = std::nullopt;
  // Lengths of its tasks beside those of its profile: measured, of a job that has drifted; taken over, of one
  // that waits with the same profile.
  std::optional<double> map_drift = std::nullopt, reduce_drift = std::nullopt;
  // The promise: the expectation when the batch began, or when the job was added.
  std::optional<Time> expected_start = std::nullopt;
  std::optional<Time> expected_end = std::nullopt;
  std::optional<TaskBounds> bounds = std::nullopt;        // absent = not known
  std::optional<DeadlinePromise> promise = std::nullopt;  // absent = none

  LiveState state = LiveState::waiting;
  int attempts = 0;           // commands begun; the latest has this number
  int lost_attempts = 0;      // of them: started, and ended before the cluster had them
  std::string machine = {};   // on which the latest was begun
  bool cluster_away = false;  // the cluster gave no answer during the latest, or has restarted since
  bool cancel = false;        // its user wants it cancelled
  bool late = false;          // the log tells that its deadline has passed
  bool unread = false;        // the log tells that the history does not tell of it
  bool unkilled = false;      // the log tells that it could not be killed
  ListMark mark = {};         // of the cluster's list when the latest began
  std::optional<Time> submitting_since = std::nullopt;
  std::optional<Time> accepted_at = std::nullopt;  // by the cluster's clock, as the next two
  std::optional<Time> started_at = std::nullopt;
  std::optional<Time> ended_at = std::nullopt;
  std::vector<std::string> applications = {};  // ids, as they were seen
  std::string placed_queue = {};               // that the cluster put the latest in; empty = not told
  std::string master_node = {};                // of the latest's master, as Application::master_node
  std::string reason = {};                     // of its state, for people

  friend bool operator==(const LiveJob&, const LiveJob&) = default;
};

// That the cluster put it in; before that the one that it asks for. Empty: the cluster's default.
[[nodiscard]] inline const std::string& queue_of(const LiveJob& job) {
  return job.placed_queue.empty() ? job.queue : job.placed_queue;
}

struct LiveEvent {
  Time at{};
  std::string job = {};   // id; empty = of the whole batch
  std::string what = {};  // such as `Accepted`; docs/use/run.md lists them
  std::string detail = {};

  friend bool operator==(const LiveEvent&, const LiveEvent&) = default;
};

// The dispatching queue of a batch [ORDER §4.1]: jobs that may begin wait in it for a round, and are
// submitted in the order of their round.
//
// With `when_drifted` there is no queue: the jobs keep the order of their plan. When one drifts, those
// without tasks are ordered anew.
inline constexpr std::string_view when_drifted = "drift";

struct LiveOrdering {
  std::string when;  // a reorder policy, such as `tp-ati(10s)` (dispatch/reorder_policy.h), or `when_drifted`
  Objective objective = Objective::total_completion;  // one of `queue_objectives`
  OrderingMode mode = OrderingMode::sim;
  std::size_t search_up_to = 7;  // jobs that `sim` and `exhaustive` take for a few
  SlotPool pool = {};
  std::optional<PlannedBy> planned = std::nullopt;  // a planner orders them, instead of `mode`

  friend bool operator==(const LiveOrdering&, const LiveOrdering&) = default;
};

[[nodiscard]] OrderingEngine engine_of(const LiveOrdering& ordering);

// Where the dispatching queue stands. Whoever takes the batch up goes on with it.
struct LiveRound {
  Time began{};                                 // the last round; before the first one, the queue
  std::optional<Duration> work = std::nullopt;  // of the last round (dispatch/reorder_policy.h)
  std::optional<Time> due = std::nullopt;       // the next round; absent = no job waits for one
  std::vector<std::string> order = {};          // ids of the jobs that rounds gave, first submitted first;
                                                // those that have begun or ended since may be in it, too
  friend bool operator==(const LiveRound&, const LiveRound&) = default;
};

// The job as a dispatching queue has it, by a clock that shows `now` when the wall's shows `wall`.
[[nodiscard]] WaitingJob waiting_job(const LiveJob& job, Time wall, Time now);

struct LiveBatch {
  std::string name;  // unique in a store
  std::string tag;   // of all its applications
  Time began{};
  std::string submissions;  // the folder of the commands' locks and logs
  std::string directory;    // that the commands work in
  bool endless = false;     // a daemon's queue: more jobs may come when all have ended
  std::optional<LiveOrdering> ordering = std::nullopt;  // absent: jobs are submitted in the order of `jobs`

  [[nodiscard]] bool has_queue() const { return ordering && ordering->when != when_drifted; }

  std::vector<LiveJob> jobs = {};
  std::optional<LiveRound> round = std::nullopt;  // absent: nobody has led the queue yet, or there is none
  // Jobs that were ever added; those that `jobs` lacks are in the archive (live/batch/batch_archive.h). 0:
  // all are there.
  std::int64_t added = 0;

  friend bool operator==(const LiveBatch&, const LiveBatch&) = default;
};

// Why the job, which has not ended, is not further than it is, for people; empty if nothing is known of it.
// O(jobs).
[[nodiscard]] std::string why_it_waits(const LiveBatch& batch, const LiveJob& job, Time now);

// What a user asks of a job while it is in the queue or on the cluster.
enum class Wish : std::uint8_t { hold, release, cancel };
// Why a wish for a job in that state cannot be granted; empty if it can.
[[nodiscard]] std::string refusal_of(Wish wish, LiveState state);

struct JobWish {
  std::string key;  // unique
  std::string job;  // id
  Wish wish{};
};

}  // namespace wavewright
