// What a task takes of rented machines: one slot, or room for a container.
#pragma once

#include "wavewright/sched/view.h"

namespace wavewright {

// Tasks of the job that a machine of the class holds at once. O(rows of the cluster).
[[nodiscard]] Count tasks_on_machine(const View& view, JobIndex job, Kind kind, ClassId node_class,
                                     Resources machine);

// Amount of a machine of the class that one task of the job takes, in the units of Resources. With slots 1.
// With containers the machine's memory over the number of such containers that it holds: memory that none of
// them could use, for lack of memory or of cores, is taken, too. 0 if it holds none. O(rows of the cluster).
[[nodiscard]] Count room_of_task(const View& view, JobIndex job, Kind kind, ClassId node_class,
                                 Resources machine);

// Slots of the kind, or containers of the job's size, that are present. As above.
[[nodiscard]] Count slots_present(const View& view, JobIndex job, Kind kind, ClassId node_class,
                                  Resources machine);

}  // namespace wavewright
