#include "wavewright/core/child_program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "wavewright/core/error.h"

extern char** environ;

namespace wavewright {

namespace {

constexpr std::size_t most_complaints = std::size_t{1} << 16;

[[noreturn]] void refuse(const std::string& what, const std::string& problem, int error) {
  throw ExternalError({what}, problem + ": " + std::strerror(error),
                      "check that it is there, and its rights");
}

// Starts it as the leader of a process group, with standard error into `errors`.
pid_t start_program(const std::vector<std::string>& command, const std::filesystem::path& output,
                    int errors) {
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const std::string& word : command)
    words.push_back(const_cast<char*>(word.c_str()));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  words.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&how);
  constexpr mode_t mode = 0600;
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output.empty() ? "/dev/null" : output.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, mode);
  posix_spawn_file_actions_adddup2(&files, errors, STDERR_FILENO);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&how, &none);
  posix_spawnattr_setsigdefault(&how, &all);
  posix_spawnattr_setpgroup(&how, 0);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t process = 0;
  const int failed = ::posix_spawnp(&process, words[0], &files, &how, words.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&how);
  if (failed != 0) refuse(command[0], "cannot be started", failed);
  return process;
}

int wait_for_end(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  constexpr int signalled = 128;
  return WIFEXITED(status) ? WEXITSTATUS(status) : signalled + WTERMSIG(status);
}

}  // namespace

ProgramEnd run_program(const std::vector<std::string>& command, const std::filesystem::path& output,
                       InterruptFlag interrupted) {
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0) refuse(command[0], "cannot be started", errno);
  pid_t process = 0;
  try {
    process = start_program(command, output, pipe[1]);
  } catch (...) {
    ::close(pipe[0]);
    ::close(pipe[1]);
    throw;
  }
  ::close(pipe[1]);
  ProgramEnd end;
  bool told = false;
  for (;;) {
    if (!told && interrupted != nullptr && *interrupted) {
      told = true;
      ::kill(-process, SIGTERM);
    }
    pollfd ready{pipe[0], POLLIN, 0};
    if (::poll(&ready, 1, interrupt_poll_ms) <= 0) continue;
    std::array<char, 4096> piece{};
    const ssize_t got = ::read(pipe[0], piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;  // all that could write to it has ended
    end.complaints.append(piece.data(), static_cast<std::size_t>(got));
    if (end.complaints.size() > 2 * most_complaints)
      end.complaints.erase(0, end.complaints.size() - most_complaints);
  }
  ::close(pipe[0]);
  end.status = wait_for_end(process);
  if (told) throw Interrupted();
  return end;
}

}  // namespace wavewright
