#include "apps/commands/finished_runs.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "apps/give_way.h"
#include "wavewright/core/error.h"
#include "wavewright/core/interrupted.h"
#include "wavewright/core/when.h"
#include "wavewright/history/source.h"
#include "wavewright/history/source/jobs.h"
#include "wavewright/store/importer.h"

namespace wavewright::app {

namespace {

using namespace std::chrono_literals;

// A server that has no history of a job by then was asked by the program that ran the batch before, or will
// never have one.
constexpr Duration long_ended = ms(900'000);

// A JobHistory server knows the application as a job of the same number.
std::string run_of(std::string application) {
  constexpr std::string_view prefix = "application_";
  if (application.starts_with(prefix)) application.replace(0, prefix.size(), "job_");
  return application;
}

std::set<std::string> stored(const Store& store, const std::vector<std::string>& ids) {
  std::set<std::string> found;
  if (ids.empty()) return found;  // an empty filter would match all
  RunFilter filter;
  filter.ids = ids;
  for (const RunHeader& header : store.headers(filter)) found.insert(header.id);
  return found;
}

// For comparison: the time that a request took stands in its message.
std::string without_numbers(std::string_view text) {
  std::string kept;
  for (const char c : text) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) kept += c;
  }
  return kept;
}

}  // namespace

FinishedRuns::FinishedRuns(HistoryRequest request) : request_(std::move(request)) {
  if (request_.server.empty()) return;
  (void)open_source(request_.server);  // refuses a wrong address
  thread_ = std::thread([this] {
    give_way();
    work();
  });
}

FinishedRuns::~FinishedRuns() {
  if (!thread_.joinable()) return;
  {
    const std::scoped_lock lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void FinishedRuns::look(std::span<const LiveJob> jobs, const std::set<std::string>& not_mapreduce) {
  if (!thread_.joinable()) return;
  const Time now = now_instant();
  std::vector<Missing> fresh;
  for (const LiveJob& job : jobs) {
    if (job.state != LiveState::done && job.state != LiveState::failed) continue;
    const bool long_ago = job.ended_at && now - *job.ended_at >= long_ended;
    for (const std::string& application : job.applications) {
      if (!seen_.insert(application).second || not_mapreduce.contains(application)) continue;
      fresh.push_back({job.id, application, long_ago ? 1 : request_.pace.most_tries});
    }
  }
  const std::scoped_lock lock(mutex_);
  if (!not_mapreduce.empty()) {
    std::erase_if(missing_,
                  [&](const auto& each) { return not_mapreduce.contains(each.second.application); });
  }
  if (fresh.empty()) return;
  for (const Missing& each : fresh) missing_.try_emplace(run_of(each.application), each);
  changed_.notify_all();
}

void FinishedRuns::forget(const std::vector<LiveJob>& jobs) {
  for (const LiveJob& job : jobs) {
    for (const std::string& application : job.applications) seen_.erase(application);
  }
}

FinishedRuns::News FinishedRuns::take() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(news_, {});
}

std::size_t FinishedRuns::wait(const std::atomic<bool>& interrupted) {
  std::unique_lock lock(mutex_);
  hurried_ = true;
  for (auto& [id, each] : missing_) each.next = {};
  changed_.notify_all();
  const auto began = Clock::now();
  while (!missing_.empty() && !interrupted.load()) {
    if (Clock::now() - began >= (reading_.load() ? request_.pace.in_reading : request_.pace.at_end)) break;
    settled_.wait_for(lock, 100ms);
  }
  return missing_.size();
}

Count FinishedRuns::imported() {
  const std::scoped_lock lock(mutex_);
  return imported_;
}

void FinishedRuns::work() {
  std::optional<Store> store;
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    const std::vector<std::string> ids = due();
    if (ids.empty()) {
      changed_.wait_until(lock, next_due());
      continue;
    }
    lock.unlock();
    const Round round = ask(store, ids);
    lock.lock();
    settle(ids, round);
  }
}

// Runs that may be asked for now: the first ones by the time of their next try.
std::vector<std::string> FinishedRuns::due() const {
  constexpr std::size_t most = 100;
  const auto now = Clock::now();
  std::vector<std::pair<Clock::time_point, std::string>> all;
  if (now >= not_before_) {
    for (const auto& [id, each] : missing_) {
      if (each.next <= now) all.emplace_back(each.next, id);
    }
  }
  const std::size_t count = std::min(most, all.size());
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), all.end());
  std::vector<std::string> ids;
  ids.reserve(count);
  for (std::size_t i = 0; i < count; ++i) ids.push_back(std::move(all[i].second));
  return ids;
}

FinishedRuns::Clock::time_point FinishedRuns::next_due() const {
  auto next = Clock::now() + 1h;
  for (const auto& [id, each] : missing_) next = std::min(next, each.next);
  return std::max(next, not_before_);
}

FinishedRuns::Round FinishedRuns::ask(std::optional<Store>& store, const std::vector<std::string>& ids) {
  Round round;
  std::vector<std::string> asked;
  try {
    if (!store) store.emplace(Store::open(request_.store, Store::Access::existing));
    round.known = stored(*store, ids);
    for (const std::string& id : ids) {
      if (!round.known.contains(id)) asked.push_back(id);
    }
    round.asked = !asked.empty();
    if (round.asked) import_runs(*store, asked);
  } catch (const Interrupted&) {  // it ends
  } catch (const std::exception& error) {
    round.problem = error.what();
  }
  try {  // also after a failure: those before it are stored
    if (store) round.imported = stored(*store, asked);
  } catch (const std::exception& error) {
    if (round.problem.empty()) round.problem = error.what();
  }
  return round;
}

void FinishedRuns::import_runs(Store& store, const std::vector<std::string>& ids) {
  SourceOptions how;
  how.ca_file = request_.ca_file;
  how.interrupted = &stopped_;
  how.jobs = ids;
  const std::unique_ptr<HistorySource> source = open_source(request_.server, how);
  const auto read = [&](const HistoryFile& file) {
    reading_ = true;
    return read_and_pack(*source, file);
  };
  ImportOptions options;
  options.readers = most_jobs_at_once;
  ImportSummary summary;
  import_from(*source, read, store, options, stopped_, summary, [](const ImportSummary&) {});
}

void FinishedRuns::settle(const std::vector<std::string>& ids, const Round& round) {
  reading_ = false;
  if (!stopped_) {
    for (const std::string& id : ids) settle(id, round);
  }
  if (!round.problem.empty()) {
    not_before_ = Clock::now() + request_.pace.again;
    std::string problem = without_numbers(round.problem);
    if (problem != problem_) news_.problem = round.problem;
    problem_ = std::move(problem);
  } else if (round.asked) {
    problem_.clear();
  }
  settled_.notify_all();
}

void FinishedRuns::settle(const std::string& id, const Round& round) {
  const auto at = missing_.find(id);
  if (at == missing_.end()) return;  // it is known meanwhile to be of another kind
  Missing& missing = at->second;
  if (round.imported.contains(id)) {
    ++imported_;
    news_.imported.push_back(id);
  } else if (!round.known.contains(id)) {
    if (!round.problem.empty()) return;
    const HistoryPace& pace = request_.pace;
    const bool quick = ++missing.tries < pace.quick_tries || hurried_;
    missing.next = Clock::now() + (quick ? pace.again : pace.later);
    if (missing.tries < missing.most_tries) return;
    const bool tried_for_long = missing.most_tries == pace.most_tries;
    if (tried_for_long) news_.not_there.push_back({missing.job, missing.application, missing.tries});
  }
  missing_.erase(at);
}

}  // namespace wavewright::app
