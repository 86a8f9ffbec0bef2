#include "wavewright/live/yarn/queue_names.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/live/yarn/resource_manager.h"
#include "wavewright/live/yarn/yarn_driver.h"

namespace wavewright {

namespace {

constexpr std::string_view root = "root.";

bool has_queue(const std::vector<Queue>& queues, const std::string& name) {
  return std::any_of(queues.begin(), queues.end(), [&](const Queue& queue) {
    return queue.name == name || queue.name.ends_with("." + name) ||
           (name.starts_with(root) && queue.name == name.substr(root.size()));
  });
}

// Placement rules that may put a job elsewhere than it asks. The two of Hadoop's own leave a job alone that
// names a queue, unless they are told to override it.
bool may_place(const std::string& conf, const std::string& url) {
  if (parse_setting(conf, "yarn.scheduler.capacity.queue-mappings-override.enable", url) == "true")
    return true;
  std::string rules = parse_setting(conf, "yarn.scheduler.queue-placement-rules", url);
  std::erase(rules, ' ');
  const std::vector<std::string> usual = {"", "user-group", "app-name", "user-group,app-name",
                                          "app-name,user-group"};
  return std::find(usual.begin(), usual.end(), rules) == usual.end();
}

}  // namespace

void require_queue(const std::vector<Queue>& queues, const std::string& name) {
  if (has_queue(queues, name)) return;
  const std::string below = name.starts_with(root) ? name.substr(root.size()) : name;
  std::vector<std::string> paths, last;
  paths.reserve(queues.size());
  last.reserve(queues.size());
  for (const Queue& queue : queues) {
    paths.push_back(queue.name);
    last.push_back(queue.name.substr(queue.name.rfind('.') + 1));
  }
  const std::optional<std::string> meant = nearest(below, last);
  throw UsageError(fmt::format("the cluster has no queue '{}'", name),
                   meant ? fmt::format("did you mean '{}'?", *meant) : suggestion(below, paths));
}

void QueueNames::require(const std::string& name) {
  // YARN takes its default queue for none, which placement rules may then choose.
  if (name.empty() || name == "default" || name == "root.default") return;
  if (known_ && has_queue(*known_, name)) return;
  constexpr std::chrono::seconds rest(10);
  const auto now = std::chrono::steady_clock::now();
  if (!known_ && asked_ && now - *asked_ < rest) return;
  known_ = ask();
  asked_ = std::chrono::steady_clock::now();
  if (known_) require_queue(*known_, name);
}

std::optional<std::vector<Queue>> QueueNames::ask() const {
  const std::string scheduler = "/ws/v1/cluster/scheduler", settings = "/conf";
  try {
    const std::string& base = resource_manager_.base();
    Queues found = parse_queues(fetch_json(resource_manager_, scheduler), base + scheduler);
    const bool refuses = found.scheduler == "capacityScheduler" && !found.queues.empty() && !found.makes_more;
    if (!refuses || may_place(fetch_json(resource_manager_, settings), base + settings)) return std::nullopt;
    return std::move(found.queues);
  } catch (const ExternalError&) {
    return std::nullopt;
  }
}

}  // namespace wavewright
