// Commands under other accounts, and what a hostile user could try: forged accounts, links, other people's
// folders.
#include "wavewright/live/start_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "tests/paths.h"
#include "tests/temporary_folder.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/live/client_processes.h"

namespace wavewright {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const char* const other = "nobody";  // each system has it, with a number above the limit

struct Starts {
  TemporaryFolder folder;
  StartRules rules{"a key that is long enough", true, lowest_account};
  ClientProcesses processes{{command_path(), "supervise"}, rules};

  ClientAttempt attempt(const std::string& account, const std::string& directory = "/") {
    return {.folder = folder.path().string(),
            .directory = directory,
            .tag = "tag",
            .number = 1,
            .machine = {},
            .account = account};
  }
  ClientAttempt sealed(ClientAttempt attempt, const std::vector<std::string>& command) {
    attempt.seal = rules.seal(attempt, command);
    return attempt;
  }
  Client run(const ClientAttempt& attempt, const std::vector<std::string>& command) {
    processes.start(attempt, command);
    for (int i = 0; i < 1'000; ++i) {
      Client client = processes.client(attempt);
      if (client.state != ClientState::alive) return client;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return {ClientState::alive, 0, {}};
  }
  std::string log(const ClientAttempt& attempt) { return read_file(ClientProcesses::log_of(attempt)); }
};

std::vector<std::string> shell(const std::string& script) {
  return {"sh", "-c", script};
}

std::string refusal_of_account(const std::string& name, uid_t lowest = lowest_account) {
  try {
    return "found " + find_account(name, lowest).name;
  } catch (const UsageError& error) {
    return error.problem();
  }
}

TEST(Accounts, RootUnknownAndSystemAccountsAreRefused) {
  EXPECT_THAT(refusal_of_account("root", 0), HasSubstr("no command of a job runs as root"));
  EXPECT_THAT(refusal_of_account("no-such-account"), HasSubstr("there is no account"));
  EXPECT_THAT(refusal_of_account("daemon"), HasSubstr("those below 1000 are the system's"));
  EXPECT_EQ(refusal_of_account("daemon", 1), "found daemon");
  EXPECT_EQ(refusal_of_account(other), "found nobody");
}

TEST(Accounts, TheEnvironmentHasNothingOfTheDaemon) {
  const Account account{"etl", 1000, 1000, "/home/etl"};
  const std::vector<std::string> environment = environment_of(
      account, {"PATH=/bin", "HOME=/root", "WAVEWRIGHT_STORE=postgresql://u:secret@db/x", "KRB5CCNAME=x",
                "HADOOP_USER_NAME=hdfs", "HADOOP_CONF_DIR=/etc/hadoop", "PGPASSWORD=secret"});
  EXPECT_THAT(environment, ::testing::UnorderedElementsAre("HOME=/home/etl", "USER=etl", "LOGNAME=etl",
                                                           "PATH=/bin", "HADOOP_CONF_DIR=/etc/hadoop"));
}

class AsRoot : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!may_take_accounts()) GTEST_SKIP() << "this account may not start commands under others";
  }
};

TEST_F(AsRoot, ACommandRunsAsItsAccountWithNothingOfOurs) {
  Starts starts;
  ::setenv("WAVEWRIGHT_OF_A_TEST", "secret", 1);
  const auto command =
      shell("id -u; id -G; env; ls /proc/$$/fd; echo never >&3; echo never >/proc/$$/fd/3; true");
  const ClientAttempt attempt = starts.sealed(starts.attempt(other), command);
  EXPECT_EQ(starts.run(attempt, command).exit_status, 0);
  ::unsetenv("WAVEWRIGHT_OF_A_TEST");
  const std::string log = starts.log(attempt);
  const Account account = find_account(other);
  EXPECT_THAT(log, HasSubstr(std::to_string(account.user) + "\n" + std::to_string(account.group) + "\n"));
  EXPECT_THAT(log, HasSubstr("HOME=" + account.home + "\n"));
  EXPECT_THAT(log, Not(HasSubstr("secret")));
  EXPECT_THAT(log, HasSubstr("\n0\n1\n2\n3\n")) << "input, output, errors, lock";
  EXPECT_THAT(log, Not(HasSubstr("\n4\n")));
  EXPECT_THAT(log, HasSubstr("Permission denied")) << "the lock cannot be opened anew for writing";
  EXPECT_THAT(read_file(starts.folder.path() / "tag.1.lock"), Not(HasSubstr("never")));
}

TEST_F(AsRoot, NobodyGetsAnAccountThatIsNotVouchedFor) {
  const auto command = shell("id -u");
  const auto refused = [&](const ClientAttempt& attempt, const std::vector<std::string>& run) {
    Starts starts;
    ClientAttempt own = attempt;
    own.folder = starts.folder.path().string();
    const Client client = starts.run(own, run);
    return client.exit_status == 126 ? client.last_words : "it ran";
  };
  Starts starts;
  EXPECT_THAT(refused(starts.attempt(other), command), HasSubstr("nobody vouches for its account nobody"));
  const ClientAttempt good = starts.sealed(starts.attempt(other), command);
  EXPECT_EQ(refused(good, command), "it ran");
  EXPECT_THAT(refused(good, shell("id -g")), HasSubstr("nobody vouches"));
  ClientAttempt forged = good;
  forged.account = "daemon";
  EXPECT_THAT(refused(forged, command), HasSubstr("nobody vouches"));
  forged = good;
  forged.directory = "/etc";
  EXPECT_THAT(refused(forged, command), HasSubstr("nobody vouches"));
  // Even a seal makes nobody root, or one of the system's accounts.
  EXPECT_THAT(refused(starts.sealed(starts.attempt("daemon"), command), command),
              HasSubstr("are the system's"));
  EXPECT_THAT(refused(starts.sealed(starts.attempt("-u0"), command), command),
              HasSubstr("there is no account"));
  StartRules strict("another long enough key", false, lowest_account);
  EXPECT_THAT(strict.judge(starts.attempt(""), command).refusal, HasSubstr("it came through the store"));
  ClientAttempt own = starts.attempt("");
  own.seal = strict.seal(own, command);
  EXPECT_EQ(strict.judge(own, command).refusal, "");
}

TEST_F(AsRoot, AFolderThatTheAccountMayNotEnterIsNotWorkedIn) {
  Starts starts;
  const std::string hidden = starts.folder.path().string();  // of this account alone
  const ClientAttempt attempt = starts.sealed(starts.attempt(other, hidden), {"pwd"});
  const Client client = starts.run(attempt, {"pwd"});
  EXPECT_EQ(client.exit_status, 126);
  EXPECT_THAT(client.last_words, HasSubstr("cannot work in " + hidden));
}

TEST(Submissions, LinksAndOpenFoldersAreNotWrittenTo) {
  Starts starts;
  const std::string target = starts.folder.path() / "target";
  std::ofstream(target) << "as it was";
  std::filesystem::create_symlink(target, starts.folder.path() / "tag.1.log");
  const ClientAttempt attempt = starts.attempt("");
  (void)starts.run(attempt, {"echo", "written"});
  EXPECT_EQ(read_file(target), "as it was");

  Starts open;
  ::chmod(open.folder.path().c_str(), 0777);
  EXPECT_THROW(open.processes.start(open.attempt(""), {"true"}), ExternalError);
  const TemporaryFolder elsewhere;
  const std::string link = elsewhere.path() / "link";
  std::filesystem::create_directory_symlink(starts.folder.path(), link);
  ClientAttempt linked = open.attempt("");
  linked.folder = link;
  EXPECT_THROW(open.processes.start(linked, {"true"}), ExternalError);
  ClientAttempt escaped = starts.attempt("");
  escaped.tag = "../tag";
  EXPECT_THROW(starts.processes.start(escaped, {"true"}), InputError);
}

TEST(Submissions, TheKeyIsOfThisAccountAlone) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "serve.key";
  const std::string key = seal_key(file);
  EXPECT_EQ(key.size(), 64U);
  EXPECT_EQ(seal_key(file), key);
  ::chmod(file.c_str(), 0644);
  EXPECT_THROW((void)seal_key(file), UsageError);
}

}  // namespace
}  // namespace wavewright
