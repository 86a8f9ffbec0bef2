// One run of a job: from its history or, while it runs, from the cluster.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"

namespace wavewright {

enum class RunState { unknown, running, succeeded, failed, killed };
enum class TaskKind { map, reduce, setup, cleanup };  // setup and cleanup exist in Hadoop 1 only
enum class AttemptState { unknown, succeeded, failed, killed };

// Hadoop's words: `RUNNING`, `SUCCEEDED`, `FAILED`, `KILLED`, `UNKNOWN`.
[[nodiscard]] std::string to_string(RunState state);
[[nodiscard]] std::string to_string(AttemptState state);
[[nodiscard]] std::string to_string(TaskKind kind);

// Instants are in ms since 1970; one that the history lacks is absent, never 0.
struct Attempt {
  std::string id;           // attempt_1234567890123_0001_m_000000_0
  std::int32_t number = 0;  // 0 = first try; a speculative copy has a higher one
  AttemptState state = AttemptState::unknown;
  std::optional<Time> start;
  std::optional<Time> finish;
  std::optional<Time> shuffle_finish;  // reduces: shuffle ended
  std::optional<Time> sort_finish;     // reduces: merge ended, the reduce function begins
  std::optional<Time> map_finish;      // maps: the map function ended
  std::string node;                    // host name without port
  std::string rack;
  std::string error;  // why it failed or was killed; empty otherwise
};

struct TaskRun {
  std::string id;  // task_1234567890123_0001_m_000000
  TaskKind kind = TaskKind::map;
  std::int32_t number = 0;
  AttemptState state = AttemptState::unknown;
  std::optional<Time> start;
  std::optional<Time> finish;
  std::vector<std::string> split_nodes;  // hosts that hold the input split
  std::optional<Bytes> input;            // bytes read: HDFS input of a map, shuffled bytes of a reduce
  std::optional<Bytes> output;           // bytes written: map output (materialised), reduce output
  std::string successful_attempt;        // id; empty = none
  std::vector<Attempt> attempts;         // in order of start
};

// The attempt whose output the job used: `successful_attempt`, else the last one that succeeded. Null if the
// task did not succeed. Valid as long as the task.
[[nodiscard]] const Attempt* winner(const TaskRun& task);

// One attempt of a job's application master; Hadoop 2 and later.
struct MasterRun {
  std::int32_t number = 0;    // 1 = first try
  std::optional<Time> start;  // its JVM has started; it initialises until `JobRun::launch`
  std::string node;           // host name without port
};

struct JobRun {
  std::string id;  // job_1234567890123_0001
  std::string name;
  std::string user;
  std::string queue;
  RunState state = RunState::unknown;
  std::optional<Time> submit;
  std::optional<Time> launch;  // initialised: the first task may start
  std::optional<Time> finish;
  Count total_maps = 0;  // as planned by the job; exceeds `tasks` only if the job did not succeed
  Count total_reduces = 0;
  std::vector<TaskRun> tasks;
  // By number; the last one is the job's. Empty if the source has none.
  std::vector<MasterRun> masters;
  // `group/counter` → value for the whole job, with the history's names (Hadoop 1: internal names).
  std::map<std::string, std::int64_t> counters;
  std::string hadoop;            // `3.x jhist (Avro-Binary)`, `1.x log`
  std::string source;            // file the run was read from
  std::string diagnostics_text;  // Hadoop's own reason for a failure, one line
  // Settings that make runs comparable, by present names (`mapreduce.job.reduces`); empty if unknown.
  std::map<std::string, std::string> settings;
  // Impossible figures: reason → attempts, tasks, or 1 for the job (history/sanity_checks.h).
  std::map<std::string, Count> quality_warnings;

  [[nodiscard]] Count attempts_in(AttemptState attempt_state) const;
};

}  // namespace wavewright
