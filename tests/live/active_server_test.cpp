// Of several ResourceManagers the active one is asked, whichever it is at the moment.
#include "wavewright/live/yarn/active_server.h"

#include <filesystem>
#include <fstream>
#include <memory>

#include <gtest/gtest.h>

#include "tests/server.h"
#include "tests/temporary_folder.h"
#include "wavewright/core/error.h"
#include "wavewright/live/yarn/resource_manager.h"
#include "wavewright/live/yarn/yarn_driver.h"

namespace wavewright {
namespace {

class Masters {
 public:
  Masters() {
    for (const char* name : {"one", "two"}) {
      states_.push_back((folder_.path() / name).string());
      write(states_.back(), "STANDBY", "");
      servers_.push_back(std::make_unique<tests::Server>(std::vector<std::string>{"master", states_.back()}));
    }
  }
  void set(std::size_t which, const std::string& state, const std::string& active = {},
           int clock_ahead_s = 0) const {
    write(states_[which], state, active, clock_ahead_s);
  }
  void stop(std::size_t which) const { servers_[which]->stop(); }
  [[nodiscard]] std::string url(std::size_t which) const { return servers_[which]->url(); }
  [[nodiscard]] std::vector<std::string> urls() const { return {url(0), url(1)}; }

 private:
  static void write(const std::string& file, const std::string& state, const std::string& active,
                    int clock_ahead_s = 0) {
    std::ofstream(file + ".new") << R"({"state": ")" << state << R"(", "active": ")" << active
                                 << R"(", "clock_ahead_s": )" << clock_ahead_s << "}";
    std::filesystem::rename(file + ".new", file);
  }
  TemporaryFolder folder_;
  std::vector<std::string> states_;
  std::vector<std::unique_ptr<tests::Server>> servers_;
};

template <class Call>
std::string failure(Call call) {
  try {
    call();
  } catch (const ExternalError& error) {
    EXPECT_FALSE(error.remedy().empty()) << error.what();
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    return error.what();
  }
  return "no failure";
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ActiveServer, TheActiveOneIsAskedWhicheverItIs) {
  const Masters masters;
  const WebServer servers(masters.urls(), "");
  ActiveServer active(servers);
  for (const std::size_t now : {1U, 0U, 1U}) {
    masters.set(now, "ACTIVE");
    masters.set(1 - now, "STANDBY", masters.url(now));
    active.find();
    EXPECT_EQ(servers.base(), masters.url(now));
    EXPECT_TRUE(says(masters.url(now), std::string(servers.json("/x").body.substr(9, 4))));
  }
}

TEST(ActiveServer, ADeadOneIsPassedOverAtOnce) {
  const Masters masters;
  masters.set(0, "ACTIVE");
  const WebServer servers(masters.urls(), "");
  ActiveServer active(servers);
  active.find();
  masters.stop(0);
  EXPECT_TRUE(says(failure([&] { active.find(); }), masters.url(1) + " is STANDBY"));
  masters.set(1, "ACTIVE");
  active.find();
  EXPECT_EQ(servers.base(), masters.url(1));
}

TEST(ActiveServer, OneThatStartsSaysSo) {
  const Masters masters;
  masters.set(0, "INITIALIZING");
  const WebServer server({masters.url(0)}, "");
  try {
    ActiveServer(server).find();
    FAIL() << "a ResourceManager that starts is taken for an active one";
  } catch (const ExternalError& error) {
    EXPECT_EQ(error.problem(), "is still starting");
    EXPECT_EQ(error.remedy(), "try again in some seconds");
  }
}

TEST(ActiveServer, AnyQuestionFindsTheActiveOne) {
  const Masters masters;
  masters.set(0, "STANDBY", masters.url(1));
  masters.set(1, "ACTIVE");
  const WebServer servers(masters.urls(), "");
  EXPECT_TRUE(servers.json("/ws/v1/cluster/metrics").good());
  EXPECT_EQ(servers.base(), masters.url(1));
  masters.stop(0);
  EXPECT_TRUE(servers.json("/ws/v1/cluster/metrics").good());
  masters.stop(1);
  EXPECT_TRUE(says(failure([&] { (void)servers.json("/x"); }), "none of the addresses has an active server"));
}

TEST(ActiveServer, TwoThatSayTheyAreActiveAreNotBelieved) {
  const Masters masters;
  masters.set(0, "ACTIVE");
  masters.set(1, "ACTIVE");
  const WebServer servers(masters.urls(), "");
  EXPECT_TRUE(says(failure([&] { ActiveServer(servers).find(); }), "both say that they are active"));
}

TEST(ActiveServer, AStandbyAloneSaysWhichIsActiveAndIsNotFollowedThere) {
  const Masters masters;
  masters.set(0, "STANDBY", masters.url(1));
  masters.set(1, "ACTIVE");
  const WebServer alone(masters.url(0), "");
  EXPECT_TRUE(says(failure([&] { ActiveServer(alone).find(); }), "is STANDBY"));
  const ServerAnswer answer = alone.json("/ws/v1/cluster/metrics");
  EXPECT_EQ(answer.problem, "is a standby; the active one is " + masters.url(1));
  masters.set(0, "STANDBY");
  EXPECT_EQ(alone.json("/ws/v1/cluster/metrics").problem,
            "is a standby, and it knows of none that is active");
}

TEST(ActiveServer, ALoginPageIsNoResourceManager) {
  const Masters masters;
  masters.set(0, "page");
  masters.set(1, "page");
  const WebServer alone(masters.url(0), "");
  EXPECT_TRUE(says(failure([&] { ActiveServer(alone).find(); }), "answers with a page, not with JSON"));
  const WebServer both(masters.urls(), "");
  EXPECT_TRUE(says(failure([&] { ActiveServer(both).find(); }), "answers with a page, not with JSON"));
  EXPECT_THROW((void)parse_ha_state("{}", "http://rm:8088"), ExternalError);
  EXPECT_EQ(parse_ha_state(R"({"clusterInfo":{}})", "http://rm:8088"), "ACTIVE");
}

TEST(ActiveServer, AVersionIsReadWhereOneIsTold) {
  const std::string url = "http://rm:8088";
  EXPECT_EQ(parse_hadoop_version(
                R"({"clusterInfo":{"hadoopVersion":"3.4.2","resourceManagerVersion":"3.4.1"}})", url),
            "3.4.2");
  EXPECT_EQ(parse_hadoop_version(R"({"clusterInfo":{"resourceManagerVersion":"2.7.3"}})", url), "2.7.3");
  EXPECT_EQ(parse_hadoop_version(R"({"clusterInfo":{"hadoopVersion":3}})", url), "");
  EXPECT_THROW((void)parse_hadoop_version("{}", url), ExternalError);
}

TEST(ActiveServer, AnotherHadoopIsFoundButNotDriven) {
  const std::string url = "http://rm:8088";
  for (const char* driven : {"3.0.0", "3.1.1.7.1.9.0-387", "3.5.0-SNAPSHOT", "3", "", "Unknown"})
    EXPECT_NO_THROW(require_hadoop(driven, url)) << driven;
  for (const char* other : {"2.7.3", "2.7.0-mapr-1808", "0.23.11", "4.0.0", "33.1", "99999999999.0"})
    EXPECT_THROW(require_hadoop(other, url), OtherHadoop) << other;

  const TemporaryFolder folder;
  const std::string file = (folder.path() / "answers").string();
  std::ofstream(file) << R"({"/ws/v1/cluster/info":{"clusterInfo":{"hadoopVersion":"2.7.3"}}})";
  const tests::Server server({"replay", file});
  const WebServer old(server.url(), "");
  ActiveServer active(old);
  active.find();
  EXPECT_EQ(active.version(), "2.7.3");
  EXPECT_EQ(failure([&] { find_resource_manager(old); }),
            server.url() +
                ": runs Hadoop 2.7.3, and Wavewright drives Hadoop 3 only; name the ResourceManager of a "
                "cluster with Hadoop 3");
  YarnDriver driver(old, nullptr, ClientProcesses(std::vector<std::string>{"supervisor"}));
  EXPECT_THROW((void)driver.applications("tag"), OtherHadoop);
}

TEST(ActiveServer, SeveralAddressesAreNamedWithCommas) {
  EXPECT_EQ(server_urls("rm1, rm2:8090,https://rm3", 8088),
            (std::vector<std::string>{"http://rm1:8088", "http://rm2:8090", "https://rm3:8090"}));
  EXPECT_EQ(server_urls("rm1", 8088), (std::vector<std::string>{"http://rm1:8088"}));
  for (const char* wrong : {"", "rm1,", ",rm1", "rm1,rm1:8088", "rm1,ftp://rm2"})
    EXPECT_THROW((void)server_urls(wrong, 8088), UsageError) << wrong;
}

TEST(Active, TellsHowFarItsClockIsAheadOfOurs) {
  const Masters masters;
  const WebServer servers(masters.urls(), "");
  ActiveServer active(servers);
  const auto ahead_if = [&](int seconds) {
    masters.set(1, "ACTIVE", "", seconds);
    active.find();
    return active.clock_ahead();
  };
  EXPECT_EQ(ahead_if(0), Duration{});
  EXPECT_GT(ahead_if(3'600), ms(3'590'000));
  EXPECT_LE(ahead_if(3'600), ms(3'600'000));
  EXPECT_LT(ahead_if(-60), ms(-50'000));
  EXPECT_GE(ahead_if(-60), ms(-60'000));
  EXPECT_EQ(ahead_if(0), Duration{});
}

TEST(Active, AClockIsAheadOnlyAsFarAsItsAnswerProves) {
  // It showed 10 s and a part of a second, at some instant from 9 to 12 s of ours: it may be right.
  EXPECT_EQ(clock_ahead(at_ms(10'000), at_ms(9'000), at_ms(12'000)), Duration{});
  EXPECT_EQ(clock_ahead(at_ms(10'000), at_ms(11'000), at_ms(11'400)), Duration{});
  EXPECT_EQ(clock_ahead(at_ms(10'000), at_ms(11'001), at_ms(11'400)), ms(-1));
  EXPECT_EQ(clock_ahead(at_ms(10'000), at_ms(9'000), at_ms(10'000)), Duration{});
  EXPECT_EQ(clock_ahead(at_ms(10'000), at_ms(9'000), at_ms(9'990)), ms(10));
}

}  // namespace
}  // namespace wavewright
