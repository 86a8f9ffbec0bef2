#include "wavewright/energy/plan/openings.h"

#include <algorithm>

namespace wavewright {

namespace {

std::optional<Time> last_deadline(const Workload& batch) {
  std::optional<Time> last;
  for (const Job& job : batch.jobs) {
    if (job.deadline) last = std::max(last.value_or(*job.deadline), *job.deadline);
  }
  return last;
}

}  // namespace

void try_openings(const Drafts& drafts, const Workload& batch,
                  const std::function<std::optional<EnergyValue>(const Draft&)>& value,
                  const std::function<bool()>& may_go_on) {
  constexpr int halves = 6;
  constexpr double slacks[] = {0.03, 0.3, any_slack};
  const std::optional<Time> last = last_deadline(batch);
  if (!last) return;
  const std::int64_t end = to_ms(*last);
  for (const double slack : slacks) {
    const Draft all = drafts.draft(slack, end);
    for (std::size_t i = 0; i < all.machines.size(); ++i) {
      for (Count most = 1; most <= all.machines[i].there; most += 1 + most / 4) {
        std::int64_t late = 0, in_time = end;
        for (int half = 0; half <= halves && may_go_on(); ++half) {
          const std::int64_t until = half == 0 ? end : late + (in_time - late) / 2;
          Draft draft = all;
          draft.machines[i].most = most;
          drafts.make_room(i, draft);
          drafts.close(draft.machines[i].node_class, until, draft);
          const std::optional<EnergyValue> got = value(draft);
          const bool too_late = !got || got->tardy > 0;
          if (half == 0 && too_late) break;
          (too_late ? late : in_time) = until;
        }
      }
    }
  }
}

}  // namespace wavewright
