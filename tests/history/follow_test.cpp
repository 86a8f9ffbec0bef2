// Following a place that grows: nothing lost, nothing twice.
#include "wavewright/history/follow.h"

#include <filesystem>
#include <fstream>

#include "tests/history/samples.h"
#include "tests/server.h"
#include "tests/temporary_folder.h"
#include "wavewright/core/when.h"

namespace wavewright {
namespace {

namespace fs = std::filesystem;
using namespace tests;

class Follow : public ::testing::Test {
 protected:
  void put(const std::string& name, const std::string& content) const {
    std::ofstream(folder / name, std::ios::binary) << content;
  }
  std::vector<std::string> look(Follower& follower, std::size_t most = SIZE_MAX) const {
    std::vector<std::string> names;
    follower.look(
        now_instant(),
        [&](HistoryFile&& file) {
          if (names.size() == most) return false;
          names.push_back(fs::path(file.name).filename());
          return true;
        },
        [](Diagnostic&&) {});
    return names;
  }
  using Names = std::vector<std::string>;

  TemporaryFolder own;
  fs::path folder = own.path();
};

TEST_F(Follow, FindsWhatIsNewOrGrewAndNothingTwice) {
  put("a", "1");
  put("b", "1");
  Follower follower(folder);
  EXPECT_EQ(look(follower), (Names{"a", "b"}));
  EXPECT_EQ(look(follower), Names{});
  put("c", "1");
  put("a", "12");
  EXPECT_EQ(look(follower), (Names{"a", "c"}));
  EXPECT_EQ(look(follower), Names{});
}

TEST_F(Follow, WhatWasNotTakenIsFoundAgain) {
  put("a", "1");
  put("b", "1");
  put("c", "1");
  Follower follower(folder);
  EXPECT_EQ(look(follower, 1), Names{"a"});
  EXPECT_EQ(look(follower), (Names{"b", "c"}));
}

// Two jobs that finish in the same millisecond, the second listed later by the server than the first.
TEST(FollowServer, AJobThatTurnsUpLateIsFound) {
  const auto list = [](const std::vector<std::string>& ids) {
    Json jobs = Json::array();
    for (const std::string& id : ids) {
      jobs.push_back({{"id", id},
                      {"state", "SUCCEEDED"},
                      {"finishTime", to_ms(now_instant()) / 86'400'000 * 86'400'000}});
    }
    return Json{{"/ws/v1/history/info", {{"historyInfo", Json::object()}}},
                {"/ws/v1/history/mapreduce/jobs", {{"jobs", {{"job", jobs}}}}}};
  };
  const TemporaryFolder folder;
  const fs::path answers = folder.path() / "answers.json";
  const auto serve = [&](const std::vector<std::string>& ids) {
    std::ofstream(answers.string() + ".new") << list(ids).dump();
    fs::rename(answers.string() + ".new", answers);
  };
  serve({"job_1_0001"});
  const Server server({"replay", answers});
  Follower follower(server.url(), {}, ms(2 * 86'400'000));
  const auto look = [&] {
    std::vector<std::string> ids;
    const auto found = [&](HistoryFile&& file) {
      ids.push_back(file.name.substr(file.name.rfind('/') + 1));
      return true;
    };
    follower.look(now_instant(), found, [](Diagnostic&&) {});
    return ids;
  };
  using Ids = std::vector<std::string>;
  EXPECT_EQ(look(), Ids{"job_1_0001"});
  serve({"job_1_0001", "job_1_0002"});
  EXPECT_EQ(look(), Ids{"job_1_0002"});
  EXPECT_EQ(look(), Ids{});
  fs::remove(answers);
}

TEST_F(Follow, AFileWithAnOldTimeIsFoundWhenItComes) {
  put("a", "1");
  Follower follower(folder, {}, ms(0));
  EXPECT_EQ(look(follower), Names{"a"});
  put("old", "1");
  fs::last_write_time(folder / "old", fs::last_write_time(folder / "old") - std::chrono::hours(1000));
  EXPECT_EQ(look(follower), Names{"old"});
}

}  // namespace
}  // namespace wavewright
