// Lays a job out in time as if it had run alone with a slot for every task.
#pragma once

#include <string>
#include <vector>

#include "wavewright/core/time.h"
#include "wavewright/job/job.h"

namespace wavewright {

struct ReduceSpan {
  Time start, shuffled, finish;
};

struct TraceLayout {
  const Job* job = nullptr;
  Time submit{};
  Time reduces_start{};
  Time finish{};
  bool tells_shuffle = false;  // does the job have any?

  [[nodiscard]] Time map_finish(std::size_t map) const { return submit + job->maps[map]; }
  [[nodiscard]] ReduceSpan reduce(std::size_t reduce) const;
};

// `origin`: the instant of the workload's time 0. Reduces start at the end of the last map. If the job has
// only later-wave shuffles they start 1 ms later, so that a history can distinguish them. Throws InputError
// if the job ends beyond the longest duration. O(tasks).
[[nodiscard]] TraceLayout lay_out(const Job& job, Time origin);

// Unique ids of Hadoop's form: the job's own, or `job_1_` and its position in the workload, from 1.
[[nodiscard]] std::vector<std::string> hadoop_ids(const Workload& workload);

// One sentence for each figure that a trace of jobs that have not run makes up.
[[nodiscard]] std::vector<std::string> trace_imputations(const Workload& workload,
                                                         const std::vector<std::string>& ids);

// `/default-rack/` and the first host of the map's split, or `node1`: Hadoop's readers need a host.
[[nodiscard]] std::string host_of_map(const Job& job, std::size_t map);

// As JSON, in quotes; bytes that are not UTF-8 are replaced.
[[nodiscard]] std::string json_quoted(const std::string& text);

}  // namespace wavewright
