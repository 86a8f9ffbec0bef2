// Small changes of drafts by chance, for a search.
#pragma once

#include "wavewright/core/random.h"
#include "wavewright/energy/plan/draft.h"

namespace wavewright {

class DraftChanges {
 public:
  // Both must outlive it.
  DraftChanges(const Drafts& drafts, Random& random) : drafts_(drafts), random_(random) {}

  // A class opens, closes, or closes at another time, for a job or for all jobs alike; a job moves in the
  // order; machines for rent become more or fewer, or stay on for longer. `makespan` (ms): of the draft's
  // schedule. O(stages) or O(jobs).
  void change(Draft& draft, std::int64_t makespan);

 private:
  void change_class(Draft& draft, std::int64_t makespan);
  void change_machines(Draft& draft);
  [[nodiscard]] std::vector<std::int64_t>& until(Draft& draft, std::size_t stage) const;

  const Drafts& drafts_;
  Random& random_;
};

}  // namespace wavewright
