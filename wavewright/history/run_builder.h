// Builds a run from the records of a history, in any order and with gaps.
//
// Readers translate their format's records into these calls. Rules for all formats: an instant of -1 or 0 is
// absent; names are cleaned; a task's bytes are those of its successful attempt; tasks are ordered by kind
// (map, reduce, setup, cleanup) and number, attempts by start. Only `finish` throws. Each call is O(1) on
// average, `finish` O(n log n).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "wavewright/history/io_counters.h"
#include "wavewright/history/reader.h"
#include "wavewright/history/run.h"

namespace wavewright {

class RunBuilder {
 public:
  JobRun run;  // set the job's own fields directly; tasks come from the calls below

  // Names the job; only the first name counts.
  void name_job(std::string_view id);

  // The task or attempt of that id, created on first use; an attempt creates its task. Null for an empty id.
  // The pointer is valid until the next call.
  TaskRun* task(std::string_view id, std::string_view type);
  Attempt* attempt(std::string_view task_id, std::string_view type, std::string_view attempt_id);

  // Bytes read and written, counted by a task or one of its attempts. Unknown ids are ignored.
  void task_counters(std::string_view task_id, const IoCounters& counters);
  void attempt_counters(std::string_view attempt_id, const IoCounters& counters);

  // An attempt of the job's application master, numbered from 1. Repeated calls fill in missing values.
  void master(std::int32_t number, std::optional<Time> start, std::string_view host);

  // A counter of the whole job. Names longer than any of Hadoop's (512 bytes) are dropped: each counter
  // repeats its group's name, so a hostile file could fill the memory.
  void job_counter(std::string_view group, std::string_view name, std::int64_t value);

  // A job's number of maps or reduces as a file's `field` tells it: absent and -1 are 0. Below -1 and above
  // `most_tasks_of_a_run` it is 0, and `finish` refuses the job.
  [[nodiscard]] Count planned(std::string_view field, std::optional<std::int64_t> told);

  // An instant of a file: -1 and 0 are absent; beyond `longest_duration` it is absent with a warning.
  [[nodiscard]] std::optional<Time> instant(std::optional<std::int64_t> told);

  // A record that could not be read, as a diagnostic names it: counted among the run's warnings, so that
  // another copy of the history is known for the better one.
  void lost_record(const std::string& reason) { ++lost_records_[reason]; }

  [[nodiscard]] bool has_job() const { return !run.id.empty(); }

  // The run so far, with a warning for each kind of impossible number in it. Throws InputError if its number
  // of planned tasks cannot be: a damaged history, whose figures would be believed elsewhere.
  [[nodiscard]] JobRun finish(const std::string& source, const DiagnosticSink& diagnostics) &&;

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  struct AttemptPlace {
    std::size_t task = 0;
    std::size_t attempt = 0;
    IoCounters counters;
  };
  template <class T>
  using ById = std::unordered_map<std::string, T, Hash, std::equal_to<>>;

  void settle(TaskRun& task);
  void settle_masters();

  ById<std::size_t> tasks_;
  ById<AttemptPlace> attempts_;
  Count instants_out_of_range_ = 0;
  std::map<std::string, Count> lost_records_;
  std::string impossible_;  // the first number of planned tasks that cannot be, with its field
};

// Hands the builder's run to `runs`; a job that `finish` refuses is a diagnostic.
void hand_over(RunBuilder&& builder, const std::string& source, const RunSink& runs,
               const DiagnosticSink& diagnostics);

}  // namespace wavewright
