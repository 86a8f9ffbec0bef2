#include "wavewright/history/source/rest.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/when.h"
#include "wavewright/history/findings.h"
#include "wavewright/history/rest/answers.h"

namespace wavewright {

namespace {

constexpr std::string_view history_info = "/ws/v1/history/info";
constexpr std::string_view cluster_info = "/ws/v1/cluster/info";
constexpr std::string_view history_jobs = "/ws/v1/history/mapreduce/jobs";
constexpr std::string_view proxied = "/proxy/";
constexpr std::size_t page = 1000;
constexpr std::int64_t day = 86'400'000;
constexpr int history_port = 19888;

// Finish times in ms, both included.
struct Window {
  std::int64_t from;
  std::int64_t to;
};

std::vector<rest::ListedJob> ask(const WebServer& server, Window window, bool all) {
  std::string path =
      fmt::format("{}?finishedTimeBegin={}&finishedTimeEnd={}", history_jobs, window.from, window.to);
  if (!all) path += fmt::format("&limit={}", page);
  const ServerAnswer answer = server.json(path);
  if (!answer.good()) server.refuse(std::string(history_jobs), answer);
  std::vector<rest::ListedJob> jobs = rest::listed_jobs(answer.body, server.base() + path);
  std::sort(jobs.begin(), jobs.end(), [](const auto& a, const auto& b) {
    return std::tie(a.finish_ms, a.id) > std::tie(b.finish_ms, b.id);
  });
  return jobs;
}

std::string path_of(const std::string& job) {
  return std::string(history_jobs) + "/" + job;
}

HistoryFile file_of(const WebServer& server, const rest::ListedJob& job) {
  return {server.base() + path_of(job.id), fmt::format("{}@{}", job.state, job.finish_ms)};
}

Diagnostic as_skipped(const Error& error) {
  return diagnosed(Diagnostic::Severity::skipped, error.where(), error.problem(), error.remedy());
}

// An id becomes a part of paths; a malformed one could lead elsewhere.
void refuse_id(const WebServer& server, const std::string& id, const std::string& what,
               const DiagnosticSink& diagnostics) {
  diagnostics(diagnosed(Diagnostic::Severity::skipped, {server.base()},
                        "the id of a listed " + what + " is none of Hadoop's: not asked for",
                        id.empty() ? "none" : id.substr(0, 100)));
}

}  // namespace

RestSource::RestSource(const std::string& where, const SourceOptions& options)
    : since_(options.since),
      jobs_(options.jobs),
      server_(web_base(parse_address(where), history_port), options.ca_file, options.interrupted),
      finished_(server_, std::string(history_info)),
      running_(server_, std::string(cluster_info)) {
  const std::string path = parse_address(where).path;
  if (!path.empty() && path != "/") {
    throw UsageError("a path after the server's address: " + path.substr(0, path.find('?')),
                     "name the server alone, such as " + server_.base());
  }
}

void RestSource::list(const std::function<bool(HistoryFile&&)>& found,
                      const DiagnosticSink& diagnostics) const {
  try {
    list_jobs(found, diagnostics);
  } catch (const InputError& error) {  // a bad response is an external error
    throw ExternalError(error.where(), error.problem(), error.remedy());
  }
}

void RestSource::list_jobs(const std::function<bool(HistoryFile&&)>& found,
                           const DiagnosticSink& diagnostics) const {
  const ServerAnswer history = server_.json(std::string(history_info));
  if (history.good() && rest::has_member(history.body, "historyInfo"))
    return jobs_.empty() ? list_finished(found, diagnostics) : list_asked(found, diagnostics);
  const ServerAnswer cluster = server_.json(std::string(cluster_info));
  if (cluster.good() && rest::has_member(cluster.body, "clusterInfo"))
    return list_running(found, diagnostics);
  const bool other_server = history.good() || (history.status == 404 && !history.rpc_port);
  if (!other_server) server_.refuse({}, history);
  throw ExternalError({server_.base()}, "neither a JobHistory server nor a ResourceManager",
                      "give the web port of either (usually 19888 and 8088)");
}

// The server's `limit` keeps the oldest jobs of a window. So a window that reaches it is halved until it has
// fewer; after an empty window the next one is wider.
void RestSource::list_finished(const std::function<bool(HistoryFile&&)>& found,
                               const DiagnosticSink& diagnostics) const {
  const std::int64_t lowest = since_ ? std::max<std::int64_t>(to_ms(*since_), 0) : 0;
  const std::int64_t tomorrow = to_ms(now_instant()) + day;
  // First the jobs of clocks that run ahead.
  Window window{std::max(tomorrow, lowest), to_ms(longest_duration)};
  std::int64_t width = day;
  for (;;) {
    std::vector<rest::ListedJob> jobs = ask(server_, window, false);
    if (jobs.size() >= page && window.from < window.to) {
      width = (window.to - window.from + 1) / 2;
      window.from = window.to - width + 1;
      continue;
    }
    if (jobs.size() >= page) jobs = ask(server_, window, true);  // all in one millisecond
    for (const rest::ListedJob& job : jobs) {
      if (!rest::is_job_id(job.id)) {
        refuse_id(server_, job.id, "job", diagnostics);
        continue;
      }
      if (!found(file_of(server_, job))) return;
    }
    if (window.from <= lowest) return;
    if (jobs.size() < page / 4) width = std::min<std::int64_t>(width * 4, to_ms(longest_duration));
    window.to = window.from - 1;
    window.from = std::max(lowest, window.to - width + 1);
  }
}

void RestSource::list_asked(const std::function<bool(HistoryFile&&)>& found,
                            const DiagnosticSink& diagnostics) const {
  for (const std::string& id : jobs_) {
    std::optional<HistoryFile> file = ask_for(id, diagnostics);
    if (file && !found(std::move(*file))) return;
  }
}

// Absent if the server does not know the job, or cannot tell of it. Throws ExternalError if it is gone.
std::optional<HistoryFile> RestSource::ask_for(const std::string& id,
                                               const DiagnosticSink& diagnostics) const {
  constexpr int not_found = 404;
  if (!rest::is_job_id(id)) {
    refuse_id(server_, id, "job", diagnostics);
    return std::nullopt;
  }
  const std::string path = path_of(id), url = server_.base() + path;
  try {
    const ServerAnswer answer = server_.json(path);
    if (answer.status == not_found) return std::nullopt;
    if (!answer.good()) throw InputError({url}, "job " + answer.problem, answer.remedy);
    const rest::ListedJob job = rest::listed_job(answer.body, url);
    if (job.id != id)
      throw InputError({url}, "the answer is about another job than the one asked for",
                       "it tells of " + job.id);
    return file_of(server_, job);
  } catch (const InputError& error) {
    diagnostics(as_skipped(error));
  } catch (const ExternalError& error) {
    const std::string info(history_info);
    if (const ServerAnswer answer = server_.json(info); !answer.good()) server_.refuse(info, answer);
    diagnostics(as_skipped(error));
  }
  return std::nullopt;
}

void RestSource::list_running(const std::function<bool(HistoryFile&&)>& found,
                              const DiagnosticSink& diagnostics) const {
  const std::string path = "/ws/v1/cluster/apps?states=RUNNING&applicationTypes=MAPREDUCE";
  const ServerAnswer answer = server_.json(path);
  if (!answer.good()) server_.refuse(path, answer);
  std::vector<rest::Application> running = rest::applications(answer.body, server_.base() + path);
  std::sort(running.begin(), running.end(), [](const auto& a, const auto& b) {
    return std::tie(a.submit_ms, a.id) > std::tie(b.submit_ms, b.id);
  });
  for (const rest::Application& one : running) {
    if (!rest::is_application_id(one.id)) {
      refuse_id(server_, one.id, "application", diagnostics);
      continue;
    }
    if (!jobs_.empty() && std::find(jobs_.begin(), jobs_.end(), one.job()) == jobs_.end()) continue;
    if (!found(
            {fmt::format("{}{}{}/ws/v1/mapreduce/jobs/{}", server_.base(), proxied, one.id, one.job()), {}}))
      return;
  }
}

FileHistory RestSource::read(const HistoryFile& listed) const {
  FileHistory file{listed.name, {}, {}, {}};
  const std::string path = listed.name.substr(std::min(server_.base().size(), listed.name.size()));
  if (!path.starts_with(proxied)) {
    file.format = "JobHistory server REST";
    finished_.read(path, [&](JobRun& run) { run.hadoop = file.format; }, file);
    return file;
  }
  file.format = "ResourceManager REST";
  const std::string id = path.substr(proxied.size(), path.find('/', proxied.size()) - proxied.size());
  const ServerAnswer answer = server_.json("/ws/v1/cluster/apps/" + id);
  std::optional<rest::Application> told;
  try {
    if (answer.good()) told = rest::application(answer.body, listed.name);
  } catch (const InputError&) {  // no such application
  }
  if (!told || told->state != "RUNNING") {
    file.diagnostics.push_back(
        diagnosed(Diagnostic::Severity::note, {listed.name}, "ended meanwhile: its history tells the rest"));
    return file;
  }
  const auto prepare = [&](JobRun& run) {
    run.hadoop = file.format;
    run.queue = told->queue;
    if (told->submit_ms && *told->submit_ms > 0)
      run.submit = at_ms(std::min(*told->submit_ms, to_ms(longest_duration)));
  };
  running_.read(path, prepare, file);
  return file;
}

}  // namespace wavewright
