// The containers that an accepted job has been granted: those that it waits for and those that it has.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "wavewright/realtime/containers/container_admission.h"
#include "wavewright/sched/event.h"

namespace wavewright {

class ContainerGrants {
 public:
  // Containers of a kind that it waits for or has.
  [[nodiscard]] Count count(Kind kind) const { return of(kind).held + waiting(kind); }
  [[nodiscard]] Count waiting(Kind kind) const { return static_cast<Count>(of(kind).waiting.size()); }

  void grant(Kind kind, Count containers, Time now) {
    of(kind).waiting.insert(of(kind).waiting.end(), static_cast<std::size_t>(containers), now);
  }
  // It waits for at most so many; those granted first stay. Returns how many it waits for no more.
  Count withdraw(Kind kind, Count stay = 0) {
    const Count gone = std::max<Count>(0, waiting(kind) - stay);
    of(kind).waiting.resize(static_cast<std::size_t>(waiting(kind) - gone));
    return gone;
  }
  // It had so many before the policy was told of it.
  void had(Kind kind, Count held) { of(kind).held = held; }
  // A task or its master started; the job has so many containers now.
  void started(const Event& event, Count held);
  // A task or its master is over. True if a container is free now. `held`: so many the driver tells. A failed
  // task's container is free at its node's next report only, and the driver tells then that it has ended.
  bool ended(const Event& event, Count held);

  // By when the memory of its containers of a kind is free, at the latest. `up`: its master asks by then.
  [[nodiscard]] std::vector<Time> ends(Kind kind, Duration task, Time now, Time up,
                                       const ContainerWaits& waits) const;

 private:
  struct Running {
    TaskIndex task = 0;
    std::uint32_t attempt = 0;
    Time since{};
  };
  struct OfKind {
    Count held = 0;
    std::vector<Time> waiting{};  // when they were granted, in order
    std::vector<Running> running{};
  };
  [[nodiscard]] OfKind& of(Kind kind) { return kinds_[static_cast<std::size_t>(kind)]; }
  [[nodiscard]] const OfKind& of(Kind kind) const { return kinds_[static_cast<std::size_t>(kind)]; }

  std::array<OfKind, 3> kinds_{};
};

}  // namespace wavewright
