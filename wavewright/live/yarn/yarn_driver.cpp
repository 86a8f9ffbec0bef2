#include "wavewright/live/yarn/yarn_driver.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wavewright/core/error.h"
#include "wavewright/history/json.h"
#include "wavewright/history/rest/answers.h"
#include "wavewright/live/yarn/resource_manager.h"
#include "wavewright/live/yarn/rest_answer.h"

namespace wavewright {

namespace {

using json::for_each;
using json::member;
using json::Value;

Value parse(json::Document& document, std::string_view text, const std::string& url) {
  try {
    return document.parse(text, url);
  } catch (const InputError& error) {
    throw ExternalError({url}, "does not answer with JSON: " + error.problem(),
                        "name the server's web address, like http://HOST:8088");
  }
}

[[noreturn]] void lacks(const std::string& url, const char* what) {
  throw ExternalError({url}, fmt::format("tells no {}", what),
                      "name the server's web address, like http://HOST:8088");
}

std::optional<Time> instant(Value object, std::string_view key) {
  const auto value = json::integer(object, key);
  return value && *value > 0 ? std::optional(at_ms(*value)) : std::nullopt;
}

ApplicationState state_of(std::string_view state, std::string_view final_status) {
  if (state == "RUNNING") return ApplicationState::running;
  if (state == "FAILED") return ApplicationState::failed;
  if (state == "KILLED") return ApplicationState::killed;
  if (state != "FINISHED") return ApplicationState::accepted;
  // A session of Tez ends so, whatever became of its queries: the client's exit status tells it.
  if (final_status == "SUCCEEDED" || final_status == "ENDED") return ApplicationState::succeeded;
  return final_status == "KILLED" ? ApplicationState::killed : ApplicationState::failed;
}

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(at), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

// Diagnostics are often a stack trace: its first line says what is wrong.
std::string first_line(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  text = text.substr(begin, text.find_first_of("\r\n", begin) - begin);
  constexpr std::size_t most = 300;
  return std::string(text.substr(0, most));
}

constexpr int not_found = 404, first_server_error = 500;

// A job's configuration is gone, or another user's. With another status nothing is known of it.
bool is_not_shown(int status) {
  constexpr int unauthorized = 401, forbidden = 403;
  return status == unauthorized || status == forbidden || status == not_found;
}

// From a job's configuration.
std::vector<std::string> parse_tags(std::string_view text, const std::string& url) {
  json::Document document;
  std::vector<std::string> tags;
  if (const auto conf = member(parse(document, text, url), "conf")) {
    for_each(*conf, "property", [&](Value property) {
      if (json::text(property, "name") == "mapreduce.job.tags")
        tags = split(json::text(property, "value"), ',');
    });
  }
  return tags;
}

std::string job_of_application(const std::string& id) {
  return "job_" + id.substr(std::min(id.find('_') + 1, id.size()));
}

}  // namespace

YarnDriver::YarnDriver(const WebServer& resource_manager, const WebServer* history_server,
                       ClientProcesses processes, KillPace pace, HistoryPatience patience)
    : resource_manager_(resource_manager),
      history_server_(history_server),
      processes_(std::move(processes)),
      active_(resource_manager),
      pace_(pace),
      questions_(history_server == nullptr ? std::string() : history_server->base(), patience) {}

Applications YarnDriver::applications(const std::string& tag) {
  look_at_kills();
  active_.find();
  require_hadoop(active_.version(), resource_manager_.base());
  const auto ask = [&](const std::string& path) { return fetch_json(resource_manager_, path); };
  const std::string& base = resource_manager_.base();
  Applications seen;
  seen.clock_ahead = active_.clock_ahead();
  // The marks last: what ends between the list and them only makes the driver more careful. Marks from before
  // the list would vouch for it, though it has dropped what ended since, and the driver submit that again.
  seen.list = parse_applications(ask("/ws/v1/cluster/apps?applicationTags=" + tag), base);
  const std::string info = ask("/ws/v1/cluster/info");
  seen.mark.incarnation = parse_incarnation(info, base);
  seen.mark.began = parse_began(info, base);
  seen.mark.ended = parse_ended(ask("/ws/v1/cluster/metrics"), base);
  seen.mark.kept = kept();
  seen.mark.listed = parse_listed(ask("/ws/v1/cluster/appstatistics"), base).value_or(seen.mark.kept);
  if (resource_manager_.base() != base)  // marks and list are of two servers
    throw ExternalError({base}, "another ResourceManager took over while it was asked", "ask again");
  not_mapreduce_.clear();
  for (const Application& each : seen.list) {
    if (!each.type.empty() && each.type != "MAPREDUCE") not_mapreduce_.insert(each.id);
  }
  return seen;
}

std::int64_t YarnDriver::kept() {
  if (kept_) return *kept_;
  constexpr std::int64_t hadoop_default = 1'000;
  kept_ = hadoop_default;
  try {
    const std::string conf = fetch_json(resource_manager_, "/conf");
    const auto setting = [&](const char* key, std::int64_t otherwise) {
      const std::string text = parse_setting(conf, key, resource_manager_.base());
      std::int64_t value = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      return error == std::errc{} && end == text.data() + text.size() && value > 0 ? value : otherwise;
    };
    const std::int64_t listed = setting("yarn.resourcemanager.max-completed-applications", hadoop_default);
    // So many are there again after a restart.
    const std::int64_t stored =
        setting("yarn.resourcemanager.state-store.max-completed-applications", listed);
    kept_ = std::min(listed, stored);
  } catch (const ExternalError&) {  // its configuration is not shown to everyone
  }
  return *kept_;
}

std::optional<Application> YarnDriver::ended_application(const std::string& id) {
  if (history_server_ == nullptr || !rest::is_application_id(id)) return std::nullopt;
  HistoryQuestions::Answer answer = questions_.answer(id, [this, id](InterruptFlag stopped) {
    HistoryQuestions::Answer found;
    if (std::optional<Application> ended = ended_in_history(id, stopped)) found.push_back(std::move(*ended));
    return found;
  });
  return answer.empty() ? std::nullopt : std::optional(std::move(answer.front()));
}

std::optional<Application> YarnDriver::ended_in_history(const std::string& id, InterruptFlag stopped) const {
  const std::string path = "/ws/v1/history/mapreduce/jobs/" + job_of_application(id);
  const ServerAnswer answer = history_server_->json(path, stopped);
  const std::string url = history_server_->base() + path;
  if (answer.status == not_found) return std::nullopt;
  if (answer.status >= first_server_error) {
    require_history_server(stopped);
    throw HistoryUnread(ExternalError({url}, answer.problem, answer.remedy));
  }
  if (!answer.good()) history_server_->refuse(path, answer);
  try {
    return parse_history_job(answer.body, url);
  } catch (const ExternalError& error) {  // it is damaged for this job alone, as far as one knows
    throw HistoryUnread(error);
  }
}

// A proxy before a server that is away answers for it, and so to each question.
void YarnDriver::require_history_server(InterruptFlag stopped) const {
  const std::string path = "/ws/v1/history/info";
  const ServerAnswer answer = history_server_->json(path, stopped);
  if (answer.status >= first_server_error) history_server_->refuse(path, answer);
}

std::vector<Application> YarnDriver::ended_with(const std::string& tag, Time since) {
  if (history_server_ == nullptr) return {};
  return questions_.answer(
      fmt::format("{} since {}", tag, to_ms(since)),
      [this, tag, since](InterruptFlag stopped) { return tagged_in_history(tag, since, stopped); });
}

std::vector<Application> YarnDriver::tagged_in_history(const std::string& tag, Time since,
                                                       InterruptFlag stopped) const {
  std::vector<Application> found;
  constexpr Duration clocks_apart = std::chrono::hours(1);  // of this machine and the cluster
  const std::string jobs = "/ws/v1/history/mapreduce/jobs";
  const std::string query = fmt::format("{}?startedTimeBegin={}", jobs, to_ms(since - clocks_apart));
  const ServerAnswer list = history_server_->json(query, stopped);
  if (!list.good()) history_server_->refuse(query, list);
  std::vector<rest::ListedJob> listed;
  try {
    listed = rest::listed_jobs(list.body, history_server_->base() + jobs);
  } catch (const InputError& error) {  // a bad response is an external error
    throw ExternalError(error.where(), error.problem(), error.remedy());
  }
  std::optional<ExternalError> unread;
  for (const rest::ListedJob& each : listed) {
    if (!rest::is_job_id(each.id)) continue;
    const std::string path = fmt::format("{}/{}/conf", jobs, each.id);
    const ServerAnswer answer = history_server_->json(path, stopped);
    if (!answer.good()) {
      if (!is_not_shown(answer.status))
        unread = ExternalError({history_server_->base() + path}, answer.problem, answer.remedy);
      continue;
    }
    std::vector<std::string> tags;
    try {
      tags = parse_tags(answer.body, history_server_->base() + path);
    } catch (const ExternalError& error) {
      unread = error;
      continue;
    }
    if (std::find(tags.begin(), tags.end(), tag) == tags.end()) continue;
    const std::string id = "application_" + each.id.substr(each.id.find('_') + 1);
    if (std::optional<Application> ended = ended_in_history(id, stopped)) {
      ended->tags = tags;
      found.push_back(std::move(*ended));
    }
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.accepted_at < b.accepted_at; });
  if (unread) throw HistoryUnread(*unread, std::move(found));
  return found;
}

void YarnDriver::kill_application(const ClientAttempt& attempt, const std::vector<std::string>& command,
                                  const std::string& id) {
  if (!rest::is_application_id(id)) return;
  const Duration now = SystemClocks().steady();
  Kill& kill = kills_[id];
  kill.asked = now;
  const std::vector<std::string> words = {"yarn", "application", "-kill", id};
  if (kill.program) {
    const Client end = kill.program->look();
    if (end.state == ClientState::alive) return;
    // The list that has the application may be from before that.
    if (!std::exchange(kill.ended, true)) return;
    kill.program.reset();
    if (end.state == ClientState::ended && end.exit_status == 0) return;
    std::string how = fmt::format("ended with {}", end.exit_status);
    if (end.state != ClientState::ended)
      how = now - *kill.begun < pace_.longest ? "was killed"
                                              : "did not end in " + format_duration(pace_.longest);
    throw ExternalError({fmt::format("{}", fmt::join(words, " "))},
                        end.last_words.empty() ? how : how + ": " + end.last_words, "it is tried again");
  }
  if (kill.begun && now - *kill.begun < pace_.between) return;
  kill.ended = false;
  kill.program = processes_.run_aside(attempt, command, words);
  kill.begun = now;
}

// Takes what they say, and ends those that hang. Applications that nobody asks to end any more are forgotten.
void YarnDriver::look_at_kills() {
  constexpr Duration forgotten = std::chrono::minutes(5);
  const Duration now = SystemClocks().steady();
  for (auto each = kills_.begin(); each != kills_.end();) {
    const Kill& kill = each->second;
    const bool alive = kill.program && kill.program->look().state == ClientState::alive;
    if (alive && now - *kill.begun >= pace_.longest) kill.program->kill();
    each = !alive && now - kill.asked >= forgotten ? kills_.erase(each) : std::next(each);
  }
}

Time SystemClocks::wall() {
  return at_ms(
      std::chrono::duration_cast<Duration>(std::chrono::system_clock::now().time_since_epoch()).count());
}

Duration SystemClocks::steady() {
  return std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now().time_since_epoch());
}

std::vector<Application> parse_applications(std::string_view text, const std::string& url) {
  json::Document document;
  const Value answer = parse(document, text, url);
  const auto list = member(answer, "apps");  // null if there is none
  if (!list) lacks(url, "applications");
  std::vector<Application> found;
  for_each(*list, "app", [&](Value each) {
    Application application;
    application.id = json::text(each, "id");
    if (!rest::is_application_id(application.id)) lacks(url, "ids of applications");
    application.state = state_of(json::text(each, "state"), json::text(each, "finalStatus"));
    application.tags = split(json::text(each, "applicationTags"), ',');
    application.accepted_at = instant(each, "startedTime");
    application.started_at = instant(each, "launchTime");
    application.ended_at = instant(each, "finishedTime");
    application.diagnostics = first_line(json::text(each, "diagnostics"));
    application.type = json::text(each, "applicationType");
    application.queue = json::text(each, "queue");
    const std::string_view node = json::text(each, "amHostHttpAddress");  // `N/A` before there is one
    if (node.find(':') != std::string_view::npos) application.master_node = node;
    found.push_back(std::move(application));
  });
  std::sort(found.begin(), found.end(), [](const Application& a, const Application& b) {
    return std::pair(a.accepted_at, a.id) < std::pair(b.accepted_at, b.id);
  });
  return found;
}

std::int64_t parse_incarnation(std::string_view text, const std::string& url) {
  json::Document document;
  const auto info = member(parse(document, text, url), "clusterInfo");
  if (!info) lacks(url, "ResourceManager");
  const std::string_view store = json::text(*info, "rmStateStoreName");
  const bool forgets = store.empty() || store.ends_with("NullRMStateStore");
  return forgets ? json::integer(*info, "startedOn").value_or(0) : 0;
}

std::int64_t parse_ended(std::string_view text, const std::string& url) {
  json::Document document;
  const auto metrics = member(parse(document, text, url), "clusterMetrics");
  if (!metrics) lacks(url, "metrics");
  std::int64_t ended = 0;
  for (const char* key : {"appsCompleted", "appsFailed", "appsKilled"})
    ended += json::integer(*metrics, key).value_or(0);
  return ended;
}

std::int64_t parse_began(std::string_view text, const std::string& url) {
  json::Document document;
  const auto info = member(parse(document, text, url), "clusterInfo");
  if (!info) lacks(url, "ResourceManager");
  return json::integer(*info, "startedOn").value_or(0);
}

std::optional<std::int64_t> parse_listed(std::string_view text, const std::string& url) {
  json::Document document;
  const auto counts = member(parse(document, text, url), "appStatInfo");
  if (!counts) return std::nullopt;
  std::optional<std::int64_t> ended;
  for_each(*counts, "statItem", [&](Value each) {
    const std::string_view state = json::text(each, "state");
    if (state == "FINISHED" || state == "FAILED" || state == "KILLED")
      ended = ended.value_or(0) + json::integer(each, "count").value_or(0);
  });
  return ended;
}

std::optional<Application> parse_history_job(std::string_view text, const std::string& url) {
  json::Document document;
  const auto job = member(parse(document, text, url), "job");
  if (!job) lacks(url, "job");
  const std::string_view id = json::text(*job, "id");
  if (!rest::is_job_id(id)) lacks(url, "job");
  const std::string_view state = json::text(*job, "state");
  Application application;
  application.id = "application_" + std::string(id.substr(id.find('_') + 1));
  application.state = state == "SUCCEEDED" ? ApplicationState::succeeded
                      : state == "KILLED"  ? ApplicationState::killed
                                           : ApplicationState::failed;
  application.accepted_at = instant(*job, "submitTime");
  application.started_at = instant(*job, "startTime");
  application.ended_at = instant(*job, "finishTime");
  application.diagnostics = first_line(json::text(*job, "diagnostics"));
  return application;
}

}  // namespace wavewright
