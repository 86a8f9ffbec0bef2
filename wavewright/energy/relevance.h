// Which containers are relevant to a job [UNL §6.1.4]. Here a container is a map slot. The container of a GPU
// is a slot on nodes of a labelled class; the other containers of its server are slots of a class without
// one.
//
// A job asks for a label if it has an entry of its own (`classes` of the workload file) for a labelled class.
// Without adaptive execution only such classes are relevant to it. Otherwise every class is: a CPU job uses
// the processor of a GPU's container, and with adaptive execution a GPU job has code for both.
//
// The device rule: table 6.1 tests at a task's start whether its node has an idle GPU, but the scheduler
// grants containers. Here the grant decides: a task in the GPU's container uses the GPU, any other does not.
#pragma once

#include <vector>

#include "wavewright/sched/view.h"

namespace wavewright {

// By class. O(classes · log classes of the job); O(classes) with adaptive execution.
[[nodiscard]] inline std::vector<bool> relevant_classes(const View& view, JobIndex job, bool adaptive) {
  std::vector<bool> labelled(view.classes(), adaptive);
  if (adaptive) return labelled;
  bool asks = false;
  for (ClassId c = 0; c < labelled.size(); ++c) {
    labelled[c] = !view.class_label(c).empty() && view.has_own_entry(job, c);
    asks = asks || labelled[c];
  }
  if (!asks) labelled.assign(labelled.size(), true);
  return labelled;
}

}  // namespace wavewright
