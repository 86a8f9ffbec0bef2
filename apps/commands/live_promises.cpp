#include "apps/commands/live_promises.h"

#include <chrono>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/commands/promised_jobs.h"
#include "wavewright/core/error.h"
#include "wavewright/core/when.h"
#include "wavewright/live/promise/node_probe.h"
#include "wavewright/live/yarn/resource_manager.h"
#include "wavewright/live/yarn/yarn_driver.h"

namespace wavewright::app {

namespace {

constexpr Duration heartbeat = ms(1'000);    // of nodes, YARN's default
constexpr Duration list_again = ms(10'000);  // YARN's nodes

}  // namespace

LivePromises::LivePromises(PromiseWatch watch, LiveFeedback& feedback)
    : watch_(std::move(watch)),
      feedback_(feedback),
      seen_(std::make_shared<const SeenCluster>(SeenCluster{{}, watch_.cluster.total_slots()})),
      thread_([this] { work(); }) {}

LivePromises::~LivePromises() {
  {
    const std::scoped_lock lock(mutex_);
    ends_ = true;
  }
  stopped_ = true;
  changed_.notify_all();
  thread_.join();
}

std::shared_ptr<const SeenCluster> LivePromises::give(BatchDriver& driver) {
  std::vector<BatchEvent> events;
  std::vector<FoundRisk> risks;
  std::shared_ptr<const SeenCluster> seen;
  {
    const std::scoped_lock lock(mutex_);
    std::swap(events, events_);
    std::swap(risks, risks_);
    seen = seen_;
  }
  for (BatchEvent& each : events) driver.note_of_batch(each.what, std::move(each.detail));
  for (FoundRisk& each : risks) driver.put_at_risk(each.job, each.at_risk, std::move(each.detail));
  return seen;
}

void LivePromises::work() {
  const WebServer server(server_urls(watch_.resource_manager, 8088), watch_.ca_file, &stopped_);
  WebServerProbe probe;
  NodeWatch nodes(
      [&probe](const std::vector<std::string>& addresses) { return probe.ask(addresses, heartbeat); });
  std::unique_lock lock(mutex_);
  while (!ends_) {
    lock.unlock();
    const auto next = std::chrono::steady_clock::now() + heartbeat;
    try {
      list_nodes(server);
      round(nodes);
    } catch (const Interrupted&) {  // it ends
    } catch (const Error&) {        // the ResourceManager is away; the program that runs the batch says so
    }
    lock.lock();
    changed_.wait_until(lock, next, [&] { return ends_; });
  }
}

void LivePromises::list_nodes(const WebServer& server) {
  const Duration steady = SystemClocks().steady();
  if (!listed_.empty() && steady - listed_at_ < list_again) return;
  listed_at_ = steady;
  constexpr const char* path = "/ws/v1/cluster/nodes";
  try {
    listed_ = parse_watched_nodes(fetch_json(server, path), server.base() + path);
  } catch (const ExternalError&) {  // those of before
  }
}

void LivePromises::round(NodeWatch& nodes) {
  const NodeWatch::News news = nodes.look(listed_);
  const LiveBatch batch = feedback_.snapshot();
  std::set<std::string> away = nodes.gone();
  away.insert(nodes.silent().begin(), nodes.silent().end());
  const SlotPool all = watch_.cluster.total_slots(), lost = slots_of(watch_.cluster, away);
  PromiseRules rules = promise_rules(watch_.cluster, batch);
  rules.slots = {all.map_slots - lost.map_slots, all.reduce_slots - lost.reduce_slots};
  SeenCluster seen{without_silent(*feedback_.progress(), slots_of(watch_.cluster, nodes.silent()), all),
                   rules.slots};
  std::vector<FoundRisk> risks = found_risks(batch, seen.progress, rules, now_instant());
  for (FoundRisk& each : risks) {
    if (each.at_risk && !away.empty()) each.detail += fmt::format("; away: {}", fmt::join(away, ", "));
  }
  const std::scoped_lock lock(mutex_);
  seen_ = std::make_shared<const SeenCluster>(std::move(seen));
  risks_ = std::move(risks);
  for (const std::string& host : news.silent)
    events_.push_back({"NodeSilent", host + " does not answer, and YARN does not know it yet"});
  for (const std::string& host : news.back) events_.push_back({"NodeBack", host});
}

}  // namespace wavewright::app
