#include "wavewright/core/program_answer.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "wavewright/core/error.h"

extern char** environ;

namespace wavewright {

namespace {

constexpr std::size_t most_text = std::size_t{1} << 16;

[[noreturn]] void refuse_start(const std::string& program, int error) {
  throw ExternalError({program}, std::string("cannot be started: ") + std::strerror(error),
                      "check that it is there, and its rights");
}

// The leader of a process group of its own; both outputs go to `into`.
pid_t start(const std::vector<std::string>& command, int into) {
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const std::string& word : command)
    words.push_back(const_cast<char*>(word.c_str()));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  words.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&how);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, into, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, into, STDERR_FILENO);
  posix_spawnattr_setpgroup(&how, 0);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP);
  pid_t process = 0;
  const int failed = ::posix_spawnp(&process, words[0], &files, &how, words.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&how);
  if (failed != 0) refuse_start(command[0], failed);
  return process;
}

int reaped(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  constexpr int signalled = 128;
  return WIFEXITED(status) ? WEXITSTATUS(status) : signalled + WTERMSIG(status);
}

}  // namespace

ProgramAnswer ask_program(const std::vector<std::string>& command, Duration limit) {
  using Clock = std::chrono::steady_clock;
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0) refuse_start(command[0], errno);
  pid_t process = 0;
  try {
    process = start(command, pipe[1]);
  } catch (...) {
    ::close(pipe[0]);
    ::close(pipe[1]);
    throw;
  }
  ::close(pipe[1]);
  ProgramAnswer answer;
  const Clock::time_point end = Clock::now() + limit;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd ready{pipe[0], POLLIN, 0};
    answer.late = left <= 0;
    if (answer.late) break;
    if (::poll(&ready, 1, static_cast<int>(left)) <= 0) continue;
    std::array<char, 4096> piece{};
    const ssize_t got = ::read(pipe[0], piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    answer.text.append(piece.data(), std::min(static_cast<std::size_t>(got), most_text - answer.text.size()));
  }
  ::close(pipe[0]);
  if (answer.late) ::kill(-process, SIGKILL);
  answer.status = reaped(process);
  return answer;
}

}  // namespace wavewright
