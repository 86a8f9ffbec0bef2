// One job of a workload laid out in time as if it had run alone with a slot for every task.
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
  bool tells_shuffle = false;  // whether the job has any

  [[nodiscard]] Time map_finish(std::size_t map) const { return submit + job->maps[map]; }
  [[nodiscard]] ReduceSpan reduce(std::size_t reduce) const;
};

// `origin`: the instant of the workload's time 0. Reduces start at the end of the last map, 1 ms later where
// the job has only shuffles of later waves: that is how a history tells them apart. Throws InputError where
// the job ends beyond the longest duration. O(tasks).
[[nodiscard]] TraceLayout lay_out(const Job& job, Time origin);

// An id of Hadoop's form for each job, unique: its own, or `job_1_` and its place in the workload, from 1.
[[nodiscard]] std::vector<std::string> hadoop_ids(const Workload& workload);

// What a trace of jobs that have not run makes up, a sentence each.
[[nodiscard]] std::vector<std::string> trace_imputations(const Workload& workload,
                                                         const std::vector<std::string>& ids);

// `/default-rack/` and the first host of its split, or `node1`: Hadoop's readers want a host.
[[nodiscard]] std::string host_of_map(const Job& job, std::size_t map);

// As JSON, in quotes; bytes that are no UTF-8 are replaced.
[[nodiscard]] std::string json_quoted(const std::string& text);

}  // namespace wavewright
