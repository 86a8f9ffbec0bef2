// The journal that a simulated cluster keeps itself, with the cluster's faults. What is written is checked.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/live/simulated_cluster.h"
#include "wavewright/live/batch/journal.h"

namespace wavewright {

// One program's hold on it.
class SimulatedJournal : public Journal {
 public:
  explicit SimulatedJournal(SimulatedCluster& cluster) : cluster_(cluster) {}

  [[nodiscard]] LiveBatch lead() override;
  void write(const JournalEntry& entry) override;
  void beat() override;
  [[nodiscard]] std::vector<LiveJob> added(std::size_t known) override;
  [[nodiscard]] std::vector<JobWish> wishes() override;

 private:
  SimulatedCluster& cluster_;
  std::uint64_t lead_ = 0;
};

}  // namespace wavewright
