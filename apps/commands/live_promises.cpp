#include "apps/commands/live_promises.h"

#include <chrono>
#include <system_error>

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

constexpr Duration list_again = ms(10'000);  // YARN's nodes

}  // namespace

LivePromises::LivePromises(PromiseWatch watch, LiveFeedback& feedback)
    : watch_(std::move(watch)),
      feedback_(feedback),
      server_(server_urls(watch_.resource_manager, 8088), watch_.ca_file, &stopped_),
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

void LivePromises::give(BatchDriver& driver) {
  std::vector<BatchEvent> events;
  std::vector<FoundRisk> risks;
  {
    const std::scoped_lock lock(mutex_);
    std::swap(events, events_);
    std::swap(risks, risks_);
  }
  for (BatchEvent& each : events) driver.note_of_batch(each.what, std::move(each.detail));
  for (FoundRisk& each : risks) driver.put_at_risk(each.job, each.at_risk, std::move(each.detail));
}

bool LivePromises::wait_for_news(std::chrono::milliseconds at_most) {
  std::unique_lock lock(mutex_);
  return found_.wait_for(lock, at_most, [&] { return !events_.empty() || !risks_.empty(); });
}

std::shared_ptr<const SeenCluster> LivePromises::seen() {
  const std::scoped_lock lock(mutex_);
  return seen_;
}

void LivePromises::work() {
  WebServerProbe probe;
  NodeWatch nodes(
      [&probe](const std::vector<std::string>& addresses) { return probe.ask(addresses, ask_nodes_within); });
  std::set<std::string> hosts;
  for (const NodeGroup& group : watch_.cluster.nodes) hosts.insert(group.hosts.begin(), group.hosts.end());
  nodes.expect(std::move(hosts));
  std::unique_lock lock(mutex_);
  while (!ends_) {
    lock.unlock();
    const auto next = std::chrono::steady_clock::now() + ask_nodes_again;
    try {
      list_nodes();
      if (has_list_) round(nodes);
    } catch (const Interrupted&) {  // it ends
    } catch (const Error&) {        // the ResourceManager is away; the program that runs the batch says so
    }
    lock.lock();
    changed_.wait_until(lock, next, [&] { return ends_; });
  }
}

void LivePromises::list_nodes() {
  if (listing_.valid()) {
    if (listing_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    try {
      listed_ = listing_.get();
      has_list_ = true;
    } catch (const ExternalError&) {  // those of before
    }
  }
  const Duration steady = SystemClocks().steady();
  if (!listed_.empty() && steady - listed_at_ < list_again) return;
  listed_at_ = steady;
  try {
    listing_ = std::async(std::launch::async, [this] {
      constexpr const char* path = "/ws/v1/cluster/nodes";
      return parse_watched_nodes(fetch_json(server_, path), server_.base() + path);
    });
  } catch (const std::system_error&) {  // no more threads: at the next look
  }
}

void LivePromises::round(NodeWatch& nodes) {
  const NodeWatch::News news = nodes.look(listed_);
  if (!nodes.is_sure()) return;
  const LiveBatch batch = feedback_.snapshot();
  const std::set<std::string> silent_hosts = nodes.silent();
  std::set<std::string> away = nodes.gone();
  away.insert(silent_hosts.begin(), silent_hosts.end());
  const bool named = nodes.knows_hosts();
  NodeIndex count = 0;
  for (const NodeGroup& group : watch_.cluster.nodes) count += static_cast<NodeIndex>(group.count);
  const SlotPool all = watch_.cluster.total_slots();
  const SlotPool lost =
      named ? slots_of(watch_.cluster, away) : slots_of_any(watch_.cluster, nodes.missing(count));
  const SlotPool silent =
      named ? slots_of(watch_.cluster, silent_hosts) : slots_of_any(watch_.cluster, nodes.silent_nodes());
  PromiseRules rules = promise_rules(watch_.cluster, batch);
  rules.slots = {all.map_slots - lost.map_slots, all.reduce_slots - lost.reduce_slots};
  const Time now = now_instant();
  SeenCluster seen{with_masters(without_silent(*feedback_.progress(), silent, all), batch, nodes, now),
                   rules.slots};
  std::set<std::string> without_master;
  for (const auto& [id, progress] : seen.progress) {
    if (progress.master_node != MasterNode::answers) without_master.insert(id);
  }
  feedback_.leave_out(std::move(without_master));
  const std::shared_ptr<const Outlook> outlook = feedback_.outlook();
  std::vector<FoundRisk> risks = found_risks(batch, seen.progress, rules, now, outlook.get());
  for (FoundRisk& each : risks) {
    if (each.at_risk && lost != SlotPool{} && !away.empty())
      each.detail += fmt::format("; away: {}", fmt::join(away, ", "));
  }
  const std::scoped_lock lock(mutex_);
  seen_ = std::make_shared<const SeenCluster>(std::move(seen));
  risks_ = std::move(risks);
  for (const std::string& host : news.silent)
    events_.push_back({"NodeSilent", host + " does not answer, and YARN does not know it yet"});
  for (const std::string& host : news.back) events_.push_back({"NodeBack", host});
  if (!events_.empty() || !risks_.empty()) found_.notify_all();
}

}  // namespace wavewright::app
