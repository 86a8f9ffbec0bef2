#include "wavewright/live/yarn/scheduler_conf.h"

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/history/json.h"
#include "wavewright/live/yarn/resource_manager.h"

namespace wavewright {

namespace {

const std::string prefix = "yarn.scheduler.capacity.";

std::string escaped(const std::string& text) {
  std::string made;
  for (const char c : text) {
    switch (c) {
      case '&':
        made += "&amp;";
        break;
      case '<':
        made += "&lt;";
        break;
      case '>':
        made += "&gt;";
        break;
      default:
        made += c;
    }
  }
  return made;
}

}  // namespace

std::string SchedulerConf::general(const std::string& key) const {
  const auto found = values_.find(prefix + key);
  return found == values_.end() ? std::string() : found->second;
}

std::string SchedulerConf::of(const std::string& queue, const std::string& key) const {
  return general(queue + "." + key);
}

std::vector<std::string> SchedulerConf::children(const std::string& queue) const {
  std::vector<std::string> paths;
  std::string name;
  const auto end_name = [&] {
    if (!name.empty()) paths.push_back(queue + "." + name);
    name.clear();
  };
  for (const char c : of(queue, "queues")) {
    if (c == ',') {
      end_name();
    } else if (c != ' ' && c != '\n' && c != '\t' && c != '\r') {
      name += c;
    }
  }
  end_name();
  return paths;
}

std::vector<std::pair<std::string, std::string>> SchedulerConf::keys_of(const std::string& queue,
                                                                        const std::string& begin) const {
  std::vector<std::pair<std::string, std::string>> found;
  const std::string own = prefix + queue + ".";
  for (auto each = values_.lower_bound(own + begin);
       each != values_.end() && each->first.starts_with(own + begin); ++each)
    found.emplace_back(each->first.substr(own.size()), each->second);
  return found;
}

SchedulerConf parse_scheduler_conf(std::string_view text, const std::string& url) {
  json::Document document;
  std::map<std::string, std::string> values;
  try {
    json::for_each(document.parse(text, url), "property", [&](json::Value each) {
      values[std::string(json::text(each, "name"))] = json::text(each, "value");
    });
  } catch (const InputError& error) {
    throw ExternalError({url}, "does not answer with JSON: " + error.problem(),
                        "name the ResourceManager's web address, like http://HOST:8088");
  }
  if (!values.contains(prefix + "root.queues"))
    throw ExternalError({url}, "tells no queues of the Capacity scheduler",
                        "pools need the Capacity scheduler; leave out --pools-under");
  return SchedulerConf(std::move(values));
}

void SchedulerChange::remove(const std::string& queue) {
  body_ += "<remove-queue>" + escaped(queue) + "</remove-queue>";
}

void SchedulerChange::change(const std::string& how, const std::string& queue, const Settings& settings) {
  body_ += fmt::format("<{}><queue-name>{}</queue-name><params>", how, escaped(queue));
  for (const auto& [key, value] : settings)
    body_ += fmt::format("<entry><key>{}</key><value>{}</value></entry>", escaped(key), escaped(value));
  body_ += fmt::format("</params></{}>", how);
}

std::string SchedulerConfApi::path() const {
  return "/ws/v1/cluster/scheduler-conf?user.name=" + percent_encoded(user_);
}

std::string SchedulerConfApi::address() const {
  return resource_manager_.base() + path().substr(0, path().find('?'));
}

SchedulerConf SchedulerConfApi::read() const {
  const ServerAnswer answer = resource_manager_.json(path());
  constexpr int lowest_of_server = 500;
  if (!answer.good() && answer.status >= lowest_of_server) resource_manager_.refuse(path(), answer);
  if (!answer.good()) {
    const bool forbidden = answer.status == 401 || answer.status == 403;
    throw ExternalError(
        {address()},
        forbidden ? fmt::format("user '{}' may not change its queues", user_)
                  : fmt::format("its queues cannot be changed: it {}", answer.problem),
        forbidden ? "ask its administrator for yarn.admin.acl, or leave out --pools-under"
                  : "pools need the Capacity scheduler with yarn.scheduler.configuration.store.class "
                    "memory, leveldb, zk or fs; or leave out --pools-under");
  }
  return parse_scheduler_conf(answer.body, address());
}

std::string SchedulerConfApi::change(const SchedulerChange& change) const {
  const ServerAnswer answer = resource_manager_.put(path(), change.xml(), "application/xml");
  constexpr int done = 200;
  constexpr int lowest_of_server = 500;
  if (answer.status == done) return {};
  if (answer.status >= lowest_of_server) resource_manager_.refuse(path(), answer);
  if (answer.status == 401 || answer.status == 403)
    return fmt::format("user '{}' may not change its queues", user_);
  std::string words = answer.body.substr(0, answer.body.find_first_of("\r\n"));
  constexpr std::size_t most = 300;
  if (words.empty() || words.starts_with('<') || words.starts_with('{')) words = answer.problem;
  return words.substr(0, most);
}

}  // namespace wavewright
