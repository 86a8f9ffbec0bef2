// Parses one line of a workload file into a job; used by workload_file.cpp only.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <simdjson.h>

#include "wavewright/core/error.h"
#include "wavewright/job/job.h"
#include "wavewright/job/job_fields.h"
#include "wavewright/job/workload_file.h"

namespace wavewright {

class JobParser {
 public:
  JobParser(std::string source, const WorkloadReadOptions& options);

  // `text` needs simdjson's padding behind it. `tasks_left`: tasks that the file may still have. Throws
  // InputError if the line is malformed; WorkloadValidator checks the ranges.
  [[nodiscard]] Job parse(std::string_view text, std::int64_t line, bool last_line_unfinished,
                          Count tasks_left);

 private:
  using Element = simdjson::dom::element;
  // How many entries a list may have, and what to say of more.
  struct Limit {
    Count most = 0;
    std::string reason, remedy;
  };

  [[nodiscard]] Element document(std::string_view text, bool unfinished);
  void sort_fields(simdjson::dom::object object, Job& job);
  void keep_unknown(std::string_view name, Element value, Job& job);

  // The lengths of the job's maps or reduces. The file may still have `left` tasks.
  [[nodiscard]] std::vector<Duration> tasks(std::string_view name, const std::string& id, Count left) const;
  [[nodiscard]] std::vector<Duration> durations(std::string_view name, const std::string& id,
                                                const Limit& limit) const;
  [[nodiscard]] std::vector<Duration> listed(simdjson::dom::array list, std::string_view name,
                                             const Limit& limit) const;
  [[nodiscard]] std::vector<Duration> drawn(simdjson::dom::object form, std::string_view name,
                                            const std::string& id, const Limit& limit) const;
  // Each list of a file's jobs has a random stream of its own.
  [[nodiscard]] Random stream_of(const std::string& id, std::string_view field) const {
    return {options_.seed, id + '\n' + std::string(field)};
  }
  void take_tasks_of_profile(Job& job, Count left) const;
  void read_classes(Job& job) const;
  void read_splits(Job& job) const;

  JobFields fields_;
  const WorkloadReadOptions& options_;
  simdjson::dom::parser parser_;
  std::unordered_set<std::string> warned_;
};

}  // namespace wavewright
