// A cluster, its clients, a journal and clocks that do what a test says, second by second. The driver is the
// real one. Where the simulated cluster draws its faults, a test states one here.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/live/batch/batch_driver.h"

namespace wavewright {

class ScriptedCluster : public Journal, public ClusterDriver, public Clocks {
 public:
  LiveBatch batch;                             // as the journal has it
  Duration now = ms(1'000'000);                // of the steady clock
  Duration call{};                             // so long each question to the cluster takes
  bool away = false;                           // it gives no answer
  int refused_starts = 0;                      // the next commands that are not started
  ListMark mark = {};                          // of the next lists
  Duration clock_ahead = {};                   // likewise
  std::vector<Application> listed;             // by the ResourceManager
  std::map<std::string, Application> history;  // by id
  bool history_unread = false;                 // in part: it does not tell of all applications of a tag
  std::set<std::string> unread;                // ids of applications that the history cannot load
  bool history_away = false;                   // it gives no answer
  std::map<std::string, Client> clients;       // by tag, of the latest attempt
  Client at_start = {ClientState::alive, 0, {}};
  std::vector<std::string> started;  // ids of jobs, one for each command
  // Ids of applications, and tags of clients, as often as it was to kill them.
  std::vector<std::string> killed;
  std::set<std::string> unkillable;  // ids of applications whose kill is answered with an error
  std::vector<std::string> archived;
  std::vector<LiveEvent> log;
  // When the history was asked for an application, by its id.
  std::map<std::string, std::vector<Duration>> questions;
  bool archive_fails_once = false;  // the entry is written, and the journal gives no answer
  // Once, the entry with the order of a round is written (true) or not, and the journal gives no answer.
  std::optional<bool> fails_at_round;
  Duration wall_ahead{};  // the wall clock was set by so much

  LiveJob& add(const std::string& id) {
    LiveJob job;
    job.id = id;
    job.tag = "tag-" + id;
    job.command = {"submit", id};
    batch.jobs.push_back(job);
    return batch.jobs.back();
  }
  [[nodiscard]] const LiveJob& job(const std::string& id) const {
    return *std::find_if(batch.jobs.begin(), batch.jobs.end(),
                         [&](const LiveJob& each) { return each.id == id; });
  }
  void wish(const std::string& id, Wish what) { asked_.push_back({std::to_string(++wishes_), id, what}); }
  // J1 and J2 run, and the command of J1 has ended. J3 waits for J2.
  void run_two_of_three() {
    add("J1");
    add("J2");
    add("J3").after = {"J2"};
    begin();
    step();
    accept("J1", "application_1_1", ApplicationState::running);
    step();
    accept("J2", "application_1_2", ApplicationState::running);
    step();
    clients["tag-J1"] = {ClientState::ended, 0, {}};
  }
  Application& accept(const std::string& id, const std::string& application, ApplicationState state) {
    Application made{.id = application, .state = state, .tags = {batch.tag, "tag-" + id}};
    made.accepted_at = wall();
    listed.push_back(made);
    return listed.back();
  }
  [[nodiscard]] int told(const std::string& id, const std::string& what) const {
    return static_cast<int>(std::count_if(
        log.begin(), log.end(), [&](const LiveEvent& each) { return each.job == id && each.what == what; }));
  }

  void begin(DriverOptions options = {}) {
    driver = std::make_unique<BatchDriver>(*this, *this, *this, options);
  }
  // Looks once; time goes on by `every`.
  void step(Duration every = ms(1'000)) {
    try {
      driver->step();
    } catch (const ExternalError&) {  // NOLINT(bugprone-empty-catch): it is called again
    }
    now += every;
  }
  void steps(int count, Duration every = ms(1'000)) {
    for (int i = 0; i < count; ++i) step(every);
  }
  // Steps until it is so: the time that they took; an hour if it never was.
  Duration until(const std::function<bool()>& so, Duration every = ms(1'000)) {
    const Duration began = now;
    while (now - began < ms(3'600'000)) {
      driver_step();
      if (so()) return now - began;
      now += every;
    }
    return now - began;
  }
  std::unique_ptr<BatchDriver> driver;

  // Journal
  LiveBatch lead() override { return batch; }
  void write(const JournalEntry& entry) override {
    std::optional<bool> fails;
    if (entry.round && !entry.round->order.empty()) fails = std::exchange(fails_at_round, std::nullopt);
    if (fails == false) no_answer("journal");
    if (entry.round) put(*entry.round, batch.round);
    for (const LiveJob& each : entry.jobs) *place_of(each.id) = each;
    log.insert(log.end(), entry.events.begin(), entry.events.end());
    std::erase_if(asked_, [&](const JobWish& wish) {
      return std::find(entry.granted.begin(), entry.granted.end(), wish.key) != entry.granted.end();
    });
    for (const LiveJob& each : entry.archived) {
      archived.push_back(each.id);
      std::erase_if(batch.jobs, [&](const LiveJob& job) { return job.id == each.id; });
    }
    if (!entry.archived.empty() && std::exchange(archive_fails_once, false)) no_answer("journal");
    if (fails == true) no_answer("journal");
  }
  void beat() override {}
  std::vector<LiveJob> added(std::size_t /*known*/) override { return {}; }
  std::vector<JobWish> wishes() override { return asked_; }

  // ClusterDriver
  Applications applications(const std::string& /*tag*/) override {
    now += call;
    if (away) no_answer("cluster");
    return {listed, mark, clock_ahead};
  }
  std::optional<Application> ended_application(const std::string& id) override {
    questions[id].push_back(now);
    if (history_away) no_answer("history");
    if (unread.contains(id)) throw HistoryUnread(ExternalError({"history"}, "answers 500"));
    const auto found = history.find(id);
    return found == history.end() ? std::nullopt : std::optional(found->second);
  }
  std::vector<Application> ended_with(const std::string& tag, Time /*since*/) override {
    if (history_away) no_answer("history");
    std::vector<Application> found;
    for (const auto& [id, each] : history) {
      if (std::find(each.tags.begin(), each.tags.end(), tag) != each.tags.end()) found.push_back(each);
    }
    if (history_unread) throw HistoryUnread(ExternalError({"history"}, "answers 500"), found);
    return found;
  }
  void kill_application(const ClientAttempt& /*attempt*/, const std::vector<std::string>& /*command*/,
                        const std::string& id) override {
    killed.push_back(id);
    if (unkillable.contains(id)) throw ExternalError({"cluster"}, "answers 500", "wait");
  }
  std::string machine() override { return "here"; }
  void start(const ClientAttempt& attempt, const std::vector<std::string>& command) override {
    if (refused_starts > 0 && refused_starts-- > 0) no_answer("commands");
    started.push_back(command.at(1));
    clients[attempt.tag] = at_start;
  }
  Client client(const ClientAttempt& attempt) override {
    now += call;
    if (attempt.machine != "here") return {ClientState::elsewhere, 0, {}};
    const auto found = clients.find(attempt.tag);
    return found == clients.end() ? Client{ClientState::never, 0, {}} : found->second;
  }
  void kill_client(const ClientAttempt& attempt) override { killed.push_back(attempt.tag); }

  // Clocks
  Time wall() override { return at_ms(1'790'000'000'000) + now + wall_ahead; }
  Duration steady() override { return now; }

 private:
  std::vector<LiveJob>::iterator place_of(const std::string& id) {
    return std::find_if(batch.jobs.begin(), batch.jobs.end(),
                        [&](const LiveJob& each) { return each.id == id; });
  }
  void driver_step() { step(Duration{}); }
  [[noreturn]] static void no_answer(const char* who) { throw ExternalError({who}, "no answer", "wait"); }

  std::vector<JobWish> asked_;
  int wishes_ = 0;
};

}  // namespace wavewright
