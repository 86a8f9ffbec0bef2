#include "wavewright/live/yarn/active_server.h"

#include <charconv>
#include <chrono>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "wavewright/core/when.h"
#include "wavewright/history/json.h"

namespace wavewright {

namespace {

constexpr const char* info_path = "/ws/v1/cluster/info";

Duration steady_now() {
  return std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now().time_since_epoch());
}

json::Value cluster_info(json::Document& document, std::string_view text, const std::string& url) {
  std::optional<json::Value> info;
  try {
    info = json::member(document.parse(text, url), "clusterInfo");
  } catch (const InputError&) {  // no JSON
  }
  if (!info)
    throw ExternalError({url}, "is no ResourceManager",
                        "name the ResourceManager's web address, like http://HOST:8088");
  return *info;
}

}  // namespace

std::string parse_ha_state(std::string_view text, const std::string& url) {
  json::Document document;
  const std::string_view state = json::text(cluster_info(document, text, url), "haState");
  return state.empty() ? "ACTIVE" : std::string(state);
}

std::string parse_hadoop_version(std::string_view text, const std::string& url) {
  json::Document document;
  const json::Value info = cluster_info(document, text, url);
  const std::string_view version = json::text(info, "hadoopVersion");
  return std::string(version.empty() ? json::text(info, "resourceManagerVersion") : version);
}

void require_hadoop(const std::string& version, const std::string& url) {
  constexpr int driven = 3;
  int major = driven;  // stays so without a number
  const auto read = std::from_chars(version.data(), version.data() + version.size(), major);
  if (major == driven && read.ec != std::errc::result_out_of_range) return;
  constexpr std::size_t most = 60;
  throw OtherHadoop(
      {url},
      fmt::format("runs Hadoop {}, and Wavewright drives Hadoop {} only", version.substr(0, most), driven),
      fmt::format("name the ResourceManager of a cluster with Hadoop {}", driven));
}

Duration clock_ahead(Time told, Time before, Time after) {
  constexpr Duration second = std::chrono::seconds(1);
  if (told > after) return told - after;
  if (told + second < before) return told + second - before;
  return {};
}

// False, too, if it gave no answer that tells what it is.
bool ActiveServer::is_active(std::size_t which) {
  constexpr Duration rest = std::chrono::seconds(10);
  const std::string url = servers_.bases()[which] + info_path;
  try {
    const Time before = now_instant();
    const ServerAnswer answer = servers_.json_of(which, info_path);
    const Time after = now_instant();
    if (!answer.good()) throw ExternalError({url}, answer.problem, answer.remedy);
    const std::string state = parse_ha_state(answer.body, url);
    // One that serves pages before its scheduler runs says so; there is no other one to name.
    const bool starts = state == "INITIALIZING";
    of_[which] = {
        {},
        starts ? "is still starting" : "is " + state,
        starts ? "try again in some seconds" : "see the ResourceManagers' logs for why none is active",
        starts};
    of_[which].version = parse_hadoop_version(answer.body, url);
    if (answer.date) of_[which].clock_ahead = wavewright::clock_ahead(*answer.date, before, after);
    return state == "ACTIVE";
  } catch (const ExternalError& error) {
    of_[which] = {steady_now() + rest, error.problem(), error.remedy()};
    return false;
  }
}

void ActiveServer::refuse() const {
  const std::vector<std::string>& bases = servers_.bases();
  if (bases.size() == 1) {
    const bool other_is_meant = of_[0].silent_until == Duration{} && !of_[0].starts;
    throw ExternalError(
        {bases[0]}, of_[0].problem,
        other_is_meant ? "name the active one, or all with commas between them" : of_[0].remedy);
  }
  std::string problems;
  for (std::size_t which = 0; which < bases.size(); ++which)
    problems += fmt::format("{}{} {}", which == 0 ? "" : "; ", bases[which], of_[which].problem);
  throw ExternalError({}, "no ResourceManager is active: " + problems, of_[0].remedy);
}

void ActiveServer::find() {
  const std::vector<std::string>& bases = servers_.bases();
  const Duration now = steady_now();
  std::vector<bool> rests(bases.size());
  for (std::size_t which = 0; which < bases.size(); ++which) rests[which] = of_[which].silent_until > now;
  std::optional<std::size_t> active;
  for (const bool resting : {false, true}) {  // those that rest are asked where no other is active
    for (std::size_t which = 0; which < bases.size() && !(resting && active); ++which) {
      if (rests[which] != resting || !is_active(which)) continue;
      if (active)
        throw ExternalError(
            {}, fmt::format("{} and {} both say that they are active", bases[*active], bases[which]),
            "wait until one of them sees that it is not; see their logs");
      active = which;
    }
  }
  if (!active) refuse();
  servers_.prefer(*active);
  version_ = of_[*active].version;
  clock_ahead_ = of_[*active].clock_ahead;
}

void find_resource_manager(const WebServer& servers) {
  ActiveServer active(servers);
  active.find();
  require_hadoop(active.version(), servers.base());
}

}  // namespace wavewright
