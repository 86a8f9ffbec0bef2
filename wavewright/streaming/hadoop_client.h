// The Hadoop client of this machine: files of HDFS, and the command of a streaming job.
//
// Everything goes through the `hadoop` program, which knows the cluster's addresses and its security. A call
// costs the start of a Java machine, about a second.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "wavewright/core/child_program.h"

namespace wavewright {

// A map-only streaming job over lines of text.
struct StreamingJob {
  std::string name;
  std::string input;                  // file in HDFS, a unit a line
  std::string output;                 // folder in HDFS, which must not exist
  std::vector<std::string> archives;  // PATH#NAME: unpacked in the task's folder as NAME
  std::string mapper;                 // command, apart by spaces
  std::size_t lines_per_task = 1;
  std::vector<std::string> settings = {};  // key=value, after our own
};

class HadoopClient {
 public:
  // `program`: `hadoop`, or its path. `streaming_jar`: empty = looked for where Hadoop's distributions have
  // it. Throws UsageError if one of them is not on this machine.
  HadoopClient(const std::string& program, const std::string& streaming_jar, InterruptFlag interrupted);

  // Throw ExternalError with the client's own words, Interrupted.
  void make_folder(const std::string& folder) const;
  void put(const std::filesystem::path& file, const std::string& to) const;  // replaces what is there
  void remove_folder(const std::string& folder) const;                       // which may be gone
  // The folder's files, joined. False if there are none, or no folder.
  [[nodiscard]] bool fetch_parts(const std::string& folder, const std::filesystem::path& to) const;

  // The command that submits the job and waits for its end. It has the word `{options}` where a submission
  // sets its own (live/submission/submission.h).
  [[nodiscard]] std::vector<std::string> command_of(const StreamingJob& job) const;

 private:
  [[nodiscard]] ProgramEnd fs(const std::vector<std::string>& arguments,
                              const std::filesystem::path& output) const;

  std::string program_, jar_;
  InterruptFlag interrupted_;
};

// The last line of what an `fs` command complains, without the log lines of Java.
[[nodiscard]] std::string complaint_of_fs(const std::string& complaints, const std::string& verb);

// hadoop-streaming….jar in the folders of Hadoop's distributions, given the program's file and the value of
// HADOOP_HOME (or empty); empty if there is none.
[[nodiscard]] std::filesystem::path find_streaming_jar(const std::filesystem::path& program,
                                                       const std::filesystem::path& home);

}  // namespace wavewright
