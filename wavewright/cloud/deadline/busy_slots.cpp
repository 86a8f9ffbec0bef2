#include "wavewright/cloud/deadline/busy_slots.h"

namespace wavewright {

void BusySlots::hear(const Event& event, const View& view) {
  using enum Event::What;
  if (event.what != started && event.what != ended && event.what != lost) return;
  std::vector<Slot>& slots = slots_[event.kind == Kind::reduce ? 1 : 0];
  if (slots.size() <= event.slot) slots.resize(event.slot + std::size_t{1});
  Slot& slot = slots[event.slot];
  if (event.what == started) {
    const Duration task = view.estimate(event.job, event.kind, view.node_class(event.node)).mean;
    slot = {event.job, event.task, event.attempt, event.at + task, true};
    return;
  }
  if (slot.job == event.job && slot.task == event.task && slot.attempt == event.attempt) slot.busy = false;
}

std::vector<Time> BusySlots::until(Kind kind) const {
  std::vector<Time> until;
  for (const Slot& slot : of(kind)) {
    if (slot.busy) until.push_back(slot.until);
  }
  return until;
}

}  // namespace wavewright
