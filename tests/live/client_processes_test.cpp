#include "wavewright/live/submission/client_processes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <thread>

#include "tests/paths.h"
#include "tests/temporary_folder.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"

namespace wavewright {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Clients {
  TemporaryFolder folder;
  ClientProcesses processes{{command_path(), "supervise"}};

  ClientAttempt attempt(int number = 1) {
    return {folder.path().string(), folder.path().string(), "tag", number, {}};
  }
  // Waits until it does not live any more.
  Client end_of(const ClientAttempt& which) {
    for (int i = 0; i < 2'000; ++i) {
      Client client = processes.client(which);
      if (client.state != ClientState::alive) return client;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return {ClientState::alive, 0, {}};
  }
  void wait_for_file(const std::string& name) {
    for (int i = 0; i < 2'000 && !std::filesystem::exists(folder.path() / name); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
};

std::vector<std::string> shell(const std::string& script) {
  return {"sh", "-c", script};
}

TEST(ClientProcesses, TellsHowACommandEnded) {
  Clients clients;
  clients.processes.start(clients.attempt(1), {"true"});
  Client client = clients.end_of(clients.attempt(1));
  EXPECT_EQ(client.state, ClientState::ended);
  EXPECT_EQ(client.exit_status, 0);
  clients.processes.start(
      clients.attempt(2),
      shell("echo begun; echo 'Exception in thread \"main\" java.io.FileNotFoundException: x.jar'; "
            "echo '\tat org.apache.hadoop.util.RunJar.run'; exit 3"));
  client = clients.end_of(clients.attempt(2));
  EXPECT_EQ(client.state, ClientState::ended);
  EXPECT_EQ(client.exit_status, 3);
  EXPECT_EQ(client.last_words, "Exception in thread \"main\" java.io.FileNotFoundException: x.jar");
  clients.processes.start(clients.attempt(3), {"no-such-program"});
  client = clients.end_of(clients.attempt(3));
  EXPECT_EQ(client.exit_status, 127);
  EXPECT_THAT(client.last_words, HasSubstr("cannot run no-such-program"));
}

TEST(ClientProcesses, ArgumentsReachTheCommandAsTheyAreAndNoShellReadsThem) {
  Clients clients;
  const std::vector<std::string> hostile = {"printf", "%s|", "$(touch hurt)", "; touch hurt", "a b", "", "--",
                                            "*",      "'\""};
  clients.processes.start(clients.attempt(), hostile);
  EXPECT_EQ(clients.end_of(clients.attempt()).exit_status, 0);
  EXPECT_EQ(read_file(ClientProcesses::log_of(clients.attempt())),
            "$(touch hurt)|; touch hurt|a b||--|*|'\"|");
  EXPECT_FALSE(std::filesystem::exists(clients.folder.path() / "hurt"));
}

// Whoever may submit a job reads what its command is given.
TEST(ClientProcesses, NoSecretOfThisProgramReachesACommand) {
  const std::map<std::string, std::string> given = {
      {"WAVEWRIGHT_STORE_PASSWORD", "tulips"},
      {"WAVEWRIGHT_TOKEN", "roses"},
      {"WAVEWRIGHT_STORE", "postgresql://me:lilies@db.example.org/runs"},
      {"WAVEWRIGHT_TOKEN_FILE", "its.token"}};
  for (const auto& [name, value] : given) ::setenv(name.c_str(), value.c_str(), 1);
  Clients clients;
  clients.processes.start(clients.attempt(), shell("env; tr '\\0' '\\n' </proc/$PPID/environ"));
  const Client client = clients.end_of(clients.attempt());
  for (const auto& [name, value] : given) ::unsetenv(name.c_str());
  EXPECT_EQ(client.exit_status, 0) << client.last_words;
  const std::string log = read_file(ClientProcesses::log_of(clients.attempt()));
  for (const char* secret : {"tulips", "roses", "lilies"}) EXPECT_THAT(log, Not(HasSubstr(secret)));
  // The rest is there, in the command's environment and in its supervisor's.
  for (const std::string kept :
       {"WAVEWRIGHT_STORE=postgresql://me@db.example.org/runs\n", "WAVEWRIGHT_TOKEN_FILE=its.token\n"})
    EXPECT_NE(log.find(kept), log.rfind(kept)) << kept << log;
}

// Its job may have ended by its application, before the command did.
TEST(ClientProcesses, OneThatNobodyAsksForIsNoZombieForLong) {
  const auto children = [] {
    std::ifstream list("/proc/thread-self/children");
    return std::set<int>(std::istream_iterator<int>(list), {});
  };
  const std::set<int> others = children();  // of tests before
  Clients clients;
  clients.processes.start(clients.attempt(1), {"true"});
  std::set<int> ours = children();
  for (const int other : others) ours.erase(other);
  ASSERT_EQ(ours.size(), 1U);
  const std::string stat = "/proc/" + std::to_string(*ours.begin()) + "/stat";
  const auto is_zombie = [&] { return read_file(stat).find(") Z ") != std::string::npos; };
  for (int i = 0; i < 2'000 && !is_zombie(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_TRUE(is_zombie());
  clients.processes.start(clients.attempt(2), {"sleep", "60"});
  EXPECT_FALSE(std::filesystem::exists(stat));
  EXPECT_EQ(clients.processes.client(clients.attempt(1)).state, ClientState::ended);
  EXPECT_EQ(clients.processes.client(clients.attempt(2)).state, ClientState::alive);
  clients.wait_for_file("tag.2.log");
  do {
    clients.processes.kill(clients.attempt(2));
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  } while (clients.processes.client(clients.attempt(2)).state == ClientState::alive);
}

TEST(ClientProcesses, AnAttemptIsStartedOnce) {
  Clients clients;
  const auto count = shell("echo run >>count");
  clients.processes.start(clients.attempt(), count);
  EXPECT_THROW(clients.processes.start(clients.attempt(), count), ExternalError);
  EXPECT_EQ(clients.end_of(clients.attempt()).exit_status, 0);
  EXPECT_THROW(clients.processes.start(clients.attempt(), count), ExternalError) << "nor once it has ended";
  EXPECT_EQ(read_file(clients.folder.path() / "count"), "run\n");
}

TEST(ClientProcesses, OnAFullDiskNothingIsStartedAndLaterItIs) {
  Clients clients;
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit none{0, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &none);  // a file may be made, and not a byte written
  EXPECT_THROW(clients.processes.start(clients.attempt(), {"touch", "hurt"}), ExternalError);
  EXPECT_THROW((void)clients.processes.client(clients.attempt()), ExternalError) << "it could not be fenced";
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_TRUE(std::filesystem::is_empty(clients.folder.path()));
  clients.processes.start(clients.attempt(), {"true"});
  EXPECT_EQ(clients.end_of(clients.attempt()).exit_status, 0);
}

TEST(ClientProcesses, AnAttemptThatWasNotStartedNeverIs) {
  Clients clients;
  EXPECT_EQ(clients.processes.client(clients.attempt()).state, ClientState::never);
  EXPECT_THROW(clients.processes.start(clients.attempt(), shell("touch hurt")), ExternalError);
  EXPECT_EQ(clients.processes.client(clients.attempt()).state, ClientState::never);
  EXPECT_FALSE(std::filesystem::exists(clients.folder.path() / "hurt"));
}

TEST(ClientProcesses, OfManyThatStartOneAttemptOneDoes) {
  Clients clients;
  for (int number = 1; number <= 10; ++number) {
    std::vector<std::thread> starters;
    for (int i = 0; i < 8; ++i) {
      starters.emplace_back([&] {
        ClientProcesses own({command_path(), "supervise"});
        try {
          own.start(clients.attempt(number), shell("echo run >>count"));
        } catch (const ExternalError&) {
        }
      });
    }
    for (std::thread& each : starters) each.join();
    EXPECT_EQ(clients.end_of(clients.attempt(number)).exit_status, 0);
  }
  EXPECT_EQ(read_file(clients.folder.path() / "count"), "run\nrun\nrun\nrun\nrun\nrun\nrun\nrun\nrun\nrun\n");
}

TEST(ClientProcesses, ACommandOutlivesTheProgramThatStartedIt) {
  Clients clients;
  const pid_t program = ::fork();
  if (program == 0) {
    ClientProcesses own({command_path(), "supervise"});
    own.start(clients.attempt(), shell("touch begun; while [ ! -e go ]; do sleep 0.02; done; exit 5"));
    ::raise(SIGKILL);
  }
  ::waitpid(program, nullptr, 0);
  clients.wait_for_file("begun");
  EXPECT_EQ(clients.processes.client(clients.attempt()).state, ClientState::alive);
  std::ofstream(clients.folder.path() / "go").flush();
  const Client client = clients.end_of(clients.attempt());
  EXPECT_EQ(client.state, ClientState::ended);
  EXPECT_EQ(client.exit_status, 5);
}

TEST(ClientProcesses, WhatACommandLeavesRunningCountsAsAlive) {
  Clients clients;
  clients.processes.start(clients.attempt(), shell("(while [ ! -e go ]; do sleep 0.02; done) & exit 0"));
  clients.wait_for_file("tag.1.exit");
  EXPECT_EQ(clients.processes.client(clients.attempt()).state, ClientState::alive);
  std::ofstream(clients.folder.path() / "go").flush();
  EXPECT_EQ(clients.end_of(clients.attempt()).state, ClientState::ended);
}

TEST(ClientProcesses, AKilledCommandIsGone) {
  Clients clients;
  clients.processes.start(clients.attempt(1), shell("touch begun; sleep 1000 & wait"));
  clients.wait_for_file("begun");
  clients.processes.kill(clients.attempt(1));
  EXPECT_EQ(clients.end_of(clients.attempt(1)).state, ClientState::gone);
  clients.processes.kill(clients.attempt(1));  // does nothing, and hurts nobody
  // One that does not listen.
  clients.processes.start(clients.attempt(2), shell("trap '' TERM; touch deaf; while :; do sleep 0.1; done"));
  clients.wait_for_file("deaf");
  for (int i = 0; i < 100 && clients.processes.client(clients.attempt(2)).state == ClientState::alive; ++i) {
    clients.processes.kill(clients.attempt(2));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_EQ(clients.processes.client(clients.attempt(2)).state, ClientState::gone);
}

// It may say much: only the end of that is kept.
TEST(ClientProcesses, WhatRunsAsideHasNoFilesAndTellsItsEnd) {
  Clients clients;
  const auto end_of = [](Aside& aside) {
    for (int i = 0; i < 2'000; ++i) {
      Client client = aside.look();
      if (client.state != ClientState::alive) return client;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return Client{ClientState::alive, 0, {}};
  };
  const auto run = [&](const std::string& script) {
    return clients.processes.run_aside(clients.attempt(), {"true"}, shell(script));
  };
  const auto talks = run("yes | head -c 1000000; echo; echo; echo last words; exit 3");
  Client client = end_of(*talks);
  EXPECT_EQ(client.state, ClientState::ended);
  EXPECT_EQ(client.exit_status, 3);
  EXPECT_EQ(client.last_words, "last words");
  EXPECT_EQ(talks->look().exit_status, 3) << "it stays so";
  EXPECT_EQ(end_of(*run("echo $PWD")).last_words, "/");
  EXPECT_EQ(end_of(*run("ls -m /proc/$$/fd; true")).last_words, "0, 1, 2");
  const auto hangs = run("sleep 1000");
  EXPECT_EQ(hangs->look().state, ClientState::alive);
  hangs->kill();
  EXPECT_EQ(end_of(*hangs).state, ClientState::gone);
  EXPECT_TRUE(std::filesystem::is_empty(clients.folder.path()));
}

TEST(ClientProcesses, WithoutItsFolderNothingIsKnown) {
  Clients clients;
  ClientAttempt attempt = clients.attempt();
  attempt.folder += "/removed";
  EXPECT_THROW((void)clients.processes.client(attempt), ExternalError);
  EXPECT_THROW(clients.processes.start(attempt, {"true"}), ExternalError);
}

TEST(ClientProcesses, FindsProgramsAsTheyAreRun) {
  EXPECT_FALSE(find_program("sh").empty());
  EXPECT_TRUE(find_program("no-such-program").empty());
  EXPECT_TRUE(find_program("/etc/passwd").empty()) << "not executable";
}

}  // namespace
}  // namespace wavewright
