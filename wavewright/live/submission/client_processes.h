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
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/live/batch/cluster_driver.h"
#include "wavewright/live/submission/descriptor.h"
#include "wavewright/live/submission/start_rules.h"

namespace wavewright {

// A short program beside the command of a job, such as one that ends its application. It has no files: the
// end of its output is kept in memory. It goes on when this ends.
class Aside {
 public:
  // A process, which leads its group, and a pipe with its output, which must not block.
  Aside(int process, int output) : process_(process), output_(output) {}

  // Alive, ended or gone. To be called now and then: a pipe that is full holds its program up.
  [[nodiscard]] Client look();
  void kill();

 private:
  void read();

  int process_;
  Descriptor output_;
  std::string said_;
  std::optional<Client> end_;
};

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

  // Starts `words` under the account of the attempt, which is believed by `command`, the job's own, as in
  // `start`. Under this program's account no seal is asked for. Throws ExternalError if the rules refuse the
  // account or nothing can be started; a program that is not there ends with 127.
  [[nodiscard]] std::unique_ptr<Aside> run_aside(const ClientAttempt& attempt,
                                                 const std::vector<std::string>& command,
                                                 const std::vector<std::string>& words) const;

  [[nodiscard]] static std::filesystem::path log_of(const ClientAttempt& attempt);

 private:
  std::vector<std::string> supervisor_;
  StartRules rules_;
  // By lock file: supervisors that we started and have not reaped, and when a command was asked to end, by
  // the steady clock.
  std::map<std::string, int> children_;
  std::map<std::string, Duration> asked_to_end_;
};

// The word by which the `wavewright` command becomes the supervisor.
inline constexpr std::string_view supervise_word = "supervise";

// The supervisor: `arguments` are the batch's folder, the tag, the attempt's number, the folder to work in,
// the account and its number (`etl:1000`; empty = its own), and the command. File descriptor 3 is the lock.
// Returns the status to exit with. If the batch's folder is empty, there is no lock, and this process becomes
// the command.
int supervise(const std::vector<std::string>& arguments);

// The file that a command's first word stands for, as execvp finds it; empty if there is none.
[[nodiscard]] std::filesystem::path find_program(const std::string& name);

}  // namespace wavewright
