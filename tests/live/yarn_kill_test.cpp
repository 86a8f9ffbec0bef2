// A kill of an application by `yarn application -kill`: here a script that does what a test says. YARN may
// refuse it, or never answer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "tests/live/scripted_cluster.h"
#include "tests/live/yarn_texts.h"
#include "tests/paths.h"
#include "tests/temporary_folder.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"

namespace wavewright {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto moment = std::chrono::milliseconds(10);
constexpr int most_moments = 3'000;

// It refuses the first time and all others, as Hadoop does, until there is a file `allows`; then it makes
// `done`.
constexpr const char* refusing = R"([ -e "$here/allows" ] && touch "$here/done" && exit 0
echo 'INFO client.DefaultNoHARMFailoverProxyProvider: Connecting to ResourceManager' >&2
echo 'Exception in thread "main" org.apache.hadoop.yarn.exceptions.YarnException: User etl cannot perform operation KILL_APP' >&2
printf '\tat org.apache.hadoop.yarn.ipc.RPCUtil.getRemoteException\n' >&2
exit 255
)";

// The program `yarn`, which is found before any other.
class Yarn {
 public:
  explicit Yarn(const std::string& script) : path_(std::getenv("PATH")) {  // NOLINT(concurrency-mt-unsafe)
    const std::filesystem::path file = folder.path() / "yarn";
    std::ofstream(file) << "#!/bin/sh\nhere='" << folder.path().string()
                        << "'\necho \"$*\" >>\"$here/asked\"\n"
                        << script;
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    ::setenv("PATH", (folder.path().string() + ":" + path_).c_str(), 1);
  }
  ~Yarn() { ::setenv("PATH", path_.c_str(), 1); }
  Yarn(const Yarn&) = delete;
  Yarn& operator=(const Yarn&) = delete;
  Yarn(Yarn&&) = delete;
  Yarn& operator=(Yarn&&) = delete;

  TemporaryFolder folder;

  [[nodiscard]] bool has(const char* file) const { return std::filesystem::exists(folder.path() / file); }
  void make(const char* file) const { std::ofstream(folder.path() / file).flush(); }
  // The words of each of its runs, a line each.
  [[nodiscard]] std::string asked() const {
    return has("asked") ? read_file(folder.path() / "asked") : std::string();
  }
  [[nodiscard]] std::ptrdiff_t runs() const {
    const std::string lines = asked();
    return std::count(lines.begin(), lines.end(), '\n');
  }

 private:
  std::string path_;
};

// A driver of a YARN of which only the kills matter.
struct Killer {
  AnsweringServer server{[](const std::string&) { return AnsweringServer::Text{404, {}}; }};
  YarnDriver driver;

  explicit Killer(KillPace pace)
      : driver(server, nullptr, ClientProcesses({command_path(), "supervise"}), pace) {}

  // As a batch's driver asks with each list, until it is told an error: its text; empty = it was told none.
  std::string told(const ClientAttempt& attempt, int moments = most_moments) {
    for (int i = 0; i < moments; ++i) {
      try {
        driver.kill_application(attempt, {"hadoop", "jar"}, "application_1_1");
      } catch (const ExternalError& error) {
        return error.what();
      }
      try {
        (void)driver.applications("tag");
      } catch (const ExternalError&) {  // NOLINT(bugprone-empty-catch): it has none
      }
      std::this_thread::sleep_for(moment);
    }
    return {};
  }
};

ClientAttempt attempt_of(const std::string& account = {}) {
  return {.folder = {}, .directory = {}, .tag = "tag-J1", .number = 1, .machine = {}, .account = account};
}

// J1 runs and its user cancels it. The kill is the real one.
struct Refused : ScriptedCluster {
  Yarn yarn{refusing};
  Killer killer;

  explicit Refused(KillPace pace) : killer(pace) {
    run_two_of_three();
    wish("J1", Wish::cancel);
  }
  void kill_application(const ClientAttempt& attempt, const std::vector<std::string>& command,
                        const std::string& id) override {
    killer.driver.kill_application(attempt, command, id);
  }
  bool until_so(const std::function<bool()>& so) {
    for (int i = 0; i < most_moments && !so(); ++i) {
      step();
      std::this_thread::sleep_for(moment);
    }
    return so();
  }
};

TEST(YarnKill, ARefusalIsToldWithItsLastLineAndTheJobIsCancelledOnceYarnAllowsIt) {
  constexpr Duration between = ms(300);
  Refused world(KillPace{.between = between});
  const auto began = std::chrono::steady_clock::now();
  ASSERT_TRUE(world.until_so([&] { return world.yarn.runs() >= 3; })) << "it is tried again";
  const auto took = std::chrono::steady_clock::now() - began;
  EXPECT_GE(took, 2 * between) << "and not with each step";
  EXPECT_EQ(world.told("J1", "NotKilled"), 1);
  const auto event = std::find_if(world.log.begin(), world.log.end(),
                                  [](const LiveEvent& each) { return each.what == "NotKilled"; });
  ASSERT_NE(event, world.log.end());
  EXPECT_THAT(event->detail,
              AllOf(HasSubstr("yarn application -kill application_1_1: ended with 255: "),
                    HasSubstr("User etl cannot perform operation KILL_APP"), Not(HasSubstr("RPCUtil"))));
  EXPECT_TRUE(world.job("J1").unkilled);
  EXPECT_EQ(world.job("J1").state, LiveState::running);
  EXPECT_EQ(world.told("", "Away"), 0) << "the others go on";

  world.yarn.make("allows");
  ASSERT_TRUE(world.until_so([&] { return world.yarn.has("done"); }));
  world.listed.at(0).state = ApplicationState::killed;
  EXPECT_TRUE(world.until_so([&] { return has_ended(world.job("J1").state); }));
  EXPECT_EQ(world.job("J1").state, LiveState::cancelled);
  EXPECT_EQ(world.told("J1", "NotKilled"), 1);
  EXPECT_THAT(world.yarn.asked(), HasSubstr("application -kill application_1_1\n"));
}

// YARN takes some time to end an application: that is no error.
TEST(YarnKill, OneThatEndedWellIsNoErrorAndIsBegunAgainWhileTheApplicationIsListed) {
  const Yarn yarn("exit 0\n");
  Killer killer(KillPace{.between = ms(100)});
  for (int i = 0; i < most_moments && yarn.runs() < 2; ++i) ASSERT_EQ(killer.told(attempt_of(), 1), "");
  EXPECT_EQ(yarn.runs(), 2);
}

TEST(YarnKill, OneThatHangsIsEndedAndTold) {
  const Yarn yarn("echo 'Retrying connect to server' >&2\nexec sleep 1000\n");
  Killer killer(KillPace{.between = ms(100), .longest = ms(1'500)});
  EXPECT_THAT(killer.told(attempt_of()), HasSubstr("did not end in 1.5s: Retrying connect to server"));
  EXPECT_EQ(yarn.runs(), 1) << "one at a time";
}

TEST(YarnKill, AProgramThatIsNotThereIsTold) {
  const Yarn yarn("");
  std::filesystem::remove(yarn.folder.path() / "yarn");
  const std::string path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe)
  ::setenv("PATH", yarn.folder.path().c_str(), 1);
  Killer killer(KillPace{});
  const std::string told = killer.told(attempt_of());
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_THAT(told, HasSubstr("ended with 127: cannot run yarn: "));
}

// Whoever can write to the store can write an account into it: no kill runs under it, and none under ours.
TEST(YarnKill, NoneRunsForAnAccountThatNobodyVouchesFor) {
  const Yarn yarn("exit 0\n");
  Killer killer(KillPace{});
  EXPECT_THAT(killer.told(attempt_of("nobody")), HasSubstr("nobody vouches for its account nobody"));
  EXPECT_EQ(yarn.runs(), 0);
}

}  // namespace
}  // namespace wavewright
