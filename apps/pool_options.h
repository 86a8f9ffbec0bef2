// Flags for the cluster of a batch, the same for all commands.
#pragma once

#include <optional>
#include <string>

#include <CLI/App.hpp>

#include "wavewright/cluster/slot_cluster.h"

namespace wavewright::app {

class PoolOptions {
 public:
  void declare(CLI::App& command);

  // `otherwise`: the pool if no flag gives one. Throws UsageError if there is none, or with the names of
  // those features of the cluster file that a flat pool lacks (containers, heartbeats, speeds, speculation).
  [[nodiscard]] SlotCluster resolve(std::optional<SlotPool> otherwise = std::nullopt) const;

  // From the flags only; none if not given. Throws UsageError for negative values.
  [[nodiscard]] std::optional<Count> map_slots() const { return given(map_slots_); }
  [[nodiscard]] std::optional<Count> reduce_slots() const { return given(reduce_slots_); }
  // From --slowstart, else the cluster file, else `otherwise`.
  [[nodiscard]] double slowstart(double otherwise = 1.0) const;

  // The cluster of the file of --cluster, with the slow-start of --slowstart; none without --cluster.
  [[nodiscard]] std::optional<Cluster> cluster() const;
  // That cluster, or one node with the given slots. Throws UsageError if no flag gives one.
  [[nodiscard]] Cluster cluster_or_flat() const;
  // The file of --cluster; empty without it.
  [[nodiscard]] const std::string& file() const { return cluster_; }

 private:
  [[nodiscard]] static std::optional<Count> given(std::optional<Count> slots);
  std::optional<Count> map_slots_, reduce_slots_;
  std::optional<double> slowstart_;
  std::string cluster_;
};

}  // namespace wavewright::app
