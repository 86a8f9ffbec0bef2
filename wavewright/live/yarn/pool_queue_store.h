// The queues of a batch's pools in a store: its table `wavewright_batch_pools`. What is to be made is written
// before it is made, so that nothing is left behind when the program dies.
#pragma once

#include <optional>
#include <string>

#include "wavewright/live/yarn/pool_queues.h"
#include "wavewright/store/store.h"

namespace wavewright {

// The store must outlive it. All functions throw ExternalError if the database fails.
class PoolQueueStore {
 public:
  explicit PoolQueueStore(const Store& store) : store_(store) {}

  void write(const std::string& batch, const PoolQueues& pools) const;
  // Absent for a batch without pools. Throws InputError if the row is damaged.
  [[nodiscard]] std::optional<PoolQueues> read(const std::string& batch) const;
  void forget(const std::string& batch) const;

 private:
  const Store& store_;
};

}  // namespace wavewright
