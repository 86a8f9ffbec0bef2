// One run of a job, as its history (or the cluster, while it runs) tells it.
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

// `RUNNING`, `SUCCEEDED`, `FAILED`, `KILLED`, `UNKNOWN`: Hadoop's own words.
[[nodiscard]] std::string to_string(RunState state);
[[nodiscard]] std::string to_string(AttemptState state);
[[nodiscard]] std::string to_string(TaskKind kind);

// Instants are absolute (ms since 1970); one that the history does not tell is absent, never 0.
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

// The attempt whose output the job used: the one named, else the last that succeeded; none where the task
// did not succeed. Valid as long as the task.
[[nodiscard]] const Attempt* winner(const TaskRun& task);

// An application master, or one of several attempts at it: Hadoop 2 and later.
struct MasterRun {
  std::int32_t number = 0;    // 1 = first try
  std::optional<Time> start;  // its JVM has begun; it initialises until `JobRun::launch`
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
  Count total_maps = 0;  // as planned by the job; may exceed the tasks seen when it broke off
  Count total_reduces = 0;
  std::vector<TaskRun> tasks;
  // By number; each was a launch of its own, and the last is the job's. Empty where the source tells none.
  std::vector<MasterRun> masters;
  // `group/counter` → value of the whole job, names as in the history (Hadoop 1: internal names).
  std::map<std::string, std::int64_t> counters;
  std::string hadoop;            // `3.x jhist (Avro-Binary)`, `1.x log`
  std::string source;            // file the run was read from
  std::string diagnostics_text;  // Hadoop's own reason for a failure, one line
  // Those of the job's settings that make runs comparable, under their present names
  // (`mapreduce.job.reduces`), where the source tells them.
  std::map<std::string, std::string> settings;
  // What was found impossible in it, and how often: reason → attempts, tasks or 1 for the job itself
  // (history/sanity_checks.h).
  std::map<std::string, Count> quality_warnings;

  [[nodiscard]] Count attempts_in(AttemptState attempt_state) const;
};

}  // namespace wavewright
