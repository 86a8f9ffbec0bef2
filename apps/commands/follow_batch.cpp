// Runs a batch of the store until its jobs have ended (run_live.h).
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "apps/commands/finished_runs.h"
#include "apps/commands/live_feedback.h"
#include "apps/commands/live_promises.h"
#include "apps/commands/live_view.h"
#include "apps/commands/night.h"
#include "apps/commands/run_live.h"
#include "apps/progress.h"
#include "wavewright/core/error.h"
#include "wavewright/core/keytab.h"
#include "wavewright/core/thread_precedence.h"
#include "wavewright/core/when.h"
#include "wavewright/live/batch/batch_archive.h"
#include "wavewright/live/batch/batch_driver.h"
#include "wavewright/live/batch/batch_store.h"
#include "wavewright/live/batch/outages.h"
#include "wavewright/live/batch/timed_calls.h"
#include "wavewright/live/outlook/queue_check.h"
#include "wavewright/live/promise/promised_targets.h"
#include "wavewright/live/submission/program_name.h"
#include "wavewright/live/yarn/active_server.h"
#include "wavewright/live/yarn/resource_manager.h"
#include "wavewright/live/yarn/target_placer.h"
#include "wavewright/live/yarn/targets.h"
#include "wavewright/live/yarn/yarn_driver.h"
#include "wavewright/store/store.h"

namespace wavewright::app {

namespace {

namespace fs = std::filesystem;

// Writes the targets file for the plug-in. The log of the batch tells when it cannot, and when it can again.
class TargetsWriter {
 public:
  TargetsWriter(const LiveRequest& request, std::function<void(const std::string&)> note)
      : outages_(std::move(note)) {
    if (!request.targets.empty())
      file_.emplace(request.targets, request.targets_key, parse_target_placer(request.placer));
  }

  void write(BatchDriver& driver, const SeenCluster* seen) {
    if (!file_ || !driver.batch()) return;
    const LiveBatch& batch = *driver.batch();
    const Time now = now_instant();
    try {
      file_->write(seen != nullptr ? promised_targets(batch, seen->progress, seen->slots, now)
                                   : targets_of(batch, now),
                   now);
      if (!std::exchange(told_, true)) {
        const Duration away = clocks_.steady() - untold_since_;
        driver.note_of_batch("Back", "targets are told again, after " + format_duration(away));
      }
      outages_.over();
    } catch (const ExternalError& error) {  // a full disk
      if (std::exchange(told_, false)) {
        driver.note_of_batch("Away", error.what());
        untold_since_ = clocks_.steady();
      }
      outages_.tell(error.what());
    }
  }

 private:
  std::optional<TargetsFile> file_;
  Outages outages_;
  SystemClocks clocks_;
  bool told_ = true;
  Duration untold_since_{};  // by the steady clock
};

// Tells in the log of a daemon's queue how far off the promises of its jobs were, when that is due.
void tell_of_promises(QueueCheck& check, BatchDriver& driver, const BatchArchive& archive) {
  const std::optional<NightCheck> night =
      check.due(*driver.batch(), [&](const std::string& id) { return archive.find(id); }, now_instant());
  std::string text = night ? night_summary(*night) : std::string();
  if (text.empty()) return;
  text.pop_back();  // the last line's end
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) text.replace(at, 1, "; ");
  driver.note_of_batch(queue_checked, text);
}

std::string text_of(const FinishedRuns::NotThere& each) {
  return fmt::format("{}: no history of {} in {} tries; it is not asked for any more", each.job,
                     each.application, each.tries);
}

void tell_of_problem(const Context& context, const FinishedRuns::News& news) {
  if (!news.problem.empty()) context.note(news.problem + "; its histories come later");
}

// Waits for the histories of the last jobs, and tells how many there are.
void wait_for_histories(const Context& context, FinishedRuns& histories, const std::string& server) {
  const std::size_t missing = histories.wait(context.interrupted);
  const FinishedRuns::News news = histories.take();
  tell_of_problem(context, news);
  for (const FinishedRuns::NotThere& each : news.not_there) context.note(text_of(each));
  if (histories.imported() > 0) context.note(fmt::format("{} histories imported", histories.imported()));
  if (missing > 0)
    context.note(
        fmt::format("{} of its applications have no history yet: wavewright import {}", missing, server));
}

// A planner that orders the queue searches, in threads of its own.
bool steps_are_short(const BatchDriver& driver) {
  const std::optional<LiveBatch>& batch = driver.batch();
  return batch && !(batch->ordering && batch->ordering->planned);
}

// A short step goes before requests and clients.
void step(BatchDriver& driver, ThreadPrecedence& precedence) {
  const struct GivenBack {
    ThreadPrecedence& precedence;
    ~GivenBack() { precedence.give_back(); }
  } given_back{precedence};
  if (steps_are_short(driver)) precedence.take();
  driver.step();
}

// Waits a second, until Ctrl-C, or until there is news of the promises, if there are any.
void wait_a_step(const Context& context, LivePromises* promises) {
  constexpr std::chrono::milliseconds slice(100);
  for (int i = 0; i < 10 && !context.interrupted.load(); ++i) {
    if (promises == nullptr) {
      std::this_thread::sleep_for(slice);
    } else if (promises->wait_for_news(slice)) {
      return;
    }
  }
}

}  // namespace

LiveBatch follow_batch(const Context& context, const LiveRequest& request, Store& store,
                       const std::string& name, const LiveWatch& watch) {
  context.ends_itself = true;
  require_ca_file(request.ca_file);
  use_keytab(request.keytab);
  const WebServer resource_manager(server_urls(request.resource_manager, 8088), request.ca_file,
                                   &context.interrupted);
  std::unique_ptr<WebServer> history_server;
  std::string histories_at;  // its URL
  if (!request.history_server.empty()) {
    histories_at = server_url(request.history_server, 19888);
    history_server = std::make_unique<WebServer>(histories_at, request.ca_file, &context.interrupted);
  }
  YarnDriver cluster(
      resource_manager, history_server.get(),
      ClientProcesses({fs::read_symlink("/proc/self/exe").string(), std::string(supervise_word)},
                      request.rules));
  const BatchStore batches(store);
  const std::unique_ptr<Journal> journal = batches.journal(name, this_program());
  SystemClocks clocks;
  DriverOptions how;
  how.most_at_once = request.most_at_once;
  how.most_submitting = request.submit_at_once;
  how.keep_ended = watch.keep_ended;
  how.most_ended = watch.most_ended;
  ThreadPrecedence precedence;
  TimedCalls calls(*journal, cluster, &precedence);
  BatchDriver driver(calls, calls, clocks, how);
  FinishedRuns histories({.store = context.store_url(), .server = histories_at, .ca_file = request.ca_file});
  LiveFeedback feedback(context, {.batch = name,
                                  .resource_manager = request.resource_manager,
                                  .ca_file = request.ca_file,
                                  .cluster = request.cluster,
                                  .policy = request.policy,
                                  .most_at_once = request.most_at_once,
                                  .promises = request.promises,
                                  .ranks_told = !request.targets.empty(),
                                  .slowstart = request.slowstart});
  std::optional<LivePromises> promises;
  if (request.promises)
    promises.emplace(PromiseWatch{request.resource_manager, request.ca_file, *request.cluster}, feedback);
  const auto note = [&](const std::string& line) {
    context.note(fmt::format("{}  {}", format_clock(now_instant()), line));
  };
  TargetsWriter targets(request, note);
  Outages outages(note), beside(note);  // of the driver, of the check of promises
  bool answered = false;                // by a cluster that can be driven
  Progress progress(context);
  const LiveBatch found = find_batch(batches, name);
  const auto promised = std::count_if(found.jobs.begin(), found.jobs.end(), [](const LiveJob& job) {
    return job.promise && !has_ended(job.state);
  });
  if (promised > 0 && !request.promises) {
    note(fmt::format("{} of the jobs {} a promised deadline, which only a daemon with --promise keeps",
                     promised, promised == 1 ? "has" : "have"));
  }
  const bool all_ended = std::all_of(found.jobs.begin(), found.jobs.end(),
                                     [](const LiveJob& job) { return has_ended(job.state); });
  const BatchArchive archive(store, name);
  std::optional<QueueCheck> check;
  if (watch.endless) {
    constexpr std::int64_t most_read = 10'000;
    check.emplace(batches.events(name, std::max<std::int64_t>(0, batches.count_events(name) - most_read)));
  }
  while (!context.interrupted.load() && (watch.endless || !driver.finished())) {
    try {
      if (watch.pools != nullptr && !all_ended) watch.pools->make();
      const auto began = std::chrono::steady_clock::now();
      (void)calls.take();
      if (promises) promises->give(driver);
      step(driver, precedence);
      if (watch.decided) watch.decided(std::chrono::steady_clock::now() - began - calls.take());
      answered = true;
      outages.over();
    } catch (const OtherHadoop& error) {
      if (!answered) throw;  // one that is upgraded while the batch runs is waited for
      outages.tell(error.what());
    } catch (const Interrupted&) {
      break;
    } catch (const ExternalError& error) {
      outages.tell(error.what());
      if (watch.pools != nullptr) watch.pools->look_again();
    }
    const std::vector<LiveEvent> events = driver.take_events();
    for (const LiveEvent& event : events) {
      // Outages tells of these two, even while the journal cannot be written to.
      if (event.what != "Away" && event.what != "Back")
        context.note(event_line(format_clock(event.at), event));
    }
    if (check) check->take(events);
    std::vector<LiveJob> jobs = driver.take_jobs();
    const std::vector<LiveJob> archived = driver.take_archived();
    if (driver.batch()) feedback.take(*driver.batch(), jobs, archived);
    if (const auto outlook = feedback.give(driver); outlook && watch.looked) watch.looked(outlook);
    const std::shared_ptr<const SeenCluster> seen = promises ? promises->seen() : nullptr;
    if (seen && watch.stands) watch.stands(seen);
    histories.look(jobs, cluster.not_mapreduce());
    if (watch.told) watch.told(std::move(jobs), events);
    if (watch.archived) watch.archived(archived);
    histories.forget(archived);
    if (!promises || seen) targets.write(driver, seen.get());  // nobody is limited before the nodes are known
    const FinishedRuns::News imports = histories.take();
    tell_of_problem(context, imports);
    for (const FinishedRuns::NotThere& each : imports.not_there) {
      if (watch.endless || !driver.finished()) {
        driver.note_of_batch("NoHistory", text_of(each));
      } else {  // no step follows that would write it
        context.note(text_of(each));
      }
    }
    try {
      if (check && driver.batch()) tell_of_promises(*check, driver, archive);
      beside.over();
    } catch (const ExternalError& error) {  // a full disk, or a store that is away
      beside.tell(error.what());
    }
    if (progress.enabled() && driver.batch())
      progress.show(fmt::format("{}; {}", states_text(*driver.batch()),
                                format_duration(now_instant() - driver.batch()->began)));
    if (watch.endless || !driver.finished()) wait_a_step(context, promises ? &*promises : nullptr);
  }
  const LiveBatch last = find_batch(batches, name);
  if (driver.finished()) {
    histories.look(last.jobs, cluster.not_mapreduce());
    wait_for_histories(context, histories, histories_at);
  }
  return last;
}

}  // namespace wavewright::app
