// The journal of a real store under the faults of a simulated cluster. What the store gives, and whom it lets
// write, is held against what the cluster's own journal would.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/live/simulated_cluster.h"
#include "wavewright/live/batch/batch_store.h"
#include "wavewright/live/batch/journal.h"
#include "wavewright/store/store.h"

namespace wavewright {

// Puts the cluster's batch into the store, and from now on what its users ask, too. The store must outlive
// the cluster.
void keep_in(const Store& store, SimulatedCluster& cluster);

// How batch and log in the store differ from those of the cluster; empty = not at all.
[[nodiscard]] std::string difference(const Store& store, const SimulatedCluster& cluster);

// One program's hold on it. The store must have the batch.
class StoredJournal : public Journal {
 public:
  StoredJournal(SimulatedCluster& cluster, std::shared_ptr<const Store> store);

  [[nodiscard]] LiveBatch lead() override;
  void write(const JournalEntry& entry) override;
  void beat() override;
  [[nodiscard]] std::vector<LiveJob> added(std::size_t known) override;
  [[nodiscard]] std::vector<JobWish> wishes() override;

 private:
  void as_leader(const std::function<void()>& call);
  void break_off(const JournalEntry& entry);

  SimulatedCluster& cluster_;
  std::shared_ptr<const Store> store_;
  BatchStore batches_;
  std::unique_ptr<Journal> journal_;
  std::uint64_t lead_ = 0;
  std::map<std::string, std::string> wish_keys_;  // of the store → of the cluster
};

}  // namespace wavewright
