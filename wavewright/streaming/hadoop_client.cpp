#include "wavewright/streaming/hadoop_client.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wavewright/core/error.h"
#include "wavewright/live/submission/client_processes.h"

namespace wavewright {

namespace {

namespace fs = std::filesystem;

bool is_streaming_jar(const std::string& name) {
  return name.starts_with("hadoop-streaming") && name.ends_with(".jar") &&
         name.find("sources") == std::string::npos && name.find("tests") == std::string::npos;
}

[[noreturn]] void refuse(const std::string& where, const std::string& verb, const ProgramEnd& end) {
  const std::string words = complaint_of_fs(end.complaints, verb);
  const bool rights = words.find("ermission denied") != std::string::npos ||
                      words.find("AccessControlException") != std::string::npos;
  throw ExternalError({"HDFS " + where},
                      words.empty() ? fmt::format("hadoop ended with {}", end.status) : words,
                      rights ? "name a folder of HDFS that you may write with --hdfs-folder"
                             : "try 'hadoop fs -ls /' on this machine");
}

}  // namespace

std::string complaint_of_fs(const std::string& complaints, const std::string& verb) {
  std::string last, own;
  std::istringstream lines(complaints);
  for (std::string line; std::getline(lines, line);) {
    std::replace_if(line.begin(), line.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
    if (line.find_first_not_of(' ') == std::string::npos) continue;
    last = line;
    if (line.starts_with(verb + ": ")) own = line;
  }
  constexpr std::size_t most = 400;
  return (own.empty() ? last : own).substr(0, most);
}

fs::path find_streaming_jar(const fs::path& program, const fs::path& home) {
  std::error_code ignored;
  const fs::path beside = fs::weakly_canonical(program, ignored).parent_path().parent_path();
  for (const fs::path& folder :
       {home / "share/hadoop/tools/lib", home / "tools" / "lib", home, beside / "share/hadoop/tools/lib",
        beside / "lib/hadoop-mapreduce", fs::path("/usr/lib/hadoop-mapreduce"),
        fs::path("/usr/lib/hadoop/tools/lib"), fs::path("/opt/cloudera/parcels/CDH/lib/hadoop-mapreduce")}) {
    if (!folder.is_absolute()) continue;
    std::vector<fs::path> found;
    for (const auto& each : fs::directory_iterator(folder, ignored)) {
      if (is_streaming_jar(each.path().filename())) found.push_back(each.path());
    }
    if (!found.empty()) return *std::max_element(found.begin(), found.end());
  }
  return {};
}

HadoopClient::HadoopClient(const std::string& program, const std::string& streaming_jar,
                           InterruptFlag interrupted)
    : program_(program), jar_(streaming_jar), interrupted_(interrupted) {
  const fs::path found = find_program(program);
  if (found.empty())
    throw UsageError(fmt::format("there is no program '{}' here, by which Hadoop takes jobs", program),
                     "install Hadoop's client, or name it with --hadoop");
  if (jar_.empty()) {
    const char* const home = std::getenv("HADOOP_HOME");  // NOLINT(concurrency-mt-unsafe)
    jar_ = find_streaming_jar(found, home == nullptr ? "" : home);
    if (jar_.empty())
      throw UsageError("there is no hadoop-streaming….jar where Hadoop's distributions have it",
                       "name it with --streaming-jar");
  }
  std::error_code ignored;
  if (!fs::is_regular_file(jar_, ignored))
    throw UsageError(fmt::format("there is no streaming jar '{}'", jar_), "name it with --streaming-jar");
}

ProgramEnd HadoopClient::fs(const std::vector<std::string>& arguments, const fs::path& output) const {
  std::vector<std::string> command = {program_, "fs"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run_program(command, output, interrupted_);
}

void HadoopClient::make_folder(const std::string& folder) const {
  if (const ProgramEnd end = fs({"-mkdir", "-p", folder}, {}); !end.good()) refuse(folder, "mkdir", end);
}

void HadoopClient::put(const fs::path& file, const std::string& to) const {
  if (const ProgramEnd end = fs({"-put", "-f", file.string(), to}, {}); !end.good()) refuse(to, "put", end);
}

void HadoopClient::remove_folder(const std::string& folder) const {
  const ProgramEnd end = fs({"-rm", "-r", "-f", "-skipTrash", folder}, {});
  if (!end.good()) refuse(folder, "rm", end);
}

bool HadoopClient::fetch_parts(const std::string& folder, const fs::path& to) const {
  const ProgramEnd end = fs({"-cat", folder + "/part-*"}, to);
  if (end.good()) return true;
  if (end.complaints.find("No such file or directory") != std::string::npos) return false;
  refuse(folder, "cat", end);
}

std::vector<std::string> HadoopClient::command_of(const StreamingJob& job) const {
  std::vector<std::string> command = {program_, "jar", jar_, "{options}"};
  const auto set = [&](const std::string& setting) { command.insert(command.end(), {"-D", setting}); };
  set("mapreduce.job.name=" + job.name);
  set("mapreduce.job.reduces=0");
  set(fmt::format("mapreduce.input.lineinputformat.linespermap={}", job.lines_per_task));
  set("stream.map.input.ignoreKey=true");
  // A task's output is there as soon as the task is done, also if the job is not.
  set("mapreduce.fileoutputcommitter.algorithm.version=2");
  set("mapreduce.fileoutputcommitter.marksuccessfuljobs=false");
  set("mapreduce.output.fileoutputformat.compress=false");
  // One bad unit does not keep the others from their results.
  set("mapreduce.map.failures.maxpercent=50");
  for (const std::string& setting : job.settings) set(setting);
  if (!job.archives.empty())
    command.insert(command.end(), {"-archives", fmt::format("{}", fmt::join(job.archives, ","))});
  command.insert(command.end(), {"-inputformat", "org.apache.hadoop.mapred.lib.NLineInputFormat", "-input",
                                 job.input, "-output", job.output, "-mapper", job.mapper});
  return command;
}

}  // namespace wavewright
