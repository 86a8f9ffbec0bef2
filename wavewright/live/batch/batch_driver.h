// Runs a live batch: submits its jobs in their order, each once, and follows them to their end.
//
// The order is that of the batch, but that jobs with promised deadlines go first. If the batch has a
// dispatching queue it is that of the queue: a job enters the queue once it may begin, and a round of the
// queue decides when and in which order it is submitted. Jobs may be added while the batch runs.
//
// Exactly once: before a command is started, the journal holds the intent. Whoever leads the batch later
// finds each intent and asks two witnesses: the command's process, and the cluster by the job's tag. A job is
// submitted again only if its command does not live and never will, if the cluster has had time to list
// its application, and if the cluster's list is complete since the intent. Where one of them cannot
// tell, the job is `unknown`, and its user decides.
//
// Where the history alone can tell of a job and does not, the job waits, and the others go on. The history
// is asked again, at growing intervals. If it lacks the job's application or cannot load it, the job is
// `unknown` after a while. If it gives no answer at all, nothing is decided.
//
// A job that its user cancels and that cannot be killed holds up no other, either: it is tried again, at such
// intervals.
//
// The command of another machine is asked of nobody: its job is judged by the cluster alone, and is `unknown`
// if the cluster does not show how it ended.
//
// The driver holds nothing that the journal does not hold, but waits and what it has still to tell. If the
// journal fails, it forgets all else and begins by reading again.
//
// A round of the queue is in the journal before the first of its jobs is submitted. Whoever leads later goes
// on with it: the jobs keep their order, and the next round comes when it would have come. Its instants are
// those of the wall clock. If that has gone back behind the last round, the next one is an interval from then
// on.
//
// The log tells of each job what became of it, when its deadline passes, when the history cannot tell of
// it, that it cannot be killed, and of the batch: who leads it, when cluster, history, journal or commands
// gave no answer and for how long, that another ResourceManager answers, that the wall clock jumped.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "wavewright/core/error.h"
#include "wavewright/dispatch/dispatch_queue.h"
#include "wavewright/live/batch/cluster_driver.h"
#include "wavewright/live/batch/journal.h"

namespace wavewright {

struct DriverOptions {
  Duration settling = ms(10'000);     // as the cluster driver promises
  Duration patience = ms(120'000);    // then the next job is submitted, even if this one has no application
  Duration forgetting = ms(900'000);  // so long an application may be in no list before it is unknown
  std::size_t most_at_once = 0;       // jobs on the cluster; 0 = no limit
  std::size_t most_submitting = 1;    // commands on their way to the cluster
  int most_attempts = 5;              // at a job whose clients were killed or found no cluster
  // A job that ended so long ago leaves the batch for the archive, and so do the earliest of more than so
  // many, unless a job that has not ended waits for it. Absent: all stay.
  std::optional<Duration> keep_ended = std::nullopt;
  std::size_t most_ended = 10'000;
  Duration jump = ms(5'000);   // of the wall clock between two steps, from which on it is told
  Duration slow = ms(20'000);  // a step, or the time between two, from which on it is told
};

class BatchDriver {
 public:
  BatchDriver(Journal& journal, ClusterDriver& cluster, Clocks& clocks, DriverOptions options = {});

  // Looks at cluster and clients, writes what changed, and starts the commands that may be started. Call it
  // every second or so. Throws LeadLost; throws ExternalError if journal or cluster give no answer, and may
  // be called again. O(jobs on the cluster), the answers, and some bytes a job in the queue; O(jobs) if one
  // fails, is archived or has a promise. A round of the queue takes its engine's time.
  void step();

  // The lengths of a running job's tasks are other than expected, by these factors to its profile (absent =
  // as expected). The event is written with the next step. The jobs that wait with the same profile are taken
  // to change likewise, and a round of the dispatching queue is due, for those, too, that were ordered and
  // not yet submitted. Nothing for a job that does not run. O(jobs).
  void drifted(const std::string& job, std::optional<double> maps, std::optional<double> reduces,
               std::string detail);
  // Orders the jobs without tasks anew, where the batch's ordering is `when_drifted`: those that may begin
  // and wait to be submitted, and those of `idle`, which are on the cluster or on their way and have no task
  // yet. They exchange their ranks, and are submitted by them. The event `Replanned` is written with the next
  // step if that changes something. The engine's time.
  void replan(const std::set<std::string>& idle);
  // Writes an event of a job that has not ended with the next step.
  void note(const std::string& job, const char* what, std::string detail);
  // The same of the batch itself.
  void note_of_batch(const char* what, std::string detail);
  // Tells that a promised deadline may not be kept (`PromiseAtRisk`), or will be (`PromiseSafe`), unless the
  // batch holds it already.
  void put_at_risk(const std::string& job, bool at_risk, std::string detail);
  // Sets the expectation of a job that has none yet.
  void promise(const std::string& job, Time start, Time end);

  // Every job has ended. False before the first step.
  [[nodiscard]] bool finished() const;
  // As last written. Empty before the first step, and after a step that the journal ended.
  [[nodiscard]] const std::optional<LiveBatch>& batch() const { return batch_; }
  // What the steps have written since the last call, for people.
  [[nodiscard]] std::vector<LiveEvent> take_events();
  // The jobs that were read or written since the last call, as they are now.
  [[nodiscard]] std::vector<LiveJob> take_jobs();
  // The jobs that left the batch for the archive since the last call.
  [[nodiscard]] std::vector<LiveJob> take_archived();
  // Ids of the jobs that rounds of the queue gave and that are still to be submitted, in that order; held
  // ones, too. Empty without a queue. O(jobs).
  [[nodiscard]] std::vector<std::string> dispatched() const;

 private:
  struct Waits {      // of an attempt, by the steady clock
    Duration sent{};  // when its client may have sent something first
    std::optional<Duration> begun = std::nullopt;
    std::optional<Duration> client_dead = std::nullopt;  // it was seen so
    std::optional<Duration> answered = std::nullopt;     // the cluster's latest answer since then
    Duration settled{};       // so long it has answered since then, one and the same
    bool is_through = false;  // it ended with 0: nothing of it is on its way
    Duration away{};          // so much longer a request may be on its way, since the cluster was away
    std::optional<Duration> lost = std::nullopt;   // an application is in no list since
    std::optional<Duration> quiet = std::nullopt;  // nothing of it runs since, as far as one can see
    // Where the history gives no answer: the time between two questions, and when the next one may come.
    Duration pause{}, ask_again{};
    Duration kill_pause{}, kill_again{};  // likewise, where it cannot be killed
  };

  // One job's applications in the order of their acceptance. They point into the cluster's answers.
  using OwnApplications = std::vector<const Application*>;

  struct Outage {
    Duration since{};  // by the steady clock
    std::string what;  // gives no answer
  };

  void advance();
  void begin();
  void note_outage(const ExternalError& error);
  void note_clocks();
  void note_cluster(const ListMark& mark);
  void note_cluster_clock(Duration ahead);
  void note_states();
  void note_late();
  [[nodiscard]] Duration away_before_now(const LiveJob& job);
  void note_gap();
  void remember(const LiveJob& job, std::size_t place);
  void find_before(std::size_t first);
  void take_added();
  void grant_wishes();
  void follow_all(const Applications& seen);
  void ask_for_clients();
  void follow(LiveJob& job, const Client& client, const ListMark& mark);
  void note_away(LiveJob& job);
  bool add_forgotten(LiveJob& job, OwnApplications& own);
  bool add_ended(LiveJob& job, OwnApplications& own);
  [[nodiscard]] OwnApplications keep(std::vector<Application> told);
  [[nodiscard]] bool may_ask(const LiveJob& job);
  void ask_later(const LiveJob& job);
  void put_off(LiveJob& job, const ExternalError& error);
  void note_answer(LiveJob& job);
  void note_history_away(const LiveJob& job, const ExternalError& error);
  void note_history_back();
  void wait_for_history(LiveJob& job, std::string reason);
  void follow_applications(LiveJob& job, const OwnApplications& own);
  void kill(LiveJob& job, const Client& client, const OwnApplications& own);
  [[nodiscard]] bool settled(const LiveJob& job, const Client& client, bool has_applications);
  void judge(LiveJob& job, const Client& client, const OwnApplications& own);
  void judge_from_afar(LiveJob& job, const OwnApplications& own);
  void try_again(LiveJob& job, const std::string& why);
  void end(LiveJob& job, LiveState state, std::string reason);
  void cancel_what_cannot_begin();
  [[nodiscard]] bool is_ready(const LiveJob& job, Time now) const;
  [[nodiscard]] Time queue_time() { return Time{} + (clocks_.steady() - queue_began_); }
  [[nodiscard]] RoundEntry& note_round();
  void take_up_round();
  void put_ready_in_queue(Time now, Time wall);
  void put_in_queue(std::size_t place, Time now, Time wall);
  void note_due(Time now, Time wall);
  void dispatch();
  void archive();
  [[nodiscard]] std::set<std::size_t> to_archive() const;
  void drop(const std::set<std::size_t>& places);
  void order_anew();
  [[nodiscard]] LiveJob* unfinished(const std::string& job);
  [[nodiscard]] bool may_submit();
  [[nodiscard]] LiveJob* next_ready();
  void intend(LiveJob& job, const ListMark& mark);
  void start(LiveJob& job);
  void tell(const std::string& job, const char* what, std::string detail);
  void tell_of_batch(const char* what, std::string detail);
  void write();
  [[nodiscard]] const ClientAttempt& attempt_of(const LiveJob& job);
  // These three: `job` is one of the batch's own.
  [[nodiscard]] std::size_t place_of(const LiveJob& job) const;
  [[nodiscard]] Waits& waits_of(const LiveJob& job);
  void touch(const LiveJob& job);

  Journal& journal_;
  ClusterDriver& cluster_;
  Clocks& clocks_;
  DriverOptions options_;
  std::optional<LiveBatch> batch_;
  std::unordered_map<std::string, std::size_t> places_;  // of the jobs, by id
  std::vector<std::vector<std::size_t>> before_;  // places of the jobs that must be done first, by place
  std::vector<Waits> waits_;                      // by place
  std::vector<LiveJob> written_;                  // the jobs as the journal has them
  std::set<std::size_t> touched_;                 // places of jobs that may differ from `written_`
  // By a job's place: its state when it was last written, a hash of its profile, and its deadline while that
  // may still have to be told as missed, else the latest time. A queue of thousands is passed over in these,
  // not in the jobs.
  std::vector<LiveState> states_;
  std::vector<std::size_t> profile_hashes_;
  std::vector<Time> deadlines_;
  bool ended_badly_ = false;  // a job that others may wait for has ended, and not as done
  bool promised_ = false;     // a job has a promised deadline
  ClientAttempt attempt_;     // the one that was asked for last
  // The commands of jobs that have begun, as this step has seen them; by the job's place.
  std::vector<std::pair<std::size_t, Client>> clients_;
  // Applications in the cluster's list of this step, by a job's tag. They point into that list.
  std::unordered_map<std::string_view, OwnApplications> listed_;
  std::deque<Application> of_history_;       // what the history has told in this step
  std::optional<DispatchQueue> queue_;       // its clock shows 0 at the round that the journal had
  std::optional<OrderingEngine> replanner_;  // with `when_drifted`
  Duration queue_began_{};
  std::vector<std::uint8_t> queued_;      // 1 = in the queue or dispatched by it; by place
  std::deque<std::size_t> dispatched_;    // places, in order
  std::optional<RoundEntry> round_;       // not written yet; of `anew`, the order is `dispatched_` then
  std::optional<Time> due_;               // as in `round_`, else in the journal; by the queue's clock
  Duration asked_at_{};                   // when the cluster's list was asked for
  std::optional<Duration> asked_before_;  // likewise, of the list before
  bool no_answer_ = false;                // there was none since then
  std::optional<ListMark> mark_;          // of the list before
  std::optional<Outage> outage_;
  std::optional<Duration> stepped_at_;   // when the step before ended
  std::optional<Duration> wall_ahead_;   // of the steady clock, at the step before
  Duration cluster_ahead_{};             // of the wall clock, as was told last
  std::optional<ExternalError> unseen_;  // why a command could not be looked at in this step
  bool history_away_ = false;            // it gave no answer in this step
  std::vector<LiveEvent> of_batch_;      // not written yet; they outlive a failure of the journal
  std::vector<LiveEvent> to_write_, to_take_;
  // Since when the history gives no answer, as the log tells; by the steady clock.
  std::optional<Duration> history_away_since_;
  std::vector<LiveJob> jobs_to_take_, archived_to_take_;
  std::size_t known_ = 0;                // jobs that the batch ever had, as far as they were read
  std::optional<Duration> archived_at_;  // when it was last looked for such
  std::vector<std::string> granted_;
};

}  // namespace wavewright
