// The flags that say what a batch runs on, the same for every command that needs it.
#pragma once

#include <optional>
#include <string>

#include <CLI/App.hpp>

#include "wavewright/cluster/slot_cluster.h"

namespace wavewright::app {

class PoolOptions {
 public:
  void declare(CLI::App& command);

  // `otherwise` is the pool where no flag says anything. Throws UsageError where nothing says, and naming
  // what of a cluster file a flat pool of slots cannot show (containers, heartbeats, speeds, speculation).
  [[nodiscard]] SlotCluster resolve(std::optional<SlotPool> otherwise = std::nullopt) const;

  // What the flags alone say of a kind; none where they do not. UsageError below 0.
  [[nodiscard]] std::optional<Count> map_slots() const { return given(map_slots_); }
  [[nodiscard]] std::optional<Count> reduce_slots() const { return given(reduce_slots_); }
  // As --slowstart says, or the cluster file, or `otherwise`.
  [[nodiscard]] double slowstart(double otherwise = 1.0) const;

  // The cluster of the file that --cluster names, with the slow-start that --slowstart says; none without it.
  [[nodiscard]] std::optional<Cluster> cluster() const;
  // That one, or one node with the slots given. UsageError where no flag says anything.
  [[nodiscard]] Cluster cluster_or_flat() const;
  // That file; empty without --cluster.
  [[nodiscard]] const std::string& file() const { return cluster_; }

 private:
  [[nodiscard]] static std::optional<Count> given(std::optional<Count> slots);
  std::optional<Count> map_slots_, reduce_slots_;
  std::optional<double> slowstart_;
  std::string cluster_;
};

}  // namespace wavewright::app
