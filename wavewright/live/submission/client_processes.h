// Commands of jobs as processes that outlive the program that starts them.
//
// A small program of ours, the supervisor, runs each command and writes its exit status down. Each attempt
// has files in the batch's folder, which must be on a file system of this machine:
//
//   TAG.K.lock   locked (flock) by the supervisor, the command and whatever it starts, as long as one of them
//                lives; holds the command's process group
//   TAG.K.exit   how the command ended
//   TAG.K.log    its output
//
// The lock file comes into being locked, and once. So of two programs that would start one attempt, one does;
// and an attempt whose lock file is made by `client` is never started.
//
// A command may run under another account (live/submission/start_rules.h). Then it has that one's groups,
// home and environment, and of this program's files its log and its lock only, which it can read but not
// change. The folder must be of this program's account alone: another could put links into it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/live/batch/cluster_driver.h"
#include "wavewright/live/submission/start_rules.h"

namespace wavewright {

class ClientProcesses {
 public:
  // `supervisor`: a program and the arguments with which it calls `supervise`.
  explicit ClientProcesses(std::vector<std::string> supervisor, StartRules rules = {})
      : supervisor_(std::move(supervisor)), rules_(std::move(rules)) {}

  // As in ClusterDriver. `start` throws ExternalError if the attempt was begun before. What the rules refuse
  // ends at once, with the reason as its last words.
  void start(const ClientAttempt& attempt, const std::vector<std::string>& command);
  [[nodiscard]] Client client(const ClientAttempt& attempt);
  // Asks the command to end; from the second call on, five seconds later, it is killed.
  void kill(const ClientAttempt& attempt);

  // Removes the attempt's files.
  static void forget(const ClientAttempt& attempt);

  // Starts a program that nobody waits for; its output goes nowhere. Throws ExternalError if there is none.
  void run_aside(const std::vector<std::string>& command);

  [[nodiscard]] static std::filesystem::path log_of(const ClientAttempt& attempt);

 private:
  std::vector<std::string> supervisor_;
  StartRules rules_;
  std::vector<int> children_;                     // supervisors that we started, to be reaped
  std::map<std::string, Duration> asked_to_end_;  // by lock file, by the steady clock
};

// The word by which the `wavewright` command becomes the supervisor.
inline constexpr std::string_view supervise_word = "supervise";

// The supervisor: `arguments` are the batch's folder, the tag, the attempt's number, the folder to work in,
// the account and its number (`etl:1000`; empty = its own), and the command. File descriptor 3 is the lock.
// Returns the status to exit with.
int supervise(const std::vector<std::string>& arguments);

// The file that a command's first word stands for, as execvp finds it; empty if there is none.
[[nodiscard]] std::filesystem::path find_program(const std::string& name);

}  // namespace wavewright
