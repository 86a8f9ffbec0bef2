// A cluster, the clients of jobs and clocks, all simulated, with the faults that real ones have. The cluster
// keeps what a journal holds, too (simulated_journal.h).
// The driver that is tested is the real one. Everything that happens follows from the seed.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "wavewright/core/random.h"
#include "wavewright/live/batch/batch_driver.h"
#include "wavewright/live/batch/cluster_driver.h"
#include "wavewright/live/batch/journal.h"
#include "wavewright/live/outlook/job_progress.h"
#include "wavewright/live/promise/promises.h"

namespace wavewright {

// The program that runs the batch dies here. Not an Error, so that nothing can catch it as one.
struct Crash {};

// Probabilities per call or per second of simulated time; 0 = never.
struct LiveFaults {
  double crash = 0;         // of the program, before or after the effect of a call
  double no_answer = 0;     // of journal or cluster, before or after the effect
  double paused = 0;        // another program takes the batch over, while this one stops in a call
  double reboot = 0;        // each second: the program and all clients die
  double client_dies = 0;   // each second
  double restart = 0;       // each second: the ResourceManager is away for up to two minutes
  double forgets = 0;       // of a restart: it has forgotten all applications, which die
  double store_away = 0;    // each second: the journal is away for a minute
  double clock_jumps = 0;   // each second: the wall clock goes on by up to six hours, or back
  double slow_answer = 0;   // a list of applications is up to 20 s old when it comes
  double slow_request = 0;  // of a submission: it is on its way for up to `settling`
  double job_fails = 0;     // of an application
  double bad_command = 0;   // of a client: it ends with 1, without an application
  std::int64_t kept = 0;    // ended applications that the cluster lists, the last ones; 0 = all
  double others_end = 0;    // each second: an application of others ends
  double moves = 0;         // of a crash: the next program runs on another machine
  double wish = 0;          // each second: a user holds, releases or cancels a job
  double disk_full = 0;     // each second: for a minute the journal takes nothing, or no command is started
  double fails_over = 0;    // each second: another ResourceManager takes over, in at most half a minute
  double stale = 0;         // of a list within some seconds of that: the one that was replaced answers
  double cut_off = 0;       // each second: nobody reaches the ResourceManager for up to a minute and a half
  double stays_dead = 0;    // of a crash: the next program starts up to five minutes later
  double resent = 0;        // of a request that meets no cluster: it is sent again, at growing intervals
  // A submission comes twice, or a request to kill, a wish, each row of a list. That is real: Hadoop sends a
  // call again when its connection breaks, with the same application id; the driver asks for a kill at each
  // step, and `yarn application -kill` takes seconds; users type twice. A row twice is not known of YARN.
  // Not here, as it cannot be: a submission that comes again with another id, for that is another attempt;
  // an answer behind a later one, but for `fails_over` and `paused`, as the driver asks one thing at a time.
  double doubled = 0;
  double late_mark = 0;  // a list comes with a mark of up to two seconds later, as from a second question
  double history_broken = 0;  // of an application: the history cannot load it for up to 25 minutes, or ever
  double torn = 0;            // of an entry of a store's journal: its transaction breaks off in the middle
  // The history, asked by a tag, tells of some applications only, and says that it cannot tell of all.
  double history_unread = 0;
  double kill_refused = 0;  // a request to kill comes to nothing, and the request behind its end tells so
};

// What a job's command does.
struct SimulatedJob {
  int applications = 1;   // one after another; 0 = the command ends with 0, and that is all
  bool detached = false;  // the client does not wait for its application
  Duration length = ms(20'000);
  // One after another, each so long; 0 = the application takes a random time around `length`.
  int maps = 0;
  Duration map_length{};
  // Until they are killed:
  bool command_hangs = false;      // before it asks for an application
  bool application_hangs = false;  // its first one
  [[nodiscard]] bool hangs() const { return command_hangs || application_hangs; }
};

class SimulatedCluster : public ClusterDriver, public Clocks, public ProgressReader {
 public:
  SimulatedCluster(std::uint64_t seed, LiveBatch batch, std::vector<SimulatedJob> jobs, LiveFaults faults,
                   const DriverOptions& options);

  // Time goes on by a random while around `about`.
  void advance(Duration about);
  // From now on nothing fails any more.
  void heal();
  // For so long they give no answer.
  void take_away(Duration cluster, Duration journal);
  // For so long no command can be started.
  void fill_folder(Duration time) { folder_back_ = now_ + time; }
  // The next so many commands are not started.
  void refuse_starts(int count) { refused_starts_ = count; }
  void turn_clock(Duration by) { wall_offset_ += by; }
  void set_deadline(const std::string& job, Time deadline);
  // Calls `other` now and then in the middle of a call: a second program that takes over.
  void on_pause(std::function<void()> other) { other_program_ = std::move(other); }
  // From now on what users wish and the jobs that they add go there, too.
  void copy_users(std::function<void(const JobWish&)> wish, std::function<void(const LiveJob&)> job) {
    copy_wish_ = std::move(wish);
    copy_job_ = std::move(job);
  }
  void wish_for(const std::string& job, Wish wish);
  // So long nobody starts the program that has died.
  [[nodiscard]] Duration until_next_program() {
    return happens(faults_.stays_dead) ? draw(0, 300'000) : Duration{};
  }
  // Their users cancel the jobs that would never end.
  void cancel_what_hangs();
  // Adds a job to the batch, as users do.
  void add(LiveJob job, const SimulatedJob& what);

  // What is wrong with what happened so far; empty = nothing.
  [[nodiscard]] const std::string& violation() const { return violation_; }
  // The same, of the end.
  void check_end();

  [[nodiscard]] const LiveBatch& written() const { return batch_; }
  [[nodiscard]] const std::vector<LiveEvent>& log() const { return log_; }
  [[nodiscard]] std::vector<std::string> accepted() const;  // jobs' ids, by acceptance
  [[nodiscard]] Duration now() const { return now_; }
  [[nodiscard]] int writes() const { return writes_; }    // entries of the journal
  [[nodiscard]] int dropped() const { return dropped_; }  // submissions that had come before
  [[nodiscard]] int torn() const { return torn_; }        // entries whose transaction broke off

  // Nothing waits for a slot: there are more of them than jobs in any schedule.
  [[nodiscard]] static PromiseRules promise_rules() { return {.slots = {8, 1}, .delays = {}}; }
  [[nodiscard]] bool has_promises() const { return !promised_.empty(); }
  // The news of a daemon that looks at the promises in the journal. May throw Crash.
  [[nodiscard]] std::vector<FoundRisk> risks();
  // Jobs that cannot keep their promise any more, as whoever reads journal and cluster can tell: the deadline
  // has passed, or what runs will end behind it.
  [[nodiscard]] std::vector<std::string> surely_late();
  // The journal must hold by now that the promise is at risk.
  void check_told(const std::string& job);

  // For a history server over it (yarn_texts.h): the applications that the history has, and whether it cannot
  // load one of them now.
  [[nodiscard]] std::vector<Application> recorded();
  [[nodiscard]] bool cannot_load_a_job();

  // ClusterDriver
  [[nodiscard]] Applications applications(const std::string& tag) override;
  [[nodiscard]] std::optional<Application> ended_application(const std::string& id) override;
  [[nodiscard]] std::vector<Application> ended_with(const std::string& tag, Time since) override;
  void kill_application(const ClientAttempt& attempt, const std::vector<std::string>& command,
                        const std::string& id) override;
  [[nodiscard]] std::string machine() override { return machine_; }
  void start(const ClientAttempt& attempt, const std::vector<std::string>& command) override;
  [[nodiscard]] Client client(const ClientAttempt& attempt) override;
  void kill_client(const ClientAttempt& attempt) override;
  // ProgressReader
  [[nodiscard]] std::optional<JobProgress> progress(const std::string& application) override;
  // Programs that have led so far.
  [[nodiscard]] std::uint64_t leads() const { return leader_; }
  // Whoever leads holds what the journal holds.
  // `dispatched`: the jobs that rounds of its dispatching queue gave and that it has still to submit.
  void check_held(const LiveBatch& held, const std::vector<std::string>& dispatched);
  // Clocks
  [[nodiscard]] Time wall() override { return at_ms(to_ms(now_ + wall_offset_)); }
  [[nodiscard]] Duration steady() override { return now_; }

 private:
  friend class SimulatedJournal;
  friend class StoredJournal;

  struct Run {  // an application
    std::string id;
    std::size_t job = 0;
    int stage = 0;
    ApplicationState state{};
    Duration accepted{}, starts{}, ends{};
    bool will_fail = false;
    bool listed = true;       // by the ResourceManager
    bool recorded = true;     // by the history, some time after its end
    Duration unread_until{};  // the history cannot load it before
    std::optional<Duration> ended = std::nullopt;
    std::int64_t number = 0;  // of those that ended
    std::string client = {};  // that asked for it; YARN has one id for each of its stages
  };
  struct Process {  // a client
    std::size_t job = 0;
    std::string machine = {};
    bool alive = true;
    std::optional<int> exit_status = std::nullopt;
    Duration sends{};                                     // its next request
    Duration gives_up{};                                  // if the ResourceManager does not answer
    int stage = 0;                                        // of its next application
    std::optional<std::size_t> waits_for = std::nullopt;  // a run
    bool bad = false;
    bool saw_outage = false;  // the cluster was away while it lived, and the program can know
    int outages = 0;  // that began, and answers that were lost, before the list on which it was started
    // The journal told so before it started: a driver that was slow to start it may have been replaced in the
    // meantime, and the other one may have found the cluster away or restarted.
    bool told_away = false;
  };
  struct Request {  // on its way
    std::size_t job = 0;
    int stage = 0;
    Duration way{};  // time in which the ResourceManager answers until it takes the request
    std::string client;
    Duration sent{};
    std::optional<Duration> again = std::nullopt;  // it met no cluster, and is sent again then
  };
  struct Kill {  // likewise
    std::string application;
    Duration comes{};
  };

  [[nodiscard]] bool happens(double probability) { return probability > 0 && random_.unit() < probability; }
  [[nodiscard]] Duration draw(std::int64_t low, std::int64_t high) { return ms(random_.integer(low, high)); }
  [[nodiscard]] bool comes_twice() { return faults_.doubled > 0 && twice_.unit() < faults_.doubled; }
  void before_effect(bool journal);
  void after_effect(bool journal);
  void fault(bool journal);
  void no_answer(bool journal);
  void need_room(bool journal);
  void take_entry(const JournalEntry& entry);
  void make_wish(const std::string& job, Wish wish);
  [[nodiscard]] bool is_unread(const std::string& id) const;
  void restart();
  void fail_over();
  void move_requests(Duration step);
  void move_kills();
  void kill_run(const std::string& id);
  [[nodiscard]] ListMark mark_now() const;
  [[nodiscard]] Applications list() const;
  [[nodiscard]] Applications asked_for(const std::string& tag);
  void check_log(const LiveJob& job, const std::string& shown);
  void check_failure(std::size_t job, const std::string& shown);
  void check_attempt(const ClientAttempt& attempt);
  void note_promise(const LiveJob& job);
  void check_promise(const LiveJob& job);
  void check_promises(const JournalEntry& entry);
  void note_outage();
  void move_client(const std::string& key, Process& process);
  void move_runs();
  void end(Run& run, Duration at, ApplicationState state);
  void arrive(const Request& request);
  void kill_clients_here();
  [[noreturn]] void crash();
  void violate(const std::string& what);
  [[nodiscard]] Application shown(const Run& run) const;
  [[nodiscard]] std::size_t job_with(const std::string& tag) const;
  static std::string key_of(const ClientAttempt& attempt) {
    return attempt.tag + "/" + std::to_string(attempt.number);
  }

  Random random_;
  Random twice_;     // draws what comes twice or late: without that, all else is as it was
  Random broken_;    // likewise, what the history cannot load
  Random refusing_;  // likewise, which kills are refused
  LiveFaults faults_;
  Duration settling_, forgetting_;
  std::size_t most_at_once_;
  std::int64_t most_attempts_;
  std::int64_t kept_;
  Duration now_ = ms(1'000'000);
  Duration wall_offset_ = ms(1'700'000'000'000);
  LiveBatch batch_;  // as the journal has it
  std::vector<SimulatedJob> jobs_;
  std::vector<LiveEvent> log_;
  std::vector<JobWish> wishes_;
  std::uint64_t leader_ = 0;  // number of the latest lead
  std::uint64_t wishes_made_ = 0;
  int writes_ = 0;
  int refused_starts_ = 0;
  int outages_ = 0;          // that began, and answers that were lost or of the one that was replaced
  int outages_at_list_ = 0;  // when the last list was made; -1: by the one that was replaced
  std::map<std::string, Process> clients_;
  std::set<std::string> fenced_;
  std::vector<Request> requests_;
  std::vector<Kill> kills_;
  std::map<std::string, Duration> refused_kills_;  // when they end, by application
  int dropped_ = 0;
  int torn_ = 0;
  std::vector<Run> runs_;
  std::int64_t incarnation_ = 1;
  std::int64_t ended_ = 0;  // applications
  std::int64_t ended_before_ = 0,
               forgotten_ = 0;  // of them: before this ResourceManager, and before it forgot
  Duration cluster_began_{}, cluster_back_{}, journal_back_{};
  Duration room_back_{}, folder_back_{};         // on the disks of the journal and of the commands
  Duration replaced_from_{}, replaced_until_{};  // the ResourceManager that was replaced may answer
  Applications replaced_;                        // its list
  std::string machine_ = "first";                // on which the program runs
  std::set<std::string> afar_;                   // tags of jobs whose client another machine has
  bool cut_seen_ = false;                        // by a program that has not written since
  bool forgot_ = false, stages_cut_ = false, paused_ = false;
  std::set<std::string> wished_;  // jobs whose cancelling was asked
  std::vector<std::string> accepted_;
  std::map<std::string, LiveJob> promised_;  // jobs with a promise, as they were added
  std::function<void()> other_program_;
  std::function<void(const JobWish&)> copy_wish_;
  std::function<void(const LiveJob&)> copy_job_;
  std::string violation_;
};

}  // namespace wavewright
