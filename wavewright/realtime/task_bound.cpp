#include "wavewright/realtime/task_bound.h"

#include <algorithm>

namespace wavewright {

Duration TaskBound::length(const View& view, JobIndex job, Kind kind) const {
  Duration longest{};
  for (ClassId node_class = 0; node_class < view.classes(); ++node_class) {
    const Resources there = view.capacity(node_class);
    if ((kind == Kind::map ? there.map_slots : there.reduce_slots) == 0) continue;
    const Estimate estimate = view.estimate(job, kind, node_class);
    longest = std::max(longest, of == Of::max    ? estimate.max
                                : of == Of::mean ? estimate.mean
                                                 : view.quantile(job, kind, node_class, quantile));
  }
  return longest;
}

TaskBound read_task_bound(Parameters& parameters) {
  const std::string text = parameters.text("estimate", "max");
  if (text == "max") return {TaskBound::Of::max};
  if (text == "mean") return {TaskBound::Of::mean};
  if (text.empty() || (text.front() >= '0' && text.front() <= '9'))
    return {TaskBound::Of::quantile, parameters.share("estimate")};
  parameters.refuse("estimate", "estimate", "give max, mean, or a percentile like 90%");
}

Parameter task_bound_parameter() {
  return {"estimate", "max|mean|N%", "length of tasks that promises are made with (max)"};
}

}  // namespace wavewright
