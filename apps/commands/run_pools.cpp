#include "apps/commands/run_pools.h"

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <thread>

#include <pwd.h>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/core/interrupted.h"
#include "wavewright/core/when.h"
#include "wavewright/live/yarn/pool_masters.h"
#include "wavewright/live/yarn/resource_manager.h"
#include "wavewright/live/yarn/rest_answer.h"
#include "wavewright/sched/plan_file.h"

namespace wavewright::app {

namespace {

// Whom Hadoop takes us for without Kerberos.
std::string hadoop_user() {
  if (const char* name = std::getenv("HADOOP_USER_NAME"); name != nullptr && *name != '\0') return name;
  const passwd* account = ::getpwuid(::geteuid());
  return account == nullptr ? "nobody" : account->pw_name;
}

// True if the ResourceManager recovers jobs after a restart, but not the queues that are made here.
bool forgets_queues(const WebServer& resource_manager) {
  try {
    const std::string url = resource_manager.base() + "/conf", conf = fetch_json(resource_manager, "/conf");
    return parse_setting(conf, "yarn.scheduler.configuration.store.class", url) == "memory" &&
           parse_setting(conf, "yarn.resourcemanager.recovery.enabled", url) == "true";
  } catch (const ExternalError&) {  // it does not show its configuration
    return false;
  }
}

}  // namespace

void declare_pools(CLI::App& command, PoolRequest& pools) {
  auto* parent =
      command.add_option("--pools-under", pools.parent,
                         "make the plan's pools queues of the Capacity scheduler below this one, for "
                         "as long as the batch runs");
  parent->type_name("QUEUE");
  command
      .add_option("--pools-share", pools.share,
                  "percent of that queue for all pools together; its other queues share the rest")
      ->type_name("PERCENT")
      ->check(CLI::Range(1.0, 100.0))
      ->capture_default_str()
      ->needs(parent);
}

PoolQueues planned_pools(const PoolRequest& request, const std::string& plan, const std::string& tag,
                         bool plugin, const WebServer& resource_manager) {
  if (plan.empty()) throw UsageError("--pools-under takes the pools of a plan", "name one with --plan FILE");
  const SchedulerConfApi api(resource_manager, hadoop_user());
  return pool_queues(read_plan(plan),
                     {.parent = request.parent, .share = request.share, .tag = tag, .plugin = plugin},
                     api.read());
}

PoolQueues pools_with_masters(PoolQueues pools, const Plan& plan, const Workload& batch,
                              const std::optional<Cluster>& cluster, double slowstart,
                              const WebServer& resource_manager) {
  if (batch.tasks() == 0) return pools;
  const SchedulerConf conf = SchedulerConfApi(resource_manager, hadoop_user()).read();
  std::optional<Cluster> on = cluster;
  if (!on || on->mode.kind != ClusterMode::Kind::containers) {
    try {
      on = find_cluster(resource_manager).cluster;
    } catch (const Infeasible&) {  // no node runs
      return pools;
    }
  }
  return with_masters(std::move(pools), pool_masters(plan, batch, *on, slowstart), *on, conf);
}

void print_pools(const PoolQueues& pools, const WebServer& resource_manager) {
  const SchedulerConfApi api(resource_manager, hadoop_user());
  Table table{{{"queue", "queue"}, {"capacity", "capacity", true, false}, {"jobs", "jobs", false, true}}, {}};
  for (const PoolQueue& queue : pools.queues)
    table.rows.push_back(
        {pools.path(queue), queue.capacity + " %", harmless(fmt::format("{}", fmt::join(queue.jobs, ", ")))});
  for (const SiblingQueue& sibling : pools.siblings)
    table.rows.push_back(
        {sibling.path, sibling.meanwhile + " %", fmt::format("meanwhile; then {} % again", sibling.before)});
  write_table(std::cout, table);
  std::cout << fmt::format("PUT {}\n   {}\n\n", api.address(), adding(pools).xml());
}

Json pools_document(const PoolQueues& pools, const WebServer& resource_manager) {
  const SchedulerConfApi api(resource_manager, hadoop_user());
  Json document = {{"queues", Json::array()}, {"siblings", Json::array()}};
  for (const PoolQueue& queue : pools.queues)
    document["queues"].push_back(
        {{"queue", pools.path(queue)}, {"capacity", queue.capacity}, {"jobs", queue.jobs}});
  for (const SiblingQueue& sibling : pools.siblings)
    document["siblings"].push_back(
        {{"queue", sibling.path}, {"before", sibling.before}, {"meanwhile", sibling.meanwhile}});
  document["put"] = {{"url", api.address()}, {"body", adding(pools).xml()}};
  return document;
}

BatchPools::BatchPools(const Context& context, const Store& store, const WebServer& resource_manager,
                       std::string batch)
    : context_(context),
      resource_manager_(resource_manager),
      store_(store),
      api_(resource_manager, hadoop_user()),
      batch_(std::move(batch)) {
  if (const std::optional<PoolQueues> pools = store_.read(batch_); pools && !pools->removed)
    keeper_ = std::make_unique<PoolQueueKeeper>(store_, api_, batch_, *pools);
}

void BatchPools::make_first(const PoolQueues& pools) {
  if (forgets_queues(resource_manager_))
    context_.note(
        "the ResourceManager keeps queues that are made in memory alone: if it restarts, it kills the jobs "
        "in the pools; with yarn.scheduler.configuration.store.class leveldb, zk or fs it does not");
  store_.write(batch_, pools);
  keeper_ = std::make_unique<PoolQueueKeeper>(store_, api_, batch_, pools);
  std::string refusal;
  try {
    refusal = keeper_->make();
  } catch (const ExternalError& error) {
    if (!keeper_->asked()) throw;
    context_.note(error.what());  // they may be there; from now on they are waited for
    return;
  }
  if (!refusal.empty())
    throw ExternalError({api_.address()}, "refuses the pools' queues: " + refusal,
                        "nothing was submitted; see --dry-run, or leave out --pools-under");
  looked_ = true;
  context_.note(fmt::format("{}  queues {} are there", format_clock(now_instant()), keeper_->names()));
}

void BatchPools::make() {
  if (!keeper_ || looked_) return;
  if (const std::string refusal = keeper_->make(); !refusal.empty())
    throw ExternalError({api_.address()}, "refuses the pools' queues: " + refusal,
                        "put it right; the batch waits");
  looked_ = true;
}

bool BatchPools::remove() {
  if (!keeper_) return true;
  constexpr int most_looks = 60;
  std::string why = "applications run in them";
  for (int look = 0; look < most_looks && !context_.interrupted.load(); ++look) {
    try {
      const PoolQueueKeeper::Removal removal = keeper_->remove();
      if (removal.done) {
        context_.note(
            fmt::format("{}  queues {} are removed", format_clock(now_instant()), keeper_->names()));
        keeper_.reset();
        return true;
      }
      if (!removal.refusal.empty()) {
        why = removal.refusal;
        break;
      }
    } catch (const ExternalError& error) {  // no answer; there may be one soon
      why = error.what();
    } catch (const Interrupted&) {  // Ctrl-C
      break;
    }
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  context_.note(
      fmt::format("the queues {} are still there: {}; put it right and call 'wavewright run "
                  "--continue {}'",
                  keeper_->names(), why, batch_));
  return false;
}

void BatchPools::tell_that_they_stay() const {
  if (keeper_)
    context_.note(fmt::format("its queues {} stay until 'wavewright run --continue {}' finds it ended",
                              keeper_->names(), batch_));
}

}  // namespace wavewright::app
