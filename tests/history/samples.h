// Jobs as tests need them: events of a small job with everything in it, and the schemas of several ages.
#pragma once

#include "tests/history/avro.h"
#include "wavewright/history/source.h"

namespace wavewright::tests {

// Hadoop 3.4.2's, and the same without what came later than 2.x and than 0.23.
[[nodiscard]] Json schema_3();
[[nodiscard]] Json schema_2();
[[nodiscard]] Json schema_0_23();

// {"type": type, "event": {"@": record, …fields}}
[[nodiscard]] Json event(const std::string& type, const std::string& record, Json fields);

void insert(std::vector<Json>& events, std::ptrdiff_t at, const Json& added);

// {"name": "COUNTERS", "groups": […]} of (group, counter, value).
struct Counted {
  std::string group;
  std::string name;
  std::int64_t value;
};
[[nodiscard]] Json counters(const std::vector<Counted>& values);

// word count, 2 maps and 1 reduce: map 0 fails once and is retried, map 1 has a killed speculative copy.
[[nodiscard]] std::vector<Json> word_count();

// The same job as Hadoop 1 logs it.
[[nodiscard]] std::string word_count_log();

struct Outcome {
  std::vector<JobRun> runs;
  std::vector<Diagnostic> diagnostics;

  [[nodiscard]] bool says(const std::string& reason) const;
};
[[nodiscard]] Outcome read(std::string_view bytes);

// Every field of the run but its source and format, one a line: two runs are equal when their texts are.
[[nodiscard]] std::string describe(const JobRun& run);

}  // namespace wavewright::tests
