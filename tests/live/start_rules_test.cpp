// Commands under other accounts, and what a hostile user could try: forged accounts, links, other people's
// folders.
#include "wavewright/live/submission/start_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <set>
#include <thread>

#include "tests/paths.h"
#include "tests/temporary_folder.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/live/submission/client_processes.h"

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

// A seal is of the job, its account, its folder and each word: another command has another seal.
TEST(Seals, NoTwoCommandsHaveOne) {
  const StartRules rules("a key that is long enough", true, lowest_account);
  ClientAttempt plain{.folder = "/state",
                      .directory = "/home/etl",
                      .tag = "tag",
                      .number = 1,
                      .machine = {},
                      .account = "etl"};
  ClientAttempt tag = plain, account = plain, directory = plain, moved = plain;
  tag.tag = "tag2";
  account.account = "other";
  directory.directory = "/etc";
  moved.tag = "tage";  // the same letters, divided otherwise
  moved.account = "tl";
  const std::vector<std::string> command = {"hadoop", "jar"};
  const std::set<std::string> seals = {rules.seal(plain, command),
                                       rules.seal(tag, command),
                                       rules.seal(account, command),
                                       rules.seal(directory, command),
                                       rules.seal(moved, command),
                                       rules.seal(plain, {"hadoop"}),
                                       rules.seal(plain, {"jar", "hadoop"}),
                                       rules.seal(plain, {"hadoop\njar"}),
                                       rules.seal(plain, {"hadoop", "jar", ""}),
                                       StartRules("another key", true, lowest_account).seal(plain, command)};
  EXPECT_EQ(seals.size(), 10U);
  EXPECT_EQ(rules.seal(plain, command).size(), 64U);
  plain.number = 7;
  EXPECT_TRUE(seals.contains(rules.seal(plain, command))) << "an attempt more needs no other";
}

TEST(Seals, WithoutAKeyNobodyVouches) {
  const StartRules rules;
  ClientAttempt attempt{
      .folder = "/state", .directory = "/", .tag = "tag", .number = 1, .machine = {}, .account = other};
  EXPECT_EQ(rules.seal(attempt, {"id"}), "") << "one of an empty key could be made by anybody";
  EXPECT_THAT(rules.judge(attempt, {"id"}).refusal, HasSubstr("nobody vouches for its account nobody"));
  attempt.account.clear();
  EXPECT_EQ(rules.judge(attempt, {"id"}).refusal, "") << "it is this program's own account";
}

TEST(Seals, ADaemonMayDemandThemOfEachCommand) {
  const StartRules lenient("a key that is long enough", true, lowest_account),
      strict("a key that is long enough", false, lowest_account);
  ClientAttempt attempt{.folder = "/state", .directory = "/", .tag = "tag", .number = 1, .machine = {}};
  for (const std::string& account : {std::string(), own_account()}) {
    attempt.account = account;
    attempt.seal.clear();
    EXPECT_EQ(lenient.judge(attempt, {"id"}).refusal, "");
    EXPECT_THAT(strict.judge(attempt, {"id"}).refusal, HasSubstr("it came through the store"));
    attempt.seal = strict.seal(attempt, {"id"});
    EXPECT_EQ(strict.judge(attempt, {"id"}).refusal, "");
    EXPECT_FALSE(strict.judge(attempt, {"id"}).account);
  }
  attempt.account = other;
  attempt.seal.clear();
  EXPECT_THAT(lenient.judge(attempt, {"id"}).refusal, HasSubstr("nobody vouches"));
}

// Without the power to take other accounts it says so, and does not start the command under its own.
TEST(Seals, GiveNoPowerThatTheDaemonLacks) {
  const StartRules rules("a key that is long enough", true, 1);
  ClientAttempt attempt{
      .folder = "/state", .directory = "/", .tag = "tag", .number = 1, .machine = {}, .account = "daemon"};
  attempt.seal = rules.seal(attempt, {"id"});
  const uid_t before = ::geteuid();
  const bool powerful = may_take_accounts();
  if (powerful) {
    ASSERT_EQ(::seteuid(find_account(other).user), 0);
  }
  const StartRules::Verdict verdict = rules.judge(attempt, {"id"});
  if (powerful) {
    ASSERT_EQ(::seteuid(before), 0);
  }
  EXPECT_THAT(verdict.refusal, HasSubstr("may not start commands as daemon"));
  EXPECT_FALSE(verdict.account);
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

TEST_F(AsRoot, WhatRunsAsideOfAJobRunsAsItsAccountWithNothingOfOurs) {
  Starts starts;
  const std::vector<std::string> command = {"true"};
  const ClientAttempt attempt = starts.sealed(starts.attempt(other), command);
  ::setenv("WAVEWRIGHT_OF_A_TEST", "secret", 1);
  const auto aside =
      starts.processes.run_aside(attempt, command, shell("echo $(id -u):$PWD:$HOME:$WAVEWRIGHT_OF_A_TEST:"));
  ::unsetenv("WAVEWRIGHT_OF_A_TEST");
  Client client = aside->look();
  for (int i = 0; i < 1'000 && client.state == ClientState::alive; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    client = aside->look();
  }
  const Account account = find_account(other);
  EXPECT_EQ(client.last_words, std::to_string(account.user) + ":/:" + account.home + "::");
  EXPECT_THROW((void)starts.processes.run_aside(attempt, {"false"}, shell("id")), ExternalError)
      << "it is sealed for another command";
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
  for (const mode_t mode : {0644U, 0640U, 0604U, 0620U, 0601U}) {
    ::chmod(file.c_str(), mode);
    EXPECT_THROW((void)seal_key(file), UsageError) << mode;
  }
  std::filesystem::remove(file);
  std::filesystem::create_directory(file);
  ::chmod(file.c_str(), 0700);
  EXPECT_THROW((void)seal_key(file), UsageError) << "it is no file";
}

TEST(Submissions, AKeyHasSixteenCharacters) {
  const TemporaryFolder folder;
  const auto key_of = [&](const std::string& text) {
    const std::string file = folder.path() / "serve.key";
    std::ofstream(file) << text;
    ::chmod(file.c_str(), 0600);
    return seal_key(file);
  };
  EXPECT_EQ(key_of("0123456789abcdef\n\n"), "0123456789abcdef");
  for (const char* text : {"", "\n", "x", "0123456789abcde\n\n"})
    EXPECT_THROW((void)key_of(text), UsageError) << text;
}

}  // namespace
}  // namespace wavewright
