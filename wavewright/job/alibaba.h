// `batch_task.csv` of Alibaba's cluster trace of 2018 (github.com/alibaba/clusterdata, cluster-trace-v2018):
// a row a task of a job, without a header: task name, instances, job, type, status, start s, end s, planned
// processors and memory. Job and type are taken in either order: the trace and its description differ.
//
// A task's name says what it waits for: `M1` nothing, `R4_2` task 2, `J5_3_4` tasks 3 and 4; other names
// (`task_Nzg3…`) say nothing. So a task of the trace is a job of the workload: its instances are maps, its
// predecessors `after`. All jobs of one trace job are submitted at the earliest start among them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "wavewright/job/format_conversion.h"
#include "wavewright/job/validator.h"

namespace wavewright {

struct AlibabaTaskName {
  std::int64_t number = 0;          // 0: the name says nothing
  std::vector<std::int64_t> after;  // ascending
};
[[nodiscard]] AlibabaTaskName parse_task_name(std::string_view name);

// Rows that are malformed, not `Terminated`, without instances or without both times are left out, with a
// count for each reason; so are edges to tasks that are not there, and those in or behind a circle. Throws
// InputError when no row is left or there are more than `most_instances`. O(bytes + instances).
[[nodiscard]] Conversion read_alibaba(const std::filesystem::path& path, Count most_instances = max_tasks);

}  // namespace wavewright
