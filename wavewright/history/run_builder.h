// Puts a run together from what a history tells piece by piece, in any order and with gaps.
//
// Readers translate their format's records into these calls; the rules that all formats share live here:
// an instant of -1 or 0 is absent, names are cleaned, a task's volumes are those of its successful attempt,
// tasks are in the order map, reduce, setup, cleanup and by number, attempts in order of start.
// Nothing throws on odd input. Each call is O(1) on average, `finish` O(n log n).
#pragma once

#include <cstdint>
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
  JobRun run;  // the job's own fields are set directly; tasks come from the calls below

  // Names the job; the first name given stays.
  void name_job(std::string_view id);

  // The task or attempt of that id, made when it is first named. An empty id gives nullptr. The pointer
  // holds until the next call. An attempt's task is made with it.
  TaskRun* task(std::string_view id, std::string_view type);
  Attempt* attempt(std::string_view task_id, std::string_view type, std::string_view attempt_id);

  // Bytes in and out as counted by a task, or by one of its attempts. Unknown ids are ignored.
  void task_counters(std::string_view task_id, const IoCounters& counters);
  void attempt_counters(std::string_view attempt_id, const IoCounters& counters);

  // An attempt at the job's application master, from 1. Told again, it fills in what was not told before.
  void master(std::int32_t number, std::optional<Time> start, std::string_view host);

  // A counter of the whole job. One whose name is longer than any of Hadoop's (512 bytes) is left out: each
  // counter repeats its group's name, and a hostile file must not grow in memory.
  void job_counter(std::string_view group, std::string_view name, std::int64_t value);

  // An instant as files tell it: -1 and 0 are absent; so is one beyond `longest_duration`, with a warning.
  [[nodiscard]] std::optional<Time> instant(std::optional<std::int64_t> told);

  [[nodiscard]] bool has_job() const { return !run.id.empty(); }

  // The run as far as it was told, and a warning for each kind of impossible number in it.
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
};

}  // namespace wavewright
