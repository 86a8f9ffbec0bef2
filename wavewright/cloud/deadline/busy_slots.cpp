#include "wavewright/cloud/deadline/busy_slots.h"

namespace wavewright {

void BusySlots::hear(const Event& event, const View& view) {
  using enum Event::What;
  if (event.what != started && event.what != ended && event.what != lost) return;
  OfKind& kind = kinds_[event.kind == Kind::reduce ? 1 : 0];
  if (kind.slots.size() <= event.slot) kind.slots.resize(event.slot + std::size_t{1});
  Slot& slot = kind.slots[event.slot];
  if (event.what == started) {
    free(slot, kind);  // tasks that share a slot start one after the other: the last one counts
    const Duration task = view.estimate(event.job, event.kind, view.node_class(event.node)).mean;
    slot = {event.job, event.task, event.attempt, event.at + task, true};
    kind.until.add(slot.until);
    kind.by_job[slot.job].add(slot.until);
    return;
  }
  if (slot.job == event.job && slot.task == event.task && slot.attempt == event.attempt) free(slot, kind);
}

void BusySlots::free(Slot& slot, OfKind& kind) {
  if (!slot.busy) return;
  slot.busy = false;
  kind.until.remove(slot.until);
  const auto of_job = kind.by_job.find(slot.job);
  of_job->second.remove(slot.until);
  if (of_job->second.empty()) kind.by_job.erase(of_job);
}

std::optional<Time> BusySlots::last(JobIndex job, Kind kind) const {
  const auto found = of(kind).by_job.find(job);
  return found == of(kind).by_job.end() ? std::nullopt : std::optional(found->second.latest());
}

}  // namespace wavewright
