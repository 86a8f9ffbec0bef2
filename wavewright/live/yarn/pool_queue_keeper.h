// Makes the queues of a batch's pools and removes them, each once, whatever dies in between.
//
// The store knows of the queues before they are made. Each change of a sibling's capacity is one with making
// or removing queues whose names nobody else has. So a change that is repeated, because its answer was lost
// or another program took the batch over, has no second effect.
#pragma once

#include <string>

#include "wavewright/live/yarn/pool_queue_store.h"
#include "wavewright/live/yarn/pool_queues.h"
#include "wavewright/live/yarn/scheduler_conf.h"

namespace wavewright {

class PoolQueueKeeper {
 public:
  // Store and API must outlive it. The store need not have the pools yet.
  PoolQueueKeeper(const PoolQueueStore& store, const SchedulerConfApi& api, std::string batch,
                  PoolQueues pools)
      : store_(store), api_(api), batch_(std::move(batch)), pools_(std::move(pools)) {}

  // Makes those that are not there. Returns the scheduler's words if it refuses them: nothing has changed
  // then. Throws ExternalError if there is no answer, UsageError as pool_queues does.
  [[nodiscard]] std::string make();
  struct Removal {
    bool done = false;    // they are no more
    std::string refusal;  // why they cannot be removed; empty = ask again, as applications run in them
  };
  // Throws ExternalError if there is no answer.
  [[nodiscard]] Removal remove();

  // A change was sent, so that the queues may be there.
  [[nodiscard]] bool asked() const { return asked_; }
  // Paths of the queues, for people.
  [[nodiscard]] std::string names() const;

 private:
  [[nodiscard]] Removal note_removed();
  void write(PoolQueues pools);
  const PoolQueueStore& store_;
  const SchedulerConfApi& api_;
  std::string batch_;
  PoolQueues pools_;
  bool asked_ = false;
};

}  // namespace wavewright
