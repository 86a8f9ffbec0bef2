#include "wavewright/energy/plan/draft_changes.h"

#include <algorithm>
#include <cmath>

namespace wavewright {

void DraftChanges::change(Draft& draft, std::int64_t makespan) {
  const std::uint64_t what = random_.below(draft.machines.empty() ? 4 : 6);
  if (what <= 2 && drafts_.classes() > 1 && !drafts_.stages().empty()) return change_class(draft, makespan);
  if (what >= 4) return change_machines(draft);
  if (draft.order.size() < 2) return;
  const std::size_t from = random_.below(draft.order.size()), to = random_.below(draft.order.size());
  const JobIndex job = draft.order[from];
  draft.order.erase(draft.order.begin() + static_cast<std::ptrdiff_t>(from));
  draft.order.insert(draft.order.begin() + static_cast<std::ptrdiff_t>(to), job);
}

void DraftChanges::change_class(Draft& draft, std::int64_t makespan) {
  const std::size_t stage = random_.below(drafts_.stages().size());
  const auto c = static_cast<ClassId>(random_.below(drafts_.classes()));
  const std::int64_t now = until(draft, stage)[c];
  const std::int64_t latest = drafts_.closing(stage, c, makespan);
  std::int64_t next = 0;
  switch (random_.below(4)) {
    case 0:
      next = now == 0 ? always : 0;
      break;
    case 1:
      next = always;
      break;
    case 2:
      next = latest;
      break;
    default: {
      const double time = drafts_.time_of(stage, c), from = static_cast<double>(now == always ? latest : now);
      if (std::isinf(time)) return;
      next = std::max<std::int64_t>(0, std::llround(from + random_.uniform(-2, 2) * time));
    }
  }
  // For this job, or for all that are alike.
  const bool all = random_.below(2) == 0;
  for (std::size_t other = 0; other < drafts_.stages().size(); ++other) {
    if (other != stage && !(all && drafts_.type_of(other) == drafts_.type_of(stage))) continue;
    if (!std::isinf(drafts_.time_of(other, c))) until(draft, other)[c] = next;
  }
}

std::vector<std::int64_t>& DraftChanges::until(Draft& draft, std::size_t stage) const {
  const TaskStage& of = drafts_.stages()[stage];
  return draft.until[of.kind == Kind::map ? 0 : 1][of.job];
}

void DraftChanges::change_machines(Draft& draft) {
  const std::size_t which = random_.below(draft.machines.size());
  Draft::Machines& of = draft.machines[which];
  switch (random_.below(4)) {
    case 0:
      of.most = static_cast<Count>(random_.below(static_cast<std::uint64_t>(of.there) + 1));
      break;
    case 1:
      of.most = std::max<Count>(0, of.most - 1);
      break;
    case 2:
      of.most = std::min(of.there, of.most + 1);
      break;
    default: {
      const Duration keeps[] = {ms(1), of.even, of.even * 3};
      of.keep = std::min(longest_duration, keeps[random_.below(3)]);
    }
  }
  drafts_.make_room(which, draft);
}

}  // namespace wavewright
