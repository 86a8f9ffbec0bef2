// IDEAL: each job's maps run only on the nodes where they take least energy, however long that takes [UNL
// §6.3.3.3]. It shows how little energy the work could take; jobs go by arrival.
//
// The class with the highest efficiency for the job (View::efficiency), of those with map slots; all of them
// if several share it. A class whose maps are declared to add 0 W has the highest. One of which no power of
// maps is declared counts as the first class of the cluster file (PowerModel::efficiency).
#pragma once

#include <memory>

#include "wavewright/sched/registry.h"

namespace wavewright {

// O(classes) a job.
[[nodiscard]] std::unique_ptr<Allocator> make_ideal();
[[nodiscard]] PolicyEntry ideal_entry();

}  // namespace wavewright
