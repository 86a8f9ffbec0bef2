// Reads `batch_task.csv` of Alibaba's cluster trace of 2018 (github.com/alibaba/clusterdata,
// cluster-trace-v2018). One row per task of a job, without a header: task name, instances, job, type, status,
// start s, end s, planned processors and memory. Job and type are accepted in either order, as the trace and
// its description differ.
//
// A task's name contains its predecessors: `M1` has none, `R4_2` waits for task 2, `J5_3_4` for tasks 3 and
// 4. Other names (`task_Nzg3…`) contain none. Each task of the trace becomes a job of the workload: its
// instances are maps, its predecessors `after`. All jobs of one trace job are submitted at the earliest start
// among them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "wavewright/job/format_conversion.h"
#include "wavewright/job/validator.h"

namespace wavewright {

struct AlibabaTaskName {
  std::int64_t number = 0;          // 0 = the name has none
  std::vector<std::int64_t> after;  // ascending
};
[[nodiscard]] AlibabaTaskName parse_task_name(std::string_view name);

// Drops rows that are malformed, not `Terminated`, without instances or without both times, and counts them
// by reason. Drops edges to missing tasks and edges on or behind a cycle. Throws InputError if no row is left
// or there are more than `most_instances` instances. O(bytes + instances).
[[nodiscard]] Conversion read_alibaba(const std::filesystem::path& path, Count most_instances = most_tasks());

}  // namespace wavewright
