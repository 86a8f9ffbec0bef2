// Selects the counters of a task's input and output.
//
// - map input: HDFS_BYTES_READ; for other input (local files, object stores) BYTES_READ of FileInputFormat
// - map output: MAP_OUTPUT_MATERIALIZED_BYTES (fetched by reduces), else MAP_OUTPUT_BYTES; in a map-only job
//   the bytes written, as for a reduce
// - reduce input: REDUCE_SHUFFLE_BYTES
// - reduce output: HDFS_BYTES_WRITTEN, else BYTES_WRITTEN of FileOutputFormat
// Only Hadoop's own counter groups count, as a user's counter may have any name. Negative values are absent.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "wavewright/core/quantity.h"
#include "wavewright/history/run.h"

namespace wavewright {

struct IoBytes {
  std::optional<Bytes> input;
  std::optional<Bytes> output;
};

class IoCounters {
 public:
  void add(std::string_view group, std::string_view name, std::int64_t value);
  [[nodiscard]] IoBytes of(TaskKind kind) const;

 private:
  std::optional<Bytes> hdfs_read_, format_read_, split_, map_output_, materialised_;
  std::optional<Bytes> shuffled_, hdfs_written_, format_written_;
};

}  // namespace wavewright
