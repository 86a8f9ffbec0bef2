#include "wavewright/live/yarn/queue_access.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/history/json.h"
#include "wavewright/live/submission/account.h"
#include "wavewright/live/yarn/queue_names.h"
#include "wavewright/live/yarn/resource_manager.h"
#include "wavewright/live/yarn/rest_answer.h"

namespace wavewright {

namespace {

using json::member;
using json::Value;

const std::string rest = "/ws/v1/cluster";
constexpr std::string_view root = "root.";
constexpr std::string_view user_name = "HADOOP_USER_NAME", proxy_user = "HADOOP_PROXY_USER";

std::string variable(const std::vector<std::string>& environment, std::string_view name) {
  for (const std::string& entry : environment) {
    if (entry.starts_with(name) && entry.substr(name.size()).starts_with('='))
      return entry.substr(name.size() + 1);
  }
  return {};
}

// The object that has the field: the answer, or one within it that has the name of its class.
Value holder_of(Value answer, std::string_view field) {
  simdjson::dom::object fields;
  if (member(answer, field) || answer.get(fields) != simdjson::SUCCESS) return answer;
  for (const simdjson::dom::key_value_pair each : fields) {
    if (member(each.value, field)) return each.value;
  }
  return answer;
}

std::string_view last_part(std::string_view path) {
  return path.substr(path.rfind('.') + 1);  // all of it without a dot
}

// The name by which any YARN finds the queue: the last part of its path, as Hadoop knows no paths before 3.3;
// its path where another queue ends alike. Absent if it is not listed or if the name means several.
std::optional<std::string> name_for_yarn(const std::vector<Queue>& queues, const std::string& given) {
  if (given == "root") return given;
  const bool from_root = given.starts_with(root);
  const std::string below = from_root ? given.substr(root.size()) : given;
  const Queue* found = nullptr;
  for (const Queue& queue : queues) {
    if (queue.name != below && (from_root || !queue.name.ends_with("." + given))) continue;
    if (found != nullptr) return std::nullopt;
    found = &queue;
  }
  if (found == nullptr) return std::nullopt;
  const std::string_view last = last_part(found->name);
  const auto alike = std::count_if(queues.begin(), queues.end(),
                                   [&](const Queue& queue) { return last_part(queue.name) == last; });
  return alike == 1 ? std::string(last) : std::string(root) + found->name;
}

// The user as whom a web server of YARN takes this program; empty if it does not tell.
std::string who_asks(const WebServer& resource_manager) {
  const std::string path = rest + "/userinfo";
  const ServerAnswer answer = resource_manager.json(path);
  if (!answer.good()) return {};
  json::Document document;
  constexpr std::string_view field = "requestedUser";
  const Value told = parse_answer(document, answer.body, resource_manager.base() + path);
  return std::string(json::text(holder_of(told, field), field));
}

}  // namespace

std::optional<bool> parse_queue_access(std::string_view text, const std::string& url) {
  json::Document document;
  constexpr std::string_view field = "allowed";
  const Value holder = holder_of(parse_answer(document, text, url), field);
  const std::optional<Value> told = member(holder, field);
  if (bool truth = false; told && told->get(truth) == simdjson::SUCCESS) return truth;
  const std::string_view word = json::text(holder, field);
  if (word == "true" || word == "false") return word == "true";
  return std::nullopt;
}

QueueAccess::QueueAccess(const std::vector<std::string>& resource_managers, const std::string& ca_file,
                         InterruptFlag interrupted)
    : plain_(resource_managers, ca_file, interrupted), named_(resource_managers, ca_file, interrupted) {}

void QueueAccess::require(const std::string& queue, const Submitter& submitter) {
  // YARN takes its default queue for none, which placement rules may then choose.
  if (queue.empty() || queue == "default" || queue == "root.default") return;
  try {
    learn();
    if (!rules_.hold) return;
    const std::optional<std::string> name = name_for_yarn(rules_.queues, queue);
    if (!name) return;
    const std::optional<std::string> user = user_of(submitter);
    if (!user) return;
    const std::string named = variable(submitter.environment, user_name);
    const std::string asks = named.empty() ? own_account() : named;
    for (const char* right : {"SUBMIT_APPLICATIONS", "ADMINISTER_QUEUE"}) {
      if (may(*user, right, *name, asks)) return;
    }
    throw UsageError(fmt::format("user '{}' may not submit to queue '{}'", *user, queue),
                     fmt::format("name a queue that {} may use, or ask for {} to be put into its "
                                 "acl_submit_applications; nothing was submitted",
                                 *user, *user));
  } catch (const TlsFailure& error) {
    tls_failure_ = error.what();
  } catch (const ExternalError&) {  // no answer, or none of a ResourceManager: YARN decides
  }
}

void QueueAccess::learn() {
  constexpr std::chrono::seconds rest_between(10);
  const auto now = std::chrono::steady_clock::now();
  if (learned_ && now - *learned_ < rest_between) return;
  learned_ = now;
  rules_ = {};
  tls_failure_.clear();
  const std::string settings = "/conf", scheduler = rest + "/scheduler";
  const std::string conf = fetch_json(plain_, settings);
  const std::string& base = plain_.base();
  if (parse_setting(conf, "yarn.acl.enable", base + settings) != "true") return;
  Queues found = parse_queues(fetch_json(plain_, scheduler), base + scheduler);
  rules_.hold = found.scheduler == "capacityScheduler" && !may_place_elsewhere(conf, base + settings);
  rules_.kerberos = parse_setting(conf, "hadoop.security.authentication", base + settings) == "kerberos";
  rules_.queues = std::move(found.queues);
}

std::optional<std::string> QueueAccess::user_of(const Submitter& submitter) const {
  const std::string proxied = variable(submitter.environment, proxy_user);
  if (rules_.kerberos) {
    if (!submitter.account.empty() || !proxied.empty()) return std::nullopt;
    const std::string own = own_account();
    return who_asks(plain_) == own ? std::optional(own) : std::nullopt;
  }
  if (!submitter.account.empty()) return submitter.account;
  if (!proxied.empty()) return proxied;
  const std::string named = variable(submitter.environment, user_name);
  return named.empty() ? own_account() : named;
}

// True also if nobody tells. Only administrators of the queue may ask: without Kerberos `asks` may be one,
// where the user of web pages is none.
bool QueueAccess::may(const std::string& user, const std::string& right, const std::string& queue,
                      const std::string& asks) const {
  const std::string path = fmt::format("{}/queues/{}/access?user={}&queue-acl-type={}", rest,
                                       percent_encoded(queue), percent_encoded(user), right);
  constexpr int forbidden = 403;
  ServerAnswer answer = plain_.json(path);
  if (answer.status == forbidden && !rules_.kerberos)
    answer = named_.json(path + "&user.name=" + percent_encoded(asks));
  if (!answer.good()) return true;
  return parse_queue_access(answer.body, plain_.base() + path).value_or(true);
}

}  // namespace wavewright
