#include "apps/commands/finished_runs.h"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/live/yarn/resource_manager.h"
#include "wavewright/store/importer.h"

namespace wavewright::app {

namespace {

using namespace std::chrono_literals;

// A JobHistory server knows the application as a job of the same number.
std::string run_of(std::string application) {
  constexpr std::string_view prefix = "application_";
  if (application.starts_with(prefix)) application.replace(0, prefix.size(), "job_");
  return application;
}

}  // namespace

FinishedRuns::FinishedRuns(const Context& context, Store& store, const std::string& server,
                           const std::string& ca_file, Time began)
    : context_(context), store_(store), server_(server) {
  if (server.empty()) return;
  SourceOptions how;
  how.ca_file = ca_file;
  how.interrupted = &context.interrupted;
  how.since = began;
  source_.emplace(server_url(server, 19888), how);
}

void FinishedRuns::look(const LiveBatch& batch) {
  if (!source_) return;
  for (const LiveJob& job : batch.jobs) {
    if (job.state != LiveState::done && job.state != LiveState::failed) continue;
    for (const std::string& application : job.applications) {
      const std::string run = run_of(application);
      if (!seen_.insert(run).second) continue;
      RunFilter filter;
      filter.id = run;
      if (store_.headers(filter).empty()) missing_.insert(run);
    }
  }
  const auto now = std::chrono::steady_clock::now();
  if (missing_.empty() || (asked_ && now - *asked_ < 5s)) return;
  asked_ = now;
  ask();
}

void FinishedRuns::forget(const std::vector<LiveJob>& jobs) {
  for (const LiveJob& job : jobs) {
    for (const std::string& application : job.applications) seen_.erase(run_of(application));
  }
}

void FinishedRuns::ask() {
  try {
    ImportSummary summary;
    import_from(*source_, store_, {}, context_.interrupted, summary, [](const ImportSummary&) {});
    problem_.clear();
  } catch (const ExternalError& error) {
    source_->forget();
    if (problem_ != error.what()) context_.note(fmt::format("{}; its histories come later", error.what()));
    problem_ = error.what();
  }
  imported_ += static_cast<Count>(std::erase_if(missing_, [&](const std::string& run) {
    RunFilter filter;
    filter.id = run;
    return !store_.headers(filter).empty();
  }));
}

void FinishedRuns::wait(const LiveBatch& batch) {
  if (!source_) return;
  const auto until = std::chrono::steady_clock::now() + 30s;
  for (look(batch); !missing_.empty() && std::chrono::steady_clock::now() < until; look(batch)) {
    if (context_.interrupted.load()) break;
    std::this_thread::sleep_for(200ms);
  }
  if (imported_ > 0) context_.note(fmt::format("{} histories imported", imported_));
  if (!missing_.empty())
    context_.note(fmt::format("{} of its applications have no history yet: wavewright import {}",
                              missing_.size(), server_url(server_, 19888)));
}

}  // namespace wavewright::app
