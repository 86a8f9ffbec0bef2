// HDFS over WebHDFS: a done folder as the JobHistory server keeps it, and what can go wrong.
#include "wavewright/history/source/webhdfs.h"

#include <utime.h>

#include <filesystem>
#include <fstream>

#include "tests/history/samples.h"
#include "tests/memory.h"
#include "tests/server.h"
#include "tests/temporary_folder.h"
#include "wavewright/history/source/hdfs_walk.h"

namespace wavewright {
namespace {

namespace fs = std::filesystem;
using namespace tests;

class WebHdfs : public ::testing::Test {
 protected:
  void SetUp() override { server = std::make_unique<Server>(std::vector<std::string>{"webhdfs", folder}); }
  void TearDown() override { server.reset(); }

  void put(const fs::path& name, std::string_view bytes, std::time_t changed = 1'795'176'000) const {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary) << bytes;
    const utimbuf times{changed, changed};
    ::utime((folder / name).c_str(), &times);
  }
  [[nodiscard]] std::string at(const std::string& path) const { return "hdfs://" + server->at() + path; }

  // Paths below the server's root.
  [[nodiscard]] std::vector<std::string> listed(const std::string& path, const SourceOptions& options = {}) {
    std::vector<std::string> names;
    const auto source = open_source(at(path), options);
    source->list(
        [&](HistoryFile&& file) {
          names.push_back(file.name.substr(at("").size()));
          versions.push_back(file.version);
          return true;
        },
        [&](Diagnostic&& diagnostic) { said.push_back(diagnostic.reason); });
    return names;
  }
  static std::string failure(const std::string& where, const SourceOptions& options = {}) {
    try {
      open_source(where, options)->list([](HistoryFile&&) { return true; }, [](Diagnostic&&) {});
      return "no failure";
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find("SECRET"), std::string::npos);
      return error.what();
    }
  }

  TemporaryFolder own;
  fs::path folder = own.path();
  std::unique_ptr<Server> server;
  std::vector<std::string> versions;
  std::vector<std::string> said;
  std::string history = jhist(schema_3(), word_count(), Encoding::binary);
};

TEST_F(WebHdfs, WalksADoneFolderFromTheNewestDayBack) {
  put("done/2026/11/20/000000/job_1_0003.jhist", history, 1'795'176'300);
  put("done/2026/11/20/000000/job_1_0004.jhist", history, 1'795'176'400);
  put("done/2026/11/20/000000/job_1_0005.jhist", history, 1'795'176'200);
  put("done/2026/11/20/000001/job_1_0006.jhist", history);
  put("done/2026/11/19/000000/job_1_0002.jhist", history);
  put("done/2026/09/30/000000/job_1_0001.jhist", history);
  put("done/2025/12/31/000000/job_1_0000.jhist", history);
  put("done/2026/11/20/000000/job_1_0003_conf.xml", "<configuration/>");
  const std::vector<std::string> expected = {
      "/done/2026/11/20/000001/job_1_0006.jhist", "/done/2026/11/20/000000/job_1_0004.jhist",
      "/done/2026/11/20/000000/job_1_0003.jhist", "/done/2026/11/20/000000/job_1_0005.jhist",
      "/done/2026/11/19/000000/job_1_0002.jhist", "/done/2026/09/30/000000/job_1_0001.jhist",
      "/done/2025/12/31/000000/job_1_0000.jhist"};
  EXPECT_EQ(listed("/done/"), expected);
  EXPECT_EQ(versions[1], fmt::format("{}@1795176400000", history.size()));
  EXPECT_EQ(said, (std::vector<std::string>{"passed over: stands beside histories, but is none"}));
}

TEST_F(WebHdfs, SinceLeavesOutOldFilesAndWholeDays) {
  put("done/2026/11/20/000000/job_1_0003.jhist", history, 1'795'176'300);
  put("done/2026/11/20/000000/job_1_0004.jhist", history, 1'795'176'400);
  put("done/2026/01/01/000000/job_1_0001.jhist", history, 1'795'176'400);  // no file of that day is asked for
  SourceOptions options;
  options.since = at_ms(1'795'176'400'000);
  EXPECT_EQ(listed("/done", options), (std::vector<std::string>{"/done/2026/11/20/000000/job_1_0004.jhist"}));
  EXPECT_TRUE(day_before("/done/2026/11/17", at_ms(1'795'176'400'000)));
  EXPECT_FALSE(day_before("/done/2026/11/19", at_ms(1'795'176'400'000)));  // the server's zone is not known
  EXPECT_FALSE(day_before("/done/2026/11", at_ms(1'795'176'400'000)));
  EXPECT_FALSE(day_before("/done/2026/13/41", at_ms(1'795'176'400'000)));
}

TEST_F(WebHdfs, ReadsThroughDataNodesWithSettings) {
  const std::string name = "/a b/job_1700000000000_0007-1-ada-50%25%2Fnight+\"x\".jhist";
  put(name.substr(1), history);
  put("a b/job_1700000000000_0007_conf.xml",
      "<configuration><property><name>mapred.reduce.tasks</name><value>1</value></property></configuration>");
  const auto source = open_source(at("/a b"));
  const FileHistory file = source->read({at(name), {}});
  ASSERT_EQ(file.runs.size(), 1U) << (file.diagnostics.empty() ? "" : file.diagnostics[0].reason);
  EXPECT_EQ(file.format, "Hadoop 2+ jhist");
  EXPECT_EQ(file.runs[0].source, at(name));
  EXPECT_EQ(file.runs[0].settings.at("mapreduce.job.reduces"), "1");
  EXPECT_EQ(listed(name), std::vector<std::string>{name});  // a file by itself
}

TEST_F(WebHdfs, AFileGoneOrDamagedIsAReasonOfThatFile) {
  put("cut.gz", std::string("\x1f\x8b\x08\0\0\0\0\0\0\x03\x01", 11));
  put("text", "hello");
  const auto source = open_source(at("/"));
  const auto reason = [&](const std::string& name) {
    const FileHistory file = source->read({at(name), {}});
    EXPECT_TRUE(file.runs.empty());
    return file.diagnostics.empty() ? std::string() : file.diagnostics.front().reason;
  };
  EXPECT_EQ(reason("/gone").find("file is not there: FileNotFoundException"), 0U) << reason("/gone");
  EXPECT_EQ(reason("/cut.gz"), "gzip file ends early");
  EXPECT_EQ(reason("/text"), "text of an unknown format");
}

// A line that does not end is refused while it arrives: the server is not asked for the rest.
TEST_F(WebHdfs, WhatDoesNotEndIsRefusedBeforeItIsFetched) {
  put("line.jhist", "Avro-Json\n{\"a");
  put("zeros.jhist", "Avro-Json\n{\"a");
  fs::resize_file(folder / "zeros.jhist", std::size_t{400} << 20);
  {
    std::ofstream out(folder / "line.jhist", std::ios::binary | std::ios::app);
    for (int i = 0; i < 200; ++i) out << std::string(std::size_t{1} << 20, 'x');
  }
  put("text", std::string(std::size_t{100} << 20, 'a'));
  const auto source = open_source(at("/"));
  const auto reason = [&](const std::string& name) {
    const FileHistory file = source->read({at(name), {}});
    return file.diagnostics.empty() ? "none" : file.diagnostics.front().reason;
  };
  std::ofstream("/proc/self/clear_refs") << 5;  // the peak begins anew
  const std::int64_t before = peak_kb();
  EXPECT_EQ(reason("/zeros.jhist"), "a long row of zero bytes, as no history has");
  EXPECT_LT(peak_kb() - before, 32 * 1024 + kept_kb);
  EXPECT_EQ(reason("/text"), "text of an unknown format");
  EXPECT_LT(peak_kb() - before, 32 * 1024 + kept_kb);
  EXPECT_EQ(reason("/line.jhist"), "line longer than 64 MiB, as Hadoop writes none");
  EXPECT_LT(peak_kb() - before, 160 * 1024 + kept_kb);
}

TEST_F(WebHdfs, AnInterruptionEndsTheWaitForAServer) {
  const Server odd({"odd"});
  const std::atomic<bool> interrupted = true;
  SourceOptions options;
  options.interrupted = &interrupted;
  for (const std::string& where : {"hdfs://" + odd.at() + "/done", odd.url()}) {
    const auto source = open_source(where, options);
    EXPECT_THROW(source->list([](HistoryFile&&) { return true; }, [](Diagnostic&&) {}), Interrupted);
    EXPECT_THROW((void)source->read({where + "/job_1_0001", {}}), Interrupted);
  }
}

TEST_F(WebHdfs, WhatStandsInTheWayIsNamedWithWhatToDo) {
  EXPECT_NE(failure(at("/absent")).find("is not there"), std::string::npos);
  EXPECT_NE(failure(at("/standby")).find("is a standby; name the active one"), std::string::npos);
  SourceOptions nobody;
  nobody.user = "nobody";
  EXPECT_NE(failure(at("/"), nobody).find("set HADOOP_USER_NAME, or kinit"), std::string::npos);
  EXPECT_THROW((void)open_source("hdfs:///done"), UsageError);
  const std::string other = failure("hdfs://127.0.0.1:1/done");
  EXPECT_NE(other.find("not the RPC port of fs.defaultFS (8020, 9000)"), std::string::npos) << other;
}

// `hdfs://HOST:8020` is how Hadoop's own programs name a NameNode.
TEST_F(WebHdfs, TheUsualRpcPortsStandForTheDefaultWebPort) {
  for (const char* port : {"8020", "9000"}) {
    const std::string told = failure(std::string("hdfs://127.0.0.1:") + port + "/no-such-folder-of-a-test");
    EXPECT_NE(told.find("127.0.0.1:9870"), std::string::npos) << told;
  }
  EXPECT_EQ(note_of_rpc_ports("hdfs://nn:8020/done"),
            "nn:8020 is an RPC port: WebHDFS is asked at http://nn:9870");
  EXPECT_EQ(note_of_rpc_ports("hdfs://a:9870,b:9000/done"),
            "b:9000 is an RPC port: WebHDFS is asked at http://b:9870");
  for (const char* where : {"hdfs://nn/done", "hdfs://nn:9870/done", "webhdfs://nn:8020/done",
                            "swebhdfs://nn:9000/done", "http://nn:8020", "done", "-"})
    EXPECT_EQ(note_of_rpc_ports(where), "") << where;
}

TEST_F(WebHdfs, AnotherRpcPortIsRefusedWithWhatToWrite) {
  const Server rpc({"odd"});  // answers as an RPC port does
  const std::string told = failure("hdfs://" + rpc.at() + "/done");
  EXPECT_NE(told.find("is an RPC port of Hadoop, not a web port; write hdfs://HOST:PORT/done with"),
            std::string::npos)
      << told;
  const std::string silent = failure("hdfs://127.0.0.1:1/mr-history/done");
  EXPECT_NE(silent.find("write hdfs://HOST:PORT/mr-history/done with the NameNode's web port"),
            std::string::npos)
      << silent;
  EXPECT_NE(silent.find("a pair as hdfs://HOST1:PORT,HOST2:PORT/mr-history/done"), std::string::npos)
      << silent;
}

// The address is well then: another way to write it would not help.
TEST_F(WebHdfs, AFailureOfTlsIsToldWithItsOwnRemedy) {
  const Server plain({"odd"});
  for (const std::string& where : {plain.at(), plain.at() + ",127.0.0.1:1"}) {
    const std::string told = failure("swebhdfs://" + where + "/done");
    EXPECT_NE(told.find("; check that the port speaks https"), std::string::npos) << told;
    EXPECT_EQ(told.find("write hdfs://HOST"), std::string::npos) << told;
  }
}

// The active NameNode of a pair, whichever it is, and whatever the other one answers.
TEST_F(WebHdfs, OfAPairTheActiveOneIsAsked) {
  const std::string name = "/done/job_1_0001.jhist";
  put(name.substr(1), history);
  fs::create_directories(folder / "standby");
  const Server standby({"webhdfs", folder / "standby"});  // it answers as a standby does, for its name
  for (const std::string& pair : {standby.at() + "," + server->at(), server->at() + "," + standby.at(),
                                  "127.0.0.1:1," + server->at()}) {
    const std::string first = "hdfs://" + pair.substr(0, pair.find(','));
    const std::string file = first + name;
    std::vector<std::string> names;
    open_source("hdfs://" + pair + "/done")
        ->list(
            [&](HistoryFile&& each) {
              names.push_back(each.name);
              return true;
            },
            [](Diagnostic&&) {});
    EXPECT_EQ(names, std::vector<std::string>{file}) << "named by the first";
    // Without a listing before, as on a node: the first to be asked may be the standby.
    const FileHistory read = open_source("hdfs://" + pair + "/done")->read({file, {}});
    EXPECT_EQ(read.runs.size(), 1U) << pair;
  }
  const std::string none = failure("hdfs://" + standby.at() + ",127.0.0.1:1/done");
  EXPECT_NE(none.find("none of the addresses has an active server"), std::string::npos) << none;
  EXPECT_NE(failure(at("/standby")).find("or both: hdfs://HOST1:PORT,HOST2:PORT/standby"), std::string::npos);
  EXPECT_THROW((void)open_source("hdfs://a:9870,a/done"), UsageError);
  EXPECT_THROW((void)open_source("hdfs://a,,b/done"), UsageError);
}

// Hadoop's RPC port tells those who speak HTTP to it that it is one.
TEST(WebHdfsAddress, AnRpcPortIsNamedAsSuch) {
  const Server odd({"odd"});
  const WebServer server(odd.url(), {});
  const ServerAnswer answer = server.json("/rpc");
  EXPECT_EQ(answer.problem, "is an RPC port of Hadoop, not a web port");
}

TEST(WebHdfsListing, HostileAnswersAreRefusedOrPassedOver) {
  for (const char* bad : {"", "{}", "[]", "{\"FileStatuses\": 1e999}", "{\"FileStatuses\""}) {
    EXPECT_THROW((void)hdfs_listing(bad, "u"), InputError) << bad;
  }
  const HdfsListing listing = hdfs_listing(R"({"FileStatuses": {"FileStatus": [
      {"pathSuffix": "../../etc", "type": "FILE"}, {"pathSuffix": "..", "type": "DIRECTORY"},
      {"pathSuffix": "a\nb", "type": "FILE", "length": -5, "modificationTime": 1e300}, 7]}})",
                                           "u");
  std::vector<std::string> names;
  for (const HdfsEntry& entry : listing.entries) names.push_back(entry.name);
  EXPECT_EQ(names, (std::vector<std::string>{"a\nb", ""}));
  EXPECT_EQ(listing.entries[0].length, 0);
  EXPECT_EQ(listing.entries[0].changed_ms, 0);
}

}  // namespace
}  // namespace wavewright
