// The simulated cluster as a YARN that answers with texts, and the real YarnDriver over it: what the driver
// of a batch is told then has gone through JSON, and through all that reads it. Commands and kills are the
// simulated cluster's own. There is one ResourceManager, whose answers to the questions about one list are of
// one instant.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/live/simulated_cluster.h"
#include "wavewright/live/yarn/yarn_driver.h"

namespace wavewright {

// A web server without a network.
class AnsweringServer : public WebServer {
 public:
  struct Text {
    int status = 200;
    std::string body = {};
  };
  // `answer` gets paths with their queries. What it throws its caller gets.
  explicit AnsweringServer(std::function<Text(const std::string&)> answer)
      : WebServer(std::string("http://simulated:1"), ""), answer_(std::move(answer)) {}

 protected:
  [[nodiscard]] ServerAnswer ask(std::size_t /*which*/, const std::string& path, HttpLimits /*limits*/,
                                 const HttpClient::TakePiece& /*take*/) const override {
    Text text = answer_(path);
    ServerAnswer answer{text.status, std::move(text.body), {}, {}};
    if (answer.status != Text().status) answer.problem = fmt::format("answers {}", answer.status);
    return answer;
  }

 private:
  std::function<Text(const std::string&)> answer_;
};

class YarnTexts : public ClusterDriver {
 public:
  // `forgets`: the ResourceManager has no state store, so that each restart forgets.
  YarnTexts(SimulatedCluster& cluster, bool forgets)
      : cluster_(cluster),
        forgets_(forgets),
        resource_manager_([this](const std::string& path) { return told_by_manager(path); }),
        history_server_([this](const std::string& path) { return told_by_history(path); }),
        driver_(resource_manager_, &history_server_, ClientProcesses(std::vector<std::string>{"none"}), {},
                {.wait = std::chrono::hours(1)}) {}

  Applications applications(const std::string& tag) override { return driver_.applications(tag); }
  std::optional<Application> ended_application(const std::string& id) override {
    return driver_.ended_application(id);
  }
  std::vector<Application> ended_with(const std::string& tag, Time since) override {
    return driver_.ended_with(tag, since);
  }
  void kill_application(const ClientAttempt& attempt, const std::vector<std::string>& command,
                        const std::string& id) override {
    cluster_.kill_application(attempt, command, id);
  }
  std::string machine() override { return cluster_.machine(); }
  void start(const ClientAttempt& attempt, const std::vector<std::string>& command) override {
    cluster_.start(attempt, command);
  }
  Client client(const ClientAttempt& attempt) override { return cluster_.client(attempt); }
  void kill_client(const ClientAttempt& attempt) override { cluster_.kill_client(attempt); }

 private:
  using Text = AnsweringServer::Text;

  static std::int64_t ms_or_0(const std::optional<Time>& time) { return time ? to_ms(*time) : 0; }
  static std::string number_of(const std::string& id) { return id.substr(id.find('_')); }

  static std::string listed_text(const Application& each) {
    const char* state = "ACCEPTED";
    const char* status = "UNDEFINED";
    if (each.state == ApplicationState::running) state = "RUNNING";
    if (has_ended(each.state)) state = each.state == ApplicationState::killed ? "KILLED" : "FINISHED";
    if (each.state == ApplicationState::killed) status = "KILLED";
    if (each.state == ApplicationState::failed) status = "FAILED";
    if (each.state == ApplicationState::succeeded) status = "SUCCEEDED";
    return fmt::format(
        R"({{"id":"{}","state":"{}","finalStatus":"{}","applicationTags":"{}","startedTime":{},"launchTime":{},"finishedTime":{},"diagnostics":""}})",
        each.id, state, status, fmt::join(each.tags, ","), ms_or_0(each.accepted_at),
        ms_or_0(each.started_at), ms_or_0(each.ended_at));
  }

  static std::string job_text(const Application& each) {
    const char* state = each.state == ApplicationState::succeeded ? "SUCCEEDED"
                        : each.state == ApplicationState::killed  ? "KILLED"
                                                                  : "FAILED";
    return fmt::format(
        R"({{"id":"job{}","state":"{}","submitTime":{},"startTime":{},"finishTime":{},"diagnostics":""}})",
        number_of(each.id), state, ms_or_0(each.accepted_at), ms_or_0(each.started_at),
        ms_or_0(each.ended_at));
  }

  Text told_by_manager(const std::string& path) {
    const std::string apps = "/ws/v1/cluster/apps?applicationTags=";
    if (path.starts_with(apps)) {
      seen_ = cluster_.applications(path.substr(apps.size()));
      if (seen_.list.empty()) return {.body = R"({"apps":null})"};
      std::vector<std::string> rows;
      rows.reserve(seen_.list.size());
      for (const Application& each : seen_.list) rows.push_back(listed_text(each));
      return {.body = fmt::format(R"({{"apps":{{"app":[{}]}}}})", fmt::join(rows, ","))};
    }
    const ListMark& mark = seen_.mark;
    if (path == "/ws/v1/cluster/info")
      return {
          .body = fmt::format(
              R"({{"clusterInfo":{{"startedOn":{},"haState":"ACTIVE","hadoopVersion":"3.4.2","rmStateStoreName":"{}"}}}})",
              mark.began, forgets_ ? "NullRMStateStore" : "ZKRMStateStore")};
    if (path == "/ws/v1/cluster/metrics")
      return {.body =
                  fmt::format(R"({{"clusterMetrics":{{"appsCompleted":{},"appsFailed":0,"appsKilled":0}}}})",
                              mark.ended)};
    if (path == "/ws/v1/cluster/appstatistics")
      return {.body = fmt::format(
                  R"({{"appStatInfo":{{"statItem":[{{"state":"FINISHED","type":"*","count":{}}}]}}}})",
                  mark.listed)};
    if (path == "/conf")
      return {
          .body = fmt::format(
              R"({{"properties":[{{"key":"yarn.resourcemanager.max-completed-applications","value":"{}"}}]}})",
              mark.kept)};
    return {.status = 404};
  }

  Text told_by_history(const std::string& path) {
    const std::string jobs = "/ws/v1/history/mapreduce/jobs";
    if (path.starts_with(jobs + "?")) {
      recorded_ = cluster_.recorded();
      std::vector<std::string> rows;
      rows.reserve(recorded_.size());
      for (const Application& each : recorded_) rows.push_back(job_text(each));
      return {.body = fmt::format(R"({{"jobs":{{"job":[{}]}}}})", fmt::join(rows, ","))};
    }
    for (const Application& each : recorded_) {
      if (path != fmt::format("{}/job{}/conf", jobs, number_of(each.id))) continue;
      if (cluster_.cannot_load_a_job()) return {.status = 500};
      return {.body =
                  fmt::format(R"({{"conf":{{"property":[{{"name":"mapreduce.job.tags","value":"{}"}}]}}}})",
                              fmt::join(each.tags, ","))};
    }
    const std::string job = jobs + "/job";
    if (!path.starts_with(job)) return {.status = 404};
    std::optional<Application> ended;
    try {
      ended = cluster_.ended_application("application" + path.substr(job.size()));
    } catch (const HistoryUnread&) {
      return {.status = 500};
    }
    if (!ended) return {.status = 404};
    return {.body = fmt::format(R"({{"job":{}}})", job_text(*ended))};
  }

  SimulatedCluster& cluster_;
  bool forgets_;
  Applications seen_ = {};
  std::vector<Application> recorded_ = {};  // in the list that was asked for last
  AnsweringServer resource_manager_, history_server_;
  YarnDriver driver_;
};

}  // namespace wavewright
