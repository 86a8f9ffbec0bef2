// Drafts that rent machines for no longer than the deadlines need.
#pragma once

#include <functional>
#include <optional>

#include "wavewright/energy/plan/draft.h"
#include "wavewright/energy/plan/evaluate_energy.h"

namespace wavewright {

// For each class of machines for rent and several numbers of them: all machines take new tasks until the last
// deadline, then until earlier instants. The earliest one with which all jobs are in time is looked for by
// halves. `value` simulates a draft; none if the draft does not do all jobs. It stops when `may_go_on` says
// so. Nothing without deadlines. About 20 · log(most machines) drafts a class.
void try_openings(const Drafts& drafts, const Workload& batch,
                  const std::function<std::optional<EnergyValue>(const Draft&)>& value,
                  const std::function<bool()>& may_go_on);

}  // namespace wavewright
