#include "wavewright/live/yarn/pool_queue_keeper.h"

#include <algorithm>

#include <fmt/format.h>

namespace wavewright {

std::string PoolQueueKeeper::names() const {
  std::string names;
  for (const PoolQueue& queue : pools_.queues) names += (names.empty() ? "" : ", ") + pools_.path(queue);
  return names;
}

void PoolQueueKeeper::write(PoolQueues pools) {
  if (pools == pools_ && store_.read(batch_) == pools_) return;
  store_.write(batch_, pools);
  pools_ = std::move(pools);
}

std::string PoolQueueKeeper::make() {
  const SchedulerConf conf = api_.read();
  const std::size_t there = present(pools_, conf);
  if (there == pools_.queues.size()) return {};
  if (there > 0)
    return fmt::format("only {} of the queues {} are there: another administrator has removed some", there,
                       names());
  PoolQueues pools = with_siblings_of(pools_, conf);
  pools.removed = false;
  write(std::move(pools));
  asked_ = true;
  std::string refusal = api_.change(adding(pools_));
  // An earlier change, whose answer was lost, may have come first.
  if (!refusal.empty() && present(pools_, api_.read()) == pools_.queues.size()) refusal.clear();
  return refusal;
}

PoolQueueKeeper::Removal PoolQueueKeeper::note_removed() {
  PoolQueues gone = pools_;
  gone.removed = true;
  write(std::move(gone));
  return {.done = true, .refusal = {}};
}

PoolQueueKeeper::Removal PoolQueueKeeper::remove() {
  const auto refused = [](std::string why) { return Removal{.done = false, .refusal = std::move(why)}; };
  const SchedulerConf conf = api_.read();
  const std::size_t there = present(pools_, conf);
  if (there == 0) return note_removed();
  if (there < pools_.queues.size()) return refused("some of them were removed meanwhile");
  if (std::string why = changed_siblings(pools_, conf); !why.empty()) return refused(std::move(why));
  const bool stopped = std::all_of(pools_.queues.begin(), pools_.queues.end(), [&](const PoolQueue& queue) {
    return conf.of(pools_.path(queue), "state") == "STOPPED";
  });
  if (!stopped) {
    if (std::string why = api_.change(stopping(pools_)); !why.empty()) return refused(std::move(why));
  }
  std::string why = api_.change(removing(pools_));
  if (why.empty()) return note_removed();
  if (why.find("stopped state") != std::string::npos) return {};  // YARN's words of one that is not empty
  if (present(pools_, api_.read()) == 0) return note_removed();   // another program was faster
  return refused(std::move(why));
}

}  // namespace wavewright
