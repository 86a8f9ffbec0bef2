#include "wavewright/cloud/deadline/container_room.h"

namespace wavewright {

Count tasks_on_machine(const View& view, JobIndex job, Kind kind, ClassId node_class, Resources machine) {
  if (view.containers()) return view.tasks_on_node(job, kind, node_class);
  return kind == Kind::reduce ? machine.reduce_slots : machine.map_slots;
}

Count room_of_task(const View& view, JobIndex job, Kind kind, ClassId node_class, Resources machine) {
  if (!view.containers()) return 1;
  const Count held = tasks_on_machine(view, job, kind, node_class, machine);
  return held == 0 ? 0 : (machine.map_slots + held - 1) / held;
}

Count slots_present(const View& view, JobIndex job, Kind kind, ClassId node_class, Resources machine) {
  const Resources there = view.capacity(any_class);
  const Count amount = kind == Kind::reduce ? there.reduce_slots : there.map_slots;
  if (!view.containers()) return amount;
  const Count each = room_of_task(view, job, kind, node_class, machine);
  return amount / (each == 0 ? view.size(job, kind) : each);
}

}  // namespace wavewright
