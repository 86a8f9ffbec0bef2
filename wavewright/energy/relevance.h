// Which containers are relevant to a job [UNL §6.1.4]. Here a container is a map slot. The container of a GPU
// is a slot on nodes of a labelled class; the other containers of its server are slots of a class without
// one.
//
// A job asks for a label if it has an entry of its own (`classes` of the workload file) for a class with that
// label. Without adaptive execution only classes with such a label are relevant to it. Otherwise every class
// is: a CPU job uses the processor of a GPU's container, and with adaptive execution a GPU job has code for
// both.
//
// The device rule: table 6.1 tests at a task's start whether its node has an idle GPU, but the scheduler
// grants containers. Here the grant decides: a task in the GPU's container uses the GPU, any other does not.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "wavewright/sched/view.h"

namespace wavewright {

// By class. O(classes²); O(classes) with adaptive execution.
[[nodiscard]] inline std::vector<bool> relevant_classes(const View& view, JobIndex job, bool adaptive) {
  const std::size_t classes = view.classes();
  std::vector<std::string_view> asked;
  for (ClassId c = 0; c < classes && !adaptive; ++c) {
    if (!view.class_label(c).empty() && view.has_own_entry(job, c)) asked.push_back(view.class_label(c));
  }
  if (asked.empty()) return std::vector<bool>(classes, true);
  std::vector<bool> relevant(classes);
  for (ClassId c = 0; c < classes; ++c)
    relevant[c] = std::find(asked.begin(), asked.end(), view.class_label(c)) != asked.end();
  return relevant;
}

}  // namespace wavewright
