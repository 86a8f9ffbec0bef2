// Bytes of tasks, from the counters that real tasks have.
#include "wavewright/history/io_counters.h"

#include <gtest/gtest.h>

namespace wavewright {
namespace {

constexpr const char* files = "org.apache.hadoop.mapreduce.FileSystemCounter";
constexpr const char* tasks = "org.apache.hadoop.mapreduce.TaskCounter";
constexpr const char* format = "org.apache.hadoop.mapreduce.lib.input.FileInputFormatCounter";

std::optional<Bytes> input_of_map(std::int64_t hdfs, std::int64_t split, std::int64_t read) {
  IoCounters counters;
  counters.add(files, "HDFS_BYTES_READ", hdfs);
  counters.add(tasks, "SPLIT_RAW_BYTES", split);
  counters.add(format, "BYTES_READ", read);
  return counters.of(TaskKind::map).input;
}

// A map reads the description of its split from HDFS, wherever its data lie.
TEST(IoCounters, InputOutsideHdfsIsWhatTheFormatRead) {
  EXPECT_EQ(input_of_map(110, 110, 134'217'728), Bytes{134'217'728}) << "from S3";
  EXPECT_EQ(input_of_map(1'048'678, 102, 1'048'576), Bytes{1'048'678}) << "from HDFS";
  EXPECT_EQ(input_of_map(48, 48, 0), Bytes{48}) << "a job that reads nothing";
  EXPECT_EQ(input_of_map(0, 0, 500), Bytes{500}) << "from a local file system";
}

}  // namespace
}  // namespace wavewright
