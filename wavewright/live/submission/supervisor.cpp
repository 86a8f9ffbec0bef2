// The supervisor of one attempt: holds its lock, runs its command, writes down how that ended.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/live/submission/account.h"
#include "wavewright/live/submission/attempt_files.h"
#include "wavewright/live/submission/client_processes.h"
#include "wavewright/live/submission/command_environment.h"

namespace wavewright {

namespace {

namespace fs = std::filesystem;

// In the child: becomes the command. Ends the process if that cannot be.
[[noreturn]] void become_command(const ClientAttempt& attempt, const std::vector<std::string>& command) {
  const auto give_up = [](const std::string& what, int status) {
    fmt::print(stderr, "{}\n", what);
    std::fflush(stderr);
    ::_exit(status);
  };
  std::vector<std::string> environment = environment_of_commands();
  if (!attempt.account.empty()) {
    // The number was judged by whoever started us: the name must still stand for it.
    const std::size_t colon = attempt.account.rfind(':');
    const std::string name = attempt.account.substr(0, colon), number = attempt.account.substr(colon + 1);
    try {
      const Account account = find_account(name, 1);
      if (std::to_string(account.user) != number || !become(account))
        give_up(fmt::format("cannot become {}", name), cannot_run);
      environment = environment_of(account, environment);
    } catch (const Error& error) {
      give_up(error.problem(), cannot_run);
    }
  }
  // Not before: the account must be allowed to enter the folder.
  if (::chdir(attempt.directory.c_str()) != 0)
    give_up(fmt::format("cannot work in {}: {}", attempt.directory, std::strerror(errno)), cannot_run);
  ::execvpe(command[0].c_str(), pointers_of(command).data(), pointers_of(environment).data());
  const int error = errno;
  give_up(fmt::format("cannot run {}: {}", command[0], std::strerror(error)),
          error == ENOENT ? not_found : cannot_run);
  ::_exit(cannot_run);
}

}  // namespace

int supervise(const std::vector<std::string>& arguments) {
  constexpr std::size_t of_ours = 5;
  if (arguments.size() <= of_ours) return cannot_run;
  const bool aside = arguments[0].empty();
  ::close_range(aside ? lock_number : lock_number + 1, ~0U, 0);
  const ClientAttempt attempt{.folder = arguments[0],
                              .directory = arguments[3],
                              .tag = arguments[1],
                              .number = std::stoi(arguments[2]),
                              .machine = {},
                              .account = arguments[4]};
  const std::vector<std::string> command(arguments.begin() + of_ours, arguments.end());
  if (aside) become_command(attempt, command);
  const int log =
      ::open(file_of(attempt, "log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (log >= 0) {
    ::dup2(log, STDOUT_FILENO);
    ::dup2(log, STDERR_FILENO);
  }
  for (const int each : {SIGTERM, SIGINT, SIGHUP, SIGPIPE}) ::signal(each, SIG_IGN);
  int begin[2];
  if (::pipe2(begin, O_CLOEXEC) != 0) return cannot_run;
  const pid_t process = ::fork();
  if (process < 0) return cannot_run;
  if (process == 0) {
    ::setpgid(0, 0);
    for (const int each : {SIGTERM, SIGINT, SIGHUP, SIGPIPE}) ::signal(each, SIG_DFL);
    char go = 0;
    if (::read(begin[0], &go, 1) != 1) ::_exit(cannot_run);  // until the lock file holds its group
    become_command(attempt, command);
  }
  ::setpgid(process, process);
  const std::string holder = fmt::format("{} {}\n", process, start_of_process(process));
  {
    const Descriptor lock(::open(file_of(attempt, "lock").c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
    (void)!::pwrite(lock.get(), holder.data(), holder.size(), 0);  // without it the command cannot be killed
  }
  (void)!::write(begin[1], "g", 1);
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  const std::string how = WIFEXITED(status) ? fmt::format("exit {}\n", WEXITSTATUS(status))
                                            : fmt::format("signal {}\n", WTERMSIG(status));
  // The lock is held until the status is on the disk, however long that is full.
  const fs::path exit = file_of(attempt, "exit");
  const fs::path fresh = exit.string() + ".new";
  for (;;) {
    const int file = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const bool written = file >= 0 && ::write(file, how.data(), how.size()) == std::ssize(how) &&
                         ::fsync(file) == 0 && ::rename(fresh.c_str(), exit.c_str()) == 0;
    if (file >= 0) ::close(file);
    if (written) return 0;
    if (!fs::is_directory(attempt.folder)) return cannot_run;
    ::sleep(1);
  }
}

}  // namespace wavewright
