#include "wavewright/streaming/hadoop_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/temporary_folder.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"

namespace wavewright {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;

// A client of which only what it is called with matters.
class HadoopClientTest : public ::testing::Test {
 protected:
  std::string program(const std::string& text) {
    const fs::path path = folder_.path() / "hadoop";
    std::ofstream(path) << "#!/bin/sh\n" << text;
    fs::permissions(path, fs::perms::owner_all);
    return path.string();
  }
  std::string jar() {
    std::ofstream(folder_.path() / "hadoop-streaming-3.4.1.jar") << "";
    return (folder_.path() / "hadoop-streaming-3.4.1.jar").string();
  }
  TemporaryFolder folder_;
};

TEST_F(HadoopClientTest, ThereMustBeAProgramAndAJar) {
  EXPECT_THROW(HadoopClient("no-such-hadoop", jar(), nullptr), UsageError);
  EXPECT_THROW(HadoopClient(program(""), "no-such.jar", nullptr), UsageError);
}

TEST_F(HadoopClientTest, FindsTheJarBesideTheProgramOrInHadoopsHome) {
  const fs::path home = folder_.path() / "opt";
  const fs::path tools = home / "share/hadoop/tools/lib";
  fs::create_directories(tools);
  fs::create_directories(home / "bin");
  for (const char* name :
       {"hadoop-streaming-3.4.1.jar", "hadoop-streaming-3.4.1-sources.jar", "zookeeper.jar"})
    std::ofstream(tools / name) << "";
  const fs::path jar = tools / "hadoop-streaming-3.4.1.jar";
  EXPECT_EQ(find_streaming_jar(home / "bin/hadoop", {}), jar);
  EXPECT_EQ(find_streaming_jar("/usr/bin/hadoop", home), jar);
}

TEST_F(HadoopClientTest, ToldRightsLeadToAnotherFolder) {
  const HadoopClient client(
      program("echo '24/11/24 WARN util.NativeCodeLoader: no native code' >&2\n"
              "echo 'mkdir: Permission denied: user=etl, access=WRITE, inode=\"/\":hdfs:drwxr-xr-x' >&2\n"
              "echo '24/11/24 INFO more' >&2\nexit 1\n"),
      jar(), nullptr);
  try {
    client.make_folder("/runs");
    FAIL();
  } catch (const ExternalError& error) {
    EXPECT_THAT(error.what(), HasSubstr("HDFS /runs: mkdir: Permission denied: user=etl"));
    EXPECT_THAT(error.what(), HasSubstr("--hdfs-folder"));
  }
}

TEST_F(HadoopClientTest, AFolderWithoutPartsIsNoFault) {
  const HadoopClient client(program("echo \"cat: \\`x/part-*': No such file or directory\" >&2\nexit 1\n"),
                            jar(), nullptr);
  EXPECT_FALSE(client.fetch_parts("x", folder_.path() / "results"));
}

TEST_F(HadoopClientTest, FetchesWhatTheClientPrints) {
  const HadoopClient client(program("echo \"$@\"\n"), jar(), nullptr);
  EXPECT_TRUE(client.fetch_parts("x", folder_.path() / "results"));
  EXPECT_EQ(read_file(folder_.path() / "results"), "fs -cat x/part-*\n");
}

TEST_F(HadoopClientTest, TheUsersSettingsStandBehindOurs) {
  const HadoopClient client(program(""), jar(), nullptr);
  StreamingJob job{"wavewright sweep", "in", "out", {"a.tar.gz#a", "b.tar.gz#b"}, "a/run", 7};
  job.settings = {"mapreduce.map.memory.mb=2048"};
  const std::vector<std::string> command = client.command_of(job);
  EXPECT_THAT(command, Contains("mapreduce.input.lineinputformat.linespermap=7"));
  EXPECT_THAT(command, Contains("a.tar.gz#a,b.tar.gz#b"));
  EXPECT_EQ(command[3], "{options}");
  const auto at = [&](const std::string& word) { return std::find(command.begin(), command.end(), word); };
  EXPECT_LT(at("mapreduce.job.reduces=0"), at("mapreduce.map.memory.mb=2048"));
  EXPECT_LT(at("mapreduce.map.memory.mb=2048"), at("-input"));
}

TEST(RunProgram, TellsStatusAndComplaints) {
  const ProgramEnd end = run_program({"sh", "-c", "echo bad >&2; kill -9 $$"}, {}, nullptr);
  EXPECT_EQ(end.status, 128 + 9);
  EXPECT_EQ(end.complaints, "bad\n");
  EXPECT_THROW((void)run_program({"/no/such/program"}, {}, nullptr), ExternalError);
}

TEST(RunProgram, EndsTheProgramWhenInterrupted) {
  const std::atomic<bool> interrupted = true;
  EXPECT_THROW((void)run_program({"sleep", "600"}, {}, &interrupted), Interrupted);
}

}  // namespace
}  // namespace wavewright
