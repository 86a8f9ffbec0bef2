// The slots that are busy, by event, and when each will be free by the job's mean length of tasks.
#pragma once

#include <array>
#include <optional>
#include <unordered_map>
#include <vector>

#include "wavewright/cloud/deadline/end_times.h"
#include "wavewright/sched/view.h"

namespace wavewright {

class BusySlots {
 public:
  // Hears `started`, `ended` and `lost`; other events say nothing of slots. As EndTimes::add and remove.
  void hear(const Event& event, const View& view);
  // When the busy slots of the kind will be free; some instants may be past.
  [[nodiscard]] const EndTimes& until(Kind kind) const { return of(kind).until; }
  // When the last slot of the kind that the job has will be free; none if it has none. O(1).
  [[nodiscard]] std::optional<Time> last(JobIndex job, Kind kind) const;

 private:
  struct Slot {
    JobIndex job = 0;
    TaskIndex task = 0;
    std::uint32_t attempt = 0;
    Time until{};
    bool busy = false;
  };
  struct OfKind {
    std::vector<Slot> slots;  // by number, up to the last one that was ever busy
    EndTimes until;
    std::unordered_map<JobIndex, EndTimes> by_job;  // of those with a busy slot
  };
  [[nodiscard]] const OfKind& of(Kind kind) const { return kinds_[kind == Kind::reduce ? 1 : 0]; }
  static void free(Slot& slot, OfKind& kind);

  std::array<OfKind, 2> kinds_;  // maps, reduces
};

}  // namespace wavewright
