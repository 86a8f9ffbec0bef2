#include "wavewright/history/io_counters.h"

namespace wavewright {

namespace {

// A zero in the file system's counter means only that the bytes went to another file system.
std::optional<Bytes> positive_or(std::optional<Bytes> first, std::optional<Bytes> second) {
  if (first && first->count > 0) return first;
  return second ? second : first;
}

}  // namespace

void IoCounters::add(std::string_view group, std::string_view name, std::int64_t value) {
  if (value < 0 || name.size() < 10) return;
  if (!group.starts_with("org.apache.hadoop.") && group != "FileSystemCounters") return;
  const Bytes bytes{value};
  if (name == "HDFS_BYTES_READ") hdfs_read_ = bytes;
  if (name == "SPLIT_RAW_BYTES") split_ = bytes;
  if (name == "HDFS_BYTES_WRITTEN") hdfs_written_ = bytes;
  if (name == "MAP_OUTPUT_BYTES") map_output_ = bytes;
  if (name == "MAP_OUTPUT_MATERIALIZED_BYTES") materialised_ = bytes;
  if (name == "REDUCE_SHUFFLE_BYTES") shuffled_ = bytes;
  if (name == "BYTES_READ" && group.find("FileInputFormat") != std::string_view::npos) format_read_ = bytes;
  if (name == "BYTES_WRITTEN" && group.find("FileOutputFormat") != std::string_view::npos) {
    format_written_ = bytes;
  }
}

IoBytes IoCounters::of(TaskKind kind) const {
  const auto written = positive_or(hdfs_written_, format_written_);
  switch (kind) {
    case TaskKind::map: {
      const auto for_reduces = materialised_ ? materialised_ : map_output_;
      // A map reads the description of its split from HDFS, also where its data lie elsewhere, as in S3.
      const bool only_split = hdfs_read_ && split_ && hdfs_read_->count <= split_->count;
      const auto read =
          only_split ? positive_or(format_read_, hdfs_read_) : positive_or(hdfs_read_, format_read_);
      return {read, for_reduces ? for_reduces : written};
    }
    case TaskKind::reduce:
      return {shuffled_, written};
    case TaskKind::setup:
    case TaskKind::cleanup:
      break;
  }
  return {};
}

}  // namespace wavewright
