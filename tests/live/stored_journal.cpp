#include "tests/live/stored_journal.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace wavewright {

void keep_in(const Store& store, SimulatedCluster& cluster) {
  const BatchStore batches(store);
  const std::string name = cluster.written().name;
  batches.create(cluster.written());
  // The store orders wishes by their instants, so these are of a clock that does not jump.
  cluster.copy_users(
      [batches, name, &cluster](const JobWish& wish) {
        batches.wish(name, wish.job, wish.wish, at_ms(to_ms(cluster.now())));
      },
      [batches, name, &cluster](const LiveJob& job) { batches.add(name, {job}, cluster.wall()); });
}

std::string difference(const Store& store, const SimulatedCluster& cluster) {
  const BatchStore batches(store);
  const LiveBatch& own = cluster.written();
  const std::optional<LiveBatch> stored = batches.read(own.name);
  if (!stored) return "the store has no batch";
  if (*stored != own) return "the store has another batch";
  const std::vector<LiveEvent> log = batches.events(own.name);
  const auto at = std::mismatch(log.begin(), log.end(), cluster.log().begin(), cluster.log().end()).first;
  if (log == cluster.log()) return {};
  return fmt::format("the store has another log: {} events instead of {}, and after {} of them it differs",
                     log.size(), cluster.log().size(), at - log.begin());
}

StoredJournal::StoredJournal(SimulatedCluster& cluster, std::shared_ptr<const Store> store)
    : cluster_(cluster),
      store_(std::move(store)),
      batches_(*store_),
      journal_(batches_.journal(cluster.written().name)) {}

LiveBatch StoredJournal::lead() {
  cluster_.before_effect(true);
  cluster_.need_room(true);
  LiveBatch batch = journal_->lead();
  lead_ = ++cluster_.leader_;
  cluster_.cut_seen_ = false;
  if (batch != cluster_.batch_) cluster_.violate("the store's batch is not as it was written");
  cluster_.after_effect(true);
  return batch;
}

void StoredJournal::write(const JournalEntry& entry) {
  cluster_.before_effect(true);
  cluster_.need_room(true);
  if (cluster_.happens(cluster_.faults_.torn)) break_off(entry);
  as_leader([&] { journal_->write(entry); });
  JournalEntry own = entry;
  for (std::string& key : own.granted) key = wish_keys_.at(key);
  cluster_.take_entry(own);
  cluster_.after_effect(true);
}

void StoredJournal::beat() {
  cluster_.before_effect(true);
  cluster_.need_room(true);
  as_leader([&] { journal_->beat(); });
}

std::vector<LiveJob> StoredJournal::added(std::size_t known) {
  cluster_.before_effect(true);
  std::vector<LiveJob> found = journal_->added(known);
  const auto& jobs = cluster_.batch_.jobs;
  const std::vector<LiveJob> own(jobs.begin() + static_cast<std::ptrdiff_t>(std::min(known, jobs.size())),
                                 jobs.end());
  if (found != own) cluster_.violate("the store has other jobs that were added");
  return found;
}

std::vector<JobWish> StoredJournal::wishes() {
  cluster_.before_effect(true);
  std::vector<JobWish> asked = journal_->wishes();
  std::vector<JobWish> own = cluster_.wishes_;
  for (const JobWish& wish : asked) {
    const auto same = std::find_if(own.begin(), own.end(), [&](const JobWish& each) {
      return each.job == wish.job && each.wish == wish.wish;
    });
    if (same == own.end()) {
      cluster_.violate("the store has a wish for " + wish.job + " that no user has");
      continue;
    }
    wish_keys_[wish.key] = same->key;
    own.erase(same);
  }
  if (!own.empty()) cluster_.violate("the store lacks a wish for " + own.front().job);
  return asked;
}

// Only whoever led last may write.
void StoredJournal::as_leader(const std::function<void()>& call) {
  const bool leads = lead_ == cluster_.leader_;
  try {
    call();
  } catch (const LeadLost&) {
    if (leads) cluster_.violate("the store refuses the program that leads");
    throw;
  }
  if (!leads) cluster_.violate("the store lets a program write that does not lead");
}

// The store has no row for the last job and throws within the transaction, behind what it has written. The
// program dies there, or goes on.
void StoredJournal::break_off(const JournalEntry& entry) {
  JournalEntry torn = entry;
  LiveJob nobody;
  nobody.id = "a job that is not there";
  if (cluster_.happens(0.5)) {  // before the events
    torn.jobs.resize(cluster_.random_.below(entry.jobs.size() + 1));
    torn.jobs.push_back(nobody);
  } else {  // before the commit
    torn.archived.push_back(nobody);
  }
  try {
    as_leader([&] { journal_->write(torn); });
    cluster_.violate("the store took a job that is not there");
  } catch (const std::out_of_range&) {
    ++cluster_.torn_;
  }
  if (cluster_.happens(0.5)) cluster_.crash();
  cluster_.no_answer(true);
}

}  // namespace wavewright
