#include "apps/commands/live_feedback.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "apps/commands/profile_lengths.h"
#include "apps/give_way.h"
#include "wavewright/core/error.h"
#include "wavewright/core/when.h"
#include "wavewright/live/outlook/outlook_store.h"
#include "wavewright/live/yarn/yarn_driver.h"
#include "wavewright/live/yarn/yarn_progress.h"

namespace wavewright::app {

namespace {

constexpr Duration look_again = ms(5'000);
constexpr Duration promised_again = ms(2'000);                // a job is read, where deadlines are promised
constexpr std::chrono::milliseconds promised_silence{2'000};  // of a master, where deadlines are promised
constexpr Duration found_again = ms(60'000);                  // nodes of the cluster
constexpr Duration nodes_again = ms(10'000);                  // which of them YARN has lost
constexpr std::int64_t most_share = 10;                       // of the time, a forecast takes at most a tenth

}  // namespace

LiveFeedback::LiveFeedback(const Context& context, FeedbackRequest request)
    : context_(context), request_(std::move(request)), thread_([this] {
        give_way();
        work();
      }) {}

LiveFeedback::~LiveFeedback() {
  {
    const std::scoped_lock lock(mutex_);
    ends_ = true;
  }
  stopped_ = true;
  changed_.notify_all();
  thread_.join();
}

void LiveFeedback::take(const LiveBatch& batch, const std::vector<LiveJob>& changed,
                        const std::vector<LiveJob>& left) {
  const std::scoped_lock lock(mutex_);
  if (batch_.name.empty()) {
    batch_ = batch;
    for (std::size_t i = 0; i < batch_.jobs.size(); ++i) places_[batch_.jobs[i].id] = i;
    return;
  }
  for (const LiveJob& job : changed) {
    const auto [place, fresh] = places_.try_emplace(job.id, batch_.jobs.size());
    if (fresh) {
      batch_.jobs.push_back(job);
    } else {
      batch_.jobs[place->second] = job;
    }
  }
  if (left.empty()) return;
  for (const LiveJob& job : left) {
    places_.erase(job.id);
    kept_.erase(job.id);
  }
  std::erase_if(batch_.jobs, [&](const LiveJob& job) { return !places_.contains(job.id); });
  for (std::size_t i = 0; i < batch_.jobs.size(); ++i) places_[batch_.jobs[i].id] = i;
}

std::shared_ptr<const Outlook> LiveFeedback::give(BatchDriver& driver) {
  FeedbackNews news;
  std::shared_ptr<const Outlook> outlook;
  {
    const std::scoped_lock lock(mutex_);
    std::swap(news, news_);
    std::swap(outlook, outlook_);
  }
  for (const FoundPromise& each : news.promises) driver.promise(each.job, each.start, each.end);
  for (FoundEvent& each : news.events) {
    if (each.job.empty()) {
      driver.note_of_batch(each.what, std::move(each.detail));
    } else {
      driver.note(each.job, each.what, std::move(each.detail));
    }
  }
  for (FoundDrift& each : news.drifts)
    driver.drifted(each.job, each.maps, each.reduces, std::move(each.detail));
  if (!news.drifts.empty()) driver.replan(request_.ranks_told ? news.idle : std::set<std::string>());
  return outlook;
}

std::shared_ptr<const Outlook> LiveFeedback::outlook() {
  const std::scoped_lock lock(mutex_);
  return latest_outlook_;
}

std::shared_ptr<const ProgressByJob> LiveFeedback::progress() {
  const std::scoped_lock lock(mutex_);
  return progress_;
}

void LiveFeedback::leave_out(std::set<std::string> jobs) {
  const std::scoped_lock lock(mutex_);
  left_out_ = std::move(jobs);
}

LiveBatch LiveFeedback::snapshot() {
  const std::scoped_lock lock(mutex_);
  return batch_;
}

void LiveFeedback::work() {
  const WebServer server(server_urls(request_.resource_manager, 8088), request_.ca_file, &stopped_);
  YarnProgress progress(server, request_.promises ? promised_silence : HttpLimits().silence);
  std::optional<Store> store;
  std::optional<ProfileLengths> profiles;
  PollBudget budget;
  if (request_.promises) budget.again_after = promised_again;
  ProgressFeedback feedback(progress, [&](const LiveJob& job) { return profiles->of(job); }, budget);
  std::unique_lock lock(mutex_);
  while (!ends_) {
    lock.unlock();
    try {
      if (!store) {
        store.emplace(Store::open(context_.store_url(), Store::Access::existing));
        profiles.emplace(*store);
      }
      round(*store, *profiles, feedback, server);
    } catch (const Interrupted&) {  // it ends
    } catch (const Error&) {        // store or cluster are away; the program that runs the batch says so
    } catch (const std::exception& error) {
      context_.note(std::string("no forecasts: ") + error.what());
      lock.lock();
      break;
    }
    lock.lock();
    changed_.wait_for(lock, std::chrono::seconds(1), [&] { return ends_; });
  }
  lock.unlock();
  try {
    if (store) keep_promises(*store, snapshot());
  } catch (const Error&) {  // it is away: these are not counted
  }
}

// Before the masters are asked, as those on a lost node give no answer for a while.
void LiveFeedback::look_at_nodes(const WebServer& server) {
  const Duration steady = SystemClocks().steady();
  if (steady < next_nodes_) return;
  next_nodes_ = steady + nodes_again;
  constexpr const char* path = "/ws/v1/cluster/nodes";
  LostNodes::News news;
  try {
    news = nodes_.look(parse_listed_nodes(fetch_json(server, path), server.base() + path));
  } catch (const ExternalError&) {  // the program that runs the batch says so
    return;
  }
  const std::scoped_lock lock(mutex_);
  for (const ListedNode& node : news.lost)
    news_.events.push_back({"", "NodeLost", fmt::format("{}, {} in YARN's list", node.host, node.state)});
  for (std::string& host : news.back) news_.events.push_back({"", "NodeBack", std::move(host)});
}

void LiveFeedback::round(const Store& store, const ProfileLengths& profiles, ProgressFeedback& feedback,
                         const WebServer& server) {
  const LiveBatch batch = snapshot();
  if (batch.jobs.empty()) return;
  look_at_nodes(server);
  {
    const std::scoped_lock lock(mutex_);
    feedback.leave_out(left_out_);
  }
  const Duration steady = SystemClocks().steady();
  FeedbackNews news = feedback.poll(batch, now_instant(), steady);
  std::shared_ptr<const Outlook> outlook;
  if (steady >= next_look_ || !news.drifts.empty()) {
    OutlookOptions how;
    how.policy = request_.policy;
    how.most_at_once = request_.most_at_once;
    how.cluster = request_.cluster;
    if (!how.cluster && (!found_ || steady - found_at_ > found_again)) {
      found_at_ = steady;
      try {
        FoundCluster found = find_cluster(server);
        found_scheduler_ = own_scheduler(found);
        found_ = std::move(found.cluster);
      } catch (const Error&) {  // it tells no nodes: running jobs are forecast alone
      }
    }
    if (!how.cluster) how.cluster = found_;
    if (how.cluster && request_.slowstart) how.cluster->mode.slowstart = *request_.slowstart;
    if (how.policy.empty())
      how.policy = request_.cluster ? own_scheduler(*request_.cluster) : found_scheduler_;
    Outlook ahead = feedback.look(batch, how, now_instant(), news);
    ahead.records = profiles.records();
    outlook = std::make_shared<const Outlook>(std::move(ahead));
    const Duration took = SystemClocks().steady() - steady;
    next_look_ = steady + std::max(look_again, took * most_share);
  }
  {
    const std::scoped_lock lock(mutex_);
    if (!news.drifts.empty()) news_.idle = std::move(news.idle);
    for (FoundDrift& each : news.drifts) news_.drifts.push_back(std::move(each));
    for (FoundEvent& each : news.events) news_.events.push_back(std::move(each));
    for (FoundPromise& each : news.promises) news_.promises.push_back(std::move(each));
    if (outlook) outlook_ = latest_outlook_ = outlook;
    if (request_.promises) progress_ = std::make_shared<const ProgressByJob>(feedback.known());
  }
  if (!outlook) return;
  for (const auto& [id, job] : outlook->jobs) {
    if (job.progress && job.progress->started) started_[id] = *job.progress->started;
  }
  OutlookStore(store).keep(request_.batch, *outlook);
  keep_promises(store, batch);
}

void LiveFeedback::keep_promises(const Store& store, const LiveBatch& batch) {
  const OutlookStore outlooks(store);
  const auto is_kept = [&](const std::string& id) {
    const std::scoped_lock lock(mutex_);
    return kept_.contains(id);
  };
  for (const LiveJob& job : batch.jobs) {
    if (job.state != LiveState::done || is_kept(job.id)) continue;
    const auto started = started_.find(job.id);
    const auto promise =
        kept_promise(job, started == started_.end() ? std::nullopt : std::optional(started->second));
    // One that had ended when this program began is kept already, unless the program before it was killed too
    // soon. That one may have seen the job's first task start; this one has not.
    if (promise && !outlooks.holds(request_.batch, job.id, *promise))
      outlooks.keep(request_.batch, job.id, *promise);
    started_.erase(job.id);
    const std::scoped_lock lock(mutex_);
    if (places_.contains(job.id)) kept_.insert(job.id);  // else it has left the batch
  }
}

}  // namespace wavewright::app
