#include "tests/live/simulated_journal.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "wavewright/live/batch/batch_rows.h"

namespace wavewright {

LiveBatch SimulatedJournal::lead() {
  cluster_.before_effect(true);
  cluster_.need_room(true);
  lead_ = ++cluster_.leader_;
  cluster_.cut_seen_ = false;
  LiveBatch batch = cluster_.batch_;
  // A store gives back what it can hold. Now and then, as it takes long.
  for (LiveJob& job : batch.jobs) {
    if (!job.promise || lead_ % 8 != 1) continue;
    const LiveJob written = std::exchange(job, stored_job(stored_text(job), "journal"));
    if (job != written) cluster_.violate(job.id + " is read otherwise than it was written");
  }
  cluster_.after_effect(true);
  return batch;
}

void SimulatedJournal::write(const JournalEntry& entry) {
  cluster_.before_effect(true);
  cluster_.need_room(true);
  if (lead_ != cluster_.leader_) throw LeadLost();
  cluster_.take_entry(entry);
  cluster_.after_effect(true);
}

void SimulatedJournal::beat() {
  cluster_.before_effect(true);
  cluster_.need_room(true);
  if (lead_ != cluster_.leader_) throw LeadLost();
}

std::vector<LiveJob> SimulatedJournal::added(std::size_t known) {
  cluster_.before_effect(true);
  const auto& jobs = cluster_.batch_.jobs;
  return {jobs.begin() + static_cast<std::ptrdiff_t>(std::min(known, jobs.size())), jobs.end()};
}

std::vector<JobWish> SimulatedJournal::wishes() {
  cluster_.before_effect(true);
  return cluster_.wishes_;
}

// An entry is written, to whichever journal: checks it against the batch as it was before.
void SimulatedCluster::take_entry(const JournalEntry& entry) {
  check_promises(entry);
  for (const LiveJob& job : entry.jobs) {
    for (LiveJob& stored : batch_.jobs) {
      if (stored.id != job.id) continue;
      if (has_ended(stored.state) && job != stored)
        violate(fmt::format("{} had ended as {} and is {}", job.id, to_string(stored.state),
                            to_string(job.state)));
      if (stored.state == LiveState::waiting && job.state == LiveState::submitting && job.not_before > wall())
        violate(job.id + " was submitted before its time");
      const bool begins = !has_begun(stored.state) && has_begun(job.state);
      stored = job;
      const auto there = static_cast<std::size_t>(std::count_if(
          batch_.jobs.begin(), batch_.jobs.end(), [](const LiveJob& each) { return has_begun(each.state); }));
      if (begins && most_at_once_ > 0 && there > most_at_once_)
        violate(job.id + " was submitted beside too many others");
    }
  }
  if (cut_seen_) {
    for (auto& [key, process] : clients_) process.saw_outage |= process.alive;
  }
  cut_seen_ = false;
  ++writes_;
  if (entry.round) put(*entry.round, batch_.round);
  log_.insert(log_.end(), entry.events.begin(), entry.events.end());
  std::erase_if(wishes_, [&](const JobWish& wish) {
    return std::find(entry.granted.begin(), entry.granted.end(), wish.key) != entry.granted.end();
  });
}

}  // namespace wavewright
