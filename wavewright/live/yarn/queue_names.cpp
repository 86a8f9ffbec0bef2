#include "wavewright/live/yarn/queue_names.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/live/yarn/rest_answer.h"

namespace wavewright {

namespace {

constexpr std::string_view root = "root.";

// YARN takes its default queue for none, which placement rules may then choose.
bool is_default(const std::string& name) {
  return name.empty() || name == "default" || name == "root.default";
}

// The queues of that name: one by its path, all by a last part.
std::vector<const Queue*> queues_of(const std::vector<Queue>& queues, const std::string& name) {
  std::vector<const Queue*> found;
  const bool from_root = name.starts_with(root);
  const std::string below = from_root ? name.substr(root.size()) : name;
  const bool is_path = from_root || below.find('.') != std::string::npos;
  for (const Queue& queue : queues) {
    if (is_path && queue.name == below) return {&queue};
    if (queue.name == below || (!from_root && queue.name.ends_with("." + name))) found.push_back(&queue);
  }
  return found;
}

std::vector<std::string> queues_below(const std::vector<Queue>& queues, const std::string& path) {
  std::vector<std::string> below;
  for (const Queue& queue : queues) {
    if (queue.name.starts_with(path + ".")) below.push_back(queue.name);
  }
  return below;
}

// The first ten names, and a mark if there are more.
std::string first_of(std::vector<std::string> names) {
  constexpr std::size_t most = 10;
  if (names.size() > most) {
    names.resize(most);
    names.emplace_back("…");
  }
  return fmt::format("{}", fmt::join(names, " "));
}

UsageError unknown(const std::vector<Queue>& queues, const std::string& name) {
  const std::string below = name.starts_with(root) ? name.substr(root.size()) : name;
  std::vector<std::string> paths, last;
  paths.reserve(queues.size());
  last.reserve(queues.size());
  for (const Queue& queue : queues) {
    paths.push_back(queue.name);
    last.push_back(queue.name.substr(queue.name.rfind('.') + 1));
  }
  const std::optional<std::string> meant = nearest(below, last);
  return UsageError(fmt::format("the cluster has no queue '{}'", name),
                    meant ? fmt::format("did you mean '{}'?", *meant) : suggestion(below, paths));
}

UsageError above_others(const std::string& name, const std::vector<std::string>& below) {
  return UsageError(fmt::format("queue '{}' has queues below it, and takes no jobs itself", name),
                    "name one of them: " + first_of(below));
}

std::optional<UsageError> refusal_of(const Queues& told, const std::string& name) {
  const std::vector<Queue>& queues = told.queues;
  if (name == "root") {
    std::vector<std::string> all;
    all.reserve(queues.size());
    for (const Queue& queue : queues) all.push_back(queue.name);
    return told.makes_more ? std::nullopt : std::optional(above_others(name, all));
  }
  const std::vector<const Queue*> found = queues_of(queues, name);
  if (found.empty()) return told.makes_more ? std::nullopt : std::optional(unknown(queues, name));
  if (found.size() > 1) {
    std::vector<std::string> paths;
    paths.reserve(found.size());
    for (const Queue* queue : found) paths.push_back(std::string(root) + queue->name);
    return UsageError(fmt::format("several queues are named '{}'", name),
                      "name one by its whole path: " + first_of(paths));
  }
  const std::string& path = found.front()->name;
  if (std::find(told.closed.begin(), told.closed.end(), path) != told.closed.end())
    return UsageError(fmt::format("queue '{}' is stopped, and takes no jobs now", name),
                      "name another, or ask its administrator to start it");
  const std::vector<std::string> below = queues_below(queues, path);
  if (!below.empty() && !told.makes_more) return above_others(name, below);
  return std::nullopt;
}

}  // namespace

bool may_place_elsewhere(const std::string& conf, const std::string& url) {
  if (parse_setting(conf, "yarn.scheduler.capacity.queue-mappings-override.enable", url) == "true")
    return true;
  std::string rules = parse_setting(conf, "yarn.scheduler.queue-placement-rules", url);
  std::erase(rules, ' ');
  const std::vector<std::string> usual = {"", "user-group", "app-name", "user-group,app-name",
                                          "app-name,user-group"};
  return std::find(usual.begin(), usual.end(), rules) == usual.end();
}

void require_queue(const std::vector<Queue>& queues, const std::string& name) {
  if (queues_of(queues, name).empty()) throw unknown(queues, name);
}

void require_open_queue(const Queues& queues, const std::string& name) {
  if (const std::optional<UsageError> refusal = refusal_of(queues, name)) throw UsageError(*refusal);
}

bool QueueNames::is_fresh() const {
  constexpr std::chrono::seconds rest(10);
  return asked_ && std::chrono::steady_clock::now() - *asked_ < rest;
}

void QueueNames::require(const std::string& name) {
  if (is_default(name)) return;
  if (is_fresh() && (!refuses_ || !refusal_of(*told_, name))) return;
  ask();
  if (refuses_) require_open_queue(*told_, name);
}

std::string QueueNames::doubt(const std::string& name) {
  if (is_default(name)) return {};
  if (!is_fresh()) ask();
  if (!told_ || told_->scheduler != "fairScheduler") return {};
  const std::vector<const Queue*> found = queues_of(told_->queues, name);
  if (found.size() != 1) return {};
  const std::vector<std::string> below = queues_below(told_->queues, found.front()->name);
  if (below.empty()) return {};
  return fmt::format(
      "queue '{}' has queues below it ({}): the Fair scheduler takes no jobs there, unless its placement "
      "rules choose one of these",
      name, first_of(below));
}

void QueueNames::ask() {
  const std::string scheduler = "/ws/v1/cluster/scheduler", settings = "/conf";
  told_.reset();
  refuses_ = false;
  tls_failure_.clear();
  try {
    const std::string& base = resource_manager_.base();
    told_ = parse_queues(fetch_json(resource_manager_, scheduler), base + scheduler);
    refuses_ = told_->scheduler == "capacityScheduler" && !told_->queues.empty() &&
               !may_place_elsewhere(fetch_json(resource_manager_, settings), base + settings);
  } catch (const TlsFailure& error) {
    tls_failure_ = error.what();
  } catch (const ExternalError&) {  // YARN decides
  }
  asked_ = std::chrono::steady_clock::now();
}

}  // namespace wavewright
